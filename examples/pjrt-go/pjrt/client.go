package pjrt

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"unsafe"

	"xlashape"
)

// Client is one instance of the plugin's platform: its devices, and the buffers on them.
type Client struct{ h *handle }

// Close destroys the client, once its buffers and events are closed too.
func (c *Client) Close() error {
	if c != nil {
		c.h.close()
	}
	return nil
}

// enter begins a call; the function returned ends it.
func (c *Client) enter() (p *Plugin, pointer *C.PJRT_Client, err error) {
	if c == nil {
		return nil, nil, ErrClosed
	}
	if err := c.h.enter(); err != nil {
		return nil, nil, err
	}
	return c.h.plugin, (*C.PJRT_Client)(c.h.pointer), nil
}

// Plugin is the plugin that made the client.
func (c *Client) Plugin() *Plugin { return c.h.plugin }

// PlatformName is what the plugin calls its platform.
func (c *Client) PlatformName() (string, error) {
	p, client, err := c.enter()
	if err != nil {
		return "", err
	}
	defer c.h.leave()
	var (
		text *C.char
		size C.size_t
	)
	err = p.take(C.PG_PJRT_Client_PlatformName, C.pg_platform_name(p.api, client, &text, &size))
	return goText(text, size), err
}

// PlatformVersion is a text of the plugin's.
func (c *Client) PlatformVersion() (string, error) {
	p, client, err := c.enter()
	if err != nil {
		return "", err
	}
	defer c.h.leave()
	var (
		text *C.char
		size C.size_t
	)
	err = p.take(C.PG_PJRT_Client_PlatformVersion, C.pg_platform_version(p.api, client, &text, &size))
	return goText(text, size), err
}

// ProcessIndex is the number of this process among those of the platform.
func (c *Client) ProcessIndex() (int, error) {
	p, client, err := c.enter()
	if err != nil {
		return 0, err
	}
	defer c.h.leave()
	var index C.int
	err = p.take(C.PG_PJRT_Client_ProcessIndex, C.pg_process_index(p.api, client, &index))
	return int(index), err
}

// Devices are all devices, those of other processes too.
func (c *Client) Devices() ([]*Device, error) {
	p, client, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer c.h.leave()
	var (
		list  **C.PJRT_Device
		count C.size_t
	)
	err = p.take(C.PG_PJRT_Client_Devices, C.pg_devices(p.api, client, &list, &count))
	return c.devices(list, count, err)
}

// AddressableDevices are those that this process may use.
func (c *Client) AddressableDevices() ([]*Device, error) {
	p, client, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer c.h.leave()
	var (
		list  **C.PJRT_Device
		count C.size_t
	)
	err = p.take(C.PG_PJRT_Client_AddressableDevices, C.pg_addressable_devices(p.api, client, &list, &count))
	return c.devices(list, count, err)
}

func (c *Client) devices(list **C.PJRT_Device, count C.size_t, err error) ([]*Device, error) {
	if err != nil {
		return nil, err
	}
	devices := make([]*Device, 0, int(count))
	for _, pointer := range unsafe.Slice(list, int(count)) {
		devices = append(devices, &Device{client: c, pointer: pointer})
	}
	return devices, nil
}

// LookupDevice is the device with an ID.
func (c *Client) LookupDevice(id int) (*Device, error) {
	p, client, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer c.h.leave()
	var pointer *C.PJRT_Device
	if err := p.take(C.PG_PJRT_Client_LookupDevice, C.pg_lookup_device(p.api, client, C.int(id), &pointer)); err != nil {
		return nil, err
	}
	return &Device{client: c, pointer: pointer}, nil
}

// DefaultLayout is the layout that arrays get on the client's first device, where nobody asks for another. Unimplemented
// without the extension for layouts.
func (c *Client) DefaultLayout(t xlashape.ElementType, dimensions ...int64) (*xlashape.Layout, error) {
	const call = "PJRT_Layouts_PJRT_Client_GetDefaultLayout"
	p, client, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer c.h.leave()
	if p.layouts == nil {
		return nil, &Error{Code: Unimplemented, Call: call, Message: "the plugin has no extension for layouts"}
	}
	number, err := pjrtType(call, t)
	if err != nil {
		return nil, err
	}
	return p.layout(call, nil, client, number, dimensions)
}

func (p *Plugin) layout(call string, buffer *C.PJRT_Buffer, client *C.PJRT_Client, number C.int,
	dimensions []int64) (*xlashape.Layout, error) {
	var (
		text *C.char
		size C.size_t
	)
	failure := C.pg_layout_text(p.api, p.layouts, buffer, client, number, int64s(dimensions), C.size_t(len(dimensions)),
		&text, &size)
	if err := p.take(0, failure); err != nil {
		err.(*Error).Call = call // of the extension, whose functions have no numbers here
		return nil, err
	}
	defer C.free(unsafe.Pointer(text))
	if text == nil {
		return nil, &Error{Code: ResourceExhausted, Call: call, Message: "no memory for the layout's text"}
	}
	return xlashape.ParseLayout(goText(text, size))
}

// Compile hands the plugin a program in a format such as "mlir" or "hlo", and drops what was made of it: this package moves
// arrays, and runs nothing.
func (c *Client) Compile(format string, code []byte) error {
	p, client, err := c.enter()
	if err != nil {
		return err
	}
	defer c.h.leave()
	program, name := C.CBytes(code), C.CString(format)
	defer C.free(program)
	defer C.free(unsafe.Pointer(name))
	var executable *C.PJRT_LoadedExecutable
	failure := C.pg_compile(p.api, client, (*C.char)(program), C.size_t(len(code)), name, C.size_t(len(format)), nil, 0,
		&executable)
	if err := p.take(C.PG_PJRT_Client_Compile, failure); err != nil {
		return err
	}
	p.drop(C.PG_PJRT_LoadedExecutable_Destroy, C.pg_executable_destroy(p.api, executable))
	return nil
}

// Topology is the name of the platform and the kinds of the devices that programs would be compiled for.
func (c *Client) Topology() (platform string, kinds []string, err error) {
	p, client, err := c.enter()
	if err != nil {
		return "", nil, err
	}
	defer c.h.leave()
	for _, function := range []C.int{C.PG_PJRT_Client_TopologyDescription, C.PG_PJRT_TopologyDescription_PlatformName,
		C.PG_PJRT_TopologyDescription_GetDeviceDescriptions} {
		if err := p.needs(function); err != nil {
			return "", nil, err
		}
	}
	var topology *C.PJRT_TopologyDescription // belongs to the client
	if err := p.take(C.PG_PJRT_Client_TopologyDescription, C.pg_topology(p.api, client, &topology)); err != nil {
		return "", nil, err
	}
	var (
		text        *C.char
		size, count C.size_t
		list        **C.PJRT_DeviceDescription
	)
	err = p.take(C.PG_PJRT_TopologyDescription_PlatformName, C.pg_topology_name(p.api, topology, &text, &size))
	if err != nil {
		return "", nil, err
	}
	err = p.take(C.PG_PJRT_TopologyDescription_GetDeviceDescriptions, C.pg_topology_devices(p.api, topology, &list, &count))
	if err != nil {
		return "", nil, err
	}
	platform = goText(text, size)
	for _, description := range unsafe.Slice(list, int(count)) {
		err := p.take(C.PG_PJRT_DeviceDescription_Kind, C.pg_description_kind(p.api, description, &text, &size))
		if err != nil {
			return "", nil, err
		}
		kinds = append(kinds, goText(text, size))
	}
	return platform, kinds, nil
}

// int64s is the address of the first number, nil where there is none.
func int64s(numbers []int64) *C.int64_t {
	if len(numbers) == 0 {
		return nil
	}
	return (*C.int64_t)(&numbers[0])
}

func pjrtType(call string, t xlashape.ElementType) (C.int, error) {
	number := t.PJRT()
	if number == 0 {
		return 0, invalid(call, "PJRT has no number for the element type %s", t)
	}
	return C.int(number), nil
}
