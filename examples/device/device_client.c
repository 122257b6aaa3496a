/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses its own device through xlashape.h: it adds the backend, allocates, copies, relayouts and waits.
 */
#include <stdio.h>
#include <string.h>
#include <xlashape_runtime.h>

#include "device.h"

static xlashape_error err = {.struct_size = sizeof err};
#define TRY(call) \
  if (call) return fprintf(stderr, "%s\n", err.message), 1

static xlashape_shape* parse(const char* text) {
  xlashape_shape* shape = NULL;
  xlashape_shape_parse(text, (int64_t)strlen(text), 0, &shape, &err);
  return shape;
}

int main(void) {
  xlashape_runtime* runtime = NULL;
  TRY(xlashape_runtime_create(NULL, &runtime, &err));
  TRY(xlashape_runtime_add_backend(runtime, "device", 6, xlashape_backend_open_device, NULL, NULL, 0, &err));

  /* A plan for the second device. */
  xlashape_shape *rows = parse("s32[2,3]{1,0}"), *columns = parse("s32[2,3]{0,1}");
  xlashape_relayout_options options = XLASHAPE_INIT(xlashape_relayout_options);
  options.src_space = options.dst_space = DEVICE_SPACE;
  options.device = XLASHAPE_DEVICE(1);
  xlashape_plan* plan = NULL;
  TRY(xlashape_plan_create(runtime, rows, columns, &options, &plan, &err));
  char line[128];
  int64_t needed;
  TRY(xlashape_plan_describe(plan, line, sizeof line, &needed, &err));
  puts(line);

  /* Everything goes to queue 1; results are there only after waiting for the queue. */
  const xlashape_queue queue = {.kind = DEVICE_QUEUE_KIND, .handle = 1};
  const int32_t in[6] = {1, 2, 3, 4, 5, 6};
  int32_t out[6] = {0};
  const int64_t bytes = sizeof in;
  uint64_t src = 0, dst = 0;
  TRY(xlashape_memory_alloc(runtime, XLASHAPE_DEVICE(1), DEVICE_SPACE, bytes, &src, &err));
  TRY(xlashape_memory_alloc(runtime, XLASHAPE_DEVICE(1), DEVICE_SPACE, bytes, &dst, &err));
  TRY(xlashape_memory_copy(runtime, XLASHAPE_DEVICE(1), (uint64_t)(uintptr_t)in, XLASHAPE_SPACE_CPU, src, DEVICE_SPACE,
                           bytes, &queue, &err));
  xlashape_execute_options run = XLASHAPE_INIT(xlashape_execute_options);
  run.queue = queue;
  run.src = src;
  run.dst = dst;
  run.src_bytes = run.dst_bytes = bytes;
  TRY(xlashape_plan_execute_with(plan, &run, &err));
  TRY(xlashape_memory_copy(runtime, XLASHAPE_DEVICE(1), dst, DEVICE_SPACE, (uint64_t)(uintptr_t)out, XLASHAPE_SPACE_CPU,
                           bytes, &queue, &err));
  printf("enqueued: %d %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
  TRY(xlashape_queue_sync(runtime, XLASHAPE_DEVICE(1), DEVICE_SPACE, &queue, &err));
  printf("done:     %d %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);

  TRY(xlashape_memory_free(runtime, XLASHAPE_DEVICE(1), src, DEVICE_SPACE, &err));
  TRY(xlashape_memory_free(runtime, XLASHAPE_DEVICE(1), dst, DEVICE_SPACE, &err));
  xlashape_plan_release(plan);
  xlashape_shape_release(rows);
  xlashape_shape_release(columns);
  xlashape_runtime_release(runtime);
  return 0;
}
