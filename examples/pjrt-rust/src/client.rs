//! Clients.

use crate::device::Device;
use crate::error::{Code, PjrtError, Result};
use crate::pjrt_sys as sys;
use crate::plugin::{call, slice, text, Plugin, Table};
use std::sync::Arc;
use xlashape::{ElementType, Layout};

/// One instance of the plugin's platform: its devices, and the buffers on them. `Clone` is another reference to the same one.
#[derive(Clone, Debug)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    plugin: Plugin,
    pointer: *mut sys::PJRT_Client,
}

// SAFETY: clients of PJRT may be used by any thread, and by several at once.
unsafe impl Send for Inner {}
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        // Nobody can be told of an error, which PJRT allows here but nothing gives.
        let _ = call!(self.plugin.table, PJRT_Client_Destroy, PJRT_Client_Destroy_Args { client: self.pointer });
    }
}

impl Client {
    pub(crate) fn new(plugin: Plugin, pointer: *mut sys::PJRT_Client) -> Self {
        Self(Arc::new(Inner { plugin, pointer }))
    }

    pub(crate) fn pointer(&self) -> *mut sys::PJRT_Client {
        self.0.pointer
    }

    pub(crate) fn table(&self) -> &'static Table {
        self.0.plugin.table
    }

    /// The plugin that made the client.
    pub fn plugin(&self) -> Plugin {
        self.0.plugin
    }

    /// What the plugin calls its platform.
    ///
    /// # Errors
    /// The plugin's.
    pub fn platform_name(&self) -> Result<String> {
        let args =
            call!(self.table(), PJRT_Client_PlatformName, PJRT_Client_PlatformName_Args { client: self.pointer() })?;
        // SAFETY: a text of the client.
        Ok(unsafe { text(args.platform_name, args.platform_name_size) })
    }

    /// A text of the plugin's.
    ///
    /// # Errors
    /// The plugin's.
    pub fn platform_version(&self) -> Result<String> {
        let args = call!(
            self.table(),
            PJRT_Client_PlatformVersion,
            PJRT_Client_PlatformVersion_Args { client: self.pointer() }
        )?;
        // SAFETY: a text of the client.
        Ok(unsafe { text(args.platform_version, args.platform_version_size) })
    }

    /// The number of this process among those of the platform.
    ///
    /// # Errors
    /// The plugin's.
    pub fn process_index(&self) -> Result<i32> {
        let client = self.pointer();
        Ok(call!(self.table(), PJRT_Client_ProcessIndex, PJRT_Client_ProcessIndex_Args { client })?.process_index)
    }

    /// All devices, those of other processes too.
    ///
    /// # Errors
    /// The plugin's.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let args = call!(self.table(), PJRT_Client_Devices, PJRT_Client_Devices_Args { client: self.pointer() })?;
        // SAFETY: a list of the client.
        Ok(self.all(unsafe { slice(args.devices, args.num_devices) }))
    }

    /// The devices that this process may use.
    ///
    /// # Errors
    /// The plugin's.
    pub fn addressable_devices(&self) -> Result<Vec<Device>> {
        let client = self.pointer();
        let args = call!(self.table(), PJRT_Client_AddressableDevices, PJRT_Client_AddressableDevices_Args { client })?;
        // SAFETY: a list of the client.
        Ok(self.all(unsafe { slice(args.addressable_devices, args.num_addressable_devices) }))
    }

    fn all(&self, list: &[*mut sys::PJRT_Device]) -> Vec<Device> {
        list.iter().map(|&pointer| Device::new(self.clone(), pointer)).collect()
    }

    /// The device with an ID.
    ///
    /// # Errors
    /// The plugin's.
    pub fn lookup_device(&self, id: i32) -> Result<Device> {
        let client = self.pointer();
        let args = call!(self.table(), PJRT_Client_LookupDevice, PJRT_Client_LookupDevice_Args { client, id })?;
        Ok(Device::new(self.clone(), args.device))
    }

    /// The layout that arrays get on the client's first device, where nobody asks for another.
    ///
    /// # Errors
    /// `Unimplemented` without the extension for layouts.
    pub fn default_layout(&self, element_type: ElementType, dimensions: &[i64]) -> Result<Layout> {
        const CALL: &str = "PJRT_Layouts_PJRT_Client_GetDefaultLayout";
        if self.table().layouts.is_null() {
            return Err(PjrtError::new(CALL, Code::Unimplemented, "the plugin has no extension for layouts"));
        }
        let mut args = sys::PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args::new();
        args.client = self.pointer();
        args.r#type = pjrt_type(CALL, element_type)?;
        args.dims = dimensions.as_ptr();
        args.num_dims = dimensions.len();
        // SAFETY: the extension has this function, and the numbers stay where they are.
        unsafe {
            let function = (*self.table().layouts).PJRT_Layouts_PJRT_Client_GetDefaultLayout;
            self.table().run(CALL, (0, function), &mut args)?;
            layout_of(self.table(), args.layout)
        }
    }

    /// Hands the plugin a program in a format such as "mlir" or "hlo", and drops what was made of it: this crate moves arrays,
    /// and runs nothing.
    ///
    /// # Errors
    /// The plugin's.
    pub fn compile(&self, format: &str, code: &[u8]) -> Result<()> {
        let mut code = code.to_vec(); // which the plugin may write to
        let mut program = sys::PJRT_Program::new();
        program.code = code.as_mut_ptr().cast();
        program.code_size = code.len();
        program.format = format.as_ptr().cast();
        program.format_size = format.len();
        let args = call!(
            self.table(),
            PJRT_Client_Compile,
            PJRT_Client_Compile_Args { client: self.pointer(), program: &program }
        )?;
        let executable = args.executable;
        call!(self.table(), PJRT_LoadedExecutable_Destroy, PJRT_LoadedExecutable_Destroy_Args { executable })?;
        Ok(())
    }

    /// The name of the platform and the kinds of the devices that programs would be compiled for.
    ///
    /// # Errors
    /// The plugin's; `Unimplemented` where its table ends before this.
    pub fn topology(&self) -> Result<(String, Vec<String>)> {
        let (table, client) = (self.table(), self.pointer());
        let args = call!(table, PJRT_Client_TopologyDescription, PJRT_Client_TopologyDescription_Args { client })?;
        let topology = args.topology; // belongs to the client
        let name = call!(
            table,
            PJRT_TopologyDescription_PlatformName,
            PJRT_TopologyDescription_PlatformName_Args { topology }
        )?;
        let list = call!(
            table,
            PJRT_TopologyDescription_GetDeviceDescriptions,
            PJRT_TopologyDescription_GetDeviceDescriptions_Args { topology }
        )?;
        // SAFETY: a list and texts of the topology.
        let descriptions = unsafe { slice(list.descriptions, list.num_descriptions) };
        let kinds = descriptions.iter().map(|&description| crate::device::kind_of(table, description));
        Ok((unsafe { text(name.platform_name, name.platform_name_size) }, kinds.collect::<Result<_>>()?))
    }
}

/// PJRT's number for an element type.
pub(crate) fn pjrt_type(call: &str, element_type: ElementType) -> Result<sys::PJRT_Buffer_Type> {
    match element_type.to_pjrt() {
        Some(number) => Ok(number as sys::PJRT_Buffer_Type),
        None => Err(PjrtError::invalid(call, format!("PJRT has no number for the element type {element_type}"))),
    }
}

/// Reads a layout of the extension, and destroys it.
pub(crate) unsafe fn layout_of(table: &Table, layout: *mut sys::PJRT_Layouts_MemoryLayout) -> Result<Layout> {
    let extension = table.layouts;
    let mut args = sys::PJRT_Layouts_MemoryLayout_Serialize_Args::new();
    args.layout = layout;
    let serialize = (*extension).PJRT_Layouts_MemoryLayout_Serialize;
    let read = table.run("PJRT_Layouts_MemoryLayout_Serialize", (0, serialize), &mut args).map(|()| {
        let copy = text(args.serialized_bytes, args.serialized_bytes_size);
        if let Some(delete) = args.serialized_layout_deleter {
            delete(args.serialized_layout);
        }
        copy
    });
    let mut end = sys::PJRT_Layouts_MemoryLayout_Destroy_Args::new();
    end.layout = layout;
    let destroy = (*extension).PJRT_Layouts_MemoryLayout_Destroy;
    let ended = table.run("PJRT_Layouts_MemoryLayout_Destroy", (0, destroy), &mut end);
    let parsed = read?.parse::<Layout>()?;
    ended.map(|()| parsed)
}
