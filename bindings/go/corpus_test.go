// SPDX-License-Identifier: Apache-2.0

package xlashape

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

func (g golden) text(name string) string  { return g.field(name).(string) }
func (g golden) number(name string) int64 { return integer(g.field(name)) }
func (g golden) list(name string) []int64 { return integers(g.field(name)) }
func (g golden) the() Shape               { return g.shape("shape", "") }
func (g golden) a() Shape                 { return g.shape("a", "a_") }
func (g golden) b() Shape                 { return g.shape("b", "b_") }
func (g golden) src() Shape               { return g.shape("src", "src_") }
func (g golden) dst() Shape               { return g.shape("dst", "dst_") }

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

func paddingValue(name any) PaddingValue {
	for i, known := range []string{"INVALID_PAD", "ZERO_PAD", "ONE_PAD", "LOWEST_PAD", "HIGHEST_PAD", "UNKNOWN_PAD"} {
		if name == known {
			return PaddingValue(i)
		}
	}
	panic(malformed(fmt.Sprint(name, " is no padding value")))
}

func printed(shape Shape, err error) string { return must(shape, err).String() }

func (g golden) shape(name, prefix string) Shape {
	flags := ParseFlags(0)
	if g["fill_missing_layouts"] == false {
		flags = KeepMissingLayout
	}
	shape := must(ParseShapeWith(g.text(name), flags))
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
		panic(err)
	}
	return shape
}

// structured is the shape that a `parse` case describes: what is at its default is left out.
func structured(described any) Shape {
	g := golden(described.(map[string]any))
	switch kind := g.text("kind"); kind {
	case "array":
		s := Shape{ElementType: must(ParseElementType(g.text("type")))}
		for i, size := range g.field("dimensions").([]any) {
			s.Dimensions = append(s.Dimensions, sizeIn(size))
			if dynamic := g.field("dynamic").([]any); dynamic[i] == true {
				s.DynamicDimensions = make([]bool, len(dynamic))
			}
		}
		for i := range s.DynamicDimensions {
			s.DynamicDimensions[i] = g.field("dynamic").([]any)[i] == true
		}
		if layout, ok := g["layout"].(map[string]any); ok {
			s.Layout = layoutIn(layout)
		}
		return s
	case "token", "opaque":
		return Shape{ElementType: map[string]ElementType{"token": Token, "opaque": Opaque}[kind]}
	default:
		s := Shape{ElementType: map[string]ElementType{"tuple": Tuple, "buffer": Buffer}[kind]}
		for _, element := range g.field("elements").([]any) {
			s.TupleShapes = append(s.TupleShapes, structured(element))
		}
		return s
	}
}

func sizeIn(size any) int64 {
	if special, ok := map[any]int64{"?": Unbounded, "*": CombineDimension, "d": MatchDimension}[size]; ok {
		return special
	}
	return integer(size)
}

func layoutIn(described map[string]any) *Layout {
	l := &Layout{}
	for name, value := range described {
		switch name {
		case "minor_to_major":
			l.MinorToMajor = append(l.MinorToMajor, integers(value)...)
		case "tiles":
			for _, level := range value.([]any) {
				var tile Tile
				for _, size := range level.([]any) {
					tile = append(tile, sizeIn(size))
				}
				l.Tiles = append(l.Tiles, tile)
			}
		case "split_configs":
			for _, split := range value.([]any) {
				pair := split.([]any)
				l.SplitConfigs = append(l.SplitConfigs, SplitConfig{integer(pair[0]), integers(pair[1])})
			}
		case "padded_dimensions":
			l.PaddedDimensions = integers(value)
		case "padding_value":
			l.PaddingValue = paddingValue(value)
		case "element_size_in_bits":
			l.ElementSizeInBits = integer(value)
		case "tail_padding_alignment":
			l.TailPaddingAlignmentInElements = integer(value)
		case "memory_space":
			l.MemorySpace = integer(value)
		case "metadata_prefix_bytes":
			l.DynamicShapeMetadataPrefixBytes = integer(value)
		default:
			panic(malformed("no layout has " + name))
		}
	}
	return l
}

var ignores = map[string]Ignore{"layout": IgnoreLayout, "tiles": IgnoreTiles, "element_size": IgnoreElementSize,
	"memory_space":           IgnoreMemorySpace,
	"tail_padding_alignment": IgnoreTailPaddingAlignment,
	"tail_padding":           IgnoreTailPaddingAlignment, "split_configs": IgnoreSplitConfigs,
	"padding": IgnorePadding, "minor_to_major_only": MinorToMajorOnly,
	"all_but_minor_to_major": MinorToMajorOnly, "dynamic": IgnoreDynamicDimension,
	"element_type": IgnoreElementType, "fp_precision": IgnoreFPPrecision,
	"dynamic_dimension": IgnoreDynamicDimension, "dimensions": IgnoreDimensions, "buffer": IgnoreBuffer,
	"metadata_prefix": IgnoreMetadataPrefix}

func (g golden) ignored() (mask Ignore) {
	names, given := g["ignore"].([]any)
	if !given {
		return IgnoreXLA
	}
	for _, name := range names {
		bit, ok := ignores[name.(string)]
		if !ok {
			panic(malformed(fmt.Sprint("nothing is known that ignores ", name)))
		}
		mask |= bit
	}
	return mask
}

func (g golden) bitcast() BitcastFlags {
	if g["ignore_element_type"] == true {
		return BitcastXLA | BitcastIgnoreElementType
	}
	return BitcastXLA
}

// orNil makes "not there" an answer.
func orNil[T any](value T, err error) any {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return must(value, err)
}

func (g golden) indexMap() *IndexMap {
	return must(NewIndexMap(g.the()))
}

func listOf(numbers []int64) []int64 { return append([]int64{}, numbers...) }

var kinds = map[string]func(g golden) any{
	"parse": func(g golden) any {
		if got, want := g.the(), structured(g["expect"]); !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("%#v", got)
		}
		return g["expect"]
	},
	"reject": func(g golden) any { return "accepted as " + g.the().String() },
	"print": func(g golden) any {
		if g["with_layout"] == false {
			return must(g.the().Format(PrintWithoutLayout))
		}
		return string(must(g.the().MarshalText()))
	},
	"linear_index": func(g golden) any {
		m := g.indexMap()
		defer m.Close()
		return must(m.LinearIndex(g.list("index")...))
	},
	"multi_index": func(g golden) any {
		m := g.indexMap()
		defer m.Close()
		index := make([]int64, m.Rank())
		if must(m.MultidimensionalIndex(g.number("linear"), index)) {
			return "padding"
		}
		return index
	},
	"element_count":    func(g golden) any { return must(g.the().ElementCount()) },
	"storage_elements": func(g golden) any { return must(g.the().Sizes()).StorageElements },
	"byte_size": func(g golden) any {
		size, _ := g["pointer_size"].(json.Number)
		bytes, _ := size.Int64() // 0 where it is not given
		return must(g.the().ByteSize(bytes, false))
	},
	"stride": func(g golden) any {
		s := g.the()
		return must(s.Strides(UnitElements))[must(DimensionNumber(s.Rank(), int(g.number("dimension"))))]
	},
	"dimension_number": func(g golden) any { return must(DimensionNumber(g.the().Rank(), int(g.number("dimension")))) },
	"next_index": func(g golden) any {
		index := g.list("index")
		if !g.the().NextIndex(index) {
			return nil
		}
		return index
	},
	"to_memory": func(g golden) any {
		s := g.the()
		return g.image(ArrayShape(s.ElementType, s.Dimensions...), s)
	},
	"relayout": func(g golden) any { return g.image(g.src(), g.dst()) },
	"pack":     func(g golden) any { return hex.EncodeToString(g.pack()) },
	"bytes": func(g golden) any {
		source := must(hex.DecodeString(g.text("data")))
		return hex.EncodeToString(must(Relayout(g.src(), source, g.dst(), nil)))
	},
	"fill_value": func(g golden) any {
		t := must(ParseElementType(g.text("type")))
		return hex.EncodeToString(must(paddingValue(g.field("padding_value")).Bytes(t)))
	},
	"primitive": func(g golden) any {
		var t ElementType
		if err := t.UnmarshalText([]byte(g.text("type"))); err != nil {
			panic(err)
		}
		return map[string]any{"number": int(t), "bits": t.Bits(), "bytes": t.StorageBits() / 8}
	},
	"equal":              func(g golden) any { return g.a().Equal(g.b(), g.ignored()) },
	"compatible":         func(g golden) any { return g.a().Compatible(g.b(), g.ignored()) },
	"reshape_is_bitcast": func(g golden) any { return g.a().ReshapeIsBitcast(g.b(), g.bitcast()) },
	"transpose_is_bitcast": func(g golden) any {
		return g.a().TransposeIsBitcast(g.b(), g.list("permutation"), g.bitcast())
	},
	"deduce_transpose": func(g golden) any { return orNil(g.a().DeduceTranspose(g.b(), g.bitcast())) },
	"unmodified_dims": func(g golden) any {
		return must(DimensionsUnmodifiedByReshape(g.a().Dimensions, g.b().Dimensions))
	},
	"inserted_deleted_ones": func(g golden) any {
		deleted, inserted, err := g.a().InsertedOrDeletedOnes(g.b())
		return orNil([]any{listOf(deleted), listOf(inserted)}, err)
	},
	"align_layouts": func(g golden) any {
		layout, err := g.the().AlignLayouts(g.list("output_dimensions"), BitcastXLA)
		if layout == nil {
			return orNil[any](nil, err)
		}
		return layout.MinorToMajor
	},
	"permute_dims": func(g golden) any { return printed(g.the().PermuteDimensions(g.list("permutation"))) },
	"delete_dims":  func(g golden) any { return printed(g.the().DeleteDimensions(g.list("dimensions")...)) },
	"insert_dims": func(g golden) any {
		return printed(g.the().InsertDimensions(int(g.number("at")), g.list("sizes"), false))
	},
	"descending_same_physical": func(g golden) any { return printed(g.the().ToPhysicalOrder()) },
	"normalized_transpose": func(g golden) any {
		sizes, order, err := NormalizedTranspose(g.list("output_dimensions"), g.list("permutation"))
		return must([]any{sizes, order}, err)
	},
	"true_rank":           func(g golden) any { return g.the().TrueRank() },
	"logical_to_physical": func(g golden) any { return listOf(must(g.the().Layout.LogicalToPhysical())) },
	"leaf_count":          func(g golden) any { return g.the().LeafCount() },
	"max_split_size":      func(g golden) any { return must(g.the().MaxSplitSize(int(g.number("dimension")))) },
	"subshape":            func(g golden) any { return printed(g.the().Subshape(g.list("path")...)) },
	"proto_encode":        func(g golden) any { return hex.EncodeToString(must(g.the().Proto())) },
}

// Memory images of the corpus. A case writes tokens; each becomes a bit pattern of the element type, and where a type
// has fewer patterns than there are tokens, the relayout runs several times, once for each digit of a token's number.

type pattern [2]uint64 // 128 bits, the lowest first

func (p pattern) cut(bits int64) pattern {
	low := func(word uint64, n int64) uint64 {
		if n <= 0 {
			return 0
		} else if n >= 64 {
			return word
		}
		return word & (1<<n - 1)
	}
	return pattern{low(p[0], bits), low(p[1], bits-64)}
}

// cells are the positions of an image: of `container` bits each, holding a value of `value` bits.
type cells struct{ count, bytes, container, value int64 }

func cellsOf(s Shape) cells {
	sizes := must(s.Sizes())
	value := int64(s.ElementType.StorageBits())
	if s.ElementType.Is(ClassSubByte) {
		value = int64(s.ElementType.Bits())
	}
	return cells{sizes.StorageElements, sizes.Bytes, sizes.ElementBits, value}
}

func (c cells) write(image []byte, position int64, p pattern) {
	for i := int64(0); i < c.container; i++ {
		bit, one := position*c.container+i, byte(0)
		if i < 128 {
			one = byte(p[i/64]>>(i%64)) & 1
		}
		image[bit/8] = image[bit/8]&^(1<<(bit%8)) | one<<(bit%8)
	}
}

func (c cells) read(image []byte, position int64) (p pattern) {
	for i := int64(0); i < c.container && i < c.value && i < 128; i++ {
		bit := position*c.container + i
		p[i/64] |= uint64(image[bit/8]>>(bit%8)&1) << (i % 64)
	}
	return p
}

// tokens numbers what occurs in a case.
type tokens struct {
	bits    int64
	numbers map[string]uint64
}

func (t *tokens) add(values ...any) {
	for _, value := range values {
		text, _ := json.Marshal(value)
		if _, known := t.numbers[string(text)]; !known {
			t.numbers[string(text)] = uint64(len(t.numbers))
		}
	}
}

func (t *tokens) passes() int {
	n := 1
	for room := uint64(1) << t.bits; t.bits < 32 && room < uint64(len(t.numbers)); room <<= t.bits {
		n++
	}
	return n
}

func (t *tokens) pattern(value any, pass int) pattern {
	text, _ := json.Marshal(value)
	number := t.numbers[string(text)] >> (int64(pass) * t.bits)
	word := (number + 1) * 0x9E3779B97F4A7C15 // odd: it keeps the lowest bits apart and fills the higher ones
	return pattern{word, word * 0xD6E8FEB86659FD93}.cut(t.bits)
}

// image relays the case's data from src to dst and compares: the answer is what was wanted, or what differs.
func (g golden) image(src, dst Shape) any {
	from, to := cellsOf(src), cellsOf(dst)
	data, want, fill := g.field("data").([]any), g.field("expect"), g["fill"]
	wanted, list := want.([]any)
	if !list { // an error is wanted: any image will do
		wanted = make([]any, to.count)
	}
	if int64(len(data)) != from.count || int64(len(wanted)) != to.count {
		return fmt.Sprintf("%d positions become %d, the case has %d and %d", from.count, to.count, len(data),
			len(wanted))
	}
	t := tokens{to.value, map[string]uint64{}}
	t.add(fill)
	t.add(data...)
	t.add(wanted...)
	m := must(NewIndexMap(dst))
	defer m.Close()
	padding := PadInvalid
	if dst.Layout != nil {
		padding = dst.Layout.PaddingValue
	}
	var filled pattern
	for i, b := range must(padding.Bytes(dst.ElementType)) {
		filled[i/8] |= uint64(b) << (8 * (i % 8))
	}
	for pass := 0; pass < t.passes(); pass++ {
		source, preset := make([]byte, from.bytes), make([]byte, to.bytes)
		for i, token := range data {
			from.write(source, int64(i), t.pattern(token, pass))
		}
		for i := int64(0); i < to.count; i++ {
			to.write(preset, i, t.pattern(fill, pass))
		}
		for _, policy := range []FillPolicy{FillPreserve, FillPadding} {
			if policy == FillPadding && padding == PadInvalid {
				continue
			}
			image := append([]byte{}, preset...)
			if err := RelayoutInto(src, source, dst, image, &PlanOptions{FillPolicy: policy}); err != nil {
				panic(err)
			}
			for i := int64(0); i < to.count; i++ {
				expected := t.pattern(wanted[i], pass)
				if policy == FillPadding && must(m.MultidimensionalIndex(i, make([]int64, m.Rank()))) {
					expected = filled.cut(to.value)
				}
				if got := to.read(image, i); got != expected {
					return fmt.Sprintf("got bits %x want %x at position %d, fill policy %d", got, expected, i, policy)
				}
			}
		}
	}
	return want
}

// pack is the image of numbers in row-major order, with zeros for padding.
func (g golden) pack() []byte {
	s := g.the()
	flat := ArrayShape(s.ElementType, s.Dimensions...)
	from, values := cellsOf(flat), g.list("data")
	source := make([]byte, from.bytes)
	for i, value := range values {
		from.write(source, int64(i), pattern{uint64(value), uint64(value >> 63)})
	}
	return must(Relayout(flat, source, s, nil))
}

func stageOf(err error) string {
	switch {
	case errors.Is(err, ErrParse):
		return "syntax"
	case errors.Is(err, ErrInvalidArgument), errors.Is(err, ErrOverflow):
		return "validate"
	}
	return "value"
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
		case *Error:
			stage := stageOf(thrown)
			if expected["error"] == nil || (expected["stage"] != nil && expected["stage"] != stage) {
				wrong = fmt.Sprintf("got %v (%s), want %v", thrown, stage, want)
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
