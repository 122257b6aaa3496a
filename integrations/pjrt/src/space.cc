// SPDX-License-Identifier: Apache-2.0
#include "space.h"

#include <algorithm>

namespace pjrt_plugin {

Storage::Storage(std::shared_ptr<Space> space, std::uint64_t address, std::int64_t bytes)
    : space_(std::move(space)), address_(address), bytes_(bytes) {}

Storage::Storage(std::uint64_t address, std::int64_t bytes, std::function<void()> release)
    : address_(address), bytes_(bytes), release_(std::move(release)) {}

Storage::~Storage() {
  if (space_ != nullptr) space_->give_back(address_, bytes_);
  if (release_) release_();
}

Space::Space(std::shared_ptr<Plans> plans, std::int64_t limit) : plans_(std::move(plans)) { stats_.limit = limit; }

std::shared_ptr<Storage> Space::allocate(std::int64_t bytes, const std::string& what) {
  const auto refuse = [&](std::int64_t in_use, const char* why) {
    throw Failure(PJRT_Error_Code_RESOURCE_EXHAUSTED, what + ": " + why + ": " + std::to_string(bytes) +
                                                          " bytes are wanted, " + std::to_string(in_use) + " of " +
                                                          std::to_string(stats_.limit) + " are in use");
  };
  {
    const std::lock_guard lock(mutex_);
    if (bytes > stats_.limit - stats_.in_use) refuse(stats_.in_use, "the device has no more memory");
    stats_.in_use += bytes;
  }
  std::uint64_t address = 0;
  try {
    address = take(bytes);
    if (address == 0) refuse(stats().in_use - bytes, "the memory behind the device is used up");
    auto storage = std::make_shared<Storage>(shared_from_this(), address, bytes);
    const std::lock_guard lock(mutex_);
    stats_.peak = std::max(stats_.peak, stats_.in_use);
    stats_.largest = std::max(stats_.largest, bytes);
    ++stats_.allocations;
    return storage;
  } catch (...) {
    if (address != 0) give(address, bytes);
    const std::lock_guard lock(mutex_);
    stats_.in_use -= bytes;
    throw;
  }
}

void Space::give_back(std::uint64_t address, std::int64_t bytes) noexcept {
  give(address, bytes);
  const std::lock_guard lock(mutex_);
  stats_.in_use -= bytes;
}

MemoryStats Space::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void Space::clear_stats() {
  const std::lock_guard lock(mutex_);
  stats_.peak = stats_.in_use;
  stats_.allocations = stats_.largest = 0;
}

void move_between(Space& from_space, const Array& from_array, const Storage& from, Space& to_space,
                  const Array& to_array, const Storage& to) {
  if (&from_space == &to_space || (from_space.is_host() && to_space.is_host()))
    return to_space.within(from_array, from, to_array, to);
  // Through the host: no two kinds of devices share a bus here.
  const HostArray row_major;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(from_space.plans().bytes_to_host(from_array, row_major)));
  from_space.to_host(from_array, from, row_major, bytes.data());
  to_space.from_host(bytes.data(), row_major, to_array, to);
}

}  // namespace pjrt_plugin
