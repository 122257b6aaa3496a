/* SPDX-License-Identifier: Apache-2.0 */
/* A backend for a device with its own memory and queues, like an accelerator. The device is simulated: its memory is
 * reached only by handles, and enqueued commands run when a program waits for the queue, or for a queue that waits for
 * an event of it. It moves elements of whole bytes by the loop nest, and gives a reason where it cannot.
 * docs/backends.md goes through it.
 *
 * device_client.c uses it through xlashape.h. */
#include "device.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xlashape_runtime.h"

enum { DEVICES = 2, BUFFERS = 64, QUEUES = 4, ALL_QUEUES = DEVICES * QUEUES, COMMANDS = 64, MOST_LOOPS = 32 };

/* An address is the buffer's number plus one, and an offset within it. */
#define ADDRESS_OF(number) ((uint64_t)((number) + 1) << 40)

/* An event is the queue's number plus one, and how many of its commands must have ended, so it needs no release. */
#define EVENT_OF(number, count) ((uint64_t)((number) + 1) << 48 | (count))
#define QUEUE_OF(event) (((event) >> 48) - 1)
#define COUNT_OF(event) ((event) & ((UINT64_C(1) << 48) - 1))

typedef struct buffer {
  unsigned char* bytes;
  int64_t size;
  int device;
} buffer;

typedef struct command {
  enum { RELAYOUT, COPY, FILL, WAIT } kind;
  int device;
  const xlashape_op* op;
  uint64_t dst, src; /* with their byte offsets */
  int64_t bytes, begin, end, count;
  int32_t dst_space, src_space, byte;
  uint64_t event;
} command;

struct queue {
  command commands[COMMANDS]; /* a ring */
  uint64_t enqueued, ended;   /* totals */
  const char* failure;        /* of a command, until a sync reports it; commands after it are skipped; NULL: none */
  uint64_t failed_at;         /* how many had ended before it */
};

typedef struct simulation {
  const xlashape_host* host;
  atomic_flag lock;
  buffer buffers[BUFFERS];
  struct queue queues[ALL_QUEUES];
} simulation;

static xlashape_status fail(xlashape_error* err, xlashape_status code, const char* text) {
  if (err == NULL || err->struct_size < sizeof *err) return code;
  err->code = code;
  err->index = err->offset = -1;
  err->message_len = (uint32_t)snprintf(err->message, sizeof err->message, "%s", text);
  return code;
}

static void lock(simulation* s) {
  while (atomic_flag_test_and_set(&s->lock)) continue;
}
static void unlock(simulation* s) { atomic_flag_clear(&s->lock); }

/* `device` as the library gives it. There is no current device here, so 0 is the first. */
static int number_of(int32_t device) { return device == 0 ? 0 : device - 1; }

/* The pointer for an address, whose bytes [low, high) are used; NULL where they are not all memory of that device. */
static unsigned char* reach(simulation* s, uint64_t address, int32_t space, int device, int64_t low, int64_t high) {
  if (space == XLASHAPE_SPACE_CPU) return (unsigned char*)(uintptr_t)address;
  const uint64_t number = (address >> 40) - 1;
  const int64_t offset = (int64_t)(address & ((UINT64_C(1) << 40) - 1));
  if (number >= BUFFERS || s->buffers[number].bytes == NULL || s->buffers[number].device != device) return NULL;
  if (offset + low < 0 || high > s->buffers[number].size - offset) return NULL; /* offset + high may overflow */
  return s->buffers[number].bytes + offset;
}

/* Moves the elements of the outermost loop's range [begin, end). */
static void move(const xlashape_relayout_ir* ir, const unsigned char* src, unsigned char* dst, int64_t begin,
                 int64_t end) {
  const xlashape_loops* n = ir->nest;
  const size_t width = (size_t)ir->dst_container_bits / 8;
  int64_t i[MOST_LOOPS] = {0};
  if (n->loop_count > 0) i[0] = begin;
  while (n->loop_count == 0 || i[0] < end) {
    int64_t from = n->src_offset, to = n->dst_offset;
    for (int l = 0; l < n->loop_count; ++l) from += i[l] * n->src_stride[l], to += i[l] * n->dst_stride[l];
    memcpy(dst + to, src + from, width);
    int l = n->loop_count - 1;
    for (; l > 0 && ++i[l] == n->extent[l]; --l) i[l] = 0;
    if (l == 0) ++i[0];
    if (n->loop_count == 0) return;
  }
}

static void run_until(simulation* s, struct queue* q, uint64_t count);

/* Executes the command; returns the reason where it cannot, else NULL. */
static const char* perform(simulation* s, const command* c) {
  if (c->kind == WAIT) {
    struct queue* other = &s->queues[QUEUE_OF(c->event)];
    run_until(s, other, COUNT_OF(c->event));
    return COUNT_OF(c->event) > other->failed_at ? other->failure : NULL;
  }
  const xlashape_relayout_ir* ir = c->kind == RELAYOUT ? c->op->relayout : NULL;
  const int64_t dst_low = ir != NULL ? ir->dst_low : 0, dst_high = ir != NULL ? ir->dst_high : c->bytes;
  unsigned char* dst = reach(s, c->dst, c->dst_space, c->device, dst_low, dst_high);
  if (dst == NULL) return "dst is not, or not all, memory of the device";
  if (c->kind == FILL) {
    memset(dst, c->byte, (size_t)c->bytes);
    return NULL;
  }
  const int64_t src_low = ir != NULL ? ir->src_low : 0, src_high = ir != NULL ? ir->src_high : c->bytes;
  const unsigned char* src = reach(s, c->src, c->src_space, c->device, src_low, src_high);
  if (src == NULL) return "src is not, or not all, memory of the device";
  if (c->kind == COPY) {
    memcpy(dst, src, (size_t)c->bytes);
    return NULL;
  }
  /* Tasks split the outermost loop. */
  const int64_t most = ir->nest->loop_count > 0 ? ir->nest->extent[0] : 1;
  const int64_t begin = most / c->count * c->begin + most % c->count * c->begin / c->count;
  const int64_t end = most / c->count * c->end + most % c->count * c->end / c->count;
  if (ir->elements > 0 && begin < end) move(ir, src, dst, begin, end);
  return NULL;
}

/* Runs the first `count` commands of the queue, after those that they wait for. A command waits only for what was
 * enqueued before it: no two queues wait for each other, and none is entered twice. */
static void run_until(simulation* s, struct queue* q, uint64_t count) {
  for (; q->ended < count; ++q->ended)
    if (q->failure == NULL && (q->failure = perform(s, &q->commands[q->ended % COMMANDS])) != NULL)
      q->failed_at = q->ended;
}

/* Returns NULL, with a message, where there is no such queue. */
static struct queue* find_queue(simulation* s, int device, const xlashape_queue* queue, xlashape_error* err) {
  if (queue->kind == DEVICE_QUEUE_KIND && queue->handle < QUEUES)
    return &s->queues[device * QUEUES + (int)queue->handle];
  fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the device has no such queue");
  return NULL;
}

/* With a queue the command is enqueued; without one it is executed at once. */
static xlashape_status submit(simulation* s, const xlashape_queue* queue, const command* c, xlashape_error* err) {
  if (queue->kind == XLASHAPE_QUEUE_NONE) {
    lock(s);
    const char* failure = perform(s, c);
    unlock(s);
    return failure == NULL ? XLASHAPE_STATUS_OK : fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, failure);
  }
  struct queue* q = find_queue(s, c->device, queue, err);
  if (q == NULL) return XLASHAPE_STATUS_UNSUPPORTED;
  lock(s);
  const int is_full = q->enqueued - q->ended == COMMANDS;
  if (!is_full) q->commands[q->enqueued++ % COMMANDS] = *c;
  unlock(s);
  return is_full ? fail(err, XLASHAPE_STATUS_BUSY, "the queue is full: wait for it") : XLASHAPE_STATUS_OK;
}

/* == Planning and executing ====================================================================================== */

static const char* refusal(const xlashape_op* op) {
  if (op->src_space != DEVICE_SPACE || op->dst_space != DEVICE_SPACE)
    return "both sides must lie in the device's memory";
  if (op->kind != XLASHAPE_OP_RELAYOUT) return "it only moves elements unchanged";
  const xlashape_relayout_ir* ir = op->relayout;
  if (ir->nest == NULL || ir->nest->guard_count > 0 || ir->nest->loop_count > MOST_LOOPS)
    return "the relayout is no plain loop nest";
  if (ir->src_container_bits != ir->dst_container_bits || ir->dst_container_bits < 8)
    return "elements are packed, or change their width";
  if (ir->fill_policy == XLASHAPE_FILL_PADDING && ir->has_padding) return "it fills no padding";
  return NULL;
}

static xlashape_status supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  (void)self;
  const char* why_not = refusal(op);
  if (why_not != NULL) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, why_not), XLASHAPE_STATUS_OK;
  support->level = XLASHAPE_SUPPORT_NATIVE;
  return XLASHAPE_STATUS_OK;
}

static int64_t plan_tasks(void* self, const void* storage, const xlashape_op* op, int64_t max_workers) {
  (void)self, (void)storage, (void)op, (void)max_workers;
  return 1;
}

static xlashape_status plan_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                    xlashape_error* err) {
  (void)storage;
  const command c = {.kind = RELAYOUT,
                     .device = number_of(op->device),
                     .op = op,
                     .src = run->src + (uint64_t)run->src_byte_offset,
                     .dst = run->dst + (uint64_t)run->dst_byte_offset,
                     .begin = run->task_begin,
                     .end = run->task_end,
                     .count = run->task_count,
                     .src_space = op->src_space,
                     .dst_space = op->dst_space};
  return submit(self, &run->queue, &c, err);
}

static int64_t describe(void* self, const void* storage, const xlashape_op* op, char* text, int64_t capacity) {
  (void)self, (void)storage;
  return snprintf(text, (size_t)capacity, "simulated device %d, %d loops", number_of(op->device),
                  op->relayout->nest->loop_count);
}

/* == Memory and queues =========================================================================================== */

static xlashape_status memory_alloc(void* self, int32_t device, int32_t space, int64_t bytes, uint64_t* address,
                                    xlashape_error* err) {
  simulation* s = self;
  (void)space; /* there is only one */
  if (bytes >= INT64_C(1) << 40) return fail(err, XLASHAPE_STATUS_NO_MEMORY, "the device has less than 1 TiB");
  unsigned char* memory = s->host->alloc(s->host->opaque, (size_t)bytes + 1, 64);
  if (memory == NULL) return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for the buffer");
  lock(s);
  int number = 0;
  while (number < BUFFERS && s->buffers[number].bytes != NULL) ++number;
  if (number < BUFFERS) s->buffers[number] = (buffer){memory, bytes, number_of(device)};
  unlock(s);
  if (number == BUFFERS) {
    s->host->free(s->host->opaque, memory, (size_t)bytes + 1, 64);
    return fail(err, XLASHAPE_STATUS_NO_MEMORY, "the device has no more buffers");
  }
  *address = ADDRESS_OF(number);
  return XLASHAPE_STATUS_OK;
}

static xlashape_status memory_free(void* self, int32_t device, uint64_t address, int32_t space, xlashape_error* err) {
  simulation* s = self;
  const uint64_t number = (address >> 40) - 1;
  buffer gone = {0};
  lock(s);
  if (reach(s, address, space, number_of(device), 0, 0) != NULL && ADDRESS_OF(number) == address) {
    gone = s->buffers[number];
    s->buffers[number].bytes = NULL;
  }
  unlock(s);
  if (gone.bytes == NULL) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the address is no buffer of the device");
  s->host->free(s->host->opaque, gone.bytes, (size_t)gone.size + 1, 64);
  return XLASHAPE_STATUS_OK;
}

static xlashape_status memory_copy(void* self, int32_t device, uint64_t src, int32_t src_space, uint64_t dst,
                                   int32_t dst_space, int64_t bytes, const xlashape_queue* queue, xlashape_error* err) {
  const command c = {.kind = COPY,
                     .device = number_of(device),
                     .dst = dst,
                     .src = src,
                     .bytes = bytes,
                     .dst_space = dst_space,
                     .src_space = src_space};
  return submit(self, queue, &c, err);
}

static xlashape_status memory_fill(void* self, int32_t device, uint64_t dst, int32_t space, int32_t byte, int64_t bytes,
                                   const xlashape_queue* queue, xlashape_error* err) {
  const command c = {
      .kind = FILL, .device = number_of(device), .dst = dst, .bytes = bytes, .dst_space = space, .byte = byte};
  return submit(self, queue, &c, err);
}

/* Runs what was enqueued: programs must not rely on it earlier. */
static xlashape_status queue_sync(void* self, int32_t device, const xlashape_queue* queue, xlashape_error* err) {
  simulation* s = self;
  if (queue->kind == XLASHAPE_QUEUE_NONE) return XLASHAPE_STATUS_OK;
  struct queue* q = find_queue(s, number_of(device), queue, err);
  if (q == NULL) return XLASHAPE_STATUS_UNSUPPORTED;
  lock(s);
  run_until(s, q, q->enqueued);
  const char* failure = q->failure;
  q->failure = NULL;
  unlock(s);
  return failure == NULL ? XLASHAPE_STATUS_OK : fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, failure);
}

static xlashape_status queue_wait_event(void* self, int32_t device, const xlashape_queue* queue, uint64_t event,
                                        xlashape_error* err) {
  simulation* s = self;
  lock(s);
  const int is_known = QUEUE_OF(event) < ALL_QUEUES && COUNT_OF(event) <= s->queues[QUEUE_OF(event)].enqueued;
  unlock(s);
  if (!is_known) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the event was signalled by no queue");
  const command c = {.kind = WAIT, .device = number_of(device), .event = event};
  return submit(s, queue, &c, err);
}

/* The number of the last command covers all that were enqueued before. */
static xlashape_status queue_signal_event(void* self, int32_t device, const xlashape_queue* queue, uint64_t* event,
                                          xlashape_error* err) {
  simulation* s = self;
  struct queue* q = find_queue(s, number_of(device), queue, err);
  if (q == NULL) return XLASHAPE_STATUS_UNSUPPORTED;
  lock(s);
  *event = EVENT_OF(q - s->queues, q->enqueued);
  unlock(s);
  return XLASHAPE_STATUS_OK;
}

/* == The table =================================================================================================== */

static int32_t device_count(void* self) {
  (void)self;
  return DEVICES;
}

static int64_t device_info(void* self, int32_t device, char* text, int64_t capacity) {
  (void)self;
  return snprintf(text, (size_t)capacity, "simulated device %d, %d buffers, %d queues", number_of(device), BUFFERS,
                  QUEUES);
}

static void close(void* self) {
  simulation* s = self;
  for (int i = 0; i < BUFFERS; ++i)
    if (s->buffers[i].bytes != NULL)
      s->host->free(s->host->opaque, s->buffers[i].bytes, (size_t)s->buffers[i].size + 1, 64);
  const xlashape_host* host = s->host;
  host->free(host->opaque, s, sizeof *s, 64);
}

XLASHAPE_BACKEND_ENTRY(device)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  xlashape_backend table = {
      .abi_version = XLASHAPE_BACKEND_ABI_VERSION, .name = "device", .build_id = "device 1.0", .sanitizer = ""};
  if (table.abi_version < host->abi_min || table.abi_version > host->abi_max)
    return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "it speaks another plugin ABI");
  simulation* s = host->alloc(host->opaque, sizeof *s, 64);
  if (s == NULL) return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for the simulation");
  memset(s, 0, sizeof *s);
  atomic_flag_clear(&s->lock);
  s->host = host; /* lives until close has returned */
  table.self = s;
  table.memory_spaces = XLASHAPE_SPACE_BIT(DEVICE_SPACE);
  table.close = close;
  table.device_count = device_count;
  table.device_info = device_info;
  table.supports = supports;
  table.plan_tasks = plan_tasks;
  table.plan_execute = plan_execute;
  table.describe = describe;
  table.memory_alloc = memory_alloc;
  table.memory_free = memory_free;
  table.memory_copy = memory_copy;
  table.memory_fill = memory_fill;
  table.queue_sync = queue_sync;
  table.queue_wait_event = queue_wait_event;
  table.queue_signal_event = queue_signal_event;
  table.struct_size = backend->struct_size < sizeof table ? backend->struct_size : (uint32_t)sizeof table;
  memcpy(backend, &table, table.struct_size); /* write no more than the core's table has room for */
  return XLASHAPE_STATUS_OK;
}
