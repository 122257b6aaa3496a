// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// Lifetimes: what is closed, forgotten, copied, shared, and used while another goroutine closes it.

func TestHandleIsFreedOnceWhenClosedAndUnused(t *testing.T) {
	freed := 0
	h := newHandle(unsafe.Pointer(&freed), func(unsafe.Pointer) { freed++ })
	if p, err := h.enter(); p != unsafe.Pointer(&freed) || err != nil {
		t.Fatal(p, err)
	}
	h.close()
	h.close()
	_, inUse := h.enter()
	equals(t, []any{freed, inUse}, []any{0, ErrClosed})
	h.leave()
	_, late := h.enter()
	equals(t, []any{freed, late}, []any{1, ErrClosed})
}

func plan(t testing.TB, src, dst string, options *PlanOptions) *Plan {
	t.Helper()
	p, err := NewPlan(MustParseShape(src), MustParseShape(dst), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// holders are copies whose originals nobody has any more: they keep the memory, and are closed with the originals.
type holders struct {
	m IndexMap
	p Plan
	i IndexPlan
	r Runtime
}

func held() holders {
	image := ArrayShape(U8, 3, 4)
	r := must(NewRuntime(&RuntimeOptions{Workers: 2, ParallelFor: Goroutines}))
	m := must(NewIndexMap(image))
	return holders{*m, *must(NewPlan(image, image.WithLayout(ColumnMajor(2)), &PlanOptions{Runtime: r})),
		*must(m.Plan(ToLinear, &IndexPlanOptions{Runtime: r})), *r}
}

func (h *holders) close() {
	for _, closer := range []interface{ Close() error }{&h.m, &h.p, &h.i, &h.r} {
		closer.Close()
	}
}

func second[T any](_ T, err error) error { return err }

// calls are all methods that may fail. What is right for them, or wrong: it must not matter where something is closed.
func (h *holders) calls(right bool) map[string]error {
	src, dst, three, runtime := []byte("abcdefghijkl"), make([]byte, 12), []byte("abc"), &h.r
	u8, other, conversion, tasks, at := ArrayShape(U8, 3), ArrayShape(U8,
		3), ToMultidimensional, int64(0), []int64{1, 2}
	options := &PlanOptions{Runtime: runtime}
	if !right {
		src, dst, other, conversion, tasks, at = nil, dst[:7], Shape{}, 7, -1, []int64{-1, 9, 9}
		options.Backend, options.SrcBase = "no\x00body", at
	}
	batch := &BatchOptions{Runtime: runtime}
	_, _, shapes := h.p.Shapes()
	made, errOfPlan := h.m.Plan(conversion, nil)
	made.Close()
	planned, errOfNewPlan := NewPlan(u8, other, options)
	planned.Close()
	calls := map[string]error{
		"Execute": h.p.Execute(src, dst), "typed Execute": Execute(&h.p, src, dst), "Shapes": shapes,
		"ExecuteContext": h.p.ExecuteContext(context.Background(), src, dst, nil),
		"ExecuteList": ExecuteList(nil, []Execution{NewExecution(&h.p, src, dst), NewExecution(&h.p, src, dst)},
			nil),
		"Describe": second(h.p.Describe()), "TaskCount": second(h.p.TaskCount(2)),
		"LinearIndex": second(h.m.LinearIndex(at...)), "MultidimensionalIndex": second(h.m.MultidimensionalIndex(tasks, at)),
		"LinearIndices":           second(h.m.LinearIndices(at, make([]int64, 1), batch)),
		"MultidimensionalIndices": second(h.m.MultidimensionalIndices(make([]int64, 1), at, batch)),
		"IndexMap.Plan":           errOfPlan, "NewPlan": errOfNewPlan, "IndexPlan.Describe": second(h.i.Describe()),
		"IndexPlan.ExecuteRaw": second(h.i.ExecuteRaw(ExecuteOptions{},
			tasks)), "Report": second(h.r.Report()), "Backends": second(h.r.Backends()),
		"DeviceText": second(h.r.DeviceText(0, 0)), "Wisdom": second(h.r.Wisdom()), "ForgetWisdom": h.r.ForgetWisdom(),
		"ProfilePath": second(h.r.ProfilePath()), "Relayout": second(Relayout(u8, three, other, options)),
		"RelayoutInto": RelayoutInto(u8, three, other, dst[:3], options),
	}
	if !right {
		calls["Predict"], calls["ExecuteRaw"] = second(h.p.Predict()), h.p.ExecuteRaw(ExecuteOptions{TaskBegin: -1})
		calls["LoadBackend"], calls["ImportWisdom"] = h.r.LoadBackend("\x00"), second(h.r.ImportWisdom("no wisdom"))
		calls["Calibrate"] = second(h.r.Calibrate(nil, -1, nil))
	}
	return calls
}

func TestCopiesKeepTheirMemoryAndAreClosedTogether(t *testing.T) {
	all := held()
	for i := 0; i < 3; i++ { // the finalizers of the originals, if there are any
		runtime.GC()
		held() // what was freed is in use again
	}
	for name, err := range all.calls(true) {
		if err != nil {
			t.Error(name, err)
		}
	}
	copied := all
	copied.close()
	all.close()                                       // again
	for i, h := range []*holders{&all, &copied, {}} { // zero values are closed from the start
		for _, right := range []bool{true, false} {
			for name, err := range h.calls(right) {
				if err != ErrClosed {
					t.Errorf("%s of %d says %v", name, i, err)
				}
			}
		}
	}
	equals(t, []any{all.p.DstBytes(), all.p.Backend() != "", all.m.Rank(), all.m.StorageElements()}, []any{int64(12),
		true, 2, int64(12)})
	var p *Plan
	var i *IndexPlan
	var m *IndexMap
	equals(t, []any{p.Close(), i.Close(), m.Close(), (*Runtime)(nil).Close()}, []any{nil, nil, nil, nil})
	equals(t, []any{p.Execute(nil, nil), second(i.Describe()), second(m.LinearIndex()), second(p.Predict())},
		[]any{ErrClosed, ErrClosed, ErrClosed, ErrClosed})
	equals(t, []any{p.Backend(), p.SrcBytes(), p.Requirements(), m.Rank(), m.StorageElements()}, []any{"", int64(0),
		Requirements{}, 0, int64(0)})
}

// What was entered before a failure is left again: Close then gives it back.
func TestListsLeaveTheirPlans(t *testing.T) {
	p := plan(t, "u8[3]", "u8[3]", nil)
	good, short := NewExecution(p, []byte("abc"), make([]byte, 3)), NewExecution(p, []byte("ab"), make([]byte, 3))
	for want, list := range map[error][]Execution{nil: {good, good}, ErrOutOfRange: {good, short}, ErrClosed: {good,
		{}, good}} {
		if err := ExecuteList(context.Background(), list, nil); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	equals(t, p.handle.users, int64(0))
}

// One closes what others are using: each call works or says ErrClosed.
func TestCloseRace(t *testing.T) {
	for round := 0; round < 50; round++ {
		var plans [3]*Plan
		for i := range plans {
			plans[i] = must(NewPlan(ArrayShape(U8, 3, 4), MustParseShape("u8[3,4]{0,1}"), nil))
		}
		m := must(NewIndexMap(ArrayShape(U8, 3, 4)))
		var all sync.WaitGroup
		for i := 0; i < 4; i++ {
			all.Add(1)
			go func(i int) {
				defer all.Done()
				for k := 0; k < 10; k++ {
					if i == 0 && k == 5 {
						plans[1].Close()
						m.Close()
					}
					var outs [3][12]byte
					var list []Execution
					for n := range plans {
						list = append(list, NewExecution(plans[n], []byte("abcdefghijkl"), outs[n][:]))
					}
					if err := ExecuteList(context.Background(), list, nil); err == nil {
						equals(t, string(outs[2][:]), "aeibfjcgkdhl")
					} else {
						equals(t, err, ErrClosed)
					}
					if err := plans[1].Execute([]byte("abcdefghijkl"), outs[0][:]); err == nil {
						equals(t, string(outs[0][:]), "aeibfjcgkdhl")
					} else {
						equals(t, err, ErrClosed)
					}
					if n, err := m.LinearIndex(2, 3); err != ErrClosed && (n != 11 || err != nil) {
						t.Error(n, err)
					}
				}
			}(i)
		}
		all.Wait()
	}
}

// counted counts the releases of a handle.
func counted(freed *int64, h *handle) {
	release := h.free
	h.free = func(p unsafe.Pointer) {
		release(p)
		atomic.AddInt64(freed, 1)
	}
}

// A call keeps the handles that it uses, although nothing else refers to them any more while C works.
func TestCallsKeepTheirHandles(t *testing.T) {
	shape, columns, src, dst := ArrayShape(F32, edge, edge), ArrayShape(F32, edge,
		edge).WithLayout(ColumnMajor(2)), source(), source()
	linear, index := make([]int64, edge*edge), make([]int64, 2*edge*edge)
	for name, call := range map[string]func(r *Runtime, freed *int64) error{
		"Execute": func(r *Runtime, freed *int64) error {
			p := must(NewPlan(shape, columns, &PlanOptions{Runtime: r}))
			counted(freed, p.handle)
			return Execute(p, src, dst)
		},
		"ExecuteList": func(r *Runtime, freed *int64) error {
			p := must(NewPlan(shape, columns, &PlanOptions{Runtime: r}))
			counted(freed, p.handle)
			return ExecuteList(nil, []Execution{NewExecution(p, src, dst)}, nil)
		},
		"RelayoutInto": func(r *Runtime, freed *int64) error {
			counted(freed, r.handle)
			return RelayoutInto(shape, src, columns, dst, &PlanOptions{Runtime: r})
		},
		"MultidimensionalIndices": func(r *Runtime, freed *int64) error {
			m := must(NewIndexMap(shape))
			counted(freed, m.handle)
			counted(freed, r.handle)
			return second(m.MultidimensionalIndices(linear, index, &BatchOptions{Runtime: r}))
		},
	} {
		var freed, during int64
		r := must(NewRuntime(&RuntimeOptions{Workers: 2, ParallelFor: func(count int, run func(int)) error {
			for i := 0; i < 5; i++ {
				runtime.GC()
				time.Sleep(time.Millisecond) // time for finalizers
			}
			during = atomic.LoadInt64(&freed)
			return Goroutines(count, run)
		}}))
		equals(t, []any{name, call(r, &freed), during}, []any{name, nil, int64(0)})
	}
}

// Many goroutines make and drop everything, and share some of it, while the collector runs: finalizers release each
// handle once.
func TestFinalizersUnderLoad(t *testing.T) {
	var made, freed int64
	count := func(h *handle) {
		counted(&freed, h)
		atomic.AddInt64(&made, 1)
	}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	shared, shape := held(), MustParseShape("(f32[8,8]{0,1:T(4,4)}, (s8[<=3], token[]))")
	text := shape.String()
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for k := 0; k < 60; k++ {
				r := must(NewRuntime(nil))
				count(r.handle)
				p := must(NewPlan(ArrayShape(U8, 3, 4), MustParseShape("u8[3,4]{0,1}"), &PlanOptions{Runtime: r}))
				count(p.handle)
				m := must(NewIndexMap(ArrayShape(U8, 3, 4)))
				count(m.handle)
				var dst, again [12]byte
				equals(t, []any{p.Execute([]byte("abcdefghijkl"), dst[:]), string(dst[:])}, []any{nil, "aeibfjcgkdhl"})
				equals(t, must(m.LinearIndex(2, 3)), int64(11))
				equals(t, []any{shared.p.Execute([]byte("abcdefghijkl"), again[:]), again}, []any{nil, dst})
				equals(t, []any{must(shared.m.LinearIndex(1, 2)), must(ParseShape(text)).String(),
					shape.LeafCount()}, []any{int64(6), text, 3})
			}
		}()
	}
	all.Wait()
	close(stop)
	for i := 0; i < 1000 && atomic.LoadInt64(&freed) < made-8; i++ { // the last ones may still be seen on the stack
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := atomic.LoadInt64(&freed); n < made-8 || n > made {
		t.Errorf("%d of %d handles were freed", n, made)
	}
	shared.close()
}

// pages is how much memory the process has, in pages; 0 where the system does not say.
func pages() (resident int) {
	text, _ := os.ReadFile("/proc/self/statm")
	fmt.Sscan(string(text), new(int), &resident)
	return resident
}

// Nothing of a call stays behind: its handles and its memory go back, also where it fails, and the next call is as good
// as new.
func TestCallsAreAsGoodAsNew(t *testing.T) {
	wide := TupleShape(make([]Shape, 2000)...)
	for i := range wide.TupleShapes {
		wide.TupleShapes[i] = ArrayShape(F32, int64(i), 7)
	}
	text, before := wide.String(), 0
	broken := TupleShape(wide, Shape{})
	for i := 0; i < 300; i++ {
		if i == 100 {
			before = pages()
		}
		equals(t, []any{wide.LeafCount(), len(must(ParseShape(text)).TupleShapes)}, []any{2000, 2000})
		wants(t, broken.Validate(), ErrInvalidArgument, "")
		c := begin()
		if c.raw.chunks != nil || c.refused != nil || c.raw.refused != 0 || len(c.kept)+len(c.held) != 0 ||
			c.raw.shapes[0].count != 0 ||
			c.raw.layouts[0] != nil || c.raw.failure.cause != 0 {
			t.Fatalf("%+v, %v", c, c.raw.chunks)
		}
		c.end()
		if i%10 == 0 {
			runtime.GC()
		}
	}
	if grown := (pages() - before) * os.Getpagesize(); grown > 20<<20 {
		t.Errorf("200 calls took %d bytes", grown)
	}
	equals(t, fmt.Sprint(ArrayShape(F32, 2).Equal(Shape{}), RowMajor(1).Equal(ColumnMajor(1))), "false true")
}
