package xlashape_test

import (
	"errors"
	"fmt"
	"testing"

	"xlashape"
)

// Errors read as Go's do: lower case, the package's name once, and where in a text it went wrong.
func TestTextsOfErrors(t *testing.T) {
	_, err := xlashape.ParseShape("f32[2,x]")
	var record *xlashape.Error
	if !errors.As(err, &record) {
		t.Fatal(err)
	}
	want := "xlashape: parse: " + record.Message + " (at byte 6)"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if got := fmt.Sprintf("x.txt: %v: %v", record.Code, err); got != "x.txt: parse: "+want {
		t.Error(got)
	}
	for code, want := range map[xlashape.Code]string{
		xlashape.ErrOutOfRange: "out of range", xlashape.ErrInvalidArgument: "invalid argument", xlashape.ErrOverflow: "overflow",
		xlashape.ErrUnsupported: "unsupported", xlashape.ErrNotFound: "not found", xlashape.ErrIncompatible: "incompatible",
		xlashape.ErrNoMemory: "no memory", xlashape.ErrDevice: "device", xlashape.ErrBusy: "busy",
		xlashape.ErrCancelled: "cancelled", xlashape.ErrInternal: "internal", 99: "unknown",
	} {
		if code.String() != want || code.Error() != want {
			t.Errorf("%d is %q and %q, want %q", int(code), code, code.Error(), want)
		}
	}
	// The library speaks to C, Go and others alike.
	f32 := xlashape.ArrayShape(xlashape.F32, 2, 3)
	_, err = f32.WithLayout(xlashape.ColumnMajor(2)).MLIR(0)
	wants(t, err, xlashape.ErrUnsupported, "print the shape without it")
	_, err = xlashape.NewPlan(f32, f32, &xlashape.PlanOptions{Backend: "nobody"})
	wants(t, err, xlashape.ErrNotFound, "see the runtime's report")
	_, err = f32.Layout.Format(xlashape.PrintWithoutLayout)
	wants(t, err, xlashape.ErrInvalidArgument, "only shapes can be printed")
	inner := &xlashape.Error{Code: xlashape.ErrBusy, Offset: -1, Message: "later"}
	outer := &xlashape.Error{Code: xlashape.ErrCancelled, Offset: -1, Message: "gave up", Cause: inner}
	if outer.Error() != "xlashape: cancelled: gave up: busy: later" {
		t.Error(outer)
	}
}
