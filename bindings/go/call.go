// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// call is one call of C: memory of C, where the arguments are described and the answers arrive. See calls.h.
type call struct {
	raw     *C.xg_call
	at      C.xg_at     // raw, as C takes it
	refused error       // the first thing in an argument that has no form in C, or ErrClosed
	kept    []*handle   // what must not be released during the call
	held    []Execution // what C has addresses of: here it is on the heap, where nothing moves, and stays until the end
}

var calls = sync.Pool{New: func() any {
	raw := C.calloc(1, C.sizeof_xg_call)
	c := &call{raw: (*C.xg_call)(raw), at: C.xg_at(uintptr(raw))}
	runtime.SetFinalizer(c, func(c *call) {
		C.xg_reset(c.raw)
		C.free(unsafe.Pointer(c.raw))
	})
	return c
}}

// begin begins a call with those shapes; end must follow, which the functions that return answers call. It is also what
// keeps the memory from its finalizer while C works.
func begin(shapes ...*Shape) *call {
	c := calls.Get().(*call)
	raw := c.raw
	raw.failure.error.struct_size = C.sizeof_xlashape_error
	raw.at = (*C.char)(unsafe.Pointer(&raw.own))
	raw.end = (*C.char)(unsafe.Add(unsafe.Pointer(raw.at), unsafe.Sizeof(raw.own)))
	for i, s := range shapes {
		c.shape(i, s)
	}
	return c
}

// beginLayouts begins a call with those layouts.
func beginLayouts(layouts ...*Layout) *call {
	c := begin()
	for i, l := range layouts {
		c.raw.layouts[i] = c.layout(l)
	}
	return c
}

// end gives the memory back; everything read from it is a copy.
func (c *call) end() {
	raw := c.raw
	raw.refused, c.refused = 0, nil
	raw.shapes[0].count, raw.shapes[1].count = 0, 0
	raw.layouts[0], raw.layouts[1] = nil, nil
	if raw.chunks != nil {
		C.xg_reset(raw)
	}
	c.leave()
	for i := range c.held {
		c.held[i] = Execution{}
	}
	c.held = c.held[:0]
	calls.Put(c)
}

// leave lets go of the handles.
func (c *call) leave() {
	for i, h := range c.kept {
		h.leave()
		c.kept[i] = nil
	}
	c.kept = c.kept[:0]
}

func (c *call) err() *C.xlashape_error { return &c.raw.failure.error }

// == To C

func (c *call) refuse(code Code, format string, values ...any) {
	c.refuseWith(fail(code, format, values...))
}

func (c *call) refuseWith(err error) {
	if err != nil && c.refused == nil {
		c.refused, c.raw.refused = err, 1
	}
}

// keep is the pointer of a handle, which is not released before the call ends. If it is closed the call is refused,
// whatever else is wrong with it.
func (c *call) keep(h *handle) unsafe.Pointer {
	pointer, err := h.enter()
	if err != nil {
		c.refused, c.raw.refused = err, 1
		return nil
	}
	c.kept = append(c.kept, h)
	return pointer
}

// room is memory of the call, of that many bytes.
func (c *call) room(bytes int) unsafe.Pointer {
	raw, size := c.raw, uintptr(bytes+7)&^7
	room := unsafe.Pointer(raw.at)
	if size <= uintptr(unsafe.Pointer(raw.end))-uintptr(room) {
		raw.at = (*C.char)(unsafe.Add(room, size))
		return room
	}
	if room = C.xg_room(raw, C.int64_t(bytes)); room == nil {
		c.leave() // who recovers may close them
		panic("xlashape: out of memory")
	}
	return room
}

// list is NULL for nil, and an address for an empty one.
func (c *call) list(numbers []int64) *C.int64_t { return (*C.int64_t)(copyOf(c, numbers)) }

func copyOf[T int64 | int32 | float32](c *call, numbers []T) unsafe.Pointer {
	if numbers == nil {
		return nil
	}
	room := c.room(int(sizeOf[T]()) * len(numbers))
	copy(unsafe.Slice((*T)(room), len(numbers)), numbers)
	return room
}

// lists makes room for two answers of so many numbers.
func (c *call) lists(first, second int) {
	for i, count := range [2]int{first, second} {
		c.raw.lists[i] = C.xg_list{C.int64_t(count), c.room(8 * count)}
	}
}

// text has a NUL at its end.
func (c *call) text(text string) (*C.char, C.int64_t) {
	room := c.room(len(text) + 1)
	bytes := unsafe.Slice((*byte)(room), len(text)+1)
	copy(bytes, text)
	bytes[len(text)] = 0
	return (*C.char)(room), C.int64_t(len(text))
}

// optional is NULL for an empty text.
func (c *call) optional(text string) *C.char {
	if text == "" {
		return nil
	}
	at, _ := c.text(text)
	return at
}

func (c *call) shape(i int, s *Shape) {
	count := c.count(s, 0)
	if c.refused != nil {
		return
	}
	records := c.room(count * C.sizeof_xg_record)
	c.raw.shapes[i] = C.xg_shape{C.int64_t(count), (*C.xg_record)(records)}
	c.describe(s, unsafe.Slice((*C.xg_record)(records), count))
}

// count is how many shapes are inside, the outer one too.
func (c *call) count(s *Shape, depth int) int {
	if depth > maxDepth {
		c.refuse(ErrInvalidArgument, "the tuple is nested more than %d deep", maxDepth)
	}
	count := 1
	for i := 0; i < len(s.TupleShapes) && c.refused == nil; i++ {
		count += c.count(&s.TupleShapes[i], depth+1)
	}
	return count
}

// describe describes what is inside before the shape itself, and returns the records that are left.
func (c *call) describe(s *Shape, records []C.xg_record) []C.xg_record {
	for i := range s.TupleShapes {
		records = c.describe(&s.TupleShapes[i], records)
	}
	record, array := &records[0], false
	*record = C.xg_record{}
	record._type, record.count = C.xlashape_element_type(s.ElementType), C.int64_t(len(s.TupleShapes))
	switch s.ElementType {
	case Tuple:
	case Buffer:
		if len(s.TupleShapes) != 1 {
			c.refuse(ErrInvalidArgument, "a buffer has %d TupleShapes, it must have one", len(s.TupleShapes))
		}
	case Token, Opaque:
	default:
		array = true
		c.array(s, record)
	}
	if !array && (len(s.Dimensions) > 0 || len(s.DynamicDimensions) > 0 || s.Layout != nil) {
		c.refuse(ErrInvalidArgument, "a %s has Dimensions, DynamicDimensions or a Layout", s.ElementType)
	}
	if len(s.TupleShapes) > 0 && s.ElementType != Tuple && s.ElementType != Buffer {
		c.refuse(ErrInvalidArgument, "a shape of element type %s has TupleShapes", s.ElementType)
	}
	return records[1:]
}

func (c *call) array(s *Shape, record *C.xg_record) {
	record.count = C.int64_t(len(s.Dimensions))
	record.dimensions = c.list(s.Dimensions)
	if dynamic := s.DynamicDimensions; len(dynamic) > 0 {
		if len(dynamic) != len(s.Dimensions) {
			c.refuse(ErrInvalidArgument, "DynamicDimensions has %d entries, Dimensions has %d", len(dynamic),
				len(s.Dimensions))
		}
		record.dynamic = (*C.uint8_t)(c.room(len(dynamic)))
		copy(unsafe.Slice((*bool)(unsafe.Pointer(record.dynamic)), len(dynamic)), dynamic)
	}
	if s.Layout != nil {
		record.layout = c.layout(s.Layout)
	}
}

func (c *call) layout(l *Layout) *C.xlashape_layout_spec {
	if l == nil {
		c.refuse(ErrInvalidArgument, "there is no layout: it is nil")
		return nil
	}
	spec := (*C.xlashape_layout_spec)(c.room(C.sizeof_xlashape_layout_spec))
	*spec = C.xlashape_layout_spec{}
	spec.struct_size = C.sizeof_xlashape_layout_spec
	spec.padding_value = C.xlashape_padding_value(l.PaddingValue)
	spec.rank = C.int64_t(len(l.MinorToMajor))
	spec.minor_to_major = c.list(l.MinorToMajor)
	spec.element_size_in_bits = C.int64_t(l.ElementSizeInBits)
	spec.tail_padding_alignment_in_elements = C.int64_t(l.TailPaddingAlignmentInElements)
	spec.memory_space = C.int64_t(l.MemorySpace)
	spec.dynamic_shape_metadata_prefix_bytes = C.int64_t(l.DynamicShapeMetadataPrefixBytes)
	if count := len(l.PaddedDimensions); count > 0 {
		spec.padded_dimensions = c.list(l.PaddedDimensions)
		if count != len(l.MinorToMajor) {
			c.refuse(ErrInvalidArgument, "padded_dimensions has %d entries, the layout has rank %d", count,
				len(l.MinorToMajor))
		}
	}
	spec.tile_count = C.int64_t(len(l.Tiles))
	spec.tile_ranks, spec.tile_dimensions = c.nested(l.Tiles)
	if count := len(l.SplitConfigs); count > 0 {
		dimensions, indices := make([]int64, count), make([]Tile, count)
		for i, split := range l.SplitConfigs {
			dimensions[i], indices[i] = split.Dimension, split.SplitIndices
		}
		spec.split_count, spec.split_dimensions = C.int64_t(count), c.list(dimensions)
		spec.split_sizes, spec.split_indices = c.nested(indices)
	}
	return spec
}

// nested is a list of lists: their lengths, and their numbers one after the other.
func (c *call) nested(lists []Tile) (lengths, numbers *C.int64_t) {
	if len(lists) == 0 {
		return nil, nil
	}
	all := 0
	for _, list := range lists {
		all += len(list)
	}
	room := unsafe.Slice((*int64)(c.room(8*(len(lists)+all))), len(lists)+all)
	at := room[len(lists):]
	for i, list := range lists {
		room[i] = int64(len(list))
		at = at[copy(at, list):]
	}
	return (*C.int64_t)(&room[0]), (*C.int64_t)(unsafe.Add(unsafe.Pointer(&room[0]), 8*len(lists)))
}

// when is a flag that is set on a condition.
func when(condition bool, flag C.uint32_t) C.uint32_t {
	if condition {
		return flag
	}
	return 0
}

// == From C. What is called to... ends the call.

// failed is the error of a call that did not succeed; it does not end it.
func (c *call) failed(status C.xlashape_status) error {
	if c.refused != nil {
		return c.refused
	}
	if status == C.XLASHAPE_STATUS_OK {
		return nil
	}
	return take(&c.raw.failure)
}

func (c *call) toNothing(status C.xlashape_status) error {
	err := c.failed(status)
	c.end()
	return err
}

func answer[T any](c *call, status C.xlashape_status, got func(c *call) T) (answer T, err error) {
	if err = c.failed(status); err == nil {
		answer = got(c)
	}
	c.end()
	return answer, err
}

func (c *call) toNumber(s C.xlashape_status) (int64, error)   { return answer(c, s, (*call).gotNumber) }
func (c *call) toList(s C.xlashape_status) ([]int64, error)   { return answer(c, s, (*call).gotList) }
func (c *call) toBytes(s C.xlashape_status) ([]byte, error)   { return answer(c, s, (*call).gotBytes) }
func (c *call) toText(s C.xlashape_status) (string, error)    { return answer(c, s, (*call).gotText) }
func (c *call) toShape(s C.xlashape_status) (Shape, error)    { return answer(c, s, (*call).gotShape) }
func (c *call) toLayout(s C.xlashape_status) (*Layout, error) { return answer(c, s, (*call).gotLayout) }

func (c *call) toBool(status C.xlashape_status) bool {
	n, err := c.toNumber(status)
	return n != 0 && err == nil
}

// toNext says whether there was a next index, and moves index there.
func (c *call) toNext(status C.xlashape_status, next *C.int64_t, index []int64) bool {
	defer c.end()
	if c.failed(status) != nil || c.raw.number == 0 {
		return false
	}
	copy(index, unsafe.Slice((*int64)(next), len(index)))
	return true
}

func (c *call) gotNumber() int64   { return int64(c.raw.number) }
func (c *call) gotList() []int64   { return c.listAt(0) }
func (c *call) gotShape() Shape    { return c.shapeAt(0) }
func (c *call) gotLayout() *Layout { return layoutOf(c.raw.layouts[0]) }

func (c *call) gotBytes() []byte {
	list := &c.raw.lists[0]
	return append([]byte(nil), unsafe.Slice((*byte)(list.data), int(list.size))...)
}

func (c *call) gotText() string {
	list := &c.raw.lists[0]
	return string(unsafe.Slice((*byte)(list.data), int(list.size-1)))
}

// listAt is nil for an empty list.
func (c *call) listAt(i int) []int64 {
	return copied((*C.int64_t)(c.raw.lists[i].data), c.raw.lists[i].size)
}

func copied(list *C.int64_t, count C.int64_t) []int64 {
	if list == nil {
		return nil
	}
	return append([]int64(nil), unsafe.Slice((*int64)(list), int(count))...)
}

func (c *call) shapeAt(i int) Shape {
	all := &c.raw.shapes[i]
	records := unsafe.Slice(all.records, int(all.count))
	if len(records) == 1 {
		return gotRecord(&records[0], nil)
	}
	var stack []Shape
	for i := range records {
		record, first := &records[i], len(stack)
		if record._type == C.XLASHAPE_TYPE_TUPLE || record._type == C.XLASHAPE_TYPE_BUFFER {
			first -= int(record.count)
		}
		inner := append([]Shape(nil), stack[first:]...)
		stack = append(stack[:first], gotRecord(record, inner))
	}
	return stack[0]
}

func gotRecord(record *C.xg_record, inner []Shape) Shape {
	s := Shape{ElementType: ElementType(record._type), TupleShapes: inner}
	if !s.IsArray() {
		return s
	}
	s.Dimensions = copied(record.dimensions, record.count)
	if record.dynamic != nil {
		s.DynamicDimensions = append([]bool(nil), unsafe.Slice((*bool)(unsafe.Pointer(record.dynamic)),
			len(s.Dimensions))...)
	}
	s.Layout = layoutOf(record.layout)
	return s
}

// layoutOf is nil if there is none.
func layoutOf(spec *C.xlashape_layout_spec) *Layout {
	if spec == nil {
		return nil
	}
	l := &Layout{
		MinorToMajor:                    copied(spec.minor_to_major, spec.rank),
		PaddedDimensions:                copied(spec.padded_dimensions, spec.rank),
		PaddingValue:                    PaddingValue(spec.padding_value),
		ElementSizeInBits:               int64(spec.element_size_in_bits),
		MemorySpace:                     int64(spec.memory_space),
		DynamicShapeMetadataPrefixBytes: int64(spec.dynamic_shape_metadata_prefix_bytes),
	}
	if spec.tail_padding_alignment_in_elements != 1 { // what it is unless it is set
		l.TailPaddingAlignmentInElements = int64(spec.tail_padding_alignment_in_elements)
	}
	eachOf(spec.tile_ranks, spec.tile_count, spec.tile_dimensions, func(_ int,
		tile []int64) {
		l.Tiles = append(l.Tiles, tile)
	})
	dimensions := unsafe.Slice(spec.split_dimensions, int(spec.split_count))
	eachOf(spec.split_sizes, spec.split_count, spec.split_indices, func(i int, indices []int64) {
		l.SplitConfigs = append(l.SplitConfigs, SplitConfig{int64(dimensions[i]), indices})
	})
	return l
}

// eachOf visits copies of the lists of a list of lists.
func eachOf(lengths *C.int64_t, count C.int64_t, numbers *C.int64_t, visit func(i int, list []int64)) {
	for i, length := range unsafe.Slice(lengths, int(count)) {
		visit(i, copied(numbers, length))
		numbers = (*C.int64_t)(unsafe.Add(unsafe.Pointer(numbers), 8*length))
	}
}

const maxDepth = int(C.XLASHAPE_MAX_DEPTH)

// Unbounded is the size of a dimension that is not known, `?`.
const Unbounded int64 = C.XLASHAPE_DIMENSION_UNBOUNDED

// CombineDimension in a Tile, `*`, merges a dimension with the next more minor one.
const CombineDimension int64 = C.XLASHAPE_COMBINE_DIMENSION

// MatchDimension in a Tile, `d`, is the size of the dimension that it covers.
const MatchDimension int64 = C.XLASHAPE_MATCH_DIMENSION
