/* SPDX-License-Identifier: Apache-2.0 */
/* The library that in_dependency.so needs. */
#include "plugin.h"
__attribute__((visibility("default"))) int dependency_is_there(void);
int dependency_is_there(void) { return 1; }
ENTRY(in_dependency) { return open_as("in_dependency", host, backend, err); }
