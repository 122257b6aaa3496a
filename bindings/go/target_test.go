package xlashape_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"xlashape"
)

func same(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func bare(t *testing.T, text string) xlashape.Shape {
	t.Helper()
	shape, err := xlashape.ParseShapeWith(text, xlashape.KeepMissingLayout)
	if err != nil {
		t.Fatal(err)
	}
	return shape
}

func text(shape fmt.Stringer, err error) string {
	if err != nil {
		return err.Error()
	}
	return shape.String()
}

const allTargets = "cpu gpu tpu:v2 tpu:v3 tpu:v4 tpu:v5e tpu:v5p tpu:v6e tpu:v7x"

func TestNamesOfTargets(t *testing.T) {
	for i, name := range strings.Fields(allTargets) {
		target, err := xlashape.ParseTarget(name)
		same(t, []any{target, err, target.String()}, []any{xlashape.Target(i + 1), nil, name})
	}
	for _, name := range []string{"", "TPU:v5e", "tpu", "tpu:v5", "tpu:v5e ", "tpu:v5e\x00", "tpu:v\xff"} {
		_, err := xlashape.ParseTarget(name)
		wants(t, err, xlashape.ErrNotFound, "only: "+allTargets)
	}
	_, err := xlashape.ParseTarget("tpu:v1")
	wants(t, err, xlashape.ErrNotFound, "no target is called 'tpu:v1'")

	written, err := json.Marshal(map[xlashape.Target][]xlashape.Target{xlashape.TargetTPUv5e: {xlashape.TargetCPU}})
	same(t, []any{string(written), err}, []any{`{"tpu:v5e":["cpu"]}`, nil})
	var read map[xlashape.Target][]xlashape.Target
	same(t, json.Unmarshal(written, &read), nil)
	same(t, read, map[xlashape.Target][]xlashape.Target{xlashape.TargetTPUv5e: {xlashape.TargetCPU}})
	target := xlashape.TargetGPU
	wants(t, target.UnmarshalText([]byte("tpu:v1")), xlashape.ErrNotFound, "tpu:v1")
	same(t, target, xlashape.TargetGPU)
}

func TestNumbersThatAreNoTarget(t *testing.T) {
	for _, target := range []xlashape.Target{0, -1, 10, math.MaxInt32, math.MinInt32} {
		number := strconv.Itoa(int(target))
		same(t, target.String(), "Target("+number+")")
		errs := map[string]error{}
		_, errs["MarshalText"] = target.MarshalText()
		_, errs["Properties"] = target.Properties()
		_, errs["TupleBytes"] = target.TupleBytes(1)
		_, errs["MemorySpaceName"] = target.MemorySpaceName(0)
		_, errs["Layout"] = target.Layout(xlashape.F32, nil, nil)
		_, errs["ForTarget"] = xlashape.ArrayShape(xlashape.F32).ForTarget(target)
		_, errs["ForTargetKeepOrder"] = xlashape.ArrayShape(xlashape.F32).ForTargetKeepOrder(target)
		for name, err := range errs {
			if !errors.Is(err, xlashape.ErrInvalidArgument) || !strings.Contains(err.Error(), number) {
				t.Errorf("%s of target %s says %v", name, number, err)
			}
		}
	}
}

func TestLayoutsThatCompilersChoose(t *testing.T) {
	for _, c := range []struct {
		target        xlashape.Target
		array, layout string
	}{
		{xlashape.TargetTPUv5e, "f32[1000,3]", "{0,1:T(4,128)}"},
		{xlashape.TargetTPUv5e, "f32[]", "{:T(128)}"},
		{xlashape.TargetTPUv5e, "bf16[7]", "{0:T(256)(128)(2,1)}"},
		{xlashape.TargetTPUv5e, "s4[300,500]", "{1,0:T(8,128)(8,1)E(4)}"},
		{xlashape.TargetTPUv5e, "f32[0,3]", "{1,0}"},
		{xlashape.TargetTPUv5e, "f32[<=1000,3]", "{0,1:T(4,128)}"},
		{xlashape.TargetTPUv2, "f32[]", "{:T(256)}"},
		{xlashape.TargetTPUv2, "bf16[7]", "{0:T(512)(128)(2,1)}"},
		{xlashape.TargetCPU, "s4[8,3]", "{1,0:E(4)}"},
		{xlashape.TargetGPU, "s4[8,3]", "{1,0:E(4)}"},
		{xlashape.TargetCPU, "f32[1000,3]", "{1,0}"},
		{xlashape.TargetCPU, "f6e3m2fn[4]", "{0}"},
	} {
		array := bare(t, c.array)
		before := array.Clone()
		same(t, text(array.ForTarget(c.target)), c.array+c.layout)
		same(t, text(c.target.Layout(array.ElementType, array.Dimensions, nil)), c.layout)
		same(t, array, before) // the layout is that of a new shape
	}
}

func TestOrdersThatAreKept(t *testing.T) {
	v5e := xlashape.TargetTPUv5e
	for from, to := range map[string]string{
		"f32[1000,3]{1,0:T(2,2)S(1)}":           "f32[1000,3]{1,0:T(8,128)}",
		"f32[1000,3]":                           "f32[1000,3]{0,1:T(4,128)}",
		"(f32[1000,3]{1,0:E(32)}, f32[1000,3])": "(f32[1000,3]{1,0:T(8,128)}, f32[1000,3]{0,1:T(4,128)})",
	} {
		same(t, text(bare(t, from).ForTargetKeepOrder(v5e)), to)
	}
	same(t, text(bare(t, "f32[1000,3]{1,0:T(2,2)S(1)}").ForTarget(v5e)), "f32[1000,3]{0,1:T(4,128)}")
	same(t, text(v5e.Layout(xlashape.F32, []int64{1000, 3}, []int64{1, 0})), "{1,0:T(8,128)}")
	same(t, text(v5e.Layout(xlashape.F32, nil, []int64{})), "{:T(128)}")
	same(t, text(xlashape.TargetCPU.Layout(xlashape.S4, []int64{8, 3}, []int64{0, 1})), "{0,1:E(4)}")
	for _, order := range [][]int64{{}, {0}, {0, 1, 2}} {
		_, err := v5e.Layout(xlashape.F32, []int64{2, 3}, order)
		wants(t, err, xlashape.ErrInvalidArgument, fmt.Sprintf("there are 2 dimensions, the order has %d", len(order)))
	}
	for _, order := range [][]int64{{0, 0}, {0, 2}, {-1, 0}} {
		_, err := v5e.Layout(xlashape.F32, []int64{2, 3}, order)
		wants(t, err, xlashape.ErrInvalidArgument, "minor_to_major")
	}
}

func TestTuplesForTargets(t *testing.T) {
	nest := bare(t, "(f32[1000,3], token[], (s4[300,500], opaque[]), b(bf16[7]), ())")
	same(t, text(nest.ForTarget(xlashape.TargetTPUv5e)), "(f32[1000,3]{0,1:T(4,128)}, token[], "+
		"(s4[300,500]{1,0:T(8,128)(8,1)E(4)}, opaque[]), b(bf16[7]{0:T(256)(128)(2,1)}), ())")
	_, err := bare(t, "(f32[2], token[], (f32[3], f32[?,4]))").ForTarget(xlashape.TargetTPUv5e)
	wants(t, err, xlashape.ErrUnsupported, "dimension 0 is unbounded")
	var record *xlashape.Error
	if !errors.As(err, &record) || record.Index != 2 {
		t.Errorf("got %+v, want index 2", record)
	}
}

func TestShapesWithoutLayoutForATarget(t *testing.T) {
	v5e := xlashape.TargetTPUv5e
	for text, part := range map[string]string{
		"f32[?,4]": "dimension 0 is unbounded", "token[]": "token", "opaque[]": "opaque", "f6e3m2fn[4]": "f6e3m2fn",
	} {
		_, err := bare(t, text).ForTarget(v5e)
		wants(t, err, xlashape.ErrUnsupported, part)
	}
	_, err := xlashape.ArrayShape(xlashape.F32, 1<<60, 3).ForTarget(v5e)
	wants(t, err, xlashape.ErrOverflow, "tpu:v5e")
	_, err = v5e.Layout(xlashape.F32, []int64{1 << 60, 3}, nil)
	wants(t, err, xlashape.ErrOverflow, "tpu:v5e")
	_, err = v5e.Layout(xlashape.F32, []int64{1 << 62, 4}, nil)
	wants(t, err, xlashape.ErrOverflow, "dimension 1 (4)")
	_, err = v5e.Layout(xlashape.F32, []int64{4, xlashape.Unbounded}, nil)
	wants(t, err, xlashape.ErrUnsupported, "dimension 1 is unbounded")
	_, err = v5e.Layout(xlashape.F32, []int64{2, -1}, nil)
	wants(t, err, xlashape.ErrInvalidArgument, "dimension 1 has size -1")
	_, err = v5e.Layout(99, []int64{2}, nil)
	wants(t, err, xlashape.ErrUnsupported, "element type 99")
	_, err = (xlashape.Shape{ElementType: xlashape.F32, Dimensions: []int64{-2}}).ForTarget(v5e)
	wants(t, err, xlashape.ErrInvalidArgument, "-2")
}

func TestPropertiesOfTargets(t *testing.T) {
	none := xlashape.TargetProperties{PointerBytes: 8, TupleAlignment: 1}
	tpu := func(alignment int) xlashape.TargetProperties { return xlashape.TargetProperties{128, 8, 4, alignment} }
	for target, want := range map[xlashape.Target]struct {
		properties xlashape.TargetProperties
		tables     [3]int64 // bytes for 0, 1 and 300 pointers
		spaces     string
	}{
		xlashape.TargetCPU:    {none, [3]int64{0, 8, 2400}, ""},
		xlashape.TargetGPU:    {none, [3]int64{0, 8, 2400}, ""},
		xlashape.TargetTPUv2:  {tpu(1024), [3]int64{0, 1024, 2048}, "0 hbm, 2 smem, 5 host, "},
		xlashape.TargetTPUv3:  {tpu(1024), [3]int64{0, 1024, 2048}, "0 hbm, 2 smem, 5 host, "},
		xlashape.TargetTPUv4:  {tpu(512), [3]int64{0, 512, 1536}, "0 hbm, 2 smem, 5 host, "},
		xlashape.TargetTPUv5e: {tpu(512), [3]int64{0, 512, 1536}, "0 hbm, 1 vmem, 2 smem, 5 host, "},
		xlashape.TargetTPUv5p: {tpu(32), [3]int64{0, 32, 1216}, "0 hbm, 1 vmem, 2 smem, 5 host, "},
		xlashape.TargetTPUv6e: {tpu(32), [3]int64{0, 32, 1216}, "0 hbm, 1 vmem, 2 smem, 5 host, "},
		xlashape.TargetTPUv7x: {tpu(32), [3]int64{0, 32, 1216}, "0 hbm, 1 vmem, 2 smem, 5 host, "},
	} {
		properties, err := target.Properties()
		same(t, []any{properties, err}, []any{want.properties, nil})
		for i, elements := range []int64{0, 1, 300} {
			bytes, err := target.TupleBytes(elements)
			same(t, []any{target, bytes, err}, []any{target, want.tables[i], nil})
		}
		spaces := ""
		for space := int64(-1); space < 20; space++ {
			if name, err := target.MemorySpaceName(space); err == nil {
				spaces += fmt.Sprintf("%d %s, ", space, name)
			} else {
				wants(t, err, xlashape.ErrUnsupported, fmt.Sprintf("memory space %d of %s", space, target))
			}
		}
		same(t, []any{target, spaces}, []any{target, want.spaces})
	}
	_, err := xlashape.TargetTPUv5e.TupleBytes(-1)
	wants(t, err, xlashape.ErrInvalidArgument, "elements is -1")
	_, err = xlashape.TargetTPUv5e.TupleBytes(math.MaxInt64)
	wants(t, err, xlashape.ErrOverflow, "9223372036854775807")
	_, err = xlashape.TargetTPUv5e.MemorySpaceName(math.MinInt64)
	wants(t, err, xlashape.ErrUnsupported, "-9223372036854775808")
}
