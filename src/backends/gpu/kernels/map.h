/* SPDX-License-Identifier: Apache-2.0 */
// How an index map is stored in a table of int64 numbers: a head with these fields, then the tables it refers to by
// offsets from the head. Rows have 3 or 4 numbers:
//   sum:    first term, first value, bound; a last row with the counts
//   term:   value, coefficient, magic, shift
//   value:  divisor, magic, shift
//   output: value, stride, magic, shift
#ifndef XLASHAPE_GPU_MAP_H_
#define XLASHAPE_GPU_MAP_H_

#define XS_MAP_UNIT_BITS 0
#define XS_MAP_RANK 1
#define XS_MAP_SUMS 2
#define XS_MAP_VALUES 3
#define XS_MAP_OUTPUTS 4
#define XS_MAP_DATA_POSITIONS 5
#define XS_MAP_DIMENSION_TABLE 6
#define XS_MAP_SUM_TABLE 7
#define XS_MAP_TERM_TABLE 8
#define XS_MAP_VALUE_TABLE 9
#define XS_MAP_OUTPUT_TABLE 10
#define XS_MAP_FIRST_POSITION 11
#define XS_MAP_HEAD 12

// The first numbers of every table: the bad entries of an index batch (two 32-bit words in one number).
#define XS_TABLE_START 1

#endif  // XLASHAPE_GPU_MAP_H_
