#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What Go exports. */
extern void pjrtGoReady(PJRT_Error* error, uintptr_t name);

/* A struct of arguments whose size ends with `last`: the padding behind that is not ours to promise. */
#define ARGS(function, last)     \
  function##_Args args;          \
  memset(&args, 0, sizeof args); \
  args.struct_size = offsetof(function##_Args, last) + sizeof args.last

static const struct {
  const char* name;
  size_t offset;
} kFunctions[PG_FUNCTIONS] = {
#define PG_ROW(name) [PG_##name] = {#name, offsetof(PJRT_Api, name)},
    PG_REQUIRED(PG_ROW) PG_OPTIONAL(PG_ROW)
#undef PG_ROW
};

const char* pg_name(int function) { return kFunctions[function].name; }

size_t pg_end(int function) { return kFunctions[function].offset + sizeof(void (*)(void)); }

int pg_has(const PJRT_Api* api, int function) {
  void (*pointer)(void);
  if (api->struct_size < pg_end(function)) return 0;
  memcpy(&pointer, (const char*)api + kFunctions[function].offset, sizeof pointer);
  return pointer != NULL;
}

const PJRT_Api* pg_load(const char* path, char** reason) {
  const PJRT_Api* (*get)(void) = NULL;
  const PJRT_Api* api = NULL;
  void* file = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* never closed: plugins cannot be unloaded */
  if (file == NULL) {
    const char* said = dlerror();
    *reason = strdup(said != NULL ? said : "the loader does not say why");
    return NULL;
  }
  *(void**)&get = dlsym(file, "GetPjrtApi");
  if (get == NULL) {
    *reason = strdup("it does not export GetPjrtApi, so it is not a PJRT plugin");
  } else if ((api = get()) == NULL) {
    *reason = strdup("its GetPjrtApi returns nothing");
  }
  return api;
}

void pg_error_destroy(const PJRT_Api* api, PJRT_Error* error) {
  ARGS(PJRT_Error_Destroy, error);
  args.error = error;
  api->PJRT_Error_Destroy(&args);
}

void pg_error_message(const PJRT_Api* api, const PJRT_Error* error, const char** text, size_t* size) {
  ARGS(PJRT_Error_Message, message_size);
  args.error = error;
  api->PJRT_Error_Message(&args);
  *text = args.message, *size = args.message_size;
}

/* One of two errors, where one call is all that is told of both. */
static PJRT_Error* first(const PJRT_Api* api, PJRT_Error* error, PJRT_Error* other) {
  if (error == NULL) return other;
  if (other != NULL) pg_error_destroy(api, other);
  return error;
}

PJRT_Error* pg_error_code(const PJRT_Api* api, const PJRT_Error* error, PJRT_Error_Code* code) {
  ARGS(PJRT_Error_GetCode, code);
  args.error = error;
  PJRT_Error* failure = api->PJRT_Error_GetCode(&args);
  *code = args.code;
  return failure;
}

PJRT_Error* pg_initialize(const PJRT_Api* api) {
  ARGS(PJRT_Plugin_Initialize, extension_start);
  return api->PJRT_Plugin_Initialize(&args);
}

PJRT_Error* pg_attributes(const PJRT_Api* api, const PJRT_NamedValue** values, size_t* count) {
  ARGS(PJRT_Plugin_Attributes, num_attributes);
  PJRT_Error* error = api->PJRT_Plugin_Attributes(&args);
  *values = args.attributes, *count = args.num_attributes;
  return error;
}

static PJRT_NamedValue* named(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, PJRT_NamedValue_Type type,
                              size_t size) {
  memset(&at[i], 0, sizeof at[i]);
  at[i].struct_size = offsetof(PJRT_NamedValue, value_size) + sizeof at[i].value_size;
  at[i].name = name, at[i].name_size = name_size;
  at[i].type = type, at[i].value_size = size;
  return &at[i];
}

void pg_set_text(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, char* value, size_t size) {
  named(at, i, name, name_size, PJRT_NamedValue_kString, size)->string_value = value;
}

void pg_set_int64(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, int64_t value) {
  named(at, i, name, name_size, PJRT_NamedValue_kInt64, 1)->int64_value = value;
}

void pg_set_bool(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, int value) {
  named(at, i, name, name_size, PJRT_NamedValue_kBool, 1)->bool_value = value != 0;
}

const char* pg_text_of(const PJRT_NamedValue* at, size_t i) { return at[i].string_value; }
int64_t pg_int64_of(const PJRT_NamedValue* at, size_t i) { return at[i].int64_value; }
const int64_t* pg_int64s_of(const PJRT_NamedValue* at, size_t i) { return at[i].int64_array_value; }
float pg_float_of(const PJRT_NamedValue* at, size_t i) { return at[i].float_value; }
int pg_bool_of(const PJRT_NamedValue* at, size_t i) { return at[i].bool_value; }
int pg_type_of(const PJRT_NamedValue* at, size_t i) { return (int)at[i].type; }
size_t pg_size_of(const PJRT_NamedValue* at, size_t i) { return at[i].value_size; }

const char* pg_name_of(const PJRT_NamedValue* at, size_t i, size_t* size) {
  *size = at[i].name_size;
  return at[i].name;
}

/* Functions that do something with one object, and those that answer with one thing or with a list. */
#define DOES(c_name, function, type, field)               \
  PJRT_Error* c_name(const PJRT_Api* api, type* object) { \
    ARGS(function, field);                                \
    args.field = object;                                  \
    return api->function(&args);                          \
  }
#define ANSWERS(c_name, function, type, field, result, out)              \
  PJRT_Error* c_name(const PJRT_Api* api, type* object, result answer) { \
    ARGS(function, out);                                                 \
    args.field = object;                                                 \
    PJRT_Error* error = api->function(&args);                            \
    *answer = args.out;                                                  \
    return error;                                                        \
  }
#define LISTS(c_name, function, last, type, field, result, out, out_size)             \
  PJRT_Error* c_name(const PJRT_Api* api, type* object, result list, size_t* count) { \
    ARGS(function, last);                                                             \
    args.field = object;                                                              \
    PJRT_Error* error = api->function(&args);                                         \
    *list = args.out, *count = args.out_size;                                         \
    return error;                                                                     \
  }

DOES(pg_event_destroy, PJRT_Event_Destroy, PJRT_Event, event)
ANSWERS(pg_event_is_ready, PJRT_Event_IsReady, PJRT_Event, event, int*, is_ready)
DOES(pg_event_await, PJRT_Event_Await, PJRT_Event, event)

/* The callback of all events: Go knows by the name which one it is. */
static void on_ready(PJRT_Error* error, void* user_arg) { pjrtGoReady(error, (uintptr_t)user_arg); }

PJRT_Error* pg_event_on_ready(const PJRT_Api* api, PJRT_Event* event, uintptr_t name) {
  ARGS(PJRT_Event_OnReady, user_arg);
  args.event = event, args.callback = on_ready, args.user_arg = (void*)name;
  return api->PJRT_Event_OnReady(&args);
}

PJRT_Error* pg_client_create(const PJRT_Api* api, const PJRT_NamedValue* options, size_t count, PJRT_Client** client) {
  ARGS(PJRT_Client_Create, kv_try_get_user_arg);
  args.create_options = options, args.num_options = count;
  PJRT_Error* error = api->PJRT_Client_Create(&args);
  *client = args.client;
  return error;
}

DOES(pg_client_destroy, PJRT_Client_Destroy, PJRT_Client, client)
LISTS(pg_platform_name, PJRT_Client_PlatformName, platform_name_size, PJRT_Client, client, const char**, platform_name,
      platform_name_size)
LISTS(pg_platform_version, PJRT_Client_PlatformVersion, platform_version_size, PJRT_Client, client, const char**,
      platform_version, platform_version_size)
ANSWERS(pg_process_index, PJRT_Client_ProcessIndex, PJRT_Client, client, int*, process_index)
LISTS(pg_devices, PJRT_Client_Devices, num_devices, PJRT_Client, client, PJRT_Device* const**, devices, num_devices)
LISTS(pg_addressable_devices, PJRT_Client_AddressableDevices, num_addressable_devices, PJRT_Client, client,
      PJRT_Device* const**, addressable_devices, num_addressable_devices)

PJRT_Error* pg_lookup_device(const PJRT_Api* api, PJRT_Client* client, int id, PJRT_Device** device) {
  ARGS(PJRT_Client_LookupDevice, device);
  args.client = client, args.id = id;
  PJRT_Error* error = api->PJRT_Client_LookupDevice(&args);
  *device = args.device;
  return error;
}

PJRT_Error* pg_compile(const PJRT_Api* api, PJRT_Client* client, char* code, size_t code_size, const char* format,
                       size_t format_size, const char* options, size_t options_size,
                       PJRT_LoadedExecutable** executable) {
  PJRT_Program program;
  memset(&program, 0, sizeof program);
  program.struct_size = offsetof(PJRT_Program, format_size) + sizeof program.format_size;
  program.code = code, program.code_size = code_size;
  program.format = format, program.format_size = format_size;
  ARGS(PJRT_Client_Compile, executable);
  args.client = client, args.program = &program;
  args.compile_options = options, args.compile_options_size = options_size;
  PJRT_Error* error = api->PJRT_Client_Compile(&args);
  *executable = args.executable;
  return error;
}

DOES(pg_executable_destroy, PJRT_LoadedExecutable_Destroy, PJRT_LoadedExecutable, executable)
ANSWERS(pg_topology, PJRT_Client_TopologyDescription, PJRT_Client, client, PJRT_TopologyDescription**, topology)
LISTS(pg_topology_name, PJRT_TopologyDescription_PlatformName, platform_name_size, PJRT_TopologyDescription, topology,
      const char**, platform_name, platform_name_size)
LISTS(pg_topology_devices, PJRT_TopologyDescription_GetDeviceDescriptions, num_descriptions, PJRT_TopologyDescription,
      topology, PJRT_DeviceDescription* const**, descriptions, num_descriptions)

ANSWERS(pg_device_description, PJRT_Device_GetDescription, PJRT_Device, device, PJRT_DeviceDescription**,
        device_description)
ANSWERS(pg_description_id, PJRT_DeviceDescription_Id, PJRT_DeviceDescription, device_description, int*, id)
LISTS(pg_description_kind, PJRT_DeviceDescription_Kind, device_kind_size, PJRT_DeviceDescription, device_description,
      const char**, device_kind, device_kind_size)
LISTS(pg_description_text, PJRT_DeviceDescription_ToString, to_string_size, PJRT_DeviceDescription, device_description,
      const char**, to_string, to_string_size)
LISTS(pg_description_attributes, PJRT_DeviceDescription_Attributes, attributes, PJRT_DeviceDescription,
      device_description, const PJRT_NamedValue**, attributes, num_attributes)
LISTS(pg_device_memories, PJRT_Device_AddressableMemories, num_memories, PJRT_Device, device, PJRT_Memory* const**,
      memories, num_memories)
ANSWERS(pg_device_default_memory, PJRT_Device_DefaultMemory, PJRT_Device, device, PJRT_Memory**, memory)

PJRT_Error* pg_device_memory_stats(const PJRT_Api* api, PJRT_Device* device, PJRT_Device_MemoryStats_Args* stats) {
  memset(stats, 0, sizeof *stats);
  stats->struct_size =
      offsetof(PJRT_Device_MemoryStats_Args, peak_allocated_bytes_is_set) + sizeof stats->peak_allocated_bytes_is_set;
  stats->device = device;
  return api->PJRT_Device_MemoryStats(stats);
}

ANSWERS(pg_memory_id, PJRT_Memory_Id, PJRT_Memory, memory, int*, id)
LISTS(pg_memory_kind, PJRT_Memory_Kind, kind_size, PJRT_Memory, memory, const char**, kind, kind_size)

/* Fills in the plugin's struct; NULL where there is no layout. */
static PJRT_Buffer_MemoryLayout* memory_layout(PJRT_Buffer_MemoryLayout* out, pg_layout layout, const int64_t* order,
                                               const int64_t* tile_sizes, const size_t* tile_ranks) {
  if (layout.kind == 0) return NULL;
  memset(out, 0, sizeof *out);
  out->struct_size = offsetof(PJRT_Buffer_MemoryLayout, type) + sizeof out->type;
  if (layout.kind == 1) {
    out->type = PJRT_Buffer_MemoryLayout_Type_Tiled;
    out->tiled.struct_size = offsetof(PJRT_Buffer_MemoryLayout_Tiled, num_tiles) + sizeof out->tiled.num_tiles;
    out->tiled.minor_to_major = order, out->tiled.minor_to_major_size = layout.rank;
    out->tiled.tile_dims = tile_sizes, out->tiled.tile_dim_sizes = tile_ranks;
    out->tiled.num_tiles = layout.tile_count;
  } else {
    out->type = PJRT_Buffer_MemoryLayout_Type_Strides;
    out->strides.struct_size =
        offsetof(PJRT_Buffer_MemoryLayout_Strides, num_byte_strides) + sizeof out->strides.num_byte_strides;
    out->strides.byte_strides = order, out->strides.num_byte_strides = layout.rank;
  }
  return out;
}

/* Hands a transfer's event out, or, where nobody wants it, ends only when the transfer has. */
static PJRT_Error* finish(const PJRT_Api* api, PJRT_Error* error, PJRT_Event* event, PJRT_Event** out) {
  if (out != NULL) *out = event;
  if (error != NULL || out != NULL || event == NULL) return error; /* a question for a size has no event */
  error = pg_event_await(api, event);
  PJRT_Error* other = pg_event_destroy(api, event);
  return first(api, error, other);
}

PJRT_Error* pg_from_host(const PJRT_Api* api, PJRT_Client* client, const void* data, size_t offset, int type,
                         const int64_t* dims, size_t rank, const int64_t* byte_strides, size_t stride_count,
                         int semantics, PJRT_Device* device, PJRT_Memory* memory, pg_layout layout,
                         const int64_t* order, const int64_t* tile_sizes, const size_t* tile_ranks, PJRT_Event** done,
                         PJRT_Buffer** buffer) {
  PJRT_Buffer_MemoryLayout device_layout;
  ARGS(PJRT_Client_BufferFromHostBuffer, buffer);
  args.client = client;
  args.data = (const char*)data + offset; /* of index 0...0, which with negative strides is not the first byte */
  args.type = (PJRT_Buffer_Type)type;
  args.dims = dims, args.num_dims = rank;
  args.byte_strides = byte_strides, args.num_byte_strides = stride_count;
  args.host_buffer_semantics = (PJRT_HostBufferSemantics)semantics;
  args.device = device, args.memory = memory;
  args.device_layout = memory_layout(&device_layout, layout, order, tile_sizes, tile_ranks);
  PJRT_Error* error = api->PJRT_Client_BufferFromHostBuffer(&args);
  *buffer = error == NULL ? args.buffer : NULL;
  return finish(api, error, args.done_with_host_buffer, done);
}

PJRT_Error* pg_to_host(const PJRT_Api* api, PJRT_Buffer* buffer, pg_layout layout, const int64_t* order,
                       const int64_t* tile_sizes, const size_t* tile_ranks, void* dst, size_t* size,
                       PJRT_Event** event) {
  PJRT_Buffer_MemoryLayout host_layout;
  ARGS(PJRT_Buffer_ToHostBuffer, event);
  args.src = buffer;
  args.host_layout = memory_layout(&host_layout, layout, order, tile_sizes, tile_ranks);
  args.dst = dst, args.dst_size = *size;
  PJRT_Error* error = api->PJRT_Buffer_ToHostBuffer(&args);
  *size = args.dst_size;
  return finish(api, error, args.event, event);
}

PJRT_Error* pg_raw_to_host(const PJRT_Api* api, PJRT_Buffer* buffer, void* dst, int64_t offset, int64_t size,
                           PJRT_Event** event) {
  ARGS(PJRT_Buffer_CopyRawToHost, event);
  args.buffer = buffer, args.dst = dst, args.offset = offset, args.transfer_size = size;
  PJRT_Error* error = api->PJRT_Buffer_CopyRawToHost(&args);
  return finish(api, error, args.event, event);
}

DOES(pg_buffer_destroy, PJRT_Buffer_Destroy, PJRT_Buffer, buffer)
DOES(pg_buffer_delete, PJRT_Buffer_Delete, PJRT_Buffer, buffer)
ANSWERS(pg_buffer_is_deleted, PJRT_Buffer_IsDeleted, PJRT_Buffer, buffer, int*, is_deleted)
ANSWERS(pg_buffer_type, PJRT_Buffer_ElementType, PJRT_Buffer, buffer, int*, type)
LISTS(pg_buffer_dimensions, PJRT_Buffer_Dimensions, num_dims, PJRT_Buffer, buffer, const int64_t**, dims, num_dims)
ANSWERS(pg_buffer_device_size, PJRT_Buffer_OnDeviceSizeInBytes, PJRT_Buffer, buffer, size_t*, on_device_size_in_bytes)
ANSWERS(pg_buffer_device, PJRT_Buffer_Device, PJRT_Buffer, buffer, PJRT_Device**, device)
ANSWERS(pg_buffer_memory, PJRT_Buffer_Memory, PJRT_Buffer, buffer, PJRT_Memory**, memory)
ANSWERS(pg_buffer_ready, PJRT_Buffer_ReadyEvent, PJRT_Buffer, buffer, PJRT_Event**, event)
ANSWERS(pg_buffer_pointer, PJRT_Buffer_UnsafePointer, PJRT_Buffer, buffer, uintptr_t*, buffer_pointer)
ANSWERS(pg_buffer_memory_layout, PJRT_Buffer_GetMemoryLayout, PJRT_Buffer, buffer, PJRT_Buffer_MemoryLayout*, layout)

PJRT_Error* pg_buffer_to_device(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Device* device, PJRT_Buffer** copy) {
  ARGS(PJRT_Buffer_CopyToDevice, dst_buffer);
  args.buffer = buffer, args.dst_device = device;
  PJRT_Error* error = api->PJRT_Buffer_CopyToDevice(&args);
  *copy = args.dst_buffer;
  return error;
}

PJRT_Error* pg_buffer_to_memory(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Memory* memory, PJRT_Buffer** copy) {
  ARGS(PJRT_Buffer_CopyToMemory, dst_buffer);
  args.buffer = buffer, args.dst_memory = memory;
  PJRT_Error* error = api->PJRT_Buffer_CopyToMemory(&args);
  *copy = args.dst_buffer;
  return error;
}

const PJRT_Layouts_Extension* pg_layouts(const PJRT_Api* api) {
  const PJRT_Extension_Base* at = api->extension_start;
  while (at != NULL && at->type != PJRT_Extension_Type_Layouts) at = at->next;
  if (at == NULL) return NULL;
  const PJRT_Layouts_Extension* layouts = (const PJRT_Layouts_Extension*)at;
  size_t needed = offsetof(PJRT_Layouts_Extension, PJRT_Layouts_PJRT_Buffer_MemoryLayout) + sizeof(void (*)(void));
  if (at->struct_size < needed || layouts->PJRT_Layouts_MemoryLayout_Destroy == NULL ||
      layouts->PJRT_Layouts_MemoryLayout_Serialize == NULL ||
      layouts->PJRT_Layouts_PJRT_Client_GetDefaultLayout == NULL ||
      layouts->PJRT_Layouts_PJRT_Buffer_MemoryLayout == NULL) {
    return NULL;
  }
  return layouts;
}

static PJRT_Error* layout_of_buffer(const PJRT_Layouts_Extension* layouts, PJRT_Buffer* buffer,
                                    PJRT_Layouts_MemoryLayout** layout) {
  ARGS(PJRT_Layouts_PJRT_Buffer_MemoryLayout, layout);
  args.buffer = buffer;
  PJRT_Error* error = layouts->PJRT_Layouts_PJRT_Buffer_MemoryLayout(&args);
  *layout = args.layout;
  return error;
}

static PJRT_Error* default_layout(const PJRT_Layouts_Extension* layouts, PJRT_Client* client, int type,
                                  const int64_t* dims, size_t rank, PJRT_Layouts_MemoryLayout** layout) {
  ARGS(PJRT_Layouts_PJRT_Client_GetDefaultLayout, layout);
  args.client = client, args.type = (PJRT_Buffer_Type)type;
  args.dims = dims, args.num_dims = rank;
  PJRT_Error* error = layouts->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args);
  *layout = args.layout;
  return error;
}

/* The text belongs to the plugin, and is copied before that is told to drop it. */
static PJRT_Error* layout_as_text(const PJRT_Layouts_Extension* layouts, PJRT_Layouts_MemoryLayout* layout, char** text,
                                  size_t* size) {
  ARGS(PJRT_Layouts_MemoryLayout_Serialize, serialized_layout_deleter);
  args.layout = layout;
  PJRT_Error* error = layouts->PJRT_Layouts_MemoryLayout_Serialize(&args);
  if (error != NULL) return error;
  *text = malloc(args.serialized_bytes_size + 1);
  if (*text != NULL) {
    *size = args.serialized_bytes_size;
    memcpy(*text, args.serialized_bytes, *size);
  }
  args.serialized_layout_deleter(args.serialized_layout);
  return NULL;
}

static PJRT_Error* layout_destroy(const PJRT_Layouts_Extension* layouts, PJRT_Layouts_MemoryLayout* layout) {
  ARGS(PJRT_Layouts_MemoryLayout_Destroy, layout);
  args.layout = layout;
  return layouts->PJRT_Layouts_MemoryLayout_Destroy(&args);
}

PJRT_Error* pg_layout_text(const PJRT_Api* api, const PJRT_Layouts_Extension* layouts, PJRT_Buffer* buffer,
                           PJRT_Client* client, int type, const int64_t* dims, size_t rank, char** text, size_t* size) {
  PJRT_Layouts_MemoryLayout* layout = NULL;
  PJRT_Error* error = buffer != NULL ? layout_of_buffer(layouts, buffer, &layout)
                                     : default_layout(layouts, client, type, dims, rank, &layout);
  *text = NULL, *size = 0;
  if (error != NULL) return error;
  error = layout_as_text(layouts, layout, text, size);
  return first(api, error, layout_destroy(layouts, layout));
}
