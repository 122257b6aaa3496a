//go:build cgo

package xlashape

import (
	"math"
	"runtime"
	"sync/atomic"
)

// handle is a counted handle of the library. It is released when it has been closed and no call is in progress, so that
// closing may race with anything. Objects point to their handle, so copies share it. nil is closed.
type handle struct {
	users   int64 // calls under way; closed is added to it by close
	pointer uintptr
	once    uint32
	freed   uint32
	free    func(pointer uintptr)
}

const closed = math.MinInt64 / 2

// newHandle makes a handle that is closed, at the latest, when nothing points to it any more.
func newHandle(pointer uintptr, free func(pointer uintptr)) *handle {
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

// enter begins a call; leave must follow where there is no error.
func (h *handle) enter() (uintptr, error) {
	if h == nil {
		return 0, ErrClosed
	}
	if atomic.AddInt64(&h.users, 1) < 0 {
		h.leave()
		return 0, ErrClosed
	}
	return h.pointer, nil
}

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
