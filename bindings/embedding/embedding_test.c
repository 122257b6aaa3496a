/* SPDX-License-Identifier: Apache-2.0 */
// Runs the code of docs/embedding.md, which test.sh extracts to embedding.h: one line for each thing that holds.
// embedding_test FOLDER: with copies of the library, and its backends beside it, in FOLDER/a and FOLDER/b.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xlashape_runtime.h>

#include "embedding.h"

enum { kSide = 1024, kThreads = 3 };
static const char* kRows = "f32[1024,1024]{1,0}";
static const char* kColumns = "f32[1024,1024]{0,1}";
static float src[kSide * kSide], dst[kSide * kSide];
static int failed;
static xlashape_error err = {sizeof err};

static void holds(const char* what, int condition) {
  printf("%s %s\n", condition ? "ok" : "FAIL", what);
  if (!condition) {
    printf("  the last error: %s\n", err.message);
    failed = 1;
  }
}

static xlashape_plan* plan_on(xlashape_runtime* runtime) {
  xlashape_shape *from = NULL, *to = NULL;
  xlashape_plan* plan = NULL;
  if (xlashape_shape_parse(kRows, strlen(kRows), 0, &from, &err) == 0 &&
      xlashape_shape_parse(kColumns, strlen(kColumns), 0, &to, &err) == 0)
    xlashape_plan_create(runtime, from, to, NULL, &plan, &err);
  xlashape_shape_release(from);
  xlashape_shape_release(to);
  return plan;
}

static int transposed(void) {
  for (int i = 0; i < kSide; ++i)
    for (int k = 0; k < kSide; ++k)
      if (dst[k * kSide + i] != src[i * kSide + k]) return 0;
  memset(dst, 0, sizeof dst);
  return 1;
}

// What the copy of the library in `folder` says of itself. It is used by name only: its handles are its own.
static void copy_in(const char* folder, const char* name, void** address, char* report, int64_t room) {
  char path[512];
  const char* reason = NULL;
  int64_t needed = 0;
  snprintf(path, sizeof path, "%s/%s/libxlashape.so.0.1", folder, name);
  void* library = open_xlashape(path, &reason);
  report[0] = '\0';
  if (library == NULL) {
    printf("  %s\n", reason);
    return;
  }
  *address = dlsym(library, "xlashape_shape_parse");
  xlashape_status (*tell)(xlashape_runtime*, char*, int64_t, int64_t*, xlashape_error*);
  *(void**)&tell = dlsym(library, "xlashape_runtime_report");
  tell(NULL, report, room, &needed, &err);
  dlclose(library);
}

static void test_copies(const char* folder) {
  static char a[65536], b[65536];
  char own_a[512], own_b[512];
  void *in_a = NULL, *in_b = NULL;
  copy_in(folder, "a", &in_a, a, sizeof a);
  copy_in(folder, "b", &in_b, b, sizeof b);
  holds("two copies are two libraries, and neither is the linked one",
        in_a != NULL && in_b != NULL && in_a != in_b && in_a != (void*)xlashape_shape_parse);
  snprintf(own_a, sizeof own_a, "%s/a/xlashape", folder);
  snprintf(own_b, sizeof own_b, "%s/b/xlashape", folder);
  holds("each looks for backends beside itself",
        strstr(a, own_a) != NULL && strstr(a, own_b) == NULL && strstr(b, own_b) != NULL && strstr(b, own_a) == NULL);
  const char* reason = NULL;
  holds("a library that is not there has a reason",
        open_xlashape("/nowhere/libxlashape.so", &reason) == NULL && reason != NULL);
}

static void test_bundle(const char* folder) {
  char backends[512];
  snprintf(backends, sizeof backends, "%s/a/xlashape", folder);
  xlashape_runtime* runtime = NULL;
  holds("a runtime of a bundle", bundle_runtime(backends, &runtime, &err) == 0);
  xlashape_plan* plan = plan_on(runtime);
  holds("its backends run",
        plan != NULL && xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err) == 0 && transposed());
  int elsewhere = 0;
  for (int64_t i = 0; i < xlashape_runtime_backend_count(runtime); ++i) {
    char* path = backend_text(runtime, i, XLASHAPE_BACKEND_TEXT_PATH);
    elsewhere |= path == NULL || (path[0] != '\0' && strncmp(path, backends, strlen(backends)) != 0);
    free(path);
  }
  holds("a text that there is not", backend_text(runtime, 99, XLASHAPE_BACKEND_TEXT_PATH) == NULL);
  holds("and no others", xlashape_runtime_backend_count(runtime) > 1 && !elsewhere);
  xlashape_plan_release(plan);
  xlashape_runtime_release(runtime);
}

struct share {
  const xlashape_plan* plan;
  int64_t part;
  int status;
};

static void* run_share(void* argument) {
  struct share* share = argument;
  share->status = execute_share(share->plan, src, sizeof src, dst, sizeof dst, share->part, kThreads, NULL);
  return NULL;
}

struct caller {
  const xlashape_plan* plan;
  float* dst;
  int wrong;
};

static void* call_often(void* argument) {
  struct caller* caller = argument;
  for (int i = 0; i < 20; ++i) {
    memset(caller->dst, 0, sizeof dst);
    caller->wrong |= xlashape_plan_execute(caller->plan, src, sizeof src, caller->dst, sizeof src, NULL) != 0;
    for (int k = 0; k < kSide; ++k) caller->wrong |= caller->dst[k * kSide + i] != src[i * kSide + k];
  }
  return NULL;
}

static void test_pool(void) {
  static struct pool pool;
  static float results[kThreads][kSide * kSide];
  const uint32_t workers = start_pool(&pool, 2);
  const xlashape_executor executor = pool_executor(&pool, workers);
  xlashape_runtime_options options = XLASHAPE_INIT(xlashape_runtime_options);
  options.executor = &executor;
  xlashape_runtime* runtime = NULL;
  xlashape_runtime_create(&options, &runtime, &err);
  xlashape_plan* plan = plan_on(runtime);
  holds("an executor",
        plan != NULL && xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err) == 0 && transposed());
  struct caller callers[kThreads];
  pthread_t threads[kThreads];
  int ok = plan != NULL;
  for (int i = 0; i < kThreads; ++i) {
    callers[i] = (struct caller){plan, results[i], 0};
    ok &= pthread_create(&threads[i], NULL, call_often, &callers[i]) == 0;
  }
  for (int i = 0; i < kThreads; ++i) ok &= pthread_join(threads[i], NULL) == 0 && !callers[i].wrong;
  holds("one pool for several callers at once", ok);
  stop_pool(&pool, workers);
  ok = plan != NULL && xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err) == XLASHAPE_STATUS_CANCELLED;
  holds("an executor that gives up", ok);
  xlashape_plan_release(plan);
  xlashape_runtime_release(runtime);
}

// Pieces that share bytes where they are cut anywhere, and padding of a value and of packed elements.
static void test_pieces(void) {
  static const char* const layouts[] = {"{1,0:T(64,128)(8,1)E(4)}", "{0,1:E(4)}", "{1,0:T(8,128)E(4)PD(70,210)PV(one)}",
                                        "{1,0:E(4)PD(70,210)}", "{1,0}"};
  static unsigned char from[63 * 200], whole[1 << 15], made[1 << 15];
  for (size_t i = 0; i < sizeof from; ++i) from[i] = (unsigned char)(i * 7 % 16);
  int ok = 1;
  for (size_t l = 0; l < sizeof layouts / sizeof *layouts; ++l) {
    char text[64];
    xlashape_shape *a = NULL, *b = NULL;
    snprintf(text, sizeof text, "u4[63,200]%s", layouts[l]);
    ok &= xlashape_shape_parse("u4[63,200]", 10, 0, &a, &err) == 0 &&
          xlashape_shape_parse(text, (int64_t)strlen(text), 0, &b, &err) == 0;
    ok = ok && xlashape_relayout(NULL, a, from, sizeof from, b, whole, sizeof whole, NULL, &err) == 0;
    for (int64_t pieces = 1; ok && pieces <= 16; pieces += 3) {
      memset(made, 0x55, sizeof made);
      xlashape_sizes sizes = XLASHAPE_INIT(xlashape_sizes);
      ok &= xlashape_shape_sizes(b, &sizes, &err) == 0;
      ok &= upload(a, from, sizeof from, b, made, sizeof made, pieces, &err) == 0 &&
            memcmp(whole, made, (size_t)sizes.bytes) == 0;
    }
    xlashape_shape_release(a);
    xlashape_shape_release(b);
  }
  holds("an upload in pieces", ok);
}

static void test_threads(void) {
  struct share shares[kThreads];
  pthread_t threads[kThreads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  xlashape_plan* plan = plan_on(NULL);
  int ok = plan != NULL;
  for (int i = 0; i < kThreads; ++i) {
    shares[i] = (struct share){plan, i, -1};
    ok &= pthread_create(&threads[i], &small, run_share, &shares[i]) == 0;
  }
  for (int i = 0; i < kThreads; ++i) ok &= pthread_join(threads[i], NULL) == 0 && shares[i].status == 0;
  holds("shares on threads of 256 KiB are one execution", ok && transposed());
  xlashape_plan_release(plan);

  test_pool();
}

static void test_memory(void) {
  const long long room = 1 << 20;
  atomic_llong left = room;
  const xlashape_allocator allocator = budget_allocator(&left);
  xlashape_runtime_options options = XLASHAPE_INIT(xlashape_runtime_options);
  options.allocator = &allocator;
  xlashape_runtime* runtime = NULL;
  xlashape_runtime_create(&options, &runtime, &err);
  xlashape_plan* plan = plan_on(runtime);
  holds("plans come out of the budget", plan != NULL && atomic_load(&left) < room);
  const long long rest = atomic_exchange(&left, 8);
  holds("a spent budget is NO_MEMORY",
        plan_on(runtime) == NULL && err.code == XLASHAPE_STATUS_NO_MEMORY && atomic_load(&left) == 8);
  atomic_store(&left, rest);
  xlashape_plan_release(plan);
  xlashape_runtime_release(runtime);
  holds("all of it comes back", atomic_load(&left) == room);
}

static void test_choices(void) {
  xlashape_runtime* runtime = NULL;
  char report[8192];
  int64_t needed = 0;
  holds("a runtime that leaves GPUs alone is made", service_runtime(&runtime, &err) == 0);
  xlashape_runtime_report(runtime, report, sizeof report, &needed, &err);
  holds("its report says so", strstr(report, "options: denied backends: cuda,opencl\n") != NULL);
  xlashape_plan* plan = plan_on(runtime);
  holds("it relays out on the CPU",
        plan != NULL && xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err) == 0 && transposed());
  xlashape_plan_release(plan);
  xlashape_runtime_release(runtime);
}

static void test_list(void) {
  xlashape_plan* plan = plan_on(NULL);
  static float other[kSide * kSide];
  xlashape_plan* plans[] = {plan, plan};
  const void* from[] = {src, src};
  void* to[] = {other, dst};
  const int64_t sizes[] = {sizeof src, sizeof src};
  holds("a list is moved in one call", move_all(2, plans, from, sizes, to, sizes, &err) == 0);
  holds("both arrays of it", memcmp(other, dst, sizeof dst) == 0 && transposed());
  to[1] = src;
  holds("what is wrong is named by its number",
        move_all(2, plans, from, sizes, to, sizes, &err) != 0 && err.index == 1);
  xlashape_plan_release(plan);
}

static void test_watched(void) {
  xlashape_plan* plan = plan_on(NULL);
  struct transfer transfer = {0, 0};
  holds("an execution that is watched",
        execute_watched(plan, src, sizeof src, dst, sizeof dst, &transfer, &err) == 0 && transposed());
  holds("all of it was told", atomic_load(&transfer.done) == 1);
  atomic_store(&transfer.cancel, 1);
  holds("one that is cancelled ends",
        execute_watched(plan, src, sizeof src, dst, sizeof dst, &transfer, &err) == XLASHAPE_STATUS_CANCELLED &&
            dst[1] == 0);
  xlashape_plan_release(plan);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (int i = 0; i < kSide * kSide; ++i) src[i] = (float)i;
  test_copies(argv[1]);
  test_bundle(argv[1]);
  test_threads();
  test_memory();
  test_choices();
  test_list();
  test_watched();
  test_pieces();
  return failed;
}
