/* SPDX-License-Identifier: Apache-2.0 */
// Errors: thrown inside the plugin, and objects of PJRT for its callers.
#pragma once
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <xlashape.hpp>

#include "pjrt_api.h"

namespace pjrt_plugin {

class Failure : public std::exception {
 public:
  Failure(PJRT_Error_Code code, std::string message) : code_(code), message_(std::move(message)) {}
  // With a place in front of the library's message.
  Failure(const std::string& place, const xlashape::Error& error);

  PJRT_Error_Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  PJRT_Error_Code code_;
  std::string message_;
};

// What is wrong with a list of the caller: INVALID_ARGUMENT where it is NULL and not empty.
inline void check_list(const std::string& what, const void* data, std::size_t count) {
  if (data == nullptr && count != 0)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, what + " is NULL, and " + std::to_string(count) + " are given");
}
// A text of the caller, checked in the same way.
inline std::string_view text_of(const std::string& what, const char* data, std::size_t size) {
  check_list("the text of " + what, data, size);
  return {data, size};
}

// A list or text of the plugin, in two fields of the caller's arguments. Clients do not write to it.
template <class List, class T>
void give(const List& list, T*& data, std::size_t& size) {
  data = const_cast<T*>(list.data());
  size = list.size();
}

PJRT_Error_Code code_of(xlashape::Status status);
// UNKNOWN for a number that is no code.
PJRT_Error_Code known(PJRT_Error_Code code);

// The value, or a Failure that names the place.
template <class T>
T value_at(const std::string& place, xlashape::Result<T> result) {
  if (!result) throw Failure(place, result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// A new error for the caller to destroy; NULL for OK. Without memory for it, a static one.
PJRT_Error* new_error(PJRT_Error_Code code, std::string_view message) noexcept;

// Runs a function; what it throws becomes an error for the caller.
template <class F>
PJRT_Error* guarded(F&& function) noexcept {
  try {
    function();
    return nullptr;
  } catch (const Failure& failure) {
    return new_error(failure.code(), failure.message());
  } catch (const xlashape::Exception& exception) {
    return new_error(code_of(exception.status()), exception.what());
  } catch (const std::bad_alloc&) {
    return new_error(PJRT_Error_Code_RESOURCE_EXHAUSTED, "the host has no more memory");
  } catch (const std::exception& exception) {
    return new_error(PJRT_Error_Code_INTERNAL, exception.what());
  }
}

// The functions of PJRT.
void error_destroy(PJRT_Error_Destroy_Args* args);
void error_message(PJRT_Error_Message_Args* args);

}  // namespace pjrt_plugin
