// SPDX-License-Identifier: Apache-2.0
#include "cache.h"

#include <utility>

namespace xlashape_jax {

std::shared_ptr<const Relayout> Cache::find(const std::string& texts) {
  const std::lock_guard lock(mutex_);
  const auto found = by_texts_.find(texts);
  if (found == by_texts_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->relayout;
}

std::shared_ptr<const Relayout> Cache::of_key(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second.lock();
}

std::shared_ptr<const Relayout> Cache::keep(std::string texts, std::shared_ptr<const Relayout> relayout) {
  std::shared_ptr<const Relayout> leaving;  // its plan is released after the lock
  const std::lock_guard lock(mutex_);
  if (const auto found = by_texts_.find(texts); found != by_texts_.end()) return found->second->relayout;
  auto& of_key = by_key_[relayout->key()];
  if (auto other = of_key.lock())
    relayout = std::move(other);
  else
    of_key = relayout;
  entries_.push_front({std::move(texts), relayout});
  by_texts_.emplace(entries_.front().texts, entries_.begin());
  if (entries_.size() <= static_cast<size_t>(kCapacity)) return relayout;
  Entry& last = entries_.back();
  leaving = std::move(last.relayout);
  by_texts_.erase(last.texts);
  entries_.pop_back();
  for (const Entry& entry : entries_)
    if (entry.relayout == leaving) return relayout;
  by_key_.erase(leaving->key());
  return relayout;
}

std::shared_ptr<const Relayout> Cache::get(std::string_view from, std::string_view to) {
  std::string texts;
  texts.reserve(from.size() + 1 + to.size());
  texts.append(from).append(1, '\0').append(to);
  if (auto found = find(texts)) return found;
  std::string key = Relayout::key_of(from, to);
  auto relayout = of_key(key);
  if (relayout == nullptr) {
    relayout = std::make_shared<const Relayout>(from, to, std::move(key));
    const std::lock_guard lock(mutex_);
    ++made_;
  }
  return keep(std::move(texts), std::move(relayout));
}

Cache::Counts Cache::counts() const {
  const std::lock_guard lock(mutex_);
  return {static_cast<int64_t>(entries_.size()), static_cast<int64_t>(by_key_.size()), made_};
}

Cache& cache() {
  static Cache* const made = new Cache;
  return *made;
}

}  // namespace xlashape_jax
