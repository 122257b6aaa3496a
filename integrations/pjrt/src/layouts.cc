// SPDX-License-Identifier: Apache-2.0
#include "layouts.h"

namespace pjrt_plugin {

void call(PJRT_Layouts_MemoryLayout_Destroy_Args& args) { delete args.layout; }

void call(PJRT_Layouts_MemoryLayout_Serialize_Args& args) {
  give(args.layout->text, args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_layout = nullptr;  // the text is the layout's
  args.serialized_layout_deleter = [](PJRT_Layouts_SerializedLayout*) {};
}

// A client has one answer for all its devices: that of the first.
void call(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args) {
  const auto array =
      args.client->array(*args.client->devices.front(), args.type, numbers("dims", args.dims, args.num_dims));
  args.layout = new PJRT_Layouts_MemoryLayout{array->layout};
}

void call(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args) {
  const xlashape::Target target = args.topology_description->descriptions.front()->name.target;
  const auto array = array_on(target, type_of(args.type), numbers("dims", args.dims, args.num_dims));
  args.layout = new PJRT_Layouts_MemoryLayout{array->layout};
}

void call(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args) {
  args.layout = new PJRT_Layouts_MemoryLayout{args.buffer->array->layout};
}

}  // namespace pjrt_plugin
