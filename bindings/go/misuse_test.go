package xlashape_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"xlashape"
)

// Whatever is done wrong is an error that names the place and the value, and never a crash.

func wants(t *testing.T, err error, code error, part string) {
	t.Helper()
	if !errors.Is(err, code) || !strings.Contains(err.Error(), part) {
		t.Errorf("got %v, want %v with %q", err, code, part)
	}
}

func TestErrorsOfTexts(t *testing.T) {
	_, err := xlashape.ParseShape("f32[2,x]")
	wants(t, err, xlashape.ErrParse, "x")
	var record *xlashape.Error
	if !errors.As(err, &record) || record.Offset != 6 || record.Index != -1 || record.Code != xlashape.ErrParse || record.Source != 0 {
		t.Errorf("%+v", record)
	}
	if errors.Is(err, xlashape.ErrOverflow) || record.Code.String() != "parse" {
		t.Error("codes are mixed up")
	}
	_, err = xlashape.ParseShape("f32[2]{1}")
	wants(t, err, xlashape.ErrInvalidArgument, "minor_to_major")
	_, err = xlashape.ParseShape("")
	wants(t, err, xlashape.ErrParse, "")
	_, err = xlashape.ParseShape("f32[2]\x00\xff")
	wants(t, err, xlashape.ErrParse, "")
	_, err = xlashape.ParseElementType("F32")
	wants(t, err, xlashape.ErrNotFound, "F32")
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, xlashape.ErrParse) {
			t.Error("MustParseShape does not panic with the error")
		}
	}()
	xlashape.MustParseShape("no shape")
}

func TestErrorsOfValues(t *testing.T) {
	for part, shape := range map[string]xlashape.Shape{
		"element type":      {},
		"99":                {ElementType: 99, Dimensions: []int64{1}},
		"-3":                xlashape.ArrayShape(xlashape.F32, 2, -3),
		"DynamicDimensions": {ElementType: xlashape.F32, Dimensions: []int64{2}, DynamicDimensions: []bool{true, false}},
		"padded_dimensions": {ElementType: xlashape.F32, Dimensions: []int64{2},
			Layout: &xlashape.Layout{MinorToMajor: []int64{0}, PaddedDimensions: []int64{1, 2}}},
		"TupleShapes":      {ElementType: xlashape.F32, TupleShapes: []xlashape.Shape{{ElementType: xlashape.Token}}},
		"Dimensions":       {ElementType: xlashape.Token, Dimensions: []int64{2}},
		"it must have one": {ElementType: xlashape.Buffer},
		"rank":             {ElementType: xlashape.F32, Dimensions: []int64{2}, Layout: xlashape.RowMajor(2)},
	} {
		err := shape.Validate()
		wants(t, err, xlashape.ErrInvalidArgument, part)
		if text := shape.String(); !strings.HasPrefix(text, "!(xlashape: ") {
			t.Errorf("what is no shape prints as %s", text)
		}
		if _, err := shape.MarshalText(); err == nil {
			t.Error("what is no shape has a text")
		}
		if shape.Equal(shape) || shape.TrueRank() != 0 {
			t.Error("what is no shape equals itself")
		}
		if _, err := xlashape.NewIndexMap(shape); err == nil {
			t.Error("what is no shape has an index map")
		}
	}
	_, err := xlashape.MustParseShape("f32[?]").Sizes()
	wants(t, err, xlashape.ErrUnsupported, "")
	_, err = xlashape.ArrayShape(xlashape.F32, 1<<62, 8).Sizes()
	wants(t, err, xlashape.ErrOverflow, "")
	_, err = xlashape.LayoutFromByteStrides(xlashape.F32, []int64{2}, nil, false)
	wants(t, err, xlashape.ErrInvalidArgument, "1 dimensions and 0 byte strides")
	var none *xlashape.Layout
	if none.String() != "<no layout>" || none.Equal(xlashape.RowMajor(0)) || none.Clone() != nil {
		t.Error("a nil layout")
	}
}

func TestWrongBuffers(t *testing.T) {
	f32 := xlashape.ArrayShape(xlashape.F32, 3, 4)
	p := plan(t, "f32[3,4]{1,0}", "f32[3,4]{0,1}", nil)
	right := make([]byte, 48)
	for _, n := range []int{0, 47, 49} {
		wants(t, p.Execute(make([]byte, n), right), xlashape.ErrOutOfRange, "source")
		wants(t, p.Execute(right, make([]byte, n)), xlashape.ErrOutOfRange, "destination")
		wants(t, xlashape.RelayoutInto(f32, make([]byte, n), f32, right, nil), xlashape.ErrOutOfRange, "source")
		wants(t, xlashape.RelayoutInto(f32, right, f32, make([]byte, n), nil), xlashape.ErrOutOfRange, "destination")
	}
	wants(t, p.Execute(right, right), xlashape.ErrInvalidArgument, "overlap")
	wants(t, p.ExecuteRaw(xlashape.Exec{}), xlashape.ErrInvalidArgument, "")

	wants(t, xlashape.Execute(p, make([]int32, 12), make([]int32, 12)), xlashape.ErrInvalidArgument, "f32, which a []int32 does not hold")
	_, err := xlashape.Relayout(f32, make([]float64, 6), f32, nil)
	wants(t, err, xlashape.ErrInvalidArgument, "[]float64")
	packed := xlashape.MustParseShape("s4[8]{0:E(4)}")
	wants(t, xlashape.RelayoutInto(packed, make([]int8, 4), packed, make([]int8, 4), nil), xlashape.ErrInvalidArgument, "4 bits per element")
	_, err = xlashape.NewPlan(f32, xlashape.ArrayShape(xlashape.F32, 4, 3), nil)
	wants(t, err, xlashape.ErrInvalidArgument, "")
	_, err = xlashape.NewPlan(f32, f32, &xlashape.PlanOptions{SrcBase: []int64{1}})
	wants(t, err, xlashape.ErrInvalidArgument, "src_base has 1 values, it takes 2")
	_, err = xlashape.NewPlan(f32, f32, &xlashape.PlanOptions{Backend: "nobody"})
	wants(t, err, xlashape.ErrNotFound, "nobody")
	_, err = xlashape.Relayout(f32, make([]float32, 12), f32, &xlashape.PlanOptions{DstByteStrides: []int64{16, 4}})
	wants(t, err, xlashape.ErrUnsupported, "strides")
	tuple := xlashape.TupleShape(f32)
	wants(t, xlashape.RelayoutInto(tuple, right, tuple, make([]byte, 48), nil), xlashape.ErrUnsupported, "tuple")
}

func TestWrongIndices(t *testing.T) {
	m, err := xlashape.NewIndexMap(xlashape.ArrayShape(xlashape.F32, 3, 4))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_, err = m.LinearIndex(1, 4)
	wants(t, err, xlashape.ErrOutOfRange, "index[1] is 4, not in [0, 4)")
	_, err = m.LinearIndex(1)
	wants(t, err, xlashape.ErrOutOfRange, "")
	_, err = m.LinearIndex(make([]int64, 20)...)
	wants(t, err, xlashape.ErrOutOfRange, "")
	_, err = m.MultidimensionalIndex(12, make([]int64, 2))
	wants(t, err, xlashape.ErrOutOfRange, "12")
	_, err = m.MultidimensionalIndex(0, make([]int64, 9))
	wants(t, err, xlashape.ErrOutOfRange, "")
	_, err = m.LinearIndices(make([]int64, 7), make([]int64, 4), nil)
	wants(t, err, xlashape.ErrOutOfRange, "index has 7 numbers, 4 indices of rank 2 have 8")
	_, err = m.LinearIndices(make([]int64, 9), make([]int64, 4), nil)
	wants(t, err, xlashape.ErrOutOfRange, "9 numbers")
	both := make([]int64, 6)
	_, err = m.LinearIndices(both[:4], both[3:5], nil)
	wants(t, err, xlashape.ErrInvalidArgument, "overlap")
	_, err = m.LinearIndices([]int64{0, 0, 1, 1, 3, 0}, make([]int64, 3), nil)
	wants(t, err, xlashape.ErrOutOfRange, "")
	var record *xlashape.Error
	if errors.As(err, &record) && record.Index != 2 {
		t.Errorf("the bad index is number %d", record.Index)
	}
}

func TestClosed(t *testing.T) {
	m, _ := xlashape.NewIndexMap(xlashape.ArrayShape(xlashape.F32, 3))
	p, _ := xlashape.NewPlan(xlashape.ArrayShape(xlashape.U8, 3), xlashape.ArrayShape(xlashape.U8, 3), nil)
	r, _ := xlashape.NewRuntime(nil)
	for i := 0; i < 3; i++ {
		if m.Close() != nil || p.Close() != nil || r.Close() != nil {
			t.Error("Close fails")
		}
	}
	_, err := m.LinearIndex(1)
	wants(t, err, xlashape.ErrClosed, "")
	_, err = m.MultidimensionalIndex(1, make([]int64, 1))
	wants(t, err, xlashape.ErrClosed, "")
	_, err = m.LinearIndices(make([]int64, 1), make([]int64, 1), nil)
	wants(t, err, xlashape.ErrClosed, "")
	wants(t, p.Execute(make([]byte, 3), make([]byte, 3)), xlashape.ErrClosed, "")
	wants(t, p.ExecuteRaw(xlashape.Exec{}), xlashape.ErrClosed, "")
	_, err = p.Describe()
	wants(t, err, xlashape.ErrClosed, "")
	_, err = p.TaskCount(2)
	wants(t, err, xlashape.ErrClosed, "")
	_, err = r.Report()
	wants(t, err, xlashape.ErrClosed, "")
	wants(t, r.LoadBackend("x"), xlashape.ErrClosed, "")
	_, err = xlashape.NewPlan(xlashape.ArrayShape(xlashape.U8), xlashape.ArrayShape(xlashape.U8), &xlashape.PlanOptions{Runtime: r})
	wants(t, err, xlashape.ErrClosed, "")
	// Zero values are closed, too.
	var zero xlashape.Plan
	if zero.Execute(nil, nil) == nil || zero.Close() != nil {
		t.Error("a zero plan runs")
	}
}

// One closes what others are using: each call works or says ErrClosed.
func TestCloseRace(t *testing.T) {
	for round := 0; round < 100; round++ {
		p, err := xlashape.NewPlan(xlashape.ArrayShape(xlashape.U8, 3, 4), xlashape.MustParseShape("u8[3,4]{0,1}"), nil)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := 0; i < 4; i++ {
			all.Add(1)
			go func(i int) {
				defer all.Done()
				dst := make([]byte, 12)
				for k := 0; k < 10; k++ {
					if i == 0 && k == 5 {
						p.Close()
					}
					if err := p.Execute([]byte("abcdefghijkl"), dst); err != nil && !errors.Is(err, xlashape.ErrClosed) {
						t.Error(err)
					} else if err == nil && string(dst) != "aeibfjcgkdhl" {
						t.Errorf("%q", dst)
					}
				}
			}(i)
		}
		all.Wait()
	}
}

func TestRuntimes(t *testing.T) {
	r, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{NoEnvironment: true, NoLibraryDir: true, NoInstallDir: true, LoadNow: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := xlashape.NewPlan(xlashape.ArrayShape(xlashape.U8, 3), xlashape.ArrayShape(xlashape.U8, 3), &xlashape.PlanOptions{Runtime: r})
	if err != nil || p.Backend() != "scalar" {
		t.Fatal(p, err)
	}
	backends, err := r.Backends()
	if err != nil || len(backends) != 1 || backends[0].Name != "scalar" || backends[0].State != xlashape.BackendReady || len(backends[0].MemorySpaces) != 1 || backends[0].MemorySpaces[0] != xlashape.SpaceCPU {
		t.Errorf("%+v, %v", backends, err)
	}
	wants(t, r.LoadBackend(os.Args[0]+".none"), xlashape.ErrNotFound, ".none")
	r.Close() // the plan keeps what it needs
	dst := make([]byte, 3)
	if err := p.Execute([]byte("abc"), dst); err != nil || !bytes.Equal(dst, []byte("abc")) {
		t.Error(dst, err)
	}
	p.Close()
	if text, err := (*xlashape.Runtime)(nil).Report(); err != nil || !strings.Contains(text, "scalar") {
		t.Error(text, err)
	}
	_, err = xlashape.NewRuntime(&xlashape.RuntimeOptions{Threads: -1})
	wants(t, err, xlashape.ErrInvalidArgument, "-1")
	_, err = xlashape.NewRuntime(&xlashape.RuntimeOptions{Workers: -1, ParallelFor: xlashape.Goroutines})
	wants(t, err, xlashape.ErrInvalidArgument, "-1")
	_, err = xlashape.NewRuntime(&xlashape.RuntimeOptions{VerifyPositions: -1})
	wants(t, err, xlashape.ErrInvalidArgument, "verify_positions is -1")
	verifying, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{VerifyPositions: 64})
	if err != nil {
		t.Fatal(err)
	}
	defer verifying.Close()
	if text, err := verifying.Report(); err != nil || !strings.Contains(text, "verification: 64 positions") {
		t.Error(text, err)
	}
}

// nil is a layout that is not there, or a handle that is closed.
func TestNils(t *testing.T) {
	var l *xlashape.Layout
	errs := map[string]error{"Validate": l.Validate(), "UnmarshalText": l.UnmarshalText([]byte("{0}"))}
	_, errs["Hash"] = l.Hash()
	_, errs["Format"] = l.Format(0)
	_, errs["MarshalText"] = l.MarshalText()
	_, errs["Proto"] = l.Proto()
	_, errs["LogicalToPhysical"] = l.LogicalToPhysical()
	_, errs["DeleteDimensions"] = l.DeleteDimensions(0)
	_, errs["MoveDimensionToMajor"] = l.MoveDimensionToMajor(0)
	_, errs["MoveDimensionToMinor"] = l.MoveDimensionToMinor(0)
	for name, err := range errs {
		if !errors.Is(err, xlashape.ErrInvalidArgument) || !strings.Contains(err.Error(), "there is no layout: it is nil") {
			t.Errorf("%s says %v", name, err)
		}
	}
	if l.Rank() != 0 || l.String() != "<no layout>" || l.Clone() != nil || !l.Equal(nil) {
		t.Error("nil as a layout")
	}
	wants(t, (*xlashape.Shape)(nil).UnmarshalText([]byte("f32[]")), xlashape.ErrInvalidArgument, "there is no shape: it is nil")
	wants(t, (*xlashape.ElementType)(nil).UnmarshalText([]byte("f32")), xlashape.ErrInvalidArgument, "there is no element type: it is nil")
	wants(t, (*xlashape.Target)(nil).UnmarshalText([]byte("cpu")), xlashape.ErrInvalidArgument, "there is no target: it is nil")

	var p *xlashape.Plan
	var ip *xlashape.IndexPlan
	var m *xlashape.IndexMap
	var r *xlashape.Runtime
	if p.Close() != nil || ip.Close() != nil || m.Close() != nil || r.Close() != nil {
		t.Error("Close of nil fails")
	}
	errs = map[string]error{
		"Plan.Execute": p.Execute(nil, nil), "typed Execute": xlashape.Execute[int8](p, nil, nil),
		"Plan.ExecuteRaw": p.ExecuteRaw(xlashape.Exec{}),
	}
	_, errs["Plan.Describe"] = p.Describe()
	_, errs["Plan.TaskCount"] = p.TaskCount(1)
	_, errs["IndexPlan.Describe"] = ip.Describe()
	_, errs["IndexPlan.ExecuteRaw"] = ip.ExecuteRaw(xlashape.Exec{}, 0)
	_, errs["LinearIndex"] = m.LinearIndex()
	_, errs["MultidimensionalIndex"] = m.MultidimensionalIndex(0, nil)
	_, errs["LinearIndices"] = m.LinearIndices(nil, nil, nil)
	_, errs["MultidimensionalIndices"] = m.MultidimensionalIndices(nil, nil, nil)
	_, errs["IndexMap.Plan"] = m.Plan(xlashape.ToLinear, nil)
	for name, err := range errs {
		if err != xlashape.ErrClosed {
			t.Errorf("%s of nil says %v", name, err)
		}
	}
	if p.Backend() != "" || p.SrcBytes() != 0 || p.DstBytes() != 0 || p.Requirements() != (xlashape.Requirements{}) ||
		m.Rank() != 0 || m.StorageElements() != 0 {
		t.Error("nil as a handle")
	}
}

// Ranks and counts that nothing has: no memory is asked for, and what comes is refused wherever it is used.
func TestRanksAndCountsThatNothingHas(t *testing.T) {
	for _, rank := range []int{-1, math.MinInt, 1<<24 + 1, 1 << 62, math.MaxInt} {
		for _, l := range []*xlashape.Layout{xlashape.RowMajor(rank), xlashape.ColumnMajor(rank)} {
			wants(t, l.Validate(), xlashape.ErrInvalidArgument, fmt.Sprintf("dimension %d", rank))
			for dimensions := range [3]int{} {
				shape := xlashape.ArrayShape(xlashape.F32, make([]int64, dimensions)...).WithLayout(l)
				wants(t, shape.Validate(), xlashape.ErrInvalidArgument, "")
			}
		}
	}
	wants(t, xlashape.Goroutines(-5, func(int) { t.Error("ran") }), xlashape.ErrInvalidArgument, "count is -5, it must not be negative")
	if err := xlashape.Goroutines(0, func(int) { t.Error("ran") }); err != nil {
		t.Error(err)
	}
}
