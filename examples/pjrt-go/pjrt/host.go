package pjrt

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"math/bits"
	"unsafe"

	"xlashape"
)

// HostArray is an array in memory of this program. Elements of less than a byte have a byte each.
type HostArray struct {
	Type       xlashape.ElementType
	Dimensions []int64
	Data       []byte
	// ByteStrides say where the elements are, one stride per dimension, which may be 0 or negative; nil: row-major. The
	// index 0...0 is at byte Offset of Data.
	ByteStrides []int64
	Offset      int64
}

// Bytes are those of a slice, not copied.
func Bytes[T xlashape.Element](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*int(unsafe.Sizeof(data[0])))
}

// Placement says where an array goes, and in which layout. nil: the device's own choice of both.
type Placement struct {
	Memory *Memory          // nil: the device's default one
	Layout *xlashape.Layout // order and tiles; what else a layout has, PJRT has no words for
	// ByteStrides are another way to say the layout: where elements are on the device. Not together with Layout.
	ByteStrides []int64
}

// HostLayout says how an array is written to the host.
type HostLayout struct {
	Layout      *xlashape.Layout // nil: row-major
	ByteStrides []int64          // another way to say it
	AsDevice    bool             // whatever order the plugin gives when not asked: that of the device, without its tiles
}

// memoryLayout is what the C side makes a PJRT_Buffer_MemoryLayout of.
type memoryLayout struct {
	layout    C.pg_layout
	order     []int64
	tileSizes []int64
	tileRanks []C.size_t
}

func (m *memoryLayout) ranks() *C.size_t {
	if len(m.tileRanks) == 0 {
		return nil
	}
	return &m.tileRanks[0]
}

func newMemoryLayout(call string, layout *xlashape.Layout, byteStrides []int64) (*memoryLayout, error) {
	m := &memoryLayout{}
	switch {
	case layout != nil && byteStrides != nil:
		return nil, invalid(call, "a layout and strides are given, which are two ways to say the same")
	case byteStrides != nil:
		m.layout = C.pg_layout{kind: 2, rank: C.size_t(len(byteStrides))}
		m.order = byteStrides
	case layout != nil:
		if err := layout.Validate(); err != nil {
			return nil, err
		}
		rest := *layout
		rest.MinorToMajor, rest.Tiles, rest.PaddingValue = nil, nil, xlashape.PadInvalid
		if !rest.Equal(&xlashape.Layout{}, xlashape.MetadataPrefix) {
			return nil, invalid(call, "PJRT has words only for the order and the tiles of %s", layout)
		}
		m.layout = C.pg_layout{kind: 1, rank: C.size_t(len(layout.MinorToMajor)), tile_count: C.size_t(len(layout.Tiles))}
		m.order = layout.MinorToMajor
		for _, tile := range layout.Tiles {
			m.tileSizes = append(m.tileSizes, tile...)
			m.tileRanks = append(m.tileRanks, C.size_t(len(tile)))
		}
	}
	return m, nil
}

// extent is which bytes around that of index 0...0 an array's elements take: [low, high). Not ok where it does not fit.
func extent(dimensions, byteStrides []int64, elementBytes int64) (low, high int64, ok bool) {
	high = elementBytes
	for i, size := range dimensions {
		if size == 0 {
			return 0, 0, true
		}
		stride := byteStrides[i]
		length := stride
		if stride < 0 {
			length = -stride
		}
		above, product := bits.Mul64(uint64(size-1), uint64(length))
		if size < 0 || above != 0 || int64(product) < 0 {
			return 0, 0, false
		}
		if stride < 0 {
			if low -= int64(product); low > 0 {
				return 0, 0, false
			}
		} else if high += int64(product); high < 0 {
			return 0, 0, false
		}
	}
	return low, high, true
}

// check is what C cannot do: the plugin knows an address, and not how many bytes there are.
func (a *HostArray) check(call string) (C.int, error) {
	number, err := pjrtType(call, a.Type)
	if err != nil {
		return 0, err
	}
	shape := xlashape.ArrayShape(a.Type, a.Dimensions...)
	sizes, err := shape.Sizes()
	if err != nil {
		return 0, err
	}
	low, high := int64(0), sizes.Bytes
	if a.ByteStrides != nil {
		if len(a.ByteStrides) != len(a.Dimensions) {
			return 0, invalid(call, "%d strides for %d dimensions", len(a.ByteStrides), len(a.Dimensions))
		}
		var ok bool
		if low, high, ok = extent(a.Dimensions, a.ByteStrides, sizes.ElementBits/8); !ok {
			return 0, invalid(call, "strides %d of %s lead further than 2^63 bytes", a.ByteStrides, shape)
		}
	}
	if a.Offset < 0 || a.Offset > int64(len(a.Data)) || a.Offset+low < 0 || high > int64(len(a.Data))-a.Offset {
		return 0, invalid(call, "%s with strides %d takes the bytes [%d, %d) from byte %d on, of %d", shape, a.ByteStrides,
			low, high, a.Offset, len(a.Data))
	}
	return number, nil
}

// FromHost puts a copy of an array on the device. The slice is free again when it returns.
func (d *Device) FromHost(array HostArray, place *Placement) (*Buffer, error) {
	buffer, _, err := d.fromHost(array, place, nil, C.PJRT_HostBufferSemantics_kImmutableOnlyDuringCall)
	return buffer, err
}

func (d *Device) fromHost(array HostArray, place *Placement, memory *HostMemory, semantics C.int) (*Buffer, *Event, error) {
	const call = "PJRT_Client_BufferFromHostBuffer"
	if d == nil {
		return nil, nil, ErrClosed
	}
	p, client, err := d.client.enter()
	if err != nil {
		return nil, nil, err
	}
	defer d.client.h.leave()
	number, err := array.check(call)
	if err != nil {
		return nil, nil, err
	}
	var (
		layout = &memoryLayout{}
		to     *C.PJRT_Memory
	)
	if place != nil {
		if layout, err = newMemoryLayout(call, place.Layout, place.ByteStrides); err != nil {
			return nil, nil, err
		}
		if place.Memory != nil {
			to = place.Memory.pointer
		}
	}
	var (
		data    unsafe.Pointer
		buffer  *C.PJRT_Buffer
		event   *C.PJRT_Event
		wanted  **C.PJRT_Event
		strides = array.ByteStrides
	)
	if memory != nil {
		wanted = &event
	}
	if len(array.Data) > 0 {
		data = unsafe.Pointer(&array.Data[0])
	}
	failure := C.pg_from_host(p.api, client, data, C.size_t(array.Offset), number, int64s(array.Dimensions),
		C.size_t(len(array.Dimensions)), int64s(strides), C.size_t(len(strides)), semantics, d.pointer, to,
		layout.layout, int64s(layout.order), int64s(layout.tileSizes), layout.ranks(), wanted, &buffer)
	made := newBuffer(d.client, p, buffer) // there may be one although the transfer failed
	if err := p.take(C.PG_PJRT_Client_BufferFromHostBuffer, failure); err != nil {
		made.Close()
		return nil, nil, err
	}
	if memory == nil {
		return made, nil, nil
	}
	return made, newEvent(p, d.client.h, event), nil
}

// HostMemory is memory outside of Go's heap. Only with such memory can a transfer go on after the call that began it: C may
// not keep the address of a slice.
type HostMemory struct {
	h    *handle
	size int
}

// NewHostMemory is memory of so many bytes, all 0.
func NewHostMemory(size int) (*HostMemory, error) {
	if size < 0 {
		return nil, invalid("NewHostMemory", "%d bytes", size)
	}
	pointer := C.calloc(1, C.size_t(size)+1)
	if pointer == nil {
		return nil, &Error{Code: ResourceExhausted, Call: "NewHostMemory", Message: "there is no such memory"}
	}
	free := func(_ *Plugin, pointer unsafe.Pointer) { C.free(pointer) }
	return &HostMemory{newHandle(nil, nil, pointer, free), size}, nil
}

// Bytes are the memory. They must not be used after Close, and not be written to while a transfer reads them.
func (m *HostMemory) Bytes() []byte { return unsafe.Slice((*byte)(m.h.pointer), m.size) }

// Close frees the memory, as soon as no transfer needs it any more.
func (m *HostMemory) Close() error {
	if m != nil {
		m.h.close()
	}
	return nil
}

// until keeps the memory until the event.
func (m *HostMemory) until(e *Event) error {
	if err := e.OnReady(func(error) { m.h.leave() }); err != nil {
		_ = e.Await()
		m.h.leave()
		return err
	}
	return nil
}

// FromHostMemory begins to put an array on the device whose Data is in memory. With zeroCopy the plugin may go on using that
// memory instead of a copy, as long as the buffer lives. The event says when the memory may be written to again; it is kept
// until then, whenever it is closed.
func (d *Device) FromHostMemory(memory *HostMemory, array HostArray, place *Placement, zeroCopy bool) (*Buffer, *Event, error) {
	if memory == nil {
		return nil, nil, ErrClosed
	}
	if err := memory.h.enter(); err != nil {
		return nil, nil, err
	}
	array.Data = memory.Bytes()
	semantics := C.int(C.PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes)
	if zeroCopy {
		semantics = C.PJRT_HostBufferSemantics_kImmutableZeroCopy
	}
	buffer, event, err := d.fromHost(array, place, memory, semantics)
	if err != nil {
		memory.h.leave()
		return nil, nil, err
	}
	if err := memory.until(event); err != nil {
		buffer.Close()
		event.Close()
		return nil, nil, err
	}
	return buffer, event, nil
}
