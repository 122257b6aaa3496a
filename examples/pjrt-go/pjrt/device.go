package pjrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"unsafe"
)

// Device is a device of a client. It lives as long as the client, and needs no Close.
type Device struct {
	client  *Client
	pointer *C.PJRT_Device
}

// Memory is a memory of a device: a client's, as devices are.
type Memory struct {
	client  *Client
	pointer *C.PJRT_Memory
}

// Client is the client that the device belongs to.
func (d *Device) Client() *Client { return d.client }

// describe calls a function with the device's description.
func (d *Device) describe(call func(p *Plugin, description *C.PJRT_DeviceDescription) error) error {
	if d == nil {
		return ErrClosed
	}
	p, _, err := d.client.enter()
	if err != nil {
		return err
	}
	defer d.client.h.leave()
	var description *C.PJRT_DeviceDescription
	err = p.take(C.PG_PJRT_Device_GetDescription, C.pg_device_description(p.api, d.pointer, &description))
	if err != nil {
		return err
	}
	return call(p, description)
}

// ID is the device's number, which no other device of the platform has.
func (d *Device) ID() (int, error) {
	var id C.int
	err := d.describe(func(p *Plugin, description *C.PJRT_DeviceDescription) error {
		return p.take(C.PG_PJRT_DeviceDescription_Id, C.pg_description_id(p.api, description, &id))
	})
	return int(id), err
}

// Kind is what the plugin calls such devices.
func (d *Device) Kind() (kind string, err error) {
	err = d.describe(func(p *Plugin, description *C.PJRT_DeviceDescription) error {
		var (
			text *C.char
			size C.size_t
		)
		err := p.take(C.PG_PJRT_DeviceDescription_Kind, C.pg_description_kind(p.api, description, &text, &size))
		kind = goText(text, size)
		return err
	})
	return kind, err
}

// Text is the plugin's description of the device in one line.
func (d *Device) Text() (line string, err error) {
	err = d.describe(func(p *Plugin, description *C.PJRT_DeviceDescription) error {
		var (
			text *C.char
			size C.size_t
		)
		err := p.take(C.PG_PJRT_DeviceDescription_ToString, C.pg_description_text(p.api, description, &text, &size))
		line = goText(text, size)
		return err
	})
	return line, err
}

// Attributes are what else the plugin says of the device.
func (d *Device) Attributes() (values map[string]any, err error) {
	err = d.describe(func(p *Plugin, description *C.PJRT_DeviceDescription) error {
		var (
			list  *C.PJRT_NamedValue
			count C.size_t
		)
		failure := C.pg_description_attributes(p.api, description, &list, &count)
		if err := p.take(C.PG_PJRT_DeviceDescription_Attributes, failure); err != nil {
			return err
		}
		values = namedValues(list, count)
		return nil
	})
	return values, err
}

// MemoryStats are a device's numbers about its memory. Those that the plugin does not tell are -1.
type MemoryStats struct {
	BytesInUse, PeakBytesInUse, Allocations, LargestAllocation, BytesLimit int64
}

// MemoryStats of the device.
func (d *Device) MemoryStats() (MemoryStats, error) {
	if d == nil {
		return MemoryStats{}, ErrClosed
	}
	p, _, err := d.client.enter()
	if err != nil {
		return MemoryStats{}, err
	}
	defer d.client.h.leave()
	if err := p.needs(C.PG_PJRT_Device_MemoryStats); err != nil {
		return MemoryStats{}, err
	}
	var args C.PJRT_Device_MemoryStats_Args
	if err := p.take(C.PG_PJRT_Device_MemoryStats, C.pg_device_memory_stats(p.api, d.pointer, &args)); err != nil {
		return MemoryStats{}, err
	}
	told := func(value C.int64_t, isSet C.bool) int64 {
		if !isSet {
			return -1
		}
		return int64(value)
	}
	return MemoryStats{
		BytesInUse:        int64(args.bytes_in_use),
		PeakBytesInUse:    told(args.peak_bytes_in_use, args.peak_bytes_in_use_is_set),
		Allocations:       told(args.num_allocs, args.num_allocs_is_set),
		LargestAllocation: told(args.largest_alloc_size, args.largest_alloc_size_is_set),
		BytesLimit:        told(args.bytes_limit, args.bytes_limit_is_set),
	}, nil
}

// Memories are those that the device can address.
func (d *Device) Memories() ([]*Memory, error) {
	if d == nil {
		return nil, ErrClosed
	}
	p, _, err := d.client.enter()
	if err != nil {
		return nil, err
	}
	defer d.client.h.leave()
	var (
		list  **C.PJRT_Memory
		count C.size_t
	)
	err = p.take(C.PG_PJRT_Device_AddressableMemories, C.pg_device_memories(p.api, d.pointer, &list, &count))
	if err != nil {
		return nil, err
	}
	memories := make([]*Memory, 0, int(count))
	for _, pointer := range unsafe.Slice(list, int(count)) {
		memories = append(memories, &Memory{client: d.client, pointer: pointer})
	}
	return memories, nil
}

// DefaultMemory is where arrays go that are put on the device.
func (d *Device) DefaultMemory() (*Memory, error) {
	if d == nil {
		return nil, ErrClosed
	}
	p, _, err := d.client.enter()
	if err != nil {
		return nil, err
	}
	defer d.client.h.leave()
	var pointer *C.PJRT_Memory
	err = p.take(C.PG_PJRT_Device_DefaultMemory, C.pg_device_default_memory(p.api, d.pointer, &pointer))
	if err != nil {
		return nil, err
	}
	return &Memory{client: d.client, pointer: pointer}, nil
}

// ID is the memory's number.
func (m *Memory) ID() (int, error) {
	if m == nil {
		return 0, ErrClosed
	}
	p, _, err := m.client.enter()
	if err != nil {
		return 0, err
	}
	defer m.client.h.leave()
	var id C.int
	err = p.take(C.PG_PJRT_Memory_Id, C.pg_memory_id(p.api, m.pointer, &id))
	return int(id), err
}

// Kind is what the plugin calls such a memory.
func (m *Memory) Kind() (string, error) {
	if m == nil {
		return "", ErrClosed
	}
	p, _, err := m.client.enter()
	if err != nil {
		return "", err
	}
	defer m.client.h.leave()
	var (
		text *C.char
		size C.size_t
	)
	err = p.take(C.PG_PJRT_Memory_Kind, C.pg_memory_kind(p.api, m.pointer, &text, &size))
	return goText(text, size), err
}

// String is the device's ID and kind, or what is wrong.
func (d *Device) String() string {
	id, err := d.ID()
	if err != nil {
		return "!(" + err.Error() + ")"
	}
	kind, err := d.Kind()
	if err != nil {
		return "!(" + err.Error() + ")"
	}
	return fmt.Sprintf("%d %s", id, kind)
}
