package xlashape_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"xlashape"
)

// Memory that is not Go's, as that of a device is not.
func outside(t *testing.T, count int) ([]int64, uint64) {
	t.Helper()
	bytes, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(bytes) })
	start := unsafe.Pointer(&bytes[0])
	return unsafe.Slice((*int64)(start), count), uint64(uintptr(start))
}

func TestIndexPlan(t *testing.T) {
	m, err := xlashape.NewIndexMap(xlashape.MustParseShape("u8[3,4]{0,1:T(2,2)}"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan(xlashape.ToMultidimensional, &xlashape.IndexPlanOptions{MarkBad: true, Backend: "scalar", IndexStep: 1, DimensionStep: 3})
	if err != nil {
		t.Fatal(err)
	}
	strict, err := m.Plan(xlashape.ToLinear, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Plan(3, nil)
	wants(t, err, xlashape.ErrInvalidArgument, "conversion is 3")
	_, err = m.Plan(xlashape.ToLinear, &xlashape.IndexPlanOptions{IndexStep: -1})
	wants(t, err, xlashape.ErrInvalidArgument, "index_step is -1")
	_, err = m.Plan(xlashape.ToLinear, &xlashape.IndexPlanOptions{Backend: "nobody"})
	wants(t, err, xlashape.ErrNotFound, "nobody")
	m.Close()

	linear, from := outside(t, 3)
	index, to := outside(t, 6)
	copy(linear, []int64{0, 14, 5})
	bad, err := plan.ExecuteRaw(xlashape.Exec{Src: from, SrcByteSize: 24, Dst: to, DstByteSize: 48}, 3)
	if err != nil || bad != 1 {
		t.Errorf("%d bad, %v", bad, err)
	}
	for i, want := range []int64{0, 2, -1, 0, 3, -1} {
		if index[i] != want {
			t.Errorf("number %d is %d, want %d", i, index[i], want)
		}
	}
	copy(index, []int64{2, 3, 0, 4})
	_, err = strict.ExecuteRaw(xlashape.Exec{Src: to, Dst: from}, 2)
	wants(t, err, xlashape.ErrOutOfRange, "entry 1 is 4")
	var record *xlashape.Error
	if !errors.As(err, &record) || record.Index != 1 || linear[0] != 14 {
		t.Errorf("%+v, position %d", record, linear[0])
	}
	_, err = strict.ExecuteRaw(xlashape.Exec{Src: to, SrcByteSize: 31, Dst: from}, 2)
	wants(t, err, xlashape.ErrOutOfRange, "it has 31")
	_, err = strict.ExecuteRaw(xlashape.Exec{Src: to, Dst: from, QueueKind: xlashape.QueueCUDA}, 2)
	wants(t, err, xlashape.ErrUnsupported, "no queue")
	if text, err := plan.Describe(); err != nil || !strings.Contains(text, "scalar") {
		t.Errorf("%q, %v", text, err)
	}
	plan.Close()
	_, err = plan.ExecuteRaw(xlashape.Exec{Src: from, Dst: to}, 1)
	wants(t, err, xlashape.ErrClosed, "")
	_, err = plan.Describe()
	wants(t, err, xlashape.ErrClosed, "")
	_, err = m.Plan(xlashape.ToLinear, nil)
	wants(t, err, xlashape.ErrClosed, "")
	if strict.Close() != nil {
		t.Error("it does not close")
	}
}
