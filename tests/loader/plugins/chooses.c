/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins with candidates and profiles. Each has ways 0, 1 and 2,
 * all of which are right but where an entry says otherwise. */
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

/* A plugin with one of these slots changed. */
#define CHOOSES(name, change)                                               \
  ENTRY(name) {                                                             \
    const xlashape_status status = open_chooses(#name, host, backend, err); \
    if (status == XLASHAPE_STATUS_OK && is_whole(backend)) change;          \
    return status;                                                          \
  }

/* Nothing is wrong with it: its plans have three ways to run, and it makes and takes profiles. */
CHOOSES(chooses, (void)0)

/* Takes a choice, and stays as it is. */
static xlashape_status forgets_way_choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                                          xlashape_error* err) {
  int other = 0;
  (void)storage;
  return plan_choose(self, &other, op, choice, err);
}
CHOOSES(forgets_way, backend->plan_choose = forgets_way_choose)

/* Refuses what it does not know only after it has begun to follow it. */
static xlashape_status half_chooses_choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                                           xlashape_error* err) {
  const xlashape_status status = plan_choose(self, storage, op, choice, err);
  if (status != XLASHAPE_STATUS_OK) *(int*)storage = (way_of(storage) + 1) % 3;
  return status;
}
CHOOSES(half_chooses, backend->plan_choose = half_chooses_choose)

/* The text of a candidate does not fit. */
static int64_t long_choice_candidate(void* self, const void* storage, const xlashape_op* op, int64_t index, char* text,
                                     int64_t capacity) {
  if (index != 1) return plan_candidate(self, storage, op, index, text, capacity);
  memset(text, 'x', (size_t)capacity);
  return capacity;
}
CHOOSES(long_choice, backend->plan_candidate = long_choice_candidate)

/* Its profile has a line that is none. */
static xlashape_status no_profile_calibrate(void* self, const xlashape_calibration* how, char* text, int64_t capacity,
                                            int64_t* needed, xlashape_error* err) {
  (void)self, (void)how, (void)err;
  return write_lines("copy = fast\n", text, capacity, needed);
}
CHOOSES(no_profile, backend->calibrate = no_profile_calibrate)

/* Candidates without a way to choose one. */
CHOOSES(one_of_two, backend->plan_choose = NULL)

/* Refuses one of its own candidates. */
static xlashape_status refuses_own_choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                                          xlashape_error* err) {
  if (strcmp(choice, "way=2") == 0) return XLASHAPE_STATUS_INVALID_ARGUMENT;
  return plan_choose(self, storage, op, choice, err);
}
CHOOSES(refuses_own, backend->plan_choose = refuses_own_choose)

/* Divides by what its profile says. */
static int divisor = 1;
static xlashape_status trusts_profile_use_profile(void* self, const char* text, xlashape_error* err) {
  (void)self, (void)err;
  const char* const at = strstr(text, " = ");
  if (at != NULL) divisor = atoi(at + 3);
  return XLASHAPE_STATUS_OK;
}
static xlashape_status trusts_profile_execute(void* self, const void* storage, const xlashape_op* op,
                                              const xlashape_run* run, xlashape_error* err) {
  if (divisor == 0) abort();
  return honest_execute(self, storage, op, run, err);
}
CHOOSES(trusts_profile,
        (backend->use_profile = trusts_profile_use_profile, backend->plan_execute = trusts_profile_execute))

/* One of its ways moves wrong bytes. */
static xlashape_status wrong_way_execute(void* self, const void* storage, const xlashape_op* op,
                                         const xlashape_run* run, xlashape_error* err) {
  const xlashape_status status = honest_execute(self, storage, op, run, err);
  if (way_of(storage) == 1 && is_past_smoke(op) && run->task_begin == 0 && op->relayout->elements > 0)
    *(unsigned char*)(uintptr_t)(run->dst + (uint64_t)(run->dst_byte_offset + op->relayout->dst_low)) ^= 1;
  return status;
}
CHOOSES(wrong_way, backend->plan_execute = wrong_way_execute)
