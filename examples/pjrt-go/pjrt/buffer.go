package pjrt

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"unsafe"

	"xlashape"
)

// Buffer is an array on a device.
type Buffer struct {
	client *Client
	h      *handle
}

// newBuffer must be called with the client entered; nil where there is no buffer.
func newBuffer(client *Client, p *Plugin, pointer *C.PJRT_Buffer) *Buffer {
	if pointer == nil {
		return nil
	}
	return &Buffer{client, newHandle(p, client.h, unsafe.Pointer(pointer), freeBuffer)}
}

func freeBuffer(p *Plugin, pointer unsafe.Pointer) {
	p.drop(C.PG_PJRT_Buffer_Destroy, C.pg_buffer_destroy(p.api, (*C.PJRT_Buffer)(pointer)))
}

// Close drops the buffer, and the memory on the device as soon as nothing else needs it.
func (b *Buffer) Close() error {
	if b != nil {
		b.h.close()
	}
	return nil
}

func (b *Buffer) enter() (p *Plugin, pointer *C.PJRT_Buffer, err error) {
	if b == nil {
		return nil, nil, ErrClosed
	}
	if err := b.h.enter(); err != nil {
		return nil, nil, err
	}
	return b.h.plugin, (*C.PJRT_Buffer)(b.h.pointer), nil
}

// Shape is the array with its layout on the device: whole, where the plugin has the extension for layouts, else its order
// and tiles.
func (b *Buffer) Shape() (xlashape.Shape, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return xlashape.Shape{}, err
	}
	defer b.h.leave()
	elementType, dimensions, err := arrayOf(p, buffer)
	if err != nil {
		return xlashape.Shape{}, err
	}
	layout, err := b.layout(p, buffer, elementType, dimensions)
	if err != nil {
		return xlashape.Shape{}, err
	}
	return xlashape.ArrayShape(elementType, dimensions...).WithLayout(layout), nil
}

func (b *Buffer) layout(p *Plugin, buffer *C.PJRT_Buffer, t xlashape.ElementType,
	dimensions []int64) (*xlashape.Layout, error) {
	if p.layouts != nil {
		return p.layout("PJRT_Layouts_PJRT_Buffer_MemoryLayout", buffer, nil, 0, nil)
	}
	return b.memoryLayout(p, buffer, t, dimensions)
}

// MemoryLayout is the layout as PJRT_Buffer_GetMemoryLayout says it: order and tiles, or strides.
func (b *Buffer) MemoryLayout() (*xlashape.Layout, error) {
	shape, err := b.Shape()
	if err != nil {
		return nil, err
	}
	p, buffer, err := b.enter()
	if err != nil {
		return nil, err
	}
	defer b.h.leave()
	return b.memoryLayout(p, buffer, shape.ElementType, shape.Dimensions)
}

func (b *Buffer) memoryLayout(p *Plugin, buffer *C.PJRT_Buffer, t xlashape.ElementType,
	dimensions []int64) (*xlashape.Layout, error) {
	if err := p.needs(C.PG_PJRT_Buffer_GetMemoryLayout); err != nil {
		return nil, err
	}
	layout := C.calloc(1, C.sizeof_PJRT_Buffer_MemoryLayout)
	defer C.free(layout)
	failure := C.pg_buffer_memory_layout(p.api, buffer, (*C.PJRT_Buffer_MemoryLayout)(layout))
	if err := p.take(C.PG_PJRT_Buffer_GetMemoryLayout, failure); err != nil {
		return nil, err
	}
	return xlashape.LayoutFromPJRT(layout, t, dimensions, false) // its arrays belong to the buffer
}

// DeviceSize is the number of bytes that the array takes on the device, padding included.
func (b *Buffer) DeviceSize() (int64, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return 0, err
	}
	defer b.h.leave()
	var size C.size_t
	err = p.take(C.PG_PJRT_Buffer_OnDeviceSizeInBytes, C.pg_buffer_device_size(p.api, buffer, &size))
	return int64(size), err
}

// Device is where the buffer is.
func (b *Buffer) Device() (*Device, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return nil, err
	}
	defer b.h.leave()
	var pointer *C.PJRT_Device
	if err := p.take(C.PG_PJRT_Buffer_Device, C.pg_buffer_device(p.api, buffer, &pointer)); err != nil {
		return nil, err
	}
	return &Device{client: b.client, pointer: pointer}, nil
}

// Memory is where on the device it is.
func (b *Buffer) Memory() (*Memory, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return nil, err
	}
	defer b.h.leave()
	var pointer *C.PJRT_Memory
	if err := p.take(C.PG_PJRT_Buffer_Memory, C.pg_buffer_memory(p.api, buffer, &pointer)); err != nil {
		return nil, err
	}
	return &Memory{client: b.client, pointer: pointer}, nil
}

// Ready is when the array is on the device.
func (b *Buffer) Ready() (*Event, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return nil, err
	}
	defer b.h.leave()
	var event *C.PJRT_Event
	if err := p.take(C.PG_PJRT_Buffer_ReadyEvent, C.pg_buffer_ready(p.api, buffer, &event)); err != nil {
		return nil, err
	}
	return newEvent(p, b.client.h, event), nil
}

// Delete gives up the array: every later use of it is refused. The object still wants to be closed.
func (b *Buffer) Delete() error {
	p, buffer, err := b.enter()
	if err != nil {
		return err
	}
	defer b.h.leave()
	return p.take(C.PG_PJRT_Buffer_Delete, C.pg_buffer_delete(p.api, buffer))
}

// IsDeleted reports whether there was a Delete.
func (b *Buffer) IsDeleted() (bool, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return false, err
	}
	defer b.h.leave()
	var deleted C.int
	err = p.take(C.PG_PJRT_Buffer_IsDeleted, C.pg_buffer_is_deleted(p.api, buffer, &deleted))
	return deleted != 0, err
}

// UnsafePointer is the address on the device, for what knows such addresses.
func (b *Buffer) UnsafePointer() (uintptr, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return 0, err
	}
	defer b.h.leave()
	if err := p.needs(C.PG_PJRT_Buffer_UnsafePointer); err != nil {
		return 0, err
	}
	var pointer C.uintptr_t
	err = p.take(C.PG_PJRT_Buffer_UnsafePointer, C.pg_buffer_pointer(p.api, buffer, &pointer))
	return uintptr(pointer), err
}

// CopyToDevice is a copy on another device, in the layout that arrays have there.
func (b *Buffer) CopyToDevice(d *Device) (*Buffer, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return nil, err
	}
	defer b.h.leave()
	if d == nil {
		return nil, ErrClosed
	}
	var made *C.PJRT_Buffer
	if err := p.take(C.PG_PJRT_Buffer_CopyToDevice, C.pg_buffer_to_device(p.api, buffer, d.pointer, &made)); err != nil {
		return nil, err
	}
	return newBuffer(b.client, p, made), nil
}

// CopyToMemory is a copy in another memory.
func (b *Buffer) CopyToMemory(m *Memory) (*Buffer, error) {
	p, buffer, err := b.enter()
	if err != nil {
		return nil, err
	}
	defer b.h.leave()
	if m == nil {
		return nil, ErrClosed
	}
	if err := p.needs(C.PG_PJRT_Buffer_CopyToMemory); err != nil {
		return nil, err
	}
	var made *C.PJRT_Buffer
	if err := p.take(C.PG_PJRT_Buffer_CopyToMemory, C.pg_buffer_to_memory(p.api, buffer, m.pointer, &made)); err != nil {
		return nil, err
	}
	return newBuffer(b.client, p, made), nil
}

// ToHost writes the array to dst, and returns when it is there.
func (b *Buffer) ToHost(dst []byte, as *HostLayout) error {
	_, _, err := b.toHost(dst, as, false)
	return err
}

// HostSize is how many bytes ToHost needs.
func (b *Buffer) HostSize(as *HostLayout) (int64, error) {
	size, _, err := b.toHost(nil, as, false)
	return size, err
}

// ToHostMemory begins to write the array to memory outside of Go's heap; the event says when it is there.
func (b *Buffer) ToHostMemory(memory *HostMemory, as *HostLayout) (*Event, error) {
	if memory == nil {
		return nil, ErrClosed
	}
	if err := memory.h.enter(); err != nil {
		return nil, err
	}
	_, event, err := b.toHost(memory.Bytes(), as, true)
	if err != nil {
		memory.h.leave()
		return nil, err
	}
	if err := memory.until(event); err != nil {
		event.Close()
		return nil, err
	}
	return event, nil
}

// nothing is the address of a destination without bytes: NULL would be a question for its size.
var nothing [1]byte

func (b *Buffer) toHost(dst []byte, as *HostLayout, later bool) (int64, *Event, error) {
	const call = "PJRT_Buffer_ToHostBuffer"
	p, buffer, err := b.enter()
	if err != nil {
		return 0, nil, err
	}
	defer b.h.leave()
	layout, err := b.hostLayout(call, p, buffer, as, dst)
	if err != nil {
		return 0, nil, err
	}
	var (
		event  *C.PJRT_Event
		wanted **C.PJRT_Event
		at     unsafe.Pointer
		size   = C.size_t(len(dst))
	)
	if later {
		wanted = &event
	}
	if len(dst) > 0 {
		at = unsafe.Pointer(&dst[0])
	} else if dst != nil {
		at = unsafe.Pointer(&nothing[0])
	}
	failure := C.pg_to_host(p.api, buffer, layout.layout, int64s(layout.order), int64s(layout.tileSizes), layout.ranks(), at,
		&size, wanted)
	if err := p.take(C.PG_PJRT_Buffer_ToHostBuffer, failure); err != nil {
		return 0, nil, err
	}
	if !later {
		return int64(size), nil, nil
	}
	return int64(size), newEvent(p, b.client.h, event), nil
}

func (b *Buffer) hostLayout(call string, p *Plugin, buffer *C.PJRT_Buffer, as *HostLayout, dst []byte) (*memoryLayout, error) {
	if as != nil && as.AsDevice {
		if as.Layout != nil || as.ByteStrides != nil {
			return nil, invalid(call, "AsDevice excludes another layout")
		}
		return &memoryLayout{}, nil
	}
	if as != nil && as.ByteStrides != nil {
		if err := b.checkStrides(call, p, buffer, as.ByteStrides, dst); err != nil {
			return nil, err
		}
	}
	if as != nil && (as.Layout != nil || as.ByteStrides != nil) {
		return newMemoryLayout(call, as.Layout, as.ByteStrides)
	}
	// Without a layout the plugin writes in the order of the device, so row-major must be said.
	_, dimensions, err := arrayOf(p, buffer)
	if err != nil {
		return nil, err
	}
	return newMemoryLayout(call, xlashape.RowMajor(len(dimensions)), nil)
}

// checkStrides refuses strides that lead out of a destination, which a plugin may not notice; nil is a question for the size.
func (b *Buffer) checkStrides(call string, p *Plugin, buffer *C.PJRT_Buffer, byteStrides []int64, dst []byte) error {
	t, dimensions, err := arrayOf(p, buffer)
	if err != nil {
		return err
	}
	if len(byteStrides) != len(dimensions) {
		return invalid(call, "%d strides for %d dimensions", len(byteStrides), len(dimensions))
	}
	low, high, ok := extent(dimensions, byteStrides, int64(t.StorageBits()/8))
	if !ok || low < 0 || dst != nil && high > int64(len(dst)) {
		return invalid(call, "strides %d of %s%d write the bytes [%d, %d) of %d", byteStrides, t, dimensions, low, high, len(dst))
	}
	return nil
}

// arrayOf is what the plugin says of a buffer, without its layout.
func arrayOf(p *Plugin, buffer *C.PJRT_Buffer) (xlashape.ElementType, []int64, error) {
	var (
		number C.int
		list   *C.int64_t
		rank   C.size_t
	)
	if err := p.take(C.PG_PJRT_Buffer_ElementType, C.pg_buffer_type(p.api, buffer, &number)); err != nil {
		return 0, nil, err
	}
	if err := p.take(C.PG_PJRT_Buffer_Dimensions, C.pg_buffer_dimensions(p.api, buffer, &list, &rank)); err != nil {
		return 0, nil, err
	}
	return xlashape.ElementTypeFromPJRT(int32(number)), goInt64s(list, rank), nil
}

// RawToHost copies bytes of the device as they lie there, from offset on, as many as dst has.
func (b *Buffer) RawToHost(dst []byte, offset int64) error {
	p, buffer, err := b.enter()
	if err != nil {
		return err
	}
	defer b.h.leave()
	if err := p.needs(C.PG_PJRT_Buffer_CopyRawToHost); err != nil {
		return err
	}
	at := unsafe.Pointer(&nothing[0])
	if len(dst) > 0 {
		at = unsafe.Pointer(&dst[0])
	}
	failure := C.pg_raw_to_host(p.api, buffer, at, C.int64_t(offset), C.int64_t(len(dst)), nil)
	return p.take(C.PG_PJRT_Buffer_CopyRawToHost, failure)
}
