//! The PJRT C API: written by generate.py from examples/pjrt-plugin/pjrt_api.json. Do not edit.

#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

use std::ffi::c_void;
use std::mem::{size_of, MaybeUninit};
use std::os::raw::{c_char, c_int};
use std::ptr::addr_of;

/// Declares the structs, and with them what the tests compare with C: where each field is.
macro_rules! structs {
    ($($kind:ident $name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub $kind $name {
                $(pub $field: $type,)*
            }

            impl $name {
                /// All zero.
                pub fn zeroed() -> Self {
                    // SAFETY: numbers, pointers, unions of them and functions that may be missing: 0 is a value of each.
                    unsafe { MaybeUninit::zeroed().assume_init() }
                }

                /// The names of the fields, and where each begins and ends.
                pub fn fields() -> Vec<(&'static str, usize, usize)> {
                    let place = MaybeUninit::<Self>::uninit();
                    let start = place.as_ptr();
                    vec![$({
                        // SAFETY: only the address is taken.
                        let at = unsafe { addr_of!((*start).$field) } as usize - start as usize;
                        (stringify!($field), at, at + size_of::<$type>())
                    }),*]
                }
            }
        )*

        /// All structs: name, size, fields.
        pub fn layouts() -> Vec<(&'static str, usize, Vec<(&'static str, usize, usize)>)> {
            vec![$((stringify!($name), size_of::<$name>(), $name::fields())),*]
        }
    };
}

/// Says of structs of arguments that they begin with their size, as this file knows it: up to the end of the last field.
macro_rules! sized {
    ($($name:ident { $last:ident })*) => {
        $(
            impl $name {
                /// All zero, but for the size.
                #[inline]
                pub fn new() -> Self {
                    let mut args = Self::zeroed();
                    let end = addr_of!(args.$last) as usize - addr_of!(args) as usize;
                    args.struct_size = end + size_of_pointee(addr_of!(args.$last));
                    args
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self::new()
                }
            }
        )*
    };
}

fn size_of_pointee<T>(_: *const T) -> usize {
    size_of::<T>()
}

pub const PJRT_API_MAJOR: c_int = 0;
pub const PJRT_API_MINOR: c_int = 114;

pub type PJRT_Extension_Type = u32;
pub const PJRT_Extension_Type_Gpu_Custom_Call: PJRT_Extension_Type = 0;
pub const PJRT_Extension_Type_Profiler: PJRT_Extension_Type = 1;
pub const PJRT_Extension_Type_Custom_Partitioner: PJRT_Extension_Type = 2;
pub const PJRT_Extension_Type_Stream: PJRT_Extension_Type = 3;
pub const PJRT_Extension_Type_Layouts: PJRT_Extension_Type = 4;
pub const PJRT_Extension_Type_FFI: PJRT_Extension_Type = 5;
pub const PJRT_Extension_Type_MemoryDescriptions: PJRT_Extension_Type = 6;
pub const PJRT_Extension_Type_Triton: PJRT_Extension_Type = 7;
pub const PJRT_Extension_Type_RawBuffer: PJRT_Extension_Type = 8;
pub const PJRT_Extension_Type_PhaseCompile: PJRT_Extension_Type = 9;
pub const PJRT_Extension_Type_Example: PJRT_Extension_Type = 10;
pub const PJRT_Extension_Type_Unknown: PJRT_Extension_Type = 11;
pub const PJRT_Extension_Type_CrossHostTransfers: PJRT_Extension_Type = 12;
pub const PJRT_Extension_Type_ExecutableMetadata: PJRT_Extension_Type = 13;
pub const PJRT_Extension_Type_Callback: PJRT_Extension_Type = 14;
pub const PJRT_Extension_Type_HostAllocator: PJRT_Extension_Type = 15;
pub const PJRT_Extension_Type_TpuTopology: PJRT_Extension_Type = 16;
pub const PJRT_Extension_Type_TpuExecutable: PJRT_Extension_Type = 17;
pub const PJRT_Extension_Type_Megascale: PJRT_Extension_Type = 18;
pub const PJRT_Extension_Type_Shardings: PJRT_Extension_Type = 19;
pub const PJRT_Extension_Type_AbiVersion: PJRT_Extension_Type = 20;
pub const PJRT_Extension_Type_Collectives: PJRT_Extension_Type = 21;
pub const PJRT_Extension_Type_MultiSlice: PJRT_Extension_Type = 22;
pub const PJRT_Extension_Type_HostMemoryAllocator: PJRT_Extension_Type = 23;
pub const PJRT_Extension_Type_XlaTransform: PJRT_Extension_Type = 24;

pub type PJRT_Error_Code = u32;
pub const PJRT_Error_Code_OK: PJRT_Error_Code = 0;
pub const PJRT_Error_Code_CANCELLED: PJRT_Error_Code = 1;
pub const PJRT_Error_Code_UNKNOWN: PJRT_Error_Code = 2;
pub const PJRT_Error_Code_INVALID_ARGUMENT: PJRT_Error_Code = 3;
pub const PJRT_Error_Code_DEADLINE_EXCEEDED: PJRT_Error_Code = 4;
pub const PJRT_Error_Code_NOT_FOUND: PJRT_Error_Code = 5;
pub const PJRT_Error_Code_ALREADY_EXISTS: PJRT_Error_Code = 6;
pub const PJRT_Error_Code_PERMISSION_DENIED: PJRT_Error_Code = 7;
pub const PJRT_Error_Code_RESOURCE_EXHAUSTED: PJRT_Error_Code = 8;
pub const PJRT_Error_Code_FAILED_PRECONDITION: PJRT_Error_Code = 9;
pub const PJRT_Error_Code_ABORTED: PJRT_Error_Code = 10;
pub const PJRT_Error_Code_OUT_OF_RANGE: PJRT_Error_Code = 11;
pub const PJRT_Error_Code_UNIMPLEMENTED: PJRT_Error_Code = 12;
pub const PJRT_Error_Code_INTERNAL: PJRT_Error_Code = 13;
pub const PJRT_Error_Code_UNAVAILABLE: PJRT_Error_Code = 14;
pub const PJRT_Error_Code_DATA_LOSS: PJRT_Error_Code = 15;
pub const PJRT_Error_Code_UNAUTHENTICATED: PJRT_Error_Code = 16;

pub type PJRT_NamedValue_Type = u32;
pub const PJRT_NamedValue_kString: PJRT_NamedValue_Type = 0;
pub const PJRT_NamedValue_kInt64: PJRT_NamedValue_Type = 1;
pub const PJRT_NamedValue_kInt64List: PJRT_NamedValue_Type = 2;
pub const PJRT_NamedValue_kFloat: PJRT_NamedValue_Type = 3;
pub const PJRT_NamedValue_kBool: PJRT_NamedValue_Type = 4;

pub type PJRT_ProcessState = u32;
pub const PJRT_ProcessState_kUnspecified: PJRT_ProcessState = 0;
pub const PJRT_ProcessState_kUninitialized: PJRT_ProcessState = 1;
pub const PJRT_ProcessState_kDisconnected: PJRT_ProcessState = 2;
pub const PJRT_ProcessState_kConnected: PJRT_ProcessState = 3;
pub const PJRT_ProcessState_kError: PJRT_ProcessState = 4;

pub type PJRT_Buffer_Type = u32;
pub const PJRT_Buffer_Type_INVALID: PJRT_Buffer_Type = 0;
pub const PJRT_Buffer_Type_PRED: PJRT_Buffer_Type = 1;
pub const PJRT_Buffer_Type_S8: PJRT_Buffer_Type = 2;
pub const PJRT_Buffer_Type_S16: PJRT_Buffer_Type = 3;
pub const PJRT_Buffer_Type_S32: PJRT_Buffer_Type = 4;
pub const PJRT_Buffer_Type_S64: PJRT_Buffer_Type = 5;
pub const PJRT_Buffer_Type_U8: PJRT_Buffer_Type = 6;
pub const PJRT_Buffer_Type_U16: PJRT_Buffer_Type = 7;
pub const PJRT_Buffer_Type_U32: PJRT_Buffer_Type = 8;
pub const PJRT_Buffer_Type_U64: PJRT_Buffer_Type = 9;
pub const PJRT_Buffer_Type_F16: PJRT_Buffer_Type = 10;
pub const PJRT_Buffer_Type_F32: PJRT_Buffer_Type = 11;
pub const PJRT_Buffer_Type_F64: PJRT_Buffer_Type = 12;
pub const PJRT_Buffer_Type_BF16: PJRT_Buffer_Type = 13;
pub const PJRT_Buffer_Type_C64: PJRT_Buffer_Type = 14;
pub const PJRT_Buffer_Type_C128: PJRT_Buffer_Type = 15;
pub const PJRT_Buffer_Type_F8E5M2: PJRT_Buffer_Type = 16;
pub const PJRT_Buffer_Type_F8E4M3FN: PJRT_Buffer_Type = 17;
pub const PJRT_Buffer_Type_F8E4M3B11FNUZ: PJRT_Buffer_Type = 18;
pub const PJRT_Buffer_Type_F8E5M2FNUZ: PJRT_Buffer_Type = 19;
pub const PJRT_Buffer_Type_F8E4M3FNUZ: PJRT_Buffer_Type = 20;
pub const PJRT_Buffer_Type_S4: PJRT_Buffer_Type = 21;
pub const PJRT_Buffer_Type_U4: PJRT_Buffer_Type = 22;
pub const PJRT_Buffer_Type_TOKEN: PJRT_Buffer_Type = 23;
pub const PJRT_Buffer_Type_S2: PJRT_Buffer_Type = 24;
pub const PJRT_Buffer_Type_U2: PJRT_Buffer_Type = 25;
pub const PJRT_Buffer_Type_F8E4M3: PJRT_Buffer_Type = 26;
pub const PJRT_Buffer_Type_F8E3M4: PJRT_Buffer_Type = 27;
pub const PJRT_Buffer_Type_F8E8M0FNU: PJRT_Buffer_Type = 28;
pub const PJRT_Buffer_Type_F4E2M1FN: PJRT_Buffer_Type = 29;
pub const PJRT_Buffer_Type_S1: PJRT_Buffer_Type = 30;
pub const PJRT_Buffer_Type_U1: PJRT_Buffer_Type = 31;
pub const PJRT_Buffer_Type_F6E2M3FN: PJRT_Buffer_Type = 32;
pub const PJRT_Buffer_Type_F6E3M2FN: PJRT_Buffer_Type = 33;

pub type PJRT_HostBufferSemantics = u32;
pub const PJRT_HostBufferSemantics_kImmutableOnlyDuringCall: PJRT_HostBufferSemantics = 0;
pub const PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes: PJRT_HostBufferSemantics = 1;
pub const PJRT_HostBufferSemantics_kImmutableZeroCopy: PJRT_HostBufferSemantics = 2;
pub const PJRT_HostBufferSemantics_kMutableZeroCopy: PJRT_HostBufferSemantics = 3;

pub type PJRT_Buffer_MemoryLayout_Type = u32;
pub const PJRT_Buffer_MemoryLayout_Type_Tiled: PJRT_Buffer_MemoryLayout_Type = 0;
pub const PJRT_Buffer_MemoryLayout_Type_Strides: PJRT_Buffer_MemoryLayout_Type = 1;

#[repr(C)]
pub struct PJRT_AsyncHostToDeviceTransferManager {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_AsyncTrackingEvent {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Buffer {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Client {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_CopyToDeviceStream {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Device {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_DeviceAssignmentSerialized {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_DeviceDescription {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Device_Attributes {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Event {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Executable {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_ExecuteContext {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_FulfillAliasBufferCallback {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Layouts_MemoryLayout {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_Layouts_SerializedLayout {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_LoadedExecutable {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_MultiSlice_Config {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_SerializedCompileOptions {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_SerializedExecutable {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_SerializedTopology {
    _data: [u8; 0],
}

#[repr(C)]
pub struct PJRT_TopologyDescription {
    _data: [u8; 0],
}

pub type PJRT_Error_PayloadVisitor = Option<unsafe extern "C" fn(key: *const c_char, key_size: usize, value: *const c_char, value_size: usize, user_arg: *mut c_void)>;
pub type PJRT_CallbackError = Option<unsafe extern "C" fn(code: PJRT_Error_Code, message: *const c_char, message_size: usize) -> *mut PJRT_Error>;
pub type PJRT_Event_OnReadyCallback = Option<unsafe extern "C" fn(error: *mut PJRT_Error, user_arg: *mut c_void)>;
pub type PJRT_KeyValueGetCallback_ValueDeleter = Option<unsafe extern "C" fn(value: *mut c_char)>;
pub type PJRT_KeyValueGetCallback = Option<unsafe extern "C" fn(args: *mut PJRT_KeyValueGetCallback_Args) -> *mut PJRT_Error>;
pub type PJRT_KeyValueTryGetCallback_ValueDeleter = Option<unsafe extern "C" fn(value: *mut c_char)>;
pub type PJRT_KeyValueTryGetCallback = Option<unsafe extern "C" fn(args: *mut PJRT_KeyValueTryGetCallback_Args) -> *mut PJRT_Error>;
pub type PJRT_KeyValuePutCallback = Option<unsafe extern "C" fn(args: *mut PJRT_KeyValuePutCallback_Args) -> *mut PJRT_Error>;
pub type PJRT_SendCallback = Option<unsafe extern "C" fn(chunk: *mut PJRT_Chunk, callback_error: *mut PJRT_CallbackError, total_size_in_bytes: usize, done: bool, user_arg: *mut c_void) -> *mut PJRT_Error>;
pub type PJRT_RecvCallback = Option<unsafe extern "C" fn(stream: *mut PJRT_CopyToDeviceStream, user_arg: *mut c_void)>;
pub type PJRT_HloOutputCallback = Option<unsafe extern "C" fn(replica_id: i64, partition_id: i64, data: *const c_void, shape_dims: *const i64, shape_num_dims: usize, shape_element_type: PJRT_Buffer_Type, operand_index: i64, user_arg: *mut c_void)>;

structs! {
    struct PJRT_Extension_Base {
        struct_size: usize,
        r#type: PJRT_Extension_Type,
        next: *mut PJRT_Extension_Base,
    }

    struct PJRT_Error_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        error: *mut PJRT_Error,
    }

    struct PJRT_Error_Message_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        error: *const PJRT_Error,
        message: *const c_char,
        message_size: usize,
    }

    struct PJRT_Error_FunctionTable {
        struct_size: usize,
        instance_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        destroy: Option<unsafe extern "C" fn(error: *mut PJRT_Error)>,
        message: Option<unsafe extern "C" fn(error: *const PJRT_Error, message: *mut *const c_char, message_size: *mut usize)>,
        get_code: Option<unsafe extern "C" fn(error: *const PJRT_Error) -> PJRT_Error_Code>,
        for_each_payload: Option<unsafe extern "C" fn(error: *const PJRT_Error, visitor: PJRT_Error_PayloadVisitor, user_arg: *mut c_void)>,
    }

    struct PJRT_Error {
        vtable: *const PJRT_Error_FunctionTable,
    }

    struct PJRT_Error_GetCode_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        error: *const PJRT_Error,
        code: PJRT_Error_Code,
    }

    struct PJRT_Error_ForEachPayload_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        error: *const PJRT_Error,
        visitor: PJRT_Error_PayloadVisitor,
        user_arg: *mut c_void,
    }

    union PJRT_NamedValue_union {
        string_value: *const c_char,
        int64_value: i64,
        int64_array_value: *const i64,
        float_value: f32,
        bool_value: bool,
    }

    struct PJRT_NamedValue {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        name: *const c_char,
        name_size: usize,
        r#type: PJRT_NamedValue_Type,
        value: PJRT_NamedValue_union,
        value_size: usize,
    }

    struct PJRT_Plugin_Initialize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
    }

    struct PJRT_Plugin_Attributes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        attributes: *const PJRT_NamedValue,
        num_attributes: usize,
    }

    struct PJRT_Event_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
    }

    struct PJRT_Event_IsReady_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
        is_ready: bool,
    }

    struct PJRT_Event_Error_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
    }

    struct PJRT_Event_Await_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
    }

    struct PJRT_Event_OnReady_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
        callback: PJRT_Event_OnReadyCallback,
        user_arg: *mut c_void,
    }

    struct PJRT_Event_Create_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
    }

    struct PJRT_Event_Set_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_Event,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
    }

    struct PJRT_Memory_FunctionTable {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        instance_struct_size: usize,
        get_user_data: Option<unsafe extern "C" fn(memory: *mut PJRT_Memory, key: *const c_void) -> *mut c_void>,
        set_user_data: Option<unsafe extern "C" fn(memory: *mut PJRT_Memory, key: *const c_void, data: *mut c_void, dtor: Option<unsafe extern "C" fn(*mut c_void)>)>,
    }

    struct PJRT_Memory {
        vtable: *const PJRT_Memory_FunctionTable,
    }

    struct PJRT_KeyValueGetCallback_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        key: *const c_char,
        key_size: usize,
        timeout_in_ms: c_int,
        callback_error: *mut PJRT_CallbackError,
        user_arg: *mut c_void,
        value: *mut c_char,
        value_size: usize,
        value_deleter_callback: PJRT_KeyValueGetCallback_ValueDeleter,
    }

    struct PJRT_KeyValueTryGetCallback_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        key: *const c_char,
        key_size: usize,
        callback_error: *mut PJRT_CallbackError,
        user_arg: *mut c_void,
        value: *mut c_char,
        value_size: usize,
        value_deleter_callback: PJRT_KeyValueTryGetCallback_ValueDeleter,
    }

    struct PJRT_KeyValuePutCallback_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        key: *const c_char,
        key_size: usize,
        value: *const c_char,
        value_size: usize,
        callback_error: *mut PJRT_CallbackError,
        user_arg: *mut c_void,
    }

    struct PJRT_Client_Create_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        create_options: *const PJRT_NamedValue,
        num_options: usize,
        kv_get_callback: PJRT_KeyValueGetCallback,
        kv_get_user_arg: *mut c_void,
        kv_put_callback: PJRT_KeyValuePutCallback,
        kv_put_user_arg: *mut c_void,
        client: *mut PJRT_Client,
        kv_try_get_callback: PJRT_KeyValueTryGetCallback,
        kv_try_get_user_arg: *mut c_void,
    }

    struct PJRT_Client_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
    }

    struct PJRT_Client_PlatformName_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        platform_name: *const c_char,
        platform_name_size: usize,
    }

    struct PJRT_Client_ProcessIndex_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        process_index: c_int,
    }

    struct PJRT_Client_PlatformVersion_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        platform_version: *const c_char,
        platform_version_size: usize,
    }

    struct PJRT_Client_TopologyDescription_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        topology: *mut PJRT_TopologyDescription,
    }

    struct PJRT_Client_Devices_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        devices: *const *mut PJRT_Device,
        num_devices: usize,
    }

    struct PJRT_Client_AddressableDevices_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        addressable_devices: *const *mut PJRT_Device,
        num_addressable_devices: usize,
    }

    struct PJRT_Client_LookupDevice_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        id: c_int,
        device: *mut PJRT_Device,
    }

    struct PJRT_Client_LookupAddressableDevice_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        local_hardware_id: c_int,
        addressable_device: *mut PJRT_Device,
    }

    struct PJRT_ProcessInfo {
        struct_size: usize,
        task_id: c_int,
        incarnation_id: u64,
        state: PJRT_ProcessState,
        error_code: c_int,
        error_message: *const c_char,
        error_message_size: usize,
    }

    struct PJRT_Client_UpdateGlobalProcessInfo_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        process_infos: *mut PJRT_ProcessInfo,
        num_process_infos: usize,
    }

    struct PJRT_Client_AddressableMemories_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        addressable_memories: *const *mut PJRT_Memory,
        num_addressable_memories: usize,
    }

    struct PJRT_Program {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        code: *mut c_char,
        code_size: usize,
        format: *const c_char,
        format_size: usize,
    }

    struct PJRT_Client_Compile_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        program: *const PJRT_Program,
        compile_options: *const c_char,
        compile_options_size: usize,
        executable: *mut PJRT_LoadedExecutable,
    }

    struct PJRT_Client_Load_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        executable: *mut PJRT_Executable,
        compile_options: *const c_char,
        compile_options_size: usize,
        loaded_executable: *mut PJRT_LoadedExecutable,
    }

    struct PJRT_Client_DefaultDeviceAssignment_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        num_replicas: c_int,
        num_partitions: c_int,
        default_assignment_size: usize,
        default_assignment: *mut c_int,
    }

    struct PJRT_Client_DmaMap_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        data: *mut c_void,
        size: usize,
    }

    struct PJRT_Client_DmaUnmap_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        data: *mut c_void,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        data: *const c_void,
        offset: i64,
        transfer_size: i64,
        is_last_transfer: bool,
        done_with_h2d_transfer: *mut PJRT_Event,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        buffer_out: *mut PJRT_Buffer,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_Device_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        device_out: *mut PJRT_Device,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        buffer_count: usize,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        buffer_size: usize,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        transfer_metadata: *const PJRT_NamedValue,
        num_metadata: usize,
    }

    struct PJRT_Buffer_MemoryLayout_Tiled {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        minor_to_major: *const i64,
        minor_to_major_size: usize,
        tile_dims: *const i64,
        tile_dim_sizes: *const usize,
        num_tiles: usize,
    }

    struct PJRT_Buffer_MemoryLayout_Strides {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        byte_strides: *const i64,
        num_byte_strides: usize,
    }

    union PJRT_Buffer_MemoryLayout_union {
        tiled: PJRT_Buffer_MemoryLayout_Tiled,
        strides: PJRT_Buffer_MemoryLayout_Strides,
    }

    struct PJRT_Buffer_MemoryLayout {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        layout: PJRT_Buffer_MemoryLayout_union,
        r#type: PJRT_Buffer_MemoryLayout_Type,
    }

    struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        data: *const c_void,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        done_with_h2d_transfer: *mut PJRT_Event,
    }

    struct PJRT_Client_CreateUninitializedBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
        buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Client_CreateErrorBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        memory: *mut PJRT_Memory,
        buffer: *mut PJRT_Buffer,
        payload: *const PJRT_NamedValue,
        num_payload: usize,
    }

    struct PJRT_Client_CreateAliasBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        memory: *mut PJRT_Memory,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        alias_buffer: *mut PJRT_Buffer,
        fulfill_alias_buffer_cb: *mut PJRT_FulfillAliasBufferCallback,
    }

    struct PJRT_Client_FulfillAliasBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        buffer: *mut PJRT_Buffer,
        status_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
        fulfill_alias_buffer_cb: *mut PJRT_FulfillAliasBufferCallback,
    }

    struct PJRT_Client_BufferFromHostBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        data: *const c_void,
        r#type: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        byte_strides: *const i64,
        num_byte_strides: usize,
        host_buffer_semantics: PJRT_HostBufferSemantics,
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
        device_layout: *mut PJRT_Buffer_MemoryLayout,
        done_with_host_buffer: *mut PJRT_Event,
        buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Client_CreateViewOfDeviceBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        device_buffer_ptr: *mut c_void,
        dims: *const i64,
        num_dims: usize,
        element_type: PJRT_Buffer_Type,
        layout: *mut PJRT_Buffer_MemoryLayout,
        device: *mut PJRT_Device,
        on_delete_callback: Option<unsafe extern "C" fn(device_buffer_ptr: *mut c_void, user_arg: *mut c_void)>,
        on_delete_callback_arg: *mut c_void,
        stream: isize,
        buffer: *mut PJRT_Buffer,
        memory: *mut PJRT_Memory,
    }

    struct PJRT_ShapeSpec {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        dims: *const i64,
        num_dims: usize,
        element_type: PJRT_Buffer_Type,
    }

    struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        shape_specs: *mut PJRT_ShapeSpec,
        num_shape_specs: usize,
        device_layouts: *mut *mut PJRT_Buffer_MemoryLayout,
        num_device_layouts: usize,
        memory: *mut PJRT_Memory,
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
    }

    struct PJRT_DeviceDescription_Id_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device_description: *mut PJRT_DeviceDescription,
        id: c_int,
    }

    struct PJRT_DeviceDescription_ProcessIndex_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device_description: *mut PJRT_DeviceDescription,
        process_index: c_int,
    }

    struct PJRT_DeviceDescription_Attributes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device_description: *mut PJRT_DeviceDescription,
        num_attributes: usize,
        attributes: *const PJRT_NamedValue,
    }

    struct PJRT_DeviceDescription_Kind_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device_description: *mut PJRT_DeviceDescription,
        device_kind: *const c_char,
        device_kind_size: usize,
    }

    struct PJRT_DeviceDescription_DebugString_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device_description: *mut PJRT_DeviceDescription,
        debug_string: *const c_char,
        debug_string_size: usize,
    }

    struct PJRT_DeviceDescription_ToString_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device_description: *mut PJRT_DeviceDescription,
        to_string: *const c_char,
        to_string_size: usize,
    }

    struct PJRT_Device_GetDescription_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        device_description: *mut PJRT_DeviceDescription,
    }

    struct PJRT_Device_IsAddressable_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        is_addressable: bool,
    }

    struct PJRT_Device_LocalHardwareId_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        local_hardware_id: c_int,
    }

    struct PJRT_Device_AddressableMemories_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        memories: *const *mut PJRT_Memory,
        num_memories: usize,
    }

    struct PJRT_Device_DefaultMemory_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
    }

    struct PJRT_Device_MemoryStats_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        bytes_in_use: i64,
        peak_bytes_in_use: i64,
        peak_bytes_in_use_is_set: bool,
        num_allocs: i64,
        num_allocs_is_set: bool,
        largest_alloc_size: i64,
        largest_alloc_size_is_set: bool,
        bytes_limit: i64,
        bytes_limit_is_set: bool,
        bytes_reserved: i64,
        bytes_reserved_is_set: bool,
        peak_bytes_reserved: i64,
        peak_bytes_reserved_is_set: bool,
        bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: bool,
        largest_free_block_bytes: i64,
        largest_free_block_bytes_is_set: bool,
        pool_bytes: i64,
        pool_bytes_is_set: bool,
        peak_pool_bytes: i64,
        peak_pool_bytes_is_set: bool,
        peak_allocated_bytes: i64,
        peak_allocated_bytes_is_set: bool,
    }

    struct PJRT_Device_ClearMemoryStats_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
    }

    struct PJRT_Device_PoisonExecution_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        launch_id: i32,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
        poisoned: bool,
        payload: *const PJRT_NamedValue,
        num_payload: usize,
    }

    struct PJRT_Device_GetAttributes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        attributes: *const PJRT_NamedValue,
        num_attributes: usize,
        device_attributes: *mut PJRT_Device_Attributes,
        attributes_deleter: Option<unsafe extern "C" fn(device_attributes: *mut PJRT_Device_Attributes)>,
    }

    struct PJRT_Device_CreateAsyncTrackingEvent_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        device: *mut PJRT_Device,
        description: *const c_char,
        description_size: usize,
        event: *mut PJRT_AsyncTrackingEvent,
    }

    struct PJRT_AsyncTrackingEvent_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        event: *mut PJRT_AsyncTrackingEvent,
    }

    struct PJRT_Memory_Id_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        memory: *mut PJRT_Memory,
        id: c_int,
    }

    struct PJRT_Memory_Kind_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        memory: *mut PJRT_Memory,
        kind: *const c_char,
        kind_size: usize,
    }

    struct PJRT_Memory_Kind_Id_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        memory: *mut PJRT_Memory,
        kind_id: c_int,
    }

    struct PJRT_Memory_DebugString_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        memory: *mut PJRT_Memory,
        debug_string: *const c_char,
        debug_string_size: usize,
    }

    struct PJRT_Memory_ToString_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        memory: *mut PJRT_Memory,
        to_string: *const c_char,
        to_string_size: usize,
    }

    struct PJRT_Memory_AddressableByDevices_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        memory: *mut PJRT_Memory,
        devices: *const *mut PJRT_Device,
        num_devices: usize,
    }

    struct PJRT_ExecuteContext_Create_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        context: *mut PJRT_ExecuteContext,
    }

    struct PJRT_ExecuteContext_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        context: *mut PJRT_ExecuteContext,
    }

    struct PJRT_Executable_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
    }

    struct PJRT_LoadedExecutable_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
    }

    struct PJRT_LoadedExecutable_GetExecutable_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        loaded_executable: *mut PJRT_LoadedExecutable,
        executable: *mut PJRT_Executable,
    }

    struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_device_assignment: *mut PJRT_DeviceAssignmentSerialized,
        serialized_device_assignment_deleter: Option<unsafe extern "C" fn(da: *mut PJRT_DeviceAssignmentSerialized)>,
    }

    struct PJRT_Executable_Name_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        executable_name: *const c_char,
        executable_name_size: usize,
    }

    struct PJRT_Executable_NumReplicas_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_replicas: usize,
    }

    struct PJRT_Executable_NumPartitions_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_partitions: usize,
    }

    struct PJRT_LogicalDeviceIds {
        replica: c_int,
        partition: c_int,
    }

    struct PJRT_LoadedExecutable_AddressableDevices_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
        addressable_devices: *const *mut PJRT_Device,
        num_addressable_devices: usize,
    }

    struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
        addressable_device_logical_ids: *mut PJRT_LogicalDeviceIds,
        num_addressable_device_logical_ids: usize,
    }

    struct PJRT_Executable_OptimizedProgram_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        program: *mut PJRT_Program,
    }

    struct PJRT_LoadedExecutable_Delete_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
    }

    struct PJRT_LoadedExecutable_IsDeleted_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
        is_deleted: bool,
    }

    struct PJRT_Chunk {
        data: *mut c_void,
        size: usize,
        deleter: Option<unsafe extern "C" fn(data: *mut c_void, deleter_arg: *mut c_void)>,
        deleter_arg: *mut c_void,
    }

    struct PJRT_SendCallbackInfo {
        channel_id: i64,
        user_arg: *mut c_void,
        send_callback: PJRT_SendCallback,
    }

    struct PJRT_RecvCallbackInfo {
        channel_id: i64,
        user_arg: *mut c_void,
        recv_callback: PJRT_RecvCallback,
    }

    struct PJRT_HloOutputCallbackInfo {
        user_arg: *mut c_void,
        callback: PJRT_HloOutputCallback,
        callback_id: i64,
        num_operands: usize,
    }

    struct PJRT_ExecuteOptions {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        send_callbacks: *mut *mut PJRT_SendCallbackInfo,
        recv_callbacks: *mut *mut PJRT_RecvCallbackInfo,
        num_send_ops: usize,
        num_recv_ops: usize,
        launch_id: c_int,
        non_donatable_input_indices: *const i64,
        num_non_donatable_input_indices: usize,
        context: *mut PJRT_ExecuteContext,
        call_location: *const c_char,
        num_tasks: usize,
        task_ids: *mut c_int,
        incarnation_ids: *mut i64,
        multi_slice_config: *mut PJRT_MultiSlice_Config,
        use_major_to_minor_data_layout_for_callbacks: bool,
        hlo_output_callbacks: *mut PJRT_HloOutputCallbackInfo,
        num_hlo_output_callbacks: usize,
    }

    struct PJRT_LoadedExecutable_Execute_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
        options: *mut PJRT_ExecuteOptions,
        argument_lists: *const *const *mut PJRT_Buffer,
        num_devices: usize,
        num_args: usize,
        output_lists: *const *mut *mut PJRT_Buffer,
        device_complete_events: *mut *mut PJRT_Event,
        execute_device: *mut PJRT_Device,
    }

    struct PJRT_Executable_NumOutputs_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_outputs: usize,
    }

    struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        size_in_bytes: i64,
    }

    struct PJRT_Executable_Fingerprint_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        executable_fingerprint: *const c_char,
        executable_fingerprint_size: usize,
    }

    struct PJRT_Executable_GetCostAnalysis_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_properties: usize,
        properties: *const PJRT_NamedValue,
    }

    struct PJRT_Executable_GetCompiledMemoryStats_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        generated_code_size_in_bytes: i64,
        argument_size_in_bytes: i64,
        output_size_in_bytes: i64,
        alias_size_in_bytes: i64,
        temp_size_in_bytes: i64,
        host_generated_code_size_in_bytes: i64,
        host_argument_size_in_bytes: i64,
        host_output_size_in_bytes: i64,
        host_alias_size_in_bytes: i64,
        host_temp_size_in_bytes: i64,
        peak_memory_in_bytes: i64,
        total_size_in_bytes: i64,
        total_allocation_bytes: i64,
        indefinite_allocations: i64,
        peak_unpadded_heap_bytes: i64,
    }

    struct PJRT_Executable_OutputElementTypes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        output_types: *mut PJRT_Buffer_Type,
        num_output_types: usize,
    }

    struct PJRT_Executable_OutputDimensions_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        dims: *const i64,
        dim_sizes: *const usize,
    }

    struct PJRT_Executable_ParameterMemoryKinds_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_parameters: usize,
        memory_kinds: *const *const c_char,
        memory_kind_sizes: *const usize,
    }

    struct PJRT_Executable_OutputMemoryKinds_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        memory_kinds: *const *const c_char,
        memory_kind_sizes: *const usize,
    }

    struct PJRT_Executable_Serialize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *const PJRT_Executable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_executable: *mut PJRT_SerializedExecutable,
        serialized_executable_deleter: Option<unsafe extern "C" fn(exec: *mut PJRT_SerializedExecutable)>,
    }

    struct PJRT_Executable_GetCompileOptions_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_compile_options: *mut PJRT_SerializedCompileOptions,
        serialized_compile_options_deleter: Option<unsafe extern "C" fn(options: *mut PJRT_SerializedCompileOptions)>,
    }

    struct PJRT_LoadOptions {
        struct_size: usize,
        computation_origin: *const i32,
        computation_origin_size: usize,
        multi_slice_config: *mut PJRT_MultiSlice_Config,
    }

    struct PJRT_Executable_DeserializeAndLoad_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        serialized_executable: *const c_char,
        serialized_executable_size: usize,
        loaded_executable: *mut PJRT_LoadedExecutable,
        overridden_serialized_compile_options: *const c_char,
        overridden_serialized_compile_options_size: usize,
        load_options: *mut PJRT_LoadOptions,
    }

    struct PJRT_LoadedExecutable_Fingerprint_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_LoadedExecutable,
        executable_fingerprint: *const c_char,
        executable_fingerprint_size: usize,
    }

    struct PJRT_Buffer_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_ElementType_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        r#type: PJRT_Buffer_Type,
    }

    struct PJRT_Buffer_Dimensions_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        dims: *const i64,
        num_dims: usize,
    }

    struct PJRT_Buffer_UnpaddedDimensions_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        unpadded_dims: *const i64,
        num_dims: usize,
    }

    struct PJRT_Buffer_DynamicDimensionIndices_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        dynamic_dim_indices: *const usize,
        num_dynamic_dims: usize,
    }

    struct PJRT_Buffer_GetMemoryLayout_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        layout: PJRT_Buffer_MemoryLayout,
    }

    struct PJRT_Buffer_ToHostBuffer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        src: *mut PJRT_Buffer,
        host_layout: *mut PJRT_Buffer_MemoryLayout,
        dst: *mut c_void,
        dst_size: usize,
        event: *mut PJRT_Event,
    }

    struct PJRT_Buffer_OnDeviceSizeInBytes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        on_device_size_in_bytes: usize,
    }

    struct PJRT_Buffer_Delete_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_IsDeleted_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        is_deleted: bool,
    }

    struct PJRT_Buffer_CopyRawToHost_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        dst: *mut c_void,
        offset: i64,
        transfer_size: i64,
        event: *mut PJRT_Event,
    }

    struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
        struct_size: usize,
        callback_data: *mut c_void,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
        dst: *mut c_void,
    }

    struct PJRT_Buffer_CopyRawToHostFuture_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        offset: i64,
        transfer_size: i64,
        event: *mut PJRT_Event,
        callback_data: *mut c_void,
        future_ready_callback: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_CopyRawToHostFuture_Callback_Args)>,
    }

    struct PJRT_Buffer_CopyToDevice_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        dst_device: *mut PJRT_Device,
        dst_buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_CopyToMemory_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        dst_memory: *mut PJRT_Memory,
        dst_buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_Bitcast_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        element_type: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        device_layout: *mut PJRT_Buffer_MemoryLayout,
        out_buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_IsOnCpu_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        is_on_cpu: bool,
    }

    struct PJRT_Buffer_Device_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        device: *mut PJRT_Device,
    }

    struct PJRT_Buffer_Memory_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        memory: *mut PJRT_Memory,
    }

    struct PJRT_Buffer_ReadyEvent_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        event: *mut PJRT_Event,
    }

    struct PJRT_Buffer_UnsafePointer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        buffer_pointer: usize,
    }

    struct PJRT_Buffer_IncreaseExternalReferenceCount_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_DecreaseExternalReferenceCount_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
    }

    struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        device_memory_ptr: *mut c_void,
    }

    struct PJRT_Buffer_DonateWithControlDependency_Callback_Args {
        struct_size: usize,
        callback_data: *mut c_void,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
    }

    struct PJRT_Buffer_DonateWithControlDependency_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        callback_data: *mut c_void,
        dependency_ready_callback: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_DonateWithControlDependency_Callback_Args)>,
        out_buffer: *mut PJRT_Buffer,
    }

    struct PJRT_CopyToDeviceStream_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        stream: *mut PJRT_CopyToDeviceStream,
    }

    struct PJRT_CopyToDeviceStream_AddChunk_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        stream: *mut PJRT_CopyToDeviceStream,
        chunk: *mut PJRT_Chunk,
        transfer_complete: *mut PJRT_Event,
    }

    struct PJRT_CopyToDeviceStream_TotalBytes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        stream: *mut PJRT_CopyToDeviceStream,
        total_bytes: i64,
    }

    struct PJRT_CopyToDeviceStream_GranuleSize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        stream: *mut PJRT_CopyToDeviceStream,
        granule_size_in_bytes: i64,
    }

    struct PJRT_CopyToDeviceStream_CurrentBytes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        stream: *mut PJRT_CopyToDeviceStream,
        current_bytes: i64,
    }

    struct PJRT_TopologyDescription_Create_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology_name: *const c_char,
        topology_name_size: usize,
        create_options: *const PJRT_NamedValue,
        num_options: usize,
        topology: *mut PJRT_TopologyDescription,
    }

    struct PJRT_TopologyDescription_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *mut PJRT_TopologyDescription,
    }

    struct PJRT_TopologyDescription_PlatformVersion_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *mut PJRT_TopologyDescription,
        platform_version: *const c_char,
        platform_version_size: usize,
    }

    struct PJRT_TopologyDescription_PlatformName_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *const PJRT_TopologyDescription,
        platform_name: *const c_char,
        platform_name_size: usize,
    }

    struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *const PJRT_TopologyDescription,
        descriptions: *const *mut PJRT_DeviceDescription,
        num_descriptions: usize,
    }

    struct PJRT_TopologyDescription_Serialize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *mut PJRT_TopologyDescription,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_topology: *mut PJRT_SerializedTopology,
        serialized_topology_deleter: Option<unsafe extern "C" fn(serialized_topology: *mut PJRT_SerializedTopology)>,
    }

    struct PJRT_TopologyDescription_Deserialize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        serialized_topology: *const c_char,
        serialized_topology_size: usize,
        topology: *mut PJRT_TopologyDescription,
    }

    struct PJRT_TopologyDescription_Attributes_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *mut PJRT_TopologyDescription,
        attributes: *const PJRT_NamedValue,
        num_attributes: usize,
    }

    struct PJRT_TopologyDescription_Fingerprint_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *const PJRT_TopologyDescription,
        fingerprint: u64,
    }

    struct PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *const PJRT_TopologyDescription,
        memory_space_kind_id: c_int,
        dims: *const i64,
        num_dims: usize,
        element_type: PJRT_Buffer_Type,
        layout: *const PJRT_Buffer_MemoryLayout,
        serialized_shape: *const c_char,
        serialized_shape_size: usize,
        serialized_shape_deleter: Option<unsafe extern "C" fn(*const c_char)>,
    }

    struct PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *const PJRT_TopologyDescription,
        memory_space_kind_ids: *const c_int,
        num_memory_space_kind_ids: usize,
    }

    struct PJRT_Compile_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology: *const PJRT_TopologyDescription,
        program: *const PJRT_Program,
        compile_options: *const c_char,
        compile_options_size: usize,
        client: *mut PJRT_Client,
        executable: *mut PJRT_Executable,
    }

    struct PJRT_Layouts_MemoryLayout_Destroy_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }

    struct PJRT_Layouts_MemoryLayout_Serialize_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        layout: *mut PJRT_Layouts_MemoryLayout,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_layout: *mut PJRT_Layouts_SerializedLayout,
        serialized_layout_deleter: Option<unsafe extern "C" fn(s_layout: *mut PJRT_Layouts_SerializedLayout)>,
    }

    struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        buffer: *mut PJRT_Buffer,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }

    struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        client: *mut PJRT_Client,
        r#type: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }

    struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        topology_description: *mut PJRT_TopologyDescription,
        r#type: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }

    struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }

    struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        executable: *mut PJRT_Executable,
        num_parameters: usize,
        layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }

    struct PJRT_Api_Version {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        major_version: c_int,
        minor_version: c_int,
    }

    struct PJRT_Api {
        struct_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        pjrt_api_version: PJRT_Api_Version,
        PJRT_Error_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_Error_Destroy_Args)>,
        PJRT_Error_Message: Option<unsafe extern "C" fn(args: *mut PJRT_Error_Message_Args)>,
        PJRT_Error_GetCode: Option<unsafe extern "C" fn(args: *mut PJRT_Error_GetCode_Args) -> *mut PJRT_Error>,
        PJRT_Plugin_Initialize: Option<unsafe extern "C" fn(args: *mut PJRT_Plugin_Initialize_Args) -> *mut PJRT_Error>,
        PJRT_Plugin_Attributes: Option<unsafe extern "C" fn(args: *mut PJRT_Plugin_Attributes_Args) -> *mut PJRT_Error>,
        PJRT_Event_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_Event_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Event_IsReady: Option<unsafe extern "C" fn(args: *mut PJRT_Event_IsReady_Args) -> *mut PJRT_Error>,
        PJRT_Event_Error: Option<unsafe extern "C" fn(args: *mut PJRT_Event_Error_Args) -> *mut PJRT_Error>,
        PJRT_Event_Await: Option<unsafe extern "C" fn(args: *mut PJRT_Event_Await_Args) -> *mut PJRT_Error>,
        PJRT_Event_OnReady: Option<unsafe extern "C" fn(args: *mut PJRT_Event_OnReady_Args) -> *mut PJRT_Error>,
        PJRT_Client_Create: Option<unsafe extern "C" fn(args: *mut PJRT_Client_Create_Args) -> *mut PJRT_Error>,
        PJRT_Client_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_Client_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Client_PlatformName: Option<unsafe extern "C" fn(args: *mut PJRT_Client_PlatformName_Args) -> *mut PJRT_Error>,
        PJRT_Client_ProcessIndex: Option<unsafe extern "C" fn(args: *mut PJRT_Client_ProcessIndex_Args) -> *mut PJRT_Error>,
        PJRT_Client_PlatformVersion: Option<unsafe extern "C" fn(args: *mut PJRT_Client_PlatformVersion_Args) -> *mut PJRT_Error>,
        PJRT_Client_Devices: Option<unsafe extern "C" fn(args: *mut PJRT_Client_Devices_Args) -> *mut PJRT_Error>,
        PJRT_Client_AddressableDevices: Option<unsafe extern "C" fn(args: *mut PJRT_Client_AddressableDevices_Args) -> *mut PJRT_Error>,
        PJRT_Client_LookupDevice: Option<unsafe extern "C" fn(args: *mut PJRT_Client_LookupDevice_Args) -> *mut PJRT_Error>,
        PJRT_Client_LookupAddressableDevice: Option<unsafe extern "C" fn(args: *mut PJRT_Client_LookupAddressableDevice_Args) -> *mut PJRT_Error>,
        PJRT_Client_AddressableMemories: Option<unsafe extern "C" fn(args: *mut PJRT_Client_AddressableMemories_Args) -> *mut PJRT_Error>,
        PJRT_Client_Compile: Option<unsafe extern "C" fn(args: *mut PJRT_Client_Compile_Args) -> *mut PJRT_Error>,
        PJRT_Client_DefaultDeviceAssignment: Option<unsafe extern "C" fn(args: *mut PJRT_Client_DefaultDeviceAssignment_Args) -> *mut PJRT_Error>,
        PJRT_Client_BufferFromHostBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Client_BufferFromHostBuffer_Args) -> *mut PJRT_Error>,
        PJRT_DeviceDescription_Id: Option<unsafe extern "C" fn(args: *mut PJRT_DeviceDescription_Id_Args) -> *mut PJRT_Error>,
        PJRT_DeviceDescription_ProcessIndex: Option<unsafe extern "C" fn(args: *mut PJRT_DeviceDescription_ProcessIndex_Args) -> *mut PJRT_Error>,
        PJRT_DeviceDescription_Attributes: Option<unsafe extern "C" fn(args: *mut PJRT_DeviceDescription_Attributes_Args) -> *mut PJRT_Error>,
        PJRT_DeviceDescription_Kind: Option<unsafe extern "C" fn(args: *mut PJRT_DeviceDescription_Kind_Args) -> *mut PJRT_Error>,
        PJRT_DeviceDescription_DebugString: Option<unsafe extern "C" fn(args: *mut PJRT_DeviceDescription_DebugString_Args) -> *mut PJRT_Error>,
        PJRT_DeviceDescription_ToString: Option<unsafe extern "C" fn(args: *mut PJRT_DeviceDescription_ToString_Args) -> *mut PJRT_Error>,
        PJRT_Device_GetDescription: Option<unsafe extern "C" fn(args: *mut PJRT_Device_GetDescription_Args) -> *mut PJRT_Error>,
        PJRT_Device_IsAddressable: Option<unsafe extern "C" fn(args: *mut PJRT_Device_IsAddressable_Args) -> *mut PJRT_Error>,
        PJRT_Device_LocalHardwareId: Option<unsafe extern "C" fn(args: *mut PJRT_Device_LocalHardwareId_Args) -> *mut PJRT_Error>,
        PJRT_Device_AddressableMemories: Option<unsafe extern "C" fn(args: *mut PJRT_Device_AddressableMemories_Args) -> *mut PJRT_Error>,
        PJRT_Device_DefaultMemory: Option<unsafe extern "C" fn(args: *mut PJRT_Device_DefaultMemory_Args) -> *mut PJRT_Error>,
        PJRT_Device_MemoryStats: Option<unsafe extern "C" fn(args: *mut PJRT_Device_MemoryStats_Args) -> *mut PJRT_Error>,
        PJRT_Memory_Id: Option<unsafe extern "C" fn(args: *mut PJRT_Memory_Id_Args) -> *mut PJRT_Error>,
        PJRT_Memory_Kind: Option<unsafe extern "C" fn(args: *mut PJRT_Memory_Kind_Args) -> *mut PJRT_Error>,
        PJRT_Memory_DebugString: Option<unsafe extern "C" fn(args: *mut PJRT_Memory_DebugString_Args) -> *mut PJRT_Error>,
        PJRT_Memory_ToString: Option<unsafe extern "C" fn(args: *mut PJRT_Memory_ToString_Args) -> *mut PJRT_Error>,
        PJRT_Memory_AddressableByDevices: Option<unsafe extern "C" fn(args: *mut PJRT_Memory_AddressableByDevices_Args) -> *mut PJRT_Error>,
        PJRT_Executable_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Executable_Name: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_Name_Args) -> *mut PJRT_Error>,
        PJRT_Executable_NumReplicas: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_NumReplicas_Args) -> *mut PJRT_Error>,
        PJRT_Executable_NumPartitions: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_NumPartitions_Args) -> *mut PJRT_Error>,
        PJRT_Executable_NumOutputs: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_NumOutputs_Args) -> *mut PJRT_Error>,
        PJRT_Executable_SizeOfGeneratedCodeInBytes: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_SizeOfGeneratedCodeInBytes_Args) -> *mut PJRT_Error>,
        PJRT_Executable_GetCostAnalysis: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_GetCostAnalysis_Args) -> *mut PJRT_Error>,
        PJRT_Executable_OutputMemoryKinds: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_OutputMemoryKinds_Args) -> *mut PJRT_Error>,
        PJRT_Executable_OptimizedProgram: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_OptimizedProgram_Args) -> *mut PJRT_Error>,
        PJRT_Executable_Serialize: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_Serialize_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_GetExecutable: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_GetExecutable_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_AddressableDevices: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_AddressableDevices_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_Delete: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_Delete_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_IsDeleted: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_IsDeleted_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_Execute: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_Execute_Args) -> *mut PJRT_Error>,
        PJRT_Executable_DeserializeAndLoad: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_DeserializeAndLoad_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_Fingerprint: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_Fingerprint_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_ElementType: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_ElementType_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_Dimensions: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_Dimensions_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_UnpaddedDimensions: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_UnpaddedDimensions_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_DynamicDimensionIndices: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_DynamicDimensionIndices_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_GetMemoryLayout: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_GetMemoryLayout_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_OnDeviceSizeInBytes: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_OnDeviceSizeInBytes_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_Device: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_Device_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_Memory: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_Memory_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_Delete: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_Delete_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_IsDeleted: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_IsDeleted_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_CopyToDevice: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_CopyToDevice_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_ToHostBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_ToHostBuffer_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_IsOnCpu: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_IsOnCpu_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_ReadyEvent: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_ReadyEvent_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_UnsafePointer: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_UnsafePointer_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_IncreaseExternalReferenceCount: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_IncreaseExternalReferenceCount_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_DecreaseExternalReferenceCount: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_DecreaseExternalReferenceCount_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_OpaqueDeviceMemoryDataPointer: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args) -> *mut PJRT_Error>,
        PJRT_CopyToDeviceStream_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_CopyToDeviceStream_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_CopyToDeviceStream_AddChunk: Option<unsafe extern "C" fn(args: *mut PJRT_CopyToDeviceStream_AddChunk_Args) -> *mut PJRT_Error>,
        PJRT_CopyToDeviceStream_TotalBytes: Option<unsafe extern "C" fn(args: *mut PJRT_CopyToDeviceStream_TotalBytes_Args) -> *mut PJRT_Error>,
        PJRT_CopyToDeviceStream_GranuleSize: Option<unsafe extern "C" fn(args: *mut PJRT_CopyToDeviceStream_GranuleSize_Args) -> *mut PJRT_Error>,
        PJRT_CopyToDeviceStream_CurrentBytes: Option<unsafe extern "C" fn(args: *mut PJRT_CopyToDeviceStream_CurrentBytes_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_Create: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_Create_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_PlatformName: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_PlatformName_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_PlatformVersion: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_PlatformVersion_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_GetDeviceDescriptions: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_GetDeviceDescriptions_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_Serialize: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_Serialize_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_Attributes: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_Attributes_Args) -> *mut PJRT_Error>,
        PJRT_Compile: Option<unsafe extern "C" fn(args: *mut PJRT_Compile_Args) -> *mut PJRT_Error>,
        PJRT_Executable_OutputElementTypes: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_OutputElementTypes_Args) -> *mut PJRT_Error>,
        PJRT_Executable_OutputDimensions: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_OutputDimensions_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_CopyToMemory: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_CopyToMemory_Args) -> *mut PJRT_Error>,
        PJRT_Client_CreateViewOfDeviceBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Client_CreateViewOfDeviceBuffer_Args) -> *mut PJRT_Error>,
        PJRT_Executable_Fingerprint: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_Fingerprint_Args) -> *mut PJRT_Error>,
        PJRT_Client_TopologyDescription: Option<unsafe extern "C" fn(args: *mut PJRT_Client_TopologyDescription_Args) -> *mut PJRT_Error>,
        PJRT_Executable_GetCompiledMemoryStats: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_GetCompiledMemoryStats_Args) -> *mut PJRT_Error>,
        PJRT_Memory_Kind_Id: Option<unsafe extern "C" fn(args: *mut PJRT_Memory_Kind_Id_Args) -> *mut PJRT_Error>,
        PJRT_ExecuteContext_Create: Option<unsafe extern "C" fn(args: *mut PJRT_ExecuteContext_Create_Args) -> *mut PJRT_Error>,
        PJRT_ExecuteContext_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_ExecuteContext_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_CopyRawToHost: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_CopyRawToHost_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_TransferData: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_TransferData_Args) -> *mut PJRT_Error>,
        PJRT_Client_CreateBuffersForAsyncHostToDevice: Option<unsafe extern "C" fn(args: *mut PJRT_Client_CreateBuffersForAsyncHostToDevice_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_Device: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_Device_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_BufferCount: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_BufferSize: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_SetBufferError: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_AddMetadata: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args) -> *mut PJRT_Error>,
        PJRT_Client_DmaMap: Option<unsafe extern "C" fn(args: *mut PJRT_Client_DmaMap_Args) -> *mut PJRT_Error>,
        PJRT_Client_DmaUnmap: Option<unsafe extern "C" fn(args: *mut PJRT_Client_DmaUnmap_Args) -> *mut PJRT_Error>,
        PJRT_Client_CreateUninitializedBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Client_CreateUninitializedBuffer_Args) -> *mut PJRT_Error>,
        PJRT_Client_UpdateGlobalProcessInfo: Option<unsafe extern "C" fn(args: *mut PJRT_Client_UpdateGlobalProcessInfo_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_Deserialize: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_Deserialize_Args) -> *mut PJRT_Error>,
        PJRT_Client_CreateAliasBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Client_CreateAliasBuffer_Args) -> *mut PJRT_Error>,
        PJRT_Client_FulfillAliasBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Client_FulfillAliasBuffer_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_GetDeviceAssignment: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_GetDeviceAssignment_Args) -> *mut PJRT_Error>,
        PJRT_Client_CreateErrorBuffer: Option<unsafe extern "C" fn(args: *mut PJRT_Client_CreateErrorBuffer_Args) -> *mut PJRT_Error>,
        PJRT_AsyncHostToDeviceTransferManager_TransferLiteral: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_CopyRawToHostFuture: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_CopyRawToHostFuture_Args) -> *mut PJRT_Error>,
        PJRT_Device_PoisonExecution: Option<unsafe extern "C" fn(args: *mut PJRT_Device_PoisonExecution_Args) -> *mut PJRT_Error>,
        PJRT_Device_CreateAsyncTrackingEvent: Option<unsafe extern "C" fn(args: *mut PJRT_Device_CreateAsyncTrackingEvent_Args) -> *mut PJRT_Error>,
        PJRT_AsyncTrackingEvent_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_AsyncTrackingEvent_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Executable_GetCompileOptions: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_GetCompileOptions_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_DonateWithControlDependency: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_DonateWithControlDependency_Args) -> *mut PJRT_Error>,
        PJRT_Event_Create: Option<unsafe extern "C" fn(args: *mut PJRT_Event_Create_Args) -> *mut PJRT_Error>,
        PJRT_Event_Set: Option<unsafe extern "C" fn(args: *mut PJRT_Event_Set_Args) -> *mut PJRT_Error>,
        PJRT_Device_GetAttributes: Option<unsafe extern "C" fn(args: *mut PJRT_Device_GetAttributes_Args) -> *mut PJRT_Error>,
        PJRT_Client_Load: Option<unsafe extern "C" fn(args: *mut PJRT_Client_Load_Args) -> *mut PJRT_Error>,
        PJRT_LoadedExecutable_AddressableDeviceLogicalIds: Option<unsafe extern "C" fn(args: *mut PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args) -> *mut PJRT_Error>,
        PJRT_Buffer_Bitcast: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_Bitcast_Args) -> *mut PJRT_Error>,
        PJRT_Error_ForEachPayload: Option<unsafe extern "C" fn(args: *mut PJRT_Error_ForEachPayload_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_Fingerprint: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_Fingerprint_Args) -> *mut PJRT_Error>,
        PJRT_Executable_ParameterMemoryKinds: Option<unsafe extern "C" fn(args: *mut PJRT_Executable_ParameterMemoryKinds_Args) -> *mut PJRT_Error>,
        PJRT_Device_ClearMemoryStats: Option<unsafe extern "C" fn(args: *mut PJRT_Device_ClearMemoryStats_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args) -> *mut PJRT_Error>,
        PJRT_TopologyDescription_GetMemorySpaceKindIds: Option<unsafe extern "C" fn(args: *mut PJRT_TopologyDescription_GetMemorySpaceKindIds_Args) -> *mut PJRT_Error>,
    }

    struct PJRT_Layouts_Extension {
        base: PJRT_Extension_Base,
        PJRT_Layouts_MemoryLayout_Destroy: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_MemoryLayout_Destroy_Args) -> *mut PJRT_Error>,
        PJRT_Layouts_MemoryLayout_Serialize: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_MemoryLayout_Serialize_Args) -> *mut PJRT_Error>,
        PJRT_Layouts_PJRT_Client_GetDefaultLayout: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args) -> *mut PJRT_Error>,
        PJRT_Layouts_PJRT_Buffer_MemoryLayout: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args) -> *mut PJRT_Error>,
        PJRT_Layouts_PJRT_Topology_GetDefaultLayout: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args) -> *mut PJRT_Error>,
        PJRT_Layouts_PJRT_Executable_GetOutputLayouts: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args) -> *mut PJRT_Error>,
        PJRT_Layouts_PJRT_Executable_GetParameterLayouts: Option<unsafe extern "C" fn(args: *mut PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args) -> *mut PJRT_Error>,
    }
}

sized! {
    PJRT_Extension_Base { next }
    PJRT_Error_Destroy_Args { error }
    PJRT_Error_Message_Args { message_size }
    PJRT_Error_FunctionTable { for_each_payload }
    PJRT_Error_GetCode_Args { code }
    PJRT_Error_ForEachPayload_Args { user_arg }
    PJRT_NamedValue { value_size }
    PJRT_Plugin_Initialize_Args { extension_start }
    PJRT_Plugin_Attributes_Args { num_attributes }
    PJRT_Event_Destroy_Args { event }
    PJRT_Event_IsReady_Args { is_ready }
    PJRT_Event_Error_Args { event }
    PJRT_Event_Await_Args { event }
    PJRT_Event_OnReady_Args { user_arg }
    PJRT_Event_Create_Args { event }
    PJRT_Event_Set_Args { error_message_size }
    PJRT_Memory_FunctionTable { set_user_data }
    PJRT_KeyValueGetCallback_Args { value_deleter_callback }
    PJRT_KeyValueTryGetCallback_Args { value_deleter_callback }
    PJRT_KeyValuePutCallback_Args { user_arg }
    PJRT_Client_Create_Args { kv_try_get_user_arg }
    PJRT_Client_Destroy_Args { client }
    PJRT_Client_PlatformName_Args { platform_name_size }
    PJRT_Client_ProcessIndex_Args { process_index }
    PJRT_Client_PlatformVersion_Args { platform_version_size }
    PJRT_Client_TopologyDescription_Args { topology }
    PJRT_Client_Devices_Args { num_devices }
    PJRT_Client_AddressableDevices_Args { num_addressable_devices }
    PJRT_Client_LookupDevice_Args { device }
    PJRT_Client_LookupAddressableDevice_Args { addressable_device }
    PJRT_ProcessInfo { error_message_size }
    PJRT_Client_UpdateGlobalProcessInfo_Args { num_process_infos }
    PJRT_Client_AddressableMemories_Args { num_addressable_memories }
    PJRT_Program { format_size }
    PJRT_Client_Compile_Args { executable }
    PJRT_Client_Load_Args { loaded_executable }
    PJRT_Client_DefaultDeviceAssignment_Args { default_assignment }
    PJRT_Client_DmaMap_Args { size }
    PJRT_Client_DmaUnmap_Args { data }
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args { transfer_manager }
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args { done_with_h2d_transfer }
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args { buffer_out }
    PJRT_AsyncHostToDeviceTransferManager_Device_Args { device_out }
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args { buffer_count }
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args { buffer_size }
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args { error_message_size }
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args { num_metadata }
    PJRT_Buffer_MemoryLayout_Tiled { num_tiles }
    PJRT_Buffer_MemoryLayout_Strides { num_byte_strides }
    PJRT_Buffer_MemoryLayout { r#type }
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args { done_with_h2d_transfer }
    PJRT_Client_CreateUninitializedBuffer_Args { buffer }
    PJRT_Client_CreateErrorBuffer_Args { num_payload }
    PJRT_Client_CreateAliasBuffer_Args { fulfill_alias_buffer_cb }
    PJRT_Client_FulfillAliasBuffer_Args { fulfill_alias_buffer_cb }
    PJRT_Client_BufferFromHostBuffer_Args { buffer }
    PJRT_Client_CreateViewOfDeviceBuffer_Args { memory }
    PJRT_ShapeSpec { element_type }
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args { transfer_manager }
    PJRT_DeviceDescription_Id_Args { id }
    PJRT_DeviceDescription_ProcessIndex_Args { process_index }
    PJRT_DeviceDescription_Attributes_Args { attributes }
    PJRT_DeviceDescription_Kind_Args { device_kind_size }
    PJRT_DeviceDescription_DebugString_Args { debug_string_size }
    PJRT_DeviceDescription_ToString_Args { to_string_size }
    PJRT_Device_GetDescription_Args { device_description }
    PJRT_Device_IsAddressable_Args { is_addressable }
    PJRT_Device_LocalHardwareId_Args { local_hardware_id }
    PJRT_Device_AddressableMemories_Args { num_memories }
    PJRT_Device_DefaultMemory_Args { memory }
    PJRT_Device_MemoryStats_Args { peak_allocated_bytes_is_set }
    PJRT_Device_ClearMemoryStats_Args { device }
    PJRT_Device_PoisonExecution_Args { num_payload }
    PJRT_Device_GetAttributes_Args { attributes_deleter }
    PJRT_Device_CreateAsyncTrackingEvent_Args { event }
    PJRT_AsyncTrackingEvent_Destroy_Args { event }
    PJRT_Memory_Id_Args { id }
    PJRT_Memory_Kind_Args { kind_size }
    PJRT_Memory_Kind_Id_Args { kind_id }
    PJRT_Memory_DebugString_Args { debug_string_size }
    PJRT_Memory_ToString_Args { to_string_size }
    PJRT_Memory_AddressableByDevices_Args { num_devices }
    PJRT_ExecuteContext_Create_Args { context }
    PJRT_ExecuteContext_Destroy_Args { context }
    PJRT_Executable_Destroy_Args { executable }
    PJRT_LoadedExecutable_Destroy_Args { executable }
    PJRT_LoadedExecutable_GetExecutable_Args { executable }
    PJRT_LoadedExecutable_GetDeviceAssignment_Args { serialized_device_assignment_deleter }
    PJRT_Executable_Name_Args { executable_name_size }
    PJRT_Executable_NumReplicas_Args { num_replicas }
    PJRT_Executable_NumPartitions_Args { num_partitions }
    PJRT_LoadedExecutable_AddressableDevices_Args { num_addressable_devices }
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args { num_addressable_device_logical_ids }
    PJRT_Executable_OptimizedProgram_Args { program }
    PJRT_LoadedExecutable_Delete_Args { executable }
    PJRT_LoadedExecutable_IsDeleted_Args { is_deleted }
    PJRT_ExecuteOptions { num_hlo_output_callbacks }
    PJRT_LoadedExecutable_Execute_Args { execute_device }
    PJRT_Executable_NumOutputs_Args { num_outputs }
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args { size_in_bytes }
    PJRT_Executable_Fingerprint_Args { executable_fingerprint_size }
    PJRT_Executable_GetCostAnalysis_Args { properties }
    PJRT_Executable_GetCompiledMemoryStats_Args { peak_unpadded_heap_bytes }
    PJRT_Executable_OutputElementTypes_Args { num_output_types }
    PJRT_Executable_OutputDimensions_Args { dim_sizes }
    PJRT_Executable_ParameterMemoryKinds_Args { memory_kind_sizes }
    PJRT_Executable_OutputMemoryKinds_Args { memory_kind_sizes }
    PJRT_Executable_Serialize_Args { serialized_executable_deleter }
    PJRT_Executable_GetCompileOptions_Args { serialized_compile_options_deleter }
    PJRT_LoadOptions { multi_slice_config }
    PJRT_Executable_DeserializeAndLoad_Args { load_options }
    PJRT_LoadedExecutable_Fingerprint_Args { executable_fingerprint_size }
    PJRT_Buffer_Destroy_Args { buffer }
    PJRT_Buffer_ElementType_Args { r#type }
    PJRT_Buffer_Dimensions_Args { num_dims }
    PJRT_Buffer_UnpaddedDimensions_Args { num_dims }
    PJRT_Buffer_DynamicDimensionIndices_Args { num_dynamic_dims }
    PJRT_Buffer_GetMemoryLayout_Args { layout }
    PJRT_Buffer_ToHostBuffer_Args { event }
    PJRT_Buffer_OnDeviceSizeInBytes_Args { on_device_size_in_bytes }
    PJRT_Buffer_Delete_Args { buffer }
    PJRT_Buffer_IsDeleted_Args { is_deleted }
    PJRT_Buffer_CopyRawToHost_Args { event }
    PJRT_Buffer_CopyRawToHostFuture_Callback_Args { dst }
    PJRT_Buffer_CopyRawToHostFuture_Args { future_ready_callback }
    PJRT_Buffer_CopyToDevice_Args { dst_buffer }
    PJRT_Buffer_CopyToMemory_Args { dst_buffer }
    PJRT_Buffer_Bitcast_Args { out_buffer }
    PJRT_Buffer_IsOnCpu_Args { is_on_cpu }
    PJRT_Buffer_Device_Args { device }
    PJRT_Buffer_Memory_Args { memory }
    PJRT_Buffer_ReadyEvent_Args { event }
    PJRT_Buffer_UnsafePointer_Args { buffer_pointer }
    PJRT_Buffer_IncreaseExternalReferenceCount_Args { buffer }
    PJRT_Buffer_DecreaseExternalReferenceCount_Args { buffer }
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args { device_memory_ptr }
    PJRT_Buffer_DonateWithControlDependency_Callback_Args { error_message_size }
    PJRT_Buffer_DonateWithControlDependency_Args { out_buffer }
    PJRT_CopyToDeviceStream_Destroy_Args { stream }
    PJRT_CopyToDeviceStream_AddChunk_Args { transfer_complete }
    PJRT_CopyToDeviceStream_TotalBytes_Args { total_bytes }
    PJRT_CopyToDeviceStream_GranuleSize_Args { granule_size_in_bytes }
    PJRT_CopyToDeviceStream_CurrentBytes_Args { current_bytes }
    PJRT_TopologyDescription_Create_Args { topology }
    PJRT_TopologyDescription_Destroy_Args { topology }
    PJRT_TopologyDescription_PlatformVersion_Args { platform_version_size }
    PJRT_TopologyDescription_PlatformName_Args { platform_name_size }
    PJRT_TopologyDescription_GetDeviceDescriptions_Args { num_descriptions }
    PJRT_TopologyDescription_Serialize_Args { serialized_topology_deleter }
    PJRT_TopologyDescription_Deserialize_Args { topology }
    PJRT_TopologyDescription_Attributes_Args { num_attributes }
    PJRT_TopologyDescription_Fingerprint_Args { fingerprint }
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args { serialized_shape_deleter }
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args { num_memory_space_kind_ids }
    PJRT_Compile_Args { executable }
    PJRT_Layouts_MemoryLayout_Destroy_Args { layout }
    PJRT_Layouts_MemoryLayout_Serialize_Args { serialized_layout_deleter }
    PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args { layout }
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args { layout }
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args { layout }
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args { layouts }
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args { layouts }
    PJRT_Api_Version { minor_version }
}
