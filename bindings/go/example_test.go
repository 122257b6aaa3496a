// SPDX-License-Identifier: Apache-2.0

package xlashape_test

import (
	"errors"
	"fmt"
	"log"

	xlashape "github.com/xlashape/xlashape/bindings/go"
)

func ExampleParseShape() {
	shape, err := xlashape.ParseShape("bf16[128,256]{1,0:T(8,128)(2,1)S(1)}")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shape.ElementType, shape.Dimensions, shape.Layout.MinorToMajor, shape.Layout.Tiles,
		shape.Layout.MemorySpace)
	fmt.Println(shape)
	// Output:
	// bf16 [128 256] [1 0] [[8 128] [2 1]] 1
	// bf16[128,256]{1,0:T(8,128)(2,1)S(1)}
}

func ExampleError() {
	_, err := xlashape.ParseShape("f32[2,x]")
	fmt.Println(err)
	fmt.Println(errors.Is(err, xlashape.ErrParse))
	var record *xlashape.Error
	if errors.As(err, &record) {
		fmt.Println("at byte", record.Offset)
	}
	// Output:
	// xlashape: parse: expected a dimension size, <= or ?, found 'x' (at byte 6)
	// true
	// at byte 6
}

func ExampleShape_Sizes() {
	sizes, err := xlashape.MustParseShape("s32[8388608,8,4]{2,1,0:T(8,128)}").Sizes()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sizes.LogicalBytes>>30, "GiB of data take", sizes.Bytes>>30, "GiB")
	// Output: 1 GiB of data take 32 GiB
}

func ExampleShape_ForTarget() {
	v5e, err := xlashape.ParseTarget("tpu:v5e")
	if err != nil {
		log.Fatal(err)
	}
	shape := xlashape.ArrayShape(xlashape.F32, 1000, 3)
	chosen, err := shape.ForTarget(v5e)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shape, "->", chosen)
	// Output: f32[1000,3]{1,0} -> f32[1000,3]{0,1:T(4,128)}
}

func ExampleReadShape() {
	for _, text := range []string{
		"float32[2,3]{col}",
		"{'shape': (2, 3), 'strides': (4, 8), 'dtype': '<f4'}",
		"memref<2x3xf32, strided<[1, 2]>>",
		"f32 (2,3):(1,2)",
	} {
		shape, err := xlashape.ReadShape(text)
		fmt.Println(shape, err)
	}
	// Output:
	// f32[2,3]{0,1} <nil>
	// f32[2,3]{0,1} <nil>
	// f32[2,3]{0,1} <nil>
	// f32[2,3]{0,1} <nil>
}

func ExampleShape_WithWords() {
	photo := xlashape.ArrayShape(xlashape.U8, 2, 2, 3) // height, width, channels
	to, planes, err := photo.WithWords("HWC->CHW")
	if err != nil {
		log.Fatal(err)
	}
	out, err := xlashape.Relayout(photo, []byte("rgbRGBrgbRGB"), to, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s is %s: %s\n", to, planes, out)
	// Output: u8[2,2,3]{1,0,2} is u8[3,2,2]{2,1,0}: rRrRgGgGbBbB
}

func ExampleShape_FormatAs() {
	tiled := xlashape.MustParseShape("bf16[128,256]{1,0:T(8,128)(2,1)}")
	fmt.Println(tiled.FormatAs(xlashape.NotationOneDNN))
	fmt.Println(tiled.FormatAs(xlashape.NotationCuTe))
	fmt.Println(tiled.FormatAs(xlashape.NotationNumPy))
	// Output:
	// AB4a128b2a <nil>
	// ((2,4,16),(128,2)):((1,256,2048),(2,1024)) <nil>
	//  xlashape: unsupported: tiles leave no single distance between neighbours of dimension 0
}

func ExampleReadElementType() {
	for _, name := range []string{"bfloat16", "torch.bfloat16", "BF16"} {
		element, err := xlashape.ReadElementType(name)
		fmt.Println(element, err)
	}
	_, err := xlashape.ReadElementType("flaot32")
	fmt.Println(err)
	// Output:
	// bf16 <nil>
	// bf16 <nil>
	// bf16 <nil>
	// xlashape: not found: expected an element type, found 'flaot32': did you mean f32?
}

func ExampleRelayout() {
	image := xlashape.ArrayShape(xlashape.U8, 3, 4)
	tiled := xlashape.MustParseShape("u8[3,4]{0,1:T(2,2)}") // dimension 0 fastest, blocks of 2 x 2
	out, err := xlashape.Relayout(image, []byte("abcdefghijkl"), tiled, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", out)
	// Output: "aebfi\x00j\x00cgdhk\x00l\x00"
}

// The weights of a model for a TPU, and quantized with a scale for each row, and back.
func ExamplePlanOptions_convert() {
	reals, values := xlashape.ArrayShape(xlashape.F32, 2, 3), []float32{1, 2, 3, -1, 0.5, 7.3}
	tiled, bits := xlashape.MustParseShape("bf16[2,3]{1,0:T(8,128)(2,1)}"), make([]uint16, 1024)
	if err := xlashape.RelayoutInto(reals, values, tiled, bits, &xlashape.PlanOptions{Convert: true}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", bits[:4])

	quantized, bytes := xlashape.ArrayShape(xlashape.S8, 2, 3), make([]int8, 6)
	scales := &xlashape.PlanOptions{Convert: true, Scale: []float32{0.1, 0.5}, ZeroPoint: []int32{0, 10}}
	if err := xlashape.RelayoutInto(reals, values, quantized, bytes, scales); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes)
	if err := xlashape.RelayoutInto(quantized, bytes, reals, values, scales); err != nil {
		log.Fatal(err)
	}
	fmt.Println(values)
	// Output:
	// [3f80 bf80 4000 3f00]
	// [10 20 30 8 11 25]
	// [1 2 3 -1 0.5 7.5]
}

func ExamplePlan() {
	rows := xlashape.ArrayShape(xlashape.F32, 2, 3)
	plan, err := xlashape.NewPlan(rows, rows.WithLayout(xlashape.ColumnMajor(2)), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()
	out := make([]float32, 6)
	for _, in := range [][]float32{{1, 2, 3, 4, 5, 6}, {9, 8, 7, 6, 5, 4}} {
		if err := xlashape.Execute(plan, in, out); err != nil {
			log.Fatal(err)
		}
		fmt.Println(out)
	}
	// Output:
	// [1 4 2 5 3 6]
	// [9 6 8 5 7 4]
}

func ExampleIndexMap() {
	m, err := xlashape.NewIndexMap(xlashape.MustParseShape("bf16[128,256]{1,0:T(8,128)(2,1)}"))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	position, err := m.LinearIndex(9, 130)
	fmt.Println(position, err)
	positions := make([]int64, 3)
	invalid, err := m.LinearIndices([]int64{0, 0, 9, 130, 128, 0}, positions, &xlashape.BatchOptions{MarkInvalid: true})
	fmt.Println(positions, invalid, err)
	// Output:
	// 3077 <nil>
	// [0 3077 -1] 1 <nil>
}

func ExampleGoroutines() {
	runtime, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{ParallelFor: xlashape.Goroutines, Workers: 4})
	if err != nil {
		log.Fatal(err)
	}
	defer runtime.Close()
	from := xlashape.ArrayShape(xlashape.F32, 1000, 1000)
	data := make([]float32, 1000*1000)
	data[1] = 42
	out, err := xlashape.Relayout(from, data, from.WithLayout(xlashape.ColumnMajor(2)),
		&xlashape.PlanOptions{Runtime: runtime})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out[1000])
	// Output: 42
}
