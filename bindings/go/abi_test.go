package xlashape

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The binding has no generated declarations: cgo reads the headers. What it takes from them is written by hand, though, and
// is compared here with the ABI file: each constant of ours has the right value, and no constant and no function of the library
// is forgotten.

// The constants that Go has under names of its own.
var ours = map[string]int64{
	"STATUS_OK": 0, "STATUS_INVALID_ARGUMENT": int64(ErrInvalidArgument), "STATUS_OUT_OF_RANGE": int64(ErrOutOfRange),
	"STATUS_OVERFLOW": int64(ErrOverflow), "STATUS_PARSE": int64(ErrParse), "STATUS_UNSUPPORTED": int64(ErrUnsupported),
	"STATUS_NOT_FOUND": int64(ErrNotFound), "STATUS_INCOMPATIBLE": int64(ErrIncompatible), "STATUS_NO_MEMORY": int64(ErrNoMemory),
	"STATUS_DEVICE": int64(ErrDevice), "STATUS_BUSY": int64(ErrBusy), "STATUS_CANCELLED": int64(ErrCancelled),
	"STATUS_INTERNAL": int64(ErrInternal),

	"TYPE_PRED": int64(Pred), "TYPE_S1": int64(S1), "TYPE_S2": int64(S2), "TYPE_S4": int64(S4), "TYPE_S8": int64(S8),
	"TYPE_S16": int64(S16), "TYPE_S32": int64(S32), "TYPE_S64": int64(S64), "TYPE_U1": int64(U1), "TYPE_U2": int64(U2),
	"TYPE_U4": int64(U4), "TYPE_U8": int64(U8), "TYPE_U16": int64(U16), "TYPE_U32": int64(U32), "TYPE_U64": int64(U64),
	"TYPE_F16": int64(F16), "TYPE_BF16": int64(BF16), "TYPE_F32": int64(F32), "TYPE_F64": int64(F64), "TYPE_C64": int64(C64),
	"TYPE_C128": int64(C128), "TYPE_TUPLE": int64(Tuple), "TYPE_OPAQUE": int64(Opaque), "TYPE_TOKEN": int64(Token),
	"TYPE_BUFFER": int64(Buffer), "TYPE_F8E5M2": int64(F8E5M2), "TYPE_F8E4M3FN": int64(F8E4M3FN),
	"TYPE_F8E4M3B11FNUZ": int64(F8E4M3B11FNUZ), "TYPE_F8E5M2FNUZ": int64(F8E5M2FNUZ), "TYPE_F8E4M3FNUZ": int64(F8E4M3FNUZ),
	"TYPE_F8E4M3": int64(F8E4M3), "TYPE_F8E3M4": int64(F8E3M4), "TYPE_F4E2M1FN": int64(F4E2M1FN), "TYPE_F8E8M0FNU": int64(F8E8M0FNU),
	"TYPE_F6E3M2FN": int64(F6E3M2FN), "TYPE_F6E2M3FN": int64(F6E2M3FN), "TYPE_INVALID": int64(ElementType(0)),

	"CLASS_ARRAY": int64(ClassArray), "CLASS_FLOAT": int64(ClassFloat), "CLASS_INTEGRAL": int64(ClassIntegral),
	"CLASS_SIGNED": int64(ClassSigned), "CLASS_UNSIGNED": int64(ClassUnsigned), "CLASS_COMPLEX": int64(ClassComplex),
	"CLASS_SUB_BYTE": int64(ClassSubByte), "CLASS_F8": int64(ClassF8), "CLASS_F6": int64(ClassF6), "CLASS_MX": int64(ClassMX),

	"PAD_INVALID": int64(PadInvalid), "PAD_ZERO": int64(PadZero), "PAD_ONE": int64(PadOne), "PAD_LOWEST": int64(PadLowest),
	"PAD_HIGHEST": int64(PadHighest), "PAD_UNKNOWN": int64(PadUnknown),

	"COMBINE_DIMENSION": CombineDimension, "MATCH_DIMENSION": MatchDimension, "DIMENSION_UNBOUNDED": Unbounded, "MAX_DEPTH": int64(maxDepth),
	"SHAPE_KEEP_MISSING_LAYOUT": int64(KeepMissingLayout), "PRINT_WITHOUT_LAYOUT": int64(PrintWithoutLayout),
	"PRINT_STRICT": int64(PrintStrict),

	"EQUAL_IGNORE_LAYOUT": int64(IgnoreLayout), "EQUAL_IGNORE_TILES": int64(IgnoreTiles),
	"EQUAL_IGNORE_ELEMENT_SIZE": int64(IgnoreElementSize), "EQUAL_IGNORE_MEMORY_SPACE": int64(IgnoreMemorySpace),
	"EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT": int64(IgnoreTailPaddingAlignment),
	"EQUAL_IGNORE_SPLIT_CONFIGS":          int64(IgnoreSplitConfigs), "EQUAL_IGNORE_PADDING": int64(IgnorePadding),
	"EQUAL_MINOR_TO_MAJOR_ONLY": int64(MinorToMajorOnly), "EQUAL_IGNORE_ELEMENT_TYPE": int64(IgnoreElementType),
	"EQUAL_IGNORE_FP_PRECISION": int64(IgnoreFPPrecision), "EQUAL_IGNORE_DYNAMIC_DIMENSION": int64(IgnoreDynamicDimension),
	"EQUAL_IGNORE_DIMENSIONS": int64(IgnoreDimensions), "EQUAL_IGNORE_BUFFER": int64(IgnoreBuffer),
	"EQUAL_METADATA_PREFIX": int64(MetadataPrefix),

	"PART_LAYOUT": int64(PartLayout), "PART_TILES": int64(PartTiles), "PART_ELEMENT_SIZE": int64(PartElementSize),
	"PART_MEMORY_SPACE": int64(PartMemorySpace), "PART_TAIL_PADDING_ALIGNMENT": int64(PartTailPaddingAlignment),
	"PART_SPLIT_CONFIGS": int64(PartSplitConfigs), "PART_PADDING": int64(PartPadding),
	"PART_METADATA_PREFIX": int64(PartMetadataPrefix), "PART_OF_DEVICE": int64(PartOfDevice),

	"LAYOUT_SPACE_DEFAULT": LayoutSpaceDefault, "LAYOUT_SPACE_GENERIC_FAST": LayoutSpaceGenericFast,
	"LAYOUT_SPACE_HOST": LayoutSpaceHost, "LAYOUT_SPACE_UNPINNED_HOST": LayoutSpaceUnpinnedHost,
	"LAYOUT_SPACE_COLLECTIVE": LayoutSpaceCollective,
	"BITCAST_KIND_RESHAPE":    int64(BitcastReshape), "BITCAST_KIND_TRANSPOSE": int64(BitcastTranspose),
	"BITCAST_KIND_TRT": int64(BitcastTRT),

	"BITCAST_XLA": int64(BitcastXLA), "BITCAST_IGNORE_ELEMENT_TYPE": int64(BitcastIgnoreElementType),
	"UNIT_ELEMENTS": int64(UnitElements), "UNIT_BYTES": int64(UnitBytes), "UNIT_BITS": int64(UnitBits),
	"FILL_PADDING": int64(FillPadding), "FILL_PRESERVE": int64(FillPreserve), "FILL_UNSPECIFIED": int64(FillUnspecified),
	"SPACE_CPU": int64(SpaceCPU), "SPACE_CUDA": int64(SpaceCUDA), "SPACE_CUDA_HOST": int64(SpaceCUDAHost),
	"SPACE_OPENCL": int64(SpaceOpenCL), "SPACE_CUDA_MANAGED": int64(SpaceCUDAManaged),
	"BACKEND_STATE_ABSENT": int64(BackendNotLoaded), "BACKEND_STATE_LOADING": int64(BackendLoading),
	"BACKEND_STATE_READY": int64(BackendReady), "BACKEND_STATE_FAILED": int64(BackendFailed),
	"CONVERSION_TO_LINEAR": int64(ToLinear), "CONVERSION_TO_MULTIDIMENSIONAL": int64(ToMultidimensional),
	"QUEUE_NONE": int64(QueueNone), "QUEUE_CUDA": int64(QueueCUDA), "QUEUE_OPENCL": int64(QueueOpenCL),
	"TARGET_CPU": int64(TargetCPU), "TARGET_GPU": int64(TargetGPU), "TARGET_TPU_V2": int64(TargetTPUv2),
	"TARGET_TPU_V3": int64(TargetTPUv3), "TARGET_TPU_V4": int64(TargetTPUv4), "TARGET_TPU_V5E": int64(TargetTPUv5e),
	"TARGET_TPU_V5P": int64(TargetTPUv5p), "TARGET_TPU_V6E": int64(TargetTPUv6e), "TARGET_TPU_V7X": int64(TargetTPUv7x),
	"DRAW_TEXT": int64(DrawText), "DRAW_SVG": int64(DrawSVG), "DRAW_HTML": int64(DrawHTML),
	"DRAW_POSITION": int64(DrawPosition), "DRAW_INDEX": int64(DrawIndex), "DRAW_BYTE": int64(DrawByte),
	"DRAW_TILE": int64(DrawTile), "DRAW_LANE": int64(DrawLane), "DRAW_NOTHING": int64(DrawNothing),
	"DRAW_BY_POSITION": int64(DrawByPosition), "DRAW_BY_TILE": int64(DrawByTile), "DRAW_BY_DIMENSION": int64(DrawByDimension),
	"LOG_ERROR": int64(LogError), "LOG_WARNING": int64(LogWarning), "LOG_INFO": int64(LogInfo), "LOG_DEBUG": int64(LogDebug),
}

// What Go does without, for a reason: functions and constants, one by one.
var without = map[string]string{
	"the fields of a structure, or Go on them": `
		xlashape_layout_create xlashape_layout_get_spec xlashape_layout_create_row_major xlashape_layout_create_column_major
		xlashape_layout_rank xlashape_layout_minor_to_major xlashape_layout_padded_dimensions xlashape_layout_padding_value
		xlashape_layout_tile_count xlashape_layout_tile xlashape_layout_element_size_in_bits
		xlashape_layout_tail_padding_alignment_in_elements xlashape_layout_memory_space
		xlashape_layout_dynamic_shape_metadata_prefix_bytes xlashape_layout_split_count xlashape_layout_split
		xlashape_layout_print_tile xlashape_layout_print_split xlashape_layout_is_dim0_major xlashape_layout_is_dim0_minor
		xlashape_layout_are_dimensions_consecutive xlashape_shape_with_layout xlashape_shape_copy_layouts
		xlashape_shape_has_all_layouts xlashape_shape_has_parts xlashape_shape_with_dimension
		xlashape_shape_with_dynamic_dimensions xlashape_shape_is_bounded_dynamic xlashape_shape_fits_bounds
		xlashape_shape_index_in_bounds xlashape_shape_is_effectively_most_major xlashape_byte_strides_are_row_major
		xlashape_dimension_letter xlashape_dimension_from_letter xlashape_common_factors
		XLASHAPE_CATEGORY_TOKEN XLASHAPE_CATEGORY_OPAQUE`,
	"TupleShapes is a slice": `
		xlashape_shape_has_element_type xlashape_shape_leaves_have_classes xlashape_shape_subshape_count
		xlashape_shape_next_subshape xlashape_shape_is_prefix xlashape_shape_slice_tuple xlashape_shape_append_to_tuple
		xlashape_shape_replace_subshape XLASHAPE_VISIT_LEAVES XLASHAPE_VISIT_POST_ORDER XLASHAPE_VISIT_MISSING_LAYOUTS
		XLASHAPE_EQUAL_STRUCTURE_ONLY`,
	"another function of the library does it": `
		xlashape_element_type_complex_component xlashape_element_type_complex xlashape_element_type_integral
		xlashape_shape_is_reshape_or_transpose_bitcast xlashape_plan_create xlashape_plan_execute xlashape_relayout
		XLASHAPE_VERSION_MAJOR XLASHAPE_VERSION_MINOR XLASHAPE_VERSION_PATCH`,
	"one reference each": `
		xlashape_layout_retain xlashape_index_map_retain xlashape_runtime_retain xlashape_plan_retain`,
	"no signatures of programs in Go": `
		xlashape_program_shape_create xlashape_program_shape_retain xlashape_program_shape_release
		xlashape_program_shape_parameter_count xlashape_program_shape_parameter xlashape_program_shape_parameter_name
		xlashape_program_shape_result xlashape_program_shape_print xlashape_program_shape_has_all_layouts
		xlashape_program_shape_with_default_layouts xlashape_program_shape_without_parts xlashape_program_shape_equal
		xlashape_program_shape_to_proto xlashape_program_shape_from_proto xlashape_path_to_proto xlashape_path_from_proto`,
	"structs of C that a Go program does not have": `
		xlashape_shape_to_pjrt XLASHAPE_PJRT_STRIDES XLASHAPE_PJRT_DROP
		xlashape_shape_from_dlpack xlashape_shape_to_dlpack XLASHAPE_DLPACK_SUB_BYTE_PADDED`,
	"measured plans get memory of the library": "XLASHAPE_PLAN_FIELD_MEASURE_SRC XLASHAPE_PLAN_FIELD_MEASURE_DST",
	"no backends written in Go":                "xlashape_runtime_add_backend",
	"no memory of devices in Go": `
		xlashape_memory_alloc xlashape_memory_free xlashape_memory_copy xlashape_memory_fill xlashape_queue_sync
		xlashape_queue_wait xlashape_queue_signal`,
	"what it gives is not promised": "xlashape_get_extension",
}

type abiFile struct {
	Constants []struct {
		Name, Header string
		Value        json.Number
	}
	Functions []struct{ Name string }
}

func readABI(t *testing.T) (abi abiFile) {
	t.Helper()
	text, err := os.ReadFile("../../tests/abi/xlashape.abi.json")
	if err == nil {
		err = json.Unmarshal(text, &abi)
	}
	if err != nil {
		t.Fatal(err)
	}
	return abi
}

// used are the library's names in the binding's C and Go, tests and comments left out.
func used(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.[cgh]*")
	if err != nil {
		t.Fatal(err)
	}
	comment, name := regexp.MustCompile(`//.*`), regexp.MustCompile(`\b(xlashape|XLASHAPE)_\w+`)
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range name.FindAllString(comment.ReplaceAllString(string(text), ""), -1) {
			names[found] = true
		}
	}
	return names
}

func TestConstantsAreThoseOfTheABIFile(t *testing.T) {
	seen := 0
	for _, c := range readABI(t).Constants {
		if got, ok := ours[strings.TrimPrefix(c.Name, "XLASHAPE_")]; ok {
			seen++
			if want, err := c.Value.Int64(); got != want || err != nil {
				t.Errorf("%s is %s in the ABI file, %d here", c.Name, c.Value, got)
			}
		}
	}
	if seen != len(ours) {
		t.Errorf("the ABI file has %d of the %d constants of this test", seen, len(ours))
	}
}

func TestNothingOfTheLibraryIsForgotten(t *testing.T) {
	places := used(t)
	for name := range ours {
		places["XLASHAPE_"+name] = true
	}
	reasons := map[string]string{}
	for reason, names := range without {
		for _, name := range strings.Fields(names) {
			reasons[name] = reason
		}
	}
	check := func(name string) {
		reason, isWithout := reasons[name]
		delete(reasons, name)
		if !places[name] && !isWithout {
			t.Errorf("%s is neither used by the binding, `ours` included, nor among what Go does `without`", name)
		}
		if places[name] && isWithout {
			t.Errorf("%s is used, and among what Go does without: %s", name, reason)
		}
	}
	abi := readABI(t)
	for _, f := range abi.Functions {
		check(f.Name)
	}
	for _, c := range abi.Constants {
		if c.Header != "xlashape_backend.h" {
			check(c.Name)
		}
	}
	for name := range reasons {
		t.Errorf("the ABI file has no %s, which Go does without", name)
	}
}

func TestVersionsThatFit(t *testing.T) {
	for _, versions := range []struct {
		header, library uint32
		want            bool
	}{
		{1, 1, true}, {1, 2, false}, {2, 1, false}, {1, 1 << 16, false}, {1 << 16, 1, false},
		{1 << 16, 1 << 16, true}, {1 << 16, 1<<16 | 3, true}, {1<<16 | 3, 1 << 16, false}, {1 << 16, 2 << 16, false},
	} {
		if fits(versions.header, versions.library) != versions.want {
			t.Errorf("built for %x, found %x: should be %v", versions.header, versions.library, versions.want)
		}
	}
}

func TestTargetsAgreeWithTheirNames(t *testing.T) {
	targets := 0
	for name, number := range ours {
		if strings.HasPrefix(name, "TARGET_") {
			targets++
			target := Target(number)
			if name != strings.ToUpper(strings.ReplaceAll("target_"+target.String(), ":", "_")) {
				t.Errorf("%s is called %s", name, target)
			}
			if back, err := ParseTarget(target.String()); err != nil || back != target {
				t.Errorf("%s reads back as %v, %v", target, back, err)
			}
		}
	}
	for i := Target(-1); i < 100; i++ {
		if i.name() != "" {
			targets--
		}
	}
	if targets != 0 {
		t.Errorf("target.go has %d targets more than the library", targets)
	}
}

func TestElementTypesAgreeWithTheirNames(t *testing.T) {
	for name, number := range ours {
		elementType := ElementType(number)
		if strings.HasPrefix(name, "TYPE_") && elementType.Is(ClassArray) {
			if name != "TYPE_"+strings.ToUpper(elementType.String()) {
				t.Errorf("%s is called %s", name, elementType)
			}
			if back, err := ParseElementType(elementType.String()); err != nil || back != elementType {
				t.Errorf("%s reads back as %v, %v", elementType, back, err)
			}
		}
	}
	arrays := 0
	for i := ElementType(0); i < 64; i++ {
		if i.Is(ClassArray) {
			arrays++
			if number, ok := ours["TYPE_"+strings.ToUpper(i.String())]; !ok || number != int64(i) {
				t.Errorf("element type %d, %s, is %d in `ours`, where element_type.go's constants stand", i, i, number)
			}
		}
	}
	if arrays < 32 {
		t.Errorf("only %d array types", arrays)
	}
}
