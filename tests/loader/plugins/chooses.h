/* What plugins with candidates and profiles are made of: ways 0, 1 and 2, all of which are right. */
#ifndef CHOOSES_H_
#define CHOOSES_H_

#include <stdio.h>
#include <string.h>

#include "plugin.h"

static xlashape_status (*honest_execute)(void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error*);

__attribute__((unused)) static int way_of(const void* storage) { return *(const int*)storage; }

static xlashape_status plan_size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align,
                                 xlashape_error* err) {
  (void)self, (void)op, (void)err;
  *bytes = *align = sizeof(int);
  return XLASHAPE_STATUS_OK;
}

static xlashape_status plan_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)op, (void)err;
  *(int*)storage = 0;
  return XLASHAPE_STATUS_OK;
}

static int64_t plan_candidate(void* self, const void* storage, const xlashape_op* op, int64_t index, char* text,
                              int64_t capacity) {
  const int now = way_of(storage);
  (void)self, (void)op;
  if (index > 2) return 0;
  return snprintf(text, (size_t)capacity, "way=%d", index == 0 ? now : index <= now ? (int)index - 1 : (int)index);
}

static xlashape_status plan_choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                                   xlashape_error* err) {
  (void)self, (void)op, (void)err;
  if (strncmp(choice, "way=", 4) != 0 || choice[4] < '0' || choice[4] > '2' || choice[5] != '\0')
    return XLASHAPE_STATUS_INVALID_ARGUMENT;
  *(int*)storage = choice[4] - '0';
  return XLASHAPE_STATUS_OK;
}

static xlashape_status write_lines(const char* lines, char* text, int64_t capacity, int64_t* needed) {
  *needed = (int64_t)strlen(lines) + 1;
  if (*needed > capacity) return XLASHAPE_STATUS_OUT_OF_RANGE;
  memcpy(text, lines, (size_t)*needed);
  return XLASHAPE_STATUS_OK;
}

static xlashape_status calibrate(void* self, const xlashape_calibration* how, char* text, int64_t capacity,
                                 int64_t* needed, xlashape_error* err) {
  (void)self, (void)how, (void)err;
  return write_lines("copy.ns = 12\n", text, capacity, needed);
}

static xlashape_status use_profile(void* self, const char* text, xlashape_error* err) {
  (void)self, (void)err;
  return strncmp(text, "copy.ns = ", 10) == 0 ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_INVALID_ARGUMENT;
}

/* Whether the core has these slots; the kit opens plugins as an older one, too. */
static int is_whole(const xlashape_backend* backend) { return backend->struct_size >= sizeof *backend; }

static xlashape_status open_chooses(const char* name, const xlashape_host* host, xlashape_backend* backend,
                                    xlashape_error* err) {
  const xlashape_status status = open_as(name, host, backend, err);
  if (status != XLASHAPE_STATUS_OK || !is_whole(backend)) return status;
  honest_execute = backend->plan_execute;
  backend->plan_size = plan_size;
  backend->plan_init = plan_init;
  backend->plan_candidate = plan_candidate;
  backend->plan_choose = plan_choose;
  backend->calibrate = calibrate;
  backend->use_profile = use_profile;
  return status;
}

#endif
