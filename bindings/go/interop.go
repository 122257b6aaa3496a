// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

// Messages of other projects. Their texts: words.go.

// Proto gives the bytes of the ShapeProto, as XLA serialises it.
func (s Shape) Proto() ([]byte, error) {
	c := begin(&s)
	return c.toBytes(C.xg_shape_to_proto(c.at))
}

// ShapeFromProto reads the bytes of a ShapeProto.
func ShapeFromProto(bytes []byte, flags ParseFlags) (Shape, error) {
	c := begin()
	at, size := c.text(string(bytes))
	return c.toShape(C.xg_shape_from_proto(c.at, at, size, C.uint32_t(flags)))
}
