#include "fields.h"

#include <algorithm>
#include <cstdio>

namespace api_fuzz {

const std::vector<FieldRule> layout_rules = {
    {XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR, FieldRule::kAny},
    {XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS, FieldRule::kAny},
    {XLASHAPE_LAYOUT_FIELD_PADDING_VALUE, FieldRule::kInt32},
    {XLASHAPE_LAYOUT_FIELD_TILE, FieldRule::kAny, true},
    {XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS, FieldRule::kInt64},
    {XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE, FieldRule::kInt8},
    {XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES, FieldRule::kInt64},
    {XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS, FieldRule::kInt64},
    {XLASHAPE_LAYOUT_FIELD_SPLIT, FieldRule::kSome, true}};

const std::vector<FieldRule> plan_rules = {{XLASHAPE_PLAN_FIELD_FLAGS, FieldRule::kUint32},
                                           {XLASHAPE_PLAN_FIELD_FILL_POLICY, FieldRule::kInt32},
                                           {XLASHAPE_PLAN_FIELD_SRC_SPACE, FieldRule::kInt32},
                                           {XLASHAPE_PLAN_FIELD_DST_SPACE, FieldRule::kInt32},
                                           {XLASHAPE_PLAN_FIELD_DEVICE, FieldRule::kInt32},
                                           {XLASHAPE_PLAN_FIELD_BACKEND, FieldRule::kBytes},
                                           {XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES, FieldRule::kByDimension},
                                           {XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES, FieldRule::kByDimension},
                                           {XLASHAPE_PLAN_FIELD_SRC_BASE, FieldRule::kByDimension},
                                           {XLASHAPE_PLAN_FIELD_DST_BASE, FieldRule::kByDimension},
                                           {XLASHAPE_PLAN_FIELD_EXTENT, FieldRule::kByDimension}};

std::vector<int64_t> listed(const Fields& fields) {
  std::vector<int64_t> list;
  for (const Field& field : fields) {
    list.push_back(field.number);
    list.push_back(size_of(field.values));
    list.insert(list.end(), field.values.begin(), field.values.end());
  }
  return list;
}

std::vector<int64_t> damaged(Input& input, const Fields& fields, const std::vector<FieldRule>& rules) {
  static constexpr int64_t kUnknown[] = {0,  4,  5,  9,   12,        14,        18,        63,
                                         64, 65, -1, 256, INT64_MIN, INT64_MAX, 1LL << 32, (1LL << 32) + 1};
  static constexpr int64_t kCounts[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 1, int64_t{1} << 61, int64_t{1} << 32};
  static constexpr int64_t kWide[] = {
      int64_t{1} << 31, -(int64_t{1} << 31) - 1, int64_t{1} << 32, UINT32_MAX, INT64_MAX, INT64_MIN, 256, -1};
  Fields all = fields;
  if (all.empty() || input.one_in(2)) {
    const FieldRule& rule = rules[static_cast<size_t>(input.below(size_of(rules)))];
    Field more = {rule.number, {}};
    for (int64_t n = input.below(4); n > 0; --n) more.values.push_back(input.mostly(input.below(4), 4));
    all.insert(all.begin() + input.below(size_of(all) + 1), more);
  }
  const auto any = [&]() -> Field& { return all[static_cast<size_t>(input.below(size_of(all)))]; };
  const int64_t kind = input.below(8);
  if (kind == 0) any().number = input.pick(kUnknown);
  if (kind == 1) all.insert(all.begin() + input.below(size_of(all) + 1), Field(any()));
  if (kind == 2) any().values.push_back(input.below(4));
  if (kind == 3) {
    Field& field = any();
    if (!field.values.empty()) field.values.erase(field.values.begin() + input.below(size_of(field.values)));
    if (input.one_in(2)) field.values.clear();
  }
  if (kind == 4) {
    Field& field = any();
    if (!field.values.empty())
      field.values[static_cast<size_t>(input.below(size_of(field.values)))] =
          input.one_in(4) ? input.wild() : input.pick(kWide);
  }
  std::vector<int64_t> list = listed(all);
  if (kind == 5) list.resize(static_cast<size_t>(input.below(size_of(list) + 1)));
  if (kind == 6) {  // the count of some field
    size_t at = 0;
    for (int64_t n = input.below(size_of(all)); n > 0; --n) at += 2 + static_cast<size_t>(list[at + 1]);
    const int64_t left = size_of(list) - static_cast<int64_t>(at) - 2;
    list[at + 1] = input.one_in(3) ? left + input.within(-1, 2) : input.pick(kCounts);
  }
  if (kind == 7 && !list.empty() && input.one_in(2))
    list[static_cast<size_t>(input.below(size_of(list)))] = input.wild();
  // A plan that is measured runs at once, on addresses that must not be any: measuring.cc makes those.
  for (int64_t& value : list)
    if (&rules == &plan_rules && value >= XLASHAPE_PLAN_FIELD_MEASURE_NS && value <= XLASHAPE_PLAN_FIELD_MEASURE_DST)
      value += 3;
  return list;
}

const Field* Reading::find(int64_t number) const {
  for (const Field& field : fields)
    if (field.number == number) return &field;
  return nullptr;
}

int64_t Reading::one(int64_t number) const {
  const Field* const field = find(number);
  return field != nullptr ? field->values.at(0) : 0;
}

const int64_t* Reading::list(int64_t number) const {
  static constexpr int64_t kNone = 0;
  const Field* const field = find(number);
  return field == nullptr ? nullptr : field->values.empty() ? &kNone : field->values.data();
}

Reading read_fields(const std::vector<int64_t>& list, const std::vector<FieldRule>& rules, int64_t rank) {
  Reading read;
  const auto refuse = [&](xlashape_status status) {
    read.status = status;
    return read;
  };
  const auto within = [](const std::vector<int64_t>& values, int64_t low, int64_t high) {
    return std::all_of(values.begin(), values.end(), [&](int64_t value) { return value >= low && value <= high; });
  };
  for (size_t at = 0; at < list.size();) {
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const FieldRule& some) { return some.number == list[at]; });
    if (rule == rules.end()) return refuse(XLASHAPE_STATUS_INCOMPATIBLE);
    if (list.size() - at < 2) return refuse(XLASHAPE_STATUS_INVALID_ARGUMENT);
    const int64_t count = list[at + 1], left = static_cast<int64_t>(list.size() - at) - 2;
    if (count < 0 || count > left) return refuse(XLASHAPE_STATUS_INVALID_ARGUMENT);
    const auto begin = list.begin() + static_cast<ptrdiff_t>(at) + 2;
    const Field field = {list[at], {begin, begin + count}};
    at += 2 + static_cast<size_t>(count);
    bool good = rule->repeats || read.find(field.number) == nullptr;
    switch (rule->values) {
      case FieldRule::kInt8:
        good &= count == 1 && within(field.values, INT8_MIN, INT8_MAX);
        break;
      case FieldRule::kInt32:
        good &= count == 1 && within(field.values, INT32_MIN, INT32_MAX);
        break;
      case FieldRule::kUint32:
        good &= count == 1 && within(field.values, 0, UINT32_MAX);
        break;
      case FieldRule::kInt64:
        good &= count == 1;
        break;
      case FieldRule::kAny:
        break;
      case FieldRule::kSome:
        good &= count > 0;
        break;
      case FieldRule::kByDimension:
        good &= count == rank;
        break;
      case FieldRule::kBytes:
        good &= count > 0 && within(field.values, 1, 255);
        break;
    }
    if (!good) return refuse(XLASHAPE_STATUS_INVALID_ARGUMENT);
    read.fields.push_back(field);
  }
  return read;
}

void check_ended(const std::vector<int64_t>& list, xlashape_status status, xlashape_status want, const char* what) {
  if (status == want) return;
  for (const int64_t value : list) std::fprintf(stderr, "%lld ", static_cast<long long>(value));
  std::fprintf(stderr, "\n%s, not %s\n", xlashape_status_name(status), xlashape_status_name(want));
  fault(what);
}

std::optional<int64_t> draw_wrong_size(Input& input) {
  static constexpr int64_t kSizes[] = {
      -1, -2, INT64_MIN, INT64_MAX, INT64_MAX / 8 + 1, int64_t{1} << 61, int64_t{1} << 40};
  return input.one_in(30) ? std::optional(input.pick(kSizes)) : std::nullopt;
}

}  // namespace api_fuzz
