/* SPDX-License-Identifier: Apache-2.0 */
// The memory of one device: who has which bytes of it, and how arrays come into it and out of it.
#pragma once
#include <map>
#include <mutex>

#include "plans.h"

namespace pjrt_plugin {

struct MemoryStats {
  std::int64_t in_use = 0;
  std::int64_t peak = 0;
  std::int64_t allocations = 0;  // since the beginning
  std::int64_t largest = 0;      // of them
  std::int64_t limit = 0;
};

class Space;

// Bytes on a device, or of a host that lent them. Given back when the last buffer, transfer or reference is gone.
class Storage {
 public:
  Storage(std::shared_ptr<Space> space, std::uint64_t address, std::int64_t bytes);
  // Memory that belongs to somebody else, who is told by `release` when it is no longer used.
  Storage(std::uint64_t address, std::int64_t bytes, std::function<void()> release);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  void on_release(std::function<void()> release) { release_ = std::move(release); }
  std::uint64_t address() const { return address_; }
  std::int64_t bytes() const { return bytes_; }
  void* pointer() const { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address_)); }

 private:
  std::shared_ptr<Space> space_;  // NULL: lent
  std::uint64_t address_;
  std::int64_t bytes_;
  std::function<void()> release_;
};

// Movements wait for their end, throw Failure, and may run on many threads at once.
class Space : public std::enable_shared_from_this<Space> {
 public:
  Space(std::shared_ptr<Plans> plans, std::int64_t limit);
  virtual ~Space() = default;

  // RESOURCE_EXHAUSTED, with `what` in the message, where there is no room.
  std::shared_ptr<Storage> allocate(std::int64_t bytes, const std::string& what);
  MemoryStats stats() const;
  void clear_stats();
  Plans& plans() const { return *plans_; }

  // Whether a host can read and write the memory by its address.
  virtual bool is_host() const = 0;
  virtual void from_host(const void* data, const HostArray& host, const Array& array, const Storage& to) = 0;
  virtual void to_host(const Array& array, const Storage& from, const HostArray& host, void* data) = 0;
  // From one layout to another inside the memory.
  virtual void within(const Array& from_array, const Storage& from, const Array& to_array, const Storage& to) = 0;
  // Bytes as they are.
  virtual void read(const Storage& from, std::int64_t offset, std::int64_t bytes, void* data) = 0;
  virtual void write(const void* data, std::int64_t bytes, const Storage& to, std::int64_t offset) = 0;

 protected:
  friend class Storage;
  virtual std::uint64_t take(std::int64_t bytes) = 0;  // 0, or throws, where there is none
  virtual void give(std::uint64_t address, std::int64_t bytes) noexcept = 0;

 private:
  void give_back(std::uint64_t address, std::int64_t bytes) noexcept;

  std::shared_ptr<Plans> plans_;
  mutable std::mutex mutex_;
  MemoryStats stats_;
};

// A device whose memory is the host's: only the layouts are a device's. Blocks that are given back are kept for the
// next arrays of their size, as new memory costs more than moving an array into it.
std::shared_ptr<Space> host_space(std::shared_ptr<Plans> plans, std::int64_t limit);

// A device of a backend of xlashape, with memory and queues of its own. Throws NOT_FOUND where the runtime has no such
// backend, or the backend no such device.
std::shared_ptr<Space> backend_space(std::shared_ptr<Plans> plans, std::int64_t limit, const std::string& backend,
                                     int device);

// From one device's memory to another's.
void move_between(Space& from_space, const Array& from_array, const Storage& from, Space& to_space,
                  const Array& to_array, const Storage& to);

}  // namespace pjrt_plugin
