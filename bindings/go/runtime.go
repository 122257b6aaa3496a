package xlashape

// #include "bridge.h"
import "C"

import (
	"runtime"
	"strings"
)

// Runtime holds the backends and the executor. A nil *Runtime stands for the library's default one, everywhere. A copy is
// the same runtime.
type Runtime struct {
	handle      *handle
	parallelFor ParallelFor
	workers     int
}

// RuntimeOptions are how a runtime finds its backends and spreads its work. The zero value is the default.
type RuntimeOptions struct {
	BackendDirs     []string    // folders to look in first; no ':' in them
	NoEnvironment   bool        // read no environment variable
	NoLibraryDir    bool        // do not look beside the library
	NoInstallDir    bool        // do not look in the folder chosen when the library was built
	Threads         int         // more than 1: a pool of the library's, or as much of it as the system gives
	ParallelFor     ParallelFor // the executor, in place of Threads
	Workers         int         // how many tasks ParallelFor may run at the same time; 0: GOMAXPROCS
	VerifyPositions int64       // of each execution, checked after it; 0: as XLASHAPE_VERIFY says
	Logger          Logger      // until the runtime is closed; nil: nobody listens. When it may plan: see Logger
}

// NewRuntime makes a runtime; nil are the defaults.
func NewRuntime(options *RuntimeOptions) (*Runtime, error) {
	if options == nil {
		options = &RuntimeOptions{}
	}
	r := &Runtime{parallelFor: options.ParallelFor}
	if r.parallelFor != nil {
		if r.workers = options.Workers; r.workers == 0 {
			r.workers = runtime.GOMAXPROCS(0)
		}
	}
	if r.workers < 0 || r.workers > 1<<16 {
		return nil, fail(ErrInvalidArgument, "Workers is %d, not in [0, %d]", options.Workers, 1<<16)
	}
	if options.Threads != int(int32(options.Threads)) {
		return nil, fail(ErrInvalidArgument, "Threads is %d, more than an int32 holds", options.Threads)
	}
	for i, folder := range options.BackendDirs {
		if strings.ContainsAny(folder, ":\x00") {
			return nil, fail(ErrInvalidArgument, "BackendDirs[%d] is %q: a folder must not have ':' or NUL in its name", i, folder)
		}
	}
	flags := number(options.NoEnvironment)*C.XLASHAPE_RUNTIME_NO_ENVIRONMENT |
		number(options.NoLibraryDir)*C.XLASHAPE_RUNTIME_NO_LIBRARY_DIR | number(options.NoInstallDir)*C.XLASHAPE_RUNTIME_NO_INSTALL_DIR
	f := newFrame()
	defer f.done()
	log := nameLogger(options.Logger)
	f.put(flags, int64(options.Threads), int64(r.workers), options.VerifyPositions, log)
	if len(options.BackendDirs) > 0 {
		f.setText(strings.Join(options.BackendDirs, ":") + "\x00")
	}
	if err := f.call(C.XG_RUNTIME); err != nil {
		loggers.Delete(log)
		return nil, err
	}
	r.handle = newHandle(uintptr(f.get()), func(p uintptr) {
		C.xg_release_runtime(C.uintptr_t(p))
		loggers.Delete(log)
	})
	return r, nil
}

// Close gives the runtime back; plans made from it go on working. It may be called again.
func (r *Runtime) Close() error {
	if r != nil {
		r.handle.close()
	}
	return nil
}

// with calls C with the runtime's handle and its executor.
func (r *Runtime) with(call func(runtime, execution C.uintptr_t) error) error {
	if r == nil {
		return call(0, 0)
	}
	pointer, err := r.handle.enter()
	if err != nil {
		return err
	}
	defer r.handle.leave()
	return r.execute(func(execution C.uintptr_t) error { return call(C.uintptr_t(pointer), execution) })
}

// kept is the runtime as a plan keeps it: its executor, and its handle, so that no finalizer closes it under the plan.
func (r *Runtime) kept() Runtime {
	if r == nil {
		return Runtime{}
	}
	return *r
}

func (r *Runtime) ask(op C.int32_t, text string) (*frame, error) {
	f := newFrame()
	f.setText(text)
	err := r.with(func(runtime, _ C.uintptr_t) error {
		if strings.Contains(text, "\x00") {
			return fail(ErrInvalidArgument, "the path %q has a NUL", text)
		}
		f.put(int64(runtime))
		return f.call(op)
	})
	return f, err
}

// LoadBackend loads the backend in the shared object, or manifest, at path. It is never unloaded.
func (r *Runtime) LoadBackend(path string) error {
	f, err := r.ask(C.XG_RUNTIME_LOAD, path)
	f.done()
	return err
}

// Report tells every place looked at for backends, what was there, and why it is or is not in use: one line each.
func (r *Runtime) Report() (string, error) {
	f, err := r.ask(C.XG_RUNTIME_REPORT, "")
	defer f.done()
	if err != nil {
		return "", err
	}
	return f.gotText(), nil
}

// BackendState is how far a backend has come.
type BackendState int32

const (
	BackendAbsent  BackendState = 0 // seen, not needed yet, not loaded
	BackendLoading BackendState = 1
	BackendReady   BackendState = 2
	BackendFailed  BackendState = 3
)

// MemorySpace is where buffers lie, with DLPack's device type numbers.
type MemorySpace int32

const (
	SpaceCPU         MemorySpace = 1
	SpaceCUDA        MemorySpace = 2
	SpaceCUDAHost    MemorySpace = 3
	SpaceOpenCL      MemorySpace = 4
	SpaceCUDAManaged MemorySpace = 13
)

// BackendInfo describes a backend that was found.
type BackendInfo struct {
	Name        string
	Path        string // "" for one that is linked in
	Detail      string // build and targets when ready; stage and reason when failed
	State       BackendState
	ABIVersion  uint32 // of the plugin interface it speaks; 0 unless ready
	Priority    int
	MemorySpace MemorySpace
	DeviceCount int // 0 for what only works on the CPU; -1: not known yet
}

// Backends are those found, ready or not.
func (r *Runtime) Backends() ([]BackendInfo, error) {
	f, err := r.ask(C.XG_RUNTIME_BACKENDS, "")
	defer f.done()
	if err != nil {
		return nil, err
	}
	all := make([]BackendInfo, f.get())
	for i := range all {
		b := &all[i]
		b.State, b.ABIVersion, b.Priority = BackendState(f.get()), uint32(f.get()), int(f.get())
		b.MemorySpace, b.DeviceCount = MemorySpace(f.get()), int(f.get())
		b.Name, b.Path, b.Detail = f.gotText(), f.gotText(), f.gotText()
	}
	return all, nil
}
