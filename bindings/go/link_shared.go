// SPDX-License-Identifier: Apache-2.0

//go:build !xlashape_static

package xlashape

// #cgo pkg-config: xlashape
import "C"
