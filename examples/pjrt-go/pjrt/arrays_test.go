package pjrt

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"xlashape"
)

// thePlugin is the one under test, in $PJRT_PLUGIN.
func thePlugin(t testing.TB) *Plugin {
	t.Helper()
	p, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// newClient makes a client with these devices, which ends with the test.
func newClient(t testing.TB, devices string) (*Client, []*Device) {
	t.Helper()
	client, err := thePlugin(t).NewClient(Options{"devices": devices})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	list, err := client.AddressableDevices()
	if err != nil {
		t.Fatal(err)
	}
	return client, list
}

func TestMain(m *testing.M) {
	if os.Getenv("PJRT_PLUGIN") == "" {
		fmt.Fprintln(os.Stderr, "set PJRT_PLUGIN to the plugin to be tested")
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// fill makes bytes that hold elements of the type: any bits, but only those that such an element has.
func fill(data []byte, t xlashape.ElementType, seed uint64) {
	state := seed*0x9E3779B97F4A7C15 + 1
	for i := range data {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		value := byte(state >> 32)
		if t == xlashape.Pred {
			value &= 1
		} else if bits := t.Bits(); bits < 8 {
			value &= 1<<bits - 1
		}
		data[i] = value
	}
}

// gather reads an array with strides, element by element in row-major order.
func gather(a HostArray) []byte {
	size := int64(a.Type.StorageBits() / 8)
	offsets := []int64{a.Offset}
	for d, extent := range a.Dimensions {
		inner := make([]int64, 0, int64(len(offsets))*extent)
		for _, at := range offsets {
			for i := int64(0); i < extent; i++ {
				inner = append(inner, at+i*a.ByteStrides[d])
			}
		}
		offsets = inner
	}
	out := make([]byte, 0, int64(len(offsets))*size)
	for _, at := range offsets {
		out = append(out, a.Data[at:at+size]...)
	}
	return out
}

// A way to lay an array out on the host: its strides for these dimensions.
type striding struct {
	name    string
	strides func(dimensions []int64, size int64) []int64
}

// compact are the strides of an order, the fastest dimension first, with gaps of so many elements after each.
func compact(dimensions, order []int64, size, gap int64) []int64 {
	strides := make([]int64, len(dimensions))
	for _, d := range order {
		strides[d] = size
		size *= dimensions[d] + gap
	}
	return strides
}

func order(rank int, of func(i int) int) []int64 {
	list := make([]int64, rank)
	for i := range list {
		list[i] = int64(of(i))
	}
	return list
}

func rowMajor(rank int) []int64 { return order(rank, func(i int) int { return rank - 1 - i }) }
func rotated(rank int) []int64  { return order(rank, func(i int) int { return (i + 1) % rank }) }

var stridings = []striding{
	{"none", func([]int64, int64) []int64 { return nil }},
	{"row-major", func(d []int64, size int64) []int64 { return compact(d, rowMajor(len(d)), size, 0) }},
	{"column-major", func(d []int64, size int64) []int64 {
		return compact(d, order(len(d), func(i int) int { return i }), size, 0)
	}},
	{"rotated with gaps", func(d []int64, size int64) []int64 { return compact(d, rotated(len(d)), size, 3) }},
	{"reversed", func(d []int64, size int64) []int64 {
		strides := compact(d, rowMajor(len(d)), size, 1)
		for i := range strides {
			if i%2 == 0 {
				strides[i] = -strides[i]
			}
		}
		return strides
	}},
	{"broadcast", func(d []int64, size int64) []int64 {
		strides := compact(d, rotated(len(d)), size, 0)
		if len(strides) > 0 {
			strides[0] = 0
		}
		return strides
	}},
	{"overlapping", func(d []int64, size int64) []int64 { // as windows of a signal
		strides := make([]int64, len(d))
		for i := range strides {
			strides[i] = size
		}
		return strides
	}},
}

// newArray is an array of random bits with those strides, and the same in row-major order.
func newArray(t xlashape.ElementType, dimensions []int64, s striding, seed uint64) (array HostArray, plain []byte) {
	size := int64(t.StorageBits() / 8)
	array = HostArray{Type: t, Dimensions: dimensions, ByteStrides: s.strides(dimensions, size)}
	strides := array.ByteStrides
	if strides == nil {
		strides = compact(dimensions, rowMajor(len(dimensions)), size, 0)
	}
	low, high, _ := extent(dimensions, strides, size)
	array.Offset = -low
	array.Data = make([]byte, high-low)
	fill(array.Data, t, seed)
	strided := array
	strided.ByteStrides = strides
	return array, gather(strided)
}

// raw are the bytes on the device.
func raw(b *Buffer) ([]byte, error) {
	size, err := b.DeviceSize()
	if err != nil {
		return nil, err
	}
	bytes := make([]byte, size)
	return bytes, b.RawToHost(bytes, 0)
}

// checkBuffer compares a buffer with what it must be: its shape, the bytes on the device, and the array read back in several
// ways. plain is the array in row-major order.
func checkBuffer(b *Buffer, want xlashape.Shape, plain []byte) error {
	shape, err := b.Shape()
	if err != nil {
		return err
	}
	if shape.String() != want.String() {
		return fmt.Errorf("the plugin has it as %s, and not as %s", shape, want)
	}
	natural := xlashape.ArrayShape(want.ElementType, want.Dimensions...)
	onDevice, err := xlashape.Relayout(natural, plain, want, nil)
	if err != nil {
		return err
	}
	got, err := raw(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, onDevice) {
		return fmt.Errorf("%s: %s", want, difference("bytes on the device", got, onDevice))
	}
	if len(got) > 2 { // a part of them
		part := make([]byte, len(got)/2)
		if err := b.RawToHost(part, 1); err != nil {
			return err
		}
		if !bytes.Equal(part, onDevice[1:1+len(part)]) {
			return fmt.Errorf("%s: %s", want, difference("bytes from 1 on", part, onDevice[1:]))
		}
	}
	back := make([]byte, len(plain))
	if err := b.ToHost(back, nil); err != nil {
		return err
	}
	if !bytes.Equal(back, plain) {
		return fmt.Errorf("%s: %s", want, difference("the array read back", back, plain))
	}
	return checkHostLayouts(b, want, natural, plain)
}

// checkHostLayouts reads an array in other orders and with strides.
func checkHostLayouts(b *Buffer, want, natural xlashape.Shape, plain []byte) error {
	rank, size := want.Rank(), int64(want.ElementType.StorageBits()/8)
	if rank == 0 {
		return nil
	}
	devices := &xlashape.Layout{MinorToMajor: want.Layout.MinorToMajor}
	for _, try := range []struct {
		as     *HostLayout
		layout *xlashape.Layout
	}{
		{&HostLayout{Layout: &xlashape.Layout{MinorToMajor: rotated(rank)}}, &xlashape.Layout{MinorToMajor: rotated(rank)}},
		{&HostLayout{ByteStrides: compact(want.Dimensions, rotated(rank), size, 0)}, &xlashape.Layout{MinorToMajor: rotated(rank)}},
		{&HostLayout{AsDevice: true}, devices},
	} {
		expected, err := xlashape.Relayout(natural, plain, natural.WithLayout(try.layout), nil)
		if err != nil {
			return err
		}
		needed, err := b.HostSize(try.as)
		if err != nil {
			return err
		}
		if needed != int64(len(expected)) {
			return fmt.Errorf("%s as %+v: needs %d bytes, and not %d", want, try.as, needed, len(expected))
		}
		got := make([]byte, needed)
		if err := b.ToHost(got, try.as); err != nil {
			return err
		}
		if !bytes.Equal(got, expected) {
			return fmt.Errorf("%s as %+v: %s", want, try.as, difference("the array", got, expected))
		}
	}
	return nil
}

func difference(what string, got, want []byte) string {
	if len(got) < len(want) {
		want = want[:len(got)]
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Sprintf("%s: byte %d of %d is %#x, and not %#x", what, i, len(want), got[i], want[i])
		}
	}
	return what + ": of another length"
}
