/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is linked with the static library: which backend moves its bytes, and what became of the rest. */
#include <stdio.h>
#include <string.h>
#include <xlashape_runtime.h>

static int failed(const char* what, const xlashape_error* err) {
  printf("%s: %s\n", what, err->message);
  return 1;
}

int main(int argc, char** argv) {
  enum { kRows = 37, kColumns = 50 };
  static float src[kRows][kColumns], dst[kColumns][kRows];
  static char text[16384];
  xlashape_error err = XLASHAPE_INIT(xlashape_error);
  xlashape_shape *from = NULL, *to = NULL;
  xlashape_plan* plan = NULL;
  const char *row = "f32[37,50]{1,0}", *column = "f32[37,50]{0,1}";
  if (xlashape_shape_parse(row, (int64_t)strlen(row), 0, &from, &err) != 0) return failed("parse", &err);
  if (xlashape_shape_parse(column, (int64_t)strlen(column), 0, &to, &err) != 0) return failed("parse", &err);
  if (xlashape_plan_create(NULL, from, to, NULL, &plan, &err) != 0) return failed("plan", &err);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) src[i][j] = (float)(i * kColumns + j);
  if (xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err) != 0) return failed("execute", &err);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j)
      if (dst[j][i] != src[i][j]) return printf("wrong at %d, %d\n", i, j), 1;
  printf("moved by %s\n", xlashape_plan_backend(plan));
  if (argc > 1) { /* a backend to load by path */
    const xlashape_status status = xlashape_runtime_load_backend(NULL, argv[1], (int64_t)strlen(argv[1]), &err);
    printf("loading: %s: %s\n", xlashape_status_name(status), status == 0 ? "" : err.message);
  }
  if (xlashape_runtime_report(NULL, text, sizeof text, &(int64_t){0}, &err) != 0) return failed("report", &err);
  fputs(text, stdout);
  xlashape_plan_release(plan);
  xlashape_shape_release(from);
  xlashape_shape_release(to);
  return 0;
}
