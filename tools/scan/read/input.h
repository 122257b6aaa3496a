/* SPDX-License-Identifier: Apache-2.0 */
// The bytes of a dump, block by block: from a file, a pipe or standard input, decompressed where they are gzip's.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace xlashape::cli {

class Progress;

class Input {
 public:
  // "-" is standard input. Throws a Failure where the file cannot be opened. `progress` is told how much is read.
  explicit Input(const std::string& path, Progress* progress = nullptr);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& path() const { return path_; }
  // The next line without its end, and its number from 1; false at the end. It stays until the next call. A line of
  // more than kLongestLine bytes is cut there.
  bool next_line(std::string_view* line);
  // Lines that `take` wants are not given by next_line.
  using TakeLine = std::function<bool(std::string_view line, uint64_t number)>;
  void set_taker(TakeLine take) { take_ = std::move(take); }
  bool has_taker() const { return take_ != nullptr; }
  uint64_t line_number() const { return line_number_; }
  uint64_t bytes_read() const { return bytes_read_; }  // of text, after decompression
  bool was_cut() const { return cut_; }                // the last line was longer
  // The first bytes, up to `size`, which next_line gives again.
  std::string_view peek(size_t size);
  void skip(size_t size);  // of what peek gave
  // All that is left, for formats that are not lines. A Failure beyond kLargestBinary bytes.
  std::string rest();

  static constexpr size_t kLongestLine = size_t{64} << 20;
  static constexpr size_t kLargestBinary = size_t{1} << 31;

 private:
  bool fill();
  bool any_line(std::string_view* line);
  void show_progress();

  struct Stream;
  TakeLine take_;
  std::string path_;
  Progress* progress_;
  std::unique_ptr<Stream> stream_;
  std::string buffer_, cut_line_;
  size_t at_ = 0, end_ = 0;
  uint64_t line_number_ = 0, bytes_read_ = 0;
  int64_t file_size_ = 0;
  bool cut_ = false, ended_ = false;
};

}  // namespace xlashape::cli
