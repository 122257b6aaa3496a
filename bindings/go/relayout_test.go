package xlashape_test

import (
	"bytes"
	"math"
	"reflect"
	"sync"
	"testing"

	"xlashape"
)

func numbers[T xlashape.Element](n int, at func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = at(i)
	}
	return list
}

// There and back again through tiles, for every Go type that holds elements.
func thereAndBack[T xlashape.Element](t *testing.T, elementType xlashape.ElementType, data []T) {
	t.Helper()
	flat := xlashape.ArrayShape(elementType, 3, int64(len(data)/3))
	tiled := flat.WithLayout(xlashape.MustParseLayout("{0,1:T(4,2)}"))
	there, err := xlashape.Relayout(flat, data, tiled, nil)
	if err != nil {
		t.Fatalf("%s: %v", elementType, err)
	}
	back := make([]T, len(data))
	if err := xlashape.RelayoutInto(tiled, there, flat, back, nil); err != nil || !reflect.DeepEqual(back, data) {
		t.Errorf("%s: %v came back as %v, %v", elementType, data, back, err)
	}
	if reflect.DeepEqual(there[:len(data)], data) {
		t.Errorf("%s: nothing moved", elementType)
	}
}

type half uint16

func TestRelayoutOfEveryType(t *testing.T) {
	thereAndBack(t, xlashape.Pred, numbers(15, func(i int) bool { return i%3 == 0 }))
	thereAndBack(t, xlashape.S8, numbers(15, func(i int) int8 { return int8(-i) }))
	thereAndBack(t, xlashape.S16, numbers(15, func(i int) int16 { return int16(-i) }))
	thereAndBack(t, xlashape.S32, numbers(15, func(i int) int32 { return int32(-i) }))
	thereAndBack(t, xlashape.S64, numbers(15, func(i int) int64 { return int64(-i) }))
	thereAndBack(t, xlashape.U8, numbers(15, func(i int) uint8 { return uint8(i) }))
	thereAndBack(t, xlashape.U16, numbers(15, func(i int) uint16 { return uint16(i) }))
	thereAndBack(t, xlashape.BF16, numbers(15, func(i int) half { return half(i) }))
	thereAndBack(t, xlashape.F16, numbers(15, func(i int) half { return half(i) }))
	thereAndBack(t, xlashape.U32, numbers(15, func(i int) uint32 { return uint32(i) }))
	thereAndBack(t, xlashape.U64, numbers(15, func(i int) uint64 { return uint64(i) }))
	thereAndBack(t, xlashape.F32, numbers(15, func(i int) float32 { return float32(i) }))
	thereAndBack(t, xlashape.F64, numbers(15, func(i int) float64 { return float64(i) }))
	thereAndBack(t, xlashape.C64, numbers(15, func(i int) complex64 { return complex(float32(i), -1) }))
	thereAndBack(t, xlashape.C128, numbers(15, func(i int) complex128 { return complex(float64(i), -1) }))
	thereAndBack(t, xlashape.F8E4M3FN, numbers(15, func(i int) uint8 { return uint8(i) }))
}

func plan(t testing.TB, src, dst string, options *xlashape.PlanOptions) *xlashape.Plan {
	t.Helper()
	p, err := xlashape.NewPlan(xlashape.MustParseShape(src), xlashape.MustParseShape(dst), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func TestBoxesAndStrides(t *testing.T) {
	src := numbers(12, func(i int) uint8 { return uint8(i) })
	dst := bytes.Repeat([]byte{99}, 4)
	p := plan(t, "u8[3,4]{1,0}", "u8[2,2]{1,0}", &xlashape.PlanOptions{SrcBase: []int64{1, 2}, Extent: []int64{2, 2}})
	if err := p.Execute(src, dst); err != nil || !bytes.Equal(dst, []byte{6, 7, 10, 11}) {
		t.Error(dst, err)
	}
	// Rows read backwards: index 0...0 is the last byte.
	p = plan(t, "u8[3,4]{1,0}", "u8[3,4]{1,0}", &xlashape.PlanOptions{SrcByteStrides: []int64{-4, -1}, SrcByteOffset: 11})
	dst = make([]byte, 12)
	if err := p.Execute(src, dst); err != nil || dst[0] != 11 || dst[11] != 0 || p.SrcBytes() != -1 {
		t.Error(dst, err)
	}
	if err := p.Execute(src[:11], dst); err == nil {
		t.Error("a strided source of 11 bytes passes")
	}
	// A broadcast into memory that is there.
	to := make([]float32, 6)
	options := &xlashape.PlanOptions{SrcByteStrides: []int64{0, 4}}
	shape := xlashape.ArrayShape(xlashape.F32, 2, 3)
	if err := xlashape.RelayoutInto(shape, []float32{1, 2, 3}, shape, to, options); err != nil || !reflect.DeepEqual(to, []float32{1, 2, 3, 1, 2, 3}) {
		t.Error(to, err)
	}
}

// All ways to run a relayout answer alike to an offset. Only a side given by strides has one.
func TestOffsets(t *testing.T) {
	flat, tiled := xlashape.MustParseShape("u8[3,4]"), xlashape.MustParseShape("u8[3,4]{0,1:T(2,2)}")
	src := []byte("abcdefghijkl")
	answers := func(options xlashape.PlanOptions) (all [3]error) {
		t.Helper()
		dst := bytes.Repeat([]byte{'#'}, 16)
		all[0] = xlashape.RelayoutInto(flat, src, tiled, dst, &options)
		_, all[1] = xlashape.Relayout(flat, src, tiled, &options)
		p, err := xlashape.NewPlan(flat, tiled, &options)
		if all[2] = err; err == nil {
			defer p.Close()
			all[2] = p.Execute(src, dst)
		}
		if all[0] != nil && !bytes.Equal(dst, bytes.Repeat([]byte{'#'}, 16)) {
			t.Errorf("%q was written to for %+v", dst, options)
		}
		return all
	}
	strides := []int64{4, 1}
	for _, test := range []struct {
		options xlashape.PlanOptions
		code    error
		part    string
	}{
		{xlashape.PlanOptions{SrcByteOffset: 5}, xlashape.ErrInvalidArgument, "SrcByteOffset is 5 without SrcByteStrides"},
		{xlashape.PlanOptions{DstByteOffset: math.MaxInt64}, xlashape.ErrInvalidArgument, "DstByteOffset is 9223372036854775807 without DstByteStrides"},
		{xlashape.PlanOptions{SrcByteOffset: -1}, xlashape.ErrInvalidArgument, "SrcByteOffset is -1, it must not be negative"},
		{xlashape.PlanOptions{DstByteOffset: math.MinInt64}, xlashape.ErrInvalidArgument, "DstByteOffset is -9223372036854775808, it must not be negative"},
		{xlashape.PlanOptions{SrcByteOffset: 3, Extent: []int64{2, 2}}, xlashape.ErrInvalidArgument, "SrcByteOffset is 3 without"},
		{xlashape.PlanOptions{SrcByteStrides: strides, SrcByteOffset: -1}, xlashape.ErrInvalidArgument, "SrcByteOffset is -1, it must not be negative"},
		{xlashape.PlanOptions{SrcByteStrides: strides, DstByteOffset: 1}, xlashape.ErrInvalidArgument, "DstByteOffset is 1 without"},
		{xlashape.PlanOptions{SrcByteStrides: strides, SrcByteOffset: 1}, xlashape.ErrOutOfRange, "bytes [0, 12)"},
		{xlashape.PlanOptions{SrcByteStrides: strides, SrcByteOffset: math.MaxInt64}, xlashape.ErrOutOfRange, "bytes [0, 12)"},
	} {
		for _, err := range answers(test.options) {
			wants(t, err, test.code, test.part)
		}
	}
	for _, err := range answers(xlashape.PlanOptions{SrcByteStrides: []int64{-4, -1}, SrcByteOffset: 11}) {
		if err != nil {
			t.Error(err)
		}
	}
	// Where the offset only makes the plan wrong, the plan is refused, whatever runs it later.
	for _, options := range []*xlashape.PlanOptions{{SrcByteOffset: 5}, {DstByteOffset: -1}, {DstByteStrides: strides, DstByteOffset: -1}} {
		if _, err := xlashape.NewPlan(flat, flat, options); err == nil {
			t.Errorf("%+v makes a plan", options)
		}
	}
}

func TestFillPolicies(t *testing.T) {
	for policy, want := range map[xlashape.FillPolicy]string{xlashape.FillPadding: "abc\x01", xlashape.FillPreserve: "abc?"} {
		dst := []byte("????")
		p := plan(t, "u8[3]{0}", "u8[3]{0:PD(4)PV(one)}", &xlashape.PlanOptions{FillPolicy: policy})
		if err := p.Execute([]byte("abc"), dst); err != nil || string(dst) != want {
			t.Errorf("%q, want %q, %v", dst, want, err)
		}
	}
}

func TestExecuteBatchAndTasks(t *testing.T) {
	big := plan(t, "f32[512,512]{1,0}", "f32[512,512]{0,1}", nil)
	if n, err := big.TaskCount(4); err != nil || n < 1 {
		t.Error(n, err)
	}
	if text, err := big.Describe(); err != nil || text == "" || big.Backend() == "" {
		t.Error(text, err)
	}
	if need := big.Requirements(); need.SrcHigh != 1<<20 || need.DstLow != 0 || need.PlanBytes == 0 || need.StackBytes == 0 {
		t.Errorf("%+v", need)
	}
}

func TestIndexBatches(t *testing.T) {
	shape := xlashape.MustParseShape("bf16[3,5]{1,0:T(2,2)}")
	m, err := xlashape.NewIndexMap(shape)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	n := int(m.StorageElements())
	linear := numbers(n, func(i int) int64 { return int64(i) })
	for _, soa := range []bool{false, true} {
		index, back := make([]int64, 2*n), make([]int64, n)
		options := &xlashape.BatchOptions{MarkBad: true, StructureOfArrays: soa}
		padding, err := m.MultidimensionalIndices(linear, index, options)
		if err != nil || padding != int64(n-15) {
			t.Fatal(padding, err)
		}
		bad, err := m.LinearIndices(index, back, options)
		if err != nil || bad != padding {
			t.Fatal(bad, err)
		}
		for i := range back {
			if back[i] != linear[i] && back[i] != -1 {
				t.Errorf("position %d came back as %d", i, back[i])
			}
			at := []int64{index[2*i], index[2*i+1]}
			if soa {
				at = []int64{index[i], index[n+i]}
			}
			one := make([]int64, 2)
			if isPadding, err := m.MultidimensionalIndex(linear[i], one); err != nil || isPadding != (back[i] < 0) || !reflect.DeepEqual(one, at) {
				t.Errorf("position %d is %v alone, %v in the batch, %v", i, one, at, err)
			}
		}
	}
	if _, err := m.LinearIndices(nil, nil, nil); err != nil {
		t.Error(err)
	}
	scalar, err := xlashape.NewIndexMap(xlashape.ArrayShape(xlashape.F32))
	if err != nil {
		t.Fatal(err)
	}
	defer scalar.Close()
	three := []int64{9, 9, 9}
	if _, err := scalar.LinearIndices(nil, three, nil); err != nil || !reflect.DeepEqual(three, []int64{0, 0, 0}) {
		t.Error(three, err)
	}
}

// More dimensions than travel by value.
func TestHighRank(t *testing.T) {
	dimensions := numbers(12, func(i int) int64 { return 2 })
	shape := xlashape.ArrayShape(xlashape.U8, dimensions...).WithLayout(xlashape.ColumnMajor(12))
	m, err := xlashape.NewIndexMap(shape)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	index, back := numbers(12, func(i int) int64 { return int64(i % 2) }), make([]int64, 12)
	linear, err := m.LinearIndex(index...)
	if err != nil || linear != 0xaaa {
		t.Error(linear, err)
	}
	if padding, err := m.MultidimensionalIndex(linear, back); err != nil || padding || !reflect.DeepEqual(index, back) {
		t.Error(back, err)
	}
}

// Memory inside of a struct that also holds Go pointers may be given: C sees the slice only.
func TestMemoryBesidePointers(t *testing.T) {
	type holder struct {
		name   *string
		buffer [12]byte
		index  [2]int64
	}
	h := &holder{name: new(string), index: [2]int64{1, 2}}
	copy(h.buffer[:], "abcdefghijkl")
	p, dst := plan(t, "u8[3,4]{1,0}", "u8[3,4]{0,1}", nil), make([]byte, 12)
	if err := p.Execute(h.buffer[:], dst); err != nil || string(dst) != "aeibfjcgkdhl" {
		t.Errorf("%q, %v", dst, err)
	}
	m, err := xlashape.NewIndexMap(xlashape.ArrayShape(xlashape.U8, 3, 4))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var position [1]int64
	if _, err := m.LinearIndices(h.index[:], position[:], nil); err != nil || position[0] != 6 {
		t.Error(position, err)
	}
}

func TestManyGoroutines(t *testing.T) {
	p := plan(t, "f32[64,48]{1,0}", "f32[64,48]{0,1:T(8,4)}", nil)
	src := numbers(64*48, func(i int) float32 { return float32(i) })
	want := make([]float32, 64*48)
	if err := xlashape.Execute(p, src, want); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for k := 0; k < 50; k++ {
				dst := make([]float32, len(want))
				if err := xlashape.Execute(p, src, dst); err != nil || !reflect.DeepEqual(dst, want) {
					t.Error("another answer from another goroutine", err)
				}
				if s := xlashape.MustParseShape("f32[3]{0:T(128)}"); s.String() != "f32[3]{0:T(128)}" {
					t.Error(s)
				}
			}
		}()
	}
	all.Wait()
}
