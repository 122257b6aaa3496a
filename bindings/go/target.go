// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import "strconv"

// Target is a machine that XLA compiles for. The layouts are those of the arrays that a program takes or returns; for
// TPUs they agree with libtpu, which is not needed. Compiler flags, and layouts that a program asks for, are not
// covered.
//
// It is the place in the list of the library in use, found with ParseTarget or Targets: what is stored is the name, as
// MarshalText does.
type Target int32

// Targets returns all targets.
func Targets() []Target {
	all := make([]Target, int(C.xlashape_target_count()))
	for i := range all {
		all[i] = Target(i)
	}
	return all
}

// ParseTarget returns the target with this name, or as others call it: "v5e", "v5e:2x2", "TPU v5 lite", "cuda".
// ErrNotFound for other names, with those that exist.
func ParseTarget(name string) (Target, error) {
	c := begin()
	defer c.end()
	at, size := c.text(name)
	target := (*C.xlashape_target)(c.room(4))
	if err := c.failed(C.xlashape_target_from_name(at, size, target, c.err())); err != nil {
		return 0, err
	}
	return Target(*target), nil
}

func (t Target) name() string { return C.GoString(C.xlashape_target_name(C.xlashape_target(t))) }

// String is the target's name, such as "tpu:v5e".
func (t Target) String() string {
	if name := t.name(); name != "" {
		return name
	}
	return "Target(" + strconv.Itoa(int(t)) + ")"
}

// MarshalText returns the name; a number without a target is ErrOutOfRange.
func (t Target) MarshalText() ([]byte, error) {
	if name := t.name(); name != "" {
		return []byte(name), nil
	}
	return nil, fail(ErrOutOfRange, "%s is no target", t)
}

// UnmarshalText is ParseTarget.
func (t *Target) UnmarshalText(text []byte) error {
	if t == nil {
		return fail(ErrInvalidArgument, "there is no target: it is nil")
	}
	parsed, err := ParseTarget(string(text))
	if err == nil {
		*t = parsed
	}
	return err
}

// TargetProperties is what is known of a target.
type TargetProperties struct {
	Lanes          int // columns of a vector register, which are the most minor side of tiles; 0 where there are no tiles
	Sublanes       int // rows of a vector register: a tile of 32-bit elements has as many, or fewer
	PointerBytes   int // of one entry in the table that stands for a tuple in memory
	TupleAlignment int // bytes to which the size of that table is rounded up
}

// Properties are the sizes of the target's registers and tuples.
func (t Target) Properties() (TargetProperties, error) {
	c := begin()
	defer c.end()
	raw := (*C.xlashape_target_info)(c.room(C.sizeof_xlashape_target_info))
	raw.struct_size = C.sizeof_xlashape_target_info
	if err := c.failed(C.xlashape_target_properties(C.xlashape_target(t), raw, c.err())); err != nil {
		return TargetProperties{}, err
	}
	return TargetProperties{int(raw.lanes), int(raw.sublanes), int(raw.pointer_bytes), int(raw.tuple_alignment)}, nil
}

// TupleBytes are those of the table of pointers that stands for a tuple of that many elements.
func (t Target) TupleBytes(elements int64) (int64, error) {
	c := begin()
	return c.toNumber(C.xlashape_target_tuple_bytes(C.xlashape_target(t), C.int64_t(elements), &c.raw.number, c.err()))
}

// MemorySpaceName is what a layout's memory space S(n) is there: "hbm", "vmem", "smem" or "host". ErrUnsupported where
// that is not known.
func (t Target) MemorySpaceName(space int64) (string, error) {
	c := begin()
	return c.toText(C.xg_target_memory_space_name(c.at, C.xlashape_target(t), C.int64_t(space)))
}

// Layout is the layout that the target's compiler chooses for an array; of a bounded dynamic dimension, its bound
// counts. With minorToMajor that order is kept, and only the tiles are chosen; nil: the compiler's order.
// ErrUnsupported for types that the target lacks and for unbounded dimensions, ErrOverflow where the array in its
// layout takes more bytes than fit an int64.
func (t Target) Layout(elementType ElementType, dimensions, minorToMajor []int64) (*Layout, error) {
	if minorToMajor != nil && len(minorToMajor) != len(dimensions) {
		return nil, fail(ErrInvalidArgument, "there are %d dimensions, the order has %d", len(dimensions),
			len(minorToMajor))
	}
	c := begin()
	return c.toLayout(C.xg_target_layout(c.at, C.int32_t(t), C.int32_t(elementType), c.list(dimensions),
		c.list(minorToMajor),
		C.int64_t(len(dimensions))))
}

// ForTarget is the same shape with the layout that the target's compiler chooses for every array inside. Tokens and
// opaques in tuples stay; alone they are ErrUnsupported. If an array of a tuple fails, Error.Index is its number among
// the arrays inside. See Target.Layout for other errors.
func (s Shape) ForTarget(target Target) (Shape, error) { return s.forTarget(target, 0) }

// ForTargetKeepOrder is ForTarget, but arrays that have a layout keep its order, and only their tiles are chosen.
func (s Shape) ForTargetKeepOrder(target Target) (Shape, error) {
	return s.forTarget(target, C.XLASHAPE_TARGET_KEEP_ORDER)
}

func (s Shape) forTarget(target Target, flags C.uint32_t) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_for_target(c.at, C.xlashape_target(target), flags))
}
