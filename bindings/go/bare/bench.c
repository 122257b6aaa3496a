// The bare C calls that bench_test.go makes through Go, one JSON line each.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <xlashape.h>

static const char* kText = "bf16[128,256]{1,0:T(8,128)(2,1)}";
static const char* kRank4 = "f32[16,32,64,128]{3,2,1,0:T(8,128)}";
static xlashape_error err = {sizeof err};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void check(xlashape_status status) {
  if (status == XLASHAPE_STATUS_OK) return;
  fprintf(stderr, "%s\n", err.message);
  exit(1);
}

static void report(const char* name, double ns) { printf("{\"language\": \"c\", \"name\": \"%s\", \"ns\": %.2f}\n", name, ns); }

static xlashape_shape* shape(const char* text) {
  xlashape_shape* made;
  check(xlashape_shape_parse(text, strlen(text), 0, &made, &err));
  return made;
}

static xlashape_plan* plan(const char* src, const char* dst) {
  xlashape_plan* made;
  check(xlashape_plan_create(NULL, shape(src), shape(dst), NULL, &made, &err));
  return made;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The median of `rounds` times of `count` calls, per call.
#define MEASURE(name, rounds, count, ...)                         \
  do {                                                            \
    double times[rounds];                                         \
    for (int round_ = 0; round_ < (rounds); ++round_) {           \
      const double start = now();                                 \
      for (int64_t i = 0; i < (count); ++i) __VA_ARGS__;          \
      times[round_] = (now() - start) / (double)(count);          \
    }                                                             \
    qsort(times, rounds, sizeof *times, compare);                 \
    report(name, times[(rounds) / 2]);                            \
  } while (0)

static void unravel(const char* name, const xlashape_index_map* map, int64_t count, int64_t calls) {
  int64_t *linear = malloc((size_t)count * 8), *index = malloc((size_t)count * 32), bad;
  for (int64_t i = 0; i < count; ++i) linear[i] = i % xlashape_index_map_storage_elements(map);
  double times[9];
  for (int round = 0; round < 9; ++round) {
    const double start = now();
    for (int64_t i = 0; i < calls; ++i)
      check(xlashape_index_map_multidimensional_indices(NULL, map, count, linear, index, 4, 1, 0, &bad, &err));
    times[round] = (now() - start) / (double)(calls * count);
  }
  qsort(times, 9, sizeof *times, compare);
  report(name, times[4]);
  free(linear);
  free(index);
}

int main(void) {
  xlashape_shape *parsed, *of_text = shape(kText);
  MEASURE("parse a shape", 9, 100000, {
    check(xlashape_shape_parse(kText, strlen(kText), 0, &parsed, &err));
    xlashape_shape_release(parsed);
  });
  char text[128];
  int64_t needed;
  MEASURE("shape to text", 9, 100000, check(xlashape_shape_print(of_text, 0, text, sizeof text, &needed, &err)));
  xlashape_index_map* map;
  check(xlashape_index_map_create(shape(kRank4), &map, &err));
  int64_t index[4] = {1, 2, 40, 0}, linear;
  MEASURE("linear index, rank 4", 9, 1000000, {
    index[3] = i & 127;
    check(xlashape_index_map_linear_index(map, index, 4, &linear, &err));
  });
  unravel("unravel, per index of 1024", map, 1024, 1000);
  unravel("unravel, per index of 1000000", map, 1000000, 1);
  float from[12] = {0}, to[12];
  const xlashape_plan* small = plan("f32[3,4]{1,0}", "f32[3,4]{0,1}");
  MEASURE("relayout of f32[3,4], kept plan", 9, 1000000, check(xlashape_plan_execute(small, from, to, &err)));
  const xlashape_plan* large = plan("f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}");
  char *src = aligned_alloc(1 << 21, 64 << 20), *dst = aligned_alloc(1 << 21, 64 << 20);
  /* Go asks for large pages for its heap: the same memory here. */
  madvise(src, 64 << 20, MADV_HUGEPAGE), madvise(dst, 64 << 20, MADV_HUGEPAGE);
  memset(src, 1, 64 << 20);
  memset(dst, 2, 64 << 20);
  MEASURE("relayout of 64 MB, kept plan", 15, 1, check(xlashape_plan_execute(large, src, dst, &err)));
  return 0;
}
