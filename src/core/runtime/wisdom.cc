// SPDX-License-Identifier: Apache-2.0
#include "runtime/wisdom.h"

#include <charconv>

#include "base/line.h"
#include "runtime/manifest.h"
#include "runtime/measured_text.h"

namespace xlashape::core {
namespace {

constexpr size_t kDigits = 16;  // of each half of a form's key

// Removes the first word and the blank after it.
std::string_view next_word(std::string_view* line) {
  const std::string_view word = line->substr(0, line->find(' '));
  line->remove_prefix(std::min(word.size() + 1, line->size()));
  return word;
}

bool read_half(std::string_view digits, uint64_t* half) {
  for (const char c : digits)
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) return false;
  std::from_chars(digits.data(), digits.data() + digits.size(), *half, 16);
  return true;
}

bool read_form(std::string_view word, FormKey* form) {
  return word.size() == 2 * kDigits && read_half(word.substr(0, kDigits), &form->high) &&
         read_half(word.substr(kDigits), &form->low);
}

}  // namespace

std::string Wisdom::find(const FormKey& form, std::string_view backend) const {
  const std::lock_guard guard(lock_);
  const auto found = entries_.find({form, std::string(backend)});
  return found != entries_.end() ? found->second.choice : std::string();
}

bool Wisdom::add(const FormKey& form, std::string_view backend, WisdomEntry entry) {
  if (!is_backend_name(backend)) return false;
  const std::lock_guard guard(lock_);
  Key key{form, std::string(backend)};
  if (entries_.size() >= kMostEntries && entries_.find(key) == entries_.end()) return false;
  entries_.insert_or_assign(std::move(key), std::move(entry));
  any_.store(true, std::memory_order_release);
  return true;
}

void Wisdom::forget() {
  Entries old;
  const std::lock_guard guard(lock_);
  any_.store(false, std::memory_order_release);
  entries_.swap(old);
}

std::string Wisdom::text(std::string_view processor) const {
  std::string text = measured_head("wisdom", processor);
  const std::lock_guard guard(lock_);
  for (const auto& [key, entry] : entries_)
    append(&text, "%016llx%016llx %s %lld %lld %s\n", static_cast<unsigned long long>(key.form.high),
           static_cast<unsigned long long>(key.form.low), key.backend.c_str(), ll(entry.ns), ll(entry.default_ns),
           entry.choice.c_str());
  return text;
}

Status Wisdom::parse(std::string_view text, std::string_view processor, Entries* entries, Error* err) {
  if (text.size() > kMostBytes)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "wisdom of %zu bytes: at most %zu are read", text.size(),
                kMostBytes);
  MeasuredText reader(text);
  std::string_view about, line;
  XLASHAPE_TRY(reader.read_head("wisdom", &about, err));
  while (!reader.at_end()) {
    XLASHAPE_TRY(reader.next(&line, err));
    FormKey form;
    WisdomEntry entry;
    if (!read_form(next_word(&line), &form)) return reader.wrong(err, "it does not begin with 32 hexadecimal digits");
    const std::string_view backend = next_word(&line);
    if (!is_backend_name(backend)) return reader.wrong(err, "%s is no backend's name", Quoted(backend).c_str());
    for (int64_t* const ns : {&entry.ns, &entry.default_ns}) {
      const std::string_view word = next_word(&line);
      if (!read_decimal(word, ns) || *ns < 0)
        return reader.wrong(err, "%s is no number of nanoseconds", Quoted(word).c_str());
    }
    if (!is_choice(line)) return reader.wrong(err, "the choice has %zu bytes, it has 1 to 255", line.size());
    entry.choice = line;
    entries->insert_or_assign({form, std::string(backend)}, std::move(entry));
    if (entries->size() > kMostEntries)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "more than %zu entries", kMostEntries);
  }
  if (about != processor) entries->clear();
  return XLASHAPE_STATUS_OK;
}

Status Wisdom::import(std::string_view text, std::string_view processor, int64_t* taken, Error* err) {
  Entries entries;
  XLASHAPE_TRY(parse(text, processor, &entries, err));
  const size_t count = entries.size();
  {
    const std::lock_guard guard(lock_);
    size_t all = entries_.size();
    for (const auto& [key, entry] : entries) all += entries_.find(key) == entries_.end();
    if (all > kMostEntries)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the runtime would have %zu entries, at most %zu are kept", all,
                  kMostEntries);
    entries.merge(entries_);  // those that the text lacks; fails never
    entries_.swap(entries);
    any_.store(!entries_.empty(), std::memory_order_release);
  }
  *taken = static_cast<int64_t>(count);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
