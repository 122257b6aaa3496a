package xlashape

// #include "bridge.h"
import "C"

// Layouts and the options of plans cross as xlashape.h has them as lists of fields: for each field its number, how many
// values it has, and these. A field that is not in the list is not set.

func (f *frame) field(number int64, values ...int64) {
	f.put(number, int64(len(values)))
	f.put(values...)
}

// said sends a field of one value unless that is 0.
func (f *frame) said(number, value int64) {
	if value != 0 {
		f.field(number, value)
	}
}

func (f *frame) layout(l *Layout) {
	if l == nil {
		f.refuse(ErrInvalidArgument, "there is no layout: it is nil")
		return
	}
	defer f.end(f.begin())
	f.field(C.XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR, l.MinorToMajor...)
	if len(l.PaddedDimensions) > 0 {
		f.field(C.XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS, l.PaddedDimensions...)
	}
	f.said(C.XLASHAPE_LAYOUT_FIELD_PADDING_VALUE, int64(l.PaddingValue))
	for _, tile := range l.Tiles {
		f.field(C.XLASHAPE_LAYOUT_FIELD_TILE, tile...)
	}
	f.said(C.XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS, l.ElementSizeInBits)
	f.said(C.XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE, l.MemorySpace)
	f.said(C.XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES, l.DynamicShapeMetadataPrefixBytes)
	f.said(C.XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS, l.TailPaddingAlignmentInElements)
	for i := range l.SplitConfigs {
		split := &l.SplitConfigs[i]
		f.put(C.XLASHAPE_LAYOUT_FIELD_SPLIT, int64(1+len(split.SplitIndices)), split.Dimension)
		f.put(split.SplitIndices...)
	}
}

// gotLayout returns nil if there is none. A field of a later library that Layout does not have is an error
// of the frame.
func (f *frame) gotLayout() *Layout {
	fields := f.view()
	if fields == nil {
		return nil
	}
	l := &Layout{}
	for len(fields) > 0 {
		number, values := fields[0], fields[2:2+fields[1]]
		fields = fields[2+len(values):]
		switch number {
		case C.XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR:
			l.MinorToMajor = append([]int64(nil), values...)
		case C.XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS:
			l.PaddedDimensions = append([]int64(nil), values...)
		case C.XLASHAPE_LAYOUT_FIELD_PADDING_VALUE:
			l.PaddingValue = PaddingValue(values[0])
		case C.XLASHAPE_LAYOUT_FIELD_TILE:
			l.Tiles = append(l.Tiles, append(Tile(nil), values...))
		case C.XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS:
			l.ElementSizeInBits = values[0]
		case C.XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE:
			l.MemorySpace = values[0]
		case C.XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES:
			l.DynamicShapeMetadataPrefixBytes = values[0]
		case C.XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS:
			l.TailPaddingAlignmentInElements = values[0]
		case C.XLASHAPE_LAYOUT_FIELD_SPLIT:
			l.SplitConfigs = append(l.SplitConfigs, SplitConfig{values[0], append([]int64(nil), values[1:]...)})
		default:
			f.refuse(ErrIncompatible, "the library (%s) has a field of layouts, %d, that this package does not know", Version(), number)
		}
	}
	return l
}

// plan sends what a plan is made of.
func (f *frame) plan(runtime C.uintptr_t, src, dst *Shape, o *PlanOptions) {
	f.put(int64(runtime))
	f.relayout(src, dst, o)
}

func (f *frame) relayout(src, dst *Shape, o *PlanOptions) {
	f.shape(src)
	f.shape(dst)
	defer f.end(f.begin())
	f.said(C.XLASHAPE_PLAN_FIELD_FLAGS,
		number(o.AllowFallback)*C.XLASHAPE_PLAN_ALLOW_FALLBACK|number(o.ReadSoon)*C.XLASHAPE_PLAN_READ_SOON)
	f.said(C.XLASHAPE_PLAN_FIELD_FILL_POLICY, int64(o.FillPolicy))
	f.said(C.XLASHAPE_PLAN_FIELD_SRC_SPACE, int64(o.SrcSpace))
	f.said(C.XLASHAPE_PLAN_FIELD_DST_SPACE, int64(o.DstSpace))
	f.said(C.XLASHAPE_PLAN_FIELD_DEVICE, int64(o.Device))
	f.said(C.XLASHAPE_PLAN_FIELD_MEASURE_NS, int64(o.Measure))
	if o.Backend != "" {
		f.put(C.XLASHAPE_PLAN_FIELD_BACKEND, int64(len(o.Backend)))
		for _, char := range []byte(o.Backend) {
			f.put(int64(char))
		}
	}
	f.given(C.XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES, o.SrcByteStrides)
	f.given(C.XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES, o.DstByteStrides)
	f.given(C.XLASHAPE_PLAN_FIELD_SRC_BASE, o.SrcBase)
	f.given(C.XLASHAPE_PLAN_FIELD_DST_BASE, o.DstBase)
	f.given(C.XLASHAPE_PLAN_FIELD_EXTENT, o.Extent)
	f.offset("Src", o.SrcByteStrides, o.SrcByteOffset)
	f.offset("Dst", o.DstByteStrides, o.DstByteOffset)
}

// given sends a list unless it is nil.
func (f *frame) given(field int64, list []int64) {
	if list != nil {
		f.field(field, list...)
	}
}

// offset refuses offsets that no slice of that side could satisfy; others are checked when the slices are known.
func (f *frame) offset(side string, strides []int64, offset int64) {
	switch {
	case offset < 0:
		f.refuse(ErrInvalidArgument, "%sByteOffset is %d, it must not be negative", side, offset)
	case offset > 0 && strides == nil:
		f.refuse(ErrInvalidArgument, "%sByteOffset is %d without %sByteStrides: only a side given by strides has an offset",
			side, offset, side)
	}
}
