// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include <xlashape/interop.hpp>

#include "cli/base/failure.h"
#include "formats.h"
#include "mlir_line.h"
#include "mlir_locations.h"
#include "mlir_regions.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

using RegionKind = MlirRegions::RegionKind;

// What follows `name` in `text`, empty where the text has no such name.
std::string_view behind(std::string_view text, std::string_view name) {
  const size_t at = text.find(name);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + name.size());
}

// The text of an attribute sym_name = "main".
std::string_view attribute(std::string_view text, std::string_view name) {
  const std::string_view value = behind(text, name);
  size_t end = 0;
  return value.empty() || value[0] != '"' ? std::string_view() : quoted(value, 0, &end);
}

// An operation's name without its dialect.
std::string_view opcode_in(std::string_view operation) {
  const size_t dot = operation.find('.');
  return dot == std::string_view::npos ? operation : operation.substr(dot + 1);
}

bool integer(std::string_view text, int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() &&
         (end == text.data() + text.size() || *end == '>' || *end == ' ' || *end == ',' || *end == ']');
}

class StablehloReader {
 public:
  StablehloReader(Input& input, const OnModule& use) : input_(input), use_(use) { begin_module(); }
  void read();

 private:
  void begin_module();
  void end_module();
  void read_line(std::string_view line);
  void read_alias(std::string_view line);
  void read_end(std::string_view line);
  void read_module(std::string_view line);
  void read_function(std::string_view line);
  uint32_t result_of(std::string_view line);
  void read_operation(std::string_view line);
  void add_operation(std::string_view operation, std::string_view line);
  void add_numbers(std::string_view opcode, std::string_view line);
  void add_result(std::string_view line);
  void begin_parameters();
  void not_understood(std::string_view line, std::string_view why) {
    module_->unparsed.add(input_.line_number(), line, why);
  }
  // Of types, the shape or the tuple of shapes; false where one is a type that is not an array's or a token's.
  bool shape_of(const std::string_view* types, size_t count, bool tuple, uint32_t* shape);
  void set_shape(MlirRegions::Operation* operation, std::string_view line);
  uint32_t shape_of_type(std::string_view type);

  Input& input_;
  const OnModule& use_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<MlirLocations> locations_;
  std::unique_ptr<MlirRegions> regions_;
  MlirLine pieces_;
  std::vector<std::string_view> results_;
  TextPool types_;
  std::vector<uint32_t> shapes_;  // by the number in types_
  TextPool lists_;
  std::vector<uint32_t> tuples_;  // by the number in lists_
  uint64_t bytes_before_ = 0;
  bool in_resources_ = false, any_ = false;
};

void StablehloReader::begin_module() {
  module_ = std::make_unique<Module>();
  module_->path = input_.path();
  module_->program.format = "stablehlo";
  locations_ = std::make_unique<MlirLocations>();
  regions_ = std::make_unique<MlirRegions>(&module_->program, &module_->unparsed, locations_.get());
  types_.clear();
  shapes_.clear();
  lists_.clear();
  tuples_.clear();
}

void StablehloReader::end_module() {
  if (!regions_->empty()) not_understood({}, "the text ends within a region");
  while (!regions_->empty()) regions_->end();
  regions_->finish();
  if (module_->program.computations.empty()) return;
  any_ = true;
  module_->program.text_bytes = input_.bytes_read() - bytes_before_;
  bytes_before_ = input_.bytes_read();
  use_(std::move(*module_));
}

void StablehloReader::read() {
  std::string_view line;
  while (input_.next_line(&line)) read_line(without_blanks(line));
  end_module();
  if (!any_)
    fail_unsupported("{}: no program found: StableHLO without a function, in {} lines", input_.path(),
                     input_.line_number());
}

void StablehloReader::read_line(std::string_view line) {
  if (in_resources_) {
    in_resources_ = line.find("#-}") == std::string_view::npos;
    return;
  }
  if (line.empty() || line.starts_with("//")) return;
  if (line.starts_with("{-#")) {
    in_resources_ = line.find("#-}") == std::string_view::npos;
    return;
  }
  if (line[0] == '#' || line[0] == '!') return read_alias(line);
  if (line[0] == '}') return read_end(line);
  if (line.starts_with("module") || line.starts_with("builtin.module") || line.starts_with("\"builtin.module\""))
    return read_module(line);
  if (line.starts_with("func.func") || line.starts_with("\"func.func\"")) return read_function(line);
  if (line[0] == '^') {
    pieces_.read(line.substr(1));
    if (!pieces_.whole || regions_->empty()) return not_understood(line, "a block outside of regions");
    if (regions_->in_computation()) begin_parameters();
    return;
  }
  if (line == "cond {" || line == "do {" || line.starts_with("reducer(")) {
    if (regions_->empty()) return not_understood(line, "a region outside of functions");
    return regions_->begin_region();
  }
  read_operation(line);
}

void StablehloReader::read_alias(std::string_view line) {
  const size_t equals = line.find(" = ");
  if (equals == std::string_view::npos) return not_understood(line, "expected an alias");
  if (!line.starts_with("#loc")) return;
  pieces_.read(line.substr(equals + 3));
  if (!pieces_.whole) return not_understood(line, "quotes or brackets do not end");
  locations_->define(line.substr(0, equals), pieces_.location);
}

// The end of a region, with what follows it: its operation's types and location, or the operation's next region.
void StablehloReader::read_end(std::string_view line) {
  if (regions_->empty()) return not_understood(line, "a region's end without its beginning");
  const RegionKind kind = regions_->kind();
  regions_->end();
  if (kind == RegionKind::kModule || kind == RegionKind::kFunction || regions_->empty()) return;
  size_t at = line.find_first_not_of("})");
  const std::string_view rest = at == std::string_view::npos ? std::string_view() : without_blanks(line.substr(at));
  if (rest == ", {" || rest == "do {" || rest == "else {") return regions_->begin_region();
  if (rest.empty() || regions_->skipped()) return;
  // Types begin with " : " on a line of their own operation.
  pieces_.read(line.substr(at));
  if (!pieces_.whole) return not_understood(line, "quotes or brackets do not end");
  MlirRegions::Operation* operation = regions_->last();
  if (operation == nullptr) return;
  if (pieces_.typed && !operation->typed) set_shape(operation, line);
  if (!pieces_.location.empty()) operation->location = locations_->of(pieces_.location);
}

void StablehloReader::read_module(std::string_view line) {
  if (regions_->empty() && !module_->program.computations.empty()) {
    end_module();
    begin_module();
  }
  pieces_.read(line);
  if (!pieces_.whole || !pieces_.opens) return not_understood(line, "expected a module's beginning");
  int64_t partitions = 1;
  if (integer(behind(line, "mhlo.num_partitions = "), &partitions)) {
    module_->program.partitions = partitions;
    module_->program.partitioned = partitions <= 1;
  }
  if (module_->program.name.empty())
    module_->program.name = line[0] == '"' ? attribute(line, "sym_name = ") : pieces_.symbol;
  regions_->begin(RegionKind::kModule, {}, false);
}

void StablehloReader::read_function(std::string_view line) {
  pieces_.read(line);
  if (!pieces_.whole) return not_understood(line, "quotes or brackets do not end");
  const bool generic = line[0] == '"';
  const std::string_view name = generic ? attribute(line, "sym_name = ") : pieces_.symbol;
  if (name.empty()) return not_understood(line, "a function without name");
  if (!pieces_.opens) return;  // only declared
  const bool hidden =
      generic ? attribute(line, "sym_visibility = ") == "private" : line.starts_with("func.func private");
  const bool entry = name == "main" || (!hidden && module_->program.entry == kNone);
  regions_->begin(RegionKind::kFunction, name, entry);
  if (!generic) begin_parameters();
  if (entry) module_->program.entry_signature = generic ? kNone : result_of(line);
}

// "func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {x = 1}, tensor<i32>) {": a tuple of what it gives
// back.
uint32_t StablehloReader::result_of(std::string_view line) {
  constexpr std::string_view kArrow = ") -> ";
  const size_t open = line.find('(');
  const size_t close = open == std::string_view::npos ? line.size() : end_of_piece(line, open + 1, ')');
  std::string_view rest = line.substr(std::min(close, line.size()));
  if (!rest.starts_with(kArrow)) return kNone;
  rest.remove_prefix(kArrow.size());
  const bool several = rest.starts_with('(');
  if (several) rest = rest.substr(1, end_of_piece(rest, 1, ')') - 1);
  std::vector<std::string_view> types;
  for_each_piece(rest, [&](std::string_view piece) { types.push_back(piece.substr(0, type_length(piece))); });
  uint32_t shape = kNone;
  shape_of(types.data(), types.size(), true, &shape);
  return shape;
}

void StablehloReader::begin_parameters() {
  for (const MlirLine::Definition& definition : pieces_.definitions) {
    const uint32_t shape = shape_of_type(definition.type);
    if (shape == kNone) not_understood(definition.type, "a type that is not an array's");
    regions_->parameter(definition.name, shape, locations_->of(definition.location), input_.line_number());
  }
}

// "%3:8 = ", then a name in quotes (the generic form) or without.
void StablehloReader::read_operation(std::string_view line) {
  results_.clear();
  size_t count = 0, at = 0;
  while (at < line.size() && line[at] == '%') {
    const size_t length = name_length(line.substr(at + 1));
    results_.push_back(line.substr(at + 1, length));
    at += 1 + length;
    int64_t several = 1;
    if (at < line.size() && line[at] == ':') {
      const size_t end = line.find_first_not_of("0123456789", at + 1);
      if (end == std::string_view::npos || !integer(line.substr(at + 1, end - at - 1), &several) || several < 0)
        return not_understood(line, "expected a number of results");
      at = end;
    }
    if (__builtin_add_overflow(count, static_cast<size_t>(several), &count))
      return not_understood(line, "too many results");
    if (line.substr(at, 2) == ", ") at += 2;
  }
  if (!results_.empty()) {
    if (line.substr(at, 3) != " = ") return not_understood(line, "expected = after the results");
    at += 3;
  }
  const std::string_view text = line.substr(at);
  size_t end = 0;
  std::string_view operation;
  if (text.starts_with("\"")) {
    operation = quoted(text, 0, &end);
  } else {
    end = name_length(text);
    operation = text.substr(0, end);
  }
  const bool known = operation.find('.') != std::string_view::npos || operation == "call" || operation == "return";
  if (operation.empty() || end == std::string_view::npos || !known)
    return not_understood(line, "expected an operation");
  pieces_.read(text.substr(end));
  if (!pieces_.whole && !input_.was_cut()) return not_understood(line, "quotes or brackets do not end");
  if (regions_->skipped()) {
    if (pieces_.opens) regions_->begin(RegionKind::kSkipped, {}, false);
    return;
  }
  if (operation == "sdy.mesh") return;  // about the module; what else is an operation is within a function
  const bool returns = opcode_in(operation) == "return";
  if (!pieces_.typed && !pieces_.opens && results_.empty() && !returns)
    return not_understood(line, "an operation without types");
  if (!regions_->in_computation()) return not_understood(line, "an operation outside of functions");
  if (returns) return add_result(line);
  add_operation(operation, text);
  MlirRegions::Operation* added = regions_->last();
  added->results = static_cast<uint32_t>(std::min<size_t>(count, kNone));
  if (pieces_.typed) set_shape(added, line);
  added->location = locations_->of(pieces_.location);
  if (opcode_in(operation) == "while")
    for (size_t i = 0; i < pieces_.iterations.size(); ++i)
      regions_->iteration(pieces_.iterations[i], i < pieces_.types.size() ? shape_of_type(pieces_.types[i]) : kNone);
  if (!pieces_.opens) return;
  regions_->begin_region();
  if (regions_->in_computation())
    begin_parameters();  // those of sdy.manual_computation; others have a line of their own
}

void StablehloReader::add_operation(std::string_view operation, std::string_view line) {
  const std::string_view opcode = opcode_in(operation);
  const std::string name = results_.empty() ? std::string(opcode) + '.' + std::to_string(input_.line_number())
                                            : std::string(results_.front());
  regions_->add(name, opcode, input_.line_number());
  for (size_t i = 1; i < results_.size(); ++i) regions_->alias(results_[i], name);
  for (const std::string_view operand : pieces_.operands) regions_->operand(operand);
  if (opcode == "call" && !pieces_.symbol.empty()) regions_->called(pieces_.symbol);
  if (opcode == "composite") {
    const std::string_view function = behind(line, "decomposition = ");
    if (function.starts_with("@")) regions_->called(symbol(function));
  }
  add_numbers(opcode, line);
}

void StablehloReader::add_numbers(std::string_view opcode, std::string_view line) {
  int64_t number = 0;
  if (opcode == "transpose") {
    std::string_view list = behind(line, "dims = [");
    if (list.empty()) list = behind(line, "permutation = array<i64: ");
    while (integer(list, &number)) {
      regions_->number(number);
      const size_t next = list.find_first_not_of("-0123456789");
      if (next == std::string_view::npos || list.substr(next, 2) != ", ") break;
      list.remove_prefix(next + 2);
    }
  } else if (opcode == "compare") {
    std::string_view direction = behind(line, "comparison_direction ");
    if (direction.empty()) direction = behind(line, "compare ");
    if (const auto found = direction_named(without_blanks(direction).substr(0, 2))) regions_->number(*found);
  } else if (opcode == "constant") {
    // One number stands for all elements: only of a scalar is it the value.
    const std::string_view type = pieces_.types.empty() ? std::string_view() : pieces_.types.back();
    if (type.find('x') == std::string_view::npos && type.find('i') != std::string_view::npos &&
        integer(behind(line, "dense<"), &number))
      regions_->number(number);
  } else if (opcode == "get_tuple_element") {
    std::string_view index = behind(line, "index = ");
    if (index.empty()) index = behind(line, "[");
    if (integer(index, &number)) regions_->number(number);
  }
}

// What a function or a region gives back: a tuple of all, whose types may have no -> behind them.
void StablehloReader::add_result(std::string_view line) {
  regions_->add("return", "tuple", input_.line_number());
  for (const std::string_view operand : pieces_.operands) regions_->operand(operand);
  MlirRegions::Operation* result = regions_->last();
  result->root = result->typed = true;
  result->location = locations_->of(pieces_.location);
  const std::vector<std::string_view>& types = pieces_.types.empty() ? pieces_.parameter_types : pieces_.types;
  if (!shape_of(types.data(), types.size(), true, &result->shape) && result->shape == kNone)
    not_understood(line, "a result's type is not an array's");
}

void StablehloReader::set_shape(MlirRegions::Operation* operation, std::string_view line) {
  operation->typed = true;
  const std::vector<std::string_view>& types = pieces_.types;
  const size_t count = std::min<size_t>(operation->results, types.size());
  if (shape_of(types.data() + (types.size() - count), count, operation->results != 1, &operation->shape)) return;
  // Numbers of the host, as dialects of the compiler have them, take no memory of the program.
  operation->memory = false;
  for (const std::string_view type : types) operation->memory |= type.find('<') != std::string_view::npos;
  if (operation->memory) not_understood(line, "a result's type is not an array's");
}

bool StablehloReader::shape_of(const std::string_view* types, size_t count, bool tuple, uint32_t* shape) {
  *shape = kNone;
  if (!tuple) {
    if (count != 1) return false;
    *shape = shape_of_type(types[0]);
    return *shape != kNone;
  }
  std::string list;
  for (size_t i = 0; i < count; ++i) {
    list += types[i];
    list += ',';
  }
  const uint32_t known = lists_.find(list);
  if (known != kNone) {
    *shape = tuples_[known];
    return *shape != kNone;
  }
  lists_.of(list);
  tuples_.push_back(kNone);
  std::vector<Shape> elements;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t element = shape_of_type(types[i]);
    if (element == kNone) return false;
    elements.push_back(module_->program.shapes.facts(element).shape);
  }
  const Result<Shape> made = Shape::try_tuple(elements);
  if (made) tuples_.back() = module_->program.shapes.of(*made);
  *shape = tuples_.back();
  return *shape != kNone;
}

uint32_t StablehloReader::shape_of_type(std::string_view type) {
  const uint32_t known = types_.find(type);
  if (known != kNone) return shapes_[known];
  types_.of(type);
  const Result<Shape> shape = try_read_shape(type);
  shapes_.push_back(shape ? module_->program.shapes.of(*shape) : kNone);
  return shapes_.back();
}

}  // namespace

void read_stablehlo(Input& input, const OnModule& use) { StablehloReader(input, use).read(); }

}  // namespace xlashape::cli
