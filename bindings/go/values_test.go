// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Shapes, layouts, targets and pictures. What the library answers is the library's to test, and the golden cases run
// here, too: see corpus_test.go. Here each method is called once that they do not call, and all that Go does itself.

func equals(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func wants(t *testing.T, err error, code error, part string) {
	t.Helper()
	if !errors.Is(err, code) || !strings.Contains(err.Error(), part) {
		t.Errorf("got %v, want %v with %q", err, code, part)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// all is what a function returned, as a text: the values, or the error.
func all(values ...any) string {
	if err, failed := values[len(values)-1].(error); failed {
		return err.Error()
	}
	return strings.TrimSuffix(fmt.Sprintln(values...), " <nil>\n")
}

func bare(text string) Shape { return must(ParseShapeWith(text, KeepMissingLayout)) }

func TestEveryMethod(t *testing.T) {
	s, tiled := MustParseShape("f32[1,3,1,5]{3,2,1,0}"), MustParseShape("u8[3,4]{0,1:T(2,2)}")
	rows, columns := MustParseShape("f32[2,3]{1,0}"), MustParseShape("f32[2,3]{0,1}")
	packed := MustParseShape("s4[6,5]{1,0:E(4)}")
	tuple, open := MustParseShape("(f32[2], (u8[3], f64[]))"), MustParseShape("f32[<=4,?]")
	split, layout := MustParseShape("f32[8,6]{1,0:SC(0:3)}"), MustParseLayout("{2,1,0:T(8,128)}")
	box := Box{Base: []int64{1, 2}, Count: []int64{2, 3}, Step: []int64{1, 2}, Order: []int64{0, 1}}
	v5e, offset := must(ParseTarget("tpu:v5e")), "memref<2x3xf32, strided<[1, 2], offset: 6>>"
	pjrt, _ := ElementTypeFromPJRT(13).MarshalText()
	shape, afterShape, errOfShape := ParseShapeHead("(f32[2], s8[]) tuple(%a)")
	kept, afterKept, errOfKept := ParseShapeHeadWith("f32[2]é", KeepMissingLayout)
	head, afterHead, errOfHead := ParseLayoutHead("{1,0:T(2)}, x")
	parts := must(MustParseShape("f32[4,6]{0,1}").DecomposeBitcast(MustParseShape("f32[3,8]{0,1}"), 0))
	for i, c := range []struct{ got, want string }{
		{all(s.DropDegenerateDimensions()), "f32[3,5]{1,0}"},
		{all(s.WithElementType(BF16)), "bf16[1,3,1,5]{3,2,1,0}"},
		{all(rows.PermuteDimensions([]int64{1, 0})), "f32[3,2]{0,1}"},
		{all(rows.PermuteDimensionsKeepLayout([]int64{1, 0})), "f32[3,2]{1,0}"},
		{all(rows.InsertDimensions(1, []int64{7}, false)), "f32[2,7,3]{2,1,0}"},
		{all(rows.InsertDimensions(1, []int64{7}, true)), "f32[2,7,3]{2,0,1}"},
		{all(tuple.FlattenTuple()), "(f32[2]{0}, u8[3]{0}, f64[])"},
		{all(ArrayShape(S4, 8).WithPackedElements()), "s4[8]{0:E(4)}"},
		{all(MustParseShape("f32[<=8]{0}").ToStatic()), "f32[8]{0}"},
		{all(columns.WithDefaultLayouts()), "f32[2,3]{1,0}"},
		{all(tiled.WithoutLayoutFields(LayoutFieldTiles, LayoutFieldMemorySpace)), "u8[3,4]{0,1}"},
		{columns.WithLayout(nil).String() + fmt.Sprint(columns.Rank(), columns.IsArray(), tuple.IsArray()),
			"f32[2,3]2 true false"},
		{all(open.StaticElementCount()), "4"}, {all(tuple.ElementCountRecursive()), "6"},
		{all(tuple.ByteSizeRecursive()), "19"},
		{all(split.MaxElementsPerSplit()), "30"}, {all(packed.PieceGranularity()), "[2 5]"},
		{all(columns.Strides(UnitBytes)), "[4 8]"}, {all(columns.Strides(UnitBits)), "[32 64]"},
		{all(tuple.ByteSize(8, true)), "16"}, {all(tiled.Sizes()), "{8 12 16 12 16 16 15 4 0}"},
		{fmt.Sprint(open.IsDynamic(), open.IsUnbounded(), rows.IsDynamic(), rows.IsUnbounded()),
			"true true false false"},
		{fmt.Sprint(ArrayShape(F32, 1).IsEffectiveScalar(), rows.IsEffectiveScalar()), "true false"},
		{fmt.Sprint(rows.IsUntiled(), tiled.IsUntiled()), "true false"},
		{fmt.Sprint(rows.LastDimensionIsMostMinor(), columns.LastDimensionIsMostMinor()), "true false"},
		{fmt.Sprint(s.HasDegenerateDimensions(), rows.HasDegenerateDimensions()), "true false"},
		{fmt.Sprint(bare("(f32[2]{0}, (s8[3], token[], b(f32[5])))").MissingLayouts(), tuple.MissingLayouts()),
			"[[1 0] [1 2]] []"},
		{all(must(rows.Hash()) == must(columns.Hash()),
			must(rows.Hash(IgnoreLayout)) == must(columns.Hash(IgnoreLayout))), "false true"},
		{all(shape, afterShape, errOfShape), "(f32[2]{0}, s8[])  tuple(%a)"},
		{all(kept, afterKept, errOfKept), "f32[2] é"},
		{all(head, afterHead, errOfHead), "{1,0:T(2)} , x"},
		{all(parts.Kind == BitcastTRT, parts.Transpose1, parts.ReshapeFrom, parts.ReshapeTo, parts.Transpose2, nil),
			"true [1 0] f32[6,4]{1,0} f32[8,3]{1,0} [1 0]"},
		{all(rows.DecomposeBitcast(ArrayShape(F32, 5), 0)), "xlashape: not found"},

		{all(layout.MoveDimensionToMajor(1)), "{2,0,1:T(8,128)}"},
		{all(layout.MoveDimensionToMinor(0)), "{0,2,1:T(8,128)}"},
		{all(RowMajor(3).DeleteDimensions(1)), "{1,0}"}, {all(LayoutFromMajorToMinor([]int64{1, 0})), "{0,1}"},
		{all(LayoutFromByteStrides(F32, []int64{2, 3}, []int64{4, 16}, false)), "{0,1:PD(4,3)}"},
		{all(LayoutFromByteStrides(F32, []int64{2, 3}, []int64{4, 16}, true)), "xlashape: unsupported: "},
		{all(LayoutFromByteStrides(F32, []int64{2}, nil, false)),
			"xlashape: invalid argument: there are 1 dimensions and 0 byte strides"},
		{all(layout.Format(PrintWithoutLayout)), "xlashape: invalid argument: "},
		{all(LayoutFromProto(must(layout.Proto()))), layout.String()},
		{fmt.Sprint(layout.Equal(RowMajor(3)), layout.Equal(RowMajor(3), IgnoreTiles), layout.Rank()), "false true 3"},
		{all(must(layout.Hash()) == must(RowMajor(3).Hash()),
			must(layout.Hash(IgnoreTiles)) == must(RowMajor(3).Hash(IgnoreTiles))), "false true"},
		{Tile{8, CombineDimension, MatchDimension}.Text() + SplitConfig{1, []int64{4, 8}}.Text(), "(8,*,d)(1:4,8)"},

		{all(rows.FormatAs(NotationMLIR)), "tensor<2x3xf32>"},
		{all(columns.FormatAs(NotationMLIR)), "xlashape: unsupported: "},
		{all(columns.FormatAs(NotationMLIR, PrintWithoutLayout)), "tensor<2x3xf32>"},
		{all(columns.FormatAs(NotationMemRef)), "memref<2x3xf32, strided<[1, 2]>>"},
		{all(columns.FormatAs(NotationCuTe)), "(2,3):(1,2)"},
		{all(rows.FormatAs(NotationNumPy)), "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}"},
		{all(tiled.FormatAs(NotationOneDNN)), "BA2b2a"},
		{all(tiled.FormatAs(NotationPack)), "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2]"},
		{all(tiled.FormatAs(NotationJAX)), "Layout(major_to_minor=(1, 0), tiling=((2, 2),), sub_byte_element_size_"},
		{all(tuple.FormatAs(NotationCuTe)), "xlashape: unsupported: "},
		{all(rows.FormatAs(99)), "xlashape: invalid argument: notation 99"},
		{all(rows.FormatAs(NotationCuTe, PrintWithoutLayout)), "xlashape: incompatible: flags"},
		{all(ReadShape("tensor<2x3xf32>")), "f32[2,3]{1,0}"},
		{all(ReadShape("float32[2,3]{col}")), "f32[2,3]{0,1}"},
		{all(ReadShape("{'shape': (2, 3), 'dtype': '<f4'}")), "f32[2,3]{1,0}"},
		{all(ReadShape("f32 (2,3):(4,1)")), "f32[2,3]{1,0:PD(2,4)}"},
		{all(ReadShape(offset)), "xlashape: unsupported: a shape has no offset, this memref begins at element 6"},
		{all(ReadShape("float32[2,x]")), "xlashape: parse: expected a dimension size, <= or ?, found 'x' (at byte 10)"},
		{all(ReadShape("f32[2]\x00")), "xlashape: parse: "}, {all(ReadShape("")), "xlashape: parse: "},
		{all(ReadShapeWithOffset(offset, 0, true)), "f32[2,3]{0,1} 6"},
		{all(ReadShapeWithOffset("f32 (2,3):(4,1)", 0, false)), "f32[2,3]{1,0:PD(2,4)} 0"},
		{all(ReadShapeWithOffset("f32 (2,3):(4,1)", 0, true)), "xlashape: unsupported: "},
		{all(ReadShapeWithOffset("float32[2,3]", KeepMissingLayout, true)), "f32[2,3] 0"},
		{all(MustParseShape("u8[4,6,3]").WithWords("HWC->CHW")), "u8[4,6,3]{1,0,2} u8[3,4,6]{2,1,0}"},
		{all(MustParseShape("f32[8,60,5,5]").WithWords("nChw16c")), "f32[8,60,5,5]{3,2,1,0:T(16,1,1)} f32[8,60,5,5]{3,2"},
		{all(rows.WithWords("(2,3):(4,1)")), "f32[2,3]{1,0:PD(2,4)} f32[2,3]{1,0:PD(2,4)}"},
		{all(rows.WithWordsCompact("(2,3):(4,1)")), "xlashape: unsupported: "},
		{all(rows.WithWordsCompact("ba")), "f32[2,3]{0,1} f32[2,3]{0,1}"},
		{all(rows.WithWords("rwo")), "xlashape: parse: expected a layout, found 'rwo': did you mean row? (at byte 0)"},
		{all(rows.WithWords("1,1")), "xlashape: invalid argument: "}, {all(rows.WithWords("")), "xlashape: parse: "},
		{all(tuple.WithWords("row")), "xlashape: unsupported: "},
		{all(rows.WithWords("swizzle")), "xlashape: unsupported: "},
		{all(Shape{}.WithWords("row")), "xlashape: invalid argument: "},
		{all(ReadElementType("torch.bfloat16")), "bf16"}, {all(ReadElementType("<f4")), "f32"},
		{all(ReadElementType("float")), "xlashape: not found: "}, {all(ReadElementType("")), "xlashape: not found: "},
		{all(ShapeFromProto(must(tuple.Proto()), 0)), tuple.String()},
		{fmt.Sprint(BF16.PJRT(), string(pjrt)), "13bf16"},
		{all(BF16.FloatFormat()), "{8 8 127 -125 128 true true true true}"},
		{all(S32.FloatFormat()), "xlashape: unsupported: "},
		{fmt.Sprint(S8.CastPreservesValues(BF16), S32.CastPreservesValues(F32)), "true false"},

		{all(box.IndexCount()), "4"}, {all(box.IndexAt(3)), "[2 4]"}, {all(box.IndexAt(4)), "xlashape: out of range: "},
		{all(ParseTarget("tpu:v5e")), "tpu:v5e"}, {all(ParseTarget("TPU v5 lite")), "tpu:v5e"},
		{fmt.Sprint(Targets()[v5e]), "tpu:v5e"},
		{fmt.Sprint(XLAVersion() >= 20261026), "true"}, {all(ParseTarget("tpu:v5e\x00")), "xlashape: not found: "},
		{all(v5e.Properties()), "{128 8 4 512}"}, {all(v5e.TupleBytes(300)), "1536"},
		{all(v5e.MemorySpaceName(1)), "vmem"},
		{all(v5e.MemorySpaceName(99)), "xlashape: unsupported: the name of memory space 99 of tpu:v5e"},
		{Target(77).String(), "Target(77)"},
		{all(Target(77).MarshalText()), "xlashape: out of range: Target(77) is no target"},
		{all(v5e.Layout(F32, []int64{1000, 3}, nil)), "{0,1:T(4,128)}"},
		{all(v5e.Layout(F32, []int64{1000, 3}, []int64{1, 0})), "{1,0:T(8,128)}"},
		{all(v5e.Layout(F32, []int64{2, 3}, []int64{0})),
			"xlashape: invalid argument: there are 2 dimensions, the order has 1"},
		{all(bare("f32[1000,3]{1,0:T(2,2)S(1)}").ForTarget(v5e)), "f32[1000,3]{0,1:T(4,128)}"},
		{all(bare("f32[1000,3]{1,0:T(2,2)S(1)}").ForTargetKeepOrder(v5e)), "f32[1000,3]{1,0:T(8,128)}"},

		{all(ParseShape("f32[2,x]")), "xlashape: parse: expected a dimension size, <= or ?, found 'x' (at byte 6)"},
		{all(ParseShape("f32[2]{1}")), "xlashape: invalid argument: minor_to_major"},
		{all(ParseShape("f32[2]\x00")), "xlashape: parse: "},
		{all(ParseElementType("F32")), "xlashape: not found: "}, {all(open.Sizes()), "xlashape: unsupported: "},
		{all(ArrayShape(F32, 1<<62, 8).Sizes()), "xlashape: overflow: "},
		{ErrOutOfRange.Error() + Code(99).String(), "out of rangeunknown"},
	} {
		if !strings.HasPrefix(c.got, c.want) {
			t.Errorf("row %d: got %q, want %q", i, c.got, c.want)
		}
	}
	_, err := bare("(f32[2], token[], (f32[3], f32[?,4]))").ForTarget(v5e)
	var record *Error
	if !errors.As(err, &record) || record.Index != 2 || record.Offset != -1 || record.Source != 0 ||
		record.Code != ErrUnsupported {
		t.Errorf("%+v", record)
	}
	busy := &Error{Code: ErrCancelled, Offset: -1, Message: "gave up", Cause: &Error{Code: ErrBusy, Offset: -1,
		Message: "later"}}
	equals(t, busy.Error(), "xlashape: cancelled: gave up: busy: later")
	defer func() { wants(t, recover().(error), ErrParse, "") }()
	MustParseShape("no shape")
}

// Texts, messages and each field go to the library and come back, alone and with all others.
func TestThereAndBack(t *testing.T) {
	order := []int64{1, 0}
	full := Layout{MinorToMajor: order, PaddedDimensions: []int64{16, 256}, PaddingValue: PadLowest,
		Tiles:             []Tile{{8, 128}, {2, 1}},
		ElementSizeInBits: 16, TailPaddingAlignmentInElements: 4096, MemorySpace: -3, SplitConfigs: []SplitConfig{{0,
			[]int64{2, 5}}, {1, []int64{7}}},
		DynamicShapeMetadataPrefixBytes: 64}
	shapes := []Shape{{ElementType: BF16, Layout: &Layout{}}}
	value := reflect.ValueOf(full)
	for i := -1; i < value.NumField(); i++ {
		layout := full
		if i >= 0 {
			layout = Layout{MinorToMajor: order}
			reflect.ValueOf(&layout).Elem().Field(i).Set(value.Field(i))
		}
		shape := Shape{ElementType: BF16, Dimensions: []int64{16, 200}, Layout: &layout}
		shapes = append(shapes, shape, TupleShape(shape, shape))
	}
	for _, text := range []string{"f32[]", "f32[<=8,?]", "token[]", "opaque[]", "()",
		"(f32[2]{0}, (), (s32[1,2]{0,1}, token[]))", "b(f32[8,16]{1,0})"} {
		shapes = append(shapes, bare(text))
		equals(t, bare(text).String(), text)
	}
	wide := TupleShape(make([]Shape, 3000)...)
	for i := range wide.TupleShapes {
		wide.TupleShapes[i] = ArrayShape(F32, int64(i))
	}
	for _, want := range append(shapes, wide) {
		same, err := want.Subshape()
		equals(t, []any{same, err, want.Validate()}, []any{want, nil, nil})
		equals(t, []any{must(ShapeFromProto(must(want.Proto()), KeepMissingLayout)), want.Equal(want.Clone())},
			[]any{want, true})
	}
	type file struct {
		Shape  Shape
		Layout *Layout
		Type   ElementType
		Target Target
	}
	in, out := file{ArrayShape(F32, 2, 3), ColumnMajor(2), F8E4M3FN, must(ParseTarget("tpu:v5e"))}, file{}
	text := must(json.Marshal(in))
	equals(t, string(text), `{"Shape":"f32[2,3]{1,0}","Layout":"{0,1}","Type":"f8e4m3fn","Target":"tpu:v5e"}`)
	equals(t, []any{json.Unmarshal(text, &out), out}, []any{nil, in})
	wants(t, json.Unmarshal([]byte(`{"Shape":"f32[2,"}`), &out), ErrParse, "")
	wants(t, json.Unmarshal([]byte(`{"Target":"tpu:v1"}`), &out), ErrNotFound, "")
}

// Copies share nothing. A shape inside itself, or one nested too deep, is refused, and has no copy, no leaves and no
// paths.
func TestCopiesAndDepth(t *testing.T) {
	tuple := MustParseShape("(f32[2]{0}, (s8[3]{0:T(4)}, ()), b(f32[<=5]{0:SC(0:1)}))")
	twin := tuple.Clone()
	twin.TupleShapes[1].TupleShapes[0].Dimensions[0] = 4
	twin.TupleShapes[1].TupleShapes[0].Layout.Tiles[0][0] = 8
	twin.TupleShapes[2].TupleShapes[0].DynamicDimensions[0] = false
	twin.TupleShapes[2].TupleShapes[0].Layout.SplitConfigs[0].SplitIndices[0] = 2
	equals(t, tuple.String()+twin.String(), "(f32[2]{0}, (s8[3]{0:T(4)}, ()), b(f32[<=5]{0:SC(0:1)}))"+
		"(f32[2]{0}, (s8[4]{0:T(8)}, ()), b(f32[5]{0:SC(0:2)}))")
	leaves := MustParseShape("(f32[2], ((), s8[3], (b(f32[5]), token[])))").Leaves()
	equals(t, fmt.Sprint(leaves), "[{[0] f32[2]{0}} {[1 1] s8[3]{0}} {[1 2 0] b(f32[5]{0})} {[1 2 1] token[]}]")
	leaves[0].Path[0] = 7 // a path belongs to its leaf
	equals(t, leaves[1].Path, []int64{1, 1})

	deep := strings.Repeat("(", 8192) + strings.Repeat(")", 8192)
	equals(t, MustParseShape(deep).String(), deep)
	wants(t, must(Shape{}, nil).Validate(), ErrInvalidArgument, "element type")
	round := TupleShape(make([]Shape, 3)...)
	round.TupleShapes[0], round.TupleShapes[2] = ArrayShape(F32), round
	buffer := Shape{ElementType: Buffer, TupleShapes: make([]Shape, 1)}
	buffer.TupleShapes[0] = buffer
	nested := []Shape{{ElementType: F32}}
	for len(nested) <= 8193 {
		nested = append(nested, TupleShape(nested[len(nested)-1]))
	}
	for _, none := range []Shape{round, buffer, nested[8193]} {
		wants(t, none.Validate(), ErrInvalidArgument, "")
		equals(t, none.Clone(), Shape{})
		if none.MissingLayouts() != nil || (none.ElementType == Tuple && none.Leaves() != nil) {
			t.Error("what is nested too deep has leaves or paths")
		}
	}
	if paths := nested[8192].MissingLayouts(); len(paths) != 1 || len(paths[0]) != 8192 ||
		!nested[8192].Clone().Equal(nested[8192]) {
		t.Errorf("%d paths", len(paths))
	}
}

// What is no shape or layout is an error wherever it is used, which names the place and the value.
func TestValuesThatAreNone(t *testing.T) {
	for part, shape := range map[string]Shape{
		"99":                {ElementType: 99, Dimensions: []int64{1}},
		"-3":                ArrayShape(F32, 2, -3),
		"DynamicDimensions": {ElementType: F32, Dimensions: []int64{2}, DynamicDimensions: []bool{true, false}},
		"TupleShapes":       {ElementType: F32, TupleShapes: []Shape{{ElementType: Token}}},
		"Dimensions":        {ElementType: Token, Dimensions: []int64{2}},
		"it must have one":  {ElementType: Buffer},
		"a buffer":          {ElementType: Buffer, TupleShapes: []Shape{TupleShape()}},
		"rank":              {ElementType: F32, Dimensions: []int64{2}, Layout: RowMajor(2)},
	} {
		wants(t, shape.Validate(), ErrInvalidArgument, part)
		if text := shape.String(); !strings.HasPrefix(text, "!(xlashape: ") {
			t.Errorf("what is no shape prints as %s", text)
		}
		_, err := shape.Hash()
		wants(t, err, ErrInvalidArgument, part)
		equals(t, []any{shape.Equal(shape), shape.TrueRank(), shape.IsUntiled()}, []any{false, 0, false})
	}
	for _, wrong := range []*Layout{
		{MinorToMajor: []int64{0}, Tiles: []Tile{{}}},
		{MinorToMajor: []int64{0}, SplitConfigs: []SplitConfig{{-1, nil}}},
		{PaddedDimensions: []int64{1}}, {PaddingValue: 77}, {PaddingValue: math.MinInt32}, {ElementSizeInBits: -1},
		{MemorySpace: 128},
		{TailPaddingAlignmentInElements: -1}, {DynamicShapeMetadataPrefixBytes: -1}, {MinorToMajor: []int64{1}},
		{MinorToMajor: []int64{0}, PaddedDimensions: []int64{1, 2}},
	} {
		wants(t, wrong.Validate(), ErrInvalidArgument, "")
	}
	for _, rank := range []int{-1, math.MinInt, 1<<24 + 1, math.MaxInt} { // no memory is asked for
		wants(t, RowMajor(rank).Validate(), ErrInvalidArgument, fmt.Sprintf("dimension %d", rank))
		wants(t, ArrayShape(F32).WithLayout(ColumnMajor(rank)).Validate(), ErrInvalidArgument, "")
	}
	var l *Layout
	for _, text := range []string{all(l.Validate()), all(l.UnmarshalText([]byte("{0}"))), all(l.Hash()),
		all(l.Format(0)), all(l.MarshalText()), all(l.Proto()), all(l.LogicalToPhysical()),
		all(l.DeleteDimensions(0)), all(l.MoveDimensionToMajor(0)), all(l.MoveDimensionToMinor(0))} {
		equals(t, text, "xlashape: invalid argument: there is no layout: it is nil")
	}
	equals(t, []any{l.Rank(), l.String(), l.Clone(), l.Equal(nil), l.Equal(RowMajor(0))}, []any{0, "<no layout>", l,
		true, false})
	wants(t, (*Shape)(nil).UnmarshalText([]byte("f32[]")), ErrInvalidArgument, "there is no shape: it is nil")
	wants(t, (*ElementType)(nil).UnmarshalText([]byte("f32")), ErrInvalidArgument,
		"there is no element type: it is nil")
	wants(t, (*Target)(nil).UnmarshalText([]byte("cpu")), ErrInvalidArgument, "there is no target: it is nil")
}

// Boxes are walked; what IndexCount and IndexAt refuse has no walk, and an index that the walk does not come to stays
// as it is.
func TestBoxes(t *testing.T) {
	box := Box{Base: []int64{0, 0}, Count: []int64{2, 3}, Step: []int64{1, 1}, Order: []int64{0, 1}}
	index, seen := must(box.IndexAt(0)), ""
	for more := true; more; more = box.NextIndex(index) {
		seen += fmt.Sprint(index)
	}
	equals(t, seen, "[0 0][1 0][0 1][1 1][0 2][1 2]")
	one, two, none := []int64{1, 1}, []int64{2, 2}, []int64{0, 0}
	for want, box := range map[string]Box{
		"Order has dimension 0 twice":                   {none, two, one, []int64{0, 0}},
		"Order has dimension 5, which is not in [0, 2)": {none, two, one, []int64{5, 0}},
		"Order 1": {none, two, one, []int64{1}},
		"Step 1":  {none, two, one[:1], nil},
		"Count[0] is -1, it must not be negative": {none, []int64{-1, 2}, one, nil},
		"Step[1] is -1, it must not be negative":  {none, two, []int64{1, -1}, nil},
		"Base[1] is 9223372036854775807":          {[]int64{0, math.MaxInt64}, two, one, nil},
	} {
		_, err := box.IndexCount()
		_, same := box.IndexAt(0)
		equals(t, same, err)
		index := append([]int64(nil), box.Base...)
		if err == nil || !strings.Contains(err.Error(), want) || box.NextIndex(index) || !reflect.DeepEqual(index,
			box.Base) {
			t.Errorf("IndexCount says %v, want %q; %v", err, want, index)
		}
	}
	far := Box{Base: []int64{1, 2, 7}, Count: []int64{2, 3, 5}, Step: []int64{1, 2, 0}}
	for _, index := range [][]int64{{7, -3, 7}, {1, 3, 7}, {0, 2, 7}, {1, 6, 7}, {1, 2, 8}, {math.MinInt64, 2, 7},
		{1, 2}, nil} {
		stays := append([]int64(nil), index...)
		equals(t, []any{far.NextIndex(index), index}, []any{false, stays})
	}
	equals(t, all(Box{Base: []int64{math.MaxInt64, 0}, Count: []int64{2, 0}, Step: one}.IndexCount()), "0")
	wide := Box{Base: []int64{math.MinInt64}, Count: []int64{math.MaxInt64}, Step: []int64{1}}
	index = []int64{-3}
	equals(t, []any{wide.NextIndex(index), index, wide.NextIndex(index), index}, []any{true, []int64{-2}, false,
		[]int64{-2}})
}

// Whatever the text: an error, or a shape that survives its own text. `go test -fuzz FuzzParseShape` goes on from here.
func FuzzParseShape(f *testing.F) {
	for _, text := range []string{"", "f32[2,3]{0,1}", "(f32[], (s4[<=8]{0:E(4)}, token[]))", "b(u8[3])",
		"f32[2,?]{1,0:T(2,*)(3)L(4)SC(0:1)}",
		"f32[9223372036854775807,9223372036854775807]", "\xff\x00{", strings.Repeat("(", 9000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape, err := ParseShape(text)
		if err != nil {
			var record *Error
			if !errors.As(err, &record) || record.Message == "" {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		again, err := ParseShape(shape.String())
		if err != nil || !again.Equal(shape, IgnoreNothing) {
			t.Errorf("%q became %q, %v", text, again, err)
		}
	})
}
