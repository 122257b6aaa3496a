// SPDX-License-Identifier: Apache-2.0

package xlashape

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The binding has no generated declarations: cgo reads the headers. Here it is compared with the ABI file: whatever the
// library has is used. The members of constants are kept by ../abi/members.py.

// What Go does without, for a reason: functions and constants, one by one.
var without = map[string]string{
	"the fields of a structure, or Go on them": `
		xlashape_layout_create_row_major xlashape_layout_create_column_major
		xlashape_layout_rank xlashape_layout_minor_to_major xlashape_layout_padded_dimensions xlashape_layout_padding_value
		xlashape_layout_tile_count xlashape_layout_tile xlashape_layout_element_size_in_bits
		xlashape_layout_tail_padding_alignment_in_elements xlashape_layout_memory_space
		xlashape_layout_dynamic_shape_metadata_prefix_bytes xlashape_layout_split_count xlashape_layout_split
		xlashape_layout_print_tile xlashape_layout_print_split xlashape_layout_is_dim0_major xlashape_layout_is_dim0_minor
		xlashape_layout_are_dimensions_consecutive xlashape_shape_with_layout xlashape_shape_copy_layouts
		xlashape_shape_has_all_layouts xlashape_shape_has_layout_fields xlashape_shape_with_dimension
		xlashape_shape_with_dynamic_dimensions xlashape_shape_is_bounded_dynamic xlashape_shape_fits_bounds
		xlashape_shape_index_in_bounds xlashape_shape_is_effectively_most_major xlashape_byte_strides_are_row_major
		xlashape_dimension_letter xlashape_dimension_from_letter xlashape_common_factors
		XLASHAPE_CATEGORY_TUPLE XLASHAPE_CATEGORY_TOKEN XLASHAPE_CATEGORY_OPAQUE`,
	"TupleShapes is a slice": `
		xlashape_shape_has_element_type xlashape_shape_leaves_have_classes xlashape_shape_next_subshape
		xlashape_shape_is_prefix xlashape_shape_slice_tuple xlashape_shape_append_to_tuple
		xlashape_shape_replace_subshape XLASHAPE_VISIT_LEAVES XLASHAPE_VISIT_POST_ORDER XLASHAPE_VISIT_MISSING_LAYOUTS
		XLASHAPE_EQUAL_STRUCTURE_ONLY`,
	"another function of the library does it": `
		xlashape_element_type_complex_component xlashape_element_type_complex xlashape_element_type_integral
		xlashape_shape_is_reshape_or_transpose_bitcast xlashape_plan_execute xlashape_index_map_rank
		XLASHAPE_VERSION_MAJOR XLASHAPE_VERSION_MINOR XLASHAPE_VERSION_PATCH`,
	"one reference each": `
		xlashape_layout_retain xlashape_index_map_retain xlashape_runtime_retain xlashape_plan_retain
		xlashape_index_plan_retain`,
	"no signatures of programs in Go": `
		xlashape_program_shape_create xlashape_program_shape_retain xlashape_program_shape_release
		xlashape_program_shape_parameter_count xlashape_program_shape_parameter xlashape_program_shape_parameter_name
		xlashape_program_shape_result xlashape_program_shape_print xlashape_program_shape_has_all_layouts
		xlashape_program_shape_with_default_layouts xlashape_program_shape_without_layout_fields xlashape_program_shape_equal
		xlashape_program_shape_to_proto xlashape_program_shape_from_proto xlashape_path_to_proto xlashape_path_from_proto`,
	"structs of C that a Go program does not have": `
		xlashape_shape_to_pjrt XLASHAPE_PJRT_STRIDES XLASHAPE_PJRT_DROP
		xlashape_shape_from_dlpack xlashape_shape_to_dlpack XLASHAPE_DLPACK_SUB_BYTE_PADDED`,
	"no element type": "XLASHAPE_TYPE_INVALID",
	"an index plan in Go only runs": `
		xlashape_index_plan_task_count xlashape_index_plan_get_requirements xlashape_index_plan_backend`,
	"no backends written in Go": "xlashape_runtime_add_backend",
	"no memory of devices in Go": `
		xlashape_memory_alloc xlashape_memory_free xlashape_memory_copy xlashape_memory_fill xlashape_queue_sync
		xlashape_queue_wait_event xlashape_queue_signal_event`,
	"what it gives is not promised": "xlashape_get_extension",
}

type abiFile struct {
	Constants, Functions []struct{ Name, Header string }
	Structs              []struct {
		Name   string
		Fields []struct{ Name string }
	}
}

func readABI(t *testing.T) (abi abiFile) {
	t.Helper()
	text, err := os.ReadFile("../abi/xlashape.abi.json")
	if err == nil {
		err = json.Unmarshal(text, &abi)
	}
	if err != nil {
		t.Fatal(err)
	}
	return abi
}

// sources are the binding's C and Go, tests and comments left out.
func sources(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*.[cgh]*")
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			all += regexp.MustCompile(`//.*`).ReplaceAllString(string(text), "")
		}
	}
	return all
}

func TestNothingOfTheLibraryIsForgotten(t *testing.T) {
	text, used := sources(t), map[string]int{}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(text, -1) {
		used[word]++
	}
	for _, wrapper := range regexp.MustCompile(`(?m)^XG\((\w+)`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(text, "C.xg_"+wrapper[1]+"(") {
			t.Errorf("Go never calls xg_%s", wrapper[1])
		}
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
		if used[name] == 0 && !isWithout {
			t.Errorf("%s is neither used by the binding nor among what Go does `without`", name)
		}
		if used[name] > 0 && isWithout {
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
	// Each field of a struct that is used is named; those of a layout where it goes to C, and where it comes from
	// there.
	for _, s := range abi.Structs {
		for _, field := range s.Fields {
			needed := 0
			if used[s.Name] > 0 && field.Name != "reserved" && field.Name != "struct_size" &&
				!withoutFields[s.Name+"."+field.Name] {
				needed = 1
			}
			if s.Name == "xlashape_layout_spec" {
				needed *= 2
			}
			if used[field.Name] < needed {
				t.Errorf("%s.%s is used %d times, it takes %d", s.Name, field.Name, used[field.Name], needed)
			}
		}
	}
}

// withoutFields are those that Go leaves at 0, or does not read.
var withoutFields = map[string]bool{
	"xlashape_runtime_options.allocator": true, "xlashape_execute_options.scratch": true,
	"xlashape_measure_options.src": true, "xlashape_measure_options.dst": true,
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
