#include "abi/library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace foreign {

Library::Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

Library::Function Library::find(const std::string& name) const {
  return reinterpret_cast<Function>(dlsym(handle_, name.c_str()));
}

}  // namespace foreign
