package xlashape_test

import (
	"math"
	"runtime"
	"testing"

	"xlashape"
)

// A copy of what holds memory of the library is the same thing: it keeps that memory, and is closed with the others.

type holders struct {
	m xlashape.IndexMap
	p xlashape.Plan
	i xlashape.IndexPlan
	r xlashape.Runtime
}

// held are copies whose originals nobody has any more.
func held(t *testing.T) holders {
	t.Helper()
	image, turned := xlashape.ArrayShape(xlashape.U8, 3, 4), xlashape.MustParseShape("u8[3,4]{0,1}")
	r, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{Workers: 2, ParallelFor: xlashape.Goroutines})
	if err != nil {
		t.Fatal(err)
	}
	m, err := xlashape.NewIndexMap(image)
	if err != nil {
		t.Fatal(err)
	}
	i, err := m.Plan(xlashape.ToLinear, &xlashape.IndexPlanOptions{Runtime: r})
	if err != nil {
		t.Fatal(err)
	}
	p, err := xlashape.NewPlan(image, turned, &xlashape.PlanOptions{Runtime: r})
	if err != nil {
		t.Fatal(err)
	}
	return holders{*m, *p, *i, *r}
}

func (h *holders) close() { h.m.Close(); h.p.Close(); h.i.Close(); h.r.Close() }

// calls are all methods that may fail, with arguments that are right.
func (h *holders) calls() map[string]error {
	errs := map[string]error{}
	image := xlashape.ArrayShape(xlashape.U8, 3)
	dst := make([]byte, 12)
	errs["Execute"] = h.p.Execute([]byte("abcdefghijkl"), dst)
	errs["typed Execute"] = xlashape.Execute(&h.p, []byte("abcdefghijkl"), dst)
	_, errs["Describe"] = h.p.Describe()
	_, errs["TaskCount"] = h.p.TaskCount(2)
	_, errs["LinearIndex"] = h.m.LinearIndex(1, 2)
	_, errs["MultidimensionalIndex"] = h.m.MultidimensionalIndex(3, make([]int64, 2))
	_, errs["LinearIndices"] = h.m.LinearIndices(make([]int64, 2), make([]int64, 1), &xlashape.BatchOptions{Runtime: &h.r})
	_, errs["MultidimensionalIndices"] = h.m.MultidimensionalIndices(make([]int64, 1), make([]int64, 2), nil)
	plan, err := h.m.Plan(xlashape.ToMultidimensional, nil)
	if err == nil {
		plan.Close()
	}
	errs["IndexMap.Plan"] = err
	_, errs["IndexPlan.Describe"] = h.i.Describe()
	_, errs["IndexPlan.ExecuteRaw"] = h.i.ExecuteRaw(xlashape.Exec{}, 0)
	_, errs["Report"] = h.r.Report()
	_, errs["Backends"] = h.r.Backends()
	_, errs["Relayout"] = xlashape.Relayout(image, []byte("abc"), image, &xlashape.PlanOptions{Runtime: &h.r})
	errs["RelayoutInto"] = xlashape.RelayoutInto(image, []byte("abc"), image, dst[:3], &xlashape.PlanOptions{Runtime: &h.r})
	return errs
}

func TestCopiesKeepTheirMemory(t *testing.T) {
	all := held(t)
	for i := 0; i < 3; i++ { // the finalizers of the originals, if there are any
		runtime.GC()
		held(t) // what was freed is in use again
	}
	for name, err := range all.calls() {
		if err != nil {
			t.Error(name, err)
		}
	}
	all.close()
}

func TestCopiesAreClosedTogether(t *testing.T) {
	all := held(t)
	copied := all
	copied.close()
	for _, h := range []*holders{&all, &copied, {}} { // zero values are closed from the start
		for name, err := range h.calls() {
			wants(t, err, xlashape.ErrClosed, name[:0])
		}
		h.close()
	}
	if all.p.DstBytes() != 12 || all.m.Rank() != 2 {
		t.Error("what needs no call is gone, too")
	}
}

// Whatever else is wrong with a call on what is closed, it is ErrClosed.
func TestClosedBeforeAllElse(t *testing.T) {
	h := held(t)
	h.close()
	u8, bytes, numbers := xlashape.ArrayShape(xlashape.U8, 3), make([]byte, 7), make([]int64, 5)
	wrong := &xlashape.PlanOptions{Runtime: &h.r, Backend: "nobody", SrcBase: numbers}
	errs := map[string]error{
		"Execute":       h.p.Execute(nil, bytes),
		"typed Execute": xlashape.Execute(&h.p, numbers, numbers),
		"ExecuteRaw":    h.p.ExecuteRaw(xlashape.Exec{TaskBegin: -1}),
		"RelayoutInto":  xlashape.RelayoutInto(u8, numbers, xlashape.Shape{}, numbers[1:], wrong),
		"LoadBackend":   h.r.LoadBackend("\x00"),
	}
	_, errs["LinearIndices"] = h.m.LinearIndices(numbers, numbers, nil)
	_, errs["MultidimensionalIndices"] = h.m.MultidimensionalIndices(numbers[:1], nil, nil)
	_, errs["MultidimensionalIndex"] = h.m.MultidimensionalIndex(-1, nil)
	_, errs["IndexMap.Plan"] = h.m.Plan(7, &xlashape.IndexPlanOptions{Backend: "a\x00b"})
	_, errs["Relayout"] = xlashape.Relayout(u8, numbers, xlashape.Shape{}, wrong)
	_, errs["NewPlan"] = xlashape.NewPlan(u8, xlashape.Shape{}, wrong)
	for name, err := range errs {
		if err != xlashape.ErrClosed {
			t.Errorf("%s says %v", name, err)
		}
	}
	m, err := xlashape.NewIndexMap(u8)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_, err = m.LinearIndices(numbers[:1], numbers, &xlashape.BatchOptions{Runtime: &h.r})
	wants(t, err, xlashape.ErrClosed, "")
}

// Sizes that come from a shape are looked at before memory is asked for, and memory that is not there is an error.
func TestArraysLargerThanMemory(t *testing.T) {
	for _, elements := range []int64{1 << 47, 1 << 62, math.MaxInt64} {
		huge := xlashape.ArrayShape(xlashape.U8, elements)
		_, err := xlashape.Relayout(huge, []uint8{1}, huge, nil)
		wants(t, err, xlashape.ErrOutOfRange, "the source has 1 bytes")
		one := xlashape.ArrayShape(xlashape.U8, 1)
		tail := one.WithLayout(&xlashape.Layout{MinorToMajor: []int64{0}, TailPaddingAlignmentInElements: elements})
		_, err = xlashape.Relayout(one, []uint8{1}, tail, nil)
		wants(t, err, xlashape.ErrNoMemory, "the destination takes")
		_, err = xlashape.Relayout(one, []uint8{1}, tail, &xlashape.PlanOptions{SrcByteStrides: []int64{1}, SrcByteOffset: 1})
		wants(t, err, xlashape.ErrOutOfRange, "the source has 1 bytes, its strides reach bytes [0, 1) from offset 1 on")
	}
}

// A NUL would end a text for the library: what stands behind it would be gone without a word.
func TestNULs(t *testing.T) {
	u8 := xlashape.ArrayShape(xlashape.U8, 3)
	named := &xlashape.PlanOptions{Backend: "scalar\x00x"}
	_, err := xlashape.NewPlan(u8, u8, named)
	wants(t, err, xlashape.ErrInvalidArgument, "byte 6 of backend is 0")
	wants(t, xlashape.RelayoutInto(u8, make([]byte, 3), u8, make([]byte, 3), named), xlashape.ErrInvalidArgument, "byte 6 of backend is 0")
	m, err := xlashape.NewIndexMap(u8)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_, err = m.Plan(xlashape.ToLinear, &xlashape.IndexPlanOptions{Backend: "scalar\x00x"})
	wants(t, err, xlashape.ErrInvalidArgument, "byte 6 of backend is 0")
	for _, folder := range []string{"/a\x00b", "/a:/b"} {
		_, err = xlashape.NewRuntime(&xlashape.RuntimeOptions{BackendDirs: []string{"/", folder}})
		wants(t, err, xlashape.ErrInvalidArgument, "BackendDirs[1]")
	}
	// Texts that are read know their length.
	for _, text := range []string{"f32[2]\x00", "\x00", "f32[2]{0}\x00x"} {
		if shape, err := xlashape.ParseShape(text); err == nil {
			t.Errorf("%q is %v", text, shape)
		}
	}
	wants(t, (*xlashape.Runtime)(nil).LoadBackend("/dev/null\x00.so"), xlashape.ErrInvalidArgument, `"/dev/null\x00.so"`)
}
