// SPDX-License-Identifier: Apache-2.0
// A device behind a backend of xlashape. Arrays cross the bus as the host has them, without padding, and the device
// gives them its layout; where its backend cannot, the host does that before or afterwards. Which backend it is, and
// whether it can, is known at run time only.
#include <cstring>

#include "space.h"

namespace pjrt_plugin {
namespace {

class BackendSpace final : public Space {
 public:
  BackendSpace(std::shared_ptr<Plans> plans, std::int64_t limit, std::string name, std::int32_t memory_space,
               int device)
      : Space(std::move(plans), limit),
        name_(std::move(name)),
        space_(memory_space),
        device_(device + 1),
        // Backends for devices of their own number their queues as they number their memory; queues of others are made
        // by their drivers, and without one a call waits for its end.
        queue_kind_(memory_space >= 32 ? memory_space : XLASHAPE_QUEUE_NONE) {}

  bool is_host() const override { return false; }

  void from_host(const void* data, const HostArray& host, const Array& array, const Storage& to) override {
    const std::shared_ptr<const Array> dense = row_major(array);
    const xlashape::Plan plan = plans().between(*dense, array, place());
    Bytes bytes;  // what a command refers to is made before the turn, so that it goes after it
    std::shared_ptr<Storage> staged;
    const Turn turn(*this);
    if (!plan) {
      bytes.resize(static_cast<std::size_t>(array.bytes));
      run(plans().from_host(host, array), array.text, data, bytes.data());
      copy(array.text, to.address(), space_, address(bytes.data()), XLASHAPE_SPACE_CPU, array.bytes, kIn);
      return sync(array.text, kIn);
    }
    if (!host.byte_strides.empty() || host.layout) {
      bytes.resize(static_cast<std::size_t>(dense->bytes));
      run(plans().from_host(host, *dense), array.text, data, bytes.data());
      data = bytes.data();
    }
    staged = allocate(dense->bytes, array.text);
    copy(array.text, staged->address(), space_, address(data), XLASHAPE_SPACE_CPU, dense->bytes, kIn);
    follow(array.text, kIn, kWork);
    enqueue(plan, array.text, *staged, to);
    sync(array.text, kWork);
  }

  void to_host(const Array& array, const Storage& from, const HostArray& host, void* data) override {
    const std::shared_ptr<const Array> dense = row_major(array);
    const xlashape::Plan plan = plans().between(array, *dense, place());
    Bytes bytes;
    std::shared_ptr<Storage> staged;
    const Turn turn(*this);
    if (!plan) {
      bytes.resize(static_cast<std::size_t>(array.bytes));
      copy(array.text, address(bytes.data()), XLASHAPE_SPACE_CPU, from.address(), space_, array.bytes, kOut);
      sync(array.text, kOut);
      return run(plans().to_host(array, host), array.text, bytes.data(), data);
    }
    const bool is_dense = host.byte_strides.empty() && !host.layout;
    if (!is_dense) bytes.resize(static_cast<std::size_t>(dense->bytes));
    staged = allocate(dense->bytes, array.text);
    enqueue(plan, array.text, from, *staged);
    follow(array.text, kWork, kOut);
    copy(array.text, address(is_dense ? data : bytes.data()), XLASHAPE_SPACE_CPU, staged->address(), space_,
         dense->bytes, kOut);
    sync(array.text, kOut);
    if (!is_dense) run(plans().to_host(*dense, host), array.text, bytes.data(), data);
  }

  void within(const Array& from_array, const Storage& from, const Array& to_array, const Storage& to) override {
    const xlashape::Plan plan = plans().between(from_array, to_array, place());
    if (plan) {
      const Turn turn(*this);
      enqueue(plan, from_array.text, from, to);
      return sync(from_array.text, kWork);
    }
    Bytes before(static_cast<std::size_t>(from_array.bytes)), after(static_cast<std::size_t>(to_array.bytes));
    read(from, 0, from_array.bytes, before.data());
    run(plans().between(from_array, to_array), from_array.text, before.data(), after.data());
    write(after.data(), to_array.bytes, to, 0);
  }

  // An address may be a handle, to which no offset can be added: bytes before the offset are copied, too.
  void read(const Storage& from, std::int64_t offset, std::int64_t bytes, void* data) override {
    const std::string what = std::to_string(bytes) + " bytes";
    Bytes prefix(static_cast<std::size_t>(offset == 0 ? 0 : offset + bytes));
    const Turn turn(*this);
    copy(what, address(offset == 0 ? data : prefix.data()), XLASHAPE_SPACE_CPU, from.address(), space_, offset + bytes,
         kOut);
    sync(what, kOut);
    if (offset != 0) std::memcpy(data, prefix.data() + offset, static_cast<std::size_t>(bytes));
  }
  void write(const void* data, std::int64_t bytes, const Storage& to, std::int64_t offset) override {
    Bytes prefix(static_cast<std::size_t>(offset == 0 ? 0 : offset + bytes));
    if (offset != 0) {
      read(to, 0, offset, prefix.data());
      std::memcpy(prefix.data() + offset, data, static_cast<std::size_t>(bytes));
      data = prefix.data();
    }
    const Turn turn(*this);
    const std::string what = std::to_string(bytes) + " bytes";
    copy(what, to.address(), space_, address(data), XLASHAPE_SPACE_CPU, offset + bytes, kIn);
    sync(what, kIn);
  }

 protected:
  std::uint64_t take(std::int64_t bytes) override {
    std::uint64_t address = 0;
    xlashape::Error error;
    // Some drivers have no empty buffers.
    if (xlashape_memory_alloc(runtime(), device_, space_, bytes == 0 ? 1 : bytes, &address, error.record()) !=
        XLASHAPE_STATUS_OK)
      throw Failure(name_, error);
    return address;
  }
  void give(std::uint64_t address, std::int64_t) noexcept override {
    (void)xlashape_memory_free(runtime(), device_, address, space_, nullptr);
  }

 private:
  using Bytes = std::vector<unsigned char>;

  // What the device does at the same time: arrays in, relayouts, arrays out.
  enum Queue : std::uint64_t { kIn, kWork, kOut };

  // The array as it crosses the bus: no padding, no tiles.
  static std::shared_ptr<const Array> row_major(const Array& array) {
    return array_of(value_at(array.text, xlashape::Shape::try_array(array.type, array.dimensions)));
  }
  static std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
  xlashape_runtime* runtime() const { return plans().runtime().get(); }
  Place place() const { return {space_, device_}; }

  xlashape_queue for_c(Queue queue) const {
    return {queue_kind_, 0, queue_kind_ == XLASHAPE_QUEUE_NONE ? 0 : static_cast<std::uint64_t>(queue)};
  }

  // Makes room where the queue is full.
  template <class F>
  void submit(const std::string& what, Queue queue, F call) {
    xlashape::Error error;
    for (int attempt = 0; call(error.record()) != XLASHAPE_STATUS_OK; ++attempt) {
      if (error.status() != xlashape::Status::kBusy || attempt == 100) throw Failure(name_ + ": " + what, error);
      sync(what, queue);
    }
  }

  void copy(const std::string& what, std::uint64_t to, std::int32_t to_space, std::uint64_t from,
            std::int32_t from_space, std::int64_t bytes, Queue queue) {
    if (bytes == 0) return;
    const xlashape_queue on = for_c(queue);
    submit(what, queue, [&](xlashape_error* err) {
      return xlashape_memory_copy(runtime(), device_, from, from_space, to, to_space, bytes, &on, err);
    });
  }

  void enqueue(const xlashape::Plan& plan, const std::string& what, const Storage& from, const Storage& to) {
    auto options = XLASHAPE_INIT(xlashape_execute_options);
    options.queue = for_c(kWork);
    options.src = from.address();
    options.src_bytes = from.bytes();
    options.dst = to.address();
    options.dst_bytes = to.bytes();
    submit(what, kWork, [&](xlashape_error* err) { return xlashape_plan_execute_with(plan.get(), &options, err); });
  }

  // Lets `later` wait for all that is in `sooner`; the host does not wait.
  void follow(const std::string& what, Queue sooner, Queue later) {
    if (queue_kind_ == XLASHAPE_QUEUE_NONE) return;
    std::uint64_t event = 0;
    const xlashape_queue first = for_c(sooner), second = for_c(later);
    submit(what, sooner, [&](xlashape_error* err) {
      return xlashape_queue_signal_event(runtime(), device_, space_, &first, &event, err);
    });
    submit(what, later, [&](xlashape_error* err) {
      return xlashape_queue_wait_event(runtime(), device_, space_, &second, event, err);
    });
  }

  void sync(const std::string& what, Queue queue) {
    if (queue_kind_ == XLASHAPE_QUEUE_NONE) return;
    xlashape::Error error;
    const xlashape_queue on = for_c(queue);
    if (xlashape_queue_sync(runtime(), device_, space_, &on, error.record()) != XLASHAPE_STATUS_OK)
      throw Failure(name_ + ": " + what, error);
  }

  // One movement at a time. A failed command ends what is behind it in its queue, which must not be somebody else's;
  // and when a movement ends early, what it enqueued must not find its memory gone.
  class Turn {
   public:
    explicit Turn(BackendSpace& space) : space_(space), lock_(space.busy_), exceptions_(std::uncaught_exceptions()) {}
    ~Turn() {
      if (std::uncaught_exceptions() == exceptions_ || space_.queue_kind_ == XLASHAPE_QUEUE_NONE) return;
      for (const Queue queue : {kIn, kWork, kOut}) {
        const xlashape_queue on = space_.for_c(queue);
        (void)xlashape_queue_sync(space_.runtime(), space_.device_, space_.space_, &on, nullptr);
      }
    }

   private:
    BackendSpace& space_;
    const std::lock_guard<std::mutex> lock_;
    const int exceptions_;
  };

  const std::string name_;
  const std::int32_t space_, device_, queue_kind_;
  std::mutex busy_;
};

}  // namespace

std::shared_ptr<Space> backend_space(std::shared_ptr<Plans> plans, std::int64_t limit, const std::string& backend,
                                     int device) {
  const xlashape::Runtime& runtime = plans->runtime();
  for (std::int64_t ordinal = 0; ordinal < runtime.backend_count(); ++ordinal) {
    xlashape::BackendInfo info = runtime.backend(ordinal);
    if (info.name != backend) continue;
    if (info.state != XLASHAPE_BACKEND_STATE_READY && !info.path.empty()) {
      if (const auto loaded = runtime.try_load_backend(info.path); !loaded)
        throw Failure("backend " + backend, loaded.error());
      info = runtime.backend(ordinal);
    }
    std::int32_t space = 0;
    for (std::int32_t i = XLASHAPE_SPACE_CPU + 1; i < 64 && space == 0; ++i)
      if ((info.memory_spaces & XLASHAPE_SPACE_BIT(i)) != 0) space = i;
    if (space == 0)
      throw Failure(PJRT_Error_Code_NOT_FOUND, "backend " + backend + " has no memory of its own: " + info.detail);
    if (info.device_count >= 0 && device >= info.device_count)
      throw Failure(PJRT_Error_Code_NOT_FOUND, "backend " + backend + " has " + std::to_string(info.device_count) +
                                                   " devices: there is no device " + std::to_string(device));
    return std::make_shared<BackendSpace>(std::move(plans), limit, backend, space, device);
  }
  std::string names;
  for (const xlashape::BackendInfo& info : runtime.backends()) names += (names.empty() ? "" : ", ") + info.name;
  throw Failure(PJRT_Error_Code_NOT_FOUND, "there is no backend " + backend + ", only " + names);
}

}  // namespace pjrt_plugin
