package pjrt

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// handle is an object of the plugin. It is destroyed when it has been closed and nobody uses it: calls that are under way,
// and objects that were made from it, which count as users as long as they live. So the order of Close does not matter.
type handle struct {
	users   int64 // closed is added to it by close
	once    uint32
	freed   uint32
	pointer unsafe.Pointer
	plugin  *Plugin
	parent  *handle // whose user this one is; nil for clients
	free    func(p *Plugin, pointer unsafe.Pointer)
}

const closed = math.MinInt64 / 2

// newHandle makes a handle. The parent must be entered when it is called, as it is in a method of the parent.
func newHandle(p *Plugin, parent *handle, pointer unsafe.Pointer, free func(*Plugin, unsafe.Pointer)) *handle {
	if parent != nil {
		atomic.AddInt64(&parent.users, 1)
	}
	h := &handle{pointer: pointer, plugin: p, parent: parent, free: free}
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

// enter begins a use; leave must follow where there is no error.
func (h *handle) enter() error {
	if h == nil {
		return ErrClosed
	}
	if atomic.AddInt64(&h.users, 1) < 0 {
		h.leave()
		return ErrClosed
	}
	return nil
}

func (h *handle) leave() { h.add(-1) }

func (h *handle) close() {
	if h != nil && atomic.CompareAndSwapUint32(&h.once, 0, 1) {
		runtime.SetFinalizer(h, nil)
		h.add(closed)
	}
}

// add destroys the object once it is closed and unused; a late enter and leave may reach this point again.
func (h *handle) add(n int64) {
	if atomic.AddInt64(&h.users, n) == closed && atomic.CompareAndSwapUint32(&h.freed, 0, 1) {
		h.free(h.plugin, h.pointer)
		if h.parent != nil {
			h.parent.leave()
		}
	}
}
