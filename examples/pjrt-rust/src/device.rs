//! Devices and their memories.

use crate::buffer::Buffer;
use crate::error::Result;
use crate::host::{HostArray, Placement, Semantics};
use crate::pjrt_sys as sys;
use crate::plugin::{call, named_values, slice, text, NamedValue, Table};
use crate::{Client, Event};
use std::fmt;
use std::sync::Arc;

/// A device of a client.
#[derive(Clone)]
pub struct Device {
    pub(crate) client: Client,
    pub(crate) pointer: *mut sys::PJRT_Device,
}

/// A memory of a device.
#[derive(Clone)]
pub struct Memory {
    pub(crate) client: Client,
    pub(crate) pointer: *mut sys::PJRT_Memory,
}

// SAFETY: they belong to the client, which they keep, and never change.
unsafe impl Send for Device {}
unsafe impl Sync for Device {}
unsafe impl Send for Memory {}
unsafe impl Sync for Memory {}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.pointer == other.pointer
    }
}

impl Eq for Device {}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.pointer == other.pointer
    }
}

impl Eq for Memory {}

/// A device's numbers about its memory; `None` for what the plugin does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryStats {
    /// Bytes of all buffers that there are.
    pub bytes_in_use: i64,
    /// The most that it was at one time.
    pub peak_bytes_in_use: Option<i64>,
    /// How many allocations there were.
    pub allocations: Option<i64>,
    /// Bytes of the largest one.
    pub largest_allocation: Option<i64>,
    /// Bytes that there are in all.
    pub bytes_limit: Option<i64>,
}

impl Device {
    pub(crate) fn new(client: Client, pointer: *mut sys::PJRT_Device) -> Self {
        Self { client, pointer }
    }

    /// The client that the device belongs to.
    pub fn client(&self) -> &Client {
        &self.client
    }

    fn description(&self) -> Result<*mut sys::PJRT_DeviceDescription> {
        let (table, device) = (self.client.table(), self.pointer);
        Ok(call!(table, PJRT_Device_GetDescription, PJRT_Device_GetDescription_Args { device })?.device_description)
    }

    /// The device's number, which no other device of the platform has.
    ///
    /// # Errors
    /// The plugin's, as for all methods here.
    pub fn id(&self) -> Result<i32> {
        let (table, device_description) = (self.client.table(), self.description()?);
        Ok(call!(table, PJRT_DeviceDescription_Id, PJRT_DeviceDescription_Id_Args { device_description })?.id)
    }

    /// What the plugin calls such devices.
    ///
    /// # Errors
    /// The plugin's.
    pub fn kind(&self) -> Result<String> {
        kind_of(self.client.table(), self.description()?)
    }

    /// The plugin's description of the device in one line.
    ///
    /// # Errors
    /// The plugin's.
    pub fn text(&self) -> Result<String> {
        let (table, device_description) = (self.client.table(), self.description()?);
        let args =
            call!(table, PJRT_DeviceDescription_ToString, PJRT_DeviceDescription_ToString_Args { device_description })?;
        // SAFETY: a text of the device.
        Ok(unsafe { text(args.to_string, args.to_string_size) })
    }

    /// What else the plugin says of the device.
    ///
    /// # Errors
    /// The plugin's.
    pub fn attributes(&self) -> Result<Vec<(String, NamedValue)>> {
        let (table, device_description) = (self.client.table(), self.description()?);
        let args = call!(
            table,
            PJRT_DeviceDescription_Attributes,
            PJRT_DeviceDescription_Attributes_Args { device_description }
        )?;
        // SAFETY: a list of the device.
        Ok(unsafe { named_values(args.attributes, args.num_attributes) })
    }

    /// Numbers about the memory.
    ///
    /// # Errors
    /// The plugin's.
    pub fn memory_stats(&self) -> Result<MemoryStats> {
        let (table, device) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Device_MemoryStats, PJRT_Device_MemoryStats_Args { device })?;
        Ok(MemoryStats {
            bytes_in_use: args.bytes_in_use,
            peak_bytes_in_use: args.peak_bytes_in_use_is_set.then_some(args.peak_bytes_in_use),
            allocations: args.num_allocs_is_set.then_some(args.num_allocs),
            largest_allocation: args.largest_alloc_size_is_set.then_some(args.largest_alloc_size),
            bytes_limit: args.bytes_limit_is_set.then_some(args.bytes_limit),
        })
    }

    /// The memories that the device can address.
    ///
    /// # Errors
    /// The plugin's.
    pub fn memories(&self) -> Result<Vec<Memory>> {
        let (table, device) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Device_AddressableMemories, PJRT_Device_AddressableMemories_Args { device })?;
        // SAFETY: a list of the device.
        let list = unsafe { slice(args.memories, args.num_memories) };
        Ok(list.iter().map(|&pointer| Memory { client: self.client.clone(), pointer }).collect())
    }

    /// Where arrays go that are put on the device.
    ///
    /// # Errors
    /// The plugin's.
    pub fn default_memory(&self) -> Result<Memory> {
        let (table, device) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Device_DefaultMemory, PJRT_Device_DefaultMemory_Args { device })?;
        Ok(Memory { client: self.client.clone(), pointer: args.memory })
    }

    /// Puts a copy of an array on the device, in the layout that the device chooses.
    ///
    /// # Errors
    /// `InvalidArgument` if the array is not in its slice; the plugin's.
    pub fn put(&self, array: &HostArray) -> Result<Buffer> {
        self.put_as(array, &Placement::Default, None)
    }

    /// The same in another layout, or another memory.
    ///
    /// # Errors
    /// As [`Device::put`]; `Unimplemented` for a layout that PJRT has no words for.
    pub fn put_as(&self, array: &HostArray, place: &Placement, memory: Option<&Memory>) -> Result<Buffer> {
        Buffer::copied(self, array, place, memory)
    }

    /// Begins to put an array on the device whose bytes are `data`: `array` says what they are, and its own slice is not
    /// looked at. The event says when the plugin needs the bytes no longer; they are kept until then.
    ///
    /// # Errors
    /// As [`Device::put_as`].
    pub fn put_later(
        &self,
        data: Arc<[u8]>,
        array: &HostArray,
        place: &Placement,
        semantics: Semantics,
    ) -> Result<(Buffer, Event)> {
        Buffer::later(self, data, array, place, semantics)
    }
}

impl Memory {
    /// The memory's number.
    ///
    /// # Errors
    /// The plugin's.
    pub fn id(&self) -> Result<i32> {
        let (table, memory) = (self.client.table(), self.pointer);
        Ok(call!(table, PJRT_Memory_Id, PJRT_Memory_Id_Args { memory })?.id)
    }

    /// What the plugin calls such a memory.
    ///
    /// # Errors
    /// The plugin's.
    pub fn kind(&self) -> Result<String> {
        let (table, memory) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Memory_Kind, PJRT_Memory_Kind_Args { memory })?;
        // SAFETY: a text of the memory.
        Ok(unsafe { text(args.kind, args.kind_size) })
    }
}

pub(crate) fn kind_of(table: &Table, device_description: *mut sys::PJRT_DeviceDescription) -> Result<String> {
    let args = call!(table, PJRT_DeviceDescription_Kind, PJRT_DeviceDescription_Kind_Args { device_description })?;
    // SAFETY: a text of the device.
    Ok(unsafe { text(args.device_kind, args.device_kind_size) })
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.id(), self.kind()) {
            (Ok(id), Ok(kind)) => write!(f, "{id} {kind}"),
            (Err(error), _) | (_, Err(error)) => write!(f, "!({error})"),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memory").field(&self.id()).field(&self.kind()).finish()
    }
}
