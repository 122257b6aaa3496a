/* SPDX-License-Identifier: Apache-2.0 */
// LayoutProto, TileProto and SplitConfigProto of xla_data.proto, with padded_dimensions (2) and padding_value (3) where
// TensorFlow 1.x had them.
#pragma once
#include "layout/layout.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace xlashape::core {

// The fields in number order, byte for byte as XLA writes them.
void write_layout(ProtoWriter& out, const Layout& layout);
int64_t layout_size(const Layout& layout);  // in bytes

// Adds the fields of one message to `layout`, up to the reader's end. Fields that occur twice merge, as in protobuf.
Status read_layout(ProtoReader& in, Layout* layout, Error* err);
// Checks the layout when its last field was read. Errors get the offset `start`.
Status finish_layout(Layout* layout, int64_t start, Error* err);

}  // namespace xlashape::core
