//go:build !cgo

package xlashape

// Where cgo is off, which it also is by default when building for another system, this file is all there is: what the
// compiler then says is the name below.
var _ = this_package_calls_a_C_library__build_it_with_CGO_ENABLED_1_and_a_C_compiler
