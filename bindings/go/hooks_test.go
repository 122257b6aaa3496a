package xlashape_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"xlashape"
)

// watch is how a test sees that Go has taken back what a hook refers to.
type watch struct{ uses, gone *int64 }

func watched() (use func(), w watch) {
	w = watch{new(int64), new(int64)}
	thing := &[]*int64{w.uses}
	runtime.SetFinalizer(thing, func(*[]*int64) { atomic.StoreInt64(w.gone, 1) })
	return func() { atomic.AddInt64((*thing)[0], 1) }, w
}

func (w watch) isGone(within time.Duration) bool {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		runtime.GC()
		if atomic.LoadInt64(w.gone) != 0 || time.Since(start) > within {
			return atomic.LoadInt64(w.gone) != 0
		}
	}
}

func watchedOptions() (options *xlashape.RuntimeOptions, log, executor watch) {
	heard, log := watched()
	ran, executor := watched()
	return &xlashape.RuntimeOptions{NoEnvironment: true, Workers: 2,
		Logger: func(xlashape.LogLevel, int, string) { heard() },
		ParallelFor: func(count int, run func(int)) error {
			ran()
			return xlashape.Goroutines(count, run)
		}}, log, executor
}

// The library gives hooks back when the runtime and its plans are closed, whatever is closed last, and once: the second time
// would end the program.
func TestHooksAreKeptUntilAllIsClosed(t *testing.T) {
	options, log, executor := watchedOptions()
	r, err := xlashape.NewRuntime(options)
	if err != nil {
		t.Fatal(err)
	}
	options = nil
	p := plan(t, "f32[1024,1024]{1,0}", "f32[1024,1024]{0,1}", &xlashape.PlanOptions{Runtime: r})
	m, err := xlashape.NewIndexMap(xlashape.ArrayShape(xlashape.U8, 3))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	i, err := m.Plan(xlashape.ToLinear, &xlashape.IndexPlanOptions{Runtime: r})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	i.Close()
	if log.isGone(20*time.Millisecond) || executor.isGone(20*time.Millisecond) {
		t.Fatal("the hooks of a plan are gone")
	}
	dst := make([]float32, side*side)
	if err := xlashape.Execute(p, source(), dst); err != nil {
		t.Fatal(err)
	}
	checkTransposed(t, dst)
	if *executor.uses != 1 || *log.uses == 0 {
		t.Errorf("the executor was used %d times, the logger %d", *executor.uses, *log.uses)
	}
	p.Close()
	if !log.isGone(10*time.Second) || !executor.isGone(10*time.Second) {
		t.Error("the hooks are still there")
	}
}

// Where there is no runtime the hooks are not the library's to give back.
func TestHooksOfARuntimeThatIsNone(t *testing.T) {
	options, log, executor := watchedOptions()
	options.VerifyPositions = -1
	_, err := xlashape.NewRuntime(options)
	wants(t, err, xlashape.ErrInvalidArgument, "verify_positions")
	options = nil
	if !log.isGone(10*time.Second) || !executor.isGone(10*time.Second) {
		t.Error("the hooks are still there")
	}
}

// A forgotten runtime closes itself, and its hooks go.
func TestHooksOfAForgottenRuntime(t *testing.T) {
	options, log, executor := watchedOptions()
	if _, err := xlashape.NewRuntime(options); err != nil {
		t.Fatal(err)
	}
	options = nil
	if !log.isGone(10*time.Second) || !executor.isGone(10*time.Second) {
		t.Error("the hooks are still there")
	}
}

// The texts about a backend come in any length.
func TestLongTextsAboutBackends(t *testing.T) {
	folder := t.TempDir()
	for len(folder) < 1500 {
		folder = filepath.Join(folder, strings.Repeat("x", 200))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(folder, "broken.so")
	if err := os.WriteFile(broken, []byte("no object"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{NoEnvironment: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.LoadBackend(broken); err == nil || errors.Is(err, xlashape.ErrClosed) {
		t.Error(err)
	}
	backends, err := r.Backends()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, b := range backends {
		if b.Name == "broken" {
			found = b.Path == broken && b.Detail != "" && b.State == xlashape.BackendFailed && b.MemorySpaces == nil
		}
	}
	if !found {
		t.Errorf("%+v", backends)
	}
	if text, err := r.Report(); err != nil || !strings.Contains(text, broken) {
		t.Error(text, err)
	}
}
