// SPDX-License-Identifier: Apache-2.0
#include "proto_assignment.h"

#include <algorithm>
#include <string>

#include "cli/base/failure.h"

namespace xlashape::cli {
namespace {

struct LogicalBuffer {
  int64_t id = 0;
  std::string_view defined_at;   // a LogicalBufferProto.Location
  int64_t begin = -1, end = -1;  // steps
  bool operator<(const LogicalBuffer& other) const { return id < other.id; }
};

// The instruction at each step. As XLA numbers them: what an instruction calls comes before it, and a computation
// counts once, where it is called first.
std::vector<uint32_t> instructions_by_step(const Program& program, const std::vector<bool>& scheduled) {
  std::vector<uint32_t> steps;
  std::vector<bool> seen = scheduled;
  seen.flip();  // what has no schedule is not entered
  struct Open {
    uint32_t computation, at, called;
  };
  std::vector<Open> open;
  const auto enter = [&](uint32_t computation) {
    if (computation == kNone || seen[computation]) return;
    seen[computation] = true;
    open.push_back({computation, 0, 0});
  };
  enter(program.entry);
  while (!open.empty()) {
    Open& top = open.back();
    const ListRange range = program.computations[top.computation].instructions;
    if (top.at == range.count) {
      open.pop_back();
      continue;
    }
    const uint32_t number = range.first + top.at;
    const Instruction& instruction = program.at(number);
    if (runs_what_it_calls(instruction) && top.called < instruction.called.count) {
      enter(program.called_by(instruction)[top.called++]);
      continue;
    }
    steps.push_back(number);
    top.called = 0;
    ++top.at;
  }
  return steps;
}

class AssignmentReader {
 public:
  AssignmentReader(const WireFile& file, const Program& program, const InstructionIds& ids, Assignment* assignment)
      : file_(file), program_(program), ids_(ids), assignment_(*assignment) {}

  void read(std::string_view message, const std::vector<bool>& scheduled) {
    std::vector<std::string_view> traces;
    for (WireFields field(file_, message); field.next();) {
      if (field.is_bytes(1)) read_buffer(field.bytes());
      if (field.is_bytes(4)) traces.push_back(field.bytes());
    }
    std::stable_sort(buffers_.begin(), buffers_.end());
    if (program_.scheduled) read_steps(traces, scheduled);
    for (WireFields field(file_, message); field.next();)
      if (field.is_bytes(3)) read_allocation(field.bytes());
  }

 private:
  void read_buffer(std::string_view message) {
    LogicalBuffer buffer;
    for (WireFields field(file_, message); field.next();) {
      if (field.is_value(1)) buffer.id = field.value();
      if (field.is_bytes(3)) buffer.defined_at = field.bytes();
    }
    buffers_.push_back(buffer);
  }

  LogicalBuffer* buffer_of(int64_t id) {
    LogicalBuffer wanted;
    wanted.id = id;
    const auto found = std::lower_bound(buffers_.begin(), buffers_.end(), wanted);
    return found != buffers_.end() && found->id == id ? &*found : nullptr;
  }

  void read_steps(const std::vector<std::string_view>& traces, const std::vector<bool>& scheduled) {
    const std::vector<uint32_t> steps = instructions_by_step(program_, scheduled);
    std::vector<uint32_t> step_of;  // by the number of the instruction's name in names_
    for (const uint32_t number : steps) {
      const std::string_view name = program_.name_of(program_.at(number));
      if (names_.of(name) == step_of.size()) step_of.push_back(static_cast<uint32_t>(assignment_.steps.size()));
      assignment_.steps.push_back(assignment_.texts.of(name));
    }
    for (const std::string_view trace : traces) {
      int64_t now = -1;
      for (WireFields field(file_, trace); field.next();)
        if (field.is_bytes(1)) read_event(field.bytes(), step_of, &now);
    }
  }

  // An event names the instruction that defines the value, also where the value ends. So an end is known from the
  // order of events only: no earlier than the allocation before it, and before the next one. The bytes in use are
  // highest at an allocation, where both are the same.
  void read_event(std::string_view message, const std::vector<uint32_t>& step_of, int64_t* now) {
    enum { kAlloc, kFree, kShareWith };
    int64_t kind = kAlloc, id = 0;
    std::string_view name;
    for (WireFields field(file_, message); field.next();) {
      if (field.is_value(1)) kind = field.value();
      if (field.is_value(2)) id = field.value();
      if (field.is_bytes(4)) name = field.bytes();
    }
    LogicalBuffer* buffer = buffer_of(id);
    const uint32_t known = names_.find(name);
    if (buffer == nullptr || known == kNone) return;
    const int64_t step = step_of[known];
    if (kind == kFree) {
      buffer->end = std::max(*now, step);
    } else if (kind == kAlloc || kind == kShareWith) {
      buffer->begin = step;
      *now = std::max(*now, step);
    }
  }

  void read_allocation(std::string_view message) {
    Allocation allocation;
    allocation.first = static_cast<uint32_t>(assignment_.values.size());
    bool thread_local_one = false, parameter = false, constant = false, output = false;
    for (WireFields field(file_, message); field.next();) {
      if (field.is_value(1)) allocation.number = field.value();
      if (field.is_value(2)) allocation.size = field.value();
      if (field.is_value(3)) thread_local_one = field.value() != 0;
      if (field.is_value(5)) parameter = field.value() != 0;
      if (field.is_value(7)) output = field.value() != 0;
      if (field.is_value(8)) allocation.space = field.value();
      if (field.is_value(12)) constant = field.value() != 0;
      if (field.is_bytes(9)) read_assigned(field.bytes());
    }
    using Use = Allocation::Use;
    allocation.use = thread_local_one ? Use::kThreadLocal
                     : parameter      ? Use::kParameter
                     : constant       ? Use::kConstant
                     : output         ? Use::kOutput
                                      : Use::kTemporary;
    allocation.count = static_cast<uint32_t>(assignment_.values.size()) - allocation.first;
    bool within = allocation.size >= 0 && allocation.space >= 0;
    for (uint32_t i = 0; i < allocation.count; ++i) {
      const AssignedValue& value = assignment_.values[allocation.first + i];
      within = within && value.offset >= 0 && value.size >= 0 && value.size <= allocation.size &&
               value.offset <= allocation.size - value.size;
    }
    if (!within)
      fail_data("{}: the allocation at byte {}: a value that is not within it, or a negative size", file_.path,
                file_.offset_of(message));
    assignment_.allocations.push_back(allocation);
  }

  void read_assigned(std::string_view message) {
    AssignedValue value;
    int64_t id = 0;
    for (WireFields field(file_, message); field.next();) {
      if (field.is_value(1)) id = field.value();
      if (field.is_value(2)) value.offset = field.value();
      if (field.is_value(3)) value.size = field.value();
    }
    const LogicalBuffer* buffer = buffer_of(id);
    if (buffer != nullptr) {
      value.begin = buffer->begin;
      value.end = buffer->end;
      read_location(buffer->defined_at, &value);
    }
    if (value.name == kNone) value.name = assignment_.texts.of("buffer " + std::to_string(id));
    assignment_.values.push_back(value);
  }

  void read_location(std::string_view message, AssignedValue* value) {
    int64_t id = -1;
    std::vector<int64_t> index;
    std::string_view old_name;  // dumps of 2022 and before have it in place of the id
    for (WireFields field(file_, message); field.next();) {
      if (field.is_value(4)) id = field.value();
      if (field.is_bytes(2)) old_name = field.bytes();
      field.values(3, [&](int64_t step) { index.push_back(step); });
    }
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), std::pair<int64_t, uint32_t>(id, 0));
    const bool known = found != ids_.end() && found->first == id;
    if (!known && old_name.empty()) return;
    const uint32_t shape = known ? program_.at(found->second).shape : kNone;
    std::string name(known ? program_.name_of(program_.at(found->second)) : old_name);
    if (!index.empty() || (shape != kNone && program_.shapes.facts(shape).tuple)) {
      name += '{';
      for (size_t i = 0; i < index.size(); ++i) name += (i > 0 ? "," : "") + std::to_string(index[i]);
      name += '}';
    }
    value->name = assignment_.texts.of(name);
    if (shape != kNone) value->shape = shape_at(shape, index);
  }

  // A tuple's text is long, and many values may be the same one, so each part of each shape is looked up once.
  uint32_t shape_at(uint32_t shape, const std::vector<int64_t>& index) {
    std::string key = std::to_string(shape);
    for (const int64_t step : index) key += ' ' + std::to_string(step);
    const uint32_t known = parts_.find(key);
    if (known != kNone) return part_shapes_[known];
    parts_.of(key);
    const Result<Shape> part = program_.shapes.facts(shape).shape.try_subshape(index);
    part_shapes_.push_back(part ? assignment_.shapes.of(*part) : kNone);
    return part_shapes_.back();
  }

  const WireFile& file_;
  const Program& program_;
  const InstructionIds& ids_;
  Assignment& assignment_;
  std::vector<LogicalBuffer> buffers_;
  TextPool names_;  // of the schedule's instructions
  TextPool parts_;
  std::vector<uint32_t> part_shapes_;
};

}  // namespace

void read_proto_assignment(const WireFile& file, std::string_view message, const Program& program,
                           const InstructionIds& ids, const std::vector<bool>& scheduled, Assignment* assignment) {
  AssignmentReader(file, program, ids, assignment).read(message, scheduled);
}

}  // namespace xlashape::cli
