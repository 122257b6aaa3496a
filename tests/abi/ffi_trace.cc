#include "abi/ffi_trace.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace foreign {

Trace::Trace(const File& file, Library::Function inner) : file_(file), inner_(inner), table_(file) {
  open_ = std::make_unique<Closure>(file, file.callback("xlashape_backend_open"),
                                    [this](const std::vector<uint64_t>& arguments) { return answer_open(arguments); });
}

std::vector<Trace::Entry> Trace::log() const {
  const std::lock_guard lock(guard_);
  return log_;
}

std::vector<std::string> Trace::problems() const {
  const std::lock_guard lock(guard_);
  return problems_;
}

int64_t Trace::calls(const std::string& slot) const {
  const auto entries = log();
  return std::count_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.slot == slot; });
}

void Trace::found(const std::string& slot, const std::string& problem) {
  const std::lock_guard lock(guard_);
  problems_.push_back(slot + ": " + problem);
}

uint64_t Trace::field(const char* structure, uint64_t at, const char* name) const {
  const Item& item = file_.structure(structure).field(name);
  return load(*file_.type(item), reinterpret_cast<const unsigned char*>(at) + item.offset);
}

uint64_t Trace::answer_open(const std::vector<uint64_t>& arguments) {
  auto* given = reinterpret_cast<unsigned char*>(arguments.at(1));
  const auto preset = static_cast<uint32_t>(load(ffi_type_uint32, given));
  const auto room = static_cast<uint32_t>(std::min<size_t>(preset, table_.size()));
  table_.set_struct_size(room);
  const Call call(file_, file_.callback("xlashape_backend_open"), false);
  const uint64_t status = call(inner_, {arguments[0], reinterpret_cast<uint64_t>(table_.data()), arguments[2]});
  if (status != 0) return status;
  if (table_.struct_size() > room) found("open", "filled more of the table than the core preset");
  for (const Item& slot : table_.kind().fields) {
    if (slot.signature == nullptr || slot.offset + sizeof(void*) > table_.struct_size() || table_.get(slot) == 0)
      continue;
    const auto inner = reinterpret_cast<Library::Function>(table_.get(slot));
    Closure::Body body = [this, &slot, inner](const std::vector<uint64_t>& words) {
      return forward(slot, inner, words);
    };
    table_.set(slot, reinterpret_cast<uint64_t>(slots_.emplace_back(file_, *slot.signature, std::move(body)).code()));
  }
  std::memcpy(given, table_.data(), std::min(room, table_.struct_size()));
  return 0;
}

uint64_t Trace::forward(const Item& slot, Library::Function inner, const std::vector<uint64_t>& arguments) {
  Entry entry{slot.name, "", 0, 0};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Item& parameter = slot.signature->parameters[i];
    char text[160];
    std::snprintf(text, sizeof text, parameter.is_pointer() ? "%s%s=%#llx" : "%s%s=%lld", i == 0 ? "" : ", ",
                  parameter.name.c_str(), static_cast<unsigned long long>(arguments[i]));
    entry.arguments += text;
  }
  check_arguments(slot, arguments);
  // The backend gets a record of ours, of the same size, every byte known, so that a write to it shows.
  std::vector<uint64_t> passed = arguments;
  std::vector<unsigned char> record;
  if (slot.signature->parameters.back().role == "error" && arguments.back() != 0) {
    const auto size = static_cast<uint32_t>(load(ffi_type_uint32, reinterpret_cast<void*>(arguments.back())));
    record.assign(std::max<size_t>(sizeof size, std::min<size_t>(size, file_.structure("xlashape_error").size)), 0x5A);
    store(ffi_type_uint32, size, record.data());
    passed.back() = reinterpret_cast<uint64_t>(record.data());
  }
  const std::vector<unsigned char> before = record;
  const auto start = std::chrono::steady_clock::now();
  entry.result = Call(file_, *slot.signature, false)(inner, passed);
  entry.nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  if (!record.empty()) {
    check_error(slot, passed.back(), before, entry.result);
    if (record != before) std::memcpy(reinterpret_cast<void*>(arguments.back()), record.data(), record.size());
  }
  check_answers(slot, arguments, entry.result);
  const std::lock_guard lock(guard_);
  log_.push_back(entry);
  return entry.result;
}

// The core's side of the contract.
void Trace::check_arguments(const Item& slot, const std::vector<uint64_t>& arguments) {
  if (closed_) found(slot.name, "called after close");
  if (slot.name == "close") closed_ = true;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Item& parameter = slot.signature->parameters[i];
    const uint64_t value = arguments[i];
    if (parameter.role == "struct" || parameter.role == "scalar") {
      if (value == 0) {
        found(slot.name, parameter.name + " is NULL");
      } else if (parameter.role == "struct" &&
                 load(ffi_type_uint32, reinterpret_cast<void*>(value)) < file_.structure(parameter.base).size) {
        found(slot.name, parameter.name + ".struct_size is smaller than the struct of this ABI");
      }
    }
    if (parameter.name == "storage" && slot.name != "plan_init") check_storage(slot.name, value);
    if (parameter.base == "xlashape_run" && value != 0) check_run(slot.name, value);
    if (parameter.name == "max_workers" && static_cast<int64_t>(value) < 1) found(slot.name, "max_workers below 1");
  }
}

void Trace::check_storage(const std::string& slot, uint64_t storage) {
  const std::lock_guard lock(guard_);
  const auto at = storages_.find(storage);
  if (at == storages_.end()) {
    problems_.push_back(slot + ": of a plan that was not initialised, or is destroyed");
  } else if (slot == "plan_destroy") {
    storages_.erase(at);
  }
}

void Trace::check_run(const std::string& slot, uint64_t run) {
  const auto number = [&](const char* name) { return static_cast<int64_t>(field("xlashape_run", run, name)); };
  const int64_t begin = number("task_begin"), end = number("task_end"), count = number("task_count");
  if (begin < 0 || begin > end || end > count || count < 1)
    found(slot, "tasks [" + std::to_string(begin) + ", " + std::to_string(end) + ") of " + std::to_string(count));
  if (number("count") < 0) found(slot, "count is negative");
}

// The backend's side.
void Trace::check_answers(const Item& slot, const std::vector<uint64_t>& arguments, uint64_t result) {
  const auto signed_result = static_cast<int64_t>(result);
  const auto at = [&](const char* name) {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (slot.signature->parameters[i].name == name) return arguments[i];
    return uint64_t{0};
  };
  if (slot.signature->has_status() && (signed_result < 0 || signed_result > file_.constant("XLASHAPE_STATUS_INTERNAL")))
    found(slot.name, "status " + std::to_string(signed_result) + " is none of this ABI");
  if (slot.name == "plan_init" && result == 0) {
    const std::lock_guard lock(guard_);
    storages_.insert(at("storage"));
  }
  if (slot.name == "plan_tasks" && signed_result < 1) found(slot.name, "fewer than one task");
  if (slot.name == "device_count" && signed_result < 0) found(slot.name, "a negative number of devices");
  if (slot.name == "supports" && result == 0 && at("support") != 0) {
    const auto level = static_cast<int64_t>(field("xlashape_support", at("support"), "level"));
    if (level < file_.constant("XLASHAPE_SUPPORT_NONE") || level > file_.constant("XLASHAPE_SUPPORT_NATIVE"))
      found(slot.name, "level " + std::to_string(level));
  }
  if (slot.name == "plan_size" && result == 0 && at("alignment") != 0) {
    const uint64_t align = load(*file_.integer("int64_t"), reinterpret_cast<void*>(at("alignment")));
    if (align == 0 || (align & (align - 1)) != 0) found(slot.name, "alignment " + std::to_string(align));
  }
}

void Trace::check_error(const Item& slot, uint64_t err, const std::vector<unsigned char>& before, uint64_t result) {
  const auto* now = reinterpret_cast<const unsigned char*>(err);
  if (result == 0) {
    if (std::memcmp(now, before.data(), before.size()) != 0) found(slot.name, "wrote err on success");
    return;
  }
  const size_t head = file_.structure("xlashape_error").field("message").offset;
  if (before.size() < head) return;
  if (field("xlashape_error", err, "code") != result) found(slot.name, "failed without filling err");
  const uint64_t length = field("xlashape_error", err, "message_len");
  if (before.size() > head && (head + length >= before.size() || now[head + length] != 0))
    found(slot.name, "the message in err does not end where message_len says");
}

}  // namespace foreign
