// nanopb's primitives (tags, varints, substreams), under the names that nanopb.sh gives them if the build runs it. Its
// message descriptors are not used: they decode nested messages by recursion and encode each nested level twice,
// which is too much for a tuple 8192 deep.
#pragma once

#ifndef XLASHAPE_PLAIN_NANOPB
#define PB_OURS(name) in_xlashape_##name
#define pb_close_string_substream PB_OURS(pb_close_string_substream)
#define pb_decode_varint PB_OURS(pb_decode_varint)
#define pb_encode_string PB_OURS(pb_encode_string)
#define pb_encode_varint PB_OURS(pb_encode_varint)
#define pb_istream_from_buffer PB_OURS(pb_istream_from_buffer)
#define pb_make_string_substream PB_OURS(pb_make_string_substream)
#define pb_ostream_from_buffer PB_OURS(pb_ostream_from_buffer)
#define pb_read PB_OURS(pb_read)
#define pb_skip_field PB_OURS(pb_skip_field)
#endif

#include <pb_decode.h>
#include <pb_encode.h>
