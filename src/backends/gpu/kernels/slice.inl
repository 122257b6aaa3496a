// SPDX-License-Identifier: Apache-2.0
// Where the elements of a slice are (pack.inl).

// Locates index n of a list of factors: adds its offset on the list's side to place->src. Returns its spot in shared
// memory.
XS_DEVICE xs_u32 xs_locate_factors(XsPlace* place, const XsPack* args, xs_i32 list, xs_u32 n) {
  xs_u32 spot = 0;
  for (xs_i32 l = list > 0 ? args->factor_end[list - 1] : 0; l < args->factor_end[list]; ++l) {
    const xs_u32 rest = xs_divide32(n, args->factor[l].magic, args->factor[l].shift);
    const xs_u32 index = n - rest * args->factor[l].extent;
    n = rest;
    spot += index * args->factor[l].spot;
    place->src += index * args->factor[l].stride;
    const xs_i32 guard = args->factor[l].guard;
    const xs_i64 by = index * args->factor[l].step;
    place->along0 += guard == 0 ? by : 0;
    place->along1 += guard == 1 ? by : 0;
    place->along2 += guard == 2 ? by : 0;
    place->along3 += guard == 3 ? by : 0;
  }
  return spot;
}

// 0: an element is there; 1: padding; 2 and more: nothing.
XS_DEVICE xs_i32 xs_what_is(const XsPlace* place, const XsPack* args) {
  xs_i32 what = 0;
  for (xs_i32 g = 0; g < args->guard_count; ++g) {
    const xs_i64 along = xs_along(place, g);
    if (along < args->low[g] || along >= args->high[g]) what |= (args->limits >> g) & 1 ? 2 : 1;
  }
  return what;
}
