// SPDX-License-Identifier: Apache-2.0
//! Shapes, layouts and element types as values: equality, hashing, text, boxes, and the forms of others.

use crate::{kind, layout, shape, told};
use std::collections::HashSet;
use std::error::Error as _;
use xlashape::{
    byte_strides_are_row_major, common_factors, dimension_from_letter, dimension_letter, path_from_proto,
    path_to_proto, sys, Arranged, Bitcast, BitcastKind, Category, Classes, ElementType, ErrorKind, Ignore, IndexBox,
    IndexMap, Insert, Layout, LayoutFields, MemorySpace, MissingLayout, Notation, PaddingValue, Permute, ProgramShape,
    Result, Shape, StridesPolicy, Unit, COMBINE_DIMENSION, MATCH_DIMENSION, UNBOUNDED,
};

fn bare(text: &str) -> Shape {
    Shape::parse(text, MissingLayout::Keep).unwrap()
}

#[test]
fn everything_may_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<(Shape, Layout, ProgramShape, xlashape::IndexMap, xlashape::Plan, xlashape::IndexPlan)>();
    check::<(xlashape::Runtime, xlashape::Executor, xlashape::Error)>();
    let c: std::os::raw::c_char = 1;
    let _: sys::c_char = c;
}

#[test]
fn texts_are_padded() {
    let (shape, layout) = (shape("f32[2,3]"), layout("{1,0:T(8,128)}"));
    assert_eq!(format!("[{shape:>16}|{shape:*<16}|{shape:.3}]"), "[   f32[2,3]{1,0}|f32[2,3]{1,0}***|f32]");
    assert_eq!(format!("[{layout:^18}|{shape:?}]"), "[  {1,0:T(8,128)}  |Shape(f32[2,3]{1,0})]");
    assert_eq!(format!("{:>6}|{:?}", ElementType::BF16, ElementType::F32), "  bf16|ElementType(f32)");
    let program = ProgramShape::new([("x", &shape)], &shape).unwrap();
    assert_eq!(format!("{program:>60}").chars().count(), 60);
    let error = "f32[2,x]".parse::<Shape>().unwrap_err();
    assert!(format!("[{error:>80}]").starts_with("[   "));
    assert_eq!(error.to_string(), format!("{} (at byte 6)", error.message()));
    let error = Layout::row_major(usize::MAX).unwrap_err();
    assert_eq!((error.offset(), error.to_string()), (None, error.message().to_owned()));
}

#[test]
fn texts_are_printed_and_read() -> Result<()> {
    let mut room = [0; 14];
    assert_eq!(shape("f32[2,3]").print(&mut room)?, "f32[2,3]{1,0}");
    for len in [0, 1, 13] {
        assert_eq!(kind(shape("f32[2,3]").print(&mut room[..len])), ErrorKind::OutOfRange);
    }
    assert_eq!(layout("{1,0}").print(&mut room)?, "{1,0}");
    assert_eq!(bare("f32[2,3]").layout(), None);
    let (head, rest) = Shape::parse_head("(f32[2], s8[]) tuple(%a)", MissingLayout::RowMajor)?;
    assert_eq!((head.to_string().as_str(), rest), ("(f32[2]{0}, s8[])", " tuple(%a)"));
    assert_eq!(Shape::parse_head("f32[2]\u{e9}", MissingLayout::Keep)?.0.to_string(), "f32[2]");
    assert_eq!(kind(Shape::parse_head("f32[2", MissingLayout::Keep)), ErrorKind::Parse);
    assert_eq!(Layout::parse_head("{1,0:T(2)}, x")?, (layout("{1,0:T(2)}"), ", x"));

    let error = "f32[2,3]{1,0:T(8,}".parse::<Shape>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Parse, Some(17)));
    assert!(error.source().is_none() && !error.to_string().is_empty());
    assert_eq!(kind("{0,0}".parse::<Layout>()), ErrorKind::InvalidArgument);
    assert_eq!(kind("f31".parse::<ElementType>()), ErrorKind::NotFound);
    for text in ["f32[2]\0", "", "\u{1F600}"] {
        assert_eq!(kind(text.parse::<Shape>()), ErrorKind::Parse);
    }
    // More than the room for a first try.
    let long = Shape::array(ElementType::U8, &[1; 40])?;
    assert_eq!(long.dimensions(), [1; 40]);
    let tuple = Shape::tuple(std::iter::repeat(&long).take(30))?;
    assert!(tuple.to_string().len() > 4000 && tuple == shape(&tuple.to_string()));
    Ok(())
}

#[test]
fn equal_values_hash_alike() {
    let texts =
        ["f32[2,3]{1,0}", "f32[2,3]", "f32[2,3]{0,1}", "(f32[2,3]{1,0}, s8[])", "token[]", "f32[2,3]{1,0:T(2,2)}"];
    let set: HashSet<Shape> = texts.iter().map(|text| shape(text)).collect();
    assert_eq!(set.len(), 5); // the second one is the first one
    assert!(set.contains(&shape("f32[2,3]{1,0}").clone()));
    assert_eq!(set.iter().filter_map(Shape::layout).collect::<HashSet<_>>().len(), 3);
    let (a, b) = (shape("f32[2,3]{1,0:S(1)}"), shape("f32[2,3]{0,1}"));
    assert_ne!(a.hash_ignoring(Ignore::NONE), b.hash_ignoring(Ignore::NONE));
    assert_eq!(a.hash_ignoring(Ignore::LAYOUT), b.hash_ignoring(Ignore::LAYOUT));
    let (a, b) = (layout("{1,0:S(1)}"), layout("{1,0}"));
    assert_ne!(a.hash_ignoring(Ignore::NONE), b.hash_ignoring(Ignore::NONE));
    assert_eq!(a.hash_ignoring(Ignore::MEMORY_SPACE), b.hash_ignoring(Ignore::MEMORY_SPACE));
}

#[test]
fn iterators_know_how_many_there_are() {
    let nest = shape("(f32[2], (s8[], token[]), ())");
    for (mut inside, mut count) in [(nest.subshapes(), 6), (nest.leaves(), 3), (nest.subshapes_post_order(), 6)] {
        assert_eq!((inside.len(), inside.clone().count()), (count, count));
        while inside.next().is_some() {
            count -= 1;
            assert_eq!(inside.len(), count);
        }
        assert_eq!((count, inside.next().is_none(), inside.len()), (0, true, 0));
    }
    let deep = shape(&format!("{}f32[]{}", "(".repeat(3000), ")".repeat(3000)));
    assert_eq!(deep.leaves().map(|(path, _)| path.len()).collect::<Vec<_>>(), [3000]);
    const MAX: i64 = i64::MAX;
    for (over, hint) in [
        (IndexBox::new([1, 2], [3, 4]).step([2, 3]), (4, Some(4))),
        (IndexBox::new([0, 0], [MAX - 1, 0]), (0, Some(0))),
        (IndexBox::new([0, 0], [MAX - 1, MAX - 1]), (MAX as usize, None)),
    ] {
        let mut indices = over.iter::<2>().unwrap();
        assert_eq!(indices.size_hint(), hint);
        for left in (0..hint.0).rev().take(4) {
            indices.next().unwrap();
            assert_eq!(indices.size_hint(), (left, hint.1.map(|_| left)));
        }
        assert_eq!(indices.next().is_some(), hint.1.is_none());
    }
}

#[test]
fn boxes_are_walked() -> Result<()> {
    assert_eq!(IndexBox::new([2, -1, 0], [3, 0, 5]).walk()?.next(), None); // a count of 0: empty
    assert_eq!(IndexBox::new([], []).iter::<0>()?.collect::<Vec<_>>(), [[]]); // one index of no numbers
    let array = shape("f32[2,3]{0,1}");
    let all = IndexBox::of(&array)?;
    assert_eq!(all.iter()?.collect::<Vec<_>>(), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    let (all, map) = (all.order([0, 1]), IndexMap::new(&array)?);
    let mut positions = Vec::new();
    for numbers in [0..0, 0..4, 4..4, 4..6] {
        let mut part = all.walk_part(numbers)?;
        while let Some(index) = part.next() {
            positions.push(map.linear_index(index)?);
        }
    }
    assert_eq!((all.index_count()?, positions), (6, vec![0, 1, 2, 3, 4, 5]));
    // As large as numbers may be.
    const MAX: i64 = i64::MAX;
    for (over, indices) in [
        (IndexBox::new([-3], [7]).step([3]), vec![[-3], [0], [3]]),
        (IndexBox::new([0], [5]).step([MAX]), vec![[0]]),
        (IndexBox::new([MAX - 4], [5]).step([2]), vec![[MAX - 4], [MAX - 2], [MAX]]),
        (IndexBox::new([i64::MIN], [MAX]).step([MAX - 1]), vec![[i64::MIN], [-2]]),
        (IndexBox::new([7], [0]).step([0]), vec![[7]]), // as the library has it: pinned
    ] {
        assert_eq!(over.iter::<1>()?.collect::<Vec<_>>(), indices);
    }
    let line = IndexBox::of(&shape(&format!("u8[{MAX}]")))?;
    assert_eq!((line.index_count()?, line.iter::<1>()?.nth(1)), (MAX, Some([1])));
    let mut last = line.walk_part(MAX - 2..MAX)?;
    for index in [Some(&[MAX - 2][..]), Some(&[MAX - 1][..]), None] {
        assert_eq!(last.next(), index);
    }
    Ok(())
}

#[test]
fn a_layout_has_parts() -> Result<()> {
    let text = "{1,0,2:T(8,*,128)(d,1)L(512)E(8)S(3)SC(1:2,4)M(16)PD(9,10,11)PV(lowest)}";
    let built = Layout::builder([1, 0, 2])
        .tile([8, COMBINE_DIMENSION, 128])
        .tile(vec![MATCH_DIMENSION, 1])
        .tail_padding_alignment_in_elements(512)
        .element_size_in_bits(8)
        .memory_space(3)
        .split(1, [2, 4])
        .dynamic_shape_metadata_prefix_bytes(16)
        .padded_dimensions(vec![9, 10, 11])
        .padding_value(PaddingValue::Lowest)
        .build()?;
    let again = built.to_builder().build()?;
    assert!(built.equals(&again, Ignore::NONE));
    assert_eq!((built.to_string(), again.to_string()), (layout(text).to_string(), built.to_string()));
    assert_eq!(again.tiles(), [vec![8, COMBINE_DIMENSION, 128], vec![MATCH_DIMENSION, 1]]);
    assert_eq!(again.splits(), [(1, vec![2, 4])]);
    assert_eq!((again.tile_text(0)?, again.split_text(0)?), ("(8,*,128)".to_owned(), "(1:2,4)".to_owned()));
    assert_eq!((again.rank(), again.major_to_minor()), (3, vec![2, 0, 1]));
    assert_eq!((again.memory_space(), again.element_size_in_bits()), (3, Some(8)));
    assert_eq!((again.padded_dimensions(), again.padding_value()), (Some(vec![9, 10, 11]), PaddingValue::Lowest));
    let fewer = built.to_builder().padded_dimensions(None).padding_value(PaddingValue::Invalid).tile([4, 1]);
    let fewer = fewer.memory_space(Layout::SPACE_HOST).element_size_in_bits(0).tail_padding_alignment_in_elements(1);
    let fewer = fewer.dynamic_shape_metadata_prefix_bytes(0).build()?;
    assert_eq!(
        (fewer.to_string().as_str(), fewer.padded_dimensions()),
        ("{1,0,2:T(8,*,128)(d,1)(4,1)S(5)SC(1:2,4)}", None)
    );
    assert_eq!(kind(again.to_xla_string()), ErrorKind::Unsupported);
    assert_eq!(Layout::from_proto(&built.to_proto()?)?, built);
    assert_eq!(kind(built.tile_text(2)), ErrorKind::OutOfRange);
    assert_eq!([Layout::SPACE_DEFAULT, Layout::SPACE_GENERIC_FAST, Layout::SPACE_UNPINNED_HOST], [0, 1, 6]);
    let rows = Layout::row_major(3)?;
    for (made, want) in [
        (rows.clone(), "{2,1,0}"),
        (Layout::column_major(3)?, "{0,1,2}"),
        (Layout::from_major_to_minor(&[1, 0, 2])?, "{2,0,1}"),
        (rows.move_dimension_to_major(2)?, "{1,0,2}"),
        (rows.move_dimension_to_minor(0)?, "{0,2,1}"),
        (rows.delete_dimensions(&[1])?, "{1,0}"),
        (Layout::from_byte_strides(ElementType::F32, &[2, 3], &[4, 8], StridesPolicy::Compact)?, "{0,1}"),
    ] {
        assert_eq!(made.to_string(), want);
    }
    assert!(rows.is_dim0_major() && !rows.is_dim0_minor() && layout("{0,1}").is_dim0_minor());
    assert!(rows.are_dimensions_consecutive(&[2, 1]) && !rows.are_dimensions_consecutive(&[2, 0]));
    Ok(())
}

#[test]
fn shapes_are_made_and_asked() -> Result<()> {
    let dynamic = Shape::dynamic_array(ElementType::F32, &[4, UNBOUNDED], &[true, true])?;
    assert_eq!((dynamic.to_string().as_str(), dynamic.dynamic_dimensions()), ("f32[<=4,?]{1,0}", vec![true, true]));
    assert!(dynamic.is_dynamic() && dynamic.is_unbounded() && !shape("f32[?]").is_bounded_dynamic());
    assert!(shape("f32[<=4]").is_bounded_dynamic() && shape("f32[<=4]").fits_bounds(&shape("f32[8]")));
    assert!(!shape("f32[<=8]").fits_bounds(&shape("f32[<=4]")));
    assert_eq!((kind(dynamic.sizes()), dynamic.static_element_count()?), (ErrorKind::Unsupported, 4));

    let tiled = shape("bf16[10,130]{1,0:T(8,128)(2,1)}");
    let sizes = tiled.sizes()?;
    assert_eq!((sizes.elements, sizes.storage_elements, sizes.bytes), (1300, 16 * 256, 16 * 256 * 2));
    assert_eq!((tiled.byte_size()?, tiled.xla_byte_size(8)?, tiled.byte_size_recursive()?), (8192, 8192, 8192));
    assert_eq!(kind(tiled.strides(Unit::Bytes)), ErrorKind::Unsupported);
    let columns = shape("f32[2,3]{0,1}");
    assert_eq!((columns.strides(Unit::Bytes)?, columns.strides(Unit::Bits)?), (vec![4, 8], vec![32, 64]));
    assert_eq!(shape("s4[6,5]{1,0:E(4)}").piece_granularity()?, [2, 5]);
    assert_eq!(shape("f32[150,200]{0,1:SC(1:40,130)}").max_elements_per_split()?, 200 * 90);
    // What a type takes by itself is data; what E(n) adds to that is waste, and what it saves is not data.
    for (text, plain_bytes, waste) in [
        ("f32[2,3]", 24, 1.0),
        ("f32[0,3]", 0, 1.0),
        ("s32[8388608,8,4]{2,1,0:T(8,128)}", 1 << 30, 32.0),
        ("pred[8]{0:E(32)}", 8, 4.0),
        ("b(pred[8]{0:E(32)})", 8, 4.0),
        ("s4[16]{0:E(4)}", 8, 1.0),
        ("s4[16]", 16, 1.0),
        ("s4[15]{0:T(32)E(4)}", 8, 2.0),
    ] {
        let sizes = shape(text).sizes()?;
        assert_eq!((sizes.plain_bytes, sizes.waste()), (plain_bytes, waste), "{text}");
    }

    assert!(shape("f32[1,1]").is_effective_scalar() && shape("f32[1,2]").has_degenerate_dimensions());
    assert!(shape("f32[1,2]").is_effectively_most_major(1) && shape("f32[1,2]").last_dimension_is_most_minor());
    assert!(!tiled.is_untiled() && columns.is_untiled() && columns.has_layout() && !columns.index_in_bounds(&[1, 3]));
    assert!(columns.has_element_type(ElementType::F32) && columns.leaves_have_classes(Classes::FLOAT));
    let mut index = [1, 2];
    assert!(!columns.next_index(&mut index) && index == [1, 2] && !columns.next_index(&mut [0, 0, 0]));

    let nested = shape("(f32[2], (s8[], token[]), opaque[])");
    assert_eq!((nested.category(), nested.tuple_len(), nested.subshape_count()), (Category::Tuple, 3, 6));
    assert_eq!((nested.element_count_recursive()?, nested.has_all_layouts()), (3, true));
    assert_eq!(nested.subshapes().map(|(path, _)| path.len()).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 1]);
    assert_eq!(nested.subshapes_post_order().last(), Some((vec![], nested.clone())));
    assert_eq!(nested.replace_subshape(&[1], &Shape::token()?)?.to_string(), "(f32[2]{0}, token[], opaque[])");
    assert_eq!(nested.flatten_tuple()?.tuple_elements().count(), 4);
    assert_eq!(nested.slice_tuple(0, 1)?.append_to_tuple(&Shape::opaque()?)?.to_string(), "(f32[2]{0}, opaque[])");
    assert_eq!(
        (kind(nested.tuple_element(3)), kind(Shape::buffer(&nested))),
        (ErrorKind::OutOfRange, ErrorKind::InvalidArgument)
    );
    assert_eq!(Shape::buffer(&columns)?.to_string(), "b(f32[2,3]{0,1})");
    assert!(shape("(f32[2], (s8[]))").is_prefix_of(&nested, Ignore::NONE));
    assert!(!shape("(f32[3], (s8[]))").is_prefix_of(&nested, Ignore::NONE));
    assert!(shape("(f32[3], (s8[]))").is_prefix_of(&nested, Ignore::DIMENSIONS | Ignore::LAYOUT));
    assert!(shape("(token[], (token[]))").structure_is_prefix_of(&nested));
    Ok(())
}

#[test]
fn shapes_change() -> Result<()> {
    let a = shape("f32[2,3,1]{0,1,2}");
    let tiled = shape("f32[2,3]{1,0:T(2,128)S(1)}");
    for (changed, want) in [
        (a.permute_dimensions(&[2, 0, 1], Permute::KeepMemory)?, "f32[1,2,3]{1,2,0}"),
        (a.permute_dimensions(&[2, 0, 1], Permute::KeepLayout)?, "f32[1,2,3]{0,1,2}"),
        (a.drop_degenerate_dimensions()?, "f32[2,3]{0,1}"),
        (a.insert_dimensions(0, &[5], Insert::MostMajor)?, "f32[5,2,3,1]{1,2,3,0}"),
        (a.with_default_layouts()?, "f32[2,3,1]{2,1,0}"),
        (a.with_element_type(ElementType::S4)?.with_packed_elements()?, "s4[2,3,1]{0,1,2:E(4)}"),
        (a.with_dimension(0, 7, true)?, "f32[<=7,3,1]{0,1,2}"),
        (a.with_dimension(0, 7, true)?.to_static()?, "f32[7,3,1]{0,1,2}"),
        (a.with_dimension(0, UNBOUNDED, true)?, "f32[?,3,1]{0,1,2}"),
        (a.with_dynamic_dimensions(&[false, true, false])?, "f32[2,<=3,1]{0,1,2}"),
        (a.without_layout()?, "f32[2,3,1]"),
        (a.with_layout(&layout("{1,0,2}"))?, "f32[2,3,1]{1,0,2}"),
        (tiled.without_layout_fields(LayoutFields::OF_DEVICE)?, "f32[2,3]{1,0}"),
        (shape("f32[2,3]").with_layouts_of(&tiled)?, "f32[2,3]{1,0:T(2,128)S(1)}"),
    ] {
        assert_eq!(changed.to_string(), want);
    }
    assert_eq!(kind(a.with_dimension(0, UNBOUNDED, false)), ErrorKind::InvalidArgument);
    assert!(
        tiled.has_layout_fields(LayoutFields::TILES)
            && tiled.has_layout_fields(LayoutFields::OF_DEVICE)
            && !a.has_layout_fields(LayoutFields::TILES)
    );
    Ok(())
}

#[test]
fn bitcasts_are_found_and_taken_apart() -> Result<()> {
    assert!(shape("f32[4,6]").is_reshape_or_transpose_bitcast(&shape("f32[6,4]{0,1}"), Bitcast::NONE));
    assert_eq!(shape("f32[4,6]{0,1}").align_layouts(&[24], Bitcast::XLA)?, None);
    assert_eq!(shape("f32[1,6]").inserted_or_deleted_ones(&shape("f32[6,1]"))?, Some((vec![0], vec![1])));
    assert_eq!(common_factors(&[4, 6], &[24])?.last(), Some(&(2, 1)));
    let (a, b) = (shape("f32[4,6]{0,1}"), shape("f32[3,8]{0,1}"));
    let parts = a.decompose_bitcast(&b, Bitcast::NONE)?.unwrap();
    assert_eq!((parts.kind, parts.transpose1, parts.transpose2), (BitcastKind::Trt, vec![1, 0], vec![1, 0]));
    assert_eq!((parts.reshape_from, parts.reshape_to), (shape("f32[6,4]"), shape("f32[8,3]")));
    let kind_of = |a: &str, b: &str| shape(a).decompose_bitcast(&shape(b), Bitcast::NONE).unwrap().map(|p| p.kind);
    assert_eq!(kind_of("f32[4,6]", "f32[24]"), Some(BitcastKind::Reshape));
    assert_eq!(kind_of("f32[4,6]", "f32[6,4]{0,1}"), Some(BitcastKind::Transpose));
    assert_eq!(kind_of("f32[4,6]", "f32[5]"), None);
    assert_eq!(kind(a.decompose_bitcast(&shape("token[]"), Bitcast::NONE)), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn element_types_have_names_and_numbers() -> Result<()> {
    for &element_type in ElementType::ALL {
        assert_eq!(ElementType::from_number(element_type.number()), Some(element_type));
        assert_ne!(element_type.name(), "unknown");
    }
    assert!(ElementType::ALL.len() >= 36);
    assert_eq!((ElementType::from_number(0), ElementType::from_number(1000)), (None, None));
    assert!(ElementType::BF16.classes().contains(Classes::ARRAY | Classes::FLOAT));
    assert_eq!(ElementType::F32.complex(), Some(ElementType::C64));
    assert_eq!(ElementType::C64.complex_component(), Some(ElementType::F32));
    assert_eq!(ElementType::integral(4, true), Some(ElementType::S4));
    assert_eq!((ElementType::BF16.to_pjrt(), ElementType::from_pjrt(13)), (Some(13), Some(ElementType::BF16)));
    assert!(ElementType::S8.cast_preserves_values(ElementType::BF16));
    assert!(!ElementType::BF16.cast_preserves_values(ElementType::S8));
    let format = ElementType::BF16.float_format().unwrap();
    assert_eq!((format.significand_width, format.exponent_width, format.exponent_bias), (8, 8, 127));
    assert_eq!((format.underflow_exponent, format.overflow_exponent), (-125, 128));
    let format = ElementType::F8E8M0FNU.float_format().unwrap();
    let zeros = (format.has_negative_zero, format.has_positive_zero);
    assert_eq!((format.has_infinity, format.has_nan, zeros), (false, true, (false, false)));
    assert_eq!(ElementType::S32.float_format(), None);
    assert_eq!((dimension_letter(2, 0), dimension_letter(5, 0)), (Some('y'), None));
    assert_eq!(dimension_from_letter(3, 'z')?, 0);
    Ok(())
}

#[test]
fn others_forms_go_both_ways() -> Result<()> {
    let a = shape("f32[2,3]{0,1}");
    assert_eq!(Shape::from_proto(&a.to_proto()?, MissingLayout::RowMajor)?, a);
    assert_eq!(kind(Shape::from_proto(b"\xff\xff", MissingLayout::RowMajor)), ErrorKind::Parse);
    assert_eq!(path_from_proto(&path_to_proto(&[1, 2, 300])?)?, [1, 2, 300]);
    assert!(byte_strides_are_row_major(ElementType::F32, &[2, 3], &[12, 4]));
    assert!(!byte_strides_are_row_major(ElementType::F32, &[2, 3], &[12]));

    let program = ProgramShape::new([("x", &a), ("", &Shape::token()?)], &a)?;
    assert_eq!(ProgramShape::from_proto(&program.to_proto()?, MissingLayout::RowMajor)?, program);
    assert_eq!((program.parameter(0)?, program.parameter_count()), (("x".to_owned(), a.clone()), 2));
    assert_eq!(program.result()?, a);
    let tuple = bare("(f32[2]{0}, (s8[3], token[]))");
    let missing: Vec<_> = tuple.missing_layouts().map(|(path, missing)| (path, missing.to_string())).collect();
    assert_eq!(missing, [(vec![1, 0], "s8[3]".to_owned())]);
    let program = ProgramShape::new([("x", &tuple)], &bare("f32[2]"))?;
    let whole = program.with_default_layouts()?;
    assert!(whole.has_all_layouts() && !program.has_all_layouts());
    assert!(whole.equals(&program, Ignore::LAYOUT) && whole != program);
    assert_eq!(
        whole.without_layout_fields(LayoutFields::ALL)?.to_string(),
        "(x: (f32[2], (s8[3], token[]))) -> f32[2]"
    );
    Ok(())
}

#[test]
fn words_of_others_are_read() -> Result<()> {
    let (a, rows) = (shape("f32[2,3]{0,1}"), shape("f32[2,3]"));
    for (notation, text) in [
        (Notation::Mlir, "tensor<2x3xf32>"),
        (Notation::Memref, "memref<2x3xf32, strided<[1, 2]>>"),
        (Notation::Cute, "(2,3):(1,2)"),
        (Notation::Numpy, "{'shape': (2, 3), 'strides': (4, 8), 'dtype': 'float32'}"),
        (Notation::Onednn, "ba"),
        (Notation::Pack, "outer_dims_perm = [1, 0] inner_dims_pos = [] inner_tiles = []"),
        (Notation::Jax, "Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)"),
    ] {
        let from = if notation == Notation::Mlir { &rows } else { &a };
        assert_eq!(from.to_notation(notation)?, text);
        match notation {
            Notation::Mlir | Notation::Memref | Notation::Numpy => assert_eq!(Shape::read(text)?, *from),
            _ => assert_eq!(rows.with_words(text)?, Arranged { destination: a.clone(), result: a.clone() }),
        }
    }
    assert_eq!(kind(a.to_notation(Notation::Mlir)), ErrorKind::Unsupported);
    assert_eq!(a.without_layout()?.to_notation(Notation::Mlir)?, "tensor<2x3xf32>");

    let with_gaps = |policy| Shape::read_with_offset("f32 (2,2):(3,1)", MissingLayout::RowMajor, policy);
    assert_eq!(with_gaps(StridesPolicy::Padded)?, (shape("f32[2,2]{1,0:PD(2,3)}"), 0));
    assert_eq!(kind(with_gaps(StridesPolicy::Compact)), ErrorKind::Unsupported);
    let square = shape("f32[2,2]");
    assert_eq!(square.with_words("(2,2):(3,1)")?.result.to_string(), "f32[2,2]{1,0:PD(2,3)}");
    assert_eq!(kind(square.with_words_policy("(2,2):(3,1)", StridesPolicy::Compact)), ErrorKind::Unsupported);
    let (keep, memref) = (MissingLayout::Keep, "memref<2x3xf32, strided<[1, 2], offset: 6>>");
    assert_eq!(Shape::read_with_offset(memref, keep, StridesPolicy::Padded)?, (a, 6));
    let (kept, offset) = Shape::read_with_offset("float32[2,3]", keep, StridesPolicy::Compact)?;
    assert_eq!((kept.has_layout(), kept.to_string().as_str(), offset), (false, "f32[2,3]", 0));
    assert_eq!(told(Shape::read(memref)).0, ErrorKind::Unsupported);
    assert!(told(Shape::read(memref)).1.ends_with("begins at element 6"));

    let planes = shape("u8[4,6,3]").with_words("HWC->CHW")?;
    assert_eq!((planes.destination, planes.result), (shape("u8[4,6,3]{1,0,2}"), shape("u8[3,4,6]")));
    assert_eq!(ElementType::read("torch.bfloat16")?, ElementType::BF16);
    assert_eq!(kind(ElementType::read("float")), ErrorKind::NotFound);
    assert_eq!(Shape::read(" f32[2,é]").unwrap_err().offset(), Some(7));
    assert_eq!(rows.with_words("2x").unwrap_err().kind(), ErrorKind::Parse);
    Ok(())
}

#[test]
fn structs_of_others_go_both_ways() -> Result<()> {
    let tiled = shape("bf16[16,256]{1,0:T(8,128)(2,1)}");
    let pjrt = tiled.to_pjrt(0)?;
    // SAFETY: the struct that was just made.
    let layout = unsafe { Layout::from_pjrt(pjrt.as_ptr(), ElementType::BF16, &[16, 256], StridesPolicy::Compact)? };
    assert_eq!(Some(layout), tiled.layout());

    let (a, data) = (shape("f32[2,3]{0,1}"), [0u8; 24]);
    let tensor = a.to_dlpack(&data)?;
    // SAFETY: as above.
    assert_eq!(unsafe { Shape::from_dlpack(tensor.as_ptr(), StridesPolicy::Compact, 0)? }, a);
    // SAFETY: the first field of a DLTensor is its data pointer.
    assert_eq!(unsafe { *tensor.as_ptr().cast::<*const u8>() }, data.as_ptr());
    assert_eq!(kind(a.to_dlpack(&data[1..])), ErrorKind::OutOfRange);
    let (wide, room) = (shape("u8[2,3]{1,0:PD(2,4)}"), [0; 8]);
    let tensor = wide.to_dlpack(&room)?;
    // SAFETY: as above.
    let read = |policy| unsafe { Shape::from_dlpack(tensor.as_ptr(), policy, 0) };
    assert_eq!((read(StridesPolicy::Padded)?, kind(read(StridesPolicy::Compact))), (wide, ErrorKind::Unsupported));
    let elsewhere = a.to_dlpack_on(0, 0x1000, MemorySpace::CUDA, 1, 0)?;
    // SAFETY: as above; nobody follows the address.
    assert_eq!(unsafe { *elsewhere.as_ptr().cast::<usize>() }, 0x1000);
    assert_eq!(kind(tiled.to_dlpack(&[0; 8192])), ErrorKind::Unsupported);

    // SAFETY: a handle that lives; the second reference is given away.
    let (rank, again) = unsafe {
        let raw = sys::xlashape_shape_retain(a.as_raw());
        (sys::xlashape_shape_rank(raw), Shape::from_raw(raw))
    };
    assert_eq!((rank, again), (2, a));
    assert_eq!((xlashape::abi_version(), xlashape::version()), ((0, 1), "0.1.0"));
    assert!(xlashape::xla_version() >= 20_261_026);
    assert!(xlashape::build_info().starts_with("version: 0.1.0; "));
    Ok(())
}
