// SPDX-License-Identifier: Apache-2.0
// The custom call "xlashape_relayout" of XLA's typed FFI, for the platform "cpu": one argument, one result, and the
// attributes "from" and "to", texts of the shapes of both.
//
// It is written against the C header of the FFI alone. What the C++ header adds is little here, and the stages that
// would keep a state for it changed between versions of that header without notice (XLA_FFI_State_Set_Args); the
// structs that are read here have grown at their ends only. So plans are kept by the cache of the process, and the
// stage "instantiate" only fills it and tells wrong shapes when a program is compiled.
#include <algorithm>
#include <exception>
#include <new>

#include "cache.h"
#include "failure.h"
#include "relayout.h"
#include "xla/ffi/api/c_api.h"

#define XLASHAPE_JAX_EXPORT extern "C" __attribute__((visibility("default")))

namespace xlashape_jax {
namespace {

// The oldest minor version whose structs, as far as they are read or written here, are those of the header.
constexpr int kOldestMinor = std::min(2, XLA_FFI_API_MINOR);

// XLA asks each handler once for its version of the FFI, and refuses a newer one than its own. The answer is the
// version that both know, since nothing here differs between them: one object works with all of them. True if that was
// asked.
bool answered_metadata(const XLA_FFI_CallFrame& frame) {
  for (XLA_FFI_Extension_Base* extension = frame.extension_start; extension != nullptr; extension = extension->next) {
    if (extension->type != XLA_FFI_Extension_Metadata) continue;
    XLA_FFI_Metadata* metadata = reinterpret_cast<XLA_FFI_Metadata_Extension*>(extension)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    if (frame.api != nullptr && frame.api->api_version.major_version == XLA_FFI_API_MAJOR)
      metadata->api_version.minor_version =
          std::clamp(frame.api->api_version.minor_version, kOldestMinor, XLA_FFI_API_MINOR);
    metadata->traits = 0;
    return true;
  }
  return false;
}

std::string_view attribute(const XLA_FFI_Attrs& attrs, const char* name) {
  for (int64_t i = 0; i < attrs.size; ++i) {
    if (std::string_view(attrs.names[i]->ptr, attrs.names[i]->len) != name) continue;
    if (attrs.types[i] != XLA_FFI_AttrType_STRING)
      throw Failure(XLA_FFI_Error_Code_INVALID_ARGUMENT, std::string("attribute ") + name + " is no text");
    const auto* span = static_cast<const XLA_FFI_ByteSpan*>(attrs.attrs[i]);
    return std::string_view(span->ptr, span->len);
  }
  throw Failure(XLA_FFI_Error_Code_INVALID_ARGUMENT, std::string("there is no attribute ") + name);
}

std::shared_ptr<const Relayout> instantiate(const XLA_FFI_CallFrame& frame) {
  const std::string_view from = attribute(frame.attrs, "from");
  return cache().get(from, attribute(frame.attrs, "to"));
}

void execute(const XLA_FFI_CallFrame& frame) {
  if (frame.args.size != 1 || frame.rets.size != 1 || frame.args.types[0] != XLA_FFI_ArgType_BUFFER ||
      frame.rets.types[0] != XLA_FFI_RetType_BUFFER)
    throw Failure(XLA_FFI_Error_Code_INVALID_ARGUMENT, std::to_string(frame.args.size) + " arguments and " +
                                                           std::to_string(frame.rets.size) +
                                                           " results; it takes one array and gives one");
  instantiate(frame)->run(frame, *static_cast<const XLA_FFI_Buffer*>(frame.args.args[0]),
                          *static_cast<const XLA_FFI_Buffer*>(frame.rets.rets[0]));
}

XLA_FFI_Error* error_of(const XLA_FFI_Api* api, XLA_FFI_Error_Code code, const char* message) {
  XLA_FFI_Error_Create_Args args = {};
  args.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE;
  args.message = message;
  args.errc = code;
  return api->XLA_FFI_Error_Create(&args);
}

template <auto stage>
XLA_FFI_Error* call(const XLA_FFI_CallFrame& frame) noexcept {
  if (answered_metadata(frame)) return nullptr;
  try {
    stage(frame);
    return nullptr;
  } catch (const Failure& failure) {
    return error_of(frame.api, failure.code, failure.what());
  } catch (const std::bad_alloc&) {
    return error_of(frame.api, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "xlashape_relayout: out of memory");
  } catch (const std::exception& error) {
    return error_of(frame.api, XLA_FFI_Error_Code_INTERNAL, error.what());
  }
}

}  // namespace
}  // namespace xlashape_jax

XLASHAPE_JAX_EXPORT XLA_FFI_Error* xlashape_jax_instantiate(XLA_FFI_CallFrame* frame) {
  return xlashape_jax::call<xlashape_jax::instantiate>(*frame);
}

XLASHAPE_JAX_EXPORT XLA_FFI_Error* xlashape_jax_execute(XLA_FFI_CallFrame* frame) {
  return xlashape_jax::call<xlashape_jax::execute>(*frame);
}

// The versions that this object was compiled for: of xlashape's C interface, and of the FFI (major << 16 | minor).
XLASHAPE_JAX_EXPORT uint32_t xlashape_jax_abi_version() { return XLASHAPE_ABI_VERSION; }
XLASHAPE_JAX_EXPORT uint32_t xlashape_jax_ffi_version() { return XLA_FFI_API_MAJOR << 16 | XLA_FFI_API_MINOR; }
// The oldest one of XLA's with which it works.
XLASHAPE_JAX_EXPORT uint32_t xlashape_jax_oldest_ffi_version() {
  return XLA_FFI_API_MAJOR << 16 | xlashape_jax::kOldestMinor;
}

// Four numbers: texts in the cache, how many it holds, plans in it, plans made so far.
XLASHAPE_JAX_EXPORT void xlashape_jax_cache(int64_t* numbers) {
  const auto counts = xlashape_jax::cache().counts();
  numbers[0] = counts.texts;
  numbers[1] = xlashape_jax::Cache::kCapacity;
  numbers[2] = counts.plans;
  numbers[3] = counts.made;
}
