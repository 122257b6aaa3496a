// SPDX-License-Identifier: Apache-2.0
// Entry points: Version.
#include "xlashape.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

extern "C" {

const char* xlashape_version(void) {
  return TEXT(XLASHAPE_VERSION_MAJOR) "." TEXT(XLASHAPE_VERSION_MINOR) "." TEXT(XLASHAPE_VERSION_PATCH);
}

uint32_t xlashape_abi_version(void) { return XLASHAPE_ABI_VERSION; }

uint32_t xlashape_xla_version(void) { return 20261026; }  // docs/xla-parity.md

}  // extern "C"
