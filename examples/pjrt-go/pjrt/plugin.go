package pjrt

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"fmt"
	"os"
	"sort"
	"sync"
	"unsafe"
)

// Plugin is a plugin that was loaded. It stays loaded until the program ends.
type Plugin struct {
	api     *C.PJRT_Api
	layouts *C.PJRT_Layouts_Extension // nil where the plugin lacks it
	path    string
	has     [C.PG_FUNCTIONS]bool
}

// Plugins by their table: two paths may name one file, and a plugin is initialized once.
var loaded = struct {
	sync.Mutex
	plugins map[*C.PJRT_Api]*Plugin
}{plugins: map[*C.PJRT_Api]*Plugin{}}

// Load loads the plugin at a path; "": at that in $PJRT_PLUGIN. It refuses what is no plugin, one of another major version
// of PJRT, and one whose table lacks a function that this package cannot do without.
func Load(path string) (*Plugin, error) {
	if path == "" {
		if path = os.Getenv("PJRT_PLUGIN"); path == "" {
			return nil, fmt.Errorf("pjrt: no plugin: give its path, or set PJRT_PLUGIN to it")
		}
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var reason *C.char
	api := C.pg_load(name, &reason)
	if api == nil {
		defer C.free(unsafe.Pointer(reason))
		return nil, fmt.Errorf("pjrt: %s is not used: %s", path, C.GoString(reason))
	}
	loaded.Lock()
	defer loaded.Unlock()
	if p := loaded.plugins[api]; p != nil {
		return p, nil
	}
	p := &Plugin{api: api, path: path}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("pjrt: %s is not used: %w", path, err)
	}
	p.layouts = C.pg_layouts(api)
	if err := p.take(C.PG_PJRT_Plugin_Initialize, C.pg_initialize(api)); err != nil {
		return nil, fmt.Errorf("pjrt: %s is not used: %w", path, err)
	}
	loaded.plugins[api] = p
	return p, nil
}

// check looks at the version first: only then is it known what the table means.
func (p *Plugin) check() error {
	size := uint64(p.api.struct_size)
	if most := uint64(C.pg_end(0)) - uint64(unsafe.Sizeof(uintptr(0))); size < most {
		return fmt.Errorf("its table has %d bytes, and the version alone ends at %d", size, most)
	}
	if major := int(p.api.pjrt_api_version.major_version); major != C.PJRT_API_MAJOR {
		return fmt.Errorf("it speaks version %d.%d of PJRT, and this program %d.%d: the major versions must be equal",
			major, int(p.api.pjrt_api_version.minor_version), C.PJRT_API_MAJOR, C.PJRT_API_MINOR)
	}
	for i := range p.has {
		p.has[i] = C.pg_has(p.api, C.int(i)) != 0
		if !p.has[i] && i < C.PG_FIRST_OPTIONAL {
			return fmt.Errorf("%s", p.lacks(C.int(i)))
		}
	}
	return nil
}

// lacks says why a function is not there.
func (p *Plugin) lacks(function C.int) string {
	name, end := C.GoString(C.pg_name(function)), uint64(C.pg_end(function))
	if size := uint64(p.api.struct_size); size < end {
		return fmt.Sprintf("its table (version %s) has %d bytes, and %s ends at %d", p.Version(), size, name, end)
	}
	return fmt.Sprintf("its table (version %s) has no %s", p.Version(), name)
}

// needs is asked before a function that not every plugin has.
func (p *Plugin) needs(function C.int) error {
	if p.has[function] {
		return nil
	}
	return &Error{Code: Unimplemented, Call: C.GoString(C.pg_name(function)), Message: p.lacks(function)}
}

// Path is the file that was loaded.
func (p *Plugin) Path() string { return p.path }

// Version is the version of the PJRT C API that the plugin was built for, such as "0.114".
func (p *Plugin) Version() string {
	version := p.api.pjrt_api_version
	return fmt.Sprintf("%d.%d", int(version.major_version), int(version.minor_version))
}

// HasLayouts reports whether the plugin has the extension that tells layouts whole.
func (p *Plugin) HasLayouts() bool { return p.layouts != nil }

// Attributes are what the plugin says of itself.
func (p *Plugin) Attributes() (map[string]any, error) {
	var (
		values *C.PJRT_NamedValue
		count  C.size_t
	)
	if err := p.take(C.PG_PJRT_Plugin_Attributes, C.pg_attributes(p.api, &values, &count)); err != nil {
		return nil, err
	}
	return namedValues(values, count), nil
}

// namedValues copies a list of the plugin's: strings, int64, []int64, float32 and bool.
func namedValues(at *C.PJRT_NamedValue, count C.size_t) map[string]any {
	values := map[string]any{}
	for i := C.size_t(0); i < count; i++ {
		var size C.size_t
		text := C.pg_name_of(at, i, &size)
		name := goText(text, size)
		switch C.pg_type_of(at, i) {
		case C.PJRT_NamedValue_kString:
			values[name] = goText(C.pg_text_of(at, i), C.pg_size_of(at, i))
		case C.PJRT_NamedValue_kInt64:
			values[name] = int64(C.pg_int64_of(at, i))
		case C.PJRT_NamedValue_kInt64List:
			values[name] = goInt64s(C.pg_int64s_of(at, i), C.pg_size_of(at, i))
		case C.PJRT_NamedValue_kFloat:
			values[name] = float32(C.pg_float_of(at, i))
		case C.PJRT_NamedValue_kBool:
			values[name] = C.pg_bool_of(at, i) != 0
		}
	}
	return values
}

func goInt64s(at *C.int64_t, count C.size_t) []int64 {
	return append([]int64{}, unsafe.Slice((*int64)(unsafe.Pointer(at)), int(count))...)
}

// Options are those of a client, by name: strings, int, int64 and bool.
type Options map[string]any

// NewClient makes a client. What options there are is the plugin's matter.
func (p *Plugin) NewClient(options Options) (*Client, error) {
	names := make([]string, 0, len(options))
	for name := range options {
		names = append(names, name)
	}
	sort.Strings(names) // the plugin's complaints do not depend on the order of a map
	list := (*C.PJRT_NamedValue)(C.calloc(C.size_t(len(names)+1), C.sizeof_PJRT_NamedValue))
	defer C.free(unsafe.Pointer(list))
	for i, name := range names {
		text, at := C.CString(name), C.size_t(i)
		defer C.free(unsafe.Pointer(text))
		switch value := options[name].(type) {
		case string:
			chars := C.CString(value)
			defer C.free(unsafe.Pointer(chars))
			C.pg_set_text(list, at, text, C.size_t(len(name)), chars, C.size_t(len(value)))
		case int:
			C.pg_set_int64(list, at, text, C.size_t(len(name)), C.int64_t(value))
		case int64:
			C.pg_set_int64(list, at, text, C.size_t(len(name)), C.int64_t(value))
		case bool:
			C.pg_set_bool(list, at, text, C.size_t(len(name)), truth(value))
		default:
			return nil, invalid("PJRT_Client_Create", "option %q is a %T: only string, int, int64 and bool are passed on", name, value)
		}
	}
	var pointer *C.PJRT_Client
	if err := p.take(C.PG_PJRT_Client_Create, C.pg_client_create(p.api, list, C.size_t(len(names)), &pointer)); err != nil {
		return nil, err
	}
	return &Client{newHandle(p, nil, unsafe.Pointer(pointer), freeClient)}, nil
}

func truth(value bool) C.int {
	if value {
		return 1
	}
	return 0
}

func freeClient(p *Plugin, pointer unsafe.Pointer) {
	p.drop(C.PG_PJRT_Client_Destroy, C.pg_client_destroy(p.api, (*C.PJRT_Client)(pointer)))
}

// drop ends an object. Nobody can be told of an error, which PJRT allows here but nothing gives.
func (p *Plugin) drop(function C.int, e *C.PJRT_Error) { _ = p.take(function, e) }
