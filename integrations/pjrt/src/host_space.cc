// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>

#include "space.h"

namespace pjrt_plugin {
namespace {

constexpr std::size_t kAlignment = 64;                       // a cache line
constexpr std::int64_t kMostKept = std::int64_t{256} << 20;  // bytes of blocks that nobody has

// Sizes of blocks: four for each power of two, so that at most a fifth of one is not used.
std::size_t block_size(std::int64_t bytes) {
  std::size_t size = kAlignment;
  while (size < static_cast<std::size_t>(bytes)) size *= 2;
  const std::size_t step = size / 8;
  if (step < kAlignment) return size;
  while (size - step >= static_cast<std::size_t>(bytes)) size -= step;
  return size;
}

class HostSpace final : public Space {
 public:
  using Space::Space;
  ~HostSpace() override {
    for (const auto& [size, blocks] : kept_)
      for (void* const block : blocks) std::free(block);
  }

  bool is_host() const override { return true; }

  void from_host(const void* data, const HostArray& host, const Array& array, const Storage& to) override {
    run(plans().from_host(host, array), array.text, data, to.pointer());
  }
  void to_host(const Array& array, const Storage& from, const HostArray& host, void* data) override {
    run(plans().to_host(array, host), array.text, from.pointer(), data);
  }
  void within(const Array& from_array, const Storage& from, const Array& to_array, const Storage& to) override {
    run(plans().between(from_array, to_array), from_array.text, from.pointer(), to.pointer());
  }
  void read(const Storage& from, std::int64_t offset, std::int64_t bytes, void* data) override {
    if (bytes > 0)
      std::memcpy(data, static_cast<const char*>(from.pointer()) + offset, static_cast<std::size_t>(bytes));
  }
  void write(const void* data, std::int64_t bytes, const Storage& to, std::int64_t offset) override {
    if (bytes > 0) std::memcpy(static_cast<char*>(to.pointer()) + offset, data, static_cast<std::size_t>(bytes));
  }

 protected:
  std::uint64_t take(std::int64_t bytes) override {
    const std::size_t size = block_size(bytes);
    {
      const std::lock_guard lock(mutex_);
      if (auto& blocks = kept_[size]; !blocks.empty()) {
        void* const block = blocks.back();
        blocks.pop_back();
        kept_bytes_ -= static_cast<std::int64_t>(size);
        return reinterpret_cast<std::uintptr_t>(block);
      }
    }
    return reinterpret_cast<std::uintptr_t>(std::aligned_alloc(kAlignment, size));
  }
  void give(std::uint64_t address, std::int64_t bytes) noexcept override {
    const std::size_t size = block_size(bytes);
    void* const block = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
    {
      const std::lock_guard lock(mutex_);
      if (kept_bytes_ + static_cast<std::int64_t>(size) <= kMostKept) try {
          kept_[size].push_back(block);
          kept_bytes_ += static_cast<std::int64_t>(size);
          return;
        } catch (const std::bad_alloc&) {
        }
    }
    std::free(block);
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> kept_;
  std::int64_t kept_bytes_ = 0;
};

}  // namespace

std::shared_ptr<Space> host_space(std::shared_ptr<Plans> plans, std::int64_t limit) {
  return std::make_shared<HostSpace>(std::move(plans), limit);
}

}  // namespace pjrt_plugin
