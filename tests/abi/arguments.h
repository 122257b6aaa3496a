/* SPDX-License-Identifier: Apache-2.0 */
// Arguments for any function, made up from the ABI file and calls.json: handles, arrays, structs, texts.
#pragma once
#include <deque>
#include <list>

#include "abi/abi_file.h"

namespace foreign {

// A shared object, and its symbols by name, as a foreign-function interface of another language has them.
class Library {
 public:
  // Throws std::runtime_error with dlopen's reason.
  explicit Library(const std::string& path);
  using Function = void (*)();
  // Null where the object has no such symbol.
  Function find(const std::string& name) const;

 private:
  void* handle_;  // never closed: like the hosts we stand for
};

// Memory behind a pointer argument, with a guard behind it and a memory of what it held.
class Buffer {
 public:
  Buffer(size_t bytes, unsigned char value);
  unsigned char* data() { return reinterpret_cast<unsigned char*>(words_.data()); }
  uint64_t address() { return reinterpret_cast<uint64_t>(data()); }
  size_t size() const { return size_; }
  void remember() { before_ = words_; }
  bool untouched() const { return words_ == before_; }
  bool guarded() const;
  bool is_constant = false;  // the callee promises not to write

 private:
  static constexpr size_t kGuardWords = 16;
  size_t size_;
  std::vector<uint64_t> words_, before_;
};

// A struct among the arguments, or pointed to by one.
struct StructArgument {
  std::string name, where;
  Buffer* buffer;
  size_t size;
  bool is_output;
};

// What all calls share: the library, how to make handles, and the functions behind "$name" in calls.json.
struct Session {
  const File& file;
  const Library& library;
  nlohmann::json calls;
  std::string plugin;  // a shared object that is a backend
  std::map<std::string, Library::Function> callbacks;

  nlohmann::json recipe(const std::string& function, const char* key) const;
};

// Reads calls.json. `plugin`: the shared object of a backend, whose entry function is "$open".
Session make_session(const File& file, const Library& library, const std::string& calls, const std::string& plugin);

class Arguments {
 public:
  Arguments(const Session& session, const Signature& function, const nlohmann::json& with = {});
  Arguments(const Arguments&) = delete;
  ~Arguments();

  std::vector<uint64_t> values;  // one per parameter: change them at will

  // Calls the function, after which untouched() and guarded() tell what it wrote.
  uint64_t call(bool garbage = kGarbageAbove);
  bool untouched() const;
  bool guarded() const;
  int64_t place(const std::string& parameter) const;  // -1: there is none
  uint64_t handle() const;                            // the one that the call gave
  std::vector<StructArgument>& structs() { return structs_; }
  // Sets every parameter that `len` counts with to zero items.
  void empty(const std::string& len);

 private:
  Buffer& buffer(size_t bytes, unsigned char value);
  void choose_lengths();
  uint64_t make(const Item& parameter);
  uint64_t array(const Item& parameter);
  uint64_t text(const Item& parameter);
  uint64_t structure(const std::string& base, const nlohmann::json& fields, bool is_output, const std::string& where);
  uint64_t named(const std::string& name);
  uint64_t shared_handle(const std::string& name);
  struct Answer {
    uint64_t address, size;
  };
  Answer answer(const std::string& name);
  int64_t items(const std::string& len) const;
  void release(const std::string& base, uint64_t handle);

  const Session& session_;
  const Signature& function_;
  nlohmann::json with_;
  std::deque<Buffer> buffers_;
  std::map<std::string, Buffer*> arrays_;
  std::vector<StructArgument> structs_;
  std::list<std::pair<std::string, uint64_t>> owned_;  // references to give back
  std::list<Arguments> makers_;
  std::map<std::string, Answer> answers_;
};

inline constexpr unsigned char kUnwritten = 0xC3;  // what memory for answers holds before the call
inline constexpr size_t kMemory = 4096;            // bytes behind src and dst
inline constexpr size_t kRoom = 64;                // behind every struct, for fields of later releases

}  // namespace foreign
