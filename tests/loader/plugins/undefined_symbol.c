/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function of the library's, which it is not linked with and must not be. */
#include "plugin.h"
extern uint32_t xlashape_yet_to_come(void);
ENTRY(undefined_symbol) {
  if (xlashape_yet_to_come() == 0) return XLASHAPE_STATUS_INCOMPATIBLE;
  return open_as("undefined_symbol", host, backend, err);
}
