#include "abi/closure.h"

#include <stdexcept>

namespace foreign {

Closure::Closure(const File& file, const Signature& signature, Body body)
    : body_(std::move(body)), result_(file.type(signature.returns)) {
  for (const Item& parameter : signature.parameters) types_.push_back(file.type(parameter));
  closure_ = static_cast<ffi_closure*>(ffi_closure_alloc(sizeof(ffi_closure), &code_));
  if (closure_ == nullptr) throw std::runtime_error("ffi_closure_alloc failed");
  if (ffi_prep_cif(&cif_, FFI_DEFAULT_ABI, static_cast<unsigned>(types_.size()), result_, types_.data()) != FFI_OK ||
      ffi_prep_closure_loc(closure_, &cif_, enter, this, code_) != FFI_OK) {
    ffi_closure_free(closure_);
    throw std::runtime_error("libffi makes no function of the signature of " + signature.name);
  }
}

Closure::~Closure() { ffi_closure_free(closure_); }

bool Closure::available() {
  void* code = nullptr;
  void* closure = ffi_closure_alloc(sizeof(ffi_closure), &code);
  if (closure != nullptr) ffi_closure_free(closure);
  return closure != nullptr;
}

void Closure::enter(ffi_cif* cif, void* result, void** arguments, void* self) {
  const auto& closure = *static_cast<const Closure*>(self);
  std::vector<uint64_t> words;
  for (unsigned i = 0; i < cif->nargs; ++i) words.push_back(load(*closure.types_[i], arguments[i]));
  const uint64_t value = closure.body_(words);
  if (closure.result_->type == FFI_TYPE_VOID) return;
  if (closure.result_->size < sizeof(ffi_arg)) {
    *static_cast<ffi_arg*>(result) = static_cast<ffi_arg>(widen(*closure.result_, value));
  } else {
    store(*closure.result_, value, result);
  }
}

}  // namespace foreign
