package xlashape_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"xlashape"
)

func TestShapesAreValues(t *testing.T) {
	parsed := xlashape.MustParseShape("bf16[128,256]{1,0:T(8,128)(2,1)S(1)}")
	made := xlashape.Shape{ElementType: xlashape.BF16, Dimensions: []int64{128, 256}, Layout: &xlashape.Layout{
		MinorToMajor: []int64{1, 0}, Tiles: []xlashape.Tile{{8, 128}, {2, 1}}, MemorySpace: 1}}
	if !reflect.DeepEqual(parsed, made) || !parsed.Equal(made) {
		t.Errorf("%#v is not %#v", parsed, made)
	}
	copied := made.Clone()
	copied.Layout.Tiles[0][0] = 16
	copied.Dimensions[0] = 1
	if made.Dimensions[0] != 128 || made.Layout.Tiles[0][0] != 8 || made.Equal(copied) {
		t.Error("Clone shares memory")
	}
	if text := made.WithLayout(nil).String(); text != "bf16[128,256]" {
		t.Errorf("without a layout: %s", text)
	}
}

func TestTextThereAndBack(t *testing.T) {
	for _, text := range []string{"f32[]", "pred[3]{0}", "s4[2,3]{0,1:T(2,128)(8,1)E(4)}", "f32[<=8,?]{1,0}", "token[]", "opaque[]", "()",
		"(f32[2]{0}, (), (s32[1,2]{0,1}, token[]))", "b(f32[8,16]{1,0})", "f32[4,5]{1,0:L(16)}", "f32[4,6]{0,1:SC(1:2,3)}",
		"f32[2,3]{1,0:PD(4,5)PV(one)}", "f32[2,3,4]{2,1,0:T(2,*,4)M(64)}"} {
		shape, err := xlashape.ParseShape(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		once := shape.String()
		again := xlashape.MustParseShape(once)
		if !reflect.DeepEqual(shape, again) {
			t.Errorf("%s became %s", text, once)
		}
		proto, err := shape.Proto()
		if back, err2 := xlashape.ShapeFromProto(proto, 0); err != nil || err2 != nil || !back.Equal(shape) {
			t.Errorf("%s through proto: %v %v %v", text, back, err, err2)
		}
		if err := shape.Validate(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestJSONAndMaps(t *testing.T) {
	type file struct {
		Shape  xlashape.Shape
		Layout *xlashape.Layout
		Type   xlashape.ElementType
	}
	in := file{xlashape.ArrayShape(xlashape.F32, 2, 3), xlashape.ColumnMajor(2), xlashape.F8E4M3FN}
	text, err := json.Marshal(in)
	if want := `{"Shape":"f32[2,3]{1,0}","Layout":"{0,1}","Type":"f8e4m3fn"}`; err != nil || string(text) != want {
		t.Fatalf("%s, %v", text, err)
	}
	var out file
	if err := json.Unmarshal(text, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v", out, err)
	}
	err = json.Unmarshal([]byte(`{"Shape":"f32[2,"}`), &out)
	if !errors.Is(err, xlashape.ErrParse) {
		t.Errorf("bad text in JSON: %v", err)
	}
}

func TestDeepAndWideTuples(t *testing.T) {
	deep := strings.Repeat("(", 8192) + strings.Repeat(")", 8192)
	shape, err := xlashape.ParseShape(deep)
	if err != nil {
		t.Fatal(err)
	}
	if shape.String() != deep {
		t.Error("a tuple nested 8192 deep does not come back")
	}
	if _, err := xlashape.ParseShape("(" + deep + ")"); err == nil {
		t.Error("8193 levels pass")
	}
	wide := xlashape.TupleShape(make([]xlashape.Shape, 3000)...)
	for i := range wide.TupleShapes {
		wide.TupleShapes[i] = xlashape.ArrayShape(xlashape.F32, int64(i))
	}
	back := xlashape.MustParseShape(wide.String())
	if !back.Equal(wide) || back.LeafCount() != 3000 {
		t.Error("a tuple of 3000 does not come back")
	}
	round := xlashape.TupleShape(xlashape.Shape{})
	round.TupleShapes[0] = round // shapes inside themselves end
	if err := round.Validate(); !errors.Is(err, xlashape.ErrInvalidArgument) {
		t.Errorf("a tuple in itself: %v", err)
	}
}

// Leaves are where Subshape finds them, as many as LeafCount says, and in the order of FlattenTuple.
func TestLeaves(t *testing.T) {
	for text, want := range map[string]string{
		"f32[2]{0}":    "[]f32[2]{0} ",
		"()":           "",
		"token[]":      "[]token[] ",
		"b(f32[2]{0})": "[]b(f32[2]{0}) ",
		"(f32[2]{0}, ((), s8[3]{0:S(1)}, (b(f32[5]{0}), token[])), opaque[])": "[0]f32[2]{0} [1 1]s8[3]{0:S(1)} [1 2 0]b(f32[5]{0}) [1 2 1]token[] [2]opaque[] ",
	} {
		shape, got := xlashape.MustParseShape(text), ""
		leaves := shape.Leaves()
		for _, leaf := range leaves {
			got += fmt.Sprint(leaf.Path) + leaf.Shape.String() + " "
			if at, err := shape.Subshape(leaf.Path...); err != nil || !at.Equal(leaf.Shape) {
				t.Errorf("%s at %v: %v, %v", text, leaf.Path, at, err)
			}
		}
		if got != want || len(leaves) != shape.LeafCount() {
			t.Errorf("%s: %q, not %q of %d", text, got, want, shape.LeafCount())
		}
		if flat, err := shape.FlattenTuple(); shape.ElementType == xlashape.Tuple && (err != nil || len(flat.TupleShapes) != len(leaves)) {
			t.Errorf("%s flattened: %v, %v", text, flat, err)
		}
	}
	// A path belongs to its leaf.
	leaves := xlashape.MustParseShape("(f32[2], f32[3])").Leaves()
	leaves[0].Path[0] = 7
	if leaves[1].Path[0] != 1 {
		t.Error("paths share memory")
	}
}

// A shape inside itself has no copy, no leaves and no paths; one nested as deep as it may be has.
func TestNestedTooDeepForCopies(t *testing.T) {
	round := xlashape.TupleShape(make([]xlashape.Shape, 3)...)
	round.TupleShapes[0], round.TupleShapes[2] = xlashape.ArrayShape(xlashape.F32), round
	buffer := xlashape.Shape{ElementType: xlashape.Buffer, TupleShapes: make([]xlashape.Shape, 1)}
	buffer.TupleShapes[0] = buffer
	nested := []xlashape.Shape{{ElementType: xlashape.F32}}
	for len(nested) <= 8193 {
		nested = append(nested, xlashape.TupleShape(nested[len(nested)-1]))
	}
	for _, none := range []xlashape.Shape{round, buffer, nested[8193]} {
		if err := none.Validate(); !errors.Is(err, xlashape.ErrInvalidArgument) {
			t.Error(err)
		}
		if copied := none.Clone(); !reflect.DeepEqual(copied, xlashape.Shape{}) || copied.Validate() == nil {
			t.Error("what is nested too deep has a copy")
		}
		if paths := none.MissingLayouts(); paths != nil {
			t.Errorf("what is nested too deep has %d paths", len(paths))
		}
		if leaves := none.Leaves(); none.ElementType == xlashape.Tuple && leaves != nil {
			t.Errorf("what is nested too deep has %d leaves", len(leaves))
		}
	}
	deepest := nested[8192]
	copied := deepest.Clone()
	if !copied.Equal(deepest) || &copied.TupleShapes[0] == &deepest.TupleShapes[0] {
		t.Error("a tuple nested 8192 deep has no copy")
	}
	if paths := deepest.MissingLayouts(); len(paths) != 1 || len(paths[0]) != 8192 {
		t.Errorf("%d paths", len(paths))
	}
	tuple := xlashape.MustParseShape("(f32[2]{0}, (s8[3]{0}, ()), b(f32[5]{0}))")
	twin := tuple.Clone()
	twin.TupleShapes[1].TupleShapes[0].Dimensions[0] = 4
	twin.TupleShapes[2].TupleShapes[0].Layout.MemorySpace = 1
	if text := tuple.String(); text != "(f32[2]{0}, (s8[3]{0}, ()), b(f32[5]{0}))" || twin.String() != "(f32[2]{0}, (s8[4]{0}, ()), b(f32[5]{0:S(1)}))" {
		t.Error(text, twin)
	}
}

func TestFacts(t *testing.T) {
	s := xlashape.MustParseShape("s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}")
	sizes, err := s.Sizes()
	if err != nil || sizes.Bytes != 16<<30 || sizes.LogicalBytes != 512<<20 || sizes.ElementBits != 32 {
		t.Errorf("%+v, %v", sizes, err)
	}
	if s.TrueRank() != 4 || s.IsDynamic() || s.IsUntiled() || !s.HasDegenerateDimensions() || !s.LastDimensionIsMostMinor() {
		t.Error("wrong facts")
	}
	if least, err := xlashape.MustParseShape("s4[6,5]{1,0:E(4)}").PieceGranularity(); err != nil || !reflect.DeepEqual(least, []int64{2, 5}) {
		t.Error(least, err)
	}
	strides, err := xlashape.MustParseShape("f32[2,3]{0,1}").Strides(xlashape.UnitBytes)
	if err != nil || !reflect.DeepEqual(strides, []int64{4, 8}) {
		t.Error(strides, err)
	}
	if _, err := xlashape.MustParseShape("bf16[128,256]{1,0:T(8,128)(2,1)}").Strides(xlashape.UnitBytes); !errors.Is(err, xlashape.ErrUnsupported) {
		t.Error(err)
	}
	total, err := xlashape.MustParseShape("(f32[2], (u8[3], f64[]))").ByteSizeRecursive()
	if err != nil || total != 8+3+8 {
		t.Error(total, err)
	}
}

func TestFormsOfOthers(t *testing.T) {
	s := xlashape.ArrayShape(xlashape.F32, 2, 3)
	for _, form := range []struct {
		write func() (string, error)
		read  func(string) (xlashape.Shape, error)
		want  string
	}{
		{func() (string, error) { return s.MLIR(0) }, xlashape.ParseMLIR, "tensor<2x3xf32>"},
		{s.CuTe, func(text string) (xlashape.Shape, error) { return xlashape.ParseCuTe(text, xlashape.F32, true) }, "(2,3):(3,1)"},
		{s.NumPy, func(text string) (xlashape.Shape, error) { return xlashape.ParseNumPy(text, true) },
			"{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}"},
	} {
		text, err := form.write()
		back, err2 := form.read(text)
		if text != form.want || err != nil || err2 != nil || !back.Equal(s) {
			t.Errorf("%s, want %s; back %v; %v, %v", text, form.want, back, err, err2)
		}
	}
	layout, err := xlashape.LayoutFromByteStrides(xlashape.F32, []int64{2, 3}, []int64{4, 8}, true)
	if err != nil || !layout.Equal(xlashape.ColumnMajor(2)) {
		t.Error(layout, err)
	}
	if n := xlashape.BF16.PJRT(); n != 13 || xlashape.ElementTypeFromPJRT(n) != xlashape.BF16 {
		t.Error("PJRT's number of bf16 is", n)
	}
}

func TestLayouts(t *testing.T) {
	l := xlashape.MustParseLayout("{2,1,0:T(8,128)}")
	major, err := l.MoveDimensionToMajor(1)
	if err != nil || major.String() != "{2,0,1:T(8,128)}" {
		t.Error(major, err)
	}
	minor, err := l.MoveDimensionToMinor(0)
	if err != nil || minor.String() != "{0,2,1:T(8,128)}" {
		t.Error(minor, err)
	}
	fewer, err := xlashape.RowMajor(3).DeleteDimensions(1)
	if err != nil || !fewer.Equal(xlashape.RowMajor(2)) {
		t.Error(fewer, err)
	}
	if order, err := xlashape.LayoutFromMajorToMinor([]int64{1, 0}); err != nil || !order.Equal(xlashape.ColumnMajor(2)) {
		t.Error(order, err)
	}
	bytes, err := l.Proto()
	if back, err2 := xlashape.LayoutFromProto(bytes); err != nil || err2 != nil || !reflect.DeepEqual(back, l) {
		t.Error(back, err, err2)
	}
	if !l.Equal(xlashape.RowMajor(3), xlashape.IgnoreTiles) || l.Equal(xlashape.RowMajor(3)) || !reflect.DeepEqual(l, l.Clone()) {
		t.Error("equality")
	}
}

func TestShapeUtilities(t *testing.T) {
	s := xlashape.MustParseShape("f32[1,3,1,5]{3,2,1,0}")
	for want, change := range map[string]func() (xlashape.Shape, error){
		"f32[3,5]{1,0}":             s.DropDegenerateDimensions,
		"bf16[1,3,1,5]{3,2,1,0}":    func() (xlashape.Shape, error) { return s.WithElementType(xlashape.BF16) },
		"f32[5,1,3,1]{0,3,2,1}":     func() (xlashape.Shape, error) { return s.PermuteDimensions([]int64{3, 0, 1, 2}) },
		"f32[1,3,2,1,5]{4,3,2,1,0}": func() (xlashape.Shape, error) { return s.InsertDimensions(2, []int64{2}, false) },
		"(f32[1,3,1,5]{3,2,1,0})":   xlashape.TupleShape(xlashape.TupleShape(s)).FlattenTuple,
		"s4[8]{0:E(4)}":             xlashape.ArrayShape(xlashape.S4, 8).WithPackedElements,
		"f32[8]{0}":                 xlashape.MustParseShape("f32[<=8]{0}").ToStatic,
		"f32[2,3]{1,0}":             xlashape.MustParseShape("f32[2,3]{0,1}").WithDefaultLayouts,
		"f32[3,2]{1,0}":             xlashape.MustParseShape("f32[2,3]{0,1}").ToPhysicalOrder,
		"f32[4]{0}": func() (xlashape.Shape, error) {
			return xlashape.MustParseShape("f32[4]{0:T(128)}").WithoutParts(xlashape.PartTiles)
		},
		"(f32[1,3,1,5]{3,2,1,0}, f32[])": func() (xlashape.Shape, error) {
			return xlashape.TupleShape(xlashape.TupleShape(s, xlashape.ArrayShape(xlashape.F32))).Subshape(0)
		},
	} {
		if got, err := change(); err != nil || got.String() != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
	}
	index := []int64{0, 2, 0, 4}
	if s.NextIndex(index) {
		t.Error("an index after the last one:", index)
	}
}

// Whatever the text: an error, or a shape that survives its own text. `go test -fuzz FuzzParseShape` goes on from here.
func FuzzParseShape(f *testing.F) {
	for _, text := range []string{"", "f32[2,3]{0,1}", "(f32[], (s4[<=8]{0:E(4)}, token[]))", "b(u8[3])", "f32[2,?]{1,0:T(2,*)(3)L(4)SC(0:1)}", "f32[2,<=3]{1,0:PD(3,4)PV(one)}",
		"f32[9223372036854775807,9223372036854775807]", "\xff\x00{", strings.Repeat("(", 9000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape, err := xlashape.ParseShape(text)
		if err != nil {
			var record *xlashape.Error
			if !errors.As(err, &record) || record.Message == "" {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		again, err := xlashape.ParseShape(shape.String())
		if err != nil || !again.Equal(shape, xlashape.MetadataPrefix) {
			t.Errorf("%q became %q, %v", text, again, err)
		}
	})
}
