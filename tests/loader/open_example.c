/* SPDX-License-Identifier: Apache-2.0 */
/* The example backend, which is correct, linked into a test. */
#define xlashape_backend_open_example open_example
#include "examples/backend/example.c"
