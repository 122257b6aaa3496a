// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What C calls: executors, loggers, progress; how they go wrong, and when they are given back. And the other options of
// runtimes.

const edge = 1024

func executing(t *testing.T, options RuntimeOptions) (*Runtime, *Plan) {
	t.Helper()
	r, err := NewRuntime(&options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, plan(t, "f32[1024,1024]{1,0}", "f32[1024,1024]{0,1}", &PlanOptions{Runtime: r})
}

func numbers[T Element](n int, at func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = at(i)
	}
	return list
}

func source() []float32 { return numbers(edge*edge, func(i int) float32 { return float32(i) }) }

func checkTransposed(t *testing.T, dst []float32) {
	t.Helper()
	for i := 0; i < edge; i += 7 {
		for k := 0; k < edge; k += 11 {
			if dst[k*edge+i] != float32(i*edge+k) {
				t.Fatalf("element %d,%d is %v", i, k, dst[k*edge+i])
			}
		}
	}
}

// Each way to execute uses the executor once, with as many tasks as the plan has for its workers; several executions
// may run at once.
func TestExecutor(t *testing.T) {
	var calls, tasks int64
	r, p := executing(t, RuntimeOptions{Workers: 3, ParallelFor: func(count int, run func(int)) error {
		atomic.AddInt64(&calls, 1)
		return Goroutines(count, func(i int) {
			run(i)
			atomic.AddInt64(&tasks, 1)
		})
	}})
	other := plan(t, "f32[1024,1024]{1,0}", "f32[1024,1024]{0,1}", &PlanOptions{Runtime: r})
	some := must(p.TaskCount(3))
	shape, columns := ArrayShape(F32, edge, edge), ArrayShape(F32, edge, edge).WithLayout(ColumnMajor(2))
	m := must(NewIndexMap(shape))
	defer m.Close()
	linear := numbers(edge*edge, func(i int) int64 { return int64(i) })
	index, back := make([]int64, 2*len(linear)), make([]int64, len(linear))
	dst, two := make([]float32, edge*edge), make([]float32, edge*edge)
	for name, c := range map[string]struct {
		run   func() error
		tasks int64 // 0: any number
	}{
		"plan": {func() error { return Execute(p, source(), dst) }, some},
		"list": {func() error {
			return ExecuteList(nil, []Execution{NewExecution(p, source(), dst), NewExecution(other, source(), two)},
				nil)
		}, 2 * some},
		"once": {func() error { return RelayoutInto(shape, source(), columns, dst, &PlanOptions{Runtime: r}) }, 0},
		"to index": {func() error {
			return second(m.MultidimensionalIndices(linear, index,
				&BatchOptions{Runtime: r}))
		}, 0},
	} {
		calls, tasks = 0, 0
		for i := range dst {
			dst[i] = 0
		}
		if err := c.run(); err != nil || calls != 1 || tasks < 2 || (c.tasks != 0 && tasks != c.tasks) {
			t.Errorf("%s: %v, %d calls of the executor, %d tasks of %d", name, err, calls, tasks, c.tasks)
		}
		if name != "to index" {
			checkTransposed(t, dst)
		}
	}
	if _, err := m.LinearIndices(index, back, &BatchOptions{Runtime: r}); err != nil || !reflect.DeepEqual(linear,
		back) {
		t.Error(err)
	}
	_, pooled := executing(t, RuntimeOptions{Threads: 2}) // the library's own threads
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func(p *Plan) {
			defer all.Done()
			dst := make([]float32, edge*edge)
			equals(t, Execute(p, source(), dst), nil)
			checkTransposed(t, dst)
		}([]*Plan{p, pooled}[i%2])
	}
	all.Wait()
	wants(t, Goroutines(-5, func(int) { t.Error("ran") }), ErrInvalidArgument, "count is -5, it must not be negative")
}

func TestExecutorsThatGoWrong(t *testing.T) {
	tired := errors.New("tired")
	for name, wrong := range map[string]ParallelFor{
		"panic in ParallelFor: boo": func(int, func(int)) error { panic("boo") },
		"panic in ParallelFor: runtime error": func(count int, run func(int)) error {
			run(0)
			return []error{}[count]
		},
		"tired":           func(int, func(int)) error { return tired },
		"left out task 0": func(int, func(int)) error { return nil },
		"twice": func(count int, run func(int)) error {
			run(0)
			return Goroutines(count, run)
		},
		"not in [0": func(count int, run func(int)) error {
			run(-1)
			run(count)
			return Goroutines(count, run)
		},
		"ended its goroutine": func(count int, run func(int)) error {
			runtime.Goexit()
			return nil
		},
	} {
		r, p := executing(t, RuntimeOptions{Workers: 4, ParallelFor: wrong})
		src, dst := source(), make([]float32, edge*edge)
		linear := make([]int64, edge*edge)
		m := must(NewIndexMap(ArrayShape(F32, edge, edge)))
		for _, err := range []error{Execute(p, src, dst), ExecuteList(nil, []Execution{NewExecution(p, src, dst)}, nil),
			RelayoutInto(ArrayShape(F32, edge, edge), src, ArrayShape(F32, edge, edge).WithLayout(ColumnMajor(2)),
				dst, &PlanOptions{Runtime: r}),
			second(m.MultidimensionalIndices(linear, make([]int64, 2*len(linear)), &BatchOptions{Runtime: r}))} {
			wants(t, err, ErrCancelled, name)
			var thrown *PanicError
			if strings.HasPrefix(name, "panic") && (!errors.As(err, &thrown) || len(thrown.Stack) == 0) {
				t.Errorf("%v holds no panic", err)
			}
			if name == "tired" && !errors.Is(err, tired) {
				t.Errorf("%v is not the executor's error", err)
			}
		}
		m.Close()
		wants(t, Execute(p, src[:1], dst), ErrOutOfRange, "") // an error afterwards has no cause
		equals(t, errors.Unwrap(second(NewPlan(Shape{}, Shape{}, nil))), nil)
	}
}

// A task that is started too late does nothing: its memory may be gone. One that still runs is waited for.
func TestLateTasks(t *testing.T) {
	late := make(chan func(int), 1)
	_, p := executing(t, RuntimeOptions{Workers: 4, ParallelFor: func(count int, run func(int)) error {
		late <- run
		return nil
	}})
	dst := make([]float32, edge*edge)
	wants(t, Execute(p, source(), dst), ErrCancelled, "left out")
	(<-late)(0)
	for _, value := range dst {
		if value != 0 {
			t.Fatal("a late task wrote")
		}
	}
	started := make(chan bool)
	_, p = executing(t, RuntimeOptions{Workers: 4, ParallelFor: func(count int, run func(int)) error {
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
	if err := Execute(p, source(), dst); err != nil { // on a slow machine it may be late
		wants(t, err, ErrCancelled, "left out task 0")
	} else {
		checkTransposed(t, dst)
	}
}

// Both ways to have an execution watched.
func watchedWays(p *Plan, dst []float32) map[string]func(context.Context, Progress) error {
	src := source()
	list := []Execution{NewExecution(p, src, dst), NewExecution(p, src, make([]float32, edge*edge))}
	bytes, out := make([]byte, 4*edge*edge), make([]byte, 4*edge*edge)
	return map[string]func(context.Context, Progress) error{
		"list": func(ctx context.Context, hear Progress) error { return ExecuteList(ctx, list, hear) },
		"one":  func(ctx context.Context, hear Progress) error { return p.ExecuteContext(ctx, bytes, out, hear) },
	}
}

func TestProgressAndContexts(t *testing.T) {
	for _, options := range []RuntimeOptions{{}, {Threads: 4}, {ParallelFor: Goroutines, Workers: 4}} {
		_, p := executing(t, options)
		dst := make([]float32, edge*edge)
		for name, run := range watchedWays(p, dst) {
			var guard sync.Mutex
			heard, counts := map[int]bool{}, map[int]bool{}
			err := run(context.Background(), func(done, count int) {
				guard.Lock()
				defer guard.Unlock()
				heard[done], counts[count] = true, true
			})
			if err != nil || len(counts) != 1 || len(heard) < 8 || !counts[len(heard)] || !heard[1] ||
				!heard[len(heard)] {
				t.Errorf("%s: heard of %v of %v, %v", name, heard, counts, err)
			}
			for part, wrong := range map[string]Progress{
				"panic in Progress: boo":       func(done, count int) { panic("boo") },
				"Progress ended its goroutine": func(done, count int) { runtime.Goexit() },
			} {
				var heard int64
				err := run(context.Background(), func(done, count int) {
					atomic.AddInt64(&heard, 1)
					wrong(done, count)
				})
				wants(t, err, ErrCancelled, part)
				var thrown *PanicError
				if heard > 10 || errors.As(err, &thrown) != strings.HasPrefix(part, "panic") {
					t.Errorf("%s: %d tasks, %v", name, heard, err)
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			var last int64
			err = run(ctx, func(done, count int) {
				if atomic.AddInt64(&last, 1) == 2 {
					cancel()
				}
				time.Sleep(10 * time.Millisecond) // time for a context to be heard
			})
			wants(t, err, ErrCancelled, "had ended")
			if !errors.Is(err, context.Canceled) || last > 10 {
				t.Errorf("%s: %v after %d tasks", name, err, last)
			}
			for _, hear := range []Progress{nil, func(done, count int) {
				t.Errorf("%s: a task ran",
					name)
			}} { // done from the start
				if err := run(ctx, hear); !errors.Is(err, context.Canceled) || !errors.Is(err, ErrCancelled) {
					t.Errorf("%s: %v", name, err)
				}
			}
			ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
			equals(t, run(ctx, nil), nil)
			cancel()
		}
		checkTransposed(t, dst)
	}
	p, before := plan(t, "u8[3]", "u8[3]", nil), runtime.NumGoroutine() // nothing of a call stays behind it
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for i := 0; i < 50; i++ {
		equals(t, p.ExecuteContext(ctx, []byte("abc"), make([]byte, 3), nil), nil)
	}
	for i := 0; i < 1000 && runtime.NumGoroutine() > before+5; i++ {
		time.Sleep(time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > before+5 {
		t.Errorf("%d goroutines, there were %d", now, before)
	}
}

// The stack of the goroutine moves while C works: what C works on must not be there.
func TestExecuteListWhileTheStackMoves(t *testing.T) {
	p := plan(t, "u8[4096]{0}", "u8[4096]{0}", nil)
	var grow func(n int) int
	grow = func(n int) int {
		var room [512]byte
		if n == 0 {
			return int(room[0])
		}
		return grow(n-1) + int(room[n%512])
	}
	for i := 0; i < 20; i++ {
		grow(2000) // so that the next collection has something to take back
		var src, first, second [4096]byte
		src[i], src[4095] = 7, 9
		list := [2]Execution{NewExecution(p, src[:], first[:]), NewExecution(p, src[:], second[:])}
		if err := ExecuteList(context.Background(), list[:], func(int, int) { runtime.GC() }); err != nil ||
			first != src || second != src {
			t.Fatal("other bytes", err)
		}
	}
}

// observed is how a test sees that Go has taken back what a hook refers to.
type observed struct{ uses, gone int64 }

func (o *observed) hook() (use func()) {
	thing := &[]*observed{o}
	runtime.SetFinalizer(thing, func(*[]*observed) { atomic.StoreInt64(&o.gone, 1) })
	return func() { atomic.AddInt64(&(*thing)[0].uses, 1) }
}

func (o *observed) isGone(within time.Duration) bool {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		runtime.GC()
		if atomic.LoadInt64(&o.gone) != 0 || time.Since(start) > within {
			return atomic.LoadInt64(&o.gone) != 0
		}
	}
}

func observedOptions(log, executor *observed) *RuntimeOptions {
	heard, ran := log.hook(), executor.hook()
	return &RuntimeOptions{NoEnvironment: true, Workers: 2, Logger: func(LogLevel, int, string) { heard() },
		ParallelFor: func(count int, run func(int)) error {
			ran()
			return Goroutines(count, run)
		}}
}

// The library gives hooks back when the runtime and its plans are closed or forgotten, whatever is closed last, and
// once: the second time would end the program. Where there is no runtime they are not the library's to give back.
func TestHooksAreKeptUntilAllIsClosed(t *testing.T) {
	for _, how := range []string{"closed", "forgotten", "no runtime"} {
		var log, executor observed
		options := observedOptions(&log, &executor)
		if how == "no runtime" {
			options.VerifyCount = -1
			wants(t, second(NewRuntime(options)), ErrInvalidArgument, "verify_count is -1")
		}
		if how == "forgotten" {
			must(NewRuntime(options))
		}
		if how == "closed" {
			r := must(NewRuntime(options))
			p := plan(t, "f32[1024,1024]{1,0}", "f32[1024,1024]{0,1}", &PlanOptions{Runtime: r})
			m := must(NewIndexMap(ArrayShape(U8, 3)))
			i := must(m.Plan(ToLinear, &IndexPlanOptions{Runtime: r}))
			r.Close()
			i.Close()
			m.Close()
			options = nil
			if log.isGone(20*time.Millisecond) || executor.isGone(20*time.Millisecond) {
				t.Fatal("the hooks of a plan are gone")
			}
			dst := make([]float32, edge*edge)
			equals(t, Execute(p, source(), dst), nil)
			checkTransposed(t, dst)
			if executor.uses != 1 || log.uses == 0 {
				t.Errorf("the executor was used %d times, the logger %d", executor.uses, log.uses)
			}
			p.Close()
		}
		options = nil
		if !log.isGone(10*time.Second) || !executor.isGone(10*time.Second) {
			t.Errorf("%s: the hooks are still there", how)
		}
	}
}

// A backend that cannot be loaded is a line for the logger, whatever the logger then does. Texts about it come in any
// length.
func TestLogger(t *testing.T) {
	folder := t.TempDir()
	for len(folder) < 1500 {
		folder = filepath.Join(folder, strings.Repeat("x", 200))
	}
	broken := filepath.Join(folder, "broken.so")
	if os.MkdirAll(folder, 0o755) != nil || os.WriteFile(broken, []byte("no object"), 0o644) != nil {
		t.Fatal("no file")
	}
	for name, after := range map[string]func(){
		"returns": func() {}, "panics": func() { panic("no words") }, "ends its goroutine": runtime.Goexit,
	} {
		var lock sync.Mutex
		var heard []string
		r := must(NewRuntime(&RuntimeOptions{NoEnvironment: true, Logger: func(level LogLevel, backend int,
			line string) {
			lock.Lock()
			heard = append(heard, fmt.Sprint(level, backend, line))
			lock.Unlock()
			after()
		}}))
		if err := r.LoadBackend(broken); err == nil {
			t.Error("a text was loaded")
		}
		found := false
		for i, b := range must(r.Backends()) {
			if b.Name == "broken" {
				found = b.Path == broken && b.Detail != "" && b.State == BackendFailed && b.MemorySpaces == nil &&
					strings.HasPrefix(heard[len(heard)-1], fmt.Sprint(LogWarning, i, "backend broken: not in use"))
			}
		}
		if report := must(r.Report()); !found || !strings.Contains(report, broken) {
			t.Errorf("a logger that %s heard %q; %s", name, heard, report)
		}
		r.Close()
	}
}

// The library says that a backend is ready when it is: who hears that may plan on the same runtime, and wait for others
// who do.
func TestLoggerPlansOnceABackendIsReady(t *testing.T) {
	from, to := MustParseShape("u8[3,4]"), MustParseShape("u8[3,4]{0,1}")
	var r *Runtime // nil where a line comes before there is one
	move := func() error {
		return RelayoutInto(from, []byte("abcdefghijkl"), to, make([]byte, 12), &PlanOptions{Runtime: r})
	}
	var heard int32
	within := make(chan error, 2)
	r = must(NewRuntime(&RuntimeOptions{NoEnvironment: true, Logger: func(_ LogLevel, _ int, line string) {
		if r != nil && strings.Contains(line, ": ready") && atomic.CompareAndSwapInt32(&heard, 0, 1) {
			within <- move()
			other := make(chan error)
			go func() { other <- move() }()
			within <- <-other
		}
	}}))
	moved := make(chan error, 1)
	go func() { moved <- move() }()
	for _, answer := range []<-chan error{within, within, moved} {
		select {
		case err := <-answer:
			equals(t, err, nil)
		case <-time.After(30 * time.Second): // else it hangs for ever
			t.Fatal("planning in a logger hangs")
		}
	}
	r.Close()
}

func TestOptionsOfRuntimes(t *testing.T) {
	r := must(NewRuntime(&RuntimeOptions{NoEnvironment: true, NoLibraryDir: true, NoInstallDir: true, LoadNow: true,
		VerifyCount: 64}))
	backends := must(r.Backends())
	if len(backends) != 1 || backends[0].Name != "scalar" || backends[0].State != BackendReady ||
		!reflect.DeepEqual(backends[0].MemorySpaces, []MemorySpace{SpaceCPU}) {
		t.Errorf("%+v", backends)
	}
	p := plan(t, "u8[3]", "u8[3]", &PlanOptions{Runtime: r})
	wants(t, r.LoadBackend(os.Args[0]+".none"), ErrNotFound, ".none")
	choosing := must(NewRuntime(&RuntimeOptions{Backend: "nobody,*", DeniedBackends: []string{"simd", "opencl"},
		CPU:         "scalar",
		BackendDirs: []string{"/nowhere"}, BackendOptions: map[string]string{"one.key": "a=b", "one.another": "",
			"two.key": "x,y"}}))
	reports := must(r.Report()) + must(choosing.Report()) + must((*Runtime)(nil).Report())
	for _, part := range []string{"verification: 64 positions", "no features used", "denied backends: simd,opencl",
		"one.another=, one.key=a=b, two.key=x,y", "/nowhere"} {
		if !strings.Contains(reports, part) {
			t.Errorf("no %q in %s", part, reports)
		}
	}
	wants(t, second(NewPlan(ArrayShape(U8), ArrayShape(U8), &PlanOptions{Runtime: choosing, Backend: "simd"})),
		ErrNotFound, "simd")
	r.Close() // the plan keeps what it needs
	choosing.Close()
	dst := make([]byte, 3)
	equals(t, []any{p.Execute([]byte("abc"), dst), string(dst), p.Backend()}, []any{nil, "abc", "scalar"})
	for part, options := range map[string]RuntimeOptions{
		"threads is -2":                              {Threads: -2},
		"Workers is -1":                              {Workers: -1, ParallelFor: Goroutines},
		`Backend is "a\x00b"`:                        {Backend: "a\x00b"},
		`CPU is "a\x00b"`:                            {CPU: "a\x00b"},
		"cpu is fast":                                {CPU: "fast"},
		`DeniedBackends[1] is "b,c"`:                 {DeniedBackends: []string{"a", "b,c"}},
		`BackendOptions["a.b=c;d.e"] is "f"`:         {BackendOptions: map[string]string{"a.b=c;d.e": "f"}},
		`BackendOptions["a.b"] is "c;d.e=f"`:         {BackendOptions: map[string]string{"a.b": "c;d.e=f"}},
		"ab=c does not have the form NAME.KEY=VALUE": {BackendOptions: map[string]string{"ab": "c"}},
		`BackendDirs[1] is "/a:/b"`:                  {BackendDirs: []string{"/", "/a:/b"}},
		"profile: line 1: ":                          {Profile: "hello\n"},
		"Profile is":                                 {Profile: "a\x00b"},
		"NoProfile is set, and Profile has 1 bytes":  {Profile: "a", NoProfile: true},
	} {
		options := options
		wants(t, second(NewRuntime(&options)), ErrInvalidArgument, part)
	}
	wants(t, (*Runtime)(nil).LoadBackend("/dev/null\x00.so"), ErrInvalidArgument, `"/dev/null\x00.so"`)
	wants(t, second((*Runtime)(nil).DeviceText(-1, 0)), ErrOutOfRange, "backend -1")
}

func TestThreads(t *testing.T) {
	for part, options := range map[string]RuntimeOptions{
		"\nthreads: 1, as neither ":               {},
		"\nthreads: 2, as options.threads says\n": {Threads: 2},
		", all that this process may use (":       {Threads: AllThreads},
	} {
		options.NoEnvironment = true
		if report := must(must(NewRuntime(&options)).Report()); !strings.Contains(report, part) {
			t.Errorf("no %q in %s", part, report)
		}
	}
}

// In a process of its own, as the default runtime stays.
func TestDefaultRuntime(t *testing.T) {
	const name = "XLASHAPE_TEST_CHILD"
	if os.Getenv(name) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestDefaultRuntime$")
		child.Env = append(os.Environ(), name+"=1")
		if output, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		return
	}
	r := must(NewRuntime(&RuntimeOptions{Threads: 3}))
	wants(t, (*Runtime)(nil).SetDefault(), ErrInvalidArgument, "runtime is NULL")
	if err := r.SetDefault(); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if report := must((*Runtime)(nil).Report()); !strings.Contains(report, "\nthreads: 3, as options.threads says\n") {
		t.Error(report)
	}
	wants(t, must(NewRuntime(nil)).SetDefault(), ErrBusy, "there is a default runtime already")
}

func measuring(t *testing.T, options RuntimeOptions) *Runtime {
	t.Helper()
	options.NoEnvironment, options.Backend = true, "simd"
	r := must(NewRuntime(&options))
	t.Cleanup(func() { r.Close() })
	return r
}

func TestMeasuring(t *testing.T) {
	r, other := measuring(t, RuntimeOptions{NoProfile: true}), measuring(t, RuntimeOptions{})
	const from, to = "u16[64,96]{1,0}", "u16[64,96]{0,1}"
	options := &PlanOptions{Runtime: r}
	// Ends after some milliseconds; a busy machine may need more of them, and what does not end is not kept.
	measured := must(NewMeasuredPlan(MustParseShape(from), MustParseShape(to), 10*time.Second, options))
	equals(t, measured.Close(), nil)
	wisdom := must(r.Wisdom())
	equals(t, []any{must(other.ImportWisdom(wisdom)), must(other.Wisdom())}, []any{1, wisdom})
	equals(t, []any{other.ForgetWisdom(), strings.Count(must(other.Wisdom()), "\n")}, []any{nil, 2})
	wants(t, second(r.ImportWisdom("xlashape wisdom 1\nprocessor x\nhello\n")), ErrParse, "line 3: ")

	last, all := 0, -1
	profile := must(r.Calibrate(context.Background(), 10*time.Millisecond, func(done, count int) {
		if done < last {
			t.Error(done, "after", last)
		}
		last, all = done, count
	}))
	equals(t, []any{last, strings.HasPrefix(profile, "xlashape profile 1\nprocessor ")}, []any{all, true})
	with := measuring(t, RuntimeOptions{Profile: profile})
	if took := must(plan(t, from, to, &PlanOptions{Runtime: with}).Predict()); took <= 0 {
		t.Error(took)
	}
	equals(t, must(with.ProfilePath()), "") // no environment says where
	wants(t, second(plan(t, from, to, &PlanOptions{Runtime: r}).Predict()), ErrUnsupported, "not predicted: ")
	wants(t, second(r.Calibrate(context.Background(), -1, nil)), ErrInvalidArgument, "budget_ns is -1")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := r.Calibrate(ctx, time.Minute, func(int, int) { cancel() })
	wants(t, err, ErrCancelled, "")
	wants(t, err, context.Canceled, "")
	_, err = r.Calibrate(context.Background(), time.Minute, func(int, int) { panic("mine") })
	var panicked *PanicError
	if !errors.Is(err, ErrCancelled) || !errors.As(err, &panicked) || fmt.Sprint(panicked.Value) != "mine" {
		t.Error(err)
	}
	mine := errors.New("mine")
	failing := measuring(t, RuntimeOptions{Workers: 4, ParallelFor: func(int, func(int)) error { return mine }})
	src, dst := MustParseShape("u16[1024,1536]{1,0}"), MustParseShape("u16[1024,1536]{0,1}")
	wants(t, second(NewMeasuredPlan(src, dst, 20*time.Millisecond, &PlanOptions{Runtime: failing})), mine, "")
	wants(t, second(NewMeasuredPlan(src, dst, -1, nil)), ErrInvalidArgument, "how.budget_ns is -1")
}

// An executor that fails at each of the executions of one call: none of its errors is kept, but the call's own.
func TestErrorsOfExecutorsAreForgotten(t *testing.T) {
	type failure struct{ error }
	var made, gone int64
	r := measuring(t, RuntimeOptions{Workers: 4, ParallelFor: func(int, func(int)) error {
		err := &failure{errors.New("mine")}
		runtime.SetFinalizer(err, func(*failure) { atomic.AddInt64(&gone, 1) })
		atomic.AddInt64(&made, 1)
		return err
	}})
	for i := 0; i < 3; i++ {
		profile, err := r.Calibrate(context.Background(), 50*time.Millisecond, nil)
		equals(t, []any{profile, errors.Is(err, ErrCancelled)}, []any{"", true})
	}
	for i := 0; i < 200 && atomic.LoadInt64(&gone) < atomic.LoadInt64(&made); i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if made < 6 || gone < made {
		t.Error(gone, "of", made, "errors are gone")
	}
}

// A calibration that fails at its last step gives no profile.
func TestNoProfileBesideAnError(t *testing.T) {
	r := measuring(t, RuntimeOptions{})
	profile, err := r.Calibrate(context.Background(), 10*time.Millisecond, func(done, count int) {
		if done == count {
			panic("mine")
		}
	})
	equals(t, []any{profile, errors.Is(err, ErrCancelled)}, []any{"", true})
}
