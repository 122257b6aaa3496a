// SPDX-License-Identifier: Apache-2.0
// Planes with few elements on one side (pictures with 3 channels): a piece of the plane goes through shared memory, so
// that both sides are read and written in 16-byte chunks. Included once per element width (XS_E, XS_T, XS_SPLIT,
// XS_MERGE).
#define XS_PATCH (16 / XS_E)

// The source has `few` contiguous elements, the destination a row for each of them.
XS_ROOMY_KERNEL XS_SPLIT(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                         XS_PARAM XsFew args) {
  XS_SHARED xs_u128 chunk[1024];
  XS_LOCAL XS_T* element = (XS_LOCAL XS_T*)chunk;
  const xs_u32 thread = XS_THREAD(), few = (xs_u32)args.few;
  const xs_u32 rest = xs_divide32(XS_BLOCK(), args.pieces.magic, args.pieces.shift);
  const xs_i64 begin = (xs_i64)(XS_BLOCK() - rest * (xs_u32)args.pieces.extent) * args.piece;
  XsPlace place;
  xs_start(&place);
  xs_locate32(&place, args.loop, args.loop_count, rest);
  src += args.src_offset + place.src + begin * few * XS_E;
  dst += args.dst_offset + place.dst + begin * XS_E;
  const xs_u32 count = args.many - begin < args.piece ? (xs_u32)(args.many - begin) : (xs_u32)args.piece;
  const xs_i32 whole = args.is_aligned && count == (xs_u32)args.piece;
  if (whole) {
    for (xs_u32 i = thread; i < count * few / XS_PATCH; i += XS_THREADS)
      chunk[i] = *(XS_GLOBAL const xs_u128*)(src + i * 16);
  } else {
    for (xs_u32 i = thread; i < count * few; i += XS_THREADS) element[i] = *(XS_GLOBAL const XS_T*)(src + i * XS_E);
  }
  XS_BARRIER();
  if (whole) {
    const xs_u32 per_row = count / XS_PATCH;
    for (xs_u32 c = 0; c < few; ++c)
      for (xs_u32 i = thread; i < per_row; i += XS_THREADS) {
        XsChunk out;
        XS_UNROLL
        for (int j = 0; j < XS_PATCH; ++j) out.XS_MEMBER[j] = element[(i * XS_PATCH + j) * few + c];
        *(XS_GLOBAL xs_u128*)(dst + c * args.row_step + i * 16) = out.whole;
      }
  } else {
    for (xs_u32 c = 0; c < few; ++c)
      for (xs_u32 i = thread; i < count; i += XS_THREADS)
        *(XS_GLOBAL XS_T*)(dst + c * args.row_step + i * XS_E) = element[i * few + c];
  }
}

// The reverse.
XS_ROOMY_KERNEL XS_MERGE(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                         XS_PARAM XsFew args) {
  XS_SHARED xs_u128 chunk[1024];
  XS_LOCAL XS_T* element = (XS_LOCAL XS_T*)chunk;
  const xs_u32 thread = XS_THREAD(), few = (xs_u32)args.few, piece = (xs_u32)args.piece;
  const xs_u32 rest = xs_divide32(XS_BLOCK(), args.pieces.magic, args.pieces.shift);
  const xs_i64 begin = (xs_i64)(XS_BLOCK() - rest * (xs_u32)args.pieces.extent) * piece;
  XsPlace place;
  xs_start(&place);
  xs_locate32(&place, args.loop, args.loop_count, rest);
  src += args.src_offset + place.src + begin * XS_E;
  dst += args.dst_offset + place.dst + begin * few * XS_E;
  const xs_u32 count = args.many - begin < piece ? (xs_u32)(args.many - begin) : piece;
  const xs_i32 whole = args.is_aligned && count == piece;
  for (xs_u32 c = 0; c < few; ++c) {
    if (whole) {
      for (xs_u32 i = thread; i < piece / XS_PATCH; i += XS_THREADS)
        chunk[c * (piece / XS_PATCH) + i] = *(XS_GLOBAL const xs_u128*)(src + c * args.row_step + i * 16);
    } else {
      for (xs_u32 i = thread; i < count; i += XS_THREADS)
        element[c * piece + i] = *(XS_GLOBAL const XS_T*)(src + c * args.row_step + i * XS_E);
    }
  }
  XS_BARRIER();
  if (whole) {
    for (xs_u32 i = thread; i < count * few / XS_PATCH; i += XS_THREADS) {
      xs_u32 m = i * XS_PATCH / few, c = i * XS_PATCH % few;
      XsChunk out;
      XS_UNROLL
      for (int j = 0; j < XS_PATCH; ++j) {
        out.XS_MEMBER[j] = element[c * piece + m];
        if (++c == few) c = 0, ++m;
      }
      *(XS_GLOBAL xs_u128*)(dst + i * 16) = out.whole;
    }
  } else {
    for (xs_u32 i = thread; i < count * few; i += XS_THREADS)
      *(XS_GLOBAL XS_T*)(dst + i * XS_E) = element[i % few * piece + i / few];
  }
}

#undef XS_PATCH
#undef XS_E
#undef XS_T
#undef XS_MEMBER
#undef XS_SPLIT
#undef XS_MERGE
