// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package xlashape

// Without cgo, which is also off by default when building for another system, only this file is compiled: the compiler
// then prints the name below.
var _ = this_package_calls_a_C_library__build_it_with_CGO_ENABLED_1_and_a_C_compiler
