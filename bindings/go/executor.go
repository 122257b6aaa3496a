package xlashape

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ParallelFor is an executor: it calls run(i) exactly once for each i in [0, count), in any order, from any goroutines,
// and returns when all are done. If it returns an error, the call that needed the work fails with ErrCancelled, with that
// error as Cause, and its destination is unspecified. The same happens if ParallelFor panics (*PanicError), ends its
// goroutine, or leaves out a task. A panic in a goroutine that it starts ends the program, as always in Go.
//
// It is called on a separate goroutine, never nested, and at the same time for executions that run at the same time.
type ParallelFor func(count int, run func(index int)) error

// Goroutines is a ParallelFor: a goroutine per task. RuntimeOptions.Workers limits how many run at the same time. A negative
// count is ErrInvalidArgument.
func Goroutines(count int, run func(index int)) error {
	if count < 0 {
		return fail(ErrInvalidArgument, "count is %d, it must not be negative", count)
	}
	var tasks sync.WaitGroup
	for i := 0; i < count; i++ {
		tasks.Add(1) // all at once would not take every count
		go func(i int) {
			defer tasks.Done()
			run(i)
		}(i)
	}
	tasks.Wait()
	return nil
}

// PanicError is the Cause of an execution whose ParallelFor or Progress panicked.
type PanicError struct {
	Value any
	Stack []byte
	place string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic in %s: %v", e.place, e.Value) }

// executor is a ParallelFor; C refers to it by a number.
type executor struct {
	parallelFor ParallelFor
	workers     int
}

// xgParallelFor returns 0, or the number of the executor's error.
//
//export xgParallelFor
func xgParallelFor(name C.uintptr_t, count C.int64_t, task, opaque C.uintptr_t) C.uintptr_t {
	err := cgo.Handle(name).Value().(*executor).run(int(count), func(index int, worker uint32) {
		C.xg_run_task(task, opaque, C.int64_t(index), C.uint32_t(worker))
	})
	if err == nil {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(err))
}

// run lets the program's function do all tasks, and ensures that no task is left out, done twice, or still
// running when run returns.
func (e *executor) run(count int, task func(index int, worker uint32)) error {
	var (
		gate    sync.RWMutex // held by running tasks
		over    bool
		bad     atomic.Value
		ran     = make([]uint32, count)
		workers = make(chan uint32, e.workers)
		ended   = make(chan error, 1)
	)
	for i := 0; i < e.workers; i++ {
		workers <- uint32(i)
	}
	once := func(index int) {
		gate.RLock()
		defer gate.RUnlock()
		switch {
		case over:
		case index < 0 || index >= count:
			bad.Store(fmt.Errorf("ParallelFor ran task %d, not in [0, %d)", index, count))
		case !atomic.CompareAndSwapUint32(&ran[index], 0, 1):
			bad.Store(fmt.Errorf("ParallelFor ran task %d twice", index))
		default:
			worker := <-workers
			task(index, worker)
			workers <- worker
		}
	}
	go func() {
		err := errors.New("ParallelFor ended its goroutine")
		returned := false
		defer func() {
			if !returned {
				if value := recover(); value != nil {
					err = &PanicError{value, debug.Stack(), "ParallelFor"}
				}
			}
			ended <- err
		}()
		err = e.parallelFor(count, once)
		returned = true
	}()
	err := <-ended
	gate.Lock()
	over = true
	gate.Unlock()
	if wrong, ok := bad.Load().(error); ok && err == nil {
		err = wrong
	}
	for i := 0; i < count && err == nil; i++ {
		if ran[i] == 0 {
			err = fmt.Errorf("ParallelFor left out task %d of %d", i, count)
		}
	}
	return err
}
