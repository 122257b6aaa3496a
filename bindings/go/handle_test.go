package xlashape

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func TestHandleIsFreedOnceWhenClosedAndUnused(t *testing.T) {
	freed := 0
	h := newHandle(unsafe.Pointer(&freed), func(unsafe.Pointer) { freed++ })
	if p, err := h.enter(); p != unsafe.Pointer(&freed) || err != nil {
		t.Fatal(p, err)
	}
	h.close()
	h.close()
	if freed != 0 {
		t.Error("freed in use")
	}
	if _, err := h.enter(); err != ErrClosed {
		t.Error("entered after close", err)
	}
	h.leave()
	if freed != 1 {
		t.Error("freed", freed, "times")
	}
	if _, err := h.enter(); err != ErrClosed || freed != 1 {
		t.Error("a late call: freed", freed, "times", err)
	}
}

// Index maps, plans and runtimes that nobody closed are given back by their finalizers.
func TestForgottenHandlesAreFreed(t *testing.T) {
	var freed int64
	count := func(h *handle) {
		release := h.free
		h.free = func(p unsafe.Pointer) {
			release(p)
			atomic.AddInt64(&freed, 1)
		}
	}
	const rounds = 50
	for i := 0; i < rounds; i++ {
		m, err := NewIndexMap(MustParseShape("f32[8,8]"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRuntime(nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan(MustParseShape("f32[8,8]"), MustParseShape("f32[8,8]{0,1}"), &PlanOptions{Runtime: r})
		if err != nil {
			t.Fatal(err)
		}
		count(m.handle)
		count(r.handle)
		count(p.handle)
	}
	// The last ones may still be seen on the stack.
	for i := 0; i < 200 && atomic.LoadInt64(&freed) < 3*(rounds-1); i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := atomic.LoadInt64(&freed); n < 3*(rounds-1) || n > 3*rounds {
		t.Errorf("%d of %d handles were freed", n, 3*rounds)
	}
}
