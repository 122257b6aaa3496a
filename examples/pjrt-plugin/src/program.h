// Programs: only those that move one array are run.
#ifndef PJRT_PLUGIN_PROGRAM_H_
#define PJRT_PLUGIN_PROGRAM_H_

#include "layouts.h"

namespace pjrt_plugin {

// The functions of PJRT.
void client_compile(PJRT_Client_Compile_Args& args);
void executable_get_output_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args);
void executable_get_parameter_layouts(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_PROGRAM_H_
