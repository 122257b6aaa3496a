/* SPDX-License-Identifier: Apache-2.0 */
// What each subcommand is asked, and the function that answers: it prints, and gives the exit code. A Failure is thrown
// where it must stop.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlashape::cli {

// Options of every subcommand.
struct Common {
  bool json = false;
  std::string color = "auto";
  char** words = nullptr;  // those behind the subcommand's name, for a program that is run for it
};

// What the command line says about a file's bytes. It overrides what the file says.
struct Reading {
  std::string shape;   // type and dimensions, maybe a layout: a full description
  std::string dtype;   // another element type of the same width
  std::string layout;  // another layout
  // Where the array of `shape` is in the file, whatever else is there; `bytes`: how many it has, and others may follow.
  std::optional<int64_t> offset, bytes;
  bool checks = true;  // a file that says something else is worth a warning
};

// Texts are shapes, or files of arrays; "-" stands for the shapes on standard input, one per line.
struct ExplainOptions {
  std::vector<std::string> texts;
  std::optional<std::string> target;  // its name
  bool notations = false;             // how other projects write it, too
};
int run_explain(const ExplainOptions& options, const Common& common);

struct LayoutForOptions {
  std::string targets;  // their names, with commas between them
  std::vector<std::string> texts;
};
int run_layout_for(const LayoutForOptions& options, const Common& common);

struct DrawShapesOptions {
  std::vector<std::string> texts;  // one shape, or two to compare
  std::optional<std::string> target;
  std::string as, show = "position", color_by = "position", overlay;
  std::optional<std::string> out;
  std::vector<std::string> at;
  int zoom = 0, max_cells = 0, width = 0;
  bool ascii = false;
};
int run_draw(const DrawShapesOptions& options, const Common& common);

struct IndexOptions {
  std::string shape;
  std::vector<std::string> at, linear;  // questions; without any they come from standard input
};
int run_index(const IndexOptions& options, const Common& common);

// What becomes of values; "" where an option is not given.
struct ValueOptions {
  bool saturate = false;
  std::string scale, zero_point;  // a number, or a file of them
  std::string scale_dimension;    // a number or a letter
  std::string high_first;         // "source", "destination", "both"
};

struct RelayoutOptions {
  std::string in, out, to;
  const char* to_option = "--to";    // which gave it
  std::vector<std::string> members;  // rules for those of IN; what no rule is for is copied; none: IN is one array
  Reading reading;
  ValueOptions values;
  std::vector<int64_t> flip;  // dimensions of IN
  std::string backend, fill = "fill";
  std::string measure;  // for how many seconds; "": not at all
  std::string wisdom;   // the file; "": none
  std::vector<std::string> load;
  int threads = 1;
  bool verify = false, explain = false;
  std::optional<int64_t> max_memory;  // bytes for the arrays; else both are in memory whole
};
int run_relayout(const RelayoutOptions& options, const Common& common);

struct TuneOptions {
  std::string out;  // "": where the library looks
  std::vector<std::string> load;
  double seconds = 10;
  int threads = 1;
};
int run_tune(const TuneOptions& options, const Common& common);

struct PictureOptions {
  std::string in, out, tint = "auto";
  Reading reading;
  int64_t width = 0;    // bytes in a line; 0: from the layout
  int64_t columns = 0;  // 0: chosen for a usual aspect
  int64_t scale = 0;    // pixels per byte in both directions; 0: enough to be visible
};
int run_picture(const PictureOptions& options, const Common& common);

struct BackendsOptions {
  std::vector<std::string> load;
  bool report = false;
  bool tries = false;  // to load all of them
};
int run_backends(const BackendsOptions& options, const Common& common);
// For --version.
std::string version_text();

struct SelfTestOptions {
  std::string backend;
  std::vector<std::string> load;
  int64_t count = 1000, first = 0;
  uint64_t seed = 1;
  std::string plugin;  // a shared object or a manifest, to be checked instead
  int64_t seconds = 300;
};
int run_self_test(const SelfTestOptions& options, const Common& common);
// `self-test --plugin`: checks a shared object for everything that xlashape_backend.h requires of a backend, in a child
// process, which is killed after options.seconds, so that a fault ends only the child.
int test_plugin(const SelfTestOptions& options, const Common& common);

struct CompletionOptions {
  std::string shell;
  std::string script;
};
int run_completion(const CompletionOptions& options, const Common& common);

}  // namespace xlashape::cli
