/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape_draw: pictures of XLA's layouts, as text, SVG or a page. A library beside libxlashape, of one function.
 *
 * A layout to look at: the array's cells as one reads them, each with its place in memory, the tiles' borders, and the
 * padding where it is. Rows and columns run along the two dimensions that are most minor in memory; of large arrays the
 * first, the second and the last tile are shown, with exact counts of what is left out.
 *
 *     cc program.c $(pkg-config --cflags --libs xlashape_draw)
 *
 * Errors, threads, ownership, texts and structs are those of xlashape.h: see its start. Since 0.1.
 */
#ifndef XLASHAPE_DRAW_H_
#define XLASHAPE_DRAW_H_

#include <xlashape.h>

/* Define XLASHAPE_STATIC where the library is linked in as an archive; it matters on Windows only. */
#if defined(XLASHAPE_STATIC)
#define XLASHAPE_DRAW_API
#elif defined(_WIN32)
#if defined(XLASHAPE_DRAW_BUILD)
#define XLASHAPE_DRAW_API __declspec(dllexport)
#else
#define XLASHAPE_DRAW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define XLASHAPE_DRAW_API __attribute__((visibility("default")))
#else
#define XLASHAPE_DRAW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define XLASHAPE_DRAW_TEXT 0 /* for a terminal: UTF-8, one line of characters per row */
#define XLASHAPE_DRAW_SVG 1  /* one <svg> element, readable on light and dark ground */
#define XLASHAPE_DRAW_HTML 2 /* a page that needs nothing else, with a slider through the order in memory */

/* What stands in a cell. */
#define XLASHAPE_DRAW_POSITION 0 /* in memory, counted in elements; of a tile, counted in such tiles */
#define XLASHAPE_DRAW_INDEX 1
#define XLASHAPE_DRAW_BYTE 2 /* the first byte; where elements are no whole bytes, byte.bit */
#define XLASHAPE_DRAW_TILE 3 /* the outermost tile, in the memory's order */
#define XLASHAPE_DRAW_LANE 4 /* sublane.lane of a TPU's register of 8 x 128 words of 32 bits */
#define XLASHAPE_DRAW_NOTHING 5

/* What colours mean. */
#define XLASHAPE_DRAW_BY_POSITION 0 /* the order in memory of what is shown, from dark to light */
#define XLASHAPE_DRAW_BY_TILE 1
#define XLASHAPE_DRAW_BY_DIMENSION 2 /* the index of color_dimension */

#define XLASHAPE_DRAW_COLOR (1u << 0) /* text: with 24-bit colours, as escape sequences */
#define XLASHAPE_DRAW_ASCII (1u << 1) /* text: nothing but ASCII */
#define XLASHAPE_DRAW_DATA (1u << 2) /* SVG: what is known of a cell as data- attributes, for programs, not as titles */

/* Zero or NULL: the default. */
typedef struct xlashape_draw_options {
  uint32_t struct_size;
  uint32_t flags;
  int32_t format; /* XLASHAPE_DRAW_TEXT, _SVG, _HTML */
  int32_t show;
  int32_t color_by;
  int32_t color_dimension;
  int32_t zoom;      /* 0: a cell is an element; 1: a tile of the innermost level; 2: of the one around it, ... */
  int32_t columns;   /* text: characters per line, from 20 on, which a shape's text may exceed; 0: 80 */
  int32_t max_cells; /* to show at most of an array, from 9 on; 0: 1024 in text, else 4096 or as many as keep an SVG
                            below 1 MB */
  int32_t reserved;
  int64_t overlay_bytes; /* marks where blocks of so many bytes end, and counts those that a row touches; 0: none */
  const int64_t* at;     /* per dimension an index to show alone, or -1; NULL: -1 everywhere */
  int64_t at_count;      /* the rank, or 0 */
} xlashape_draw_options;

/* Draws an array: `*needed` bytes of text with the final NUL, of which `text` gets what `capacity` has room for (0:
 * asks for the size). With `other`, an array of the same dimensions: both, each element in the same colour, and what a
 * relayout from one to the other does. The shapes are borrowed for the call. UNSUPPORTED for what is no array, for
 * unbounded dimensions, and with zoom where tiles do not nest; OUT_OF_RANGE for an option beyond its range and a
 * capacity that is too small; OVERFLOW where the array's bytes do not fit int64. */
XLASHAPE_DRAW_API xlashape_status xlashape_draw(const xlashape_shape* shape,
                                                const xlashape_shape* other XLASHAPE_NULLABLE,
                                                const xlashape_draw_options* options XLASHAPE_NULLABLE,
                                                char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity,
                                                int64_t* needed, xlashape_error* err);

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_DRAW_H_ */
