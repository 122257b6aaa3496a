/* SPDX-License-Identifier: Apache-2.0 */
/* The whole way, in C99: text, shape, sizes, index map, plan, memory. Prints what went wrong. Each release keeps this
 * program as it was compiled for it, and later libraries are run with it (packaging/abi.py). */
#include <stdio.h>
#include <string.h>

#include "xlashape.h"

static int passed, failed;

static void check(int holds, const char* what, int line) {
  if (holds) {
    ++passed;
  } else {
    ++failed;
    printf("FAILED: line %d: %s\n", line, what);
  }
}
#define CHECK(expression) check((expression) ? 1 : 0, #expression, __LINE__)

int main(void) {
  static const char text[] = "u8[3,5]{0,1:T(4,2)}";
  xlashape_error err = XLASHAPE_INIT(xlashape_error);
  xlashape_shape *from = NULL, *to = NULL;
  xlashape_index_map* map = NULL;
  xlashape_plan* plan = NULL;
  xlashape_sizes sizes = XLASHAPE_INIT(xlashape_sizes);
  int64_t dimensions[2] = {3, 5}, index[2] = {2, 4}, linear = -1, row, column;
  uint8_t src[15], dst[32], back[15];
  char printed[64];
  int32_t is_padding = -1;
  int64_t needed = 0, i;

  CHECK(xlashape_abi_version() == XLASHAPE_ABI_VERSION || XLASHAPE_ABI_VERSION >> 16 != 0);
  CHECK(xlashape_shape_parse(text, strlen(text), 0, &to, &err) == XLASHAPE_STATUS_OK);
  CHECK(xlashape_shape_create_array(XLASHAPE_TYPE_U8, dimensions, NULL, 2, NULL, 0, &from, &err) == XLASHAPE_STATUS_OK);
  CHECK(xlashape_shape_print(to, 0, printed, sizeof printed, &needed, &err) == XLASHAPE_STATUS_OK);
  CHECK(strcmp(printed, text) == 0 && needed == (int64_t)sizeof text);

  CHECK(xlashape_shape_sizes(to, &sizes, &err) == XLASHAPE_STATUS_OK);
  CHECK(sizes.bytes == 32 && sizes.elements == 15);

  CHECK(xlashape_index_map_create(to, &map, &err) == XLASHAPE_STATUS_OK);
  CHECK(xlashape_index_map_linear_index(map, index, 2, &linear, &err) == XLASHAPE_STATUS_OK);
  CHECK(xlashape_index_map_multidimensional_index(map, linear, index, 2, &is_padding, &err) == XLASHAPE_STATUS_OK);
  CHECK(is_padding == 0 && index[0] == 2 && index[1] == 4);
  index[1] = 5;
  CHECK(xlashape_index_map_linear_index(map, index, 2, &linear, &err) == XLASHAPE_STATUS_OUT_OF_RANGE);
  CHECK(err.code == XLASHAPE_STATUS_OUT_OF_RANGE && strstr(err.message, "index[1] is 5") != NULL);

  for (i = 0; i < (int64_t)sizeof src; ++i) src[i] = (uint8_t)(100 + i);
  CHECK(xlashape_relayout(NULL, from, src, sizeof src, to, dst, 31, NULL, &err) == XLASHAPE_STATUS_OUT_OF_RANGE);
  CHECK(xlashape_relayout(NULL, from, src, sizeof src, to, dst, sizeof dst, NULL, &err) == XLASHAPE_STATUS_OK);
  for (row = 0; row < 3; ++row) {
    for (column = 0; column < 5; ++column) {
      index[0] = row;
      index[1] = column;
      CHECK(xlashape_index_map_linear_index(map, index, 2, &linear, &err) == XLASHAPE_STATUS_OK);
      CHECK(dst[linear] == src[row * 5 + column]);
    }
  }
  CHECK(xlashape_plan_create(NULL, to, from, NULL, &plan, &err) == XLASHAPE_STATUS_OK);
  CHECK(xlashape_plan_execute(plan, dst, sizeof dst, back, sizeof back, &err) == XLASHAPE_STATUS_OK);
  CHECK(memcmp(src, back, sizeof src) == 0);
  xlashape_plan_release(plan);
  xlashape_index_map_release(map);
  xlashape_shape_release(from);
  xlashape_shape_release(to);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
