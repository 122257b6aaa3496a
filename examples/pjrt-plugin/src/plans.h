// Plans, made once for each kind of movement and kept.
#ifndef PJRT_PLUGIN_PLANS_H_
#define PJRT_PLUGIN_PLANS_H_

#include <functional>
#include <mutex>
#include <unordered_map>

#include "array.h"

namespace pjrt_plugin {

// Values by lists of numbers: at most `limit`, then it starts anew. What was taken out stays valid.
template <class Value>
class Kept {
 public:
  explicit Kept(std::size_t limit) : limit_(limit) {}

  Value get(const Numbers& key, const std::function<Value()>& make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = values_.find(key); found != values_.end()) return found->second;
    }
    Value value = make();  // without the lock: others need not wait for it
    const std::lock_guard lock(mutex_);
    if (values_.size() >= limit_) values_.clear();
    return values_.try_emplace(key, std::move(value)).first->second;
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return values_.size();
  }

 private:
  struct Hash {
    std::size_t operator()(const Numbers& key) const noexcept {
      std::uint64_t hash = key.size();
      for (const std::int64_t number : key) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };

  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::unordered_map<Numbers, Value, Hash> values_;
};

// Where the two sides of a plan are.
struct Place {
  std::int32_t space = XLASHAPE_SPACE_CPU;
  std::int32_t device = 0;  // of the backend: 1 + its number
};

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
  std::size_t count() const { return kept_.size(); }

 private:
  xlashape::Runtime runtime_;
  Kept<xlashape::Plan> kept_;
};

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_PLANS_H_
