// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import "unsafe"

// IndexMap converts between multidimensional and linear indices of one shape, exactly for every layout: all tile levels
// and padding counted. It never changes, and a copy of it is the same map.
type IndexMap struct {
	handle          *handle
	rank            int
	storageElements int64
}

// NewIndexMap is the index map of an array or buffer without unbounded dimensions. It does not refer to the shape
// afterwards.
func NewIndexMap(shape Shape) (*IndexMap, error) {
	c := begin(&shape)
	defer c.end()
	if err := c.failed(C.xg_index_map_create(c.at)); err != nil {
		return nil, err
	}
	h := newHandle(c.raw.handle, func(p unsafe.Pointer) { C.xg_release_index_map(asNumber(p)) })
	return &IndexMap{h, shape.rank(), int64(c.raw.number)}, nil
}

// Close frees the memory. It may be called again, and while others use the map.
func (m *IndexMap) Close() error {
	given(m).handle.close()
	return nil
}

// Rank is the number of dimensions.
func (m *IndexMap) Rank() int { return given(m).rank }

// StorageElements is the number of positions: linear indices run from 0 to this, exclusive.
func (m *IndexMap) StorageElements() int64 { return given(m).storageElements }

// LinearIndex is the position of the element at index. ErrOutOfRange outside the bounds and for another rank.
func (m *IndexMap) LinearIndex(index ...int64) (int64, error) {
	pointer, err := given(m).handle.enter()
	if err != nil {
		return 0, err
	}
	defer m.handle.leave()
	if len(index) <= C.XG_RANK {
		var few C.xg_index
		for i, at := range index {
			few.at[i] = C.int64_t(at)
		}
		if found := C.xg_linear_index(asNumber(pointer), few,
			C.int64_t(len(index))); found.status == C.XLASHAPE_STATUS_OK {
			return int64(found.linear), nil
		}
	}
	c := begin()
	return c.toNumber(C.xlashape_index_map_linear_index((*C.xlashape_index_map)(pointer), c.list(index),
		C.int64_t(len(index)), &c.raw.number, c.err()))
}

// MultidimensionalIndex writes the index of the element at a position to index, which must have the map's rank. A
// position in padding sets isPadding, and every number to -1.
func (m *IndexMap) MultidimensionalIndex(linear int64, index []int64) (isPadding bool, err error) {
	pointer, err := given(m).handle.enter()
	if err != nil {
		return false, err
	}
	defer m.handle.leave()
	if len(index) <= C.XG_RANK {
		if found := C.xg_multidimensional_index(asNumber(pointer), C.int64_t(linear),
			C.int64_t(len(index))); found.status == C.XLASHAPE_STATUS_OK {
			for i := range index {
				index[i] = int64(found.index.at[i])
			}
			return found.is_padding != 0, nil
		}
	}
	c := begin()
	defer c.end()
	room, padding := c.list(index), (*C.int32_t)(c.room(4))
	if err := c.failed(C.xlashape_index_map_multidimensional_index((*C.xlashape_index_map)(pointer),
		C.int64_t(linear), room, C.int64_t(len(index)), padding, c.err())); err != nil {
		return false, err
	}
	copy(index, unsafe.Slice((*int64)(room), len(index)))
	return *padding != 0, nil
}

// BatchOptions are options for many indices at once. nil means the zero value.
type BatchOptions struct {
	Runtime *Runtime // whose CPU backend does it; nil: the default one
	// MarkInvalid writes -1 for invalid indices and for positions in padding, and continues. Without it the first one
	// ends the batch with ErrOutOfRange and its number in Error.Index; answers before it are valid.
	MarkInvalid bool
	// StructureOfArrays has all indices of dimension 0 first, then those of dimension 1, ...; without it index after
	// index.
	StructureOfArrays bool
}

// LinearIndices writes the position of each index to linear. There are len(linear) of them, so index has that times the
// rank numbers. It returns how many were invalid.
func (m *IndexMap) LinearIndices(index, linear []int64, options *BatchOptions) (invalid int64, err error) {
	return m.convert(ToLinear, index, linear, index, linear, options)
}

// MultidimensionalIndices writes the index at each position of linear to index, which has len(linear) times the rank
// numbers. It returns how many were invalid; padding counts as invalid.
func (m *IndexMap) MultidimensionalIndices(linear, index []int64, options *BatchOptions) (invalid int64, err error) {
	return m.convert(ToMultidimensional, index, linear, linear, index, options)
}

func (m *IndexMap) convert(conversion IndexConversion, index, linear, src, dst []int64,
	options *BatchOptions) (int64, error) {
	if options == nil {
		options = &BatchOptions{}
	}
	c := begin()
	pointer, runtime, rank := c.keep(given(m).handle), c.runtime(options.Runtime), m.Rank()
	if len(index) != len(linear)*rank {
		c.refuse(ErrOutOfRange, "index has %d numbers, %d indices of rank %d have %d", len(index), len(linear), rank,
			len(linear)*rank)
	}
	if overlap(bytesOf(index), bytesOf(linear)) {
		c.refuse(ErrInvalidArgument, "index and linear overlap")
	}
	if c.raw.number = 0; len(linear) == 0 || c.refused != nil {
		return c.toNumber(C.XLASHAPE_STATUS_OK)
	}
	var indexStep, dimensionStep C.int64_t // index after index
	if options.StructureOfArrays {
		indexStep, dimensionStep = 1, C.int64_t(len(linear))
	}
	return c.toNumber(C.xg_convert(c.at, asNumber(unsafe.Pointer(runtime)), asNumber(pointer), C.int32_t(conversion),
		when(options.MarkInvalid, C.XLASHAPE_INDEX_MARK_INVALID),
		indexStep, dimensionStep, C.int64_t(len(linear)), first(src), C.int64_t(8*len(src)), first(dst),
		C.int64_t(8*len(dst))))
}

func first(numbers []int64) *C.int64_t {
	if len(numbers) == 0 {
		return nil
	}
	return (*C.int64_t)(&numbers[0])
}

func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}

// IndexConversion is the direction of an IndexPlan.
type IndexConversion int32

const (
	// members: CONVERSION_(\w+) as {Name} IndexConversion = C.{C}
	ToLinear           IndexConversion = C.XLASHAPE_CONVERSION_TO_LINEAR           // multidimensional indices to positions
	ToMultidimensional IndexConversion = C.XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL // the reverse
	// end of members
)

// IndexPlanOptions are the options of an IndexPlan. nil means the zero value.
type IndexPlanOptions struct {
	Runtime       *Runtime // nil: the default one
	MarkInvalid   bool     // invalid indices, and padding, give -1; on a queue they must
	Backend       string   // by name; "": the library chooses
	AllowFallback bool     // another backend may stand in for the one asked for
	SrcSpace      MemorySpace
	DstSpace      MemorySpace
	Device        Device // of the backend
	// Index i's entry for dimension d is number i*IndexStep + d*DimensionStep. Both 0: index after index.
	IndexStep     int64
	DimensionStep int64
}

// IndexPlan is a batch of index conversions, planned once, for memory of any space. Slices of Go are IndexMap's. A copy
// is the same plan.
type IndexPlan struct {
	handle *handle
}

// Plan plans conversions; nil options are the defaults. The map is not needed afterwards.
func (m *IndexMap) Plan(conversion IndexConversion, options *IndexPlanOptions) (*IndexPlan, error) {
	if options == nil {
		options = &IndexPlanOptions{}
	}
	c := begin()
	defer c.end()
	pointer, runtime := (*C.xlashape_index_map)(c.keep(given(m).handle)), c.runtime(options.Runtime)
	raw := (*C.xlashape_index_options)(c.room(C.sizeof_xlashape_index_options))
	*raw = C.xlashape_index_options{struct_size: C.sizeof_xlashape_index_options,
		flags: when(options.MarkInvalid, C.XLASHAPE_INDEX_MARK_INVALID) | when(options.AllowFallback,
			C.XLASHAPE_PLAN_ALLOW_FALLBACK),
		src_space: C.xlashape_memory_space(options.SrcSpace), dst_space: C.xlashape_memory_space(options.DstSpace),
		device: C.int32_t(options.Device), backend: c.backend(options.Backend), index_step: C.int64_t(options.IndexStep),
		dimension_step: C.int64_t(options.DimensionStep)}
	if err := c.failed(C.xg_index_plan_create(c.at, runtime, pointer, C.int32_t(conversion), raw)); err != nil {
		return nil, err
	}
	return &IndexPlan{newHandle(c.raw.handle, func(p unsafe.Pointer) { C.xg_release_index_plan(asNumber(p)) })}, nil
}

// Close frees the memory. It may be called again, and while others use the plan.
func (p *IndexPlan) Close() error {
	given(p).handle.close()
	return nil
}

func (c *call) indexPlan(p *IndexPlan) *C.xlashape_index_plan {
	return (*C.xlashape_index_plan)(c.keep(given(p).handle))
}

// ExecuteRaw converts count indices and returns how many were invalid; 0 with a queue, where the call only enqueues.
// Without MarkInvalid the first one is ErrOutOfRange with its number in Error.Index. Addresses are not checked.
func (p *IndexPlan) ExecuteRaw(o ExecuteOptions, count int64) (invalid int64, err error) {
	c := begin()
	counted := C.int32_t(0)
	if o.Queue.Kind == QueueNone {
		counted = 1
	}
	return c.toNumber(C.xg_index_plan_execute_with(c.at, c.indexPlan(p), C.int64_t(count), counted, o.raw(c)))
}

// Describe returns backend and kernel in one line, for people; it is not stable.
func (p *IndexPlan) Describe() (string, error) {
	c := begin()
	return c.toText(C.xg_index_plan_describe(c.at, c.indexPlan(p)))
}
