package xlashape

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"math"
	"sync"
	"unsafe"
)

// frame is one call of the C side: it passes numbers and text, and returns numbers. numbers.h defines the form.
type frame struct {
	in   []int64
	text []byte
	out  []int64 // the answer
	at   int     // how much of it has been read
	more unsafe.Pointer
	own  [512]int64
	held []Execution // what C has addresses of: here it is on the heap, where nothing moves, and stays until done
	err  error       // the first thing in a value that has no form on the other side
}

var frames = sync.Pool{New: func() any { return &frame{in: make([]int64, 0, 256), text: make([]byte, 0, 256)} }}

func newFrame() *frame { return frames.Get().(*frame) }

// done frees the answer; everything read from it is a copy.
func (f *frame) done() {
	if f.more != nil {
		C.free(f.more)
		f.more = nil
	}
	f.in, f.text, f.out, f.at, f.err = f.in[:0], f.text[:0], nil, 0, nil
	for i := range f.held {
		f.held[i] = Execution{}
	}
	f.held = f.held[:0]
	if cap(f.in) > 1<<16 || cap(f.text) > 1<<20 {
		return // one huge call should not stay in memory
	}
	frames.Put(f)
}

func (f *frame) call(op C.int32_t) error {
	if f.err != nil {
		return f.err
	}
	answer := C.xg_call(op, f.numbers(), (*C.int64_t)(&f.own[0]), C.int64_t(len(f.own)), f.bytes(), C.int64_t(len(f.text)))
	if answer.failure != nil {
		return take(answer.failure)
	}
	f.out = f.own[:]
	if answer.more != nil {
		f.more = unsafe.Pointer(answer.more)
		f.out = unsafe.Slice((*int64)(answer.more), int(answer.size))
	}
	f.out = f.out[:answer.size]
	return nil
}

// The addresses of the arguments. C needs an address even for an empty one.
func (f *frame) numbers() *C.int64_t { return (*C.int64_t)(&f.in[:1][0]) }
func (f *frame) bytes() *C.char      { return (*C.char)(unsafe.Pointer(&f.text[:1][0])) }

// == To C

func (f *frame) refuse(code Code, format string, values ...any) {
	if f.err == nil {
		f.err = fail(code, format, values...)
	}
}

func (f *frame) put(numbers ...int64) { f.in = append(f.in, numbers...) }

// list sends an empty slice as an empty list.
func (f *frame) list(numbers []int64) {
	f.in = append(append(f.in, int64(len(numbers))), numbers...)
}

// optional sends a nil slice as a list that is not given.
func (f *frame) optional(numbers []int64) {
	if numbers == nil {
		f.put(-1)
	} else {
		f.list(numbers)
	}
}

// begin starts a list whose length is known at its end.
func (f *frame) begin() (start int) {
	f.put(0)
	return len(f.in)
}

func (f *frame) end(start int) { f.in[start-1] = int64(len(f.in) - start) }

func (f *frame) setText(text string) { f.text = append(f.text[:0], text...) }

func (f *frame) shape(s *Shape) {
	f.put(0)
	count := len(f.in) - 1
	records := f.records(s, 0)
	f.in[count] = records
}

// records sends a shape after all that is inside of it, and counts what it sent.
func (f *frame) records(s *Shape, depth int) int64 {
	if depth > maxDepth {
		f.refuse(ErrInvalidArgument, "the tuple is nested more than %d deep", maxDepth)
	}
	inner := int64(0)
	for i := range s.TupleShapes {
		if f.err != nil {
			return 0
		}
		inner += f.records(&s.TupleShapes[i], depth+1)
	}
	array := false
	switch s.ElementType {
	case Tuple:
		f.put(int64(Tuple), int64(len(s.TupleShapes)))
	case Buffer:
		if len(s.TupleShapes) != 1 {
			f.refuse(ErrInvalidArgument, "a buffer has %d TupleShapes, it must have one", len(s.TupleShapes))
		}
		f.put(int64(Buffer))
	case Token, Opaque:
		f.put(int64(s.ElementType))
	default:
		array = true
		f.array(s)
	}
	if !array && (len(s.Dimensions) > 0 || len(s.DynamicDimensions) > 0 || s.Layout != nil) {
		f.refuse(ErrInvalidArgument, "a %s has Dimensions, DynamicDimensions or a Layout", s.ElementType)
	}
	if inner > 0 && s.ElementType != Tuple && s.ElementType != Buffer {
		f.refuse(ErrInvalidArgument, "a shape of element type %s has TupleShapes", s.ElementType)
	}
	return inner + 1
}

func (f *frame) array(s *Shape) {
	f.put(int64(s.ElementType))
	f.list(s.Dimensions)
	if len(s.DynamicDimensions) == 0 {
		f.put(-1)
	} else {
		if len(s.DynamicDimensions) != len(s.Dimensions) {
			f.refuse(ErrInvalidArgument, "DynamicDimensions has %d entries, Dimensions has %d", len(s.DynamicDimensions), len(s.Dimensions))
		}
		f.put(int64(len(s.DynamicDimensions)))
		for _, dynamic := range s.DynamicDimensions {
			f.put(number(dynamic))
		}
	}
	if s.Layout == nil {
		f.put(-1)
	} else {
		f.layout(s.Layout)
	}
}

func number(condition bool) int64 {
	if condition {
		return 1
	}
	return 0
}

// == From C

func (f *frame) get() int64 {
	n := f.out[f.at]
	f.at++
	return n
}

// view is a list, still in the frame; nil if it is not given.
func (f *frame) view() []int64 {
	n := int(f.get())
	if n < 0 {
		return nil
	}
	f.at += n
	return f.out[f.at-n : f.at]
}

// gotList returns nil for an empty list.
func (f *frame) gotList() []int64 { return append([]int64(nil), f.view()...) }

// bytesAt are the bytes of a text, still in the frame.
func (f *frame) bytesAt() []byte {
	n := int(f.get())
	if n == 0 {
		return nil
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&f.out[f.at])), n)
	f.at += (n + 7) / 8
	return bytes
}

func (f *frame) gotBytes() []byte { return append([]byte(nil), f.bytesAt()...) }
func (f *frame) gotText() string  { return string(f.bytesAt()) }

func (f *frame) gotShape() Shape {
	records := f.get()
	if records == 1 {
		return f.gotRecord(nil)
	}
	var stack []Shape
	for ; records > 0; records-- {
		taken := 0
		switch ElementType(f.out[f.at]) {
		case Tuple:
			taken = int(f.out[f.at+1])
		case Buffer:
			taken = 1
		}
		inner := append([]Shape(nil), stack[len(stack)-taken:]...)
		stack = append(stack[:len(stack)-taken], f.gotRecord(inner))
	}
	return stack[0]
}

func (f *frame) gotRecord(inner []Shape) Shape {
	s := Shape{ElementType: ElementType(f.get()), TupleShapes: inner}
	switch s.ElementType {
	case Tuple:
		f.get()
		return s
	case Buffer, Token, Opaque:
		return s
	}
	s.Dimensions = f.gotList()
	if n := f.get(); n > 0 {
		s.DynamicDimensions = make([]bool, n)
		for i := range s.DynamicDimensions {
			s.DynamicDimensions[i] = f.get() != 0
		}
	}
	s.Layout = f.gotLayout()
	return s
}

const maxDepth = int(C.XLASHAPE_MAX_DEPTH)

// Unbounded is the size of a dimension that is not known, `?`.
const Unbounded int64 = math.MinInt64

// CombineDimension in a Tile, `*`, merges a dimension with the next more minor one.
const CombineDimension int64 = math.MinInt64

// MatchDimension in a Tile, `d`, is the size of the dimension that it covers.
const MatchDimension int64 = math.MinInt64 + 1
