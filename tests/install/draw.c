/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a layout: what a user of libxlashape_draw needs is installed. */
#include <stdio.h>
#include <string.h>
#include <xlashape_draw.h>

int main(void) {
  const char* tiled = "u8[3,4]{0,1:T(2,2)}";
  char text[2048];
  int64_t needed;
  xlashape_shape* shape;
  xlashape_error err = XLASHAPE_INIT(xlashape_error);
  if (xlashape_shape_parse(tiled, (int64_t)strlen(tiled), 0, &shape, &err) ||
      xlashape_draw(shape, NULL, NULL, text, sizeof text, &needed, &err)) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  fputs(text, stdout);
  xlashape_shape_release(shape);
  return 0;
}
