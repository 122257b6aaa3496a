// SPDX-License-Identifier: Apache-2.0
// Any bytes as a manifest: it is read, or refused with a line and a column; what was read keeps the promises that the
// loader builds on.
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/manifest.h"

namespace {

using namespace xlashape::core;

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Manifest manifest;
  auto err = XLASHAPE_INIT(Error);
  if (parse_manifest(text, &manifest, &err) != XLASHAPE_STATUS_OK) {
    check(err.code == XLASHAPE_STATUS_PARSE);
    check(std::strncmp(err.message, "line ", 5) == 0 && std::strstr(err.message, ", column ") != nullptr);
    return 0;
  }
  check(is_backend_name(manifest.name) && is_backend_name(manifest.entry));
  check(!manifest.library.empty() && manifest.library.find('\0') == std::string::npos);
  check(manifest.abi != 0);
  return 0;
}
