/* SPDX-License-Identifier: Apache-2.0 */
/* A program that has OpenCL buffers and a queue of its own, and relays them out through the public interface. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xlashape_runtime.h"

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      printf("%s:%d: %s\n  %s\n", __FILE__, __LINE__, #condition, g_err.message); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

enum { kRows = 100, kColumns = 300, kElements = kRows * kColumns, kBytes = 4 * kElements, kOffset = 4096 };

static xlashape_error g_err;
static xlashape_shape *g_src, *g_dst;
static float g_in[kElements], g_out[kElements], g_want[kElements];

static xlashape_shape* parse(const char* words) {
  xlashape_shape* shape = NULL;
  CHECK(xlashape_shape_parse(words, strlen(words), 0, &shape, &g_err) == XLASHAPE_STATUS_OK);
  return shape;
}

static xlashape_plan* make_plan(xlashape_memory_space src, xlashape_memory_space dst, const char* backend) {
  xlashape_relayout_options options = XLASHAPE_INIT(xlashape_relayout_options);
  options.src_space = src;
  options.dst_space = dst;
  options.backend = backend;
  xlashape_plan* plan = NULL;
  CHECK(xlashape_plan_create(NULL, g_src, g_dst, &options, &plan, &g_err) == XLASHAPE_STATUS_OK);
  return plan;
}

static xlashape_execute_options exec_of(uint64_t src, int64_t src_offset, uint64_t dst, int64_t dst_offset) {
  xlashape_execute_options exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = src;
  exec.dst = dst;
  exec.src_bytes = exec.dst_bytes = XLASHAPE_UNCHECKED;
  exec.src_byte_offset = src_offset;
  exec.dst_byte_offset = dst_offset;
  return exec;
}

/* Whether the object of that name is mapped into this process. */
static int is_mapped(const char* name) {
  char line[1024];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) found |= strstr(line, name) != NULL;
  if (maps != NULL) fclose(maps);
  return found;
}

int main(void) {
  g_err.struct_size = sizeof g_err;
  g_src = parse("f32[100,300]{1,0}");
  g_dst = parse("f32[100,300]{0,1}");
  for (int i = 0; i < kElements; ++i) g_in[i] = (float)i;
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kColumns; ++c) g_want[c * kRows + r] = g_in[r * kColumns + c];

  /* A plan between host buffers maps no object for devices. */
  xlashape_plan_release(make_plan(XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CPU, NULL));
  CHECK(!is_mapped("/opencl.so") && !is_mapped("/cuda.so"));

  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  cl_context foreign = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  cl_command_queue follower = clCreateCommandQueue(context, device, 0, &code);
  cl_mem src = clCreateBuffer(context, CL_MEM_READ_WRITE, kOffset + kBytes, NULL, &code);
  cl_mem dst = clCreateBuffer(context, CL_MEM_READ_WRITE, kOffset + kBytes, NULL, &code);
  cl_mem elsewhere = clCreateBuffer(foreign, CL_MEM_READ_WRITE, kBytes, NULL, &code);
  CHECK(code == CL_SUCCESS);
  const xlashape_queue on_queue = {XLASHAPE_QUEUE_OPENCL, 0, (uint64_t)(uintptr_t)queue};
  const xlashape_queue on_follower = {XLASHAPE_QUEUE_OPENCL, 0, (uint64_t)(uintptr_t)follower};
  CHECK(clEnqueueWriteBuffer(queue, src, CL_TRUE, kOffset, kBytes, g_in, 0, NULL, NULL) == CL_SUCCESS);

  /* Both sides on the device, on the caller's queue: the call returns at once, the queue keeps the order. */
  xlashape_plan* plan = make_plan(XLASHAPE_SPACE_OPENCL, XLASHAPE_SPACE_OPENCL, NULL);
  CHECK(strcmp(xlashape_plan_backend(plan), "opencl") == 0 && is_mapped("/opencl.so"));
  xlashape_execute_options exec = exec_of((uint64_t)(uintptr_t)src, kOffset, (uint64_t)(uintptr_t)dst, 8);
  exec.src_bytes = exec.dst_bytes = kOffset + kBytes;
  exec.queue.kind = XLASHAPE_QUEUE_OPENCL;
  exec.queue.handle = (uint64_t)(uintptr_t)queue;
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(clEnqueueReadBuffer(queue, dst, CL_TRUE, 8, kBytes, g_out, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(memcmp(g_out, g_want, kBytes) == 0);

  /* Without a queue the call waits. */
  exec.queue.kind = XLASHAPE_QUEUE_NONE;
  exec.dst_byte_offset = kOffset;
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(clEnqueueReadBuffer(queue, dst, CL_TRUE, kOffset, kBytes, g_out, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(memcmp(g_out, g_want, kBytes) == 0);

  /* A queue waits for an event of the program's, another one for what the first one did,
   * and the program for that one. */
  cl_event begin = clCreateUserEvent(context, NULL), read;
  cl_int ran;
  uint64_t turned = 0;
  memset(g_out, 0, sizeof g_out);
  CHECK(clEnqueueWriteBuffer(queue, dst, CL_TRUE, 8, kBytes, g_out, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(xlashape_queue_wait_event(NULL, 0, XLASHAPE_SPACE_OPENCL, &on_queue, (uint64_t)(uintptr_t)begin, &g_err) ==
        XLASHAPE_STATUS_OK);
  exec.dst_byte_offset = 8;
  exec.queue.kind = XLASHAPE_QUEUE_OPENCL;
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(xlashape_queue_signal_event(NULL, 0, XLASHAPE_SPACE_OPENCL, &on_queue, &turned, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(turned != 0);
  CHECK(xlashape_queue_wait_event(NULL, 0, XLASHAPE_SPACE_OPENCL, &on_follower, turned, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(clEnqueueReadBuffer(follower, dst, CL_FALSE, 8, kBytes, g_out, 0, NULL, &read) == CL_SUCCESS);
  for (int i = 0; i < 200000; ++i) { /* for a while: what waits for nothing would have ended by then */
    CHECK(clGetEventInfo(i % 2 == 0 ? (cl_event)(uintptr_t)turned : read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ran,
                         &ran, NULL) == CL_SUCCESS);
    CHECK(ran != CL_COMPLETE);
  }
  CHECK(clSetUserEventStatus(begin, CL_COMPLETE) == CL_SUCCESS);
  CHECK(xlashape_queue_sync(NULL, 0, XLASHAPE_SPACE_OPENCL, &on_follower, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(memcmp(g_out, g_want, kBytes) == 0);
  CHECK(clReleaseEvent((cl_event)(uintptr_t)turned) == CL_SUCCESS);
  clReleaseEvent(read);
  clReleaseEvent(begin);
  CHECK(xlashape_queue_wait_event(NULL, 0, XLASHAPE_SPACE_OPENCL, &on_queue, 0, &g_err) ==
        XLASHAPE_STATUS_INVALID_ARGUMENT);
  CHECK(strcmp(g_err.message, "event is NULL: opencl takes a cl_event") == 0);
  exec.queue.kind = XLASHAPE_QUEUE_NONE;

  /* What cannot be: beyond the buffer, on a queue of another kind, in another context. */
  exec.dst_byte_offset = kOffset + 4;
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_OUT_OF_RANGE);
  exec.dst_byte_offset = 0;
  exec.queue.kind = XLASHAPE_QUEUE_CUDA;
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_UNSUPPORTED);
  exec = exec_of((uint64_t)(uintptr_t)src, kOffset, (uint64_t)(uintptr_t)elsewhere, 0);
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(g_err.message, "another OpenCL context") != NULL);
  xlashape_plan_release(plan);

  /* One side on the host: a copy, and the relayout on the device. Such a call waits, so it takes no queue. */
  plan = make_plan(XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_OPENCL, NULL);
  exec = exec_of((uint64_t)(uintptr_t)g_in, 0, (uint64_t)(uintptr_t)dst, 64);
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_OK);
  exec.queue.kind = XLASHAPE_QUEUE_OPENCL;
  exec.queue.handle = (uint64_t)(uintptr_t)queue;
  CHECK(xlashape_plan_execute_with(plan, &exec, &g_err) == XLASHAPE_STATUS_UNSUPPORTED);
  CHECK(clEnqueueReadBuffer(queue, dst, CL_TRUE, 64, kBytes, g_out, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(memcmp(g_out, g_want, kBytes) == 0);
  xlashape_plan_release(plan);

  /* Host data goes to a device only where that is asked for by name, and then it says that this is slow. */
  plan = make_plan(XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CPU, NULL);
  CHECK(strcmp(xlashape_plan_backend(plan), "opencl") != 0);
  xlashape_plan_release(plan);
  plan = make_plan(XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CPU, "opencl");
  CHECK(strcmp(xlashape_plan_backend(plan), "opencl") == 0);
  char words[512];
  int64_t needed;
  CHECK(xlashape_plan_describe(plan, words, sizeof words, &needed, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(strstr(words, "slow") != NULL);
  memset(g_out, 0, sizeof g_out);
  CHECK(xlashape_plan_execute(plan, g_in, kBytes, g_out, kBytes, &g_err) == XLASHAPE_STATUS_OK);
  CHECK(memcmp(g_out, g_want, kBytes) == 0);
  xlashape_plan_release(plan);

  clReleaseMemObject(src);
  clReleaseMemObject(dst);
  clReleaseMemObject(elsewhere);
  clReleaseCommandQueue(queue);
  clReleaseCommandQueue(follower);
  clReleaseContext(context);
  clReleaseContext(foreign);
  xlashape_shape_release(g_src);
  xlashape_shape_release(g_dst);
  printf("%s\n", words);
  return 0;
}
