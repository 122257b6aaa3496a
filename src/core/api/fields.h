// Lists of fields, each {number, count, values...}, for callers that cannot pass nested pointers.
#pragma once
#include <limits>
#include <span>

#include "api/check.h"
#include "waist/compiler.h"

namespace xlashape::core {

using FieldName = char[36];

class FieldReader {
 public:
  // `names` by number, "" where there is no such field; fewer than 64.
  FieldReader(const int64_t* fields, int64_t size, std::span<const FieldName> names)
      : fields_(list(fields, size)), names_(names) {}

  bool at_end() const { return at_ == fields_.size(); }

  // Moves to the next field, which must be a known one.
  Status next(Error* err) {
    start_ = at_;
    const int64_t number = fields_[start_];
    if (number < 0 || number >= static_cast<int64_t>(names_.size()) || *name() == '\0')
      return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "fields[%zu] is field %lld, which this library (%s) does not know",
                  start_, ll(number), xlashape_version());
    if (fields_.size() - start_ < 2)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "fields[%zu] is %s: how many values it has is missing", start_,
                  name());
    const int64_t count = fields_[start_ + 1];
    const size_t left = fields_.size() - start_ - 2;
    if (count < 0 || static_cast<uint64_t>(count) > left)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "fields[%zu] says that %s has %lld values, %zu are left",
                  start_ + 1, name(), ll(count), left);
    values_ = fields_.subspan(start_ + 2, static_cast<size_t>(count));
    at_ = start_ + 2 + values_.size();
    return XLASHAPE_STATUS_OK;
  }

  int64_t number() const { return fields_[start_]; }
  const char* name() const { return names_[static_cast<size_t>(number())]; }
  std::span<const int64_t> values() const { return values_; }

  // Reads the only value of a field that may be listed once.
  template <class T>
  Status one(T* value, Error* err) {
    int64_t wide;
    XLASHAPE_TRY(one_of({std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 8 * sizeof(T)}, &wide, err));
    *value = static_cast<T>(wide);
    return XLASHAPE_STATUS_OK;
  }
  // The same for a signed number of `bits` bits.
  Status one(int64_t* value, int32_t bits, Error* err) {
    const int64_t most = INT64_MAX >> (64 - bits);
    return one_of({-most - 1, most, static_cast<size_t>(bits)}, value, err);
  }

  Status expect(size_t count, Error* err) const {
    if (values_.size() == count) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s has %zu values, it takes %zu", name(), values_.size(),
                count);
  }

  // For a field that has a name but that no code reads: a bug of the library.
  Status unread(Error* err) const { return fail(err, XLASHAPE_STATUS_INTERNAL, "%s is not read", name()); }

  // Records the field; fails where it was listed before.
  Status once(Error* err) {
    const uint64_t bit = uint64_t{1} << number();
    if ((seen_ & bit) != 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "fields[%zu] is %s, which was given before", start_, name());
    seen_ |= bit;
    return XLASHAPE_STATUS_OK;
  }

 private:
  struct Range {
    int64_t least, most;
    size_t bits;
  };
  XLASHAPE_NOINLINE Status one_of(const Range& range, int64_t* value, Error* err) {
    XLASHAPE_TRY(expect(1, err));
    *value = values_[0];
    if (*value < range.least || *value > range.most)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is %lld, which does not fit %zu bits", name(), ll(*value),
                  range.bits);
    return once(err);
  }

  std::span<const int64_t> fields_;
  std::span<const FieldName> names_;
  size_t start_ = 0, at_ = 0;
  std::span<const int64_t> values_;
  uint64_t seen_ = 0;
};

}  // namespace xlashape::core
