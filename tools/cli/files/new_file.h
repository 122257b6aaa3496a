/* SPDX-License-Identifier: Apache-2.0 */
// Writes files that appear complete or not at all, and leave nothing behind when interrupted.
#pragma once
#include <csignal>
#include <string>

#include "file.h"

namespace xlashape::cli {

// While an object lives, signals that would end the process are held: check() throws, and the destructor finally raises
// the signal. Only one object may live at a time.
class HoldSignals {
 public:
  HoldSignals();
  ~HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;
  static void check();  // throws where a signal has arrived

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
  struct sigaction before_[6];
};

// Throws where a file is at `path` that this user may not write. A new one could take its place, but is not what a
// person expects of a file that is protected.
void require_writable(const std::string& path);

// A new file that is written in the folder of `path` and replaces it at the end. It needs a HoldSignals that outlives
// it.
class NewFile {
 public:
  // `durable`: its bytes are synced to disk before it replaces anything, and its name after that. `denied`: rights that
  // the file does not get, whoever had them in the file that it replaces.
  NewFile(const std::string& path, const Pieces& pieces, bool durable, mode_t denied = 0);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  // All its bytes in order, once they are written.
  void read_back(const Pieces::Sink& sink) const;
  // Replaces the file at `path`, or the target of a link.
  void commit();

 private:
  void write(const Pieces& pieces);
  void take_name();
  void discard();

  std::string path_, folder_, temporary_;  // no temporary name: the file has none yet
  int number_ = -1;
  bool durable_;
  mode_t denied_;
};

// True for paths to which bytes are written directly: pipes, devices, and the file of standard output.
bool is_stream(const std::string& path);
// Throws for pieces that are not placed one after the other.
void write_stream(const std::string& path, const Pieces& pieces);
// To a stream, or to a new file that replaces the one at `path` when it is whole.
void write_whole(const std::string& path, const Pieces& pieces, mode_t denied = 0);

}  // namespace xlashape::cli
