/* SPDX-License-Identifier: Apache-2.0 */
// XLA's side of the FFI, as far as the handler uses it, with thread pools of every kind: an XLA_FFI_Api in this
// program.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "xla/ffi/api/c_api.h"

inline int passed = 0, failed = 0;

inline void check(bool good, const char* what, const std::string& got = "") {
  ++(good ? passed : failed);
  if (!good) std::printf("FAIL %s %s\n", what, got.c_str());
}

struct XLA_FFI_Error {
  XLA_FFI_Error_Code code;
  std::string message;
};

// A pool. `schedule` is false where it takes no task.
struct XLA_FFI_ExecutionContext {
  virtual ~XLA_FFI_ExecutionContext() = default;
  virtual int64_t threads() = 0;
  virtual bool schedule(XLA_FFI_Task* task, void* data) = 0;
};

// Threads that take tasks in order. While it is `held` they take none: a pool that is busy with other work.
class Threads : public XLA_FFI_ExecutionContext {
 public:
  Threads(int64_t says, int count, bool held = false) : says_(says), held_(held) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Threads() override {
    release();
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  void release() {
    {
      const std::lock_guard lock(mutex_);
      held_ = false;
    }
    changed_.notify_all();
  }

  int64_t threads() override { return says_; }
  bool schedule(XLA_FFI_Task* task, void* data) override {
    {
      const std::lock_guard lock(mutex_);
      tasks_.emplace_back(task, data);
    }
    changed_.notify_one();
    return true;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !held_ && (ending_ || !tasks_.empty()); });
      if (tasks_.empty()) return;
      const auto [task, data] = tasks_.front();
      tasks_.pop_front();
      lock.unlock();
      task(data);
      lock.lock();
    }
  }

  const int64_t says_;
  bool held_;
  bool ending_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<XLA_FFI_Task*, void*>> tasks_;
  std::vector<std::thread> threads_;
};

// Runs each task in `schedule`, on the calling thread.
struct Inline : XLA_FFI_ExecutionContext {
  int64_t threads() override { return 4; }
  bool schedule(XLA_FFI_Task* task, void* data) override {
    task(data);
    return true;
  }
};

// Says that it has threads, and takes no task but the first `taken`.
struct Refusing : XLA_FFI_ExecutionContext {
  explicit Refusing(int taken) : left(taken), pool(4, 2) {}
  int64_t threads() override { return 4; }
  bool schedule(XLA_FFI_Task* task, void* data) override { return left-- > 0 && pool.schedule(task, data); }
  int left;
  Threads pool;
};

// There is none.
struct NoPool : XLA_FFI_ExecutionContext {
  int64_t threads() override { return -1; }
  bool schedule(XLA_FFI_Task*, void*) override { return false; }
};

inline const XLA_FFI_Api* fake_api(int minor = XLA_FFI_API_MINOR) {
  static XLA_FFI_Api api;
  api = {};
  api.struct_size = XLA_FFI_Api_STRUCT_SIZE;
  api.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR, minor};
  api.XLA_FFI_Error_Create = [](XLA_FFI_Error_Create_Args* args) {
    return new XLA_FFI_Error{args->errc, args->message};
  };
  api.XLA_FFI_Error_Destroy = [](XLA_FFI_Error_Destroy_Args* args) { delete args->error; };
  api.XLA_FFI_ThreadPool_Schedule = [](XLA_FFI_ThreadPool_Schedule_Args* args) -> XLA_FFI_Error* {
    if (args->ctx->schedule(args->task, args->data)) return nullptr;
    return new XLA_FFI_Error{XLA_FFI_Error_Code_UNAVAILABLE, "no"};
  };
  api.XLA_FFI_ThreadPool_NumThreads = [](XLA_FFI_ThreadPool_NumThreads_Args* args) -> XLA_FFI_Error* {
    *args->num_threads = args->ctx->threads();
    return *args->num_threads >= 0 ? nullptr : new XLA_FFI_Error{XLA_FFI_Error_Code_UNIMPLEMENTED, "no"};
  };
  return &api;
}

// One call of the handler.
struct Call {
  std::string from, to;
  XLA_FFI_DataType type = XLA_FFI_DataType_U8;
  std::vector<int64_t> from_dimensions, to_dimensions;
  void *src = nullptr, *dst = nullptr;
  XLA_FFI_ExecutionContext* context = nullptr;
  int64_t arguments = 1;
  const char* names[2] = {"from", "to"};
  XLA_FFI_AttrType types[2] = {XLA_FFI_AttrType_STRING, XLA_FFI_AttrType_STRING};

  // The code, and the message into `message`.
  XLA_FFI_Error_Code operator()(XLA_FFI_Error* (*handler)(XLA_FFI_CallFrame*), std::string* message = nullptr) {
    XLA_FFI_ByteSpan texts[2] = {{from.data(), from.size()}, {to.data(), to.size()}};
    XLA_FFI_ByteSpan name[2] = {{names[0], std::string(names[0]).size()}, {names[1], std::string(names[1]).size()}};
    XLA_FFI_ByteSpan* name_list[2] = {&name[0], &name[1]};
    void* text_list[2] = {&texts[0], &texts[1]};
    XLA_FFI_Buffer in = {XLA_FFI_Buffer_STRUCT_SIZE, nullptr, type, src, static_cast<int64_t>(from_dimensions.size()),
                         from_dimensions.data()};
    XLA_FFI_Buffer out = {XLA_FFI_Buffer_STRUCT_SIZE, nullptr, type, dst, static_cast<int64_t>(to_dimensions.size()),
                          to_dimensions.data()};
    void *ins[2] = {&in, &in}, *outs[1] = {&out};
    XLA_FFI_ArgType in_types[2] = {XLA_FFI_ArgType_BUFFER, XLA_FFI_ArgType_BUFFER};
    XLA_FFI_RetType out_types[1] = {XLA_FFI_RetType_BUFFER};
    XLA_FFI_CallFrame frame = {};
    frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
    frame.api = fake_api_;
    frame.ctx = context;
    frame.stage = XLA_FFI_ExecutionStage_EXECUTE;
    frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, arguments, in_types, ins};
    frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, 1, out_types, outs};
    frame.attrs = {XLA_FFI_Attrs_STRUCT_SIZE, nullptr, 2, types, name_list, text_list};
    XLA_FFI_Error* error = handler(&frame);
    if (error == nullptr) return XLA_FFI_Error_Code_OK;
    const auto code = error->code;
    if (message != nullptr) *message = error->message;
    delete error;
    return code;
  }

  static inline const XLA_FFI_Api* fake_api_ = fake_api();
};
