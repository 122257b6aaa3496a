// Package pjrt is a client of PJRT plugins: it loads one, moves arrays between the host and its devices, and copies them
// between devices. Shapes and layouts are those of the package xlashape.
//
//	plugin, err := pjrt.Load("plugin.so")
//	client, err := plugin.NewClient(pjrt.Options{"devices": "tpu:v5e,cpu"})
//	buffer, err := devices[0].FromHost(pjrt.HostArray{Type: xlashape.F32, Dimensions: []int64{2, 3}, Data: bytes}, nil)
//	err = buffer.ToHost(back, nil)
//
// Client, Buffer, Event and HostMemory hold memory of the plugin: call Close. It may be called again, and while others use
// the object; a finalizer does it for what was forgotten. A client ends only after its last buffer and event.
//
// Errors of the plugin are *Error and match their codes with errors.Is. Everything may be used by any number of goroutines.
package pjrt

// #cgo CFLAGS: -I${SRCDIR}/../../pjrt-plugin -std=gnu11
// #cgo LDFLAGS: -ldl
// #include "calls.h"
import "C"
