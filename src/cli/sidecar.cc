#include "sidecar.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "file.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kLongest = int64_t{1} << 20;

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

std::string sidecar_path(const std::string& data_path) { return data_path + ".json"; }

std::optional<Sidecar> read_sidecar(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > kLongest) return std::nullopt;
  const Buffer text = read_file(path);
  // Nesting is refused: a sidecar has none, and a parser should not be led deep.
  const auto flat = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) { return depth < 8; };
  const nlohmann::json json =
      nlohmann::json::parse(text.data(), text.data() + text.size(), flat, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("xlashape")) return std::nullopt;
  if (json["xlashape"] != 1) fail_data("{}: a sidecar of a newer version", path);
  if (!json.contains("shape") || !json["shape"].is_string() || !json.contains("bytes") ||
      !json["bytes"].is_number_integer() || !json.contains("data") || !json["data"].is_string())
    fail_data("{}: a sidecar needs shape, bytes and data", path);
  Sidecar sidecar = {json["shape"], json["bytes"], json["data"]};
  if (sidecar.data.empty() || sidecar.data.find('/') != std::string::npos ||
      sidecar.data.find('\0') != std::string::npos)
    fail_data("{}: data must name a file in the same folder", path);
  return sidecar;
}

void write_sidecar(const std::string& data_path, const Shape& shape, int64_t bytes) {
  const nlohmann::ordered_json json = {
      {"xlashape", 1}, {"shape", text_of(shape)}, {"bytes", bytes}, {"data", file_name(data_path)}};
  const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  write_file(sidecar_path(data_path), Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

void drop_sidecar(const std::string& data_path) {
  try {
    if (read_sidecar(sidecar_path(data_path))) remove_file(sidecar_path(data_path));
  } catch (const Failure&) {  // not one of ours after all
  }
}

}  // namespace xlashape::cli
