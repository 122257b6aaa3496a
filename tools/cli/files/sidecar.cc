// SPDX-License-Identifier: Apache-2.0
#include "sidecar.h"

#include <zlib.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "file_parts.h"
#include "new_file.h"

namespace xlashape::cli {
namespace {

using ParsedJson = nlohmann::ordered_json;

constexpr int64_t kLongest = int64_t{1} << 20;

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

uint32_t checksum(Bytes bytes, uint32_t before = 0) {
  return static_cast<uint32_t>(crc32_z(before, bytes.data(), bytes.size()));
}

ParsedJson json_of(const Claim& claim) {
  ParsedJson json = {{"shape", claim.shape}, {"bytes", claim.bytes}};
  if (claim.high_first) json["high_first"] = true;
  return json;
}

std::optional<Claim> claim_in(const ParsedJson& json, const std::string& path) {
  if (!json.is_object() || !json.contains("shape") || !json["shape"].is_string() || !json.contains("bytes") ||
      !json["bytes"].is_number_integer() || json["bytes"] < 0)
    fail_data("{}: a sidecar needs shape, bytes and data", path);
  if (json.contains("high_first") && !json["high_first"].is_boolean())
    fail_data("{}: high_first is neither true nor false", path);
  return Claim{json["shape"], json["bytes"], json.value("high_first", false)};
}

// What the sidecar says of those bytes.
std::optional<Claim> claim_about(const Sidecar& sidecar, Bytes bytes) {
  return !sidecar.crc32 || checksum(bytes) == *sidecar.crc32 ? sidecar.claim : sidecar.old;
}

// The text of a sidecar.
std::string text_of(const std::string& data_path, const ParsedJson& said) {
  ParsedJson json = {{"xlashape", 1}};
  json.update(said);
  json["data"] = file_name(data_path);
  try {
    return json.dump(2, ' ', /*ensure_ascii=*/true) + "\n";
  } catch (const ParsedJson::exception&) {
    fail_data("{}: the name is not UTF-8, so a sidecar cannot hold it: give another name", data_path);
  }
}

std::unique_ptr<NewFile> new_sidecar(const std::string& data_path, const ParsedJson& json, bool durable) {
  const std::string text = text_of(data_path, json);
  const Bytes bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return std::make_unique<NewFile>(sidecar_path(data_path), std::span(&bytes, 1), durable);
}

bool is_sidecar(const std::string& path) {
  try {
    return ends_with(path, ".json") && read_sidecar(path);
  } catch (const Failure&) {
    return true;
  }
}

// Checks the sidecar that is replaced or removed. Fails early where something else is at its path.
std::optional<Sidecar> sidecar_to_replace(const std::string& data_path, bool needs_new) {
  const std::string path = sidecar_path(data_path);
  std::optional<Sidecar> found;
  try {
    found = read_sidecar(path);
  } catch (const Failure&) {
    if (needs_new) throw;
    return std::nullopt;
  }
  if (found && found->data != file_name(data_path)) found.reset();
  if (!found && needs_new && file_exists(path))
    fail_data("{}: is not a sidecar of {}, but a sidecar must go here: move it, or give another name", path, data_path);
  return found;
}

}  // namespace

std::string sidecar_path(const std::string& data_path) { return data_path + ".json"; }

std::optional<Sidecar> read_sidecar(const std::string& path) {
  if (!is_regular_file(path) || stamp_of(path).size > kLongest) return std::nullopt;
  const Buffer text = read_file(path);
  // Refuses deep nesting, which sidecars do not have, and repeated keys, of which the parser would take the last.
  constexpr int kDeepest = 8;
  std::set<std::string> keys[kDeepest + 1];  // keys of the open object at each depth
  std::optional<std::string> twice;
  const auto flat = [&](int depth, ParsedJson::parse_event_t event, ParsedJson& parsed) {
    if (depth >= kDeepest) return false;
    if (event == ParsedJson::parse_event_t::object_start) keys[depth + 1].clear();
    if (event == ParsedJson::parse_event_t::key && !keys[depth].insert(parsed).second) twice = parsed;
    return true;
  };
  // As char: libc++ has traits for no other bytes.
  const auto* begin = reinterpret_cast<const char*>(text.data());
  const ParsedJson json = ParsedJson::parse(begin, begin + text.size(), flat, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("xlashape")) return std::nullopt;
  if (twice) fail_data("{}: a sidecar that has {} twice", path, *twice);
  if (json["xlashape"] != 1) fail_data("{}: a sidecar of a newer version", path);
  if (!json.contains("data") || !json["data"].is_string()) fail_data("{}: a sidecar needs shape, bytes and data", path);
  Sidecar sidecar;
  sidecar.data = json["data"];
  if (sidecar.data.empty() || sidecar.data.find('/') != std::string::npos ||
      sidecar.data.find('\0') != std::string::npos)
    fail_data("{}: data must name a file in the same folder", path);
  if (!json.contains("crc32")) {
    sidecar.claim = claim_in(json, path);
    return sidecar;
  }
  if (!json["crc32"].is_number_unsigned() || json["crc32"] > std::numeric_limits<uint32_t>::max())
    fail_data("{}: crc32 is not a checksum", path);
  sidecar.crc32 = json["crc32"];
  if (json.contains("new")) sidecar.claim = claim_in(json["new"], path);
  if (json.contains("old")) sidecar.old = claim_in(json["old"], path);
  return sidecar;
}

std::optional<DescribedFile> find_described(const std::string& path) {
  DescribedFile found;
  found.data = without_link(path);
  found.sidecar = sidecar_path(found.data);
  std::optional<Sidecar> sidecar = ends_with(path, ".json") ? read_sidecar(path) : std::nullopt;
  if (sidecar) {
    found.sidecar = path;
    found.data = path.substr(0, path.find_last_of('/') + 1) + sidecar->data;
  } else {
    sidecar = read_sidecar(found.sidecar);
    if (!sidecar || sidecar->data != file_name(found.data)) return std::nullopt;
  }
  if (sidecar->crc32 || !sidecar->claim)
    fail_data(
        "{}: was left half-way between two arrays: relayout, without --max-memory, finds out which it is by "
        "reading {}",
        found.sidecar, found.data);
  found.claim = *std::move(sidecar->claim);
  if (const int64_t size = FileParts(found.data).size(); size != found.claim.bytes)
    fail_data("{}: has {}, its sidecar says {}", found.data, counted(size, "byte"), counted(found.claim.bytes, "byte"));
  return found;
}

Described read_described(const std::string& data_path, const std::string& sidecar_at, bool from_sidecar,
                         const LimitOf& limit_of) {
  const auto read = [&] { return from_sidecar ? read_regular_file(data_path) : read_file(data_path, limit_of); };
  if (!is_regular_file(data_path)) return {read(), std::nullopt};
  for (int i = 0; i < 5; ++i) {
    const FileStamp before = stamp_of(sidecar_at);
    const std::optional<Sidecar> sidecar = read_sidecar(sidecar_at);
    Described described = {read(), std::nullopt};
    if (sidecar && sidecar->data == file_name(data_path))
      described.claim = claim_about(*sidecar, described.bytes.bytes());
    if (stamp_of(sidecar_at) == before) return described;
  }
  fail_data("{}: somebody keeps writing to it", sidecar_at);
}

void write_described(const std::string& path, const Pieces& pieces, const std::optional<Claim>& claim) {
  HoldSignals hold;
  if (path.empty()) fail_usage("OUT has no name");
  if (is_sidecar(path))
    fail_data("{}: is a sidecar, without which its data could not be read: give another name", path);
  const std::optional<Sidecar> found = sidecar_to_replace(path, claim.has_value());
  const bool replaces = file_exists(path);
  const bool told_apart = replaces && (found || claim);
  uint32_t sum = 0;
  const auto add = [&](Bytes bytes) { sum = checksum(bytes, sum); };
  const Pieces summed([&](const Pieces::Sink& sink) {
    pieces.each([&](Bytes bytes) {
      if (told_apart) add(bytes);
      sink(bytes);
    });
  });
  NewFile data(path, pieces.are_placed() ? pieces : summed, replaces || pieces.are_placed());
  if (told_apart && pieces.are_placed()) data.read_back(add);
  const auto drop = [&] { unlink(sidecar_path(path).c_str()); };
  if (!found && !claim) return data.commit();
  const auto last = claim ? new_sidecar(path, json_of(*claim), replaces) : nullptr;
  if (!replaces) {  // there is no old file that could be mistaken for the new data
    claim ? last->commit() : drop();
    return data.commit();
  }
  ParsedJson both = {{"crc32", sum}};
  if (claim) both["new"] = json_of(*claim);
  if (found)
    if (const std::optional<Claim> old = found->crc32 ? claim_about(*found, read_file(path).bytes()) : found->claim)
      both["old"] = json_of(*old);
  const auto between = new_sidecar(path, both, true);
  // Everything is written; each step from here on leaves readable files.
  HoldSignals::check();
  between->commit();
  data.commit();
  claim ? last->commit() : drop();
}

}  // namespace xlashape::cli
