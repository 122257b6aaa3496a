package xlashape_test

import (
	"context"
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

func TestExecuteList(t *testing.T) {
	letters := plan(t, "u8[3,4]{1,0}", "u8[3,4]{0,1:T(2,2)}", nil)
	floats := plan(t, "f32[2,2]{1,0}", "f32[2,2]{0,1}", nil)
	backwards := plan(t, "u8[6]", "u8[6]", &xlashape.PlanOptions{SrcByteStrides: []int64{-1}, SrcByteOffset: 5})
	empty := plan(t, "u8[0]", "u8[0]", nil)
	var tiled [16]byte // may lie on the stack
	columns, turned := make([]float32, 4), make([]byte, 6)
	err := xlashape.ExecuteList(context.Background(), []xlashape.Execution{
		xlashape.NewExecution(letters, []byte("abcdefghijkl"), tiled[:]),
		xlashape.NewExecution(floats, []float32{1, 2, 3, 4}, columns),
		xlashape.NewExecution(backwards, []byte("abcdef"), turned),
		xlashape.NewExecution[byte](empty, nil, nil),
	}, nil)
	if err != nil || string(tiled[:]) != "aebfi\x00j\x00cgdhk\x00l\x00" || !reflect.DeepEqual(columns, []float32{1, 3, 2, 4}) || string(turned) != "fedcba" {
		t.Errorf("%q, %v, %q, %v", tiled, columns, turned, err)
	}
	if err := xlashape.ExecuteList(nil, nil, nil); err != nil {
		t.Error(err)
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
		list := [2]xlashape.Execution{xlashape.NewExecution(p, src[:], first[:]), xlashape.NewExecution(p, src[:], second[:])}
		err := xlashape.ExecuteList(context.Background(), list[:], func(int, int) { runtime.GC() })
		if err != nil || first != src || second != src {
			t.Fatal("other bytes", err)
		}
	}
}

func TestExecuteListIsSpreadTogether(t *testing.T) {
	var calls, tasks int64
	r, p := executing(t, xlashape.RuntimeOptions{Workers: 4, ParallelFor: func(count int, run func(int)) error {
		calls, tasks = calls+1, tasks+int64(count)
		return xlashape.Goroutines(count, run)
	}})
	other := plan(t, "f32[1024,1024]{1,0}", "f32[1024,1024]{0,1}", &xlashape.PlanOptions{Runtime: r})
	one, two := make([]float32, side*side), make([]float32, side*side)
	err := xlashape.ExecuteList(context.Background(),
		[]xlashape.Execution{xlashape.NewExecution(p, source(), one), xlashape.NewExecution(other, source(), two)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkTransposed(t, one)
	checkTransposed(t, two)
	if want, _ := p.TaskCount(4); calls != 1 || tasks != 2*want {
		t.Errorf("%d calls of the executor for %d tasks, want 1 for %d", calls, tasks, 2*want)
	}
}

func TestExecuteListWrongly(t *testing.T) {
	p := plan(t, "f32[3,4]{1,0}", "f32[3,4]{0,1}", nil)
	right, out := make([]byte, 48), make([]byte, 48)
	right[0] = 1
	for _, test := range []struct {
		wrong xlashape.Execution
		code  error
		part  string
	}{
		{xlashape.NewExecution(p, make([]byte, 47), out), xlashape.ErrOutOfRange, "source has 47 bytes"},
		{xlashape.NewExecution(p, right, make([]byte, 49)), xlashape.ErrOutOfRange, "destination has 49 bytes"},
		{xlashape.NewExecution(p, make([]int32, 12), make([]int32, 12)), xlashape.ErrInvalidArgument, "f32, which a []int32 does not hold"},
		{xlashape.NewExecution(p, right, right), xlashape.ErrInvalidArgument, "overlap"},
	} {
		dst := make([]byte, 48)
		err := xlashape.ExecuteList(context.Background(), []xlashape.Execution{xlashape.NewExecution(p, right, dst), test.wrong}, nil)
		wants(t, err, test.code, test.part)
		var record *xlashape.Error
		if !errors.As(err, &record) || record.Index != 1 || dst[0] != 0 {
			t.Errorf("%+v", record)
		}
	}
	err := p.ExecuteContext(context.Background(), right, right, nil)
	var record *xlashape.Error
	if !errors.As(err, &record) || record.Index != -1 {
		t.Errorf("one execution has an index: %+v", record)
	}
	// What is closed comes first, and what was entered before it is left again: Close then gives it back.
	closed := plan(t, "u8[3]", "u8[3]", nil)
	closed.Close()
	for _, last := range []xlashape.Execution{xlashape.NewExecution(closed, right, right), {}, xlashape.NewExecution[byte](nil, nil, nil)} {
		err := xlashape.ExecuteList(context.Background(), []xlashape.Execution{xlashape.NewExecution[byte](p, nil, nil), last}, nil)
		if err != xlashape.ErrClosed {
			t.Errorf("got %v", err)
		}
	}
	wants(t, (*xlashape.Plan)(nil).ExecuteContext(context.Background(), nil, nil, nil), xlashape.ErrClosed, "")
}

// Whatever becomes of a list, its plans can be given back afterwards.
func TestListsLeaveTheirPlans(t *testing.T) {
	options, log, executor := watchedOptions()
	r, err := xlashape.NewRuntime(options)
	if err != nil {
		t.Fatal(err)
	}
	options = nil
	p := plan(t, "u8[3]", "u8[3]", &xlashape.PlanOptions{Runtime: r})
	good, short := xlashape.NewExecution(p, []byte("abc"), make([]byte, 3)), xlashape.NewExecution(p, []byte("ab"), make([]byte, 3))
	for want, list := range map[error][]xlashape.Execution{
		nil: {good, good}, xlashape.ErrOutOfRange: {good, short}, xlashape.ErrClosed: {good, good, {}},
	} {
		if err := xlashape.ExecuteList(context.Background(), list, nil); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	r.Close()
	p.Close()
	if !log.isGone(10*time.Second) || !executor.isGone(10*time.Second) {
		t.Error("a plan is still in use")
	}
}

// One closes plans that others are executing in lists.
func TestCloseRaceOfLists(t *testing.T) {
	for round := 0; round < 50; round++ {
		var plans [3]*xlashape.Plan
		for i := range plans {
			plans[i] = plan(t, "u8[3,4]{1,0}", "u8[3,4]{0,1}", nil)
		}
		var all sync.WaitGroup
		for i := 0; i < 3; i++ {
			all.Add(1)
			go func(i int) {
				defer all.Done()
				for k := 0; k < 10; k++ {
					if i == 0 && k == 5 {
						plans[1].Close()
					}
					var outs [3][12]byte
					var list []xlashape.Execution
					for n := range plans {
						list = append(list, xlashape.NewExecution(plans[n], []byte("abcdefghijkl"), outs[n][:]))
					}
					if err := xlashape.ExecuteList(context.Background(), list, nil); err != nil && err != xlashape.ErrClosed {
						t.Error(err)
					} else if err == nil && string(outs[2][:]) != "aeibfjcgkdhl" {
						t.Errorf("%q", outs)
					}
				}
			}(i)
		}
		all.Wait()
	}
}

// Both ways to have an execution watched.
func watchedWays(p *xlashape.Plan, dst []float32) map[string]func(context.Context, xlashape.Progress) error {
	src := source()
	list := []xlashape.Execution{xlashape.NewExecution(p, src, dst), xlashape.NewExecution(p, src, make([]float32, side*side))}
	bytes, out := make([]byte, 4*side*side), make([]byte, 4*side*side)
	return map[string]func(context.Context, xlashape.Progress) error{
		"list": func(ctx context.Context, hear xlashape.Progress) error { return xlashape.ExecuteList(ctx, list, hear) },
		"one": func(ctx context.Context, hear xlashape.Progress) error {
			return p.ExecuteContext(ctx, bytes, out, hear)
		},
	}
}

func TestProgress(t *testing.T) {
	for _, options := range []xlashape.RuntimeOptions{{}, {Threads: 4}, {ParallelFor: xlashape.Goroutines, Workers: 4}} {
		_, p := executing(t, options)
		dst := make([]float32, side*side)
		for name, run := range watchedWays(p, dst) {
			var guard sync.Mutex
			heard, counts := map[int]bool{}, map[int]bool{}
			if err := run(context.Background(), func(done, count int) {
				guard.Lock()
				defer guard.Unlock()
				heard[done], counts[count] = true, true
			}); err != nil {
				t.Fatal(name, err)
			}
			if len(counts) != 1 || len(heard) < 8 || !counts[len(heard)] || !heard[1] || !heard[len(heard)] {
				t.Errorf("%s: heard of %v of %v", name, heard, counts)
			}
		}
		checkTransposed(t, dst)
	}
}

func TestContexts(t *testing.T) {
	for _, options := range []xlashape.RuntimeOptions{{}, {Threads: 4}} {
		_, p := executing(t, options)
		for name, run := range watchedWays(p, make([]float32, side*side)) {
			ctx, cancel := context.WithCancel(context.Background())
			var last int64
			err := run(ctx, func(done, count int) {
				if atomic.AddInt64(&last, 1) == 2 {
					cancel()
				}
				time.Sleep(10 * time.Millisecond) // time for a context to be heard
			})
			wants(t, err, xlashape.ErrCancelled, "had ended")
			if !errors.Is(err, context.Canceled) || last > 6 {
				t.Errorf("%s: %v after %d tasks", name, err, last)
			}
			// One that is done from the start.
			err = run(ctx, func(done, count int) { t.Errorf("%s: a task ran", name) })
			if !errors.Is(err, context.Canceled) || !errors.Is(err, xlashape.ErrCancelled) {
				t.Errorf("%s: %v", name, err)
			}
			if err := run(ctx, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
			if err := run(ctx, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
		}
	}
}

// Nothing of a call stays behind it: no goroutine that waits for a context.
func TestContextsLeaveNoGoroutines(t *testing.T) {
	p := plan(t, "u8[3]", "u8[3]", nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	before := runtime.NumGoroutine()
	for i := 0; i < 100; i++ {
		if err := p.ExecuteContext(ctx, []byte("abc"), make([]byte, 3), func(int, int) {}); err != nil {
			t.Fatal(err)
		}
	}
	for start := time.Now(); runtime.NumGoroutine() > before+10; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d goroutines, there were %d", runtime.NumGoroutine(), before)
		}
	}
}

func TestProgressThatGoesWrong(t *testing.T) {
	for _, options := range []xlashape.RuntimeOptions{{}, {Threads: 4}} {
		_, p := executing(t, options)
		for name, run := range watchedWays(p, make([]float32, side*side)) {
			for part, wrong := range map[string]xlashape.Progress{
				"panic in Progress: boo": func(done, count int) { panic("boo") },
				"panic in Progress: the last": func(done, count int) {
					if done == count {
						panic("the last")
					}
				},
				"Progress ended its goroutine": func(done, count int) { runtime.Goexit() },
			} {
				var heard int64
				err := run(context.Background(), func(done, count int) {
					atomic.AddInt64(&heard, 1)
					wrong(done, count)
				})
				wants(t, err, xlashape.ErrCancelled, part)
				var thrown *xlashape.PanicError
				if strings.HasPrefix(part, "panic") && (!errors.As(err, &thrown) || len(thrown.Stack) == 0) {
					t.Errorf("%s: %v holds no panic", name, err)
				}
				if !strings.HasSuffix(part, "last") && heard > 6 {
					t.Errorf("%s: %d tasks after %s", name, heard, part)
				}
			}
		}
	}
}

func TestPlanKey(t *testing.T) {
	from, to := xlashape.MustParseShape("u8[3,4]"), xlashape.MustParseShape("u8[3,4]{0,1:T(2,2)}")
	key, err := xlashape.PlanKey(from, to, nil)
	if again, err := xlashape.PlanKey(from, to, &xlashape.PlanOptions{}); err != nil || key != again {
		t.Errorf("%q, %q, %v", key, again, err)
	}
	if err != nil || !strings.HasPrefix(key, "u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,2)}") {
		t.Errorf("%q, %v", key, err)
	}
	two := []int64{1, 2}
	seen := map[string]xlashape.PlanOptions{key: {}}
	for _, options := range []xlashape.PlanOptions{
		{FillPolicy: xlashape.FillPreserve}, {FillPolicy: xlashape.FillUnspecified}, {AllowFallback: true}, {ReadSoon: true},
		{Backend: "simd"}, {Backend: "nobody"}, {SrcSpace: 2}, {DstSpace: 2}, {Device: xlashape.DeviceNumber(1)},
		{SrcByteStrides: two}, {DstByteStrides: two}, {SrcByteStrides: two, SrcByteOffset: 1}, {SrcByteStrides: two, SrcByteOffset: 2},
		{DstByteStrides: two, DstByteOffset: 1}, {SrcBase: two}, {DstBase: two}, {Extent: two}, {Extent: []int64{2, 1}},
	} {
		options := options
		key, err := xlashape.PlanKey(from, to, &options)
		if other, ok := seen[key]; ok || err != nil {
			t.Errorf("%+v and %+v are both %q, %v", options, other, key, err)
		}
		seen[key] = options
	}
	for part, options := range map[string]xlashape.PlanOptions{
		"src_base has 1 values, it takes 2":         {SrcBase: two[:1]},
		"extent has 0 values, it takes 2":           {Extent: []int64{}},
		"dst_byte_strides has 1 values, it takes 2": {DstByteStrides: two[:1]},
		"byte 1 of backend is 0":                    {Backend: "a\x00b"},
		"backend has 300 bytes, it takes 1 to 256":  {Backend: strings.Repeat("x", 300)},
		"SrcByteOffset is 1 without SrcByteStrides": {SrcByteOffset: 1},
	} {
		options := options
		_, err := xlashape.PlanKey(from, to, &options)
		wants(t, err, xlashape.ErrInvalidArgument, part)
		_, plain := xlashape.NewPlan(from, to, &options)
		if plain == nil || plain.Error() != err.Error() {
			t.Errorf("a plan says %v, its key %v", plain, err)
		}
	}
	_, err = xlashape.PlanKey(xlashape.TupleShape(from), to, nil)
	wants(t, err, xlashape.ErrUnsupported, "tuple")
}

func TestShapesOfPlans(t *testing.T) {
	p := plan(t, "bf16[9,130]{1,0}", "bf16[9,130]{1,0:T(8,128)(2,1)}", nil)
	src, dst, err := p.Shapes()
	if err != nil || src.String() != "bf16[9,130]{1,0}" || dst.String() != "bf16[9,130]{1,0:T(8,128)(2,1)}" {
		t.Error(src, dst, err)
	}
	p.Close()
	_, _, err = p.Shapes()
	wants(t, err, xlashape.ErrClosed, "")
	_, _, err = (*xlashape.Plan)(nil).Shapes()
	wants(t, err, xlashape.ErrClosed, "")
}

func TestChoicesOfRuntimes(t *testing.T) {
	r, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{Backend: "scalar", DeniedBackends: []string{"simd", "opencl"},
		CPU: "scalar", BackendOptions: map[string]string{"one.key": "a=b", "one.another": "", "two.key": "x,y"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if p := plan(t, "u8[3]", "u8[3]", &xlashape.PlanOptions{Runtime: r}); p.Backend() != "scalar" {
		t.Error(p.Backend())
	}
	text, err := r.Report()
	for _, part := range []string{"no features used", "denied backends: simd,opencl", "one.another=, one.key=a=b, two.key=x,y"} {
		if err != nil || !strings.Contains(text, part) {
			t.Errorf("no %q in %s, %v", part, text, err)
		}
	}
	_, err = xlashape.NewPlan(xlashape.ArrayShape(xlashape.U8), xlashape.ArrayShape(xlashape.U8),
		&xlashape.PlanOptions{Runtime: r, Backend: "simd"})
	wants(t, err, xlashape.ErrNotFound, "simd")
	instead, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{Backend: "nobody,*"})
	if err != nil {
		t.Fatal(err)
	}
	defer instead.Close()
	plan(t, "u8[3]", "u8[3]", &xlashape.PlanOptions{Runtime: instead})
	for part, options := range map[string]xlashape.RuntimeOptions{
		`Backend is "a\x00b"`:                        {Backend: "a\x00b"},
		`CPU is "a\x00b"`:                            {CPU: "a\x00b"},
		"cpu is fast":                                {CPU: "fast"},
		`DeniedBackends[1] is "b,c"`:                 {DeniedBackends: []string{"a", "b,c"}},
		`DeniedBackends[0] is "a\x00"`:               {DeniedBackends: []string{"a\x00"}},
		`BackendOptions["a.b=c;d.e"] is "f"`:         {BackendOptions: map[string]string{"a.b=c;d.e": "f"}},
		`BackendOptions["a.b"] is "c;d.e=f"`:         {BackendOptions: map[string]string{"a.b": "c;d.e=f"}},
		"ab=c does not have the form NAME.KEY=VALUE": {BackendOptions: map[string]string{"ab": "c"}},
		`BackendDirs[0] is "/a\x00b"`:                {BackendDirs: []string{"/a\x00b"}},
	} {
		options := options
		_, err := xlashape.NewRuntime(&options)
		wants(t, err, xlashape.ErrInvalidArgument, part)
	}
}
