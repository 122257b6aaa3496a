package xlashape_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

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
