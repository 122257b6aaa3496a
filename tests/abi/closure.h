// Functions made at run time, of any signature in the ABI file.
#pragma once
#include <functional>

#include "abi/abi_file.h"
#include "abi/library.h"

namespace foreign {

class Closure {
 public:
  // Gets the arguments as words (narrow ones extended) and returns the result as one. Must not throw.
  using Body = std::function<uint64_t(const std::vector<uint64_t>&)>;
  // Throws std::runtime_error where the machine forbids code made at run time; see available().
  Closure(const File& file, const Signature& signature, Body body);
  ~Closure();
  Closure(const Closure&) = delete;

  Library::Function code() const { return reinterpret_cast<Library::Function>(code_); }
  // False where ffi_closure_alloc fails: hardened kernels, SELinux.
  static bool available();

 private:
  static void enter(ffi_cif* cif, void* result, void** arguments, void* self);

  Body body_;
  std::vector<ffi_type*> types_;
  ffi_type* result_;
  ffi_cif cif_;
  ffi_closure* closure_;
  void* code_ = nullptr;
};

}  // namespace foreign
