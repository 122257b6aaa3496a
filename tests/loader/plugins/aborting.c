/* SPDX-License-Identifier: Apache-2.0 */
/* Aborts before anybody can ask it anything. */
#include "plugin.h"
__attribute__((constructor)) static void start(void) { abort(); }
ENTRY(aborting) { return open_as("aborting", host, backend, err); }
