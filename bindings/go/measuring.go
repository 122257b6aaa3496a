package xlashape

// #include "bridge.h"
import "C"

import (
	"context"
	"runtime/cgo"
	"time"
	"unsafe"
)

// Calibrate measures the machine for about this long (10 s is a good time), on the runtime's executor, and returns a profile
// of its processor: a text for RuntimeOptions.Profile, or for the file at ProfilePath, which later runtimes read. This
// runtime does not change. Other work on the machine falsifies it. It ends early when the context is done, as ExecuteContext
// does; progress may be nil. ErrUnsupported where no backend measures anything.
func (r *Runtime) Calibrate(ctx context.Context, budget time.Duration, progress Progress) (profile string, err error) {
	if budget == 0 {
		budget = 1 // C takes 0 for its default
	}
	text := make([]byte, C.XLASHAPE_PROFILE_BYTES)
	err = r.with(func(runtime C.uintptr_t) error {
		return watched(ctx, progress, func(cancel *int32, watch cgo.Handle) error {
			size := C.xg_calibrate(runtime, C.int64_t(budget), (*C.int32_t)(unsafe.Pointer(cancel)), C.uintptr_t(watch), address(text),
				C.int64_t(len(text)))
			if size.failure != nil {
				return take(size.failure)
			}
			profile = string(text[:size.value-1])
			return nil
		})
	})
	if err != nil {
		return "", err
	}
	return profile, nil
}

// ProfilePath is the file where the runtime looked for its profile, or would have without RuntimeOptions.Profile; "" where
// it looks for none.
func (r *Runtime) ProfilePath() (string, error) { return r.text(C.XG_RUNTIME_PROFILE_PATH) }

// Wisdom is what plans with PlanOptions.Measure found to be fastest, as a text that can be stored.
func (r *Runtime) Wisdom() (string, error) { return r.text(C.XG_RUNTIME_WISDOM) }

// ImportWisdom adds what an earlier Wisdom returned, and returns how many entries were taken: none of another processor.
// ErrParse for another text, and nothing is taken.
func (r *Runtime) ImportWisdom(text string) (taken int, err error) {
	f := newFrame()
	defer f.done()
	f.setText(text)
	err = r.with(func(runtime C.uintptr_t) error {
		f.put(int64(runtime))
		return f.call(C.XG_RUNTIME_IMPORT)
	})
	if err != nil {
		return 0, err
	}
	return int(f.get()), nil
}

// ForgetWisdom removes all of it. Plans that were made stay as they are.
func (r *Runtime) ForgetWisdom() error {
	f, err := r.ask(C.XG_RUNTIME_FORGET, "")
	f.done()
	return err
}
