package xlashape_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"xlashape"
)

// A backend that cannot be loaded is a line for the logger, whatever the logger then does.
func TestLogger(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.so")
	if err := os.WriteFile(broken, []byte("no object"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, after := range map[string]func(){
		"returns": func() {}, "panics": func() { panic("no words") }, "ends its goroutine": runtime.Goexit,
	} {
		var lock sync.Mutex
		var heard []string
		r, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{NoEnvironment: true, Logger: func(level xlashape.LogLevel, backend int, line string) {
			lock.Lock()
			heard = append(heard, fmt.Sprint(level, backend, line))
			lock.Unlock()
			after()
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.LoadBackend(broken); err == nil {
			t.Error("a text was loaded")
		}
		backends, err := r.Backends()
		if err != nil {
			t.Fatal(err)
		}
		for i := range backends {
			if backends[i].Name == "broken" {
				name += fmt.Sprint(", of ", i)
				want := fmt.Sprint(xlashape.LogWarning, i, "backend broken: not in use")
				if len(heard) == 0 || !strings.HasPrefix(heard[len(heard)-1], want) {
					t.Errorf("a logger that %s heard %q, want %q", name, heard, want)
				}
			}
		}
		if !strings.Contains(name, ", of ") {
			t.Errorf("the backend is not among %+v", backends)
		}
		r.Close()
		if err := r.LoadBackend(broken); err != xlashape.ErrClosed {
			t.Error(err)
		}
	}
}

// The library says that a backend is ready when it is: who hears that may plan on the same runtime, and wait for others
// who do.
func TestLoggerPlansOnceABackendIsReady(t *testing.T) {
	from, to := xlashape.MustParseShape("u8[3,4]"), xlashape.MustParseShape("u8[3,4]{0,1}")
	var r *xlashape.Runtime // nil where a line comes before there is one
	move := func() error {
		return xlashape.RelayoutInto(from, []byte("abcdefghijkl"), to, make([]byte, 12), &xlashape.PlanOptions{Runtime: r})
	}
	var heard int32
	within := make(chan error, 2)
	r, err := xlashape.NewRuntime(&xlashape.RuntimeOptions{NoEnvironment: true, Logger: func(_ xlashape.LogLevel, _ int, line string) {
		if r != nil && strings.Contains(line, ": ready") && atomic.CompareAndSwapInt32(&heard, 0, 1) {
			within <- move()
			other := make(chan error)
			go func() { other <- move() }()
			within <- <-other
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	moved := make(chan error, 1)
	go func() { moved <- move() }()
	for _, answer := range []<-chan error{within, within, moved} {
		select {
		case err := <-answer:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(30 * time.Second): // else it hangs for ever
			t.Fatal("planning in a logger hangs")
		}
	}
	r.Close()
}
