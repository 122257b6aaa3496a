package xlashape

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The binding has no generated declarations: cgo reads the header. Its constants are written by hand, though, and have to
// be those of the ABI file: each of ours with the right value, and none of the library's left out.

var ours = map[string]int64{
	"OK":               0,
	"INVALID_ARGUMENT": int64(ErrInvalidArgument), "OUT_OF_RANGE": int64(ErrOutOfRange), "OVERFLOW": int64(ErrOverflow),
	"PARSE": int64(ErrParse), "UNSUPPORTED": int64(ErrUnsupported), "NOT_FOUND": int64(ErrNotFound), "VERSION": int64(ErrVersion),
	"NO_MEMORY": int64(ErrNoMemory), "DEVICE": int64(ErrDevice), "BUSY": int64(ErrBusy), "CANCELLED": int64(ErrCancelled),
	"INTERNAL":      int64(ErrInternal),
	"VERSION_MAJOR": int64(headerMajor), "VERSION_MINOR": int64(headerMinor),

	"PRED": int64(Pred), "S1": int64(S1), "S2": int64(S2), "S4": int64(S4), "S8": int64(S8), "S16": int64(S16), "S32": int64(S32),
	"S64": int64(S64), "U1": int64(U1), "U2": int64(U2), "U4": int64(U4), "U8": int64(U8), "U16": int64(U16), "U32": int64(U32),
	"U64": int64(U64), "F16": int64(F16), "BF16": int64(BF16), "F32": int64(F32), "F64": int64(F64), "C64": int64(C64),
	"C128": int64(C128), "TUPLE": int64(Tuple), "OPAQUE_TYPE": int64(Opaque), "TOKEN": int64(Token), "BUFFER": int64(Buffer),
	"F8E5M2": int64(F8E5M2), "F8E4M3FN": int64(F8E4M3FN), "F8E4M3B11FNUZ": int64(F8E4M3B11FNUZ), "F8E5M2FNUZ": int64(F8E5M2FNUZ),
	"F8E4M3FNUZ": int64(F8E4M3FNUZ), "F8E4M3": int64(F8E4M3), "F8E3M4": int64(F8E3M4), "F4E2M1FN": int64(F4E2M1FN),
	"F8E8M0FNU": int64(F8E8M0FNU), "F6E3M2FN": int64(F6E3M2FN), "F6E2M3FN": int64(F6E2M3FN),

	"CLASS_ARRAY": int64(ClassArray), "CLASS_FLOAT": int64(ClassFloat), "CLASS_INTEGRAL": int64(ClassIntegral),
	"CLASS_SIGNED": int64(ClassSigned), "CLASS_UNSIGNED": int64(ClassUnsigned), "CLASS_COMPLEX": int64(ClassComplex),
	"CLASS_SUB_BYTE": int64(ClassSubByte), "CLASS_F8": int64(ClassF8), "CLASS_F6": int64(ClassF6), "CLASS_MX": int64(ClassMX),

	"INVALID_PAD": int64(InvalidPad), "ZERO_PAD": int64(ZeroPad), "ONE_PAD": int64(OnePad), "LOWEST_PAD": int64(LowestPad),
	"HIGHEST_PAD": int64(HighestPad), "UNKNOWN_PAD": int64(UnknownPad),

	"COMBINE_DIMENSION": CombineDimension, "UNBOUNDED": Unbounded, "MAX_DEPTH": int64(maxDepth),
	"KEEP_MISSING_LAYOUT": int64(KeepMissingLayout), "PRINT_WITHOUT_LAYOUT": int64(PrintWithoutLayout),
	"PRINT_STRICT": int64(PrintStrict),

	"IGNORE_LAYOUT": int64(IgnoreLayout), "IGNORE_TILES": int64(IgnoreTiles), "IGNORE_ELEMENT_SIZE": int64(IgnoreElementSize),
	"IGNORE_MEMORY_SPACE": int64(IgnoreMemorySpace), "IGNORE_TAIL_PADDING_ALIGNMENT": int64(IgnoreTailPaddingAlignment),
	"IGNORE_SPLIT_CONFIGS": int64(IgnoreSplitConfigs), "IGNORE_PADDING": int64(IgnorePadding),
	"MINOR_TO_MAJOR_ONLY": int64(MinorToMajorOnly), "IGNORE_ELEMENT_TYPE": int64(IgnoreElementType),
	"IGNORE_FP_PRECISION": int64(IgnoreFPPrecision), "IGNORE_DYNAMIC_DIMENSION": int64(IgnoreDynamicDimension),
	"IGNORE_DIMENSIONS": int64(IgnoreDimensions), "IGNORE_BUFFER": int64(IgnoreBuffer),
	"COMPARE_METADATA_PREFIX": int64(CompareMetadataPrefix), "PART_METADATA_PREFIX": int64(CompareMetadataPrefix),

	"LAYOUT_SPACE_DEFAULT": LayoutSpaceDefault, "LAYOUT_SPACE_GENERIC_FAST": LayoutSpaceGenericFast,
	"LAYOUT_SPACE_HOST": LayoutSpaceHost, "LAYOUT_SPACE_UNPINNED_HOST": LayoutSpaceUnpinnedHost,
	"BITCAST_RESHAPE": int64(BitcastReshape), "BITCAST_TRANSPOSE": int64(BitcastTranspose), "BITCAST_TRT": int64(BitcastTRT),

	"BITCAST_XLA": int64(BitcastXLA), "BITCAST_IGNORE_ELEMENT_TYPE": int64(BitcastIgnoreElementType),
	"UNIT_ELEMENTS": int64(UnitElements), "UNIT_BYTES": int64(UnitBytes), "UNIT_BITS": int64(UnitBits),
	"FILL": int64(Fill), "FILL_PRESERVE": int64(FillPreserve), "FILL_UNSPECIFIED": int64(FillUnspecified),
	"SPACE_CPU": int64(SpaceCPU), "SPACE_CUDA": int64(SpaceCUDA), "SPACE_CUDA_HOST": int64(SpaceCUDAHost),
	"SPACE_OPENCL": int64(SpaceOpenCL), "SPACE_CUDA_MANAGED": int64(SpaceCUDAManaged),
	"BACKEND_ABSENT": int64(BackendAbsent), "BACKEND_LOADING": int64(BackendLoading), "BACKEND_READY": int64(BackendReady),
	"BACKEND_FAILED": int64(BackendFailed),
	"TO_LINEAR":      int64(ToLinear), "TO_MULTIDIMENSIONAL": int64(ToMultidimensional),
	"QUEUE_NONE": int64(QueueNone), "QUEUE_CUDA": int64(QueueCUDA), "QUEUE_OPENCL": int64(QueueOpenCL),
}

// What has another form in Go: a bool, a field, a kind of value, or nothing, for a reason.
var otherForms = map[string]string{
	"PRIMITIVE_TYPE_INVALID": "the zero ElementType", "VERSION_PATCH": "Version()",
	"CATEGORY_": "ElementType says it", "SIZE_XLA": "bool of ByteSize", "PERMUTE_KEEP_LAYOUT": "a method of its own",
	"INSERT_MOST_MAJOR": "bool of InsertDimensions", "STRIDES_COMPACT": "bool of LayoutFromByteStrides",
	"MARK_BAD": "field of BatchOptions", "RUNTIME_": "fields of RuntimeOptions", "RELAYOUT_": "fields of PlanOptions",
	"INDEX_ALLOW_FALLBACK": "field of IndexPlanOptions",
	"VISIT_":               "TupleShapes is a slice", "PARTS_OF_DEVICE": "WithoutParts takes any",
	"STRUCTURE_ONLY": "no prefixes of shapes in Go", "LOG_": "no logger", "PJRT_": "structs of PJRT are not written", "DLPACK_": "no DLPack in Go",
}

func TestConstantsAreThoseOfTheABIFile(t *testing.T) {
	text, err := os.ReadFile("../../tests/abi/xlashape.abi.json")
	if err != nil {
		t.Fatal(err)
	}
	var abi struct {
		Constants []struct {
			Name, Header string
			Value        json.Number
		}
		Functions []struct{ Name string }
	}
	if err := json.Unmarshal(text, &abi); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, c := range abi.Constants {
		if c.Header != "xlashape.h" {
			continue
		}
		name := strings.TrimPrefix(c.Name, "XLASHAPE_")
		want, err := c.Value.Int64()
		if err != nil {
			t.Errorf("%s has the value %s", c.Name, c.Value)
		}
		if got, ok := ours[name]; ok {
			seen++
			if got != want {
				t.Errorf("%s is %d in the ABI file, %d here", c.Name, want, got)
			}
			continue
		}
		known := false
		for prefix := range otherForms {
			known = known || name == prefix || (strings.HasSuffix(prefix, "_") && strings.HasPrefix(name, prefix))
		}
		if !known {
			t.Errorf("%s = %d has no place in the binding", c.Name, want)
		}
	}
	if seen != len(ours) {
		t.Errorf("the ABI file has %d of the %d constants of this test", seen, len(ours))
	}
}

func TestElementTypesAgreeWithTheirNames(t *testing.T) {
	for name, number := range ours {
		elementType := ElementType(number)
		if elementType.Is(ClassArray) && strings.ToLower(name) == elementType.String() {
			if back, err := ParseElementType(elementType.String()); err != nil || back != elementType {
				t.Errorf("%s reads back as %v, %v", elementType, back, err)
			}
		}
	}
	arrays := 0
	for i := ElementType(0); i < 64; i++ {
		if i.Is(ClassArray) {
			arrays++
			if number, ok := ours[strings.ToUpper(i.String())]; !ok || number != int64(i) {
				t.Errorf("element type %d, %s, is %d here", i, i, number)
			}
		}
	}
	if arrays != 32 {
		t.Errorf("%d array types", arrays)
	}
}
