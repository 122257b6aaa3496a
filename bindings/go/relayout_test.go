// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"
)

// Memory: what goes to the library and comes back, the checks of slices, options, index maps and plans. Bytes are
// tested by the golden cases.

// There and back again through tiles, for every Go type that holds elements.
func thereAndBack[T Element](t *testing.T, elementType ElementType, at func(i int) T) {
	t.Helper()
	data, flat := numbers(15, at), ArrayShape(elementType, 3, 5)
	tiled := flat.WithLayout(MustParseLayout("{0,1:T(4,2)}"))
	there, back := must(Relayout(flat, data, tiled, nil)), make([]T, len(data))
	if err := RelayoutInto(tiled, there, flat, back, nil); err != nil || !reflect.DeepEqual(back, data) ||
		reflect.DeepEqual(there[:15], data) {
		t.Errorf("%s: %v came back as %v, %v", elementType, data, back, err)
	}
}

type half uint16

func TestRelayoutOfEveryType(t *testing.T) {
	thereAndBack(t, Pred, func(i int) bool { return i%3 == 0 })
	thereAndBack(t, S8, func(i int) int8 { return int8(-i) })
	thereAndBack(t, S16, func(i int) int16 { return int16(-i) })
	thereAndBack(t, S32, func(i int) int32 { return int32(-i) })
	thereAndBack(t, S64, func(i int) int64 { return int64(-i) })
	thereAndBack(t, U8, func(i int) uint8 { return uint8(i) })
	thereAndBack(t, U16, func(i int) uint16 { return uint16(i) })
	thereAndBack(t, BF16, func(i int) half { return half(i) })
	thereAndBack(t, U32, func(i int) uint32 { return uint32(i) })
	thereAndBack(t, U64, func(i int) uint64 { return uint64(i) })
	thereAndBack(t, F32, func(i int) float32 { return float32(i) })
	thereAndBack(t, F64, func(i int) float64 { return float64(i) })
	thereAndBack(t, C64, func(i int) complex64 { return complex(float32(i), -1) })
	thereAndBack(t, C128, func(i int) complex128 { return complex(float64(i), -1) })
	thereAndBack(t, F8E4M3FN, func(i int) uint8 { return uint8(i) })
}

// All ways to run a relayout do what the options say, and refuse them alike. The key of a plan tells options apart.
func TestOptionsOfPlans(t *testing.T) {
	flat, tiled := ArrayShape(U8, 3, 4), MustParseShape("u8[3,4]{0,1:T(2,2)}")
	src, two, seen := []byte("abcdefghijkl"), []int64{4, 1}, map[string]int{}
	for i, c := range []struct {
		options PlanOptions
		want    string // what is in the destination afterwards, or the error
	}{
		{PlanOptions{}, "aebfi\x00j\x00cgdhk\x00l\x00"},
		{PlanOptions{FillPolicy: FillPreserve}, "aebfi#j#cgdhk#l#"},
		{PlanOptions{Backend: "scalar", AllowFallback: true, KeepInCache: true, SrcSpace: SpaceCPU, DstSpace: SpaceCPU},
			"aebfi\x00j\x00cgdhk\x00l\x00"},
		{PlanOptions{InPlace: true}, "in place: a layout has padding"},
		{PlanOptions{Convert: true}, "aebfi\x00j\x00cgdhk\x00l\x00"}, // from u8 to u8
		{PlanOptions{Convert: true, Saturate: true}, "aebfi\x00j\x00cgdhk\x00l\x00"},
		{PlanOptions{Saturate: true}, "to saturate values that it does not convert"},
		{PlanOptions{SrcHighFirst: true}, "the source keeps each u8 in 8 bits"},
		{PlanOptions{DstHighFirst: true}, "the destination keeps each u8 in 8 bits"},
		{PlanOptions{Scale: []float32{2}}, "scales are given to a relayout that converts no values"},
		{PlanOptions{Convert: true, Scale: []float32{2}}, "scales are given between u8 and u8"},
		{PlanOptions{Convert: true, Scale: []float32{2}, ZeroPoint: []int32{7}}, "scales are given between u8 and u8"},
		{PlanOptions{Convert: true, Scale: []float32{1, 2, 3}}, "scales are given between u8 and u8"},
		{PlanOptions{Convert: true, Scale: []float32{1, 2, 3}, ScaleDimension: 1}, "scale_count is 3: it must be 1, or 4"},
		{PlanOptions{Convert: true, Scale: []float32{1, 2, 3}, ScaleDimension: -1}, "scale_dimension is -1"},
		{PlanOptions{Convert: true, ZeroPoint: []int32{1}}, "zero_point has 1 values, scale has 0"},
		{PlanOptions{Convert: true, Scale: []float32{1, 2, 3}, ZeroPoint: []int32{1, 2}},
			"zero_point has 2 values, scale has 3"},
		{PlanOptions{Extent: []int64{2, 2}}, "aebf############"},
		{PlanOptions{Extent: []int64{1, 2}, SrcBase: []int64{1, 2}, DstBase: []int64{2, 0}}, "####g#h#########"},
		{PlanOptions{SrcByteStrides: two}, "aebfi\x00j\x00cgdhk\x00l\x00"},
		{PlanOptions{SrcByteStrides: []int64{0, 2}, SrcByteOffset: 3}, "ddffd\x00f\x00hhjjh\x00j\x00"},
		{PlanOptions{SrcByteStrides: []int64{-4, -1}, SrcByteOffset: 11}, "lhkgd\x00c\x00jfieb\x00a\x00"},
		{PlanOptions{DstByteStrides: []int64{5, 1}, DstByteOffset: 2}, "##abcd#efgh#ijkl"},
		{PlanOptions{SrcElementStrides: two}, "aebfi\x00j\x00cgdhk\x00l\x00"},
		{PlanOptions{SrcElementStrides: []int64{-4, -1}, SrcFirstElement: 11}, "lhkgd\x00c\x00jfieb\x00a\x00"},
		{PlanOptions{DstElementStrides: []int64{5, 1}, DstFirstElement: 2}, "##abcd#efgh#ijkl"},
		{PlanOptions{SrcElementStrides: two, SrcBase: []int64{1, 0}, Extent: []int64{1, 4}, SrcFirstElement: -4},
			"a#b#####c#d#####"},
		{PlanOptions{SrcFirstElement: 5}, "the source's first element is 5, but there are no strides in elements"},
		{PlanOptions{DstFirstElement: -5}, "the destination's first element is -5, but there are no strides in elements"},
		{PlanOptions{SrcElementStrides: two, SrcFirstElement: -1}, "reach element -1, before the pointer"},
		{PlanOptions{SrcElementStrides: two, SrcFirstElement: 1}, "bytes [1, 13)"},
		{PlanOptions{SrcElementStrides: two, SrcFirstElement: math.MaxInt64}, "reach further than fits 64 bits"},
		{PlanOptions{DstElementStrides: two, DstFirstElement: 5}, "bytes [5, 17)"},
		{PlanOptions{DstElementStrides: []int64{1, 1}}, "destination element stride 1 of dimension 1 may overlap"},
		{PlanOptions{SrcByteStrides: two, SrcElementStrides: two}, "the source has strides in bytes and in elements"},
		{PlanOptions{DstByteStrides: two, DstElementStrides: two}, "the destination has strides in bytes and in elements"},
		{PlanOptions{SrcElementStrides: two, SrcByteOffset: 5}, "SrcByteOffset is 5 without SrcByteStrides"},
		{PlanOptions{SrcElementStrides: two[:1]}, "src_element_strides has 1 values, it takes 2"},
		{PlanOptions{DstElementStrides: []int64{}}, "dst_element_strides has 0 values, it takes 2"},
		{PlanOptions{SrcElementStrides: two, InPlace: true}, "in place: there is a box, or strides"},
		{PlanOptions{SrcByteOffset: 5}, "SrcByteOffset is 5 without SrcByteStrides"},
		{PlanOptions{DstByteOffset: math.MaxInt64}, "DstByteOffset is 9223372036854775807 without DstByteStrides"},
		{PlanOptions{DstByteOffset: math.MinInt64}, "DstByteOffset is -9223372036854775808, it must not be negative"},
		{PlanOptions{SrcByteStrides: two, SrcByteOffset: 1}, "bytes [0, 12)"},
		{PlanOptions{SrcByteStrides: two, SrcByteOffset: math.MaxInt64}, "bytes [0, 12)"},
		{PlanOptions{FillPolicy: 9}, "fill_policy"}, {PlanOptions{SrcSpace: -1}, "space"},
		{PlanOptions{DstSpace: 64}, "space"},
		{PlanOptions{Extent: []int64{1}}, "extent has 1 values, it takes 2"},
		{PlanOptions{SrcBase: []int64{1, 2, 3}}, "src_base has 3"},
		{PlanOptions{DstBase: []int64{}}, "dst_base has 0 values"},
		{PlanOptions{SrcByteStrides: two[:1]}, "src_byte_strides has 1"},
		{PlanOptions{DstByteStrides: two[:1]}, "dst_byte_strides has 1"}, {PlanOptions{Backend: "nobody"}, "nobody"},
		{PlanOptions{Backend: strings.Repeat("x", 300)}, "backend has 300 bytes, it takes 1 to 256"},
		{PlanOptions{Backend: "a\x00b"}, "byte 1 of backend is 0"},
		{PlanOptions{Backend: "scalar", Device: DeviceNumber(7)}, "there is no device number 7: backend scalar has 0"},
		{PlanOptions{Backend: "scalar", Device: DeviceNumber(math.MaxInt)}, "there is no device number"},
		{PlanOptions{Backend: "scalar", Device: DeviceNumber(-1)}, "device is -1, it must not be negative"},
	} {
		into, options := []byte("################"), c.options
		errs := []error{RelayoutInto(flat, src, tiled, into, &options), nil}
		kept := []byte("################")
		p, err := NewPlan(flat, tiled, &options)
		if errs[1] = err; err == nil {
			errs[1] = p.Execute(src, kept)
			equals(t, []any{p.SrcBytes() == -1, p.DstBytes() == -1}, []any{options.SrcByteStrides != nil ||
				options.SrcElementStrides != nil, options.DstByteStrides != nil || options.DstElementStrides != nil})
			p.Close()
		}
		if options.DstByteStrides == nil && options.DstElementStrides == nil {
			errs = append(errs, second(Relayout(flat, src, tiled, &options)))
		}
		for _, err := range errs {
			if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && (string(into) != c.want ||
				string(kept) != c.want) {
				t.Errorf("row %d: %v, %q, %q, want %q", i, err, into, kept, c.want)
			}
		}
		if key, err := PlanKey(flat, tiled, &options); err == nil {
			if other, ok := seen[key]; ok {
				t.Errorf("rows %d and %d are both %q", i, other, key)
			}
			seen[key] = i
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("row %d: the key says %v", i, err)
		}
	}
	if _, ok := seen[must(PlanKey(flat, tiled, nil))]; !ok || len(seen) < 12 {
		t.Errorf("%d keys", len(seen))
	}
	wants(t, second(PlanKey(TupleShape(flat), tiled, nil)), ErrUnsupported, "tuple")
	buffer := Shape{ElementType: Buffer, TupleShapes: []Shape{flat}}
	equals(t, RelayoutInto(buffer, src, buffer, make([]byte, 12), &PlanOptions{Extent: []int64{2, 2}}), nil)
}

// Rounded to the nearest, of two equally near ones to even.
func bf16(value float32) uint16 {
	bits := math.Float32bits(value)
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

func TestFloatsBecomeBF16InTiles(t *testing.T) {
	flat, tiled := ArrayShape(F32, 9, 130), MustParseShape("bf16[9,130]{1,0:T(8,128)(2,1)}")
	src := numbers(9*130, func(i int) float32 { return float32(i)*0.37 - 200 })
	copy(src, []float32{float32(math.Inf(1)), math.MaxFloat32, -math.MaxFloat32, 1e-40, 1 + 1.0/256})
	want, back := make([]uint16, must(tiled.Sizes()).Bytes/2), make([]float32, len(src))
	rounded := numbers(len(src), func(i int) float32 { return math.Float32frombits(uint32(bf16(src[i])) << 16) })
	m := must(NewIndexMap(tiled))
	defer m.Close()
	for i, value := range src {
		want[must(m.LinearIndex(int64(i/130), int64(i%130)))] = bf16(value)
	}
	convert := &PlanOptions{Convert: true}
	there := must(NewPlan(flat, tiled, convert))
	defer there.Close()
	for _, move := range []func(dst []uint16) error{
		func(dst []uint16) error { return RelayoutInto(flat, src, tiled, dst, convert) },
		func(dst []uint16) error { return Execute(there, src, dst) },
		func(dst []uint16) error { return there.Execute(bytesOf(src), bytesOf(dst)) },
		func(dst []uint16) error { return ExecuteList(nil, []Execution{NewExecution(there, src, dst)}, nil) },
	} {
		dst := numbers(len(want), func(int) uint16 { return 7 })
		equals(t, move(dst), nil)
		equals(t, dst, want)
	}
	equals(t, RelayoutInto(tiled, want, flat, back, convert), nil)
	equals(t, back, rounded)
	bytes := must(Relayout(flat, bytesOf(src), tiled, &PlanOptions{Convert: true, Saturate: true}))
	equals(t, bytes[0:2], []byte{0x7f, 0x7f}) // not infinity
	_, err := Relayout(flat, src, tiled, convert)
	wants(t, err, ErrInvalidArgument, "the destination has elements of type bf16, which a []float32 does not hold")
	wrong := make([]float32, len(want))
	wants(t, Execute(there, src, wrong), ErrInvalidArgument, "the destination has elements of type bf16")
	wants(t, Execute(there, want, want), ErrInvalidArgument, "the source has elements of type f32")
	wants(t, RelayoutInto(flat, src, tiled, wrong, convert), ErrInvalidArgument, "the destination")
	wants(t, ExecuteList(nil, []Execution{NewExecution(there, src, wrong)}, nil), ErrInvalidArgument, "the destination")
}

func TestAScaleForEachChannel(t *testing.T) {
	quantized, reals := MustParseShape("s8[2,3]{1,0:T(2,4)}"), MustParseShape("f32[2,3]{0,1}")
	options := &PlanOptions{Convert: true, Scale: []float32{0.5, 0.25, 2}, ZeroPoint: []int32{0, 10, -3},
		ScaleDimension: 1}
	there, back := must(NewPlan(quantized, reals, options)), must(NewPlan(reals, quantized, options))
	defer there.Close()
	defer back.Close()
	options.Scale[0], options.ZeroPoint[0] = 99, 99 // plans have copies
	values, bytes := make([]float32, 6), make([]int8, 8)
	equals(t, Execute(there, []int8{4, 14, 0, 99, -128, 127, -3, 99}, values), nil)
	equals(t, values, []float32{2, -64, 1, 29.25, 6, 0}) // column by column
	equals(t, Execute(back, values, bytes), nil)
	equals(t, bytes, []int8{4, 14, 0, 0, -128, 127, -3, 0})
	// To even, and to the ends of the range.
	equals(t, Execute(back, []float32{0.25, 0.75, 1e9, -1e9, float32(math.NaN()), 1}, bytes), nil)
	equals(t, bytes, []int8{0, 127, -3, 0, 2, -128, -3, 0})
	one := &PlanOptions{Convert: true, Scale: []float32{0.5}, ZeroPoint: []int32{2}}
	equals(t, RelayoutInto(ArrayShape(U8, 6), []byte{0, 1, 2, 3, 4, 255}, ArrayShape(F32, 6), values, one), nil)
	equals(t, values, []float32{-1, -0.5, 0, 0.5, 1, 126.5})
	keys := map[string]bool{}
	for _, o := range []PlanOptions{{Convert: true}, {Convert: true, Saturate: true}, *one, {Convert: true,
		Scale: []float32{0.25}, ZeroPoint: []int32{2}}, {Convert: true, Scale: []float32{0.5}}, {Convert: true,
		Scale: []float32{0.5, 0.5}}, {Convert: true, Scale: []float32{0.5, 0.5}, ScaleDimension: 1}} {
		o := o
		keys[must(PlanKey(quantized, reals, &o))] = true
	}
	equals(t, len(keys), 7)
}

func TestBitsFromTheHighest(t *testing.T) {
	flags, bits := ArrayShape(Pred, 10), MustParseShape("pred[10]{0:E(1)}")
	src, low, high := []byte{1, 0, 1, 1, 0, 0, 0, 1, 1, 0}, make([]byte, 2), make([]byte, 2)
	equals(t, RelayoutInto(flags, src, bits, low, nil), nil)
	equals(t, RelayoutInto(flags, src, bits, high, &PlanOptions{DstHighFirst: true}), nil)
	equals(t, []any{low, high}, []any{[]byte{0b10001101, 0b01}, []byte{0b10110001, 0b10000000}})
	back := make([]bool, 10)
	equals(t, RelayoutInto(bits, high, flags, back, &PlanOptions{SrcHighFirst: true}), nil)
	equals(t, back, []bool{true, false, true, true, false, false, false, true, true, false})
}

// Two values a byte, and every third bit: NumPy's a[::-1] and a[1::3].
func TestPackedElementsByStrides(t *testing.T) {
	packed, bits := MustParseShape("s4[7]{0:E(4)}"), MustParseShape("pred[4]{0:E(1)}")
	options := &PlanOptions{SrcElementStrides: []int64{-1}, SrcFirstElement: 6}
	from, want := []byte{0x21, 0x43, 0x65, 0x07}, []byte{0x67, 0x45, 0x23, 0x01}
	p := must(NewPlan(packed, packed, options))
	defer p.Close()
	for _, move := range []func(out []byte) error{
		func(out []byte) error { return p.Execute(from, out) },
		func(out []byte) error { return RelayoutInto(packed, from, packed, out, options) },
		func(out []byte) error { return ExecuteList(nil, []Execution{NewExecution(p, from, out)}, nil) },
	} {
		out := make([]byte, 4)
		equals(t, []any{move(out), out}, []any{nil, want})
		wants(t, move(out[:3]), ErrOutOfRange, "the destination has 3 bytes, its shape takes 4")
	}
	equals(t, must(Relayout(packed, from, packed, options)), want)
	equals(t, []any{p.SrcBytes(), p.DstBytes(), p.Requirements().SrcLow, p.Requirements().SrcHigh},
		[]any{int64(-1), int64(4), int64(0), int64(4)})
	wants(t, p.Execute(from[:3], make([]byte, 4)), ErrOutOfRange, "the source has 3 bytes, its strides reach bytes [0, 4)")
	wants(t, Execute(p, make([]int8, 4), make([]byte, 4)), ErrInvalidArgument, "4 bits per element")
	high := make([]byte, 4)
	equals(t, RelayoutInto(packed, []byte{0x12, 0x34, 0x56, 0x70}, packed, high, &PlanOptions{SrcHighFirst: true,
		DstHighFirst: true, SrcElementStrides: []int64{-1}, SrcFirstElement: 6}), nil)
	equals(t, high, []byte{0x76, 0x54, 0x32, 0x10})
	sparse := []byte{0xFF, 0xFF}
	equals(t, RelayoutInto(bits, []byte{0b0110}, bits, sparse, &PlanOptions{DstElementStrides: []int64{3},
		DstFirstElement: 1}), nil)
	equals(t, sparse, []byte{0xFD, 0xFB})
	scalar, one := MustParseShape("s4[]{:E(4)}"), make([]byte, 1)
	equals(t, RelayoutInto(scalar, from, scalar, one, &PlanOptions{SrcElementStrides: []int64{}, SrcFirstElement: 2}), nil)
	equals(t, one[0]&15, byte(3))
}

func TestWhatIsNotConverted(t *testing.T) {
	floats, bytes := ArrayShape(F32, 2, 3), ArrayShape(S8, 2, 3)
	same := "the source has element type f32, the destination s8: both must be the same, unless the relayout is to " +
		"convert the values"
	wants(t, second(NewPlan(floats, bytes, nil)), ErrInvalidArgument, same)
	wants(t, RelayoutInto(floats, make([]float32, 6), bytes, make([]int8, 6), nil), ErrInvalidArgument, same)
	wants(t, second(NewPlan(ArrayShape(C64, 2), ArrayShape(F32, 2), &PlanOptions{Convert: true})), ErrUnsupported,
		"values of c64 are not converted into f32")
	wants(t, second(NewPlan(floats, bytes, &PlanOptions{Convert: true, Scale: []float32{1, 0}})), ErrInvalidArgument,
		"scale[1] is 0: reals are divided by it")
	wants(t, second(NewPlan(floats, bytes, &PlanOptions{Convert: true, Scale: []float32{1, 2}, ScaleDimension: 2})),
		ErrOutOfRange, "scale_dimension is 2, the source has rank 2")
	wants(t, second(NewPlan(floats, bytes, &PlanOptions{Convert: true, Scale: []float32{}})), ErrInvalidArgument,
		"is given with scale_count 0")
}

func TestInPlace(t *testing.T) {
	rows, columns, options := "f32[70,30]{1,0}", "f32[70,30]{0,1}", &PlanOptions{InPlace: true}
	there, back := plan(t, rows, columns, options), plan(t, columns, rows, options)
	before, want := make([]float32, 2100), make([]float32, 2100)
	for i := range before {
		before[i] = float32(i)
	}
	equals(t, Execute(plan(t, rows, columns, nil), before, want), nil)
	array := append([]float32(nil), before...)
	raw := bytesOf(array)
	for _, move := range []func(p *Plan) error{
		func(p *Plan) error { return Execute(p, array, array) },
		func(p *Plan) error { return p.Execute(raw, raw) },
		func(p *Plan) error { return p.ExecuteContext(context.Background(), raw, raw, nil) },
		func(p *Plan) error { return ExecuteList(nil, []Execution{NewExecution(p, array, array)}, nil) },
		func(p *Plan) error {
			src, dst, err := p.Shapes()
			equals(t, err, nil)
			return RelayoutInto(src, array, dst, array, options)
		},
	} {
		equals(t, move(there), nil)
		equals(t, array, want)
		equals(t, move(back), nil)
		equals(t, array, before)
	}
	if scratch := there.Requirements().ScratchBytes; scratch <= 0 {
		t.Errorf("%d bytes of working memory", scratch)
	}
	equal := "src and dst must be equal"
	wants(t, Execute(there, array, want), ErrInvalidArgument, equal)
	wants(t, second(Relayout(MustParseShape(rows), array, MustParseShape(columns), options)), ErrInvalidArgument, equal)
	equals(t, array, before)
}

func TestWrongBuffers(t *testing.T) {
	f32, p, right := ArrayShape(F32, 3, 4), plan(t, "f32[3,4]{1,0}", "f32[3,4]{0,1}", nil), make([]byte, 48)
	right[0] = 1
	for _, n := range []int{0, 47, 49} {
		wants(t, p.Execute(make([]byte, n), right), ErrOutOfRange, "source")
		wants(t, p.Execute(right, make([]byte, n)), ErrOutOfRange, "destination")
		wants(t, RelayoutInto(f32, make([]byte, n), f32, right, nil), ErrOutOfRange, "source")
		wants(t, RelayoutInto(f32, right, f32, make([]byte, n), nil), ErrOutOfRange, "destination")
		for _, wrong := range []Execution{NewExecution(p, make([]byte, n), right), NewExecution(p, make([]int32, 12),
			make([]int32, 12)), NewExecution(p, right, right)} {
			dst := make([]byte, 48)
			err := ExecuteList(nil, []Execution{NewExecution(p, right, dst), wrong}, nil)
			var record *Error
			if !errors.As(err, &record) || record.Index != 1 || dst[0] != 0 {
				t.Errorf("%+v", record)
			}
		}
	}
	wants(t, p.Execute(right, right), ErrInvalidArgument, "overlap")
	err := p.ExecuteContext(nil, right, right, nil)
	equals(t, err.(*Error).Index, int64(-1))
	wants(t, p.ExecuteRaw(ExecuteOptions{SrcBytes: Unchecked, DstBytes: Unchecked}), ErrInvalidArgument, "NULL")
	wants(t, p.ExecuteRaw(ExecuteOptions{}), ErrOutOfRange, "src_bytes is 0")
	wants(t, p.ExecuteRaw(ExecuteOptions{SrcBytes: Unchecked, DstBytes: 47}), ErrOutOfRange, "dst_bytes is 47")
	wants(t, p.ExecuteRaw(ExecuteOptions{SrcBytes: -2}), ErrInvalidArgument, "src_bytes is -2")
	wants(t, Execute(p, make([]int32, 12), make([]int32, 12)), ErrInvalidArgument, "f32, which a []int32 does not hold")
	packed, tuple := MustParseShape("s4[8]{0:E(4)}"), TupleShape(f32)
	wants(t, RelayoutInto(packed, make([]int8, 4), packed, make([]int8, 4), nil), ErrInvalidArgument,
		"4 bits per element")
	wants(t, RelayoutInto(tuple, right, tuple, make([]byte, 48), nil), ErrUnsupported, "tuple")
	wants(t, second(Relayout(f32, make([]float32, 12), f32, &PlanOptions{DstByteStrides: []int64{16, 4}})),
		ErrUnsupported, "strides")
	wants(t, RelayoutInto(f32, right, f32, right, &PlanOptions{SrcSpace: SpaceCUDA}), ErrUnsupported,
		"no Go slice: use ExecuteRaw")
	// Sizes that come from a shape are looked at before memory is asked for, and memory that is not there is an error.
	for _, elements := range []int64{1 << 47, 1 << 62, math.MaxInt64} {
		huge, one := ArrayShape(U8, elements), ArrayShape(U8, 1)
		wants(t, second(Relayout(huge, []uint8{1}, huge, nil)), ErrOutOfRange, "the source has 1 bytes")
		tail := one.WithLayout(&Layout{MinorToMajor: []int64{0}, TailPaddingAlignmentInElements: elements})
		wants(t, second(Relayout(one, []uint8{1}, tail, nil)), ErrNoMemory, "the destination takes")
	}
}

func TestPlansAndLists(t *testing.T) {
	p := plan(t, "u8[3,4]{1,0}", "u8[3,4]{0,1:T(2,2)}", nil)
	src, dst, err := p.Shapes()
	equals(t, all(src, dst, err), "u8[3,4]{1,0} u8[3,4]{0,1:T(2,2)}")
	if need := p.Requirements(); need.SrcHigh != 12 || need.DstHigh != 16 || need.DstLow != 0 ||
		need.SrcAlignment != 1 || need.PlanBytes == 0 || need.StackBytes == 0 ||
		must(p.Describe()) == "" || must(p.TaskCount(4)) != 1 {
		t.Errorf("%+v", need)
	}
	backwards := plan(t, "u8[6]", "u8[6]", &PlanOptions{SrcByteStrides: []int64{-1}, SrcByteOffset: 5})
	floats, empty := plan(t, "f32[2,2]{1,0}", "f32[2,2]{0,1}", nil), plan(t, "u8[0]", "u8[0]", nil)
	var tiled [16]byte // may lie on the stack
	columns, turned := make([]float32, 4), make([]byte, 6)
	err = ExecuteList(nil, []Execution{NewExecution(p, []byte("abcdefghijkl"), tiled[:]), NewExecution(floats,
		[]float32{1, 2, 3, 4}, columns),
		NewExecution(backwards, []byte("abcdef"), turned), NewExecution[byte, byte](empty, nil, nil)}, nil)
	equals(t, all(string(tiled[:]), columns, string(turned), err), "aebfi\x00j\x00cgdhk\x00l\x00 [1 3 2 4] fedcba")
	equals(t, ExecuteList(nil, nil, nil), nil)
	// Memory inside of a struct that also holds Go pointers may be given: C sees the slice only.
	holder := &struct {
		name   *string
		buffer [12]byte
		index  [2]int64
	}{name: new(string), index: [2]int64{1, 2}}
	copy(holder.buffer[:], "abcdefghijkl")
	m := must(NewIndexMap(ArrayShape(U8, 3, 4)))
	defer m.Close()
	var position [1]int64
	equals(t, []any{p.Execute(holder.buffer[:], tiled[:]), tiled[1], second(m.LinearIndices(holder.index[:],
		position[:], nil)), position[0]},
		[]any{nil, byte('e'), nil, int64(6)})
	var all sync.WaitGroup // one plan, one shape, many goroutines
	shape := MustParseShape("(f32[3]{0:T(128)}, s8[2]{0})")
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for k := 0; k < 50; k++ {
				var dst [16]byte
				equals(t, []any{p.Execute([]byte("abcdefghijkl"), dst[:]), string(dst[:])}, []any{nil,
					"aebfi\x00j\x00cgdhk\x00l\x00"})
				equals(t, []any{shape.String(), must(shape.FlattenTuple()).Equal(shape)},
					[]any{"(f32[3]{0:T(128)}, s8[2]{0})", true})
			}
		}()
	}
	all.Wait()
}

func TestIndexMaps(t *testing.T) {
	m := must(NewIndexMap(MustParseShape("bf16[3,5]{1,0:T(2,2)}")))
	defer m.Close()
	n := int(m.StorageElements())
	linear := numbers(n, func(i int) int64 { return int64(i) })
	for _, soa := range []bool{false, true} {
		index, back := make([]int64, 2*n), make([]int64, n)
		options := &BatchOptions{MarkInvalid: true, StructureOfArrays: soa}
		equals(t, []any{must(m.MultidimensionalIndices(linear, index, options)), must(m.LinearIndices(index, back,
			options))}, []any{int64(9), int64(9)})
		for i := range back {
			at, one := []int64{index[2*i], index[2*i+1]}, make([]int64, 2)
			if soa {
				at = []int64{index[i], index[n+i]}
			}
			isPadding := must(m.MultidimensionalIndex(linear[i], one))
			if isPadding != (back[i] < 0) || (back[i] != linear[i] && back[i] != -1) || !reflect.DeepEqual(one, at) {
				t.Errorf("position %d is %v alone, %v in the batch, and came back as %d", i, one, at, back[i])
			}
		}
	}
	scalar, three := must(NewIndexMap(ArrayShape(F32))), []int64{9, 9, 9}
	defer scalar.Close()
	equals(t, []any{second(scalar.LinearIndices(nil, three, nil)), three, second(m.LinearIndices(nil, nil, nil))},
		[]any{nil, []int64{0, 0, 0}, nil})
	// More dimensions than travel by value.
	high := must(NewIndexMap(ArrayShape(U8, numbers(12, func(int) int64 { return 2 })...).WithLayout(ColumnMajor(12))))
	defer high.Close()
	index, back := numbers(12, func(i int) int64 { return int64(i % 2) }), make([]int64, 12)
	equals(t, []any{must(high.LinearIndex(index...)), must(high.MultidimensionalIndex(0xaaa, back)), back},
		[]any{int64(0xaaa), false, index})
	both := make([]int64, 6)
	for _, c := range []struct {
		err  error
		code Code
		part string
	}{
		{second(m.LinearIndex(1, 5)), ErrOutOfRange, "index[1] is 5, not in [0, 5)"},
		{second(m.LinearIndex(1)), ErrOutOfRange, "rank"},
		{second(m.LinearIndex(make([]int64, 20)...)), ErrOutOfRange, ""},
		{second(m.MultidimensionalIndex(24, both[:2])), ErrOutOfRange, "24"},
		{second(m.MultidimensionalIndex(0, make([]int64, 9))), ErrOutOfRange, ""},
		{second(m.LinearIndices(make([]int64, 7), make([]int64, 4), nil)), ErrOutOfRange,
			"index has 7 numbers, 4 indices of rank 2 have 8"},
		{second(m.LinearIndices(both[:4], both[3:5], nil)), ErrInvalidArgument, "overlap"},
		{second(m.LinearIndices([]int64{0, 0, 1, 1, 3, 0}, make([]int64, 3), nil)), ErrOutOfRange, ""},
		{second(NewIndexMap(MustParseShape("f32[?]"))), ErrUnsupported, ""},
		{second(NewIndexMap(Shape{})), ErrInvalidArgument, ""},
		{second(m.Plan(3, nil)), ErrInvalidArgument, "conversion is 3"},
		{second(m.Plan(ToLinear, &IndexPlanOptions{IndexStep: -1})), ErrInvalidArgument, "index_step is -1"},
		{second(m.Plan(ToLinear, &IndexPlanOptions{Backend: "nobody"})), ErrNotFound, "nobody"},
		{second(m.Plan(ToLinear, &IndexPlanOptions{Backend: "a\x00b"})), ErrInvalidArgument, "byte 1 of backend is 0"},
	} {
		wants(t, c.err, c.code, c.part)
	}
	_, err := m.LinearIndices([]int64{0, 0, 1, 1, 3, 0}, make([]int64, 3), nil)
	equals(t, err.(*Error).Index, int64(2))
}

// Index plans work on memory that is not Go's, as that of a device is not.
func TestIndexPlans(t *testing.T) {
	pages := must(syscall.Mmap(-1, 0, 8192, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))
	defer syscall.Munmap(pages)
	start := unsafe.Pointer(&pages[0])
	linear, index := unsafe.Slice((*int64)(start), 3), unsafe.Slice((*int64)(unsafe.Add(start, 4096)), 6)
	from, to := uint64(uintptr(start)), uint64(uintptr(start))+4096
	m := must(NewIndexMap(MustParseShape("u8[3,4]{0,1:T(2,2)}")))
	marking := must(m.Plan(ToMultidimensional, &IndexPlanOptions{MarkInvalid: true, Backend: "scalar", IndexStep: 1,
		DimensionStep: 3}))
	strict := must(m.Plan(ToLinear, nil))
	m.Close()
	copy(linear, []int64{0, 14, 5})
	bad, err := marking.ExecuteRaw(ExecuteOptions{Src: from, Dst: to, SrcBytes: 24, DstBytes: 48}, 3)
	equals(t, []any{bad, err, index}, []any{int64(1), nil, []int64{0, 2, -1, 0, 3, -1}})
	copy(index, []int64{2, 3, 0, 4})
	_, err = strict.ExecuteRaw(ExecuteOptions{Src: to, Dst: from, SrcBytes: Unchecked, DstBytes: Unchecked}, 2)
	wants(t, err, ErrOutOfRange, "entry 1 is 4")
	equals(t, []any{err.(*Error).Index, linear[0]}, []any{int64(1), int64(14)})
	wants(t, second(strict.ExecuteRaw(ExecuteOptions{Queue: Queue{Kind: QueueCUDA}}, 2)), ErrUnsupported, "no queue")
	wants(t, second(strict.ExecuteRaw(ExecuteOptions{Src: to, Dst: from, SrcBytes: 31, DstBytes: 16}, 2)), ErrOutOfRange,
		"src_bytes is 31")
	if text := must(marking.Describe()); !strings.Contains(text, "scalar") || marking.Close() != nil ||
		strict.Close() != nil {
		t.Errorf("%q", text)
	}
	equals(t, bytes.Count(pages, []byte{0xff}), 8) // the padding's -1 that is left, and nothing beside it
}
