/* What Go calls: one C function for each PJRT function, which fills in the struct of arguments on the C stack. So Go never
 * writes a pointer to its memory into memory of C, and slices are used during the call only. */
#ifndef PJRT_GO_CALLS_H_
#define PJRT_GO_CALLS_H_

#include <pjrt_api.h>

/* The functions used here. Without one of the first list no plugin is taken. Those of the second list came later, or are
 * not needed to move arrays: without one of them only the call that needs it fails. */
#define PG_REQUIRED(X)                 \
  X(PJRT_Error_Destroy)                \
  X(PJRT_Error_Message)                \
  X(PJRT_Error_GetCode)                \
  X(PJRT_Plugin_Initialize)            \
  X(PJRT_Plugin_Attributes)            \
  X(PJRT_Event_Destroy)                \
  X(PJRT_Event_IsReady)                \
  X(PJRT_Event_Await)                  \
  X(PJRT_Event_OnReady)                \
  X(PJRT_Client_Create)                \
  X(PJRT_Client_Destroy)               \
  X(PJRT_Client_PlatformName)          \
  X(PJRT_Client_PlatformVersion)       \
  X(PJRT_Client_ProcessIndex)          \
  X(PJRT_Client_Devices)               \
  X(PJRT_Client_AddressableDevices)    \
  X(PJRT_Client_LookupDevice)          \
  X(PJRT_Client_Compile)               \
  X(PJRT_Client_BufferFromHostBuffer)  \
  X(PJRT_LoadedExecutable_Destroy)     \
  X(PJRT_DeviceDescription_Id)         \
  X(PJRT_DeviceDescription_Kind)       \
  X(PJRT_DeviceDescription_ToString)   \
  X(PJRT_DeviceDescription_Attributes) \
  X(PJRT_Device_GetDescription)        \
  X(PJRT_Device_AddressableMemories)   \
  X(PJRT_Device_DefaultMemory)         \
  X(PJRT_Memory_Id)                    \
  X(PJRT_Memory_Kind)                  \
  X(PJRT_Buffer_Destroy)               \
  X(PJRT_Buffer_ElementType)           \
  X(PJRT_Buffer_Dimensions)            \
  X(PJRT_Buffer_OnDeviceSizeInBytes)   \
  X(PJRT_Buffer_Device)                \
  X(PJRT_Buffer_Memory)                \
  X(PJRT_Buffer_Delete)                \
  X(PJRT_Buffer_IsDeleted)             \
  X(PJRT_Buffer_CopyToDevice)          \
  X(PJRT_Buffer_ToHostBuffer)          \
  X(PJRT_Buffer_ReadyEvent)
#define PG_OPTIONAL(X)                     \
  X(PJRT_Device_MemoryStats)               \
  X(PJRT_Buffer_GetMemoryLayout)           \
  X(PJRT_Buffer_UnsafePointer)             \
  X(PJRT_Buffer_CopyToMemory)              \
  X(PJRT_Buffer_CopyRawToHost)             \
  X(PJRT_Client_TopologyDescription)       \
  X(PJRT_TopologyDescription_PlatformName) \
  X(PJRT_TopologyDescription_GetDeviceDescriptions)

#define PG_NUMBER(name) PG_##name,
enum {
  PG_REQUIRED(PG_NUMBER) PG_FIRST_OPTIONAL,
  PG_OPTIONAL_ = PG_FIRST_OPTIONAL - 1,
  PG_OPTIONAL(PG_NUMBER) PG_FUNCTIONS
};
#undef PG_NUMBER

const char* pg_name(int function);
size_t pg_end(int function); /* the bytes that a table has at least if this function is in it */
int pg_has(const PJRT_Api* api, int function);

/* The plugin's file. NULL where it cannot be used; *reason then says why, and must be freed. */
const PJRT_Api* pg_load(const char* path, char** reason);

/* A memory layout for the plugin: none (both lists empty), tiled or strides. The struct that is made of it lies on the stack. */
typedef struct {
  int kind; /* 0 none, 1 tiled, 2 strides */
  size_t rank, tile_count;
} pg_layout;

void pg_error_destroy(const PJRT_Api* api, PJRT_Error* error);
void pg_error_message(const PJRT_Api* api, const PJRT_Error* error, const char** text, size_t* size);
PJRT_Error* pg_error_code(const PJRT_Api* api, const PJRT_Error* error, PJRT_Error_Code* code);

PJRT_Error* pg_initialize(const PJRT_Api* api);
PJRT_Error* pg_attributes(const PJRT_Api* api, const PJRT_NamedValue** values, size_t* count);

void pg_set_text(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, char* value, size_t size);
void pg_set_int64(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, int64_t value);
void pg_set_bool(PJRT_NamedValue* at, size_t i, char* name, size_t name_size, int value);
const char* pg_text_of(const PJRT_NamedValue* at, size_t i);
int64_t pg_int64_of(const PJRT_NamedValue* at, size_t i);
const int64_t* pg_int64s_of(const PJRT_NamedValue* at, size_t i);
float pg_float_of(const PJRT_NamedValue* at, size_t i);
int pg_bool_of(const PJRT_NamedValue* at, size_t i);
int pg_type_of(const PJRT_NamedValue* at, size_t i);
const char* pg_name_of(const PJRT_NamedValue* at, size_t i, size_t* size);
size_t pg_size_of(const PJRT_NamedValue* at, size_t i);

PJRT_Error* pg_event_destroy(const PJRT_Api* api, PJRT_Event* event);
PJRT_Error* pg_event_is_ready(const PJRT_Api* api, PJRT_Event* event, int* ready);
PJRT_Error* pg_event_await(const PJRT_Api* api, PJRT_Event* event);
PJRT_Error* pg_event_on_ready(const PJRT_Api* api, PJRT_Event* event, uintptr_t name);

PJRT_Error* pg_client_create(const PJRT_Api* api, const PJRT_NamedValue* options, size_t count, PJRT_Client** client);
PJRT_Error* pg_client_destroy(const PJRT_Api* api, PJRT_Client* client);
PJRT_Error* pg_platform_name(const PJRT_Api* api, PJRT_Client* client, const char** text, size_t* size);
PJRT_Error* pg_platform_version(const PJRT_Api* api, PJRT_Client* client, const char** text, size_t* size);
PJRT_Error* pg_process_index(const PJRT_Api* api, PJRT_Client* client, int* index);
PJRT_Error* pg_devices(const PJRT_Api* api, PJRT_Client* client, PJRT_Device* const** list, size_t* count);
PJRT_Error* pg_addressable_devices(const PJRT_Api* api, PJRT_Client* client, PJRT_Device* const** list, size_t* count);
PJRT_Error* pg_lookup_device(const PJRT_Api* api, PJRT_Client* client, int id, PJRT_Device** device);
PJRT_Error* pg_compile(const PJRT_Api* api, PJRT_Client* client, char* code, size_t code_size, const char* format,
                       size_t format_size, const char* options, size_t options_size,
                       PJRT_LoadedExecutable** executable);
PJRT_Error* pg_executable_destroy(const PJRT_Api* api, PJRT_LoadedExecutable* executable);
PJRT_Error* pg_topology(const PJRT_Api* api, PJRT_Client* client, PJRT_TopologyDescription** topology);
PJRT_Error* pg_topology_name(const PJRT_Api* api, PJRT_TopologyDescription* topology, const char** text, size_t* size);
PJRT_Error* pg_topology_devices(const PJRT_Api* api, PJRT_TopologyDescription* topology,
                                PJRT_DeviceDescription* const** list, size_t* count);

PJRT_Error* pg_device_description(const PJRT_Api* api, PJRT_Device* device, PJRT_DeviceDescription** description);
PJRT_Error* pg_description_id(const PJRT_Api* api, PJRT_DeviceDescription* description, int* id);
PJRT_Error* pg_description_kind(const PJRT_Api* api, PJRT_DeviceDescription* description, const char** text,
                                size_t* size);
PJRT_Error* pg_description_text(const PJRT_Api* api, PJRT_DeviceDescription* description, const char** text,
                                size_t* size);
PJRT_Error* pg_description_attributes(const PJRT_Api* api, PJRT_DeviceDescription* description,
                                      const PJRT_NamedValue** values, size_t* count);
PJRT_Error* pg_device_memories(const PJRT_Api* api, PJRT_Device* device, PJRT_Memory* const** list, size_t* count);
PJRT_Error* pg_device_default_memory(const PJRT_Api* api, PJRT_Device* device, PJRT_Memory** memory);
PJRT_Error* pg_device_memory_stats(const PJRT_Api* api, PJRT_Device* device, PJRT_Device_MemoryStats_Args* stats);
PJRT_Error* pg_memory_id(const PJRT_Api* api, PJRT_Memory* memory, int* id);
PJRT_Error* pg_memory_kind(const PJRT_Api* api, PJRT_Memory* memory, const char** text, size_t* size);

/* `order`, `tile_sizes` and `tile_ranks`, or strides in `order`, are what the layout's kind says. With NULL for `done` or
 * `event` the call returns when the transfer has ended, as it must where the memory is Go's. */
PJRT_Error* pg_from_host(const PJRT_Api* api, PJRT_Client* client, const void* data, size_t offset, int type,
                         const int64_t* dims, size_t rank, const int64_t* byte_strides, size_t stride_count,
                         int semantics, PJRT_Device* device, PJRT_Memory* memory, pg_layout layout,
                         const int64_t* order, const int64_t* tile_sizes, const size_t* tile_ranks, PJRT_Event** done,
                         PJRT_Buffer** buffer);
PJRT_Error* pg_to_host(const PJRT_Api* api, PJRT_Buffer* buffer, pg_layout layout, const int64_t* order,
                       const int64_t* tile_sizes, const size_t* tile_ranks, void* dst, size_t* size,
                       PJRT_Event** event);
PJRT_Error* pg_raw_to_host(const PJRT_Api* api, PJRT_Buffer* buffer, void* dst, int64_t offset, int64_t size,
                           PJRT_Event** event);
PJRT_Error* pg_buffer_destroy(const PJRT_Api* api, PJRT_Buffer* buffer);
PJRT_Error* pg_buffer_delete(const PJRT_Api* api, PJRT_Buffer* buffer);
PJRT_Error* pg_buffer_is_deleted(const PJRT_Api* api, PJRT_Buffer* buffer, int* deleted);
PJRT_Error* pg_buffer_type(const PJRT_Api* api, PJRT_Buffer* buffer, int* type);
PJRT_Error* pg_buffer_dimensions(const PJRT_Api* api, PJRT_Buffer* buffer, const int64_t** dims, size_t* rank);
PJRT_Error* pg_buffer_device_size(const PJRT_Api* api, PJRT_Buffer* buffer, size_t* size);
PJRT_Error* pg_buffer_device(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Device** device);
PJRT_Error* pg_buffer_memory(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Memory** memory);
PJRT_Error* pg_buffer_ready(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Event** event);
PJRT_Error* pg_buffer_pointer(const PJRT_Api* api, PJRT_Buffer* buffer, uintptr_t* pointer);
PJRT_Error* pg_buffer_memory_layout(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Buffer_MemoryLayout* layout);
PJRT_Error* pg_buffer_to_device(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Device* device, PJRT_Buffer** copy);
PJRT_Error* pg_buffer_to_memory(const PJRT_Api* api, PJRT_Buffer* buffer, PJRT_Memory* memory, PJRT_Buffer** copy);

/* The extension that tells layouts whole; NULL where the plugin lacks it or one of the functions used here. */
const PJRT_Layouts_Extension* pg_layouts(const PJRT_Api* api);
/* The text of a layout, which must be freed: of a buffer, or, where that is NULL, the client's default one. */
PJRT_Error* pg_layout_text(const PJRT_Api* api, const PJRT_Layouts_Extension* layouts, PJRT_Buffer* buffer,
                           PJRT_Client* client, int type, const int64_t* dims, size_t rank, char** text, size_t* size);

#endif /* PJRT_GO_CALLS_H_ */
