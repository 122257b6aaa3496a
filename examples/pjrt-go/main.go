// The program puts arrays on the devices of a PJRT plugin and shows where their elements are: pjrtgo [PLUGIN], or with the
// plugin in $PJRT_PLUGIN. Its devices must include one with tiles and one without.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"strings"

	"pjrtgo/pjrt"
	"xlashape"
)

func main() {
	log.SetFlags(0)
	path := ""
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := run(path); err != nil {
		log.Fatal(err)
	}
}

func run(path string) error {
	plugin, err := pjrt.Load(path)
	if err != nil {
		return err
	}
	client, err := plugin.NewClient(pjrt.Options{"devices": "tpu:v5e,cpu"})
	if err != nil {
		return err
	}
	defer client.Close()
	devices, err := client.AddressableDevices()
	if err != nil {
		return err
	}
	platform, err := client.PlatformName()
	if err != nil {
		return err
	}
	fmt.Printf("platform %s, PJRT %s\n", platform, plugin.Version())
	for _, device := range devices {
		fmt.Println("  device", device)
	}
	tiled, plain := devices[0], devices[1]
	if err := matrix(tiled, plain); err != nil {
		return err
	}
	if err := halves(tiled, plain); err != nil {
		return err
	}
	if err := memory(tiled); err != nil {
		return err
	}
	return compile(client)
}

// matrix is a part of a larger float32 array: every second column, and the rows from the last to the first.
func matrix(tiled, plain *pjrt.Device) error {
	const rows, columns, width = 20, 300, 640
	values := make([]float32, rows*width)
	for i := range values {
		values[i] = float32(i)
	}
	array := pjrt.HostArray{
		Type:        xlashape.F32,
		Dimensions:  []int64{rows, columns},
		Data:        pjrt.Bytes(values),
		ByteStrides: []int64{-4 * width, 8},
		Offset:      4 * width * (rows - 1),
	}
	want := make([]float32, 0, rows*columns)
	for y := 0; y < rows; y++ {
		for x := 0; x < columns; x++ {
			want = append(want, values[(rows-1-y)*width+2*x])
		}
	}
	return move("a float32 matrix with strides", array, pjrt.Bytes(want), []int64{9, 130}, tiled, plain)
}

// halves is an array of bfloat16, which has no type in Go: its bits are the upper ones of a float32.
func halves(tiled, plain *pjrt.Device) error {
	values := make([]uint16, 3*50*70)
	for i := range values {
		values[i] = uint16(math.Float32bits(float32(i%256)/2) >> 16)
	}
	array := pjrt.HostArray{Type: xlashape.BF16, Dimensions: []int64{3, 50, 70}, Data: pjrt.Bytes(values)}
	return move("a bf16 array", array, array.Data, []int64{1, 17, 33}, tiled, plain)
}

// move puts an array on the tiled device, looks for one element there, and copies the array to the other device and back.
func move(what string, array pjrt.HostArray, want []byte, index []int64, tiled, plain *pjrt.Device) error {
	buffer, err := tiled.FromHost(array, nil)
	if err != nil {
		return err
	}
	defer buffer.Close()
	shape, err := buffer.Shape()
	if err != nil {
		return err
	}
	size, err := buffer.DeviceSize()
	if err != nil {
		return err
	}
	fmt.Printf("%s\n  on the tiled device   %s, %d bytes, %d of them data\n", what, shape, size, len(want))
	if err := find(buffer, shape, size, want, index); err != nil {
		return err
	}

	moved, err := buffer.CopyToDevice(plain)
	if err != nil {
		return err
	}
	defer moved.Close()
	if shape, err = moved.Shape(); err != nil {
		return err
	}
	if size, err = moved.DeviceSize(); err != nil {
		return err
	}
	fmt.Printf("  on the other device   %s, %d bytes\n", shape, size)
	back := make([]byte, len(want))
	if err := moved.ToHost(back, nil); err != nil {
		return err
	}
	if !bytes.Equal(back, want) {
		return fmt.Errorf("%s: another array came back", what)
	}
	fmt.Println("  back on the host      the same elements")
	return nil
}

// find compares an element on the device, at the place that the index map says, with the one on the host.
func find(buffer *pjrt.Buffer, shape xlashape.Shape, size int64, want []byte, index []int64) error {
	indexMap, err := xlashape.NewIndexMap(shape)
	if err != nil {
		return err
	}
	defer indexMap.Close()
	position, err := indexMap.LinearIndex(index...)
	if err != nil {
		return err
	}
	rowMajor, err := xlashape.NewIndexMap(xlashape.ArrayShape(shape.ElementType, shape.Dimensions...))
	if err != nil {
		return err
	}
	defer rowMajor.Close()
	number, err := rowMajor.LinearIndex(index...)
	if err != nil {
		return err
	}
	width := int64(shape.ElementType.StorageBits() / 8)
	raw := make([]byte, size)
	if err := buffer.RawToHost(raw, 0); err != nil {
		return err
	}
	there, here := raw[position*width:][:width], want[number*width:][:width]
	name := "element " + strings.ReplaceAll(fmt.Sprint(index), " ", ",")
	fmt.Printf("  %-21s at position %d, byte %d: % x\n", name, position, position*width, there)
	if !bytes.Equal(there, here) {
		return fmt.Errorf("%s is % x on the host", name, here)
	}
	return nil
}

func memory(device *pjrt.Device) error {
	stats, err := device.MemoryStats()
	if err != nil {
		return err
	}
	fmt.Printf("memory of the tiled device: %d bytes in use, at most %d\n", stats.BytesInUse, stats.PeakBytesInUse)
	return nil
}

// A StableHLO program as frameworks hand it to plugins, a portable artifact: it multiplies two arrays.
//
//go:embed attention.mlirbc
var attention []byte

// compile asks for what this plugin does not do.
func compile(client *pjrt.Client) error {
	err := client.Compile("mlir", attention)
	if !errors.Is(err, pjrt.Unimplemented) {
		return fmt.Errorf("a program was not refused: %v", err)
	}
	fmt.Println("a program:", err)
	return nil
}
