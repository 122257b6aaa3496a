// SPDX-License-Identifier: Apache-2.0
#include "new_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "cli/base/failure.h"
#include "cli/output/output.h"

namespace xlashape::cli {
namespace {

volatile std::sig_atomic_t the_signal = 0;

void on_signal(int signal) { the_signal = signal; }

constexpr size_t kPiece = size_t{8} << 20;  // bytes written between two checks for signals
constexpr ssize_t kLongPiece = ssize_t{256} << 10;

// Calls write(bytes) for what is left of them until all are written.
template <class Write>
void write_whole(Bytes bytes, const std::string& path, const Write& write) {
  while (!bytes.empty()) {
    HoldSignals::check();
    const ssize_t wrote = write(bytes.first(std::min(bytes.size(), kPiece)));
    if (wrote < 0 && errno != EINTR) fail_file(path, "write");
    bytes = bytes.subspan(static_cast<size_t>(std::max<ssize_t>(wrote, 0)));
  }
}

void write_all(int number, const Pieces& pieces, const std::string& path) {
  const auto next = [&](Bytes bytes) { return ::write(number, bytes.data(), bytes.size()); };
  if (!pieces.are_placed()) return pieces.each([&](Bytes bytes) { write_whole(bytes, path, next); });
  int64_t end = 0;
  pieces.place([&](int64_t at, Bytes bytes) {
    if (at != end)
      fail_data("{}: byte {} would be written after byte {}, which a pipe cannot do: give a file", path, at, end);
    write_whole(bytes, path, next);
    end += static_cast<int64_t>(bytes.size());
  });
}

// Into a file, which gets its size, and where the file system can, its room on the disk, before the first byte.
void write_placed(int number, const Pieces& pieces, const std::string& path) {
  const int64_t size = pieces.placed_size();
  if (size > 0 && fallocate(number, 0, 0, size) != 0) {
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINTR) fail_file(path, "write");
    if (ftruncate(number, size) != 0) fail_file(path, "write");
  }
  pieces.place([&](int64_t at, Bytes bytes) {
    write_whole(bytes, path, [&](Bytes part) {
      const ssize_t wrote = pwrite(number, part.data(), part.size(), at);
      // The disk begins with long pieces at once, so that it is not waited for in the end: 8 GiB 13 s, else 20.
      if (wrote >= kLongPiece) static_cast<void>(sync_file_range(number, at, wrote, SYNC_FILE_RANGE_WRITE));
      at += std::max<ssize_t>(wrote, 0);
      return wrote;
    });
  });
}

bool is_output(const struct stat& info) {
  struct stat output = {};
  return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == info.st_dev && output.st_ino == info.st_ino;
}

// Where /proc is, a file without a name can get one.
std::string by_number(int number) { return fmt::format("/proc/self/fd/{}", number); }

}  // namespace

HoldSignals::HoldSignals() {
  the_signal = 0;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

HoldSignals::~HoldSignals() {
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  if (const int signal = std::exchange(the_signal, 0); signal != 0) raise(signal);
}

void HoldSignals::check() {
  if (the_signal != 0) throw Failure(kData, "CANCELLED", "interrupted");
}

void require_writable(const std::string& path) {
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 || errno == ENOENT || errno == ENOTDIR) return;
  if (errno == EACCES)
    fail_data("{}: is protected from writing: allow it with chmod u+w, remove the file, or give another name", path);
  fail_file(path, "write");
}

NewFile::NewFile(const std::string& path, const Pieces& pieces, bool durable, mode_t denied)
    : path_(without_link(path)), durable_(durable), denied_(denied) {
  require_writable(path_);
  const size_t slash = path_.find_last_of('/');
  folder_ = slash == std::string::npos ? "./" : path_.substr(0, slash + 1);
  number_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (number_ >= 0 && !file_exists(by_number(number_))) {
    close(number_);
    number_ = -1;
  }
  if (number_ < 0) {
    std::string name = folder_ + ".xlashape-XXXXXX";
    number_ = mkostemp(name.data(), O_CLOEXEC);
    if (number_ < 0) fail_file(path_, "make a file beside");
    temporary_ = name;
  }
  try {
    write(pieces);
  } catch (...) {
    discard();
    throw;
  }
}

void NewFile::write(const Pieces& pieces) {
  pieces.are_placed() ? write_placed(number_, pieces, path_) : write_all(number_, pieces, path_);
  const mode_t mask = umask(0);
  umask(mask);
  struct stat info = {};
  const bool replaces = stat(path_.c_str(), &info) == 0;
  if (fchmod(number_, (replaces ? info.st_mode & 0777 : 0666 & ~mask) & ~denied_) != 0)
    fail_file(path_, "set the mode of");
  if (durable_ && fsync(number_) != 0) fail_file(path_, "write");
}

void NewFile::read_back(const Pieces::Sink& sink) const {
  std::vector<uint8_t> part(size_t{1} << 20);
  for (int64_t at = 0;;) {
    HoldSignals::check();
    const ssize_t got = pread(number_, part.data(), part.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file(path_, "read");
    if (got == 0) return;
    sink(Bytes(part).first(static_cast<size_t>(got)));
    at += got;
  }
}

void NewFile::take_name() {
  for (int i = 0; temporary_.empty(); ++i) {
    const std::string name = fmt::format("{}.xlashape-{}-{}", folder_, getpid(), i);
    if (linkat(AT_FDCWD, by_number(number_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
    } else if (errno != EEXIST) {
      fail_file(path_, "name a file beside");
    }
  }
}

void NewFile::commit() {
  take_name();
  if (close(std::exchange(number_, -1)) != 0) fail_file(path_, "write");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail_file(path_, "rename the finished file to");
  temporary_.clear();
  if (!durable_) return;
  const Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) static_cast<void>(fsync(folder.number()));  // some systems do not sync folders
}

NewFile::~NewFile() { discard(); }

void NewFile::discard() {
  if (number_ >= 0) close(number_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

bool is_stream(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && (!S_ISREG(info.st_mode) || is_output(info));
}

void write_stream(const std::string& path, const Pieces& pieces) {
  struct stat info = {};
  const bool output = stat(path.c_str(), &info) == 0 && is_output(info);
  if (output) leave_output_to_data();
  const Descriptor file(output ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) fail_file(path, "open");
  write_all(file.number(), pieces, path);
}

void write_whole(const std::string& path, const Pieces& pieces, mode_t denied) {
  if (is_stream(path)) return write_stream(path, pieces);
  const HoldSignals held;
  NewFile file(path, pieces, /*durable=*/false, denied);
  file.commit();
}

}  // namespace xlashape::cli
