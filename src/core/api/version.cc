// SPDX-License-Identifier: Apache-2.0
// Entry points: Version.
#include "xlashape.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define RELEASE TEXT(XLASHAPE_VERSION_MAJOR) "." TEXT(XLASHAPE_VERSION_MINOR) "." TEXT(XLASHAPE_VERSION_PATCH)
#define ITEM(text) "; " text
#define XLA_DATE 20261026  // docs/xla-parity.md

extern "C" {

const char* xlashape_version(void) { return RELEASE; }

uint32_t xlashape_abi_version(void) { return XLASHAPE_ABI_VERSION; }

uint32_t xlashape_xla_version(void) { return XLA_DATE; }

const char* xlashape_build_info(void) {
  return "version: " RELEASE ITEM("rules: XLA of " TEXT(XLA_DATE)) XLASHAPE_BUILD_ITEMS;
}

}  // extern "C"
