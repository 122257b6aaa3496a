// SPDX-License-Identifier: Apache-2.0

//go:build xlashape_static

package xlashape

// The archive comes first and has everything, so a shared library beside it, which pkg-config's flags would prefer, is
// not needed.

// #cgo pkg-config: --static xlashape
// #cgo LDFLAGS: -Wl,--as-needed -l:libxlashape.a
import "C"
