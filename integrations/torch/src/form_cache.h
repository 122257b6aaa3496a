/* SPDX-License-Identifier: Apache-2.0 */
// The forms of past calls, by what they were called with. At most `kRoom`; the least recently used quarter goes when it
// is full. Any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "form.h"

namespace xlashape_torch {

class FormCache {
 public:
  static constexpr size_t kRoom = 1024;

  // The form of a request, made now if it is not kept. What `resolve` throws comes out, and is not kept.
  std::shared_ptr<const Form> find(const Request& request) {
    thread_local std::string key;  // its memory is used again and again
    write_key(request, &key);
    {
      const std::shared_lock<std::shared_mutex> lock(mutex_);
      const auto found = entries_.find(std::string_view(key));
      if (found != entries_.end()) {
        // Written only if it changes, so that threads that share a form do not take the line from each other.
        const uint64_t now = clock_.load(std::memory_order_relaxed);
        if (found->second->used.load(std::memory_order_relaxed) != now) {
          found->second->used.store(now, std::memory_order_relaxed);
        }
        return found->second->form;
      }
    }
    auto entry = std::make_unique<Entry>();
    entry->form = std::make_shared<const Form>(resolve(request));
    std::shared_ptr<const Form> form = entry->form;
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    entry->used = ++clock_;  // time passes as forms are made
    if (entries_.size() >= kRoom) make_room();
    entries_.try_emplace(key, std::move(entry));
    return form;
  }

  size_t size() const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    std::shared_ptr<const Form> form;
    std::atomic<uint64_t> used{0};
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  // Lengths come first, so that different requests have different keys.
  static void write_key(const Request& request, std::string* key) {
    const auto add = [key](const void* data, size_t size) { key->append(static_cast<const char*>(data), size); };
    const int32_t rank = static_cast<int32_t>(request.dimensions.size());
    const size_t lengths[2] = {request.to.size(), request.of ? request.of->size() + 1 : 0};
    key->clear();
    add(&request.dtype, sizeof request.dtype);
    add(&request.in_place, sizeof request.in_place);
    add(&rank, sizeof rank);
    add(lengths, sizeof lengths);
    add(request.dimensions.data(), request.dimensions.size_bytes());
    add(request.strides.data(), request.strides.size_bytes());
    add(request.to.data(), request.to.size());
    if (request.of) add(request.of->data(), request.of->size());
  }

  void make_room() {
    std::vector<uint64_t> times;
    times.reserve(entries_.size());
    for (const auto& [key, entry] : entries_) times.push_back(entry->used.load(std::memory_order_relaxed));
    const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
    std::nth_element(times.begin(), quarter, times.end());
    const uint64_t limit = *quarter;
    std::erase_if(entries_, [limit](const auto& pair) { return pair.second->used.load() <= limit; });
  }

  mutable std::shared_mutex mutex_;
  std::atomic<uint64_t> clock_{0};
  std::unordered_map<std::string, std::unique_ptr<Entry>, Hash, std::equal_to<>> entries_;
};

}  // namespace xlashape_torch
