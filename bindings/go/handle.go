// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// handle is a counted handle of the library. It is released when it has been closed and no call is in progress, so that
// closing may race with anything. Objects point to their handle, so copies share it. nil is closed.
type handle struct {
	users   int64 // calls under way; closed is added to it by close
	pointer unsafe.Pointer
	once    uint32
	freed   uint32
	free    func(pointer unsafe.Pointer)
}

const closed = math.MinInt64 / 2

// newHandle makes a handle that is closed, at the latest, when nothing points to it any more.
func newHandle(pointer unsafe.Pointer, free func(pointer unsafe.Pointer)) *handle {
	h := &handle{pointer: pointer, free: free}
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

// given is p, or, if that is nil, a zero value, which is closed.
func given[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// enter begins a call; leave must follow where there is no error. It also keeps the handle from its finalizer.
func (h *handle) enter() (unsafe.Pointer, error) {
	if h == nil {
		return nil, ErrClosed
	}
	if atomic.AddInt64(&h.users, 1) < 0 {
		h.leave()
		return nil, ErrClosed
	}
	return h.pointer, nil
}

// asNumber is for where C takes handles as numbers.
func asNumber(pointer unsafe.Pointer) C.xg_handle { return C.xg_handle(uintptr(pointer)) }

func (h *handle) leave() { h.add(-1) }

func (h *handle) close() {
	if h != nil && atomic.CompareAndSwapUint32(&h.once, 0, 1) {
		runtime.SetFinalizer(h, nil)
		h.add(closed)
	}
}

// add frees the handle once it is closed and unused; a late enter and leave may reach this point again.
func (h *handle) add(n int64) {
	if atomic.AddInt64(&h.users, n) == closed && atomic.CompareAndSwapUint32(&h.freed, 0, 1) {
		h.free(h.pointer)
	}
}
