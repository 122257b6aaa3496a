package pjrt

// #include "calls.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// Event is the end of something that the plugin does.
type Event struct{ h *handle }

func newEvent(p *Plugin, parent *handle, pointer *C.PJRT_Event) *Event {
	return &Event{newHandle(p, parent, unsafe.Pointer(pointer), freeEvent)}
}

func freeEvent(p *Plugin, pointer unsafe.Pointer) {
	p.drop(C.PG_PJRT_Event_Destroy, C.pg_event_destroy(p.api, (*C.PJRT_Event)(pointer)))
}

// Close drops the event; what it tells the end of goes on. Functions given to OnReady are still called.
func (e *Event) Close() error {
	if e != nil {
		e.h.close()
	}
	return nil
}

func (e *Event) enter() (p *Plugin, pointer *C.PJRT_Event, err error) {
	if e == nil {
		return nil, nil, ErrClosed
	}
	if err := e.h.enter(); err != nil {
		return nil, nil, err
	}
	return e.h.plugin, (*C.PJRT_Event)(e.h.pointer), nil
}

// IsReady reports whether it has ended, well or not.
func (e *Event) IsReady() (bool, error) {
	p, event, err := e.enter()
	if err != nil {
		return false, err
	}
	defer e.h.leave()
	var ready C.int
	err = p.take(C.PG_PJRT_Event_IsReady, C.pg_event_is_ready(p.api, event, &ready))
	return ready != 0, err
}

// Await waits for the end, and returns what went wrong.
func (e *Event) Await() error {
	p, event, err := e.enter()
	if err != nil {
		return err
	}
	defer e.h.leave()
	return p.take(C.PG_PJRT_Event_Await, C.pg_event_await(p.api, event))
}

// waiting is what a callback of C finds by its name.
type waiting struct {
	event *Event
	call  func(err error)
}

// OnReady has a function called with the outcome, once and on a thread of the plugin, or before OnReady returns if it is
// known already. The function must not wait for the plugin.
func (e *Event) OnReady(call func(err error)) error {
	p, event, err := e.enter()
	if err != nil {
		return err
	}
	name := cgo.NewHandle(&waiting{e, call})
	if err := p.take(C.PG_PJRT_Event_OnReady, C.pg_event_on_ready(p.api, event, C.uintptr_t(name))); err != nil {
		name.Delete() // it is not called after an error
		e.h.leave()
		return err
	}
	return nil // the callback leaves
}

//export pjrtGoReady
func pjrtGoReady(failure *C.PJRT_Error, name C.uintptr_t) {
	w := cgo.Handle(name).Value().(*waiting)
	cgo.Handle(name).Delete()
	// The event may be destroyed by the last one who leaves it, and the plugin is still in it now.
	defer func() { go w.event.h.leave() }()
	w.call(w.event.h.plugin.take(C.PG_PJRT_Event_OnReady, failure))
}
