package xlashape

import (
	"math"
	"sync/atomic"
)

// handle is a counted handle of the library. It is released when it has been closed and no call is under way, so that
// closing may race with anything.
type handle struct {
	pointer uintptr // set once
	users   int64   // calls under way; closed is added to it by close
	once    uint32
	freed   uint32
	free    func(pointer uintptr)
}

const closed = math.MinInt64 / 2

// enter begins a call; leave must follow where there is no error.
func (h *handle) enter() (uintptr, error) {
	if atomic.AddInt64(&h.users, 1) < 0 {
		h.leave()
		return 0, ErrClosed
	}
	return h.pointer, nil
}

func (h *handle) leave() { h.add(-1) }

func (h *handle) close() {
	if atomic.CompareAndSwapUint32(&h.once, 0, 1) {
		h.add(closed)
	}
}

// add frees at the moment when the handle is closed and unused; a late enter and leave may pass there again.
func (h *handle) add(n int64) {
	if atomic.AddInt64(&h.users, n) == closed && h.free != nil && atomic.CompareAndSwapUint32(&h.freed, 0, 1) {
		h.free(h.pointer)
	}
}
