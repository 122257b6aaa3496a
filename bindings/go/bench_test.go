// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"sort"
	"testing"
	"time"
)

// What a call costs, and what an element of a batch does. bench.sh prints them for tools/language_costs.py.

const (
	benchText  = "bf16[128,256]{1,0:T(8,128)(2,1)}"
	benchRank4 = "f32[16,32,64,128]{3,2,1,0:T(8,128)}"
)

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := ParseShape(benchText); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	b.ReportAllocs()
	shape := MustParseShape(benchText)
	for i := 0; i < b.N; i++ {
		if shape.String() == "" {
			b.Fatal("no text")
		}
	}
}

func benchMap(b *testing.B) *IndexMap {
	m, err := NewIndexMap(MustParseShape(benchRank4))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	b.ReportAllocs()
	b.ResetTimer()
	return m
}

func BenchmarkLinearIndex(b *testing.B) {
	m := benchMap(b)
	for i := 0; i < b.N; i++ {
		if _, err := m.LinearIndex(1, 2, 40, int64(i&127)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMultidimensionalIndex(b *testing.B) {
	m := benchMap(b)
	var index [4]int64
	for i := 0; i < b.N; i++ {
		if _, err := m.MultidimensionalIndex(int64(i&1023), index[:]); err != nil {
			b.Fatal(err)
		}
	}
}

func unravel(b *testing.B, count int) {
	m := benchMap(b)
	linear, index := make([]int64, count), make([]int64, 4*count)
	for i := range linear {
		linear[i] = int64(i) % m.StorageElements()
	}
	b.ResetTimer()
	start := time.Now()
	for i := 0; i < b.N; i++ {
		if _, err := m.MultidimensionalIndices(linear, index, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(start).Nanoseconds())/float64(b.N)/float64(count), "ns/index")
}

func BenchmarkUnravel1(b *testing.B)       { unravel(b, 1) }
func BenchmarkUnravel1024(b *testing.B)    { unravel(b, 1024) }
func BenchmarkUnravel1000000(b *testing.B) { unravel(b, 1000000) }

func execute(b *testing.B, src, dst string) {
	p := plan(b, src, dst, nil)
	from, to := make([]byte, p.SrcBytes()), make([]byte, p.DstBytes())
	for i := range to {
		to[i] = 1 // the pages are there before they are timed
		from[i] = byte(i)
	}
	b.ReportAllocs()
	b.SetBytes(p.SrcBytes())
	times := make([]float64, 0, 16)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		start := time.Now()
		if err := p.Execute(from, to); err != nil {
			b.Fatal(err)
		}
		if len(times) < cap(times) {
			times = append(times, float64(time.Since(start).Nanoseconds()))
		}
	}
	sort.Float64s(times)
	b.ReportMetric(times[len(times)/2], "median-ns")
}

func BenchmarkExecute64MB(b *testing.B) { execute(b, "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}") }

func BenchmarkExecuteSmall(b *testing.B) {
	p := plan(b, "f32[3,4]{1,0}", "f32[3,4]{0,1}", nil)
	from, to := make([]float32, 12), make([]float32, 12)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if err := Execute(p, from, to); err != nil {
			b.Fatal(err)
		}
	}
}
