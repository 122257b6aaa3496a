// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "cli/base/failure.h"
#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

// Reads a pipe or a device to its end, or up to one byte more than it may have.
Buffer read_stream(const Descriptor& file, const std::string& path, const LimitOf& limit_of) {
  std::vector<uint8_t> all;
  for (;;) {
    const size_t had = all.size();
    const StreamLimit limit = limit_of(all);
    const int64_t room = limit.bytes - static_cast<int64_t>(had);
    if (room < 0) fail_data("{}: goes on after {}, and {}", path, counted(limit.bytes, "byte"), limit.reason);
    const size_t piece = static_cast<size_t>(std::min<int64_t>(room, (1 << 20) - 1)) + 1;
    require_memory(static_cast<int64_t>(had + piece) * 2, path);
    all.resize(had + piece);
    const ssize_t got = read(file.number(), all.data() + had, piece);
    if (got < 0 && errno != EINTR) fail_file(path, "read");
    all.resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) break;
  }
  Buffer buffer(static_cast<int64_t>(all.size()));
  if (!all.empty()) std::memcpy(buffer.data(), all.data(), all.size());
  return buffer;
}

}  // namespace

void fail_file(const std::string& path, const char* doing) {
  const int error = errno;
  fail_data("{}: cannot {}: {}", path, doing, std::strerror(error));
}

void require_memory(int64_t bytes, const std::string& what) {
  const int64_t memory = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (bytes > memory)
    fail_data("{}: {} of memory are needed, this machine has {}", what, human_size(bytes), human_size(memory));
}

Buffer::Buffer(int64_t size) : size_(size), mapped_(size) {
  if (size == 0) return;
  require_memory(size, "an array");
  void* memory = mmap(nullptr, static_cast<size_t>(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail_data("no memory for an array of {}: relayout --max-memory moves a file in parts", human_size(size));
#ifdef MADV_HUGEPAGE
  madvise(memory, static_cast<size_t>(size), MADV_HUGEPAGE);
#endif
  data_ = static_cast<uint8_t*>(memory);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(mapped_));
}

void Buffer::keep(int64_t from, int64_t size) {
  if (size > 0) std::memmove(data_, data_ + from, static_cast<size_t>(size));
  size_ = size;
}

namespace {

Buffer read_open(const Descriptor& file, const std::string& path, const LimitOf* limit_of,
                 int64_t most = std::numeric_limits<int64_t>::max()) {
  struct stat info = {};
  if (fstat(file.number(), &info) != 0) fail_file(path, "look at");
  if (S_ISDIR(info.st_mode)) fail_data("{}: is a folder", path);
  if (!S_ISREG(info.st_mode) && limit_of == nullptr)
    fail_data("{}: is not an ordinary file, and only those are read here", path);
  if (!S_ISREG(info.st_mode)) return read_stream(file, path, *limit_of);
  if (info.st_size > most) fail_data("{}: has {} bytes, and at most {} are read here", path, info.st_size, most);
  require_memory(info.st_size, path);
  Buffer buffer(info.st_size);
  for (int64_t done = 0; done < buffer.size();) {
    const ssize_t got = read(file.number(), buffer.data() + done,
                             static_cast<size_t>(std::min<int64_t>(buffer.size() - done, 1 << 30)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file(path, "read");
    if (got == 0) fail_data("{}: became shorter while it was read", path);
    done += got;
  }
  return buffer;
}

}  // namespace

Buffer read_file(const std::string& path, const LimitOf& limit_of) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail_file(path, "open");
  return read_open(file, path, &limit_of);
}

Buffer read_regular_file(const std::string& path) {
  // Not waiting: a FIFO opens, and is then refused.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.number() < 0 && errno == ELOOP) fail_data("{}: is a link, and links are not followed here", path);
  if (file.number() < 0) fail_file(path, "open");
  return read_open(file, path, nullptr);
}

Buffer read_small_file(const std::string& path, int64_t most) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) fail_file(path, "open");
  return read_open(file, path, nullptr, most);
}

bool file_exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

bool is_regular_file(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one = {}, two = {};
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

std::string without_link(const std::string& path) {
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), &std::free);
  if (!resolved && !file_exists(path)) fail_data("{}: is a link that leads nowhere", path);
  return resolved ? resolved.get() : path;  // the target of a /dev link to a pipe has no path
}

FileStamp stamp_of(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return {};
  return {info.st_dev, info.st_ino, info.st_size, info.st_ctim.tv_sec, info.st_ctim.tv_nsec};
}

bool read_line(std::string* line) {
  constexpr size_t kLongest = size_t{1} << 20;
  line->clear();
  for (int c; (c = std::getc(stdin)) != '\n';) {
    if (c == EOF && std::ferror(stdin) != 0) fail_file("standard input", "read");
    if (c == EOF) return !line->empty();
    if (line->size() == kLongest) fail_data("standard input: a line is longer than {}", human_size(kLongest));
    line->push_back(static_cast<char>(c));
  }
  return true;
}

bool ends_with(const std::string& text, const std::string& end) {
  if (text.size() < end.size()) return false;
  return std::equal(end.begin(), end.end(), text.end() - static_cast<std::ptrdiff_t>(end.size()), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  });
}

std::string promised_format(const std::string& path) {
  // What people have tools for that would read something else in the file's bytes.
  constexpr std::string_view kFormats[] = {
      "npy",  "npz", "png", "json", "safetensors", "svg", "html",   "htm",   "txt",     "csv",  "xml", "yaml", "jpg",
      "jpeg", "gif", "bmp", "webp", "tif",         "pdf", "tiff",   "h5",    "hdf5",    "pt",   "pth", "pkl",  "mat",
      "gguf", "nii", "zip", "gz",   "tar",         "zst", "pickle", "arrow", "parquet", "onnx", "md"};
  for (const std::string_view format : kFormats)
    if (ends_with(path, fmt::format(".{}", format))) return std::string(format);
  return "";
}

}  // namespace xlashape::cli
