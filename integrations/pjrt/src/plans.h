/* SPDX-License-Identifier: Apache-2.0 */
// Plans, made once for each kind of movement and kept.
#pragma once
#include <functional>
#include <mutex>
#include <unordered_map>

#include "array.h"

namespace pjrt_plugin {

// Values by texts: at most `limit`, then it starts anew. What was taken out stays valid.
template <class Value>
class Kept {
 public:
  explicit Kept(std::size_t limit) : limit_(limit) {}

  Value get(const std::string& key, const std::function<Value()>& make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = values_.find(key); found != values_.end()) return found->second;
    }
    Value value = make();  // without the lock: others need not wait for it
    const std::lock_guard lock(mutex_);
    if (values_.size() >= limit_) values_.clear();
    return values_.try_emplace(key, std::move(value)).first->second;
  }

 private:
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Value> values_;
};

// Numbers as part of a key.
inline void append(std::string& key, const Numbers& numbers) {
  key.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
}

// Where the two sides of a plan are.
struct Place {
  std::int32_t space = XLASHAPE_SPACE_CPU;
  std::int32_t device = 0;  // of the backend: 1 + its number
};

// Executes a plan in memory of the host.
inline void run(const xlashape::Plan& plan, const std::string& text, const void* from, void* to) {
  value_at(text, plan.try_execute_at(from, to));
}

class Plans {
 public:
  explicit Plans(xlashape::Runtime runtime) : runtime_(std::move(runtime)), kept_(4096) {}

  // Failures name both shapes.
  xlashape::Plan from_host(const HostArray& from, const Array& to);
  xlashape::Plan to_host(const Array& from, const HostArray& to);
  // Bytes of the host that the latter writes; INVALID_ARGUMENT where some are in front of index 0...0.
  std::int64_t bytes_to_host(const Array& from, const HostArray& to);
  // Both in the memory at `place`. An empty plan where no backend there can do it.
  xlashape::Plan between(const Array& from, const Array& to, Place place = {});

  const xlashape::Runtime& runtime() const { return runtime_; }

 private:
  xlashape::Runtime runtime_;
  Kept<xlashape::Plan> kept_;
};

}  // namespace pjrt_plugin
