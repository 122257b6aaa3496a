package xlashape

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// Each field of a layout goes to the library and comes back, alone and with all others.
func TestFieldsOfLayouts(t *testing.T) {
	order := []int64{1, 0}
	all := &Layout{MinorToMajor: order, PaddedDimensions: []int64{16, 256}, PaddingValue: PadLowest, Tiles: []Tile{{8, 128}, {2, 1}},
		ElementSizeInBits: 16, TailPaddingAlignmentInElements: 4096, MemorySpace: -3, SplitConfigs: []SplitConfig{{0, []int64{2, 5}}, {1, []int64{7}}},
		DynamicShapeMetadataPrefixBytes: 64}
	layouts := []*Layout{{}, all}
	value := reflect.ValueOf(*all)
	for i := 0; i < value.NumField(); i++ {
		if value.Field(i).IsZero() {
			t.Errorf("%s is not set", value.Type().Field(i).Name)
		}
		alone := &Layout{MinorToMajor: order}
		reflect.ValueOf(alone).Elem().Field(i).Set(value.Field(i))
		layouts = append(layouts, alone)
	}
	for _, want := range layouts {
		shape := Shape{ElementType: BF16, Dimensions: append([]int64(nil), []int64{16, 200}[:want.Rank()]...), Layout: want}
		same, err := shape.Subshape()
		equals(t, []any{same, err}, []any{shape, nil})
		tuple := TupleShape(shape, shape)
		same, err = tuple.Subshape()
		equals(t, []any{same, err}, []any{tuple, nil})
		bytes, err := want.Proto()
		equals(t, err, nil)
		got, err := LayoutFromProto(bytes)
		equals(t, []any{got, err}, []any{want, nil})
	}
}

// Fields that are none are refused by the library.
func TestFieldsThatAreNone(t *testing.T) {
	for _, wrong := range []*Layout{
		{MinorToMajor: []int64{0}, Tiles: []Tile{{}}}, {MinorToMajor: []int64{0}, SplitConfigs: []SplitConfig{{-1, nil}}},
		{PaddedDimensions: []int64{1}}, {PaddingValue: 77}, {PaddingValue: math.MinInt32}, {ElementSizeInBits: -1}, {MemorySpace: 128},
		{TailPaddingAlignmentInElements: -1}, {DynamicShapeMetadataPrefixBytes: -1}, {MinorToMajor: []int64{1}},
	} {
		if err := wrong.Validate(); !errors.Is(err, ErrInvalidArgument) {
			t.Errorf("%+v: %v", *wrong, err)
		}
	}
	// What is no field of a plan.
	u8 := ArrayShape(U8, 3)
	for want, options := range map[string]*PlanOptions{
		"fill_policy": {FillPolicy: 9}, "src_space": {SrcSpace: -1}, "dst_space": {DstSpace: 64},
		"extent has 2 values, it takes 1": {Extent: []int64{1, 2}}, "dst_base has 0 values": {DstBase: []int64{}},
		"backend has 999 bytes": {Backend: strings.Repeat("x", 999)},
	} {
		_, err := NewPlan(u8, u8, options)
		refusedWith(t, err, ErrInvalidArgument, want)
	}
}

// All options of a plan arrive.
func TestFieldsOfPlans(t *testing.T) {
	src, dst := ArrayShape(U8, 4, 4), ArrayShape(U8, 3, 3)
	options := &PlanOptions{Backend: "scalar", AllowFallback: true, ReadSoon: true, FillPolicy: FillPreserve, SrcSpace: SpaceCPU,
		DstSpace: SpaceCPU, SrcBase: []int64{1, 2}, DstBase: []int64{0, 1}, Extent: []int64{2, 2}}
	data, out := []byte("abcdefghijklmnop"), []byte("123456789")
	equals(t, RelayoutInto(src, data, dst, out, options), nil)
	equals(t, string(out), "1gh4kl789")
	options.SrcByteStrides, options.DstByteStrides = []int64{4, -1}, []int64{3, 1}
	options.SrcByteOffset = 3
	p, err := NewPlan(src, dst, options)
	equals(t, err, nil)
	defer p.Close()
	out = []byte("123456789")
	equals(t, p.Execute(data, out), nil)
	equals(t, string(out), "1fe4ji789")
	equals(t, []any{p.Backend(), p.SrcBytes(), p.DstBytes()}, []any{"scalar", int64(-1), int64(-1)})
	buffer := Shape{ElementType: Buffer, TupleShapes: []Shape{src}}
	equals(t, RelayoutInto(buffer, data, buffer, make([]byte, 16), &PlanOptions{Extent: []int64{2, 2}}), nil)
}

// A relayout at once is one transition to C, whatever is said about it, save negative strides, for which there is a plan.
func TestTransitionsOfRelayouts(t *testing.T) {
	flat, tiled := ArrayShape(U8, 3, 4), ArrayShape(U8, 3, 4).WithLayout(MustParseLayout("{0,1:T(2,2)}"))
	for _, test := range []struct {
		options     *PlanOptions
		want        string
		transitions int64
	}{
		{nil, "aebfi\x00j\x00cgdhk\x00l\x00", 1},
		{&PlanOptions{FillPolicy: FillPreserve}, "aebfi#j#cgdhk#l#", 1},
		{&PlanOptions{Backend: "scalar", ReadSoon: true, SrcSpace: SpaceCPU}, "aebfi\x00j\x00cgdhk\x00l\x00", 1},
		{&PlanOptions{Extent: []int64{2, 2}}, "aebf############", 1},
		{&PlanOptions{SrcByteStrides: []int64{4, 1}}, "aebfi\x00j\x00cgdhk\x00l\x00", 1},
		{&PlanOptions{SrcByteStrides: []int64{0, 2}, SrcByteOffset: 3}, "ddffd\x00f\x00hhjjh\x00j\x00", 1},
		{&PlanOptions{DstByteStrides: []int64{5, 1}, DstByteOffset: 2}, "##abcd#efgh#ijkl", 1},
		{&PlanOptions{SrcByteStrides: []int64{-4, -1}, SrcByteOffset: 11}, "lhkgd\x00c\x00jfieb\x00a\x00", 3},
	} {
		var dst string
		fewest := int64(math.MaxInt64)
		for try := 0; try < 5; try++ { // a finalizer may call C in between
			to, before := []byte("################"), runtime.NumCgoCall()
			err := RelayoutInto(flat, []byte("abcdefghijkl"), tiled, to, test.options)
			if calls := runtime.NumCgoCall() - before; calls < fewest {
				fewest = calls
			}
			equals(t, err, nil)
			dst = string(to)
		}
		equals(t, []any{dst, fewest}, []any{test.want, test.transitions})
	}
}

func TestDevices(t *testing.T) {
	s := ArrayShape(U8, 3)
	m, err := NewIndexMap(s)
	equals(t, err, nil)
	defer m.Close()
	for number, want := range map[int]struct {
		code Code
		text string
	}{
		7: {ErrOutOfRange, "there is no device number 7: backend scalar has 0"}, 0: {ErrOutOfRange, "there is no device number 0: "},
		math.MaxInt: {ErrOutOfRange, "there is no device number"}, -1: {ErrInvalidArgument, "device is -1, it must not be negative"},
		math.MinInt: {ErrInvalidArgument, "it must not be negative"},
	} {
		device := DeviceNumber(number)
		_, err := NewPlan(s, s, &PlanOptions{Backend: "scalar", Device: device})
		refusedWith(t, err, want.code, want.text)
		options := &PlanOptions{Backend: "scalar", Device: device}
		refusedWith(t, RelayoutInto(s, make([]byte, 3), s, make([]byte, 3), options), want.code, want.text)
		_, err = m.Plan(ToLinear, &IndexPlanOptions{Backend: "scalar", Device: device})
		refusedWith(t, err, want.code, want.text)
		_, err = (*Runtime)(nil).DeviceText(0, device)
		refusedWith(t, err, want.code, want.text)
	}
	_, err = (*Runtime)(nil).DeviceText(-1, 0)
	refusedWith(t, err, ErrOutOfRange, "backend -1")
	_, err = (*Runtime)(nil).DeviceText(0, 0)
	equals(t, err, nil)
}
