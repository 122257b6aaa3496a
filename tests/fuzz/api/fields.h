// Lists of fields, {number, count, values...} one after the other: what valid ones say, how they are damaged, and what the
// header makes of any, by a reader of our own.
#pragma once
#include "world.h"

namespace api_fuzz {

struct Field {
  int64_t number;
  std::vector<int64_t> values;
};
using Fields = std::vector<Field>;

struct FieldRule {
  enum Values { kInt8, kInt32, kUint32, kInt64, kAny, kSome, kByDimension, kBytes };
  int64_t number;
  Values values;
  bool repeats = false;
};
extern const std::vector<FieldRule> layout_rules, plan_rules;

std::vector<int64_t> listed(const Fields& fields);
// The same fields, otherwise than they may be: cut, unknown, repeated, counts and values of any size; seldom as they were.
std::vector<int64_t> damaged(Input& input, const Fields& fields, const std::vector<FieldRule>& rules);

// The status that a list has to end with by itself, and what it says where that is OK.
struct Reading {
  xlashape_status status = XLASHAPE_STATUS_OK;
  Fields fields;

  const Field* find(int64_t number) const;
  int64_t one(int64_t number) const;  // 0 where it is not there
  // A list by dimension, a place where there is none; NULL where it is not there.
  const int64_t* list(int64_t number) const;
};
Reading read_fields(const std::vector<int64_t>& list, const std::vector<FieldRule>& rules, int64_t rank);

// For the report of a fault.
void check_ended(const std::vector<int64_t>& list, xlashape_status status, xlashape_status want, const char* what);

// How long the list is said to be, where that has to be refused before it is looked at; else nullopt.
std::optional<int64_t> draw_wrong_size(Input& input);

}  // namespace api_fuzz
