/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that go wrong where they are opened, or say something wrong of themselves. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "plugin.h"

/* Nothing is wrong with it. */
ENTRY(good) { return open_as("good", host, backend, err); }

/* Dies in open. */
ENTRY(crash_open) {
  (void)host, (void)backend, (void)err;
  *(volatile int*)(uintptr_t)16 = 1;
  return XLASHAPE_STATUS_OK;
}

/* Says that it filled more than there is. */
ENTRY(garbage_table) {
  const xlashape_status status = open_as("garbage_table", host, backend, err);
  backend->struct_size = 0xFFFFFF00u;
  return status;
}

/* Opens whatever it is offered, and fills its whole table into less room. */
ENTRY(greedy_version) {
  xlashape_host told = *host;
  told.abi_min = told.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  backend->struct_size = (uint32_t)sizeof *backend;
  return open_as("greedy_version", &told, backend, err);
}

/* Starts a process that has left its group and outlives it. */
ENTRY(leaves_process) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) sleep(1000);
    _exit(0);
  }
  return open_as("leaves_process", host, backend, err);
}

/* Speaks a plugin ABI that is yet to come, whatever was offered. */
ENTRY(newer_abi) {
  const xlashape_status status = open_as("newer_abi", host, backend, err);
  backend->abi_version = 7u << 16 | 3u;
  return status;
}

/* Leaves its name out, and gives that of its entry by a macro. */
#define NAME no_name
XLASHAPE_BACKEND_ENTRY(NAME)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  const xlashape_status status = open_as("no_name", host, backend, err);
  backend->name = NULL;
  return status;
}

/* Leaves out what every backend must have. */
ENTRY(no_slots) {
  const xlashape_status status = open_as("no_slots", host, backend, err);
  backend->plan_execute = NULL;
  return status;
}

/* Works in a memory that there is not. */
ENTRY(no_space) {
  const xlashape_status status = open_as("no_space", host, backend, err);
  backend->memory_spaces = 0;
  return status;
}

/* Exports an entry, but not the one of its file's name. */
ENTRY(another) { return open_as("another", host, backend, err); }

/* Its build_id is no UTF-8. */
ENTRY(no_utf8) {
  const xlashape_status status = open_as("no_utf8", host, backend, err);
  backend->build_id = "1.0 \xC3(";
  return status;
}

/* Speaks one that is gone. */
ENTRY(older_abi) {
  const xlashape_status status = open_as("older_abi", host, backend, err);
  backend->abi_version = 0;
  return status;
}

/* Cannot open, and says why. */
ENTRY(refuses) {
  (void)host, (void)backend;
  if (err != NULL) strcpy(err->message, "the licence has run out");
  return XLASHAPE_STATUS_DEVICE;
}

/* Built for a sanitizer whose runtime the process does not have. */
ENTRY(sanitized) {
  const xlashape_status status = open_as("sanitized", host, backend, err);
  backend->sanitizer = "address";
  return status;
}

/* Only says so. */
ENTRY(says_sanitized) {
  const xlashape_status status = open_as("says_sanitized", host, backend, err);
  backend->sanitizer = "memory";
  return status;
}

/* Its build_id looks like another line of a report. */
ENTRY(two_lines) {
  const xlashape_status status = open_as("two_lines", host, backend, err);
  backend->build_id = "1.0\n  scalar ready";
  return status;
}

/* Says that it is somebody else. */
ENTRY(wrong_name) { return open_as("scalar", host, backend, err); }
