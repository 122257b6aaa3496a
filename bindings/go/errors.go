// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"strings"
)

// Code says what kind of failure an Error is. The codes are errors themselves, for errors.Is.
type Code int32

// The library's status codes. Later versions of the library may add some.
const (
	// members: STATUS_(?!OK)(\w+) as Err{Name} Code = C.{C}
	ErrInvalidArgument Code = C.XLASHAPE_STATUS_INVALID_ARGUMENT // breaks a rule: of a shape, a layout, a call
	ErrOutOfRange      Code = C.XLASHAPE_STATUS_OUT_OF_RANGE     // an index, a path, a buffer size
	ErrOverflow        Code = C.XLASHAPE_STATUS_OVERFLOW         // a size that does not fit int64
	ErrParse           Code = C.XLASHAPE_STATUS_PARSE            // text or bytes that are no shape
	ErrUnsupported     Code = C.XLASHAPE_STATUS_UNSUPPORTED      // well-formed, has no answer
	ErrNotFound        Code = C.XLASHAPE_STATUS_NOT_FOUND        // a name, a layout, a backend that is not there
	ErrIncompatible    Code = C.XLASHAPE_STATUS_INCOMPATIBLE     // used what the library does not know, or the reverse
	ErrNoMemory        Code = C.XLASHAPE_STATUS_NO_MEMORY        // an allocation failed; nothing changed
	ErrDevice          Code = C.XLASHAPE_STATUS_DEVICE           // from a backend
	ErrBusy            Code = C.XLASHAPE_STATUS_BUSY             // from a backend, or there is a default runtime already
	ErrCancelled       Code = C.XLASHAPE_STATUS_CANCELLED        // an executor gave up, or a context was done
	ErrInternal        Code = C.XLASHAPE_STATUS_INTERNAL         // a bug: please report it
	// end of members
)

// String is the code in words, such as "out of range".
func (c Code) String() string {
	name := C.GoString(C.xlashape_status_name(C.xlashape_status(c)))
	return strings.ToLower(strings.ReplaceAll(name, "_", " "))
}

// Error makes a code a target for errors.Is.
func (c Code) Error() string { return c.String() }

// ErrClosed is returned by every call that can fail on an IndexMap, IndexPlan, Plan or Runtime after Close, whatever
// other errors the call has. Zero values are closed, and so is nil, except that a nil *Runtime is the default one.
var ErrClosed = errors.New("xlashape: used after Close")

// Error is the library's error record.
type Error struct {
	Code    Code
	Index   int64  // the failing element of a batch, or -1
	Offset  int64  // the byte in the parsed text or bytes, or -1
	Source  uint32 // 0 the library itself, else 1 + the ordinal of the backend that reported it
	Message string // one line that names the place and the value
	Cause   error  // what an executor of this program failed with, or why its context is done, or nil
}

// Error returns the code in words and the message, then the offset and the cause if there are any.
func (e *Error) Error() string { return "xlashape: " + e.text() }

func (e *Error) text() string {
	text := e.Code.String() + ": " + e.Message
	if e.Offset >= 0 {
		text += fmt.Sprintf(" (at byte %d)", e.Offset)
	}
	if inner, ok := e.Cause.(*Error); ok {
		return text + ": " + inner.text() // the package's name comes once
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Is reports whether target is the error's Code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Unwrap gives the Cause.
func (e *Error) Unwrap() error { return e.Cause }

// fail is an error of this package itself, in the library's form.
func fail(code Code, format string, values ...any) *Error {
	return &Error{Code: code, Index: -1, Offset: -1, Message: fmt.Sprintf(format, values...)}
}

// take converts a failure of C to a Go error.
func take(f *C.xg_failure) error {
	e := &f.error
	taken := &Error{Code: Code(e.code), Index: int64(e.index), Offset: int64(e.offset), Source: uint32(e.source),
		Message: C.GoString(&e.message[0])}
	if f.cause != 0 {
		cause := cgo.Handle(f.cause)
		taken.Cause = cause.Value().(error)
		cause.Delete()
		f.cause = 0
	}
	return taken
}
