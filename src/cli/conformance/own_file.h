// A file that the program opened and that a plugin must not close.
#pragma once
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>

namespace xlashape::cli {

class OwnFile {
 public:
  OwnFile() { open(); }
  ~OwnFile() {
    if (is_there()) ::close(number_);
  }
  OwnFile(const OwnFile&) = delete;

  // Whether it was closed since the last call; another file may have its number now. Callable on any thread.
  bool was_closed() {
    const std::lock_guard guard(lock_);
    if (is_there()) return false;
    open();
    return true;
  }

 private:
  void open() {
    number_ = memfd_create("xlashape-self-test", MFD_CLOEXEC);
    fstat(number_, &info_);
  }
  bool is_there() const {
    struct stat now = {};
    return number_ < 0 ||  // the system gave none
           (fstat(number_, &now) == 0 && now.st_dev == info_.st_dev && now.st_ino == info_.st_ino);
  }

  std::mutex lock_;
  int number_ = -1;
  struct stat info_ = {};
};

}  // namespace xlashape::cli
