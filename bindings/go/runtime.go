package xlashape

// #include "bridge.h"
import "C"

import (
	"math"
	"runtime"
	"runtime/cgo"
	"sort"
	"strings"
)

// Runtime holds the backends and the executor. A nil *Runtime always means the library's default one. A copy is
// the same runtime.
type Runtime struct {
	handle *handle
}

// RuntimeOptions say how a runtime finds its backends and divides its work. The zero value is the default. ParallelFor and
// Logger are kept until the runtime and all plans made from it are closed; a runtime or a plan that they refer to
// is not closed by its finalizer.
type RuntimeOptions struct {
	BackendDirs     []string    // folders to look in first; no ':' in them
	NoEnvironment   bool        // read no environment variable
	NoLibraryDir    bool        // do not look beside the library
	NoInstallDir    bool        // do not look in the folder chosen when the library was built
	LoadNow         bool        // load all backends in NewRuntime, for example before a sandbox closes, not when a plan needs them
	Threads         int         // more than 1: a pool of the library's, or as much of it as the system gives
	ParallelFor     ParallelFor // the executor, in place of Threads
	Workers         int         // how many tasks ParallelFor may run at the same time; 0: GOMAXPROCS
	VerifyPositions int64       // of each execution, checked after it; 0: as XLASHAPE_VERIFY says
	Logger          Logger      // nil: nobody listens. When it may plan: see Logger

	// Values given here take precedence over the environment variables of these names, which apply for "" and nil.
	Backend        string            // of plans that name none: "simd" is a demand, "simd,*" lets others stand in
	DeniedBackends []string          // never used, even if requested
	CPU            string            // processor features above this level are not used; the levels are those of XLASHAPE_CPU
	BackendOptions map[string]string // such as "cuda.kernels": "portable", for the backend of that name
	Profile        string            // what Calibrate gave on this processor; one of another is not used
	NoProfile      bool              // none, not even the user's; not with Profile
}

// texts are the options that are texts, in C's form.
func (o *RuntimeOptions) texts() (string, error) {
	texts := []string{strings.Join(o.BackendDirs, ":"), o.Backend, strings.Join(o.DeniedBackends, ","), o.CPU}
	for i, folder := range o.BackendDirs {
		if strings.ContainsAny(folder, ":\x00") {
			return "", fail(ErrInvalidArgument, "BackendDirs[%d] is %q: a folder must not have ':' or NUL in its name", i, folder)
		}
	}
	for i, name := range o.DeniedBackends {
		if strings.ContainsAny(name, ",\x00") {
			return "", fail(ErrInvalidArgument, "DeniedBackends[%d] is %q: a backend must not have ',' or NUL in its name", i, name)
		}
	}
	var pairs []string
	for key, value := range o.BackendOptions {
		if strings.ContainsAny(key, "=;\x00") || strings.ContainsAny(value, ";\x00") {
			return "", fail(ErrInvalidArgument, "BackendOptions[%q] is %q: no key has '=', neither has ';' or NUL", key, value)
		}
		pairs = append(pairs, key+"="+value)
	}
	sort.Strings(pairs) // so that an error is always reported in the same way
	texts = append(texts, strings.Join(pairs, ";"))
	texts = append(texts, o.Profile)
	for i, name := range []string{1: "Backend", 3: "CPU", 5: "Profile"} {
		if name != "" && strings.Contains(texts[i], "\x00") {
			return "", fail(ErrInvalidArgument, "%s is %q: it must not have NUL", name, texts[i])
		}
	}
	return strings.Join(texts, "\x00") + "\x00", nil
}

// NewRuntime makes a runtime; nil means the defaults.
func NewRuntime(options *RuntimeOptions) (*Runtime, error) {
	if options == nil {
		options = &RuntimeOptions{}
	}
	workers := options.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if options.ParallelFor != nil && (workers < 0 || workers > 1<<16) {
		return nil, fail(ErrInvalidArgument, "Workers is %d, not in [0, %d]", options.Workers, 1<<16)
	}
	if options.Threads != int(int32(options.Threads)) {
		return nil, fail(ErrInvalidArgument, "Threads is %d, more than an int32 holds", options.Threads)
	}
	if options.NoProfile && options.Profile != "" {
		return nil, fail(ErrInvalidArgument, "NoProfile is set, and Profile has %d bytes", len(options.Profile))
	}
	texts, err := options.texts()
	if err != nil {
		return nil, err
	}
	flags := number(options.NoEnvironment)*C.XLASHAPE_RUNTIME_NO_ENVIRONMENT |
		number(options.NoLibraryDir)*C.XLASHAPE_RUNTIME_NO_LIBRARY_DIR | number(options.NoInstallDir)*C.XLASHAPE_RUNTIME_NO_INSTALL_DIR |
		number(options.LoadNow)*C.XLASHAPE_RUNTIME_LOAD_NOW
	f := newFrame()
	defer f.done()
	var parallelFor, log cgo.Handle // C's names for the hooks, until it calls xgForget
	if options.ParallelFor != nil {
		parallelFor = cgo.NewHandle(&executor{options.ParallelFor, workers})
	}
	if options.Logger != nil {
		log = cgo.NewHandle(options.Logger)
	}
	f.put(flags, int64(options.Threads), int64(workers), int64(parallelFor), options.VerifyPositions, int64(log),
		number(options.NoProfile))
	f.setText(texts)
	if err := f.call(C.XG_RUNTIME); err != nil {
		for _, name := range []cgo.Handle{parallelFor, log} {
			if name != 0 {
				name.Delete()
			}
		}
		return nil, err
	}
	return &Runtime{newHandle(uintptr(f.get()), func(p uintptr) { C.xg_release_runtime(C.uintptr_t(p)) })}, nil
}

// xgForget drops the hook with this number, after its runtime and the runtime's plans are released.
//
//export xgForget
func xgForget(name C.uintptr_t) { cgo.Handle(name).Delete() }

// Close releases the runtime; plans made from it still work. It may be called again.
func (r *Runtime) Close() error {
	if r != nil {
		r.handle.close()
	}
	return nil
}

// with calls C with the runtime's handle.
func (r *Runtime) with(call func(runtime C.uintptr_t) error) error {
	if r == nil {
		return call(0)
	}
	pointer, err := r.handle.enter()
	if err != nil {
		return err
	}
	defer r.handle.leave()
	return call(C.uintptr_t(pointer))
}

func (r *Runtime) ask(op C.int32_t, text string, more ...int64) (*frame, error) {
	f := newFrame()
	f.setText(text)
	err := r.with(func(runtime C.uintptr_t) error {
		if strings.Contains(text, "\x00") {
			return fail(ErrInvalidArgument, "the path %q has a NUL", text)
		}
		f.put(int64(runtime))
		f.put(more...)
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

// Report lists every place searched for backends, what was there, and why it is or is not in use: one line each.
func (r *Runtime) Report() (string, error) { return r.text(C.XG_RUNTIME_REPORT) }

func (r *Runtime) text(op C.int32_t) (string, error) {
	f, err := r.ask(op, "")
	defer f.done()
	if err != nil {
		return "", err
	}
	return f.gotText(), nil
}

// BackendState is the state of a backend.
type BackendState int32

const (
	BackendNotLoaded BackendState = 0 // found; nothing has needed it yet
	BackendLoading   BackendState = 1
	BackendReady     BackendState = 2
	BackendFailed    BackendState = 3
)

// MemorySpace is where buffers are, 1 to 63: DLPack's device type numbers; 32 and above are for backends with other
// spaces.
type MemorySpace int32

const (
	SpaceCPU         MemorySpace = 1
	SpaceCUDA        MemorySpace = 2
	SpaceCUDAHost    MemorySpace = 3
	SpaceOpenCL      MemorySpace = 4
	SpaceCUDAManaged MemorySpace = 13
)

// Device is a device of a backend. The zero value is the one that is current in the calling thread, or else the backend's
// first.
type Device int32

// DeviceNumber is the device with this number, from 0 on. A number that the backend does not have is refused on use.
func DeviceNumber(number int) Device {
	if number < 0 {
		return -1
	}
	if number >= math.MaxInt32 {
		return math.MaxInt32
	}
	return Device(number + 1)
}

// BackendInfo describes a backend that was found.
type BackendInfo struct {
	Name        string
	Path        string // "" for one that is linked in
	Detail      string // build and targets when ready; stage and reason when failed
	State       BackendState
	ABIVersion  uint32 // of the plugin interface it speaks; 0 unless ready
	Priority    int
	DeviceCount int // 0 for what only works on the CPU; -1: not known yet
	// The spaces that the backend works in; empty unless it is ready.
	MemorySpaces []MemorySpace
}

// Backends are the backends that were found, ready or not.
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
		b.DeviceCount = int(f.get())
		for space, set := 0, uint64(f.get()); set != 0; space, set = space+1, set>>1 {
			if set&1 != 0 {
				b.MemorySpaces = append(b.MemorySpaces, MemorySpace(space))
			}
		}
		b.Name, b.Path, b.Detail = f.gotText(), f.gotText(), f.gotText()
	}
	return all, nil
}

// DeviceText is one line about a device of the backend that is number backend among Backends: name, capability.
// ErrOutOfRange if there is no such backend or device.
func (r *Runtime) DeviceText(backend int, device Device) (string, error) {
	f, err := r.ask(C.XG_RUNTIME_DEVICE, "", int64(backend), int64(device))
	defer f.done()
	if err != nil {
		return "", err
	}
	return f.gotText(), nil
}
