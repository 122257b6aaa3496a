// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/base/failure.h"
#include "cli/files/file.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {

namespace {
constexpr size_t kBlock = size_t{1} << 20;
}

struct Input::Stream {
  explicit Stream(int number) : file(gzdopen(number, "rb")), descriptor(number) {}
  ~Stream() {
    if (file != nullptr)
      gzclose_r(file);
    else
      close(descriptor);
  }
  gzFile file;
  int descriptor;
};

Input::Input(const std::string& path, Progress* progress)
    : path_(path == "-" ? "standard input" : path), progress_(progress) {
  const int number = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) fail_file(path_, "be opened");
  struct stat about = {};
  if (fstat(number, &about) == 0 && S_ISREG(about.st_mode)) file_size_ = about.st_size;
  if (S_ISDIR(about.st_mode)) {
    close(number);
    fail_data("{} is a folder", path_);
  }
  stream_ = std::make_unique<Stream>(number);
  if (stream_->file == nullptr) throw std::bad_alloc();
  gzbuffer(stream_->file, kBlock);
}

Input::~Input() = default;

// Reads one more block behind what is left; false at the end.
bool Input::fill() {
  if (ended_) return false;
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
  }
  if (buffer_.size() < end_ + kBlock) buffer_.resize(std::max(end_ + kBlock, buffer_.size() * 2));
  errno = 0;
  const int got = gzread(stream_->file, buffer_.data() + end_, static_cast<unsigned>(kBlock));
  if (got < 0) {
    int code = 0;
    const char* why = gzerror(stream_->file, &code);
    if (code == Z_DATA_ERROR)
      fail_data("{}: the compressed data is damaged after byte {} of the text", path_, bytes_read_);
    fail_data("{}: after byte {} of the text: {}", path_, bytes_read_, code == Z_ERRNO ? std::strerror(errno) : why);
  }
  end_ += static_cast<size_t>(got);
  bytes_read_ += static_cast<uint64_t>(got);
  show_progress();
  if (got == 0) {
    ended_ = true;
    int code = 0;
    gzerror(stream_->file, &code);
    if (code == Z_BUF_ERROR) fail_data("{}: the compressed data ends too early", path_);
  }
  return got > 0;
}

std::string_view Input::peek(size_t size) {
  while (end_ - at_ < size && fill()) {
  }
  return std::string_view(buffer_).substr(at_, std::min(size, end_ - at_));
}

void Input::skip(size_t size) { at_ += size; }

bool Input::next_line(std::string_view* line) {
  while (any_line(line))
    if (!take_ || !take_(*line, line_number_)) return true;
  return false;
}

bool Input::any_line(std::string_view* line) {
  size_t looked = 0;
  cut_ = false;
  for (;;) {
    const char* begin = buffer_.data() + at_;
    const auto* found = static_cast<const char*>(std::memchr(begin + looked, '\n', end_ - at_ - looked));
    if (found != nullptr || (end_ - at_ > 0 && ended_)) {
      const size_t length = found != nullptr ? static_cast<size_t>(found - begin) : end_ - at_;
      ++line_number_;
      *line = std::string_view(begin, length);
      if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
      at_ += length + (found != nullptr ? 1 : 0);
      return true;
    }
    looked = end_ - at_;
    if (looked > kLongestLine) {
      cut_ = true;
      ++line_number_;
      std::string kept(begin, kLongestLine);
      // The rest of the line is left out, block by block.
      for (bool more = true; more;) {
        const auto* end = static_cast<const char*>(std::memchr(buffer_.data() + at_, '\n', end_ - at_));
        at_ = end != nullptr ? static_cast<size_t>(end - buffer_.data()) + 1 : end_;
        more = end == nullptr && fill();
      }
      cut_line_ = std::move(kept);
      *line = cut_line_;
      return true;
    }
    if (!fill()) {
      if (end_ == at_) return false;
    }
  }
}

std::string Input::rest() {
  std::string all;
  do {
    if (all.size() + (end_ - at_) > kLargestBinary) fail_data("{}: more than 2 GiB", path_);
    all.append(buffer_, at_, end_ - at_);
    at_ = end_;
  } while (fill());
  return all;
}

void Input::show_progress() {
  if (progress_ == nullptr) return;
  if (file_size_ > 0)
    progress_->show(static_cast<double>(gzoffset(stream_->file)) / static_cast<double>(file_size_));
  else
    progress_->show_bytes(bytes_read_);
}

}  // namespace xlashape::cli
