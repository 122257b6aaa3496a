// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"testing"
)

// Windows and slabs, against index maps and against a relayout of the whole array.

func dims(numbers ...int64) []int64 { return numbers }

func runsOf(s Shape, base, extent []int64, w Window) []int64 {
	offsets := make([]int64, w.RunCount)
	if err := s.WindowRuns(base, extent, 0, offsets); err != nil {
		panic(err)
	}
	return offsets
}

func TestWindows(t *testing.T) {
	tiled, two := MustParseShape("f32[64,512]{1,0:T(8,128)}"), make([]int64, 2)
	for i, c := range []struct{ got, want string }{
		{all(tiled.Window(dims(8, 0), dims(16, 512))), "{f32[16,512]{1,0:T(8,128)} 16384 32768 32768 1}"},
		{all(tiled.Window(dims(0, 128), dims(64, 256))), "{f32[64,256]{1,0:T(8,128)} 4096 65536 8192 8}"},
		{all(tiled.WindowGranularity()), "[8 128]"},
		{all(MustParseShape("f32[5,200]{1,0:T(8,128)}").WindowGranularity()), "[5 128]"},
		{all(ArrayShape(F32).Window(nil, nil)), "{f32[] 0 4 4 1}"},
		{all(ArrayShape(F32, 0, 4).Window(dims(0, 0), dims(0, 4))), "{f32[0,4]{1,0} 0 0 0 0}"},
		{all(tiled.WindowRuns(dims(0, 128), dims(64, 256), 6, two), two), "<nil> [102400 118784]"},
		{all(tiled.WindowRuns(dims(0, 128), dims(64, 256), 8, nil), 0), "<nil> 0"},
		{all(tiled.WindowRuns(dims(0, 128), dims(64, 256), 7, two)),
			"xlashape: out of range: runs 7 to 9 are asked for, the window has 8"},
		{all(tiled.WindowRuns(dims(0, 128), dims(64, 256), -1, two)), "xlashape: out of range: "},
		{all(tiled.WindowRuns(dims(0), dims(64, 256), 0, two)), "xlashape: invalid argument: base has 1 numbers, extent 2"},
		{all(tiled.WindowRuns(dims(0), dims(64), 0, two)), "xlashape: invalid argument: rank is 1, the shape has 2"},
		{all(tiled.Window(dims(4, 0), dims(8, 512))), "xlashape: unsupported: the window takes 4 to 12 of dimension 0, "},
		{all(tiled.Window(dims(0, 128), dims(64, 385))), "xlashape: out of range: dimension 1 of the window: 385 elem"},
		{all(tiled.Window(dims(0, -1), dims(64, 1))), "xlashape: out of range: "},
		{all(tiled.Window(dims(0, math.MaxInt64), dims(64, math.MaxInt64))), "xlashape: out of range: "},
		{all(tiled.Window(dims(0, 0), dims(64))), "xlashape: invalid argument: base has 2 numbers, extent 1"},
		{all(tiled.Window(nil, nil)), "xlashape: invalid argument: rank is 0, the shape has 2"},
		{all(MustParseShape("f32[?,4]").Window(dims(0, 0), dims(1, 4))), "xlashape: unsupported: "},
		{all(Shape{}.Window(nil, nil)), "xlashape: invalid argument: "},
		{all(TupleShape(tiled).WindowGranularity()), "xlashape: unsupported: "},
		{all(Shape{}.WindowGranularity()), "xlashape: invalid argument: "},
		{all(MakeSlabs(ArrayShape(F32, 64, 512), tiled, 8191)), "xlashape: out of range: max_bytes is 8191: the smallest"},
		{all(MakeSlabs(ArrayShape(F32, 64, 511), tiled, 8192)), "xlashape: invalid argument: "},
		{all(MakeSlabs(tiled, tiled, -1)), "xlashape: invalid argument: max_bytes is -1"},
		{all(MakeSlabs(TupleShape(), tiled, 8192)), "xlashape: unsupported: "},
		{all(MakeSlabs(ArrayShape(F32, 64, 512), tiled, 65536)), "{[64 512] [16 512] [1 0] 4 32768 32768 4 4}"},
		{all(must(MakeSlabs(tiled, tiled, 65536)).Slab(3)), "{[48 0] [16 512]}"},
		{all(must(MakeSlabs(tiled, tiled, 65536)).Slab(4)), "xlashape: out of range: "},
		{all(must(MakeSlabs(tiled, tiled, 65536)).Slab(-1)), "xlashape: out of range: "},
		{all(must(MakeSlabs(ArrayShape(F32), ArrayShape(F32), 8)).Slab(0)), "{[] []}"},
		{all(must(MakeSlabs(ArrayShape(F32, 0, 9), ArrayShape(F32, 0, 9), 0)).Slab(0)), "{[0 0] [0 9]}"},
		{all(must(MakeSlabs(bare("u8[5,3]"), bare("u8[5,3]"), 6)).Slab(1)), "{[1 0] [1 3]}"},
	} {
		if len(c.got) < len(c.want) || c.got[:len(c.want)] != c.want {
			t.Errorf("row %d: got %q, want %q", i, c.got, c.want)
		}
	}
}

// randomArrays are pairs of arrays of the same dimensions and element type.
func randomArrays(random *rand.Rand) (a, b Shape) {
	sizes := [3]int64{}
	for d := range sizes {
		sizes[d] = []int64{1, 3, 4, 8, 16, 21}[random.Intn(6)]
	}
	layouts := []string{"{2,1,0}", "{0,1,2}", "{1,2,0}", "{2,1,0:T(4,8)}", "{0,2,1:T(2,4)}", "{2,0,1:T(4,8)(2,1)}",
		"{2,1,0:T(*,5)}", "{2,1,0:L(64)}", "{0,1,2:T(2,2,2)}"}
	a = ArrayShape([]ElementType{U8, S16, F32}[random.Intn(3)], sizes[:]...)
	return a.WithLayout(MustParseLayout(layouts[random.Intn(9)])), a.WithLayout(MustParseLayout(layouts[random.Intn(9)]))
}

// Each element of a window is where the array has it, and no other element is in the window's bytes.
func TestWindowsAreWhereTheIndexMapSays(t *testing.T) {
	random, several := rand.New(rand.NewSource(1)), 0
	for i := 0; i < 150; i++ {
		array, _ := randomArrays(random)
		var base, extent []int64
		for d, unit := range must(array.WindowGranularity()) {
			units := (array.Dimensions[d] + unit - 1) / unit
			begin := random.Int63n(units)
			end := (begin + 1 + random.Int63n(units-begin)) * unit
			if end > array.Dimensions[d] {
				end = array.Dimensions[d]
			}
			base, extent = append(base, begin*unit), append(extent, end-begin*unit)
		}
		w := must(array.Window(base, extent))
		runs, whole, own := runsOf(array, base, extent, w), must(NewIndexMap(array)), must(NewIndexMap(w.Shape))
		if w.RunCount > 1 {
			several++
		}
		bytes := must(array.Sizes()).ElementBits / 8
		taken := map[int64]bool{}
		for _, run := range runs {
			for at := run; at < run+w.RunBytes; at += bytes {
				taken[at] = true
			}
		}
		for index := dims(0, 0, 0); ; {
			at, inside := must(whole.LinearIndex(index...))*bytes, dims(0, 0, 0)
			isInside := true
			for d := range index {
				inside[d] = index[d] - base[d]
				isInside = isInside && inside[d] >= 0 && inside[d] < extent[d]
			}
			if !isInside && taken[at] {
				t.Fatalf("%s: %v is in the window %v %v", array, index, base, extent)
			}
			if isInside {
				in := must(own.LinearIndex(inside...)) * bytes
				equals(t, runs[in/w.RunBytes]+in%w.RunBytes, at)
			}
			if !array.NextIndex(index) {
				break
			}
		}
	}
	if several < 30 {
		t.Errorf("only %d windows have several runs", several)
	}
}

func TestSlabsComeInTheOrderOfTheDestination(t *testing.T) {
	columns := MustParseShape("u8[40,40]{0,1}")
	slabs, last, rows := must(MakeSlabs(ArrayShape(U8, 40, 40), columns, 200)), int64(-1), map[int64]bool{}
	for number := int64(0); number < slabs.Count; number++ {
		slab := must(slabs.Slab(number))
		rows[slab.Base[0]] = true
		if at := must(columns.Window(slab.Base, slab.Extent)).ByteOffset; at > last {
			last = at
		} else {
			t.Errorf("slab %d is at %d, behind %d", number, at, last)
		}
	}
	if len(rows) < 2 || slabs.Count <= int64(len(rows)) {
		t.Errorf("they are cut in one dimension only: %+v", slabs)
	}
}

func TestSlabsGiveTheSameBytes(t *testing.T) {
	random, several := rand.New(rand.NewSource(2)), 0
	for i := 0; i < 150; i++ {
		src, dst := randomArrays(random)
		from := make([]byte, must(src.Sizes()).Bytes)
		random.Read(from)
		to, want := make([]byte, must(dst.Sizes()).Bytes), make([]byte, must(dst.Sizes()).Bytes)
		if err := must(NewPlan(src, dst, nil)).Execute(from, want); err != nil {
			t.Fatal(err)
		}
		most := random.Int63n(int64(len(from) + len(to) + 1))
		slabs, err := MakeSlabs(src, dst, most)
		if err != nil {
			wants(t, err, ErrOutOfRange, fmt.Sprintf("max_bytes is %d: the smallest slab takes", most))
			continue
		}
		if slabs.Count > 1 {
			several++
		}
		read, written := int64(0), int64(0)
		for number := int64(0); number < slabs.Count; number++ {
			slab := must(slabs.Slab(number))
			in, out := must(src.Window(slab.Base, slab.Extent)), must(dst.Window(slab.Base, slab.Extent))
			var part []byte
			for _, at := range runsOf(src, slab.Base, slab.Extent, in) {
				part = append(part, from[at:at+in.RunBytes]...)
			}
			moved := make([]byte, out.Bytes)
			if err := must(NewPlan(in.Shape, out.Shape, nil)).Execute(part, moved); err != nil {
				t.Fatal(err)
			}
			for number, at := range runsOf(dst, slab.Base, slab.Extent, out) {
				copy(to[at:at+out.RunBytes], moved[int64(number)*out.RunBytes:])
			}
			if in.Bytes > slabs.SrcBytes || out.Bytes > slabs.DstBytes {
				t.Errorf("%v takes %d and %d bytes of %+v", slab, in.Bytes, out.Bytes, slabs)
			}
			read, written = read+in.RunCount, written+out.RunCount
		}
		if slabs.SrcBytes+slabs.DstBytes > most || read > slabs.SrcRuns || written > slabs.DstRuns {
			t.Errorf("%s to %s in %d bytes: %+v, %d runs and %d", src, dst, most, slabs, read, written)
		}
		if !reflect.DeepEqual(to, want) {
			t.Errorf("%s to %s differs in %+v", src, dst, slabs)
		}
	}
	if several < 40 {
		t.Errorf("only %d relayouts were in several slabs", several)
	}
}
