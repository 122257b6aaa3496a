// SPDX-License-Identifier: Apache-2.0
#include "wire/program_proto.h"

namespace xlashape::core {
namespace {

constexpr uint32_t kParameters = 1, kResult = 2, kNames = 3;
constexpr uint32_t kIndexes = 1;  // ShapeIndexProto

}  // namespace

ProgramEncoder::ProgramEncoder(const ProgramShape& program) : program_(program) {
  shapes_.reserve(program.parameters.size() + 1);
  for (const Ref<Shape>& parameter : program.parameters) shapes_.emplace_back(*parameter);
  shapes_.emplace_back(*program.result);
  for (const ShapeEncoder& shape : shapes_) size_ += nested_size(shape.size());
  for (const std::string& name : program.names) size_ += nested_size(static_cast<int64_t>(name.size()));
}

void ProgramEncoder::write(ProtoWriter& out) const {
  for (const ShapeEncoder& shape : shapes_) {
    out.open(&shape == &shapes_.back() ? kResult : kParameters, shape.size());
    shape.write(out);
  }
  for (const std::string& name : program_.names) out.text(kNames, name);
}

Status read_program(ProtoReader in, uint32_t flags, Ref<ProgramShape>* result, Error* err) {
  const int64_t start = in.offset();
  auto program = Ref<ProgramShape>::adopt(new ProgramShape);
  while (!in.at_end()) {
    XLASHAPE_TRY(in.next());
    if (in.field() < kParameters || in.field() > kNames || !in.is_nested()) {
      XLASHAPE_TRY(in.skip());
      continue;
    }
    ProtoReader inside = in;
    XLASHAPE_TRY(in.enter(&inside));
    if (in.field() == kParameters) {
      XLASHAPE_TRY(read_shape(inside, flags, &program->parameters.emplace_back(), err));
    } else if (in.field() == kResult) {
      XLASHAPE_TRY(read_shape(inside, flags, &program->result, err));
    } else {
      program->names.emplace_back(inside.text());
    }
  }
  if (!program->result) return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, start, "the program shape has no result");
  const size_t parameters = program->parameters.size();
  if (program->names.empty()) program->names.resize(parameters);
  if (program->names.size() != parameters)
    return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, start, "the program shape has %zu parameters and %zu names",
                   parameters, program->names.size());
  *result = std::move(program);
  return XLASHAPE_STATUS_OK;
}

Status read_index(ProtoReader in, SmallVec<int64_t, 16>* path) {
  while (!in.at_end()) {
    XLASHAPE_TRY(in.next());
    if (in.field() == kIndexes) {
      XLASHAPE_TRY(in.numbers([&](int64_t index) { path->push_back(index); }));
    } else {
      XLASHAPE_TRY(in.skip());
    }
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
