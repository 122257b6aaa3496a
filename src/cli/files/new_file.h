// Files out, which appear complete or not at all, and leave nothing behind when they are interrupted.
#pragma once
#include <csignal>
#include <span>
#include <string>

#include "file.h"

namespace xlashape::cli {

// While one lives, signals that would end the process wait: check() gives the work up, and the last line of the
// destructor raises what came. One at a time.
class HoldSignals {
 public:
  HoldSignals();
  ~HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;
  static void check();  // throws where one came

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
  struct sigaction before_[6];
};

// A file that is written beside `path` and not there yet. While one lives, a HoldSignals must.
class NewFile {
 public:
  // `durable`: before it replaces anything its bytes are on the disk, and then its name.
  NewFile(const std::string& path, std::span<const Bytes> parts, bool durable);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  // It replaces what is at `path`; of a link, what that leads to.
  void commit();

 private:
  void write(std::span<const Bytes> parts);
  void take_name();
  void discard();

  std::string path_, folder_, temporary_;  // no temporary name: the file has none yet
  int number_ = -1;
  bool durable_;
};

// True for what bytes are written to as they come: pipes, devices, and what standard output goes to.
bool is_stream(const std::string& path);
void write_stream(const std::string& path, std::span<const Bytes> parts);

}  // namespace xlashape::cli
