/* The bare C calls that bench.py measures from Python: JSON lines {"language": "c", "name", "ns"}. Best of seven runs; the
 * large relayout is a median. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xlashape.h>

#define TEXT "bf16[128,256]{1,0:T(8,128)(2,1)}"
#define RANK4 "f32[16,32,64,128]{3,2,1,0:T(8,128)}"
#define SIZE 4096

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void must(xlashape_status status) {
  if (status == 0) return;
  fprintf(stderr, "bench.c: %s\n", xlashape_status_name(status));
  exit(1);
}

static xlashape_error err = {sizeof err, 0, 0, 0, 0, 0, {0}};

#define MEASURE(name, number, per, call)                                            \
  do {                                                                              \
    double least = 1e300;                                                           \
    for (int run = 0; run < 7; ++run) {                                             \
      const double start = now();                                                   \
      for (long i = 0; i < (number); ++i) call;                                     \
      const double taken = (now() - start) / (double)(number) / (double)(per);      \
      if (taken < least) least = taken;                                             \
    }                                                                               \
    printf("{\"language\": \"c\", \"name\": \"%s\", \"ns\": %.2f}\n", name, least); \
  } while (0)

static xlashape_shape* parse(const char* text) {
  xlashape_shape* shape;
  must(xlashape_shape_parse(text, (int64_t)strlen(text), 0, &shape, &err));
  return shape;
}

static xlashape_plan* plan_of(const char* src, const char* dst) {
  xlashape_shape *from = parse(src), *to = parse(dst);
  xlashape_plan* plan;
  must(xlashape_plan_create(NULL, from, to, NULL, &plan, &err));
  xlashape_shape_release(from), xlashape_shape_release(to);
  return plan;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(void) {
  MEASURE("parse a shape", 200000, 1, xlashape_shape_release(parse(TEXT)));
  xlashape_shape* shape = parse(TEXT);
  char text[256];
  int64_t needed;
  MEASURE("shape to text", 200000, 1, must(xlashape_shape_print(shape, 0, text, sizeof text, &needed, &err)));
  xlashape_shape* rank4 = parse(RANK4);
  xlashape_index_map* map;
  must(xlashape_index_map_create(rank4, &map, &err));
  const int64_t index[4] = {3, 5, 7, 11};
  int64_t position;
  MEASURE("linear index, rank 4", 1000000, 1, must(xlashape_index_map_linear_index(map, index, 4, &position, &err)));
  for (int64_t count = 1024; count <= 1000000; count = count == 1024 ? 1000000 : count + 1) {
    int64_t *positions = malloc((size_t)count * 8), *indices = malloc((size_t)count * 32);
    char name[64];
    if (positions == NULL || indices == NULL) return 1;
    for (int64_t i = 0; i < count; ++i) positions[i] = i;
    snprintf(name, sizeof name, "unravel, per index of %d", (int)count);
    MEASURE(
        name, count == 1024 ? 2000 : 3, count,
        must(xlashape_index_map_multidimensional_indices(NULL, map, count, positions, indices, 4, 1, 0, NULL, &err)));
    free(positions), free(indices);
  }
  xlashape_plan* small = plan_of("f32[3,4]", "f32[3,4]{0,1}");
  char src[48] = {0}, dst[48];
  MEASURE("relayout of f32[3,4], kept plan", 1000000, 1, must(xlashape_plan_execute(small, src, dst, &err)));
  xlashape_plan* large = plan_of("f32[4096,4096]", "f32[4096,4096]{0,1}");
  char *from = malloc(SIZE * SIZE * 4), *to = malloc(SIZE * SIZE * 4);
  double taken[11];
  if (from == NULL || to == NULL) return 1;
  memset(from, 1, SIZE * SIZE * 4), memset(to, 0, SIZE * SIZE * 4);
  for (int i = 0; i < 11; ++i) {
    const double start = now();
    must(xlashape_plan_execute(large, from, to, &err));
    taken[i] = now() - start;
  }
  qsort(taken, 11, sizeof taken[0], compare);
  printf("{\"language\": \"c\", \"name\": \"relayout of 64 MB, kept plan\", \"ns\": %.0f}\n", taken[5]);
  free(from), free(to);
  xlashape_plan_release(small), xlashape_plan_release(large);
  xlashape_index_map_release(map), xlashape_shape_release(rank4), xlashape_shape_release(shape);
  return 0;
}
