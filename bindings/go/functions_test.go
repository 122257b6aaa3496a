package xlashape

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func equals(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func refusedWith(t *testing.T, err error, code Code, part string) {
	t.Helper()
	if !errors.Is(err, code) || !strings.Contains(err.Error(), part) {
		t.Errorf("got %v, want %v with %q", err, code, part)
	}
}

func TestHeads(t *testing.T) {
	shape, rest, err := ParseShapeHead("(f32[2], s8[]) tuple(%a)")
	equals(t, []any{shape.String(), rest, err}, []any{"(f32[2]{0}, s8[])", " tuple(%a)", nil})
	shape, rest, err = ParseShapeHeadWith("f32[2]é", KeepMissingLayout)
	equals(t, []any{shape.String(), rest, err}, []any{"f32[2]", "é", nil})
	layout, rest, err := ParseLayoutHead("{1,0:T(2)}, x")
	equals(t, []any{layout.String(), rest, err}, []any{"{1,0:T(2)}", ", x", nil})
	if _, _, err := ParseShapeHead("f32[2"); !errors.Is(err, ErrParse) {
		t.Error(err)
	}
	if _, _, err := ParseLayoutHead(""); !errors.Is(err, ErrParse) {
		t.Error(err)
	}
}

func TestHashesLeaveOutWhatEqualityDoes(t *testing.T) {
	a, b := MustParseShape("f32[2,3]{1,0:S(1)}"), MustParseShape("f32[2,3]{0,1}")
	hash := func(h uint64, err error) uint64 {
		if err != nil {
			t.Error(err)
		}
		return h
	}
	if hash(a.Hash()) == hash(b.Hash()) || hash(a.Hash(IgnoreLayout)) != hash(b.Hash(IgnoreLayout)) {
		t.Error("hashes of shapes")
	}
	l, m := MustParseLayout("{1,0:S(1)}"), MustParseLayout("{1,0}")
	if hash(l.Hash()) == hash(m.Hash()) || hash(l.Hash(IgnoreMemorySpace)) != hash(m.Hash(IgnoreMemorySpace)) {
		t.Error("hashes of layouts")
	}
	if _, err := (Shape{ElementType: F32, Dimensions: []int64{-1}}).Hash(); !errors.Is(err, ErrInvalidArgument) {
		t.Error(err)
	}
}

func TestLayoutsChangeOneFieldAndPrintTheirParts(t *testing.T) {
	layout := MustParseLayout("{1,0:T(8,128)(*,1)SC(1:4,8)}")
	equals(t, layout.Tiles[0].Text()+layout.Tiles[1].Text()+layout.SplitConfigs[0].Text(), "(8,128)(*,1)(1:4,8)")
	layout.MemorySpace = LayoutSpaceHost
	equals(t, layout.String(), "{1,0:T(8,128)(*,1)S(5)SC(1:4,8)}")
}

func TestMissingLayouts(t *testing.T) {
	shape, _, err := ParseShapeHeadWith("(f32[2]{0}, (s8[3], token[], b(f32[5])))", KeepMissingLayout)
	equals(t, []any{shape.MissingLayouts(), err}, []any{[][]int64{{1, 0}, {1, 2}}, nil})
	equals(t, len(MustParseShape("(f32[2])").MissingLayouts()), 0)
}

func TestBoxes(t *testing.T) {
	array := MustParseShape("f32[2,3]{0,1}")
	box := Box{Base: []int64{0, 0}, Count: array.Dimensions, Step: []int64{1, 1}, Order: array.Layout.MinorToMajor}
	count, err := box.IndexCount()
	equals(t, []any{count, err}, []any{int64(6), nil})
	index, err := box.IndexAt(0)
	equals(t, err, nil)
	var seen [][]int64
	for more := true; more; more = box.NextIndex(index) {
		at, err := box.IndexAt(int64(len(seen)))
		equals(t, []any{at, err}, []any{index, nil})
		seen = append(seen, append([]int64(nil), index...))
	}
	equals(t, seen, [][]int64{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}})
	if _, err := box.IndexAt(6); !errors.Is(err, ErrOutOfRange) {
		t.Error(err)
	}
	box.Count = box.Count[:1]
	if _, err := box.IndexCount(); !errors.Is(err, ErrInvalidArgument) {
		t.Error(err)
	}
	equals(t, box.NextIndex(index), false)
}

func TestBitcastsAreTakenApart(t *testing.T) {
	parts, err := MustParseShape("f32[4,6]{0,1}").DecomposeBitcast(MustParseShape("f32[3,8]{0,1}"), 0)
	equals(t, err, nil)
	equals(t, []any{parts.Kind, parts.Transpose1, parts.ReshapeFrom.String(), parts.ReshapeTo.String(), parts.Transpose2},
		[]any{BitcastTRT, []int64{1, 0}, "f32[6,4]{1,0}", "f32[8,3]{1,0}", []int64{1, 0}})
	if _, err := MustParseShape("f32[4]").DecomposeBitcast(MustParseShape("f32[5]"), 0); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestFloatFormats(t *testing.T) {
	format, err := BF16.FloatFormat()
	equals(t, []any{format, err}, []any{FloatFormat{8, 8, 127, -125, 128, true, true, true, true}, nil})
	if _, err := S32.FloatFormat(); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
	equals(t, []bool{S8.CastPreservesValues(BF16), S32.CastPreservesValues(F32)}, []bool{true, false})
}

// What IndexCount and IndexAt refuse has no walk either.
func TestBoxesThatAreNone(t *testing.T) {
	one, two, none := []int64{1, 1}, []int64{2, 2}, []int64{0, 0}
	for want, box := range map[string]Box{
		"Order has dimension 0 twice":                   {none, two, one, []int64{0, 0}},
		"Order has dimension 5, which is not in [0, 2)": {none, two, one, []int64{5, 0}},
		"Order has dimension -1":                        {none, two, one, []int64{-1, 0}},
		"Order 1":                                       {none, two, one, []int64{1}},
		"Step 1":                                        {none, two, one[:1], nil},
		"Count[0] is -1, it must not be negative":       {none, []int64{-1, 2}, one, nil},
		"Step[1] is -1, it must not be negative":        {none, two, []int64{1, -1}, nil},
		"Base[1] is 9223372036854775807":                {[]int64{0, math.MaxInt64}, two, one, nil},
	} {
		_, err := box.IndexCount()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("IndexCount says %v, want %q", err, want)
		}
		_, same := box.IndexAt(0)
		equals(t, same, err)
		index := append([]int64(nil), box.Base...)
		equals(t, []any{box.NextIndex(index), index}, []any{false, box.Base})
	}
}

// An index that the walk does not come to stays as it is.
func TestIndicesThatAreNotInTheBox(t *testing.T) {
	box := Box{Base: []int64{1, 2, 7}, Count: []int64{2, 3, 5}, Step: []int64{1, 2, 0}}
	for _, index := range [][]int64{{7, -3, 7}, {1, 3, 7}, {0, 2, 7}, {1, 6, 7}, {1, 2, 8}, {3, 2, 7}, {math.MinInt64, 2, 7}, {1, math.MaxInt64, 7}, {1, 2}, nil} {
		stays := append([]int64(nil), index...)
		equals(t, []any{box.NextIndex(index), index}, []any{false, stays})
	}
	box.Count[0] = 0
	index := []int64{1, 2, 7}
	equals(t, []any{box.NextIndex(index), index}, []any{false, []int64{1, 2, 7}}) // a box of no indices
	box = Box{Base: []int64{math.MaxInt64, 0}, Count: []int64{2, 0}, Step: []int64{1, 1}}
	count, err := box.IndexCount()
	equals(t, []any{count, err}, []any{int64(0), nil}) // nor does it have a last one that does not fit
	wide := Box{Base: []int64{math.MinInt64}, Count: []int64{math.MaxInt64}, Step: []int64{1}}
	index = []int64{-2}
	equals(t, []any{wide.NextIndex(index), index}, []any{false, []int64{-2}}) // its last one
	index = []int64{-3}
	equals(t, []any{wide.NextIndex(index), index}, []any{true, []int64{-2}})
}
