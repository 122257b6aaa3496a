// SPDX-License-Identifier: Apache-2.0

// Package xlashape is XLA's shapes and layouts without XLA: it reads and writes XLA's text, converts between
// multidimensional and linear indices exactly for every layout (tiles of any number of levels, padding, elements
// smaller than a byte), and moves arrays from any layout to any other.
//
//	text -> Shape, Layout -> IndexMap -> Plan -> memory
//
// Shape and Layout are plain Go values: compose them by hand or parse them, copy them, drop them. IndexMap, IndexPlan,
// Plan and Runtime hold memory of the C library: call Close when done with them. Close may be called any number of
// times, and a finalizer calls it for objects that were not closed. A copy refers to the same object. Calls that can
// fail return ErrClosed on a closed object.
//
// Everything may be used by any number of goroutines at once, also while another one closes it. Copies of values with
// slices inside (Shape, Layout) share these slices: do not write to one that others read.
//
// Errors are *Error, with the library's message, and match the codes with errors.Is:
//
//	if errors.Is(err, xlashape.ErrParse) { ... }
//
// Every function and method makes one transition to C, Runtime.Backends a few; prefer the batch
// calls (IndexMap.LinearIndices, IndexMap.MultidimensionalIndices) for many indices. C uses slices only during the
// call.
//
// The package needs cgo, and the library installed, found by pkg-config under the name xlashape. With the build tag
// xlashape_static the static library is linked in, instead of the shared one.
package xlashape

// #include "calls.h"
import "C"

import "fmt"

// Version is the version of the library in use, such as "0.1.0".
func Version() string { return C.GoString(C.xlashape_version()) }

// XLAVersion is the XLA whose rules the library in use matches, as a date: yyyymmdd.
func XLAVersion() int { return int(C.xlashape_xla_version()) }

// BuildInfo is what the library in use was built with, for reports of problems.
func BuildInfo() string { return C.GoString(C.xlashape_build_info()) }

// ABIVersion is the version of the library's C interface: major and minor.
func ABIVersion() (major, minor int) {
	v := uint32(C.xlashape_abi_version())
	return int(v >> 16), int(v & 0xffff)
}

// The binding is compiled against one header and runs with the library that is found.
func init() {
	if library := uint32(C.xlashape_abi_version()); !fits(C.XLASHAPE_ABI_VERSION, library) {
		panic(fmt.Sprintf("xlashape: built for version %d.%d of the library's C interface, the library found (%s) has %d.%d",
			C.XLASHAPE_ABI_VERSION>>16, C.XLASHAPE_ABI_VERSION&0xffff, Version(), library>>16, library&0xffff))
	}
}

// fits reports whether a program built for one version of the C interface runs with a library of another: the major is
// the same, and the library's minor not smaller. While the major is 0 the minors are the same, too.
func fits(header, library uint32) bool {
	return header == library || (header>>16 == library>>16 && header>>16 > 0 && header < library)
}
