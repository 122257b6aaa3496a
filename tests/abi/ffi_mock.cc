#include "abi/ffi_mock.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace foreign {

void fill_error(const File& file, uint64_t err, int64_t status, const std::string& message) {
  if (err == 0) return;
  auto* bytes = reinterpret_cast<unsigned char*>(err);
  const Struct& kind = file.structure("xlashape_error");
  const size_t head = kind.field("message").offset, size = load(ffi_type_uint32, bytes);
  if (size < head) return;
  const size_t room = std::min(size, kind.size) - head;
  const size_t length = room == 0 ? 0 : std::min(message.size(), room - 1);
  const auto set = [&](const char* name, int64_t value) {
    const Item& field = kind.field(name);
    store(*file.type(field), static_cast<uint64_t>(value), bytes + field.offset);
  };
  set("code", status);
  set("index", -1);
  set("offset", -1);
  set("message_len", static_cast<int64_t>(length));
  if (room == 0) return;
  std::memcpy(bytes + head, message.data(), length);
  bytes[head + length] = 0;
}

Mock::Mock(const File& file, Library::Function good, nlohmann::json data)
    : file_(file),
      good_(good),
      data_(std::move(data)),
      table_(file, sizeof(void*) * data_.value("extra_slots", size_t{0})) {
  open_ = std::make_unique<Closure>(file, file.callback("xlashape_backend_open"),
                                    [this](const std::vector<uint64_t>& arguments) { return answer_open(arguments); });
}

int64_t Mock::calls(const std::string& slot) const {
  const std::lock_guard lock(guard_);
  const auto found = calls_.find(slot);
  return found == calls_.end() ? 0 : found->second;
}

uint64_t Mock::answer_open(const std::vector<uint64_t>& arguments) {
  const Signature& signature = file_.callback("xlashape_backend_open");
  const auto told = data_.value("open", nlohmann::json::object());
  if (told.contains("status")) {
    const int64_t status = file_.constant("XLASHAPE_STATUS_" + told["status"].get<std::string>());
    fill_error(file_, arguments.at(2), status, told.value("message", ""));
    return static_cast<uint64_t>(status);
  }
  auto* given = reinterpret_cast<unsigned char*>(arguments.at(1));
  const auto preset = static_cast<uint32_t>(load(ffi_type_uint32, given));
  table_.set_struct_size(static_cast<uint32_t>(table_.kind().size));
  const uint64_t good_table = reinterpret_cast<uint64_t>(table_.data());
  if (const uint64_t status = Call(file_, signature, false)(good_, {arguments[0], good_table, arguments[2]}))
    return status;
  const auto slots = data_.value("slots", nlohmann::json::object());
  for (const Item& slot : table_.kind().fields) {
    if (slot.signature == nullptr || !slots.contains(slot.name)) continue;
    const auto& how = slots[slot.name];
    const uint64_t good = table_.get(slot);
    Closure::Body body = [this, &slot, how, good](const std::vector<uint64_t>& words) {
      const uint64_t answered = armed_ ? answer(slot, how, words) : UINT64_MAX;
      if (answered != UINT64_MAX || good == 0) return answered;
      return Call(file_, *slot.signature, false)(reinterpret_cast<Library::Function>(good), words);
    };
    table_.set(slot, how.is_null() ? 0
                                   : reinterpret_cast<uint64_t>(
                                         slots_.emplace_back(file_, *slot.signature, std::move(body)).code()));
  }
  const auto fields = data_.value("table", nlohmann::json::object());
  for (const auto& [name, value] : fields.items())
    table_.set(table_.kind().field(name), static_cast<uint64_t>(value.get<int64_t>()));
  // No further than the core preset, whatever this version's table has more; the data may lie about it.
  const auto filled = static_cast<uint32_t>(std::min<size_t>(preset, table_.size()));
  std::memcpy(given, table_.data(), filled);
  store(ffi_type_uint32, fields.value("struct_size", filled), given);
  return 0;
}

// What the data says about a slot; UINT64_MAX: nothing, so the good one answers.
uint64_t Mock::answer(const Item& slot, const nlohmann::json& told, const std::vector<uint64_t>& arguments) {
  {
    const std::lock_guard lock(guard_);
    ++calls_[slot.name];
  }
  const Signature& signature = *slot.signature;
  std::this_thread::sleep_for(std::chrono::milliseconds(told.value("sleep_ms", 0)));
  if (told.contains("write")) write_destination(arguments, signature, told["write"]);
  bool answered = told.contains("result") || told.contains("status");
  for (size_t i = 0; i < arguments.size() && told.contains("out"); ++i) {
    const Item& parameter = signature.parameters[i];
    if (!told["out"].contains(parameter.name) || arguments[i] == 0) continue;
    const auto& value = told["out"][parameter.name];
    auto* at = reinterpret_cast<unsigned char*>(arguments[i]);
    answered = true;
    if (!value.is_object()) {
      store(*file_.integer(parameter.base), static_cast<uint64_t>(value.get<int64_t>()), at);
      continue;
    }
    for (const auto& [name, number] : value.items()) {
      const Item& field = file_.structure(parameter.base).field(name);
      store(*file_.type(field), static_cast<uint64_t>(number.get<int64_t>()), at + field.offset);
    }
  }
  if (told.contains("result")) return static_cast<uint64_t>(told["result"].get<int64_t>());
  if (!told.contains("status")) return answered ? 0 : UINT64_MAX;
  const int64_t status = file_.constant("XLASHAPE_STATUS_" + told["status"].get<std::string>());
  if (told.contains("message") && signature.parameters.back().role == "error")
    fill_error(file_, arguments.back(), status, told["message"]);
  return static_cast<uint64_t>(status);
}

void Mock::write_destination(const std::vector<uint64_t>& arguments, const Signature& signature, int64_t bytes) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (signature.parameters[i].base != "xlashape_run") continue;
    const auto* run = reinterpret_cast<const unsigned char*>(arguments[i]);
    const Item& dst = file_.structure("xlashape_run").field("dst");
    std::memset(reinterpret_cast<void*>(load(*file_.type(dst), run + dst.offset)), 0xEE, static_cast<size_t>(bytes));
  }
}

}  // namespace foreign
