// The JSON file beside raw bytes that says what they are: {"xlashape": 1, "shape": "...", "bytes": N, "data":
// "out.bin"}.
#pragma once
#include <optional>
#include <string>

#include "library.h"

namespace xlashape::cli {

struct Sidecar {
  std::string shape;
  int64_t bytes = 0;
  std::string data;  // the name of the file of bytes, in the sidecar's folder
};

std::string sidecar_path(const std::string& data_path);
// None where there is no such file, or it is none of ours.
std::optional<Sidecar> read_sidecar(const std::string& path);
void write_sidecar(const std::string& data_path, const Shape& shape, int64_t bytes);
// Takes away a sidecar of ours that is no longer true.
void drop_sidecar(const std::string& data_path);

}  // namespace xlashape::cli
