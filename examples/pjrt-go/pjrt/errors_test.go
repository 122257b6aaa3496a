package pjrt

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"xlashape"
)

// wantError checks an error's code, and that it says something.
func wantError(t *testing.T, what string, err error, code error, words ...string) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("%s: %v, and not %v", what, err, code)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %q does not say %q", what, err, word)
		}
	}
}

// program reads a StableHLO program, a portable artifact.
func program(t *testing.T, path string) []byte {
	t.Helper()
	code, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestErrors(t *testing.T) {
	client, devices := newClient(t, "tpu:v5e,cpu")
	err := client.Compile("mlir", program(t, "../attention.mlirbc"))
	wantError(t, "a program that multiplies", err, Unimplemented, "PJRT_Client_Compile", "attention", "multiply")
	wantError(t, "a text", client.Compile("mlir", []byte("module @text {}")), Unimplemented, "PJRT_Client_Compile")
	wantError(t, "another format", client.Compile("no_such_format", nil), Unimplemented, "no_such_format")
	if err := client.Compile("mlir", program(t, "testdata/swap.mlirbc")); err != nil {
		t.Errorf("a program that returns its arguments: %v", err)
	}
	_, err = client.LookupDevice(99)
	wantError(t, "device 99", err, NotFound, "99")
	_, err = thePlugin(t).NewClient(Options{"devices": "tpu:v99"})
	wantError(t, "a target that is not there", err, NotFound, "v99")
	_, err = thePlugin(t).NewClient(Options{"no_such_option": true})
	wantError(t, "an option that is not there", err, InvalidArgument, "no_such_option")
	_, err = thePlugin(t).NewClient(Options{"devices": 1.5})
	wantError(t, "an option of a type that is not passed on", err, InvalidArgument, "devices", "float64")

	array, _ := newArray(xlashape.F32, []int64{3, 5}, stridings[0], 1)
	buffer, err := devices[0].FromHost(array, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, "too little memory", buffer.ToHost(make([]byte, 59), nil), InvalidArgument, "59", "60")
	if err := buffer.ToHost(make([]byte, 64), nil); err != nil {
		t.Errorf("more memory than needed: %v", err)
	}
	wantError(t, "bytes that are not there", buffer.RawToHost(make([]byte, 8), 1<<20), OutOfRange)
	wantError(t, "bytes before the first", buffer.RawToHost(make([]byte, 8), -4), OutOfRange)
	err = buffer.ToHost(make([]byte, 60), &HostLayout{AsDevice: true, ByteStrides: []int64{20, 4}})
	wantError(t, "two layouts", err, InvalidArgument)
	err = buffer.ToHost(make([]byte, 100), &HostLayout{ByteStrides: []int64{-20, 4}})
	wantError(t, "strides to before the destination", err, InvalidArgument, "[-40, 20)")
	err = buffer.ToHost(make([]byte, 60), &HostLayout{ByteStrides: []int64{24, 4}})
	wantError(t, "strides to behind the destination", err, InvalidArgument, "[0, 68) of 60")
	err = buffer.ToHost(make([]byte, 60), &HostLayout{ByteStrides: []int64{4}})
	wantError(t, "too few strides", err, InvalidArgument, "1 strides for 2 dimensions")
	err = buffer.ToHost(make([]byte, 60), &HostLayout{Layout: xlashape.RowMajor(3)})
	wantError(t, "a layout of another rank", err, InvalidArgument)

	for _, wrong := range []struct {
		what                    string
		dimensions, byteStrides []int64
		offset, bytes           int64
		says                    string
	}{
		{"an array that is not there", []int64{3, 5}, nil, 0, 59, "of 59"},
		{"strides to before the slice", []int64{3, 5}, []int64{-20, 4}, 0, 60, "[-40, 20)"},
		{"an offset behind the slice", []int64{3, 5}, []int64{20, 4}, 4, 60, "from byte 4 on, of 60"},
		{"strides that do not fit", []int64{3, 1 << 40}, []int64{4, 1 << 40}, 0, 60, "2^63"},
		{"too few strides", []int64{3, 5}, []int64{4}, 0, 60, "1 strides for 2 dimensions"},
	} {
		_, err = devices[0].FromHost(HostArray{Type: xlashape.F32, Dimensions: wrong.dimensions, Data: array.Data[:wrong.bytes],
			ByteStrides: wrong.byteStrides, Offset: wrong.offset}, nil)
		wantError(t, wrong.what, err, InvalidArgument, wrong.says)
	}
	_, err = devices[0].FromHost(HostArray{Type: xlashape.Token, Data: array.Data}, nil)
	wantError(t, "a token", err, xlashape.ErrInvalidArgument)
	_, err = devices[0].FromHost(array, &Placement{Layout: xlashape.MustParseLayout("{1,0:E(64)}")})
	wantError(t, "a layout that PJRT has no words for", err, InvalidArgument, "E(64)")
	_, err = devices[0].FromHost(array, &Placement{Layout: xlashape.RowMajor(2), ByteStrides: []int64{20, 4}})
	wantError(t, "a layout twice", err, InvalidArgument)

	if err := buffer.Delete(); err != nil {
		t.Error(err)
	}
	if deleted, err := buffer.IsDeleted(); err != nil || !deleted {
		t.Errorf("deleted: %t, %v", deleted, err)
	}
	wantError(t, "a deleted buffer", buffer.ToHost(make([]byte, 60), nil), FailedPrecondition, "deleted")
	_, err = buffer.CopyToDevice(devices[1])
	wantError(t, "a copy of a deleted buffer", err, FailedPrecondition, "deleted")
	buffer.Close()
	buffer.Close()
	wantError(t, "a closed buffer", buffer.ToHost(make([]byte, 60), nil), ErrClosed)
	_, err = buffer.Shape()
	wantError(t, "a closed buffer's shape", err, ErrClosed)
	var none *Buffer
	_, err = none.DeviceSize()
	wantError(t, "no buffer", err, ErrClosed)
}

func TestMemoryLimit(t *testing.T) {
	client, err := thePlugin(t).NewClient(Options{"devices": "tpu:v5e", "memory_bytes": 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	devices, err := client.AddressableDevices()
	if err != nil {
		t.Fatal(err)
	}
	array, _ := newArray(xlashape.F32, []int64{600, 600}, stridings[0], 1)
	buffer, err := devices[0].FromHost(array, nil)
	if err == nil { // it may be refused later, too
		event, failure := buffer.Ready()
		if failure != nil {
			t.Fatal(failure)
		}
		err = event.Await()
		event.Close()
		buffer.Close()
	}
	wantError(t, "1.4 MB in 1 MiB", err, ResourceExhausted)
	stats, err := devices[0].MemoryStats()
	if err != nil || stats.BytesLimit != 1<<20 {
		t.Errorf("the limit is %d, %v", stats.BytesLimit, err)
	}
}

// A client ends after what was made from it, in whatever order they are closed.
func TestCloseInAnyOrder(t *testing.T) {
	client, devices := newClient(t, "tpu:v5e")
	array, plain := newArray(xlashape.BF16, []int64{20, 30}, stridings[0], 1)
	buffer, err := devices[0].FromHost(array, nil)
	if err != nil {
		t.Fatal(err)
	}
	event, err := buffer.Ready()
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
	_, err = client.Devices()
	wantError(t, "a closed client", err, ErrClosed)
	_, err = devices[0].FromHost(array, nil)
	wantError(t, "a device of a closed client", err, ErrClosed)
	back := make([]byte, len(plain))
	if err := buffer.ToHost(back, nil); err != nil || string(back) != string(plain) {
		t.Errorf("the buffer of a closed client: %v", err)
	}
	buffer.Close()
	if err := event.Await(); err != nil {
		t.Error(err)
	}
	event.Close()
	wantError(t, "a closed event", event.Await(), ErrClosed)
}

func TestDevices(t *testing.T) {
	client, devices := newClient(t, names(targets))
	if name, err := client.PlatformName(); err != nil || name != "xlashape" {
		t.Errorf("platform %q, %v", name, err)
	}
	if version, err := client.PlatformVersion(); err != nil || version == "" {
		t.Errorf("platform version %q, %v", version, err)
	}
	if process, err := client.ProcessIndex(); err != nil || process != 0 {
		t.Errorf("process %d, %v", process, err)
	}
	platform, kinds, err := client.Topology()
	if err != nil || platform != "xlashape" || len(kinds) != len(devices) {
		t.Errorf("topology %q, %q, %v", platform, kinds, err)
	}
	if _, err := client.Plugin().Attributes(); err != nil {
		t.Error(err)
	}
	all, err := client.Devices()
	if err != nil || len(all) != len(devices) {
		t.Errorf("%d devices, %d of them addressable, %v", len(all), len(devices), err)
	}
	for i, device := range devices {
		id, err := device.ID()
		if err != nil {
			t.Fatal(err)
		}
		same, err := client.LookupDevice(id)
		if err != nil || same.pointer != device.pointer {
			t.Errorf("device %d by its ID: %v", id, err)
		}
		kind, err := device.Kind()
		if err != nil || kind != kinds[i] || !strings.Contains(kind, targets[i].String()) {
			t.Errorf("device %d is a %q, %v: the topology says %q, and the target is %s", id, kind, err, kinds[i], targets[i])
		}
		if text, err := device.Text(); err != nil || text == "" {
			t.Errorf("device %d: %q, %v", id, text, err)
		}
		if _, err := device.Attributes(); err != nil {
			t.Error(err)
		}
		checkMemories(t, device)
	}
}

func checkMemories(t *testing.T, device *Device) {
	memories, err := device.Memories()
	if err != nil || len(memories) == 0 {
		t.Fatalf("%s: %d memories, %v", device, len(memories), err)
	}
	memory, err := device.DefaultMemory()
	if err != nil {
		t.Fatal(err)
	}
	if kind, err := memory.Kind(); err != nil || kind == "" {
		t.Errorf("%s: a memory of kind %q, %v", device, kind, err)
	}
	if _, err := memory.ID(); err != nil {
		t.Error(err)
	}
	array, plain := newArray(xlashape.U8, []int64{40}, stridings[0], 1)
	buffer, err := device.FromHost(array, &Placement{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer buffer.Close()
	where, err := buffer.Memory()
	if err != nil || where.pointer != memory.pointer {
		t.Errorf("%s: put into a memory, and found in another, %v", device, err)
	}
	on, err := buffer.Device()
	if err != nil || on.pointer != device.pointer {
		t.Errorf("%s: put on a device, and found on another, %v", device, err)
	}
	if address, err := buffer.UnsafePointer(); err != nil || address == 0 {
		t.Errorf("%s: at %d, %v", device, address, err)
	}
	back := make([]byte, len(plain))
	if err := buffer.ToHost(back, nil); err != nil || string(back) != string(plain) {
		t.Errorf("%s: by its memory: %v", device, err)
	}
}

// altered compiles testdata/altered.c, which is the plugin with an altered table.
func altered(t *testing.T, name, macro string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-O0", "-Wall", "-Werror", "-I../../pjrt-plugin", "-D"+macro, "-o", path,
		"testdata/altered.c", "-ldl").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func TestPluginsThatAreRefused(t *testing.T) {
	refused := func(what, path string, words ...string) {
		t.Helper()
		p, err := Load(path)
		if err == nil {
			t.Errorf("%s: taken, version %s", what, p.Version())
			return
		}
		for _, word := range append(words, "is not used") {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q does not say %q", what, err, word)
			}
		}
		t.Logf("%s: %v", what, err)
	}
	thePlugin(t)
	text := filepath.Join(t.TempDir(), "text.so")
	if err := os.WriteFile(text, bytes.Repeat([]byte("this is no shared object\n"), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("none", "/no/such/plugin.so", "/no/such/plugin.so", "No such file")
	refused("a text", text, "invalid ELF header")
	refused("another library", "libm.so.6", "does not export GetPjrtApi")
	refused("one without a table", altered(t, "no_table", "NO_TABLE"), "returns nothing")
	refused("another major version", altered(t, "major", "MAJOR=7"), "version 7.", "0.114", "major versions must be equal")
	refused("a table without functions", altered(t, "bytes", "BYTES=16"), "16 bytes")
	refused("an old table", altered(t, "cut", "CUT=PJRT_Buffer_ToHostBuffer"), "PJRT_Buffer_ToHostBuffer ends at")
	refused("a table with a hole", altered(t, "hole", "WITHOUT=PJRT_Buffer_ReadyEvent"), "has no PJRT_Buffer_ReadyEvent")
	refused("one that is not ready", altered(t, "unready", "UNREADY"), "PJRT_Plugin_Initialize", "INVALID_ARGUMENT", "no_such_option")

	t.Setenv("PJRT_PLUGIN", "")
	if _, err := Load(""); err == nil || !strings.Contains(err.Error(), "PJRT_PLUGIN") {
		t.Errorf("no path: %v", err)
	}
}

// An older plugin, whose table ends before what came later, is used as far as it goes.
func TestOlderPlugin(t *testing.T) {
	p, err := Load(altered(t, "older", "CUT=PJRT_Buffer_CopyToMemory"))
	if err != nil {
		t.Fatal(err)
	}
	client, err := p.NewClient(Options{"devices": "tpu:v5e"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	devices, err := client.AddressableDevices()
	if err != nil {
		t.Fatal(err)
	}
	array, plain := newArray(xlashape.F32, []int64{3, 5}, stridings[0], 1)
	buffer, err := devices[0].FromHost(array, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer buffer.Close()
	back := make([]byte, len(plain))
	if err := buffer.ToHost(back, nil); err != nil || string(back) != string(plain) {
		t.Errorf("an array: %v", err)
	}
	memory, err := devices[0].DefaultMemory()
	if err != nil {
		t.Fatal(err)
	}
	_, err = buffer.CopyToMemory(memory)
	wantError(t, "a function that came later", err, Unimplemented, "PJRT_Buffer_CopyToMemory ends at")
	wantError(t, "another", buffer.RawToHost(make([]byte, 4), 0), Unimplemented, "PJRT_Buffer_CopyRawToHost ends at")
	_, _, err = client.Topology()
	wantError(t, "the topology", err, Unimplemented, "PJRT_Client_TopologyDescription")
}

// Without the extension for layouts, the layout is that of PJRT_Buffer_GetMemoryLayout.
func TestPluginWithoutLayouts(t *testing.T) {
	p, err := Load(altered(t, "no_extensions", "NO_EXTENSIONS"))
	if err != nil {
		t.Fatal(err)
	}
	if p.HasLayouts() {
		t.Error("it has the extension")
	}
	client, err := p.NewClient(Options{"devices": "tpu:v5e"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.DefaultLayout(xlashape.F32, 2)
	wantError(t, "a default layout", err, Unimplemented, "no extension for layouts")
	devices, err := client.AddressableDevices()
	if err != nil {
		t.Fatal(err)
	}
	array, plain := newArray(xlashape.F32, []int64{3, 500}, stridings[0], 1)
	buffer, err := devices[0].FromHost(array, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer buffer.Close()
	want, err := xlashape.ArrayShape(xlashape.F32, 3, 500).ForTarget(xlashape.TargetTPUv5e)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkBuffer(buffer, want, plain); err != nil {
		t.Error(err)
	}
}
