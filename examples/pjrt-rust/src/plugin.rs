//! A plugin's file, and its table of functions.

use crate::error::{Code, PjrtError, Result};
use crate::pjrt_sys as sys;
use crate::Client;
use std::env;
use std::ffi::{c_void, CStr, CString};
use std::mem::size_of;
use std::os::raw::{c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

#[cfg_attr(target_os = "linux", link(name = "dl"))]
extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(file: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

const RTLD_NOW: c_int = 2;

/// A plugin that was loaded. It stays loaded until the program ends, so this is a reference.
#[derive(Clone, Copy)]
pub struct Plugin {
    pub(crate) table: &'static Table,
}

/// The plugin's functions. The memory at `api` is the plugin's, and may be shorter than `PJRT_Api`: no reference to it is made.
pub(crate) struct Table {
    api: *const sys::PJRT_Api,
    /// NULL where the plugin lacks the extension.
    pub(crate) layouts: *const sys::PJRT_Layouts_Extension,
    path: PathBuf,
}

// SAFETY: a plugin's table never changes, and PJRT's functions may be called from any thread.
unsafe impl Send for Table {}
unsafe impl Sync for Table {}

/// Tables that are in use: two paths may name one file, and a plugin is initialized once.
static LOADED: Mutex<Vec<&'static Table>> = Mutex::new(Vec::new());

/// Where a function is in `PJRT_Api`.
macro_rules! offset_in_table {
    ($name:ident) => {{
        let place = std::mem::MaybeUninit::<$crate::pjrt_sys::PJRT_Api>::uninit();
        // SAFETY: only the address is taken.
        #[allow(unused_unsafe)] // where the caller is unsafe
        let field = unsafe { std::ptr::addr_of!((*place.as_ptr()).$name) };
        field as usize - place.as_ptr() as usize
    }};
}

/// Calls a function of the table with arguments of which these fields are set; the arguments come back. The objects among
/// them must be alive, and pointers point to what the function's contract says, until the call ends.
macro_rules! call {
    ($table:expr, $name:ident, $args:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {{
        let table: &$crate::plugin::Table = $table;
        #[allow(clippy::needless_update)] // some functions have no other arguments
        let mut args = $crate::pjrt_sys::$args { $($field $(: $value)?,)* ..$crate::pjrt_sys::$args::new() };
        let name = stringify!($name);
        let at = $crate::plugin::offset_in_table!($name);
        // SAFETY: the type of the function is that of the field at this offset; the arguments are the caller's to answer for.
        #[allow(unused_unsafe)]
        let outcome = unsafe { table.run(name, table.function(at), &mut args) };
        outcome.map(|()| args)
    }};
}

pub(crate) use {call, offset_in_table};

type Function<A> = Option<unsafe extern "C" fn(*mut A) -> *mut sys::PJRT_Error>;

/// The functions without which no plugin is taken. Those that are not here came later, or are not needed to move arrays: without
/// one of them only the call that needs it fails.
macro_rules! required {
    ($($name:ident)*) => {
        const REQUIRED: &[(&str, fn() -> usize)] = &[$((stringify!($name), || offset_in_table!($name))),*];
    };
}

required! {
    PJRT_Error_Destroy PJRT_Error_Message PJRT_Error_GetCode PJRT_Plugin_Initialize PJRT_Plugin_Attributes
    PJRT_Event_Destroy PJRT_Event_IsReady PJRT_Event_Await PJRT_Event_OnReady
    PJRT_Client_Create PJRT_Client_Destroy PJRT_Client_PlatformName PJRT_Client_PlatformVersion PJRT_Client_ProcessIndex
    PJRT_Client_Devices PJRT_Client_AddressableDevices PJRT_Client_LookupDevice PJRT_Client_Compile
    PJRT_Client_BufferFromHostBuffer PJRT_LoadedExecutable_Destroy
    PJRT_DeviceDescription_Id PJRT_DeviceDescription_Kind PJRT_DeviceDescription_ToString PJRT_DeviceDescription_Attributes
    PJRT_Device_GetDescription PJRT_Device_AddressableMemories PJRT_Device_DefaultMemory
    PJRT_Memory_Id PJRT_Memory_Kind
    PJRT_Buffer_Destroy PJRT_Buffer_ElementType PJRT_Buffer_Dimensions PJRT_Buffer_OnDeviceSizeInBytes PJRT_Buffer_Device
    PJRT_Buffer_Memory PJRT_Buffer_Delete PJRT_Buffer_IsDeleted PJRT_Buffer_CopyToDevice PJRT_Buffer_ToHostBuffer
    PJRT_Buffer_ReadyEvent
}

/// A value with a name: an option of a client, or what a plugin says of itself or of a device.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NamedValue {
    /// A text.
    Text(String),
    /// A number.
    Int64(i64),
    /// A list of numbers.
    Int64List(Vec<i64>),
    /// A number with a fraction.
    Float(f32),
    /// Yes or no.
    Bool(bool),
}

impl From<&str> for NamedValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<i64> for NamedValue {
    fn from(number: i64) -> Self {
        Self::Int64(number)
    }
}

impl From<bool> for NamedValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl Plugin {
    /// Loads the plugin in a file.
    ///
    /// # Errors
    /// `NotFound` for a file that cannot be loaded; `FailedPrecondition` for what is no plugin, for one of another major
    /// version of PJRT, and for one whose table lacks a function that this crate cannot do without; what the plugin says
    /// when it is initialized.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let place = format!("loading {}", path.display());
        let refuse = |code, reason: String| Err(PjrtError::new(&place, code, reason));
        let c_path = match CString::new(path.as_os_str().as_bytes()) {
            Ok(c_path) => c_path,
            Err(_) => return refuse(Code::InvalidArgument, "a path has no NUL in it".into()),
        };
        let api = match table_in(&c_path) {
            Ok(api) => api,
            Err((code, reason)) => return refuse(code, reason),
        };
        let mut loaded = LOADED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(table) = loaded.iter().find(|table| table.api == api) {
            return Ok(Self { table });
        }
        let mut table = Table { api, layouts: std::ptr::null(), path: path.into() };
        if let Err(reason) = table.check() {
            return refuse(Code::FailedPrecondition, reason);
        }
        table.layouts = table.find_layouts();
        call!(&table, PJRT_Plugin_Initialize, PJRT_Plugin_Initialize_Args {})?;
        let table: &'static Table = Box::leak(Box::new(table)); // as long as the plugin itself
        loaded.push(table);
        Ok(Self { table })
    }

    /// The plugin at the path in `$PJRT_PLUGIN`.
    ///
    /// # Errors
    /// As [`Plugin::load`]; `NotFound` without that variable.
    pub fn from_environment() -> Result<Self> {
        match env::var_os("PJRT_PLUGIN") {
            Some(path) if !path.is_empty() => Self::load(path),
            _ => Err(PjrtError::new("loading a plugin", Code::NotFound, "no path is given: set PJRT_PLUGIN to one")),
        }
    }

    /// The file that was loaded.
    pub fn path(&self) -> &Path {
        &self.table.path
    }

    /// Major and minor version of the PJRT C API that the plugin was built for.
    pub fn version(&self) -> (i32, i32) {
        self.table.version()
    }

    /// Whether the plugin has the extension that tells layouts whole.
    pub fn has_layouts(&self) -> bool {
        !self.table.layouts.is_null()
    }

    /// What the plugin says of itself.
    ///
    /// # Errors
    /// The plugin's.
    pub fn attributes(&self) -> Result<Vec<(String, NamedValue)>> {
        let args = call!(self.table, PJRT_Plugin_Attributes, PJRT_Plugin_Attributes_Args {})?;
        // SAFETY: a list of the plugin, which lives as long as it.
        Ok(unsafe { named_values(args.attributes, args.num_attributes) })
    }

    /// A client. What options there are is the plugin's matter.
    ///
    /// # Errors
    /// The plugin's.
    pub fn client(&self, options: &[(&str, NamedValue)]) -> Result<Client> {
        let list: Vec<sys::PJRT_NamedValue> = options.iter().map(|(name, value)| borrowed(name, value)).collect();
        let args = call!(
            self.table,
            PJRT_Client_Create,
            PJRT_Client_Create_Args { create_options: list.as_ptr(), num_options: list.len() }
        )?;
        Ok(Client::new(*self, args.client))
    }
}

fn table_in(path: &CStr) -> std::result::Result<*const sys::PJRT_Api, (Code, String)> {
    // SAFETY: strings with an end. The file is never closed: plugins cannot be unloaded.
    unsafe {
        let file = dlopen(path.as_ptr(), RTLD_NOW);
        if file.is_null() {
            let said = dlerror();
            let reason = match said.is_null() {
                true => "the loader does not say why".into(),
                false => CStr::from_ptr(said).to_string_lossy().into_owned(),
            };
            return Err((Code::NotFound, reason));
        }
        let symbol = dlsym(file, b"GetPjrtApi\0".as_ptr().cast());
        if symbol.is_null() {
            let reason = "it does not export GetPjrtApi, so it is not a PJRT plugin";
            return Err((Code::FailedPrecondition, reason.into()));
        }
        let get: unsafe extern "C" fn() -> *const sys::PJRT_Api = std::mem::transmute(symbol);
        match get() {
            api if api.is_null() => Err((Code::FailedPrecondition, "its GetPjrtApi returns nothing".into())),
            api => Ok(api),
        }
    }
}

/// Points to the name and the value, which must stay as long as it is used.
fn borrowed(name: &str, value: &NamedValue) -> sys::PJRT_NamedValue {
    let mut named = sys::PJRT_NamedValue::new();
    named.name = name.as_ptr().cast();
    named.name_size = name.len();
    named.value_size = 1;
    match value {
        NamedValue::Text(text) => {
            named.r#type = sys::PJRT_NamedValue_kString;
            named.value.string_value = text.as_ptr().cast();
            named.value_size = text.len();
        }
        NamedValue::Int64(number) => {
            named.r#type = sys::PJRT_NamedValue_kInt64;
            named.value.int64_value = *number;
        }
        NamedValue::Int64List(list) => {
            named.r#type = sys::PJRT_NamedValue_kInt64List;
            named.value.int64_array_value = list.as_ptr();
            named.value_size = list.len();
        }
        NamedValue::Float(number) => {
            named.r#type = sys::PJRT_NamedValue_kFloat;
            named.value.float_value = *number;
        }
        NamedValue::Bool(value) => {
            named.r#type = sys::PJRT_NamedValue_kBool;
            named.value.bool_value = *value;
        }
    }
    named
}

/// Copies a list of the plugin's. Values of kinds that this crate does not know are left out.
pub(crate) unsafe fn named_values(list: *const sys::PJRT_NamedValue, count: usize) -> Vec<(String, NamedValue)> {
    let value_of = |named: &sys::PJRT_NamedValue| {
        Some(match named.r#type {
            sys::PJRT_NamedValue_kString => NamedValue::Text(text(named.value.string_value, named.value_size)),
            sys::PJRT_NamedValue_kInt64 => NamedValue::Int64(named.value.int64_value),
            sys::PJRT_NamedValue_kInt64List => {
                NamedValue::Int64List(slice(named.value.int64_array_value, named.value_size).to_vec())
            }
            sys::PJRT_NamedValue_kFloat => NamedValue::Float(named.value.float_value),
            sys::PJRT_NamedValue_kBool => NamedValue::Bool(named.value.bool_value),
            _ => return None,
        })
    };
    let named = slice(list, count).iter();
    named.filter_map(|named| Some((text(named.name, named.name_size), value_of(named)?))).collect()
}

/// A list of C, whose address may be NULL if it is empty.
pub(crate) unsafe fn slice<'a, T>(list: *const T, count: usize) -> &'a [T] {
    match count {
        0 => &[],
        _ => std::slice::from_raw_parts(list, count),
    }
}

/// A copy of a text of C, which has no end of its own.
pub(crate) unsafe fn text(start: *const c_char, size: usize) -> String {
    String::from_utf8_lossy(slice(start.cast::<u8>(), size)).into_owned()
}

impl Table {
    fn size(&self) -> usize {
        // SAFETY: the first field of every table.
        unsafe { std::ptr::addr_of!((*self.api).struct_size).read() }
    }

    fn version(&self) -> (i32, i32) {
        // SAFETY: check() has seen that the table has that much.
        let version = unsafe { std::ptr::addr_of!((*self.api).pjrt_api_version).read() };
        (version.major_version, version.minor_version)
    }

    /// Looks at the version first: only then is it known what the table means.
    fn check(&self) -> std::result::Result<(), String> {
        let (size, start) = (self.size(), offset_in_table!(PJRT_Error_Destroy));
        if size < start {
            return Err(format!("its table has {size} bytes, and the version alone ends at {start}"));
        }
        let (major, minor) = self.version();
        if major != sys::PJRT_API_MAJOR {
            return Err(format!(
                "it speaks version {major}.{minor} of PJRT, and this program {}.{}: the major versions must be equal",
                sys::PJRT_API_MAJOR,
                sys::PJRT_API_MINOR
            ));
        }
        for (name, at) in REQUIRED {
            // SAFETY: all functions are pointers of one size.
            if unsafe { self.function::<c_void>(at()) }.1.is_none() {
                return Err(self.lacks(name, at()));
            }
        }
        Ok(())
    }

    /// Why the function at an offset is not there.
    fn lacks(&self, name: &str, at: usize) -> String {
        let ((major, minor), size, end) = (self.version(), self.size(), at + size_of::<Function<c_void>>());
        match size < end {
            true => format!("its table (version {major}.{minor}) has {size} bytes, and {name} ends at {end}"),
            false => format!("its table (version {major}.{minor}) has no {name}"),
        }
    }

    /// The function at an offset of the table, whose arguments must be of that type; `None` where the table ends before it.
    pub(crate) unsafe fn function<A>(&self, at: usize) -> (usize, Function<A>) {
        match at + size_of::<Function<A>>() <= self.size() {
            true => (at, self.api.cast::<u8>().add(at).cast::<Function<A>>().read()),
            false => (at, None),
        }
    }

    /// Calls a function, and makes its error one of Rust.
    pub(crate) unsafe fn run<A>(&self, name: &str, function: (usize, Function<A>), args: &mut A) -> Result<()> {
        match function {
            (_, Some(function)) => self.take(name, function(args)),
            (at, None) => Err(PjrtError::new(name, Code::Unimplemented, self.lacks(name, at))),
        }
    }

    /// Makes an error of Rust from one of the plugin, and destroys that. NULL is none.
    pub(crate) unsafe fn take(&self, name: &str, error: *mut sys::PJRT_Error) -> Result<()> {
        if error.is_null() {
            return Ok(());
        }
        let api = self.api; // these three are in every table that was taken
        let mut message = sys::PJRT_Error_Message_Args::new();
        message.error = error;
        let mut code = sys::PJRT_Error_GetCode_Args::new();
        code.error = error;
        code.code = sys::PJRT_Error_Code_UNKNOWN;
        if let Some(function) = std::ptr::addr_of!((*api).PJRT_Error_Message).read() {
            function(&mut message);
        }
        if let Some(function) = std::ptr::addr_of!((*api).PJRT_Error_GetCode).read() {
            let other = function(&mut code);
            self.destroy(other);
        }
        let taken = PjrtError::new(name, Code::of(code.code), text(message.message, message.message_size));
        self.destroy(error);
        Err(taken)
    }

    unsafe fn destroy(&self, error: *mut sys::PJRT_Error) {
        let mut args = sys::PJRT_Error_Destroy_Args::new();
        args.error = error;
        if let (Some(function), false) = (std::ptr::addr_of!((*self.api).PJRT_Error_Destroy).read(), error.is_null()) {
            function(&mut args);
        }
    }

    /// The extension for layouts, if all is in it that is used here.
    fn find_layouts(&self) -> *const sys::PJRT_Layouts_Extension {
        // SAFETY: a list of the plugin's, each of whose members says its size and kind.
        unsafe {
            let mut at: *const sys::PJRT_Extension_Base = std::ptr::addr_of!((*self.api).extension_start).read();
            while !at.is_null() && (*at).r#type != sys::PJRT_Extension_Type_Layouts {
                at = (*at).next;
            }
            let layouts = at.cast::<sys::PJRT_Layouts_Extension>();
            if at.is_null() {
                return layouts;
            }
            let last = std::ptr::addr_of!((*layouts).PJRT_Layouts_PJRT_Buffer_MemoryLayout);
            let is_whole = (*at).struct_size >= last as usize - at as usize + size_of::<usize>()
                && std::ptr::addr_of!((*layouts).PJRT_Layouts_MemoryLayout_Destroy).read().is_some()
                && std::ptr::addr_of!((*layouts).PJRT_Layouts_MemoryLayout_Serialize).read().is_some()
                && std::ptr::addr_of!((*layouts).PJRT_Layouts_PJRT_Client_GetDefaultLayout).read().is_some()
                && last.read().is_some();
            match is_whole {
                true => layouts,
                false => std::ptr::null(),
            }
        }
    }
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plugin").field("path", &self.path()).field("version", &self.version()).finish()
    }
}
