package xlashape_test

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"xlashape"
)

const side = 1024

func executing(t *testing.T, options xlashape.RuntimeOptions) (*xlashape.Runtime, *xlashape.Plan) {
	t.Helper()
	r, err := xlashape.NewRuntime(&options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, plan(t, "f32[1024,1024]{1,0}", "f32[1024,1024]{0,1}", &xlashape.PlanOptions{Runtime: r})
}

func source() []float32 { return numbers(side*side, func(i int) float32 { return float32(i) }) }

func checkTransposed(t *testing.T, dst []float32) {
	t.Helper()
	for i := 0; i < side; i += 7 {
		for k := 0; k < side; k += 11 {
			if dst[k*side+i] != float32(i*side+k) {
				t.Fatalf("element %d,%d is %v", i, k, dst[k*side+i])
			}
		}
	}
}

func TestExecutor(t *testing.T) {
	var calls, tasks, running, most int64
	_, p := executing(t, xlashape.RuntimeOptions{Workers: 3, ParallelFor: func(count int, run func(int)) error {
		atomic.AddInt64(&calls, 1)
		return xlashape.Goroutines(count, func(i int) {
			if n := atomic.AddInt64(&running, 1); n > atomic.LoadInt64(&most) {
				atomic.StoreInt64(&most, n)
			}
			run(i)
			atomic.AddInt64(&running, -1)
			atomic.AddInt64(&tasks, 1)
		})
	}})
	dst := make([]float32, side*side)
	if err := xlashape.Execute(p, source(), dst); err != nil {
		t.Fatal(err)
	}
	checkTransposed(t, dst)
	if calls != 1 || tasks < 2 {
		t.Errorf("%d calls of the executor, %d tasks", calls, tasks)
	}
	if want, _ := p.TaskCount(3); tasks != want {
		t.Errorf("%d tasks, the plan makes %d for 3 workers", tasks, want)
	}
}

func TestExecutorOnManyGoroutinesAtOnce(t *testing.T) {
	_, p := executing(t, xlashape.RuntimeOptions{Workers: 2, ParallelFor: xlashape.Goroutines})
	src := source()
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			dst := make([]float32, side*side)
			if err := xlashape.Execute(p, src, dst); err != nil {
				t.Error(err)
				return
			}
			checkTransposed(t, dst)
		}()
	}
	all.Wait()
}

func TestExecutorInBatchesAndOneShots(t *testing.T) {
	calls := 0
	r, _ := executing(t, xlashape.RuntimeOptions{Workers: 2, ParallelFor: func(count int, run func(int)) error {
		calls++
		for i := count - 1; i >= 0; i-- {
			run(i)
		}
		return nil
	}})
	shape := xlashape.ArrayShape(xlashape.F32, side, side)
	m, err := xlashape.NewIndexMap(shape)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	linear := numbers(side*side, func(i int) int64 { return int64(i) })
	index, back := make([]int64, 2*len(linear)), make([]int64, len(linear))
	if _, err := m.MultidimensionalIndices(linear, index, &xlashape.BatchOptions{Runtime: r}); err != nil || index[2*side] != 1 {
		t.Error(err)
	}
	if _, err := m.LinearIndices(index, back, &xlashape.BatchOptions{Runtime: r}); err != nil || !reflect.DeepEqual(linear, back) {
		t.Error(err)
	}
	dst := make([]float32, side*side)
	if err := xlashape.RelayoutInto(shape, source(), shape.WithLayout(xlashape.ColumnMajor(2)), dst, &xlashape.PlanOptions{Runtime: r}); err != nil {
		t.Error(err)
	}
	checkTransposed(t, dst)
	if calls != 3 {
		t.Errorf("the executor was called %d times by two batches and a relayout", calls)
	}
}

var errTired = errors.New("tired")

func TestExecutorsThatGoWrong(t *testing.T) {
	for name, wrong := range map[string]xlashape.ParallelFor{
		"panic in ParallelFor: boo": func(int, func(int)) error { panic("boo") },
		"panic in ParallelFor: runtime error": func(count int, run func(int)) error {
			run(0)
			return []error{}[count]
		},
		"tired":           func(int, func(int)) error { return errTired },
		"left out task 0": func(int, func(int)) error { return nil },
		"left out task 1": func(count int, run func(int)) error {
			run(0)
			return nil
		},
		"twice": func(count int, run func(int)) error {
			run(0)
			return xlashape.Goroutines(count, run)
		},
		"not in [0": func(count int, run func(int)) error {
			run(-1)
			run(count)
			return xlashape.Goroutines(count, run)
		},
		"ended its goroutine": func(count int, run func(int)) error {
			runtime.Goexit()
			return nil
		},
	} {
		_, p := executing(t, xlashape.RuntimeOptions{Workers: 4, ParallelFor: wrong})
		src, dst := source(), make([]float32, side*side)
		for round := 0; round < 2; round++ {
			err := xlashape.Execute(p, src, dst)
			wants(t, err, xlashape.ErrCancelled, name)
			if strings.HasPrefix(name, "panic") {
				var thrown *xlashape.PanicError
				if !errors.As(err, &thrown) || len(thrown.Stack) == 0 {
					t.Errorf("%v holds no panic", err)
				}
			}
			if name == "tired" && !errors.Is(err, errTired) {
				t.Errorf("%v is not the executor's error", err)
			}
		}
	}
}

// A task that is started too late does nothing: its memory may be gone.
func TestLateTasks(t *testing.T) {
	late := make(chan func(int), 1)
	_, p := executing(t, xlashape.RuntimeOptions{Workers: 4, ParallelFor: func(count int, run func(int)) error {
		late <- run
		return nil
	}})
	dst := make([]float32, side*side)
	wants(t, xlashape.Execute(p, source(), dst), xlashape.ErrCancelled, "left out")
	(<-late)(0)
	for _, value := range dst {
		if value != 0 {
			t.Fatal("a late task wrote")
		}
	}
	// A task that still runs when ParallelFor returns is waited for.
	started := make(chan bool)
	_, p = executing(t, xlashape.RuntimeOptions{Workers: 4, ParallelFor: func(count int, run func(int)) error {
		for i := 1; i < count; i++ {
			run(i)
		}
		go func() {
			close(started)
			run(0)
		}()
		<-started
		time.Sleep(20 * time.Millisecond)
		return nil
	}})
	if err := xlashape.Execute(p, source(), dst); err != nil { // on a slow machine it may be late
		wants(t, err, xlashape.ErrCancelled, "left out task 0")
	} else {
		checkTransposed(t, dst)
	}
}

func TestPoolOfTheLibrary(t *testing.T) {
	_, p := executing(t, xlashape.RuntimeOptions{Threads: 2})
	dst := make([]float32, side*side)
	if err := xlashape.Execute(p, source(), dst); err != nil {
		t.Fatal(err)
	}
	checkTransposed(t, dst)
}
