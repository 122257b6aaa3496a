// SPDX-License-Identifier: Apache-2.0
// Where the n-th iteration of a loop nest is. Guards are summed in registers: an array indexed at run time would be in
// the threads' local memory.

XS_DEVICE xs_u32 xs_divide32(xs_u32 x, xs_u64 magic, xs_i32 shift) {
  return XS_MULHI32(x << 1, (xs_u32)magic) >> shift;
}

XS_DEVICE xs_i64 xs_divide64(xs_i64 x, xs_u64 magic, xs_i32 shift) {
  return (xs_i64)(XS_MULHI64((xs_u64)x << 1, magic) >> shift);
}

typedef struct XsPlace {
  xs_i64 src;
  xs_i64 dst;
  xs_i64 along0;  // each guard's sum
  xs_i64 along1;
  xs_i64 along2;
  xs_i64 along3;
} XsPlace;

XS_DEVICE void xs_step_loop(XsPlace* place, const XsLoop* loop, xs_i64 index) {
  place->src += index * loop->src_stride;
  place->dst += index * loop->dst_stride;
  if (loop->guard >= 0) {
    const xs_i64 by = index * loop->step;
    place->along0 += loop->guard == 0 ? by : 0;
    place->along1 += loop->guard == 1 ? by : 0;
    place->along2 += loop->guard == 2 ? by : 0;
    place->along3 += loop->guard == 3 ? by : 0;
  }
}

XS_DEVICE void xs_start(XsPlace* place) {
  place->src = place->dst = place->along0 = place->along1 = place->along2 = place->along3 = 0;
}

// For nests whose total number of iterations fits 31 bits.
XS_DEVICE void xs_locate32(XsPlace* place, const XsLoop* loop, xs_i32 count, xs_u32 n) {
  for (xs_i32 l = count - 1; l >= 0; --l) {
    const xs_u32 rest = xs_divide32(n, loop[l].magic, loop[l].shift);
    xs_step_loop(place, &loop[l], (xs_i64)(n - rest * (xs_u32)loop[l].extent));
    n = rest;
  }
}

XS_DEVICE void xs_locate64(XsPlace* place, const XsLoop* loop, xs_i32 count, xs_i64 n) {
  for (xs_i32 l = count - 1; l >= 0; --l) {
    const xs_i64 rest = xs_divide64(n, loop[l].magic, loop[l].shift);
    xs_step_loop(place, &loop[l], n - rest * loop[l].extent);
    n = rest;
  }
}

XS_DEVICE xs_i64 xs_along(const XsPlace* place, xs_i32 guard) {
  return guard == 0 ? place->along0 : guard == 1 ? place->along1 : guard == 2 ? place->along2 : place->along3;
}

// Whether all guards hold. Guards from `count` on are not read.
XS_DEVICE xs_i32 xs_inside(const XsPlace* place, const xs_i64* low, const xs_i64* high, xs_i32 count) {
  xs_i32 inside = 1;
  if (count > 0) inside = inside & (place->along0 >= low[0]) & (place->along0 < high[0]);
  if (count > 1) inside = inside & (place->along1 >= low[1]) & (place->along1 < high[1]);
  if (count > 2) inside = inside & (place->along2 >= low[2]) & (place->along2 < high[2]);
  if (count > 3) inside = inside & (place->along3 >= low[3]) & (place->along3 < high[3]);
  return inside;
}
