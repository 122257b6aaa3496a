// SPDX-License-Identifier: Apache-2.0
#include "measuring.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "cli/base/failure.h"
#include "cli/files/new_file.h"
#include "cli/output/output.h"

namespace xlashape::cli {
namespace {

constexpr size_t kHead = 2;  // lines of wisdom before the first entry

std::set<std::string> entries_of(const std::string& wisdom) {
  const std::vector<std::string> lines = lines_of(wisdom);
  return {lines.begin() + std::min<std::ptrdiff_t>(kHead, std::ssize(lines)), lines.end()};
}

// An entry: form, backend, nanoseconds of the fastest way and of the backend's own, the way.
Measured measured_of(const std::string& entry) {
  Measured measured;
  size_t at = 0;
  const auto next = [&] {
    const size_t from = at;
    at = std::min(entry.find(' ', from), entry.size() - 1) + 1;
    return entry.substr(from, at - from - 1);
  };
  next(), next();
  measured.ns = std::stoll(next());
  measured.default_ns = std::stoll(next());
  measured.choice = entry.substr(at);
  return measured;
}

}  // namespace

void add_wisdom(const Runtime& runtime, std::string_view text, const std::string& doing) {
  if (const auto taken = runtime.try_import_wisdom(text); !taken) throw Failure(taken.error(), doing);
}

std::optional<Measured> measure(const Runtime& runtime, const Request& request, double seconds, Bytes src,
                                std::span<uint8_t> dst) {
  return as_failures([&]() -> std::optional<Measured> {
    const MeasureOptions how = {std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9)), src.data(), dst.data()};
    const std::set<std::string> before = entries_of(runtime.wisdom());
    Plan::create_measured(request.src, request.dst, how, request, runtime);
    for (const std::string& entry : entries_of(runtime.wisdom()))
      if (!before.contains(entry)) return measured_of(entry);
    return std::nullopt;
  });
}

namespace {

constexpr int64_t kMostWisdom = int64_t{32} << 20;  // that the library reads

// Reads a file into the runtime's wisdom.
void read_wisdom(const Runtime& runtime, const std::string& path) {
  const Buffer bytes = read_small_file(path, kMostWisdom);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  add_wisdom(runtime, text, path);
  // What is of no use here must not be written over.
  const auto processor = [](std::string_view wisdom) {
    wisdom.remove_prefix(std::min(wisdom.find('\n') + 1, wisdom.size()));
    return std::string(wisdom.substr(0, wisdom.find('\n')));
  };
  const std::string own = processor(as_failures([&] { return runtime.wisdom(); }));
  if (processor(text) != own)
    fail_data("{}: it is about another machine: it says \"{}\", and this one is \"{}\"; name another file", path,
              processor(text), own);
}

// While it lives, others that want the same folder's lock wait. A lock of the file itself would be one of a file that
// is about to be replaced.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path)
      : folder_(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int kTries = 1000;  // of 10 milliseconds
    for (int i = 0; folder_.number() >= 0 && flock(folder_.number(), LOCK_EX | LOCK_NB) != 0; ++i) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
      if (i == kTries) fail_data("{}: somebody else keeps its folder locked, so it was not written", path);
      usleep(10000);
    }
  }

 private:
  static std::string folder_of(const std::string& path) {
    const std::string real = without_link(path);
    const size_t slash = real.find_last_of('/');
    return slash == std::string::npos ? "." : real.substr(0, slash + 1);
  }
  Descriptor folder_;
};

}  // namespace

WisdomFile::WisdomFile(const Runtime& runtime, std::string path) : runtime_(runtime), path_(std::move(path)) {
  if (path_.empty()) return;
  if (file_exists(path_)) {
    read_wisdom(runtime_, path_);
    known_ = entries_of(as_failures([&] { return runtime_.wisdom(); }));
  }
}

void WisdomFile::write() const {
  if (path_.empty()) return;
  const std::string own = as_failures([&] { return runtime_.wisdom(); });
  std::string news;
  size_t number = 0;
  for (const std::string& line : lines_of(own))
    if (number++ < kHead || !known_.contains(line)) news += line + "\n";
  const FolderLock lock(path_);
  if (file_exists(path_)) {
    read_wisdom(runtime_, path_);
    add_wisdom(runtime_, news, path_);  // what was just measured counts more than what the file says of the same
  }
  write_text(path_, as_failures([&] { return runtime_.wisdom(); }));
}

void require_place(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) fail_data("{}: is a folder", path);
  if (is_stream(path)) return;
  const HoldSignals held;
  const NewFile file(path, {}, /*durable=*/false);  // never gets a name
}

void write_text(const std::string& path, const std::string& text, mode_t denied) {
  const Bytes bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  write_whole(path, std::span<const Bytes>(&bytes, 1), denied);
}

}  // namespace xlashape::cli
