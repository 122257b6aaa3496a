//! Arrays on devices.

use crate::client::layout_of;
use crate::device::{Device, Memory};
use crate::error::{Code, PjrtError, Result};
use crate::event::Event;
use crate::host::{extent, HostArray, HostLayout, MemoryLayout, Placement, Semantics};
use crate::pjrt_sys as sys;
use crate::plugin::{call, slice};
use crate::Client;
use std::sync::Arc;
use xlashape::{ElementType, Layout, Shape, StridesPolicy};

/// An array on a device. When it is dropped, so is the memory on the device as soon as nothing else needs it.
#[derive(Debug)]
pub struct Buffer {
    pointer: *mut sys::PJRT_Buffer,
    client: Client,
}

// SAFETY: buffers of PJRT may be used by any thread, and by several at once.
unsafe impl Send for Buffer {}
unsafe impl Sync for Buffer {}

impl Drop for Buffer {
    fn drop(&mut self) {
        let _ = call!(self.client.table(), PJRT_Buffer_Destroy, PJRT_Buffer_Destroy_Args { buffer: self.pointer });
    }
}

const FROM_HOST: &str = "PJRT_Client_BufferFromHostBuffer";

impl Buffer {
    pub(crate) fn copied(d: &Device, array: &HostArray, place: &Placement, memory: Option<&Memory>) -> Result<Self> {
        let semantics = sys::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
        let (buffer, event) = Self::make(d, array, array.data, place, memory, semantics)?;
        event.wait()?; // set already: the call has read the slice
        Ok(buffer)
    }

    pub(crate) fn later(
        d: &Device,
        data: Arc<[u8]>,
        array: &HostArray,
        place: &Placement,
        semantics: Semantics,
    ) -> Result<(Self, Event)> {
        let (buffer, event) = Self::make(d, array, &data, place, None, semantics.number())?;
        let kept = Arc::clone(&data);
        if let Err(error) = event.on_ready(move |_| drop(kept)) {
            drop(buffer);
            let _ = event.wait(); // the plugin may be reading still
            return Err(error);
        }
        Ok((buffer, event))
    }

    /// The bytes must stay until the event.
    fn make(
        device: &Device,
        array: &HostArray,
        data: &[u8],
        place: &Placement,
        memory: Option<&Memory>,
        semantics: sys::PJRT_HostBufferSemantics,
    ) -> Result<(Self, Event)> {
        let number = array.check(FROM_HOST, data.len())?;
        let layout = match place {
            Placement::Default => MemoryLayout::None,
            Placement::Layout(layout) => MemoryLayout::tiled(array.element_type, array.dimensions, layout)?,
            Placement::ByteStrides(strides) => MemoryLayout::strides(strides),
        };
        let client = &device.client;
        let strides = array.byte_strides.unwrap_or(&[]);
        let args = call!(
            client.table(),
            PJRT_Client_BufferFromHostBuffer,
            PJRT_Client_BufferFromHostBuffer_Args {
                client: client.pointer(),
                // Of index 0...0, which with negative strides is not the first byte; without bytes a place nobody looks at.
                data: data.as_ptr().wrapping_add(array.offset).cast(),
                r#type: number,
                dims: array.dimensions.as_ptr(),
                num_dims: array.dimensions.len(),
                byte_strides: strides.as_ptr(),
                num_byte_strides: strides.len(),
                host_buffer_semantics: semantics,
                device: device.pointer,
                memory: memory.map_or(std::ptr::null_mut(), |memory| memory.pointer),
                device_layout: layout.as_ptr(),
            }
        )?;
        let event = Event::new(client.clone(), args.done_with_host_buffer);
        Ok((Self { pointer: args.buffer, client: client.clone() }, event))
    }

    /// The array with its layout on the device: whole, where the plugin has the extension for layouts, else its order and
    /// tiles.
    ///
    /// # Errors
    /// The plugin's, as for all methods here.
    pub fn shape(&self) -> Result<Shape> {
        let (element_type, dimensions) = (self.element_type()?, self.dimensions()?);
        let table = self.client.table();
        let layout = if table.layouts.is_null() {
            self.layout_of_struct(element_type, &dimensions)?
        } else {
            let mut args = sys::PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args::new();
            args.buffer = self.pointer;
            // SAFETY: the extension has this function.
            unsafe {
                let function = (*table.layouts).PJRT_Layouts_PJRT_Buffer_MemoryLayout;
                table.run("PJRT_Layouts_PJRT_Buffer_MemoryLayout", (0, function), &mut args)?;
                layout_of(table, args.layout)?
            }
        };
        Ok(Shape::array_with_layout(element_type, &dimensions, &layout)?)
    }

    /// The layout as `PJRT_Buffer_GetMemoryLayout` says it: order and tiles, or strides.
    ///
    /// # Errors
    /// The plugin's.
    pub fn memory_layout(&self) -> Result<Layout> {
        self.layout_of_struct(self.element_type()?, &self.dimensions()?)
    }

    fn layout_of_struct(&self, element_type: ElementType, dimensions: &[i64]) -> Result<Layout> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_GetMemoryLayout, PJRT_Buffer_GetMemoryLayout_Args { buffer })?;
        let layout: *const sys::PJRT_Buffer_MemoryLayout = &args.layout;
        // SAFETY: the struct's arrays belong to the buffer.
        Ok(unsafe { Layout::from_pjrt(layout.cast(), element_type, dimensions, StridesPolicy::Padded)? })
    }

    /// The type of its elements.
    ///
    /// # Errors
    /// The plugin's; `Unimplemented` for a type that xlashape does not know.
    pub fn element_type(&self) -> Result<ElementType> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_ElementType, PJRT_Buffer_ElementType_Args { buffer })?;
        ElementType::from_pjrt(args.r#type as i32).ok_or_else(|| {
            let message = format!("the element type {} is not known here", args.r#type);
            PjrtError::new("PJRT_Buffer_ElementType", Code::Unimplemented, message)
        })
    }

    /// Its dimensions.
    ///
    /// # Errors
    /// The plugin's.
    pub fn dimensions(&self) -> Result<Vec<i64>> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_Dimensions, PJRT_Buffer_Dimensions_Args { buffer })?;
        // SAFETY: a list of the buffer.
        Ok(unsafe { slice(args.dims, args.num_dims) }.to_vec())
    }

    /// The bytes that the array takes on the device, padding included.
    ///
    /// # Errors
    /// The plugin's.
    pub fn device_size(&self) -> Result<usize> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_OnDeviceSizeInBytes, PJRT_Buffer_OnDeviceSizeInBytes_Args { buffer })?;
        Ok(args.on_device_size_in_bytes)
    }

    /// Where the buffer is.
    ///
    /// # Errors
    /// The plugin's.
    pub fn device(&self) -> Result<Device> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_Device, PJRT_Buffer_Device_Args { buffer })?;
        Ok(Device::new(self.client.clone(), args.device))
    }

    /// Where on the device it is.
    ///
    /// # Errors
    /// The plugin's.
    pub fn memory(&self) -> Result<Memory> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_Memory, PJRT_Buffer_Memory_Args { buffer })?;
        Ok(Memory { client: self.client.clone(), pointer: args.memory })
    }

    /// When the array is on the device.
    ///
    /// # Errors
    /// The plugin's.
    pub fn ready(&self) -> Result<Event> {
        let (table, buffer) = (self.client.table(), self.pointer);
        let args = call!(table, PJRT_Buffer_ReadyEvent, PJRT_Buffer_ReadyEvent_Args { buffer })?;
        Ok(Event::new(self.client.clone(), args.event))
    }

    /// Gives up the array: every later use of it is refused.
    ///
    /// # Errors
    /// The plugin's.
    pub fn delete(&self) -> Result<()> {
        let (table, buffer) = (self.client.table(), self.pointer);
        call!(table, PJRT_Buffer_Delete, PJRT_Buffer_Delete_Args { buffer }).map(|_| ())
    }

    /// Whether there was a [`Buffer::delete`].
    ///
    /// # Errors
    /// The plugin's.
    pub fn is_deleted(&self) -> Result<bool> {
        let (table, buffer) = (self.client.table(), self.pointer);
        Ok(call!(table, PJRT_Buffer_IsDeleted, PJRT_Buffer_IsDeleted_Args { buffer })?.is_deleted)
    }

    /// The address on the device, for what knows such addresses.
    ///
    /// # Errors
    /// The plugin's.
    pub fn unsafe_pointer(&self) -> Result<usize> {
        let (table, buffer) = (self.client.table(), self.pointer);
        Ok(call!(table, PJRT_Buffer_UnsafePointer, PJRT_Buffer_UnsafePointer_Args { buffer })?.buffer_pointer)
    }

    /// A copy on another device, in the layout that arrays have there.
    ///
    /// # Errors
    /// The plugin's.
    pub fn copy_to_device(&self, device: &Device) -> Result<Self> {
        let args = call!(
            self.client.table(),
            PJRT_Buffer_CopyToDevice,
            PJRT_Buffer_CopyToDevice_Args { buffer: self.pointer, dst_device: device.pointer }
        )?;
        Ok(Self { pointer: args.dst_buffer, client: self.client.clone() })
    }

    /// A copy in another memory.
    ///
    /// # Errors
    /// The plugin's; `Unimplemented` where its table ends before this.
    pub fn copy_to_memory(&self, memory: &Memory) -> Result<Self> {
        let args = call!(
            self.client.table(),
            PJRT_Buffer_CopyToMemory,
            PJRT_Buffer_CopyToMemory_Args { buffer: self.pointer, dst_memory: memory.pointer }
        )?;
        Ok(Self { pointer: args.dst_buffer, client: self.client.clone() })
    }

    /// Writes the array to `dst`, and returns when it is there.
    ///
    /// # Errors
    /// The plugin's; `InvalidArgument` for a destination that is too small.
    pub fn to_host(&self, dst: &mut [u8], layout: &HostLayout) -> Result<()> {
        // SAFETY: the slice is ours until the event, which is waited for.
        unsafe { self.write(dst.as_mut_ptr(), dst.len(), layout)?.1.wait() }
    }

    /// How many bytes [`Buffer::to_host`] needs.
    ///
    /// # Errors
    /// The plugin's.
    pub fn host_size(&self, layout: &HostLayout) -> Result<usize> {
        let layout = self.host_layout(layout, None)?;
        let args = call!(
            self.client.table(),
            PJRT_Buffer_ToHostBuffer,
            PJRT_Buffer_ToHostBuffer_Args { src: self.pointer, host_layout: layout.as_ptr() }
        )?;
        if !args.event.is_null() {
            drop(Event::new(self.client.clone(), args.event));
        }
        Ok(args.dst_size)
    }

    /// Begins to write the array to memory that comes back at the end.
    ///
    /// # Errors
    /// As [`Buffer::to_host`].
    pub fn to_host_later(&self, dst: Vec<u8>, layout: &HostLayout) -> Result<Transfer> {
        let mut dst = dst;
        // SAFETY: the transfer owns the memory, and waits for the event.
        let (_, event) = unsafe { self.write(dst.as_mut_ptr(), dst.len(), layout)? };
        Ok(Transfer { event, dst })
    }

    /// The memory must stay until the event.
    unsafe fn write(&self, dst: *mut u8, dst_size: usize, layout: &HostLayout) -> Result<(usize, Event)> {
        let layout = self.host_layout(layout, Some(dst_size))?;
        let args = call!(
            self.client.table(),
            PJRT_Buffer_ToHostBuffer,
            PJRT_Buffer_ToHostBuffer_Args {
                src: self.pointer,
                host_layout: layout.as_ptr(),
                dst: dst.cast(),
                dst_size,
            }
        )?;
        Ok((args.dst_size, Event::new(self.client.clone(), args.event)))
    }

    fn host_layout(&self, layout: &HostLayout, available: Option<usize>) -> Result<MemoryLayout> {
        let tiled = |layout: &Layout| MemoryLayout::tiled(self.element_type()?, &self.dimensions()?, layout);
        match layout {
            // Without a layout the plugin writes in the order of the device, so row-major must be said.
            HostLayout::RowMajor => tiled(&Layout::row_major(self.dimensions()?.len())?),
            HostLayout::Layout(layout) => tiled(layout),
            HostLayout::ByteStrides(strides) => {
                self.check_strides(strides, available)?;
                Ok(MemoryLayout::strides(strides))
            }
            HostLayout::AsDevice => Ok(MemoryLayout::None),
        }
    }

    /// Refuses strides that lead out of a destination, which a plugin may not notice.
    fn check_strides(&self, strides: &[i64], available: Option<usize>) -> Result<()> {
        const CALL: &str = "PJRT_Buffer_ToHostBuffer";
        let (element_type, dimensions) = (self.element_type()?, self.dimensions()?);
        if strides.len() != dimensions.len() {
            let (strides, rank) = (strides.len(), dimensions.len());
            return Err(PjrtError::invalid(CALL, format!("{strides} strides for {rank} dimensions")));
        }
        let available = available.map_or(i128::MAX, |bytes| bytes as i128);
        match extent(&dimensions, strides, element_type.storage_bits() as i64 / 8) {
            Some((0, high)) if i128::from(high) <= available => Ok(()),
            Some((low, high)) => Err(PjrtError::invalid(
                CALL,
                format!("strides {strides:?} of {element_type}{dimensions:?} write the bytes [{low}, {high}) of {available}"),
            )),
            None => Err(PjrtError::invalid(CALL, format!("strides {strides:?} lead further than 2^63 bytes"))),
        }
    }

    /// Copies bytes of the device as they lie there, from `offset` on, as many as `dst` has.
    ///
    /// # Errors
    /// The plugin's; `Unimplemented` where its table ends before this.
    pub fn raw_to_host(&self, dst: &mut [u8], offset: i64) -> Result<()> {
        let args = call!(
            self.client.table(),
            PJRT_Buffer_CopyRawToHost,
            PJRT_Buffer_CopyRawToHost_Args {
                buffer: self.pointer,
                dst: dst.as_mut_ptr().cast(),
                offset,
                transfer_size: dst.len() as i64,
            }
        )?;
        Event::new(self.client.clone(), args.event).wait()
    }
}

/// A transfer to the host that has begun. Dropping it waits for its end.
#[derive(Debug)]
pub struct Transfer {
    event: Event,
    dst: Vec<u8>,
}

impl Transfer {
    /// The event of its end.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Waits for the end, and gives the memory back.
    ///
    /// # Errors
    /// What went wrong.
    pub fn wait(mut self) -> Result<Vec<u8>> {
        self.event.wait()?;
        Ok(std::mem::take(&mut self.dst))
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        let _ = self.event.wait(); // the plugin writes to the memory until then
    }
}
