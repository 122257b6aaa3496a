// SPDX-License-Identifier: Apache-2.0
// The bytes of a chunk, in registers. A byte's place in it is a number of four bits: of the row, of the element within
// the row, and of the byte within the element. To interleave rows, the row's bits move below the element's, and to
// separate them, above; each function here exchanges two neighbouring bits, in all places at once.

XS_DEVICE void xs_exchange_words(XsChunk* chunk) {
  const xs_u32 word = chunk->e4[1];
  chunk->e4[1] = chunk->e4[2];
  chunk->e4[2] = word;
}

XS_DEVICE void xs_exchange_halves(XsChunk* chunk) {
  XS_UNROLL
  for (int i = 0; i < 4; i += 2) {
    const xs_u32 even = chunk->e4[i], odd = chunk->e4[i + 1];
    chunk->e4[i] = XS_LOW16(even, odd);
    chunk->e4[i + 1] = XS_HIGH16(even, odd);
  }
}

XS_DEVICE void xs_exchange_bytes(XsChunk* chunk) {
  XS_UNROLL
  for (int i = 0; i < 4; ++i) chunk->e4[i] = XS_MIDDLE8(chunk->e4[i]);
}

// Interleaves the two or four rows of a chunk.
XS_DEVICE void xs_interleave(XsChunk* chunk, int rows, xs_i32 element) {
  if (rows == 2) {
    if (element < 8) xs_exchange_words(chunk);
    if (element < 4) xs_exchange_halves(chunk);
    if (element < 2) xs_exchange_bytes(chunk);
  } else {
    if (element < 4) xs_exchange_halves(chunk), xs_exchange_words(chunk);
    if (element < 2) xs_exchange_bytes(chunk), xs_exchange_halves(chunk);
  }
}

// The reverse.
XS_DEVICE void xs_separate(XsChunk* chunk, int rows, xs_i32 element) {
  if (rows == 2) {
    if (element < 2) xs_exchange_bytes(chunk);
    if (element < 4) xs_exchange_halves(chunk);
    if (element < 8) xs_exchange_words(chunk);
  } else {
    if (element < 2) xs_exchange_halves(chunk), xs_exchange_bytes(chunk);
    if (element < 4) xs_exchange_words(chunk), xs_exchange_halves(chunk);
  }
}

// Moves a chunk that a guard cuts, element by element.
XS_DEVICE void xs_zip_ragged(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, const XsZip* args, xs_u32 n) {
  XsPlace place;
  xs_start(&place);
  xs_locate32(&place, args->loop, args->loop_count, n);
  for (xs_i32 row = 0; row < (xs_i32)args->row.extent; ++row)
    for (xs_i32 i = 0; i < (xs_i32)args->run.extent; ++i) {
      XsPlace here = place;
      xs_step_loop(&here, &args->row, row);
      xs_step_loop(&here, &args->run, i);
      const xs_i32 inside = xs_inside(&here, args->low, args->high, args->guard_count);
      if (!inside && !args->fills) continue;
      for (xs_i32 b = 0; b < args->element; ++b)
        dst[here.dst + b] = inside ? src[here.src + b] : (xs_u8)(args->fill[0] >> (8 * b));
    }
}
