/* SPDX-License-Identifier: Apache-2.0 */
// The plans of this process, so that a relayout that occurs in many programs, or runs many times, is planned once.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "relayout.h"

namespace xlashape_jax {

// For any thread. What is found stays usable after it has left the cache.
class Cache {
 public:
  static constexpr int64_t kCapacity = 512;

  // The relayout between shapes with these texts. It is planned if neither the texts nor others of the same meaning are
  // known; the one that was asked for least recently leaves. Planning locks nothing: of two threads that plan the same
  // at the same time one keeps its plan. Throws a Failure.
  std::shared_ptr<const Relayout> get(std::string_view from, std::string_view to);

  struct Counts {
    int64_t texts;  // known, at most kCapacity
    int64_t plans;  // that they lead to
    int64_t made;   // since the start of the process
  };
  Counts counts() const;

 private:
  struct Entry {
    std::string texts;
    std::shared_ptr<const Relayout> relayout;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<const Relayout> find(const std::string& texts);
  std::shared_ptr<const Relayout> of_key(const std::string& key) const;
  std::shared_ptr<const Relayout> keep(std::string texts, std::shared_ptr<const Relayout> relayout);

  mutable std::mutex mutex_;
  Entries entries_;                                                   // the one used last is first
  std::unordered_map<std::string_view, Entries::iterator> by_texts_;  // the views are of `entries_`
  // By key: what the entries have. An entry that leaves takes its plan along if no other text leads to it.
  std::unordered_map<std::string, std::weak_ptr<const Relayout>> by_key_;
  int64_t made_ = 0;
};

// That of the process, made when first needed and never destroyed: threads may use it until the very end.
Cache& cache();

}  // namespace xlashape_jax
