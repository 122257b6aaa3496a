// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string_view>
#include <utility>

#include "cli/base/failure.h"
#include "cli/files/new_file.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

// Numbers for buffers such that those of one number are apart in time, and small ones are used first. The buffers come
// by the steps at which they begin.
class Lanes {
 public:
  size_t lane_of(const MemberRow& buffer) {
    while (!busy_.empty() && busy_.top().first < buffer.begin) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    size_t lane = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      lane = free_.top();
      free_.pop();
    }
    busy_.emplace(buffer.end, lane);
    return lane;
  }
  size_t count() const { return count_; }

 private:
  template <class T>
  using Least = std::priority_queue<T, std::vector<T>, std::greater<>>;

  Least<std::pair<int64_t, size_t>> busy_;  // the last step of the lane's buffer, and the lane
  Least<size_t> free_;
  size_t count_ = 0;
};

// Of what is known; a viewer shows each argument, also one that is empty.
Json arguments_of(const MemberRow& buffer) {
  const InstructionOrigin& origin = buffer.origin;
  Json json = Json::object();
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) json.add(name, text);
  };
  add("shape", buffer.shape);
  json.add("bytes", buffer.bytes);
  if (buffer.padding) json.add("padding", *buffer.padding);
  json.add("use", buffer.use);
  json.add("allocation", buffer.allocation);
  json.add("offset", buffer.offset);
  add("writer", origin.name);
  add("op", origin.opcode);
  add("operand", origin.operand);
  // Jax names parameters by their paths in its tree of arguments.
  add(origin.opcode == "parameter" ? "argument" : "op_name", origin.op_name);
  add("source", origin.source);
  return json;
}

class Trace {
 public:
  void add(const Summary& module) {
    if (module.spaces.empty()) left_out(module.name);
    for (const SpaceRow& space : module.spaces) {
      const std::string name = module.name + " " + space_text(space.space, module.target);
      if (space.timeline.empty()) {
        without_times_ += std::ssize(space.blocks) + space.blocks_left_out;
        left_out(name);
      } else {
        add(name, space);
      }
    }
  }
  bool empty() const { return process_ == 0; }

  Json json() && {
    return {{"traceEvents", std::move(events_)},
            {"otherData",
             {{"unit_of_time", "1 us is one instruction of the schedule; the first begins at 0"},
              {"unit_of_counters", "bytes"},
              {"buffers_left_out", left_out_},
              {"buffers_without_times", without_times_}}}};
  }

 private:
  static void left_out(const std::string& title) {
    warn("xlashape: --trace: {}: nothing says when its arrays are in memory; it is left out\n", title);
  }

  // A memory space is a process, as viewers keep the tracks of a process together.
  void add(const std::string& title, const SpaceRow& space) {
    ++process_;
    name("process_name", 0, title + ", 1 us = 1 instruction");
    sort("process_sort_index", 0, process_);
    for (const auto& [step, bytes] : space.timeline) {
      Json event = begin("C", "in use", step);
      event.add("args", {{"bytes", bytes}});
      events_.add(event);
    }
    Json peak = begin("i", "peak", space.peak_step);
    peak.add("s", "p");  // of the process
    peak.add("args", {{"bytes", space.peak}, {"instruction", text_or_null(space.peak_instruction)}});
    events_.add(peak);
    slices(space);
    left_out_ += space.blocks_left_out;
  }

  void slices(const SpaceRow& space) {
    std::vector<const MemberRow*> buffers;
    for (const MemberRow& block : space.blocks) {
      if (block.begin >= 0)
        buffers.push_back(&block);
      else
        ++without_times_;
    }
    // Of those that begin together the largest come first, as they are.
    std::stable_sort(buffers.begin(), buffers.end(),
                     [](const MemberRow* a, const MemberRow* b) { return a->begin < b->begin; });
    Lanes lanes;
    for (const MemberRow* buffer : buffers) {
      Json event = begin("X", buffer->name, buffer->begin);
      event.add("tid", thread_ + static_cast<int64_t>(lanes.lane_of(*buffer)));
      event.add("dur", sum(buffer->end - buffer->begin, 1));
      event.add("cat", buffer->use);
      event.add("args", arguments_of(*buffer));
      events_.add(event);
    }
    for (size_t lane = 0; lane < lanes.count(); ++lane, ++thread_) {
      name("thread_name", thread_, "buffers " + std::to_string(lane + 1));
      sort("thread_sort_index", thread_, static_cast<int64_t>(lane));
    }
  }

  Json begin(std::string_view phase, std::string_view name, int64_t step) const {
    return {{"ph", phase}, {"name", name}, {"pid", process_}, {"ts", step}};
  }

  void meta(std::string_view what, int64_t thread, Json&& arguments) {
    Json event = {{"ph", "M"}, {"name", what}, {"pid", process_}};
    if (thread > 0) event.add("tid", thread);
    event.add("args", arguments);
    events_.add(event);
  }
  void name(std::string_view what, int64_t thread, const std::string& text) { meta(what, thread, {{"name", text}}); }
  void sort(std::string_view what, int64_t thread, int64_t at) { meta(what, thread, {{"sort_index", at}}); }

  Json events_ = Json::array();
  int64_t process_ = 0;  // viewers take 0 for no process
  int64_t thread_ = 1;   // the next; numbers are those of one process alone, as viewers look threads up by them
  int64_t left_out_ = 0, without_times_ = 0;
};

}  // namespace

void write_trace(const std::string& path, const std::vector<Summary>& modules) {
  Trace trace;
  for (const Summary& module : modules) trace.add(module);
  if (trace.empty())
    fail_unsupported(
        "--trace: nothing says when arrays are in memory: NAME-buffer-assignment.txt and NAME-live-range.txt beside "
        "NAME.txt do, and NAME.hlo.pb");
  const std::string text = std::move(trace).json().text() + "\n";
  const Bytes parts[] = {{reinterpret_cast<const uint8_t*>(text.data()), text.size()}};
  write_whole(path, parts);
}

}  // namespace xlashape::cli
