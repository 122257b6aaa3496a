// The layouts extension: how clients learn what is on a device.
#ifndef PJRT_PLUGIN_LAYOUTS_H_
#define PJRT_PLUGIN_LAYOUTS_H_

#include "buffer.h"

struct PJRT_Layouts_MemoryLayout {
  std::string text;  // XLA's text of the layout: also its serialised form
};

namespace pjrt_plugin {

// The functions of PJRT.
void layout_destroy(PJRT_Layouts_MemoryLayout_Destroy_Args& args);
void layout_serialize(PJRT_Layouts_MemoryLayout_Serialize_Args& args);
void client_get_default_layout(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args);
void topology_get_default_layout(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args);
void buffer_memory_layout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_LAYOUTS_H_
