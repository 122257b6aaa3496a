package pjrt

// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Code is a PJRT_Error_Code. The codes are errors themselves, for errors.Is.
type Code int

// PJRT's codes.
const (
	Cancelled          Code = C.PJRT_Error_Code_CANCELLED
	Unknown            Code = C.PJRT_Error_Code_UNKNOWN
	InvalidArgument    Code = C.PJRT_Error_Code_INVALID_ARGUMENT
	DeadlineExceeded   Code = C.PJRT_Error_Code_DEADLINE_EXCEEDED
	NotFound           Code = C.PJRT_Error_Code_NOT_FOUND
	AlreadyExists      Code = C.PJRT_Error_Code_ALREADY_EXISTS
	PermissionDenied   Code = C.PJRT_Error_Code_PERMISSION_DENIED
	ResourceExhausted  Code = C.PJRT_Error_Code_RESOURCE_EXHAUSTED
	FailedPrecondition Code = C.PJRT_Error_Code_FAILED_PRECONDITION
	Aborted            Code = C.PJRT_Error_Code_ABORTED
	OutOfRange         Code = C.PJRT_Error_Code_OUT_OF_RANGE
	Unimplemented      Code = C.PJRT_Error_Code_UNIMPLEMENTED
	Internal           Code = C.PJRT_Error_Code_INTERNAL
	Unavailable        Code = C.PJRT_Error_Code_UNAVAILABLE
	DataLoss           Code = C.PJRT_Error_Code_DATA_LOSS
	Unauthenticated    Code = C.PJRT_Error_Code_UNAUTHENTICATED
)

var codeNames = [...]string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
	"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
	"UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

// String is the code's name, such as "UNIMPLEMENTED".
func (c Code) String() string {
	if c >= 0 && int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("code %d", int(c))
}

// Error makes a code a target for errors.Is.
func (c Code) Error() string { return c.String() }

// Error is what a function of the plugin, or this package in its place, refused.
type Error struct {
	Code    Code
	Call    string // the function of PJRT, such as "PJRT_Client_Compile"
	Message string
}

// Error is the call, the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Call, e.Code, e.Message) }

// Is reports whether target is the error's Code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// ErrClosed is returned by every call on what was closed, or on a nil pointer.
var ErrClosed = errors.New("pjrt: used after Close")

func invalid(call, format string, values ...any) error {
	return &Error{Code: InvalidArgument, Call: call, Message: fmt.Sprintf(format, values...)}
}

// take makes an error of Go from one of the plugin, and destroys that. NULL is none.
func (p *Plugin) take(function C.int, e *C.PJRT_Error) error {
	if e == nil {
		return nil
	}
	defer C.pg_error_destroy(p.api, e)
	var (
		text *C.char
		size C.size_t
		code C.PJRT_Error_Code
	)
	C.pg_error_message(p.api, e, &text, &size)
	if failure := C.pg_error_code(p.api, e, &code); failure != nil {
		C.pg_error_destroy(p.api, failure)
		code = C.PJRT_Error_Code_UNKNOWN
	}
	return &Error{Code: Code(code), Call: C.GoString(C.pg_name(function)), Message: goText(text, size)}
}

// goText copies a text of the plugin, which has no end of its own.
func goText(text *C.char, size C.size_t) string {
	if text == nil || size == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(text)), int(size)))
}
