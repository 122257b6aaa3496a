package xlashape

// #include "bridge.h"
// #include <stdlib.h>
import "C"

import (
	"strings"
	"unsafe"
)

// IndexConversion is the direction of an IndexPlan.
type IndexConversion int32

const (
	ToLinear           IndexConversion = 1 // multidimensional indices to positions
	ToMultidimensional IndexConversion = 2 // the reverse
)

// IndexPlanOptions are the options of an IndexPlan. nil means the zero value.
type IndexPlanOptions struct {
	Runtime       *Runtime // nil: the default one
	MarkBad       bool     // bad indices, and padding, give -1; on a queue they must
	Backend       string   // by name; "": the library chooses
	AllowFallback bool     // another backend may stand in for the one asked for
	SrcSpace      MemorySpace
	DstSpace      MemorySpace
	Device        Device // of the backend
	// Index i's entry for dimension d is number i*IndexStep + d*DimensionStep. Both 0: index after index.
	IndexStep     int64
	DimensionStep int64
}

// IndexPlan is a batch of index conversions, planned once, for memory of any space. Slices of Go are IndexMap's. A copy is
// the same plan.
type IndexPlan struct {
	handle *handle
}

// Plan plans conversions; nil options are the defaults. The map is not needed afterwards.
func (m *IndexMap) Plan(conversion IndexConversion, options *IndexPlanOptions) (*IndexPlan, error) {
	if options == nil {
		options = &IndexPlanOptions{}
	}
	pointer, err := given(m).handle.enter()
	if err != nil {
		return nil, err
	}
	defer m.handle.leave()
	raw := C.xlashape_index_options{struct_size: C.sizeof_xlashape_index_options,
		flags:     C.uint32_t(number(options.MarkBad)*C.XLASHAPE_INDEX_MARK_BAD | number(options.AllowFallback)*C.XLASHAPE_PLAN_ALLOW_FALLBACK),
		src_space: C.xlashape_memory_space(options.SrcSpace), dst_space: C.xlashape_memory_space(options.DstSpace),
		device: C.int32_t(options.Device), index_step: C.int64_t(options.IndexStep), dimension_step: C.int64_t(options.DimensionStep)}
	var backend *C.char
	if options.Backend != "" {
		backend = C.CString(options.Backend)
		defer C.free(unsafe.Pointer(backend))
	}
	var answer C.xg_number
	err = options.Runtime.with(func(runtime C.uintptr_t) error {
		if at := strings.IndexByte(options.Backend, 0); at >= 0 { // the library would see the part before it
			return fail(ErrInvalidArgument, "byte %d of backend is 0", at)
		}
		answer = C.xg_index_plan(runtime, C.uintptr_t(pointer), C.int32_t(conversion), raw, backend)
		return take(answer.failure)
	})
	if err != nil {
		return nil, err
	}
	return &IndexPlan{newPlanHandle(int64(answer.value))}, nil
}

// Close frees the memory. It may be called again, and while others use the plan.
func (p *IndexPlan) Close() error {
	given(p).handle.close()
	return nil
}

// ExecuteRaw converts count indices and returns how many were bad; 0 with a queue, where the call only enqueues. Without
// MarkBad the first bad one is ErrOutOfRange with its number in Error.Index. Addresses are not checked.
func (p *IndexPlan) ExecuteRaw(e Exec, count int64) (bad int64, err error) {
	pointer, err := given(p).handle.enter()
	if err != nil {
		return 0, err
	}
	defer p.handle.leave()
	raw := e.raw()
	raw.count = C.int64_t(count)
	answer := C.xg_execute_indices(C.uintptr_t(pointer), raw)
	return int64(answer.value), take(answer.failure)
}

// Describe returns backend and kernel in one line, for people; it is not stable.
func (p *IndexPlan) Describe() (string, error) {
	f := newFrame()
	defer f.done()
	pointer, err := given(p).handle.enter()
	if err != nil {
		return "", err
	}
	defer p.handle.leave()
	f.put(int64(pointer))
	if err := f.call(C.XG_PLAN_DESCRIBE); err != nil {
		return "", err
	}
	return f.gotText(), nil
}
