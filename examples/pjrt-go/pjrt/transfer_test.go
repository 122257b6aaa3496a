package pjrt

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"xlashape"
)

// The element types that arrays on all targets may have.
var types = []xlashape.ElementType{
	xlashape.Pred, xlashape.S8, xlashape.S16, xlashape.S32, xlashape.S64, xlashape.U8, xlashape.U16, xlashape.U32, xlashape.U64,
	xlashape.F16, xlashape.F32, xlashape.F64, xlashape.BF16, xlashape.C64, xlashape.C128, xlashape.F8E5M2, xlashape.F8E4M3FN,
	xlashape.S4, xlashape.U4, xlashape.U2,
}

var sizes = [][]int64{{}, {1}, {5}, {300}, {3, 5}, {17, 130}, {130, 17}, {2, 9, 33}, {3, 2, 5, 7}, {2, 3, 1, 4, 5}, {4, 0, 3}}

var targets = []xlashape.Target{xlashape.TargetTPUv5e, xlashape.TargetTPUv2, xlashape.TargetTPUv7x, xlashape.TargetCPU}

func names(targets []xlashape.Target) string {
	var list []string
	for _, target := range targets {
		list = append(list, target.String())
	}
	return strings.Join(list, ",")
}

// A layout to ask for, and what comes of it: the shape on the device.
type request struct {
	name  string
	place func(dimensions []int64, size int64) *Placement // nil: not for these
	shape func(target xlashape.Target, natural xlashape.Shape, place *Placement) (xlashape.Shape, error)
}

func given(target xlashape.Target, natural xlashape.Shape, place *Placement) (xlashape.Shape, error) {
	return natural.WithLayout(place.Layout).WithPackedElements()
}

var requests = []request{
	{"the device's choice", func([]int64, int64) *Placement { return &Placement{} },
		func(target xlashape.Target, natural xlashape.Shape, _ *Placement) (xlashape.Shape, error) {
			return natural.ForTarget(target)
		}},
	{"an order", func(dimensions []int64, _ int64) *Placement {
		return &Placement{Layout: &xlashape.Layout{MinorToMajor: rotated(len(dimensions))}}
	}, func(target xlashape.Target, natural xlashape.Shape, place *Placement) (xlashape.Shape, error) {
		return natural.WithLayout(place.Layout).ForTargetKeepOrder(target)
	}},
	{"tiles", func(dimensions []int64, _ int64) *Placement {
		if len(dimensions) < 2 {
			return nil
		}
		return &Placement{Layout: &xlashape.Layout{MinorToMajor: rotated(len(dimensions)), Tiles: []xlashape.Tile{{4, 6}, {2, 3}}}}
	}, given},
	{"strides", func(dimensions []int64, size int64) *Placement {
		if len(dimensions) == 0 {
			return nil
		}
		return &Placement{ByteStrides: compact(dimensions, rotated(len(dimensions)), size, 0)}
	}, strided},
	{"strides with gaps", func(dimensions []int64, size int64) *Placement {
		if len(dimensions) == 0 {
			return nil
		}
		return &Placement{ByteStrides: compact(dimensions, rotated(len(dimensions)), size, 2)}
	}, strided},
}

// Strides without gaps say no more than an order does. With gaps the layout is as given.
func strided(target xlashape.Target, natural xlashape.Shape, place *Placement) (xlashape.Shape, error) {
	layout, err := xlashape.LayoutFromByteStrides(natural.ElementType, natural.Dimensions, place.ByteStrides, false)
	if err != nil {
		return natural, err
	}
	if shape := natural.WithLayout(layout); layout.PaddedDimensions != nil {
		return shape.WithPackedElements()
	}
	return natural.WithLayout(layout).ForTargetKeepOrder(target)
}

func TestRoundTrips(t *testing.T) {
	client, devices := newClient(t, names(targets))
	if len(devices) != len(targets) {
		t.Fatalf("%d devices for %s", len(devices), names(targets))
	}
	count := 0
	for number, elementType := range types {
		for _, dimensions := range sizes {
			for i, s := range stridings {
				array, plain := newArray(elementType, dimensions, s, uint64(number*100+i))
				for d, target := range targets {
					// All pairs of strides and targets, and with each one of the layouts in turn.
					want := requests[(count+d)%len(requests)]
					if err := roundTrip(devices[d], target, array, plain, want); err != nil {
						t.Errorf("%s%d, strides %s, on %s as %s: %v", elementType, dimensions, s.name, target, want.name, err)
					}
				}
				count++
			}
		}
		if t.Failed() {
			break
		}
	}
	natural := xlashape.ArrayShape(xlashape.F32, 1000, 3)
	want, err := natural.ForTarget(targets[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.DefaultLayout(xlashape.F32, 1000, 3); err != nil || !got.Equal(want.Layout) {
		t.Errorf("the client's default layout is %v, %v, and not %v", got, err, want.Layout)
	}
	t.Logf("%d arrays on %d devices", count, len(targets))
}

func roundTrip(d *Device, target xlashape.Target, array HostArray, plain []byte, want request) error {
	natural := xlashape.ArrayShape(array.Type, array.Dimensions...)
	place := want.place(array.Dimensions, int64(array.Type.StorageBits()/8))
	if place == nil {
		return nil
	}
	shape, err := want.shape(target, natural, place)
	if err != nil {
		return err
	}
	buffer, err := d.FromHost(array, place)
	if err != nil {
		return err
	}
	defer buffer.Close()
	return checkBuffer(buffer, shape, plain)
}

// An array goes from each device to each other, and is moved to the layout of that.
func TestCopies(t *testing.T) {
	_, devices := newClient(t, names(targets))
	for _, elementType := range []xlashape.ElementType{xlashape.F32, xlashape.BF16, xlashape.S8, xlashape.U4, xlashape.C128} {
		for _, dimensions := range sizes {
			array, plain := newArray(elementType, dimensions, stridings[0], 7)
			for from := range devices {
				buffer, err := devices[from].FromHost(array, nil)
				if err != nil {
					t.Fatal(err)
				}
				for to, target := range targets {
					if err := copied(buffer, devices[to], target, plain); err != nil {
						t.Errorf("%s%d from %s to %s: %v", elementType, dimensions, targets[from], target, err)
					}
				}
				buffer.Close()
			}
		}
	}
}

func copied(buffer *Buffer, to *Device, target xlashape.Target, plain []byte) error {
	shape, err := buffer.Shape()
	if err != nil {
		return err
	}
	want, err := xlashape.ArrayShape(shape.ElementType, shape.Dimensions...).ForTarget(target)
	if err != nil {
		return err
	}
	byDevice, err := buffer.CopyToDevice(to)
	if err != nil {
		return err
	}
	defer byDevice.Close()
	if err := checkBuffer(byDevice, want, plain); err != nil {
		return err
	}
	memory, err := to.DefaultMemory()
	if err != nil {
		return err
	}
	byMemory, err := buffer.CopyToMemory(memory)
	if err != nil {
		return err
	}
	defer byMemory.Close()
	return checkBuffer(byMemory, want, plain)
}

// What PJRT_Buffer_GetMemoryLayout says is the layout without what it has no words for.
func TestMemoryLayout(t *testing.T) {
	_, devices := newClient(t, names(targets))
	for _, elementType := range types {
		for d, device := range devices {
			array, _ := newArray(elementType, []int64{17, 130}, stridings[0], 1)
			buffer, err := device.FromHost(array, nil)
			if err != nil {
				t.Fatal(err)
			}
			shape, err := buffer.Shape()
			if err != nil {
				t.Fatal(err)
			}
			got, err := buffer.MemoryLayout()
			if err != nil || !got.Equal(shape.Layout, xlashape.IgnoreElementSize) {
				t.Errorf("%s on %s: %v, %v", shape, targets[d], got, err)
			}
			buffer.Close()
		}
	}
}

// Large arrays are moved by other threads of the plugin, so that events and the semantics of host memory matter.
func TestLater(t *testing.T) {
	_, devices := newClient(t, "tpu:v5e,cpu")
	dimensions := []int64{513, 1025}
	array, plain := newArray(xlashape.F32, dimensions, stridings[3], 9)
	natural := xlashape.ArrayShape(xlashape.F32, dimensions...)
	for d, target := range []xlashape.Target{xlashape.TargetTPUv5e, xlashape.TargetCPU} {
		want, err := natural.ForTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		for _, zeroCopy := range []bool{false, true} {
			memory, err := NewHostMemory(len(array.Data))
			if err != nil {
				t.Fatal(err)
			}
			copy(memory.Bytes(), array.Data)
			buffer, done, err := devices[d].FromHostMemory(memory, array, nil, zeroCopy)
			if err != nil {
				t.Fatal(err)
			}
			memory.Close() // it stays as long as the transfer needs it
			if err := checkBuffer(buffer, want, plain); err != nil {
				t.Errorf("zero copy %t: %v", zeroCopy, err)
			}
			if err := checkReady(buffer); err != nil {
				t.Error(err)
			}
			if err := checkToHostMemory(buffer, plain); err != nil {
				t.Error(err)
			}
			buffer.Close()
			if err := done.Await(); err != nil { // with zero copy it is the buffer's end
				t.Error(err)
			}
			done.Close()
		}
	}
}

func checkReady(buffer *Buffer) error {
	event, err := buffer.Ready()
	if err != nil {
		return err
	}
	defer event.Close()
	called := make(chan error, 2)
	if err := event.OnReady(func(err error) { called <- err }); err != nil {
		return err
	}
	if err := event.Await(); err != nil {
		return err
	}
	if ready, err := event.IsReady(); err != nil || !ready {
		return fmt.Errorf("ready after Await: %t, %v", ready, err)
	}
	select {
	case err := <-called:
		return err
	case <-time.After(10 * time.Second):
		return fmt.Errorf("OnReady was not heard of")
	}
}

func checkToHostMemory(buffer *Buffer, plain []byte) error {
	memory, err := NewHostMemory(len(plain))
	if err != nil {
		return err
	}
	defer memory.Close()
	event, err := buffer.ToHostMemory(memory, nil)
	if err != nil {
		return err
	}
	defer event.Close()
	if err := event.Await(); err != nil {
		return err
	}
	if !bytes.Equal(memory.Bytes(), plain) {
		return fmt.Errorf("%s", difference("the array in host memory", memory.Bytes(), plain))
	}
	return nil
}

func TestGoroutines(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	_, devices := newClient(t, names(targets))
	var wait sync.WaitGroup
	for g := 0; g < 16; g++ {
		wait.Add(1)
		go func(g int) {
			defer wait.Done()
			for i := 0; i < rounds; i++ {
				at := g + i
				dimensions := []int64{int64(1 + at%50), int64(3 + i*7)}
				array, plain := newArray(types[at%len(types)], dimensions, stridings[at%len(stridings)], uint64(at))
				from := at % len(devices)
				if err := roundTrip(devices[from], targets[from], array, plain, requests[i%len(requests)]); err != nil {
					t.Errorf("goroutine %d, %d: %v", g, i, err)
				}
				buffer, err := devices[from].FromHost(array, nil)
				if err != nil {
					t.Error(err)
					return
				}
				to := (at + i) % len(devices)
				if err := copied(buffer, devices[to], targets[to], plain); err != nil {
					t.Errorf("goroutine %d, %d: %v", g, i, err)
				}
				buffer.Close()
			}
		}(g)
	}
	wait.Wait()
}

// The memory of buffers that are closed, deleted or forgotten comes back.
func TestMemoryIsGivenBack(t *testing.T) {
	_, devices := newClient(t, "tpu:v5e,cpu")
	device := devices[0]
	array, _ := newArray(xlashape.F32, []int64{100, 200}, stridings[0], 3)
	inUse := func() int64 {
		stats, err := device.MemoryStats()
		if err != nil {
			t.Fatal(err)
		}
		return stats.BytesInUse
	}
	before := inUse()
	buffer, err := device.FromHost(array, nil)
	if err != nil {
		t.Fatal(err)
	}
	size, err := buffer.DeviceSize()
	if err != nil {
		t.Fatal(err)
	}
	if now := inUse(); now < before+size {
		t.Errorf("%d bytes are in use with a buffer of %d, %d without", now, size, before)
	}
	if err := buffer.Delete(); err != nil {
		t.Error(err)
	}
	if now := inUse(); now != before {
		t.Errorf("%d bytes are in use after Delete, %d before", now, before)
	}
	buffer.Close()
	back := make([]byte, len(array.Data))
	for i := 0; i < 2000; i++ {
		buffer, err := device.FromHost(array, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := buffer.ToHost(back, nil); err != nil {
			t.Fatal(err)
		}
		buffer.Close()
		if now := inUse(); now != before {
			t.Fatalf("%d bytes are in use after %d transfers, %d before", now, i+1, before)
		}
	}
	stats, err := device.MemoryStats()
	if err != nil {
		t.Fatal(err)
	}
	if stats.PeakBytesInUse >= 0 && stats.PeakBytesInUse > before+4*size {
		t.Errorf("at most %d bytes were in use, for buffers of %d one at a time", stats.PeakBytesInUse, size)
	}
	for i := 0; i < 20; i++ {
		if _, err := device.FromHost(array, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 100 && inUse() != before; i++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if now := inUse(); now != before {
		t.Errorf("%d bytes are in use by buffers that nothing refers to, %d before", now, before)
	}
}
