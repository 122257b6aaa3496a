/* SPDX-License-Identifier: Apache-2.0 */
// Which way of running a plan was the fastest, by the form of its relayout and the backend. Any thread may use it.
#pragma once
#include <atomic>
#include <compare>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

// A form's 128-bit hash: see exec/form_key.h.
struct FormKey {
  uint64_t high = 0, low = 0;
  auto operator<=>(const FormKey&) const = default;  // NOLINT(modernize-use-nullptr): there is none
};

class Wisdom {
 public:
  static constexpr size_t kMostEntries = 1 << 16;
  static constexpr size_t kMostBytes = 32 << 20;  // of a text

  struct WisdomEntry {
    int64_t ns = 0, default_ns = 0;  // the times of the fastest way and of the backend's own choice
    std::string choice;
  };

  // Whether there is any: one atomic read, so that a runtime without wisdom pays nothing for it.
  bool any() const { return any_.load(std::memory_order_acquire); }

  // The choice for a form; "" where none is known.
  std::string find(const FormKey& form, std::string_view backend) const;
  // Replaces what is known of the form. False where there are too many entries already, or the backend's name cannot be
  // written.
  bool add(const FormKey& form, std::string_view backend, WisdomEntry entry);
  void forget();

  std::string text(std::string_view processor) const;
  // Adds the entries of a text, or nothing where it fails or is about another processor.
  Status import(std::string_view text, std::string_view processor, int64_t* taken, Error* err);

 private:
  struct Key {
    FormKey form;
    std::string backend;
    // libc++ 14 has no three-way comparison of strings.
    bool operator<(const Key& other) const { return form != other.form ? form < other.form : backend < other.backend; }
  };
  using Entries = std::map<Key, WisdomEntry>;
  static Status parse(std::string_view text, std::string_view processor, Entries* entries, Error* err);

  mutable std::mutex lock_;
  Entries entries_;
  std::atomic<bool> any_{false};
};

}  // namespace xlashape::core
