// SPDX-License-Identifier: Apache-2.0
// Entry points: program shapes.
#include <string>

#include "api/answer.h"
#include "base/checked.h"
#include "shape/layouts.h"
#include "shape/program.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

namespace {

Status check_index(const ProgramShape& program, int64_t index, Error* err) {
  if (index >= 0 && index < static_cast<int64_t>(program.parameters.size())) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "index is %lld, the program has %zu parameters", ll(index),
              program.parameters.size());
}

Status append_shape(const Shape& shape, uint32_t flags, std::string* text, Error* err) {
  int64_t needed = 0;
  XLASHAPE_TRY(xlashape_shape_print(&shape, flags, nullptr, 0, &needed, err));
  const size_t start = text->size();
  text->resize(start + static_cast<size_t>(needed));
  XLASHAPE_TRY(xlashape_shape_print(&shape, flags, text->data() + start, needed, &needed, err));
  text->pop_back();  // the NUL is not part of it
  return XLASHAPE_STATUS_OK;
}

// Makes a program whose shapes are those of another, each changed by change(shape, result, err).
template <class F>
Status change_shapes(const xlashape_program_shape* program, xlashape_program_shape** result, Error* err, F&& change) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(program, "program", err));
    XLASHAPE_TRY(require(result, "result", err));
    auto made = Ref<ProgramShape>::adopt(new ProgramShape);
    made->names = program->names;
    made->parameters.resize(program->parameters.size());
    for (size_t i = 0; i < made->parameters.size(); ++i)
      XLASHAPE_TRY(change(*program->parameters[i], &made->parameters[i], err));
    XLASHAPE_TRY(change(*program->result, &made->result, err));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

}  // namespace

extern "C" {

xlashape_status xlashape_program_shape_create(xlashape_shape* const* parameters, int64_t count, const char* names,
                                              const int64_t* name_lens, const xlashape_shape* result,
                                              xlashape_program_shape** program, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(parameters, count, "parameters", "count", err));
    XLASHAPE_TRY(require(result, "result", err));
    XLASHAPE_TRY(require(program, "program", err));
    auto made = Ref<ProgramShape>::adopt(new ProgramShape);
    int64_t at = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (parameters[i] == nullptr)
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "parameters[%lld] is NULL", ll(i));
      made->parameters.push_back(Ref<Shape>::share(parameters[i]));
      const int64_t len = name_lens == nullptr ? 0 : name_lens[i];
      int64_t end;
      if (len < 0 || !checked_add(at, len, &end) || end > kMaxListed)
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                    "name_lens[%lld] is %lld: it must not be negative, and their sum at most %lld", ll(i), ll(len),
                    ll(kMaxListed));
      if (len > 0) XLASHAPE_TRY(require(names, "names", err));
      made->names.emplace_back(len == 0 ? "" : names + at, static_cast<size_t>(len));
      at = end;
    }
    made->result = Ref<Shape>::share(result);
    *program = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_program_shape* xlashape_program_shape_retain(const xlashape_program_shape* program) {
  return Ref<ProgramShape>::share(program).leak();
}

void xlashape_program_shape_release(xlashape_program_shape* program) { release(program); }

int64_t xlashape_program_shape_parameter_count(const xlashape_program_shape* program) {
  return program == nullptr ? 0 : static_cast<int64_t>(program->parameters.size());
}

xlashape_status xlashape_program_shape_parameter(const xlashape_program_shape* program, int64_t index,
                                                 xlashape_shape** shape, xlashape_error* err) {
  XLASHAPE_TRY(require(program, "program", err));
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(check_index(*program, index, err));
  *shape = Ref<Shape>(program->parameters[static_cast<size_t>(index)]).leak();
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_program_shape_parameter_name(const xlashape_program_shape* program, int64_t index, char* text,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(program, "program", err));
  XLASHAPE_TRY(check_index(*program, index, err));
  return answer_text(program->names[static_cast<size_t>(index)], text, capacity, needed, err);
}

xlashape_status xlashape_program_shape_result(const xlashape_program_shape* program, xlashape_shape** shape,
                                              xlashape_error* err) {
  XLASHAPE_TRY(require(program, "program", err));
  XLASHAPE_TRY(require(shape, "shape", err));
  *shape = Ref<Shape>(program->result).leak();
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_program_shape_print(const xlashape_program_shape* program, uint32_t flags, char* text,
                                             int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(program, "program", err));
    std::string all = "(";
    for (size_t i = 0; i < program->parameters.size(); ++i) {
      if (i > 0) all += ", ";
      all += program->names[i].empty() ? "(unknown)" : program->names[i];
      all += ": ";
      XLASHAPE_TRY(append_shape(*program->parameters[i], flags, &all, err));
    }
    all += ") -> ";
    XLASHAPE_TRY(append_shape(*program->result, flags, &all, err));
    return answer_text(all, text, capacity, needed, err);
  });
}

int32_t xlashape_program_shape_has_all_layouts(const xlashape_program_shape* program) {
  bool answer = false;
  (void)guarded(nullptr, [&]() -> Status {
    answer = program != nullptr && has_all_layouts(*program->result);
    for (size_t i = 0; answer && i < program->parameters.size(); ++i) answer = has_all_layouts(*program->parameters[i]);
    return XLASHAPE_STATUS_OK;
  });
  return answer;
}

xlashape_status xlashape_program_shape_with_default_layouts(const xlashape_program_shape* program,
                                                            xlashape_program_shape** result, xlashape_error* err) {
  return change_shapes(program, result, err, with_default_layouts);
}

xlashape_status xlashape_program_shape_without_layout_fields(const xlashape_program_shape* program, uint32_t fields,
                                                             xlashape_program_shape** result, xlashape_error* err) {
  XLASHAPE_TRY(check_flags(fields, kFieldFlags, err));
  return change_shapes(program, result, err, [fields](const Shape& shape, Ref<Shape>* made, Error* error) {
    return without_layout_fields(shape, fields, made, error);
  });
}

int32_t xlashape_program_shape_equal(const xlashape_program_shape* a, const xlashape_program_shape* b, uint32_t mask) {
  return a != nullptr && b != nullptr && equal(*a, *b, mask);
}

}  // extern "C"
