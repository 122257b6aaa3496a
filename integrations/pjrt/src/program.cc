// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <algorithm>

#include "compile_options.h"
#include "transfer.h"

namespace pjrt_plugin {
namespace {

// What the device stores a value as, in the layout that the program asks for.
std::shared_ptr<const Array> array_for(const PJRT_Device& device, const Value& value) {
  if (value.layout.empty()) return array_on(device.target(), value.type, value.dimensions);
  const std::string name = named(value.type, value.dimensions);
  return array_on(device.target(), value.type, value.dimensions,
                  value_at(name + ": layout '" + value.layout + "'", xlashape::Layout::try_parse(value.layout)));
}

std::shared_ptr<const Program> compiled(const PJRT_Client& client, std::string_view code, std::string_view format,
                                        std::string_view options) {
  if (format != "mlir")
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED, "program " + (format == "hlo" ? name_of_hlo(code) : std::string()) +
                                                     " is in the format '" + std::string(format) +
                                                     "': only mlir is read");
  auto program = std::make_shared<Program>();
  program->text = read_program(code);
  const ProgramText& text = program->text;
  if (!text.computes.empty())
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED,
                  "program " + text.name + " computes (" + text.computes +
                      "): this plugin only moves arrays, and runs programs that return their arguments");
  const CompileOptions wanted = compile_options(options);
  if (wanted.replicas != 1 || wanted.partitions != 1)
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED, "program " + text.name + " is for " + std::to_string(wanted.replicas) +
                                                     " replicas of " + std::to_string(wanted.partitions) +
                                                     " partitions: this plugin runs programs on one device");
  if (wanted.device < 0 || static_cast<std::size_t>(wanted.device) >= client.devices.size())
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                  "program " + text.name + " is for device " + std::to_string(wanted.device) + ", which is not there");
  program->device = client.devices[static_cast<std::size_t>(wanted.device)].get();
  program->options = options;
  program->assignment = assignment_to(wanted.device);
  for (const Value& value : text.results) {
    const auto array = program->results.emplace_back(array_for(*program->device, value));
    program->result_layouts.push_back({array->layout});
    program->result_types.push_back(array->pjrt_type);
    program->result_dimensions.insert(program->result_dimensions.end(), value.dimensions.begin(),
                                      value.dimensions.end());
    program->result_ranks.push_back(value.dimensions.size());
  }
  for (const Value& value : text.arguments) {
    const auto array = array_for(*program->device, value);
    // jax takes an array that it did not compile for one in the default layout of the client, which is the first
    // device's. Where the program says another one, jax tries to bring the array there, by such a program, until its
    // stack ends.
    const PJRT_Device& first = *client.devices.front();
    const auto said = value.layout.empty() ? array_for(first, value) : array;
    if (said->layout != array->layout)
      throw Failure(PJRT_Error_Code_UNIMPLEMENTED,
                    "program " + text.name + " takes " + array->text + " on " + program->device->description.text +
                        ", and PJRT's default layout for it is " + said->layout + ", that of " +
                        first.description.text +
                        ": programs need a client for each target, in jax a platform for each, as in " +
                        "XLASHAPE_PJRT_PLATFORMS=\"tiled=tpu:v5e;rows=cpu\"");
    program->argument_layouts.push_back({array->layout});
  }
  for (auto& layout : program->result_layouts) program->result_layout_pointers.push_back(&layout);
  for (auto& layout : program->argument_layouts) program->argument_layout_pointers.push_back(&layout);
  const std::size_t most = std::max(text.arguments.size(), text.results.size());
  program->memory_kinds.assign(most, kMemoryKind.data());
  program->memory_kind_sizes.assign(most, kMemoryKind.size());
  return program;
}

// What a list of C is in a vector, which clients do not write to.
template <class T>
T* data_of(const std::vector<T>& list) {
  return const_cast<T*>(list.data());
}

}  // namespace

void call(PJRT_Client_Compile_Args& args) {
  const PJRT_Program& program = *args.program;
  args.executable =
      new PJRT_LoadedExecutable{args.client->shared_from_this(),
                                compiled(*args.client, text_of("program", program.code, program.code_size),
                                         text_of("program's format", program.format, program.format_size),
                                         text_of("compile_options", args.compile_options, args.compile_options_size))};
}

void call(PJRT_Executable_Destroy_Args& args) { delete args.executable; }
void call(PJRT_Executable_Name_Args& args) {
  give(args.executable->program->text.name, args.executable_name, args.executable_name_size);
}
void call(PJRT_Executable_NumReplicas_Args& args) { args.num_replicas = 1; }
void call(PJRT_Executable_NumPartitions_Args& args) { args.num_partitions = 1; }
void call(PJRT_Executable_NumOutputs_Args& args) { args.num_outputs = args.executable->program->results.size(); }
void call(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args) { args.size_in_bytes = 0; }
void call(PJRT_Executable_OutputElementTypes_Args& args) {
  give(args.executable->program->result_types, args.output_types, args.num_output_types);
}
void call(PJRT_Executable_OutputDimensions_Args& args) {
  args.num_outputs = args.executable->program->results.size();
  args.dims = args.executable->program->result_dimensions.data();
  args.dim_sizes = args.executable->program->result_ranks.data();
}
void call(PJRT_Executable_OutputMemoryKinds_Args& args) {
  args.num_outputs = args.executable->program->results.size();
  args.memory_kinds = args.executable->program->memory_kinds.data();
  args.memory_kind_sizes = args.executable->program->memory_kind_sizes.data();
}
void call(PJRT_Executable_ParameterMemoryKinds_Args& args) {
  args.num_parameters = args.executable->program->text.arguments.size();
  args.memory_kinds = args.executable->program->memory_kinds.data();
  args.memory_kind_sizes = args.executable->program->memory_kind_sizes.data();
}
void call(PJRT_Executable_GetCompileOptions_Args& args) {
  give(args.executable->program->options, args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_compile_options = nullptr;  // they are the executable's
  args.serialized_compile_options_deleter = [](PJRT_SerializedCompileOptions*) {};
}
void call(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args) {
  args.num_outputs = args.executable->program->results.size();
  args.layouts = data_of(args.executable->program->result_layout_pointers);
}
void call(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args) {
  args.num_parameters = args.executable->program->text.arguments.size();
  args.layouts = data_of(args.executable->program->argument_layout_pointers);
}

void call(PJRT_LoadedExecutable_Destroy_Args& args) { delete args.executable; }
void call(PJRT_LoadedExecutable_GetExecutable_Args& args) {
  args.executable = new PJRT_Executable{args.loaded_executable->client, args.loaded_executable->program};
}
void call(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args) {
  give(args.executable->program->assignment, args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_device_assignment = nullptr;  // it is the executable's
  args.serialized_device_assignment_deleter = [](PJRT_DeviceAssignmentSerialized*) {};
}
void call(PJRT_LoadedExecutable_AddressableDevices_Args& args) {
  args.addressable_devices = &args.executable->program->device;
  args.num_addressable_devices = 1;
}
void call(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args) {
  static PJRT_LogicalDeviceIds ids = {0, 0};
  args.addressable_device_logical_ids = &ids;
  args.num_addressable_device_logical_ids = 1;
}
void call(PJRT_LoadedExecutable_Delete_Args& args) { args.executable->is_deleted = true; }
void call(PJRT_LoadedExecutable_IsDeleted_Args& args) { args.is_deleted = args.executable->is_deleted; }

void call(PJRT_LoadedExecutable_Execute_Args& args) {
  PJRT_LoadedExecutable& executable = *args.executable;
  const Program& program = *executable.program;
  const std::string& name = program.text.name;
  if (executable.is_deleted) throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, "program " + name + " was deleted");
  if (args.num_devices != 1 || args.num_args != program.text.arguments.size())
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "program " + name + " takes " +
                                                        std::to_string(program.text.arguments.size()) +
                                                        " arguments on 1 device: " + std::to_string(args.num_args) +
                                                        " on " + std::to_string(args.num_devices) + " are given");
  PJRT_Device& device = args.execute_device != nullptr ? *args.execute_device : *program.device;
  check_list("argument_lists", args.argument_lists, args.num_args);
  if (args.num_args > 0) check_list("argument_lists[0]", args.argument_lists[0], args.num_args);
  check_list("output_lists", args.output_lists, program.results.size());
  std::vector<std::unique_ptr<PJRT_Buffer>> results;
  for (std::size_t i = 0; i < program.results.size(); ++i) {
    PJRT_Buffer* const given = args.argument_lists[0][program.text.sources[i]];
    if (given == nullptr)
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                    "program " + name + ": argument " + std::to_string(program.text.sources[i]) + " is NULL");
    PJRT_Buffer& argument = *given;
    const Array& wanted = *program.results[i];
    if (argument.array->type != wanted.type || argument.array->dimensions != wanted.dimensions ||
        &argument.device != &device)
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                    "program " + name + ": argument " + std::to_string(program.text.sources[i]) + " is " +
                        argument.array->text + " on " + argument.device.description.text + ", wanted is " +
                        named(wanted.type, wanted.dimensions) + " on " + device.description.text);
    // Nobody writes to a buffer, so that one which has the layout can be shared.
    results.emplace_back(argument.array->text == wanted.text
                             ? new PJRT_Buffer(device, argument.array, argument.storage(), argument.ready)
                             : copied(argument, device, program.results[i]));
  }
  if (args.device_complete_events != nullptr) {
    auto all = std::make_shared<Completion>();
    auto left = std::make_shared<std::atomic<std::size_t>>(results.size() + 1);
    const auto end = [all, left] {
      if (--*left == 0) all->set();
    };
    for (const auto& result : results) result->ready->then(end);
    end();
    args.device_complete_events[0] = new_event(std::move(all));
  }
  for (std::size_t i = 0; i < results.size(); ++i) args.output_lists[0][i] = results[i].release();
}

}  // namespace pjrt_plugin
