package xlashape_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"xlashape"
)

// The corpus that all languages run: tests/data/golden. Its README.md says what a case is.

type golden map[string]any

// malformed is what a case itself does wrong; it is thrown, and never an answer.
type malformed string

func (g golden) field(name string) any {
	value, ok := g[name]
	if !ok {
		panic(malformed("the case has no field " + name))
	}
	return value
}

func (g golden) text(name string) string { return g.field(name).(string) }

func integer(value any) int64 {
	n, err := value.(json.Number).Int64()
	if err != nil {
		panic(malformed(err.Error()))
	}
	return n
}

func integers(value any) []int64 {
	list := []int64{}
	for _, item := range value.([]any) {
		list = append(list, integer(item))
	}
	return list
}

func paddingValue(name any) xlashape.PaddingValue {
	for i, known := range []string{"INVALID_PAD", "ZERO_PAD", "ONE_PAD", "LOWEST_PAD", "HIGHEST_PAD", "UNKNOWN_PAD"} {
		if name == known {
			return xlashape.PaddingValue(i)
		}
	}
	panic(malformed(fmt.Sprint(name, " is no padding value")))
}

// refused carries the library's error out of a case.
type refused struct{ err error }

func must[T any](value T, err error) T {
	if err != nil {
		panic(refused{err})
	}
	return value
}

func (g golden) shape(name, prefix string) xlashape.Shape {
	flags := xlashape.ParseFlags(0)
	if g["fill_missing_layouts"] == false {
		flags = xlashape.KeepMissingLayout
	}
	shape := must(xlashape.ParseShapeWith(g.text(name), flags))
	widths, value := g[prefix+"padded_dimensions"], g[prefix+"padding_value"]
	if widths == nil && value == nil {
		return shape
	}
	if shape.Layout == nil {
		panic(malformed("padding without a layout"))
	}
	if widths != nil {
		shape.Layout.PaddedDimensions = integers(widths)
	}
	if value != nil {
		shape.Layout.PaddingValue = paddingValue(value)
	}
	if err := shape.Validate(); err != nil {
		panic(refused{err})
	}
	return shape
}

// describe is a shape's structure as `parse` cases have it: what is at its default is left out.
func describe(s xlashape.Shape) any {
	switch s.ElementType {
	case xlashape.Token, xlashape.Opaque:
		return map[string]any{"kind": s.ElementType.String()}
	case xlashape.Tuple, xlashape.Buffer:
		elements := []any{}
		for _, element := range s.TupleShapes {
			elements = append(elements, describe(element))
		}
		return map[string]any{"kind": s.ElementType.String(), "elements": elements}
	}
	sizes, dynamic := []any{}, make([]bool, len(s.Dimensions))
	for i, size := range s.Dimensions {
		if size == xlashape.Unbounded {
			sizes = append(sizes, "?")
		} else {
			sizes = append(sizes, size)
		}
		dynamic[i] = s.DynamicDimensions != nil && s.DynamicDimensions[i]
	}
	out := map[string]any{"kind": "array", "type": s.ElementType.String(), "dimensions": sizes, "dynamic": dynamic}
	if s.Layout != nil {
		out["layout"] = describeLayout(s.Layout)
	}
	return out
}

func describeLayout(l *xlashape.Layout) any {
	out := map[string]any{"minor_to_major": append([]int64{}, l.MinorToMajor...)}
	tiles, splits := []any{}, []any{}
	for _, tile := range l.Tiles {
		sizes := []any{}
		for _, size := range tile {
			if size == xlashape.CombineDimension {
				sizes = append(sizes, "*")
			} else if size == xlashape.MatchDimension {
				sizes = append(sizes, "d")
			} else {
				sizes = append(sizes, size)
			}
		}
		tiles = append(tiles, sizes)
	}
	for _, split := range l.SplitConfigs {
		splits = append(splits, []any{split.Dimension, split.SplitIndices})
	}
	if len(tiles) > 0 {
		out["tiles"] = tiles
	}
	if len(splits) > 0 {
		out["split_configs"] = splits
	}
	for name, value := range map[string]int64{"element_size_in_bits": l.ElementSizeInBits,
		"tail_padding_alignment": l.TailPaddingAlignmentInElements, "memory_space": l.MemorySpace,
		"metadata_prefix_bytes": l.DynamicShapeMetadataPrefixBytes, "padding_value": int64(l.PaddingValue)} {
		if value != 0 {
			out[name] = value
		}
	}
	if len(l.PaddedDimensions) > 0 {
		out["padded_dimensions"] = l.PaddedDimensions
	}
	return out
}

var ignores = map[string]xlashape.Ignore{"layout": xlashape.IgnoreLayout, "tiles_in_layout": xlashape.IgnoreTiles,
	"tiles": xlashape.IgnoreTiles, "element_size": xlashape.IgnoreElementSize, "memory_space": xlashape.IgnoreMemorySpace,
	"tail_padding_alignment": xlashape.IgnoreTailPaddingAlignment,
	"tail_padding":           xlashape.IgnoreTailPaddingAlignment, "split_configs": xlashape.IgnoreSplitConfigs,
	"padding": xlashape.IgnorePadding, "minor_to_major_only": xlashape.MinorToMajorOnly,
	"all_but_minor_to_major": xlashape.MinorToMajorOnly, "dynamic": xlashape.IgnoreDynamicDimension,
	"element_type": xlashape.IgnoreElementType, "fp_precision": xlashape.IgnoreFPPrecision,
	"dynamic_dimension": xlashape.IgnoreDynamicDimension, "dimensions": xlashape.IgnoreDimensions, "buffer": xlashape.IgnoreBuffer}

func (g golden) ignored() (mask xlashape.Ignore) {
	names, _ := g["ignore"].([]any)
	for _, name := range names {
		bit, ok := ignores[name.(string)]
		if !ok {
			panic(malformed(fmt.Sprint("nothing is known that ignores ", name)))
		}
		mask |= bit
	}
	return mask
}

func (g golden) bitcast() xlashape.BitcastFlags {
	if g["ignore_element_type"] == true {
		return xlashape.BitcastXLA | xlashape.BitcastIgnoreElementType
	}
	return xlashape.BitcastXLA
}

// orNil makes "not there" an answer.
func orNil[T any](value T, err error) any {
	if errors.Is(err, xlashape.ErrNotFound) {
		return nil
	}
	return must(value, err)
}

func (g golden) indexMap() *xlashape.IndexMap {
	return must(xlashape.NewIndexMap(g.shape("shape", "")))
}

func listOf(numbers []int64) []int64 { return append([]int64{}, numbers...) }

var kinds = map[string]func(g golden) any{
	"parse":  func(g golden) any { return describe(g.shape("shape", "")) },
	"reject": func(g golden) any { return "accepted as " + g.shape("shape", "").String() },
	"print": func(g golden) any {
		if g["with_layout"] == false {
			return must(g.shape("shape", "").Format(xlashape.PrintWithoutLayout))
		}
		return string(must(g.shape("shape", "").MarshalText()))
	},
	"linear_index": func(g golden) any {
		m := g.indexMap()
		defer m.Close()
		return must(m.LinearIndex(integers(g.field("index"))...))
	},
	"multi_index": func(g golden) any {
		m := g.indexMap()
		defer m.Close()
		index := make([]int64, m.Rank())
		if must(m.MultidimensionalIndex(integer(g.field("linear")), index)) {
			return "padding"
		}
		return index
	},
	"element_count":    func(g golden) any { return must(g.shape("shape", "").ElementCount()) },
	"storage_elements": func(g golden) any { return must(g.shape("shape", "").Sizes()).StorageElements },
	"byte_size": func(g golden) any {
		size := int64(0)
		if g["pointer_size"] != nil {
			size = integer(g["pointer_size"])
		}
		return must(g.shape("shape", "").ByteSize(size, false))
	},
	"stride": func(g golden) any {
		s := g.shape("shape", "")
		return must(s.Strides(xlashape.UnitElements))[must(xlashape.DimensionNumber(s.Rank(), int(integer(g.field("dimension")))))]
	},
	"dimension_number": func(g golden) any {
		return must(xlashape.DimensionNumber(g.shape("shape", "").Rank(), int(integer(g.field("dimension")))))
	},
	"next_index": func(g golden) any {
		index := integers(g.field("index"))
		if !g.shape("shape", "").NextIndex(index) {
			return nil
		}
		return index
	},
	"to_memory": func(g golden) any {
		s := g.shape("shape", "")
		return g.image(xlashape.ArrayShape(s.ElementType, s.Dimensions...), s)
	},
	"relayout": func(g golden) any { return g.image(g.shape("src", "src_"), g.shape("dst", "dst_")) },
	"pack":     func(g golden) any { return hex.EncodeToString(g.pack()) },
	"bytes": func(g golden) any {
		source := must(hex.DecodeString(g.text("data")))
		return hex.EncodeToString(must(xlashape.Relayout(g.shape("src", "src_"), source, g.shape("dst", "dst_"), nil)))
	},
	"fill_value": func(g golden) any {
		t := must(xlashape.ParseElementType(g.text("type")))
		return hex.EncodeToString(must(paddingValue(g.field("padding_value")).Bytes(t)))
	},
	"primitive": func(g golden) any {
		var t xlashape.ElementType
		if err := t.UnmarshalText([]byte(g.text("type"))); err != nil {
			panic(refused{err})
		}
		return map[string]any{"number": int(t), "bits": t.Bits(), "bytes": t.StorageBits() / 8}
	},
	"equal":      func(g golden) any { return g.shape("a", "a_").Equal(g.shape("b", "b_"), g.ignored()) },
	"compatible": func(g golden) any { return g.shape("a", "a_").Compatible(g.shape("b", "b_"), g.ignored()) },
	"reshape_is_bitcast": func(g golden) any {
		return g.shape("a", "a_").ReshapeIsBitcast(g.shape("b", "b_"), g.bitcast())
	},
	"transpose_is_bitcast": func(g golden) any {
		return g.shape("a", "a_").TransposeIsBitcast(g.shape("b", "b_"), integers(g.field("permutation")), g.bitcast())
	},
	"deduce_transpose": func(g golden) any {
		return orNil(g.shape("a", "a_").DeduceTranspose(g.shape("b", "b_"), g.bitcast()))
	},
	"unmodified_dims": func(g golden) any {
		return must(xlashape.DimensionsUnmodifiedByReshape(g.shape("a", "a_").Dimensions, g.shape("b", "b_").Dimensions))
	},
	"inserted_deleted_ones": func(g golden) any {
		deleted, inserted, err := g.shape("a", "a_").InsertedOrDeletedOnes(g.shape("b", "b_"))
		return orNil([]any{listOf(deleted), listOf(inserted)}, err)
	},
	"align_layouts": func(g golden) any {
		layout, err := g.shape("shape", "").AlignLayouts(integers(g.field("output_dimensions")), xlashape.BitcastXLA)
		if layout == nil {
			return orNil[any](nil, err)
		}
		return layout.MinorToMajor
	},
	"permute_dims": func(g golden) any {
		return must(g.shape("shape", "").PermuteDimensions(integers(g.field("permutation")))).String()
	},
	"delete_dims": func(g golden) any {
		return must(g.shape("shape", "").DeleteDimensions(integers(g.field("dimensions"))...)).String()
	},
	"insert_dims": func(g golden) any {
		return must(g.shape("shape", "").InsertDimensions(int(integer(g.field("at"))), integers(g.field("sizes")), false)).String()
	},
	"descending_same_physical": func(g golden) any { return must(g.shape("shape", "").ToPhysicalOrder()).String() },
	"normalized_transpose": func(g golden) any {
		sizes, order, err := xlashape.NormalizedTranspose(integers(g.field("output_dimensions")), integers(g.field("permutation")))
		return must([]any{sizes, order}, err)
	},
	"true_rank":           func(g golden) any { return g.shape("shape", "").TrueRank() },
	"logical_to_physical": func(g golden) any { return listOf(must(g.shape("shape", "").Layout.LogicalToPhysical())) },
	"leaf_count":          func(g golden) any { return g.shape("shape", "").LeafCount() },
	"max_split_size": func(g golden) any {
		return must(g.shape("shape", "").MaxSplitSize(int(integer(g.field("dimension")))))
	},
	"subshape":     func(g golden) any { return must(g.shape("shape", "").Subshape(integers(g.field("path"))...)).String() },
	"proto_encode": func(g golden) any { return hex.EncodeToString(must(g.shape("shape", "").Proto())) },
}

func stageOf(err error) string {
	switch {
	case errors.Is(err, xlashape.ErrParse):
		return "syntax"
	case errors.Is(err, xlashape.ErrInvalidArgument), errors.Is(err, xlashape.ErrOverflow):
		return "validate"
	}
	return "value"
}

// short gives the corpus' names of fields their short form, and drops nulls.
func short(value any) any {
	names := map[string]string{"tail_padding_alignment_in_elements": "tail_padding_alignment",
		"dynamic_shape_metadata_prefix_bytes": "metadata_prefix_bytes"}
	fields, ok := value.(map[string]any)
	if !ok {
		if list, ok := value.([]any); ok {
			for i := range list {
				list[i] = short(list[i])
			}
		}
		return value
	}
	out := map[string]any{}
	for name, item := range fields {
		if name == "padding_value" {
			item = json.Number(fmt.Sprint(int(paddingValue(item))))
		}
		if to, ok := names[name]; ok {
			name = to
		}
		if item != nil {
			out[name] = short(item)
		}
	}
	return out
}

// plain is a value as JSON reads it back.
func plain(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(malformed(err.Error()))
	}
	return decode(text)
}

func decode(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		panic(malformed(err.Error()))
	}
	return value
}

// run is "" for a case that passes, else what is wrong with it.
func (g golden) run() (wrong string) {
	want := g["expect"]
	expected, _ := want.(map[string]any)
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case refused:
			stage := stageOf(thrown.err)
			if expected["error"] == nil || (expected["stage"] != nil && expected["stage"] != stage) {
				wrong = fmt.Sprintf("got %v (%s), want %v", thrown.err, stage, want)
			}
		default:
			wrong = fmt.Sprint("panic: ", thrown)
		}
	}()
	kind, ok := kinds[g.text("kind")]
	if !ok {
		return "unknown kind " + g.text("kind")
	}
	got := plain(kind(g))
	if g["kind"] == "parse" {
		want = short(want)
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("got %.400v, want %.400v", got, want)
	}
	return ""
}

func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../tests/data/golden/*.jsonl")
	if len(files) == 0 {
		t.Fatal("there are no golden cases at ../../tests/data/golden")
	}
	passed, failed := 0, 0
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			if strings.TrimSpace(lines.Text()) == "" {
				continue
			}
			g := golden(decode(lines.Bytes()).(map[string]any))
			if wrong := g.run(); wrong != "" {
				failed++
				t.Errorf("FAIL %v: %s", g["id"], wrong)
			} else {
				passed++
			}
		}
		if lines.Err() != nil {
			t.Fatal(lines.Err())
		}
	}
	fmt.Printf("corpus: %d passed, %d failed\n", passed, failed)
}
