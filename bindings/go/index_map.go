package xlashape

// #include "bridge.h"
import "C"

import "unsafe"

// IndexMap converts between multidimensional and linear indices of one shape, exactly for every layout: all tile levels
// and padding counted. It never changes, and a copy of it is the same map.
type IndexMap struct {
	handle          *handle
	rank            int
	storageElements int64
}

// NewIndexMap is the index map of an array or buffer without unbounded dimensions. It does not refer to the shape afterwards.
func NewIndexMap(shape Shape) (*IndexMap, error) {
	f := newFrame()
	defer f.done()
	f.shape(&shape)
	if err := f.call(C.XG_INDEX_MAP); err != nil {
		return nil, err
	}
	m := &IndexMap{handle: newHandle(uintptr(f.get()), func(p uintptr) { C.xg_release_index_map(C.uintptr_t(p)) })}
	m.rank = int(f.get())
	m.storageElements = f.get()
	return m, nil
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
	var answer C.xg_number
	if len(index) <= C.XG_RANK {
		var few C.xg_index
		for i, at := range index {
			few.at[i] = C.int64_t(at)
		}
		answer = C.xg_linear_index(C.uintptr_t(pointer), few, C.int64_t(len(index)))
	} else {
		many := append([]int64(nil), index...)
		answer = C.xg_linear_index_at(C.uintptr_t(pointer), (*C.int64_t)(&many[0]), C.int64_t(len(many)))
	}
	m.handle.leave()
	return int64(answer.value), take(answer.failure)
}

// MultidimensionalIndex writes the index of the element at a position to index, which must have the map's rank. A
// position in padding sets isPadding, and every number to -1.
func (m *IndexMap) MultidimensionalIndex(linear int64, index []int64) (isPadding bool, err error) {
	pointer, err := given(m).handle.enter()
	if err != nil {
		return false, err
	}
	var element C.xg_element
	if len(index) <= C.XG_RANK {
		element = C.xg_multidimensional_index(C.uintptr_t(pointer), C.int64_t(linear), C.int64_t(len(index)))
	} else {
		many := make([]int64, len(index))
		element = C.xg_multidimensional_index_at(C.uintptr_t(pointer), C.int64_t(linear), (*C.int64_t)(&many[0]), C.int64_t(len(many)))
		if element.failure == nil {
			copy(index, many)
		}
	}
	m.handle.leave()
	if element.failure != nil {
		return false, take(element.failure)
	}
	if len(index) <= C.XG_RANK {
		for i := range index {
			index[i] = int64(element.index.at[i])
		}
	}
	return element.is_padding != 0, nil
}

// BatchOptions are options for many indices at once. nil means the zero value.
type BatchOptions struct {
	Runtime *Runtime // whose CPU backend does it; nil: the default one
	// MarkBad writes -1 for bad indices and for positions in padding, and continues. Without it the first bad one
	// ends the batch with ErrOutOfRange and its number in Error.Index; answers before it are valid.
	MarkBad bool
	// StructureOfArrays has all indices of dimension 0 first, then those of dimension 1, ...; without it index after index.
	StructureOfArrays bool
}

// LinearIndices writes the position of each index to linear. There are len(linear) of them, so index has that times the
// rank numbers. It returns how many were bad.
func (m *IndexMap) LinearIndices(index, linear []int64, options *BatchOptions) (bad int64, err error) {
	return m.batch(index, linear, options, func(b *batch) C.xg_number {
		return C.xg_linear_indices(b.runtime, b.pointer, C.int64_t(len(linear)), first(index), b.indexStep, b.dimensionStep,
			first(linear), b.flags)
	})
}

// MultidimensionalIndices writes the index at each position of linear to index, which has len(linear) times the rank
// numbers. It returns how many were bad; padding counts as bad.
func (m *IndexMap) MultidimensionalIndices(linear, index []int64, options *BatchOptions) (bad int64, err error) {
	return m.batch(index, linear, options, func(b *batch) C.xg_number {
		return C.xg_multidimensional_indices(b.runtime, b.pointer, C.int64_t(len(linear)), first(linear), first(index),
			b.indexStep, b.dimensionStep, b.flags)
	})
}

type batch struct {
	runtime, pointer         C.uintptr_t
	indexStep, dimensionStep C.int64_t
	flags                    C.uint32_t
}

func (m *IndexMap) batch(index, linear []int64, options *BatchOptions, call func(b *batch) C.xg_number) (int64, error) {
	if options == nil {
		options = &BatchOptions{}
	}
	pointer, err := given(m).handle.enter()
	if err != nil {
		return 0, err
	}
	defer m.handle.leave()
	b := batch{pointer: C.uintptr_t(pointer), indexStep: C.int64_t(m.rank), dimensionStep: 1}
	if options.StructureOfArrays {
		b.indexStep, b.dimensionStep = 1, C.int64_t(len(linear))
	}
	if options.MarkBad {
		b.flags = C.XLASHAPE_INDEX_MARK_BAD
	}
	var answer C.xg_number
	err = options.Runtime.with(func(runtime C.uintptr_t) error {
		if len(index)/max(m.rank, 1) != len(linear)*min(m.rank, 1) || len(index)%max(m.rank, 1) != 0 {
			return fail(ErrOutOfRange, "index has %d numbers, %d indices of rank %d have %d", len(index), len(linear), m.rank,
				len(linear)*m.rank)
		}
		if overlap(bytesOf(index), bytesOf(linear)) {
			return fail(ErrInvalidArgument, "index and linear overlap")
		}
		b.runtime = runtime
		answer = call(&b)
		return take(answer.failure)
	})
	return int64(answer.value), err
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

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}
