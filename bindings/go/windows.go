// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import "unsafe"

// Window is what of an array's storage belongs to a box: an array of its own, with the same order and tiles, whose
// bytes lie there in runs. A relayout between the windows of one box on both sides, each in a buffer that holds its
// runs one after the other, moves that part of the array.
type Window struct {
	Shape      Shape // what lies there; static, without alignment of the tail
	ByteOffset int64 // of its first byte in the array's storage
	Bytes      int64 // RunBytes x RunCount, what its own storage takes
	RunBytes   int64 // that lie together
	RunCount   int64 // 1: the window is contiguous; 0: it has no bytes
}

// Window is the window of extent elements from base on. ErrUnsupported where it would cut a tile or a byte:
// WindowGranularity says where it may be cut. ErrOutOfRange where the array has fewer elements.
func (s Shape) Window(base, extent []int64) (Window, error) {
	if err := sameRank(base, extent); err != nil {
		return Window{}, err
	}
	c := begin(&s)
	defer c.end()
	raw := (*C.xlashape_window)(c.room(C.sizeof_xlashape_window))
	*raw = C.xlashape_window{struct_size: C.sizeof_xlashape_window}
	if err := c.failed(C.xg_shape_window(c.at, c.list(base), c.list(extent), C.int64_t(len(base)), raw)); err != nil {
		return Window{}, err
	}
	return Window{c.shapeAt(0), int64(raw.byte_offset), int64(raw.bytes), int64(raw.run_bytes),
		int64(raw.run_count)}, nil
}

// WindowRuns fills offsets with where the runs of that window begin in the array's storage, in bytes, those from number
// first on, in the order in which the window's own storage has them, at most 2^24 at once. ErrOutOfRange where there
// are fewer.
func (s Shape) WindowRuns(base, extent []int64, first int64, offsets []int64) error {
	if err := sameRank(base, extent); err != nil {
		return err
	}
	var out *C.int64_t
	if len(offsets) > 0 {
		out = (*C.int64_t)(unsafe.Pointer(&offsets[0]))
	}
	c := begin(&s)
	return c.toNothing(C.xg_shape_window_runs(c.at, c.list(base), c.list(extent), C.int64_t(len(base)),
		C.int64_t(first), C.int64_t(len(offsets)), out))
}

func sameRank(base, extent []int64) error {
	if len(base) != len(extent) {
		return fail(ErrInvalidArgument, "base has %d numbers, extent %d", len(base), len(extent))
	}
	return nil
}

// WindowGranularity returns for each dimension the number at whose multiples windows may begin and end, besides the
// dimension's end: tiles and bytes stay whole. It is the whole dimension where there is no such place.
func (s Shape) WindowGranularity() ([]int64, error) {
	c := begin(&s)
	return c.toList(C.xg_shape_window_granularity(c.at))
}

// Slab is one box of Slabs: the arguments of Window.
type Slab struct {
	Base, Extent []int64
}

// Slabs are boxes of one extent in which an array is moved that does not fit into memory; those at the end of a
// dimension may be smaller. Each element is in one. MakeSlabs chooses them.
type Slabs struct {
	Dimensions []int64 // of both sides
	Extent     []int64
	Order      []int64 // the fastest dimension first: the destination's; nil: the last dimension is fastest
	Count      int64
	SrcBytes   int64 // of the largest one's window of the source
	DstBytes   int64 // of that of the destination
	SrcRuns    int64 // to be read for all slabs, at most
	DstRuns    int64 // to be written for all slabs, at most
}

// MakeSlabs chooses boxes that are windows of both sides, which together take at most maxBytes bytes, so that all of
// them are read and written in few runs. Element types may differ, for a plan that converts. ErrOutOfRange where the
// smallest ones take more: the error says how much. ErrInvalidArgument for other dimensions.
//
// For each slab: read the runs of its window of src one after the other, relayout from that window's Shape to that of
// the window of dst, and write the runs of that. What aligns the tail of dst belongs to no slab, if there are several.
func MakeSlabs(src, dst Shape, maxBytes int64) (Slabs, error) {
	c := begin(&src, &dst)
	defer c.end()
	c.lists(src.rank(), 0)
	raw := (*C.xlashape_slabs)(c.room(C.sizeof_xlashape_slabs))
	*raw = C.xlashape_slabs{struct_size: C.sizeof_xlashape_slabs}
	if err := c.failed(C.xg_relayout_slabs(c.at, C.int64_t(maxBytes), raw)); err != nil {
		return Slabs{}, err
	}
	slabs := Slabs{append([]int64(nil), src.array().Dimensions...), c.listAt(0), nil, int64(raw.count),
		int64(raw.src_bytes), int64(raw.dst_bytes), int64(raw.src_runs), int64(raw.dst_runs)}
	if layout := dst.array().Layout; layout != nil {
		slabs.Order = append(slabs.Order, layout.MinorToMajor...)
	}
	return slabs, nil
}

// Slab is number 0 to Count-1, in the order of the destination's storage.
func (s Slabs) Slab(number int64) (Slab, error) {
	base, err := Box{make([]int64, len(s.Dimensions)), s.Dimensions, s.Extent, s.Order}.IndexAt(number)
	if err != nil {
		return Slab{}, err
	}
	slab := Slab{base, append([]int64(nil), s.Extent...)}
	for d, size := range s.Dimensions {
		if left := size - base[d]; left < slab.Extent[d] {
			slab.Extent[d] = left
		}
	}
	return slab, nil
}
