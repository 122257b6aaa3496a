// A shared object, and its symbols by name, as a foreign-function interface of another language has them.
#pragma once
#include <string>

namespace foreign {

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

}  // namespace foreign
