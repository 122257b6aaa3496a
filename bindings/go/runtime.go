// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"context"
	"math"
	"runtime"
	"runtime/cgo"
	"sort"
	"strings"
	"time"
	"unsafe"
)

// Runtime holds the backends and the executor. A nil *Runtime always means the library's default one. A copy is
// the same runtime.
type Runtime struct {
	handle *handle
}

// RuntimeOptions say how a runtime finds its backends and divides its work. The zero value is the default. ParallelFor
// and Logger are kept until the runtime and all plans made from it are closed; a runtime or a plan that they refer to
// is not closed by its finalizer.
type RuntimeOptions struct {
	BackendDirs   []string // folders to look in first; no ':' in them
	NoEnvironment bool     // read no environment variable
	NoLibraryDir  bool     // do not look beside the library
	NoInstallDir  bool     // do not look in the folder chosen when the library was built
	LoadNow       bool     // load all backends in NewRuntime, not when a plan needs them: before a sandbox closes
	// More than 1, or AllThreads: a pool of the library's, or as much of it as the system gives; 0: as XLASHAPE_THREADS
	// says, else 1.
	Threads     int
	ParallelFor ParallelFor // the executor, in place of Threads
	Workers     int         // how many tasks ParallelFor may run at the same time; 0: GOMAXPROCS
	VerifyCount int64       // of each execution, checked after it; 0: as XLASHAPE_VERIFY says
	Logger      Logger      // nil: nobody listens. When it may plan: see Logger

	// Values given here take precedence over the environment variables of these names, which apply for "" and nil.
	Backend        string            // of plans that name none: "simd" is a demand, "simd,*" lets others stand in
	DeniedBackends []string          // never used, even if requested
	CPU            string            // a level of XLASHAPE_CPU: processor features above it are not used
	BackendOptions map[string]string // such as "cuda.kernels": "portable", for the backend of that name
	Profile        string            // what Calibrate gave on this processor; one of another is not used
	NoProfile      bool              // none, not even the user's; not with Profile
}

// AllThreads is, as RuntimeOptions.Threads, as many as there are processors that the process may use, by its affinity
// and its quota.
const AllThreads = C.XLASHAPE_THREADS_ALL

// raw describes the options, without the hooks.
func (o *RuntimeOptions) raw(c *call) *C.xlashape_runtime_options {
	for i, folder := range o.BackendDirs {
		if strings.ContainsAny(folder, ":\x00") {
			c.refuse(ErrInvalidArgument, "BackendDirs[%d] is %q: a folder must not have ':' or NUL in its name", i,
				folder)
		}
	}
	for i, name := range o.DeniedBackends {
		if strings.ContainsAny(name, ",\x00") {
			c.refuse(ErrInvalidArgument, "DeniedBackends[%d] is %q: a backend must not have ',' or NUL in its name",
				i, name)
		}
	}
	var pairs []string
	for key, value := range o.BackendOptions {
		if strings.ContainsAny(key, "=;\x00") || strings.ContainsAny(value, ";\x00") {
			c.refuse(ErrInvalidArgument, "BackendOptions[%q] is %q: no key has '=', neither has ';' or NUL", key, value)
		}
		pairs = append(pairs, key+"="+value)
	}
	sort.Strings(pairs) // so that an error is always reported in the same way
	for _, text := range [][2]string{{"Backend", o.Backend}, {"CPU", o.CPU}, {"Profile", o.Profile}} {
		if strings.Contains(text[1], "\x00") {
			c.refuse(ErrInvalidArgument, "%s is %q: it must not have NUL", text[0], text[1])
		}
	}
	raw := (*C.xlashape_runtime_options)(c.room(C.sizeof_xlashape_runtime_options))
	*raw = C.xlashape_runtime_options{struct_size: C.sizeof_xlashape_runtime_options,
		flags: when(o.NoEnvironment, C.XLASHAPE_RUNTIME_NO_ENVIRONMENT) | when(o.NoLibraryDir,
			C.XLASHAPE_RUNTIME_NO_LIBRARY_DIR) |
			when(o.NoInstallDir, C.XLASHAPE_RUNTIME_NO_INSTALL_DIR) | when(o.LoadNow, C.XLASHAPE_RUNTIME_LOAD_NOW),
		backend_dirs: c.optional(strings.Join(o.BackendDirs, ":")), threads: C.int32_t(o.Threads),
		verify_count: C.int64_t(o.VerifyCount), backend: c.optional(o.Backend),
		denied_backends: c.optional(strings.Join(o.DeniedBackends, ",")), cpu: c.optional(o.CPU),
		backend_options: c.optional(strings.Join(pairs, ";")), profile: c.optional(o.Profile)}
	if o.NoProfile {
		raw.profile, _ = c.text("")
	}
	return raw
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
	c := begin()
	defer c.end()
	raw := options.raw(c)
	if c.refused != nil {
		return nil, c.refused
	}
	var parallelFor, log cgo.Handle // C's names for the hooks, until it calls xgForget
	if options.ParallelFor != nil {
		parallelFor = cgo.NewHandle(&executor{options.ParallelFor, workers})
	}
	if options.Logger != nil {
		log = cgo.NewHandle(options.Logger)
	}
	if err := c.failed(C.xg_runtime_create(c.at, raw, C.uint32_t(workers), C.uintptr_t(parallelFor),
		C.uintptr_t(log))); err != nil {
		for _, name := range []cgo.Handle{parallelFor, log} {
			if name != 0 {
				name.Delete()
			}
		}
		return nil, err
	}
	return &Runtime{newHandle(c.raw.handle, func(p unsafe.Pointer) { C.xg_release_runtime(asNumber(p)) })}, nil
}

// SetDefault makes r the default runtime for the rest of the process, also if it is closed: the one that nil stands
// for. ErrBusy where there is one, as it was set before, or something needed one.
func (r *Runtime) SetDefault() error {
	c := begin()
	return c.toNothing(C.xg_runtime_set_default(c.at, c.runtime(r)))
}

// Close releases the runtime; plans made from it still work. It may be called again.
func (r *Runtime) Close() error {
	if r != nil {
		r.handle.close()
	}
	return nil
}

// runtime keeps the handle of r until the call ends.
func (c *call) runtime(r *Runtime) *C.xlashape_runtime {
	if r == nil {
		return nil
	}
	return (*C.xlashape_runtime)(c.keep(r.handle))
}

// LoadBackend loads the backend in the shared object, or manifest, at path. It is never unloaded.
func (r *Runtime) LoadBackend(path string) error {
	c := begin()
	if strings.Contains(path, "\x00") {
		c.refuse(ErrInvalidArgument, "the path %q has a NUL", path)
	}
	at, size := c.text(path)
	return c.toNothing(C.xg_runtime_load_backend(c.at, c.runtime(r), at, size))
}

// Report lists every place searched for backends, what was there, and why it is or is not in use: one line each.
func (r *Runtime) Report() (string, error) {
	c := begin()
	return c.toText(C.xg_runtime_report(c.at, c.runtime(r)))
}

// BackendState is the state of a backend.
type BackendState int32

const (
	// members: BACKEND_STATE_(\w+) as Backend{Name} BackendState = C.{C}
	BackendNotLoaded BackendState = C.XLASHAPE_BACKEND_STATE_NOT_LOADED // found; nothing has needed it yet
	BackendLoading   BackendState = C.XLASHAPE_BACKEND_STATE_LOADING
	BackendReady     BackendState = C.XLASHAPE_BACKEND_STATE_READY
	BackendFailed    BackendState = C.XLASHAPE_BACKEND_STATE_FAILED
	// end of members
)

// MemorySpace is where buffers are, 1 to 63: DLPack's device type numbers; 32 and above are for backends with other
// spaces.
type MemorySpace int32

const (
	// members: SPACE_(\w+) as Space{Name} MemorySpace = C.{C}
	SpaceCPU         MemorySpace = C.XLASHAPE_SPACE_CPU
	SpaceCUDA        MemorySpace = C.XLASHAPE_SPACE_CUDA
	SpaceCUDAHost    MemorySpace = C.XLASHAPE_SPACE_CUDA_HOST
	SpaceOpenCL      MemorySpace = C.XLASHAPE_SPACE_OPENCL
	SpaceCUDAManaged MemorySpace = C.XLASHAPE_SPACE_CUDA_MANAGED
	// end of members
)

// Device is a device of a backend. The zero value is the one that is current in the calling thread, or else the
// backend's first.
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
	c := begin()
	defer c.end()
	runtime := c.runtime(r)
	if c.refused != nil {
		return nil, c.refused
	}
	all := make([]BackendInfo, int(C.xlashape_runtime_backend_count(runtime)))
	for i := range all {
		if err := all[i].ask(c, runtime, C.int64_t(i)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (b *BackendInfo) ask(c *call, runtime *C.xlashape_runtime, i C.int64_t) error {
	info := (*C.xlashape_backend_info)(c.room(C.sizeof_xlashape_backend_info))
	info.struct_size = C.sizeof_xlashape_backend_info
	if err := c.failed(C.xlashape_runtime_backend_info(runtime, i, info, c.err())); err != nil {
		return err
	}
	b.State, b.ABIVersion, b.Priority = BackendState(info.state), uint32(info.abi_version), int(info.priority)
	b.DeviceCount = int(info.device_count)
	for space, set := 0, uint64(info.memory_spaces); set != 0; space, set = space+1, set>>1 {
		if set&1 != 0 {
			b.MemorySpaces = append(b.MemorySpaces, MemorySpace(space))
		}
	}
	for which, text := range map[C.int32_t]*string{C.XLASHAPE_BACKEND_TEXT_NAME: &b.Name,
		C.XLASHAPE_BACKEND_TEXT_PATH: &b.Path, C.XLASHAPE_BACKEND_TEXT_DETAIL: &b.Detail} {
		if err := c.failed(C.xg_runtime_backend_text(c.at, runtime, i, which)); err != nil {
			return err
		}
		*text = c.gotText()
	}
	return nil
}

// DeviceText is one line about a device of the backend that is number backend among Backends: name, capability.
// ErrOutOfRange if there is no such backend or device.
func (r *Runtime) DeviceText(backend int, device Device) (string, error) {
	c := begin()
	return c.toText(C.xg_runtime_device_text(c.at, c.runtime(r), C.int64_t(backend), C.int32_t(device)))
}

// Calibrate measures the machine for about this long (10 s is a good time), on the runtime's executor, and returns a
// profile of its processor: a text for RuntimeOptions.Profile, or for the file at ProfilePath, which later runtimes
// read. This runtime does not change. Other work on the machine falsifies it. It ends early when the context is done,
// as ExecuteContext does; progress may be nil. ErrUnsupported where no backend measures anything.
func (r *Runtime) Calibrate(ctx context.Context, budget time.Duration, progress Progress) (profile string, err error) {
	if budget == 0 {
		budget = 1 // C takes 0 for its default
	}
	err = watched(ctx, progress, func(cancel *C.int32_t, watch cgo.Handle) error {
		c := begin()
		profile, err = c.toText(C.xg_calibrate(c.at, c.runtime(r), C.int64_t(budget), cancel, C.uintptr_t(watch)))
		return err
	})
	if err != nil {
		return "", err
	}
	return profile, nil
}

// ProfilePath is the file where the runtime looked for its profile, or would have without RuntimeOptions.Profile; ""
// where it looks for none.
func (r *Runtime) ProfilePath() (string, error) {
	c := begin()
	return c.toText(C.xg_runtime_profile_path(c.at, c.runtime(r)))
}

// Wisdom is what NewMeasuredPlan found to be fastest, as a text that can be stored.
func (r *Runtime) Wisdom() (string, error) {
	c := begin()
	return c.toText(C.xg_runtime_export_wisdom(c.at, c.runtime(r)))
}

// ImportWisdom adds what an earlier Wisdom returned, and returns how many entries were taken: none of another
// processor. ErrParse for another text, and nothing is taken.
func (r *Runtime) ImportWisdom(text string) (taken int, err error) {
	c := begin()
	at, size := c.text(text)
	n, err := c.toNumber(C.xg_runtime_import_wisdom(c.at, c.runtime(r), at, size))
	return int(n), err
}

// ForgetWisdom removes all of it. Plans that were made stay as they are.
func (r *Runtime) ForgetWisdom() error {
	c := begin()
	return c.toNothing(C.xg_runtime_forget_wisdom(c.at, c.runtime(r)))
}
