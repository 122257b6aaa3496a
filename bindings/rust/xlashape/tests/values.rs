//! Shapes, layouts and element types as values: equality, hashing, text, threads, and the forms of others.

use std::collections::HashSet;
use std::error::Error as _;
use xlashape::{
    byte_strides_are_row_major, common_factors, dimension_from_letter, dimension_letter, path_from_proto,
    path_to_proto, sys, Bitcast, Category, Classes, ElementType, ErrorKind, Ignore, IndexBox, Insert, Layout,
    MemorySpace, MissingLayout, PaddingValue, Parts, Permute, ProgramShape, Result, Shape, StridesPolicy, Unit,
    COMBINE_DIMENSION, MATCH_DIMENSION, UNBOUNDED,
};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn everything_may_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Shape>();
    check::<Layout>();
    check::<ProgramShape>();
    check::<xlashape::IndexMap>();
    check::<xlashape::Plan>();
    check::<xlashape::IndexPlan>();
    check::<xlashape::Runtime>();
    check::<xlashape::Executor>();
    check::<xlashape::Error>();
}

#[test]
fn chars_are_those_of_c() {
    let c: std::os::raw::c_char = 1;
    let _: sys::c_char = c;
}

#[test]
fn texts_are_padded() {
    let (shape, layout) = (shape("f32[2,3]"), "{1,0:T(8,128)}".parse::<Layout>().unwrap());
    assert_eq!(format!("[{shape:>16}|{shape:*<16}|{shape:.3}]"), "[   f32[2,3]{1,0}|f32[2,3]{1,0}***|f32]");
    assert_eq!(format!("[{layout:^18}]"), "[  {1,0:T(8,128)}  ]");
    let program = ProgramShape::new([("x", &shape)], &shape).unwrap();
    assert_eq!(format!("{program:>60}").chars().count(), 60);
    let error = "f32[2,x]".parse::<Shape>().unwrap_err();
    assert!(format!("[{error:>80}]").starts_with("[   "));
    assert_eq!(error.to_string(), format!("{} (at byte 6)", error.message()));
    let error = Layout::row_major(usize::MAX).unwrap_err();
    assert_eq!((error.offset(), error.to_string()), (None, error.message().to_owned()));
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
    let corner = IndexBox::new([1, 2], [3, 4]).step([2, 3]);
    let mut indices = corner.iter::<2>().unwrap();
    for left in (0..4).rev() {
        assert_eq!(indices.size_hint(), (left + 1, Some(left + 1)));
        indices.next().unwrap();
        assert_eq!(indices.size_hint(), (left, Some(left)));
    }
    assert_eq!((indices.next(), indices.size_hint()), (None, (0, Some(0))));
    let scalar = IndexBox::new([], []);
    assert_eq!((scalar.iter::<0>().unwrap().size_hint(), scalar.iter::<0>().unwrap().count()), ((1, Some(1)), 1));
    let empty = IndexBox::new([0, 0], [i64::MAX - 1, 0]);
    assert_eq!(empty.iter::<2>().unwrap().size_hint(), (0, Some(0)));
    let endless = IndexBox::new([0, 0], [i64::MAX - 1, i64::MAX - 1]);
    assert_eq!(endless.iter::<2>().unwrap().size_hint(), (i64::MAX as usize, None));
}

#[test]
fn waste_is_memory_by_data() {
    let waste = |text| shape(text).sizes().unwrap().waste();
    assert_eq!(waste("f32[2,3]"), 1.0);
    assert_eq!(waste("s32[8388608,8,4]{2,1,0:T(8,128)}"), 32.0);
    assert_eq!(waste("f32[0,3]"), 1.0);
    let sizes = shape("pred[8]{0:E(32)}").sizes().unwrap();
    assert_eq!((sizes.logical_bytes, sizes.plain_bytes, sizes.bytes), (32, 8, 32));
    // What a type takes by itself is data; what E(n) adds to that is waste, and what it saves is not data.
    assert_eq!(waste("pred[64,512,2048]{2,1,0:T(8,128)E(32)}"), 4.0);
    assert_eq!(waste("b(pred[8]{0:E(32)})"), 4.0);
    assert_eq!(waste("s4[16]{0:E(4)}"), 1.0);
    assert_eq!(waste("s4[16]"), 1.0);
    assert_eq!(waste("s4[15]{0:T(32)E(4)}"), 2.0);
}

#[test]
fn runtimes_show_their_backends() {
    let runtime =
        xlashape::Runtime::builder().no_environment().no_library_dir().no_install_dir().load_now().build().unwrap();
    assert_eq!(format!("{runtime:?}"), r#"Runtime [("scalar", Ready)]"#);
}

#[test]
fn equal_shapes_hash_alike() {
    let texts =
        ["f32[2,3]{1,0}", "f32[2,3]", "f32[2,3]{0,1}", "(f32[2,3]{1,0}, s8[])", "token[]", "f32[2,3]{1,0:T(2,2)}"];
    let set: HashSet<Shape> = texts.iter().map(|text| shape(text)).collect();
    assert_eq!(set.len(), 5); // the second one is the first one
    assert!(set.contains(&shape("f32[2,3]{1,0}").clone()));
    let layouts: HashSet<Layout> = set.iter().filter_map(Shape::layout).collect();
    assert_eq!(layouts.len(), 3);
    assert!(shape("f32[2,3]{0,1}").equals(&shape("f32[2,3]"), Ignore::LAYOUT));
    assert!(!shape("f32[2,3]{0,1}").equals(&shape("bf16[2,3]"), Ignore::LAYOUT));
    assert!(shape("f32[2,3]{0,1}").compatible(&shape("bf16[2,3]"), Ignore::ELEMENT_TYPE));
}

#[test]
fn text_goes_both_ways() {
    for text in [
        "bf16[128,256]{1,0:T(8,128)(2,1)}",
        "s32[?,<=5]{1,0}",
        "(f32[2]{0}, (), token[])",
        "u4[7,3]{0,1:T(2,*)L(4)E(4)S(1)}",
        "b(f32[2]{0})",
    ] {
        let once = shape(text);
        let again = shape(&once.to_string());
        assert_eq!((&once, once.to_string()), (&again, again.to_string()), "{text}");
    }
    assert_eq!(shape("f32[2,3]").to_string(), "f32[2,3]{1,0}");
    assert_eq!(shape("f32[2,3]").to_string_without_layout().unwrap(), "f32[2,3]");
    assert_eq!(format!("{:?}", shape("f32[2,3]")), "Shape(f32[2,3]{1,0})");
    let mut room = [0; 14];
    assert_eq!(shape("f32[2,3]").print(&mut room).unwrap(), "f32[2,3]{1,0}");
    for len in [0, 1, 13] {
        assert_eq!(shape("f32[2,3]").print(&mut room[..len]).unwrap_err().kind(), ErrorKind::OutOfRange);
    }
    assert_eq!(Layout::row_major(2).unwrap().print(&mut room).unwrap(), "{1,0}");
    assert_eq!(Shape::parse("f32[2,3]", MissingLayout::Keep).unwrap().layout(), None);
}

#[test]
fn bad_text_is_an_error_with_its_place() {
    let error = "f32[2,3]{1,0:T(8,}".parse::<Shape>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parse);
    assert_eq!(error.offset(), Some(17));
    assert!(error.source().is_none() && !error.to_string().is_empty());
    assert_eq!("{0,0}".parse::<Layout>().unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!("f31".parse::<ElementType>().unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!("f32[2]\0".parse::<Shape>().unwrap_err().kind(), ErrorKind::Parse);
    assert!("".parse::<Shape>().is_err() && "\u{1F600}".parse::<Shape>().is_err());
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
    assert!(built.equals(&again, Ignore::METADATA_PREFIX));
    assert_eq!(built.to_string(), again.to_string());
    assert_eq!(text.parse::<Layout>()?.to_string(), built.to_string());
    assert_eq!(again.tiles(), [vec![8, COMBINE_DIMENSION, 128], vec![MATCH_DIMENSION, 1]]);
    assert_eq!(again.splits(), [(1, vec![2, 4])]);
    assert_eq!((again.major_to_minor(), again.logical_to_physical()), (vec![2, 0, 1], vec![1, 2, 0]));
    assert_eq!((again.memory_space(), again.element_size_in_bits()), (3, Some(8)));
    assert_eq!(again.padded_dimensions(), Some(vec![9, 10, 11]));
    assert_eq!(again.padding_value(), PaddingValue::Lowest);
    let fewer =
        built.to_builder().padded_dimensions(None).padding_value(PaddingValue::Invalid).tile([4, 1]).memory_space(0);
    let fewer =
        fewer.element_size_in_bits(0).tail_padding_alignment_in_elements(1).dynamic_shape_metadata_prefix_bytes(0);
    assert_eq!(fewer.build()?.to_string(), "{1,0,2:T(8,*,128)(d,1)(4,1)SC(1:2,4)}");
    assert_eq!(again.to_xla_string().unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(Layout::from_proto(&built.to_proto()?)?, built);
    assert_eq!(Layout::row_major(3)?.to_string(), "{2,1,0}");
    assert_eq!(Layout::from_major_to_minor(&[0, 1, 2])?, Layout::row_major(3)?);
    assert!(Layout::column_major(3)?.is_dim0_minor() && !Layout::column_major(3)?.is_dim0_major());
    assert_eq!(Layout::row_major(3)?.move_dimension_to_major(2)?.major_to_minor(), [2, 0, 1]);
    assert_eq!(Layout::row_major(3)?.move_dimension_to_minor(0)?.minor_to_major(), [0, 2, 1]);
    assert_eq!(Layout::row_major(3)?.delete_dimensions(&[1])?.minor_to_major(), [1, 0]);
    assert!(Layout::row_major(3)?.are_dimensions_consecutive(&[2, 1]));
    Ok(())
}

#[test]
fn long_answers_are_whole() -> Result<()> {
    let dimensions = vec![1; 40]; // more than the room for a first try
    let long = Shape::array(ElementType::U8, &dimensions)?;
    assert_eq!(long.dimensions(), dimensions);
    let tuple = Shape::tuple(std::iter::repeat(&long).take(30))?;
    assert!(tuple.to_string().len() > 4000);
    assert_eq!(tuple, shape(&tuple.to_string()));
    Ok(())
}

#[test]
fn shapes_are_made_and_asked() -> Result<()> {
    let dynamic = Shape::dynamic_array(ElementType::F32, &[4, UNBOUNDED], &[true, true])?;
    assert_eq!(dynamic.to_string(), "f32[<=4,?]{1,0}");
    assert_eq!(dynamic.dynamic_dimensions(), [true, true]);
    assert!(dynamic.is_dynamic() && dynamic.is_unbounded());
    assert_eq!(dynamic.sizes().unwrap_err().kind(), ErrorKind::Unsupported);

    let tiled = shape("bf16[10,130]{1,0:T(8,128)(2,1)}");
    let sizes = tiled.sizes()?;
    assert_eq!((sizes.elements, sizes.storage_elements, sizes.bytes), (1300, 16 * 256, 16 * 256 * 2));
    assert_eq!((tiled.byte_size()?, tiled.element_count()?), (8192, 1300));
    assert_eq!(tiled.strides(Unit::Bytes).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(shape("f32[2,3]{0,1}").strides(Unit::Bytes)?, [4, 8]);
    assert_eq!(shape("s4[6,5]{1,0:E(4)}").piece_granularity()?, [2, 5]);

    let nested = shape("(f32[2], (s8[], token[]), opaque[])");
    assert_eq!((nested.category(), nested.tuple_len(), nested.leaf_count()), (Category::Tuple, 3, 4));
    assert_eq!(nested.subshapes().map(|(path, _)| path.len()).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 1]);
    assert_eq!(nested.subshapes_post_order().last(), Some((vec![], nested.clone())));
    assert_eq!(nested.subshape(&[1, 0])?, shape("s8[]"));
    assert_eq!(nested.replace_subshape(&[1], &Shape::token()?)?.to_string(), "(f32[2]{0}, token[], opaque[])");
    assert_eq!(nested.flatten_tuple()?.tuple_elements().count(), 4);
    assert_eq!(nested.slice_tuple(0, 1)?.append_to_tuple(&Shape::opaque()?)?.to_string(), "(f32[2]{0}, opaque[])");
    assert_eq!(nested.tuple_element(3).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert!(Shape::buffer(&nested).is_err());
    assert!(shape("(f32[2], (s8[]))").is_prefix_of(&nested, Ignore::NONE));
    assert!(!shape("(f32[3], (s8[]))").is_prefix_of(&nested, Ignore::NONE));
    assert!(shape("(f32[3], (s8[]))").is_prefix_of(&nested, Ignore::DIMENSIONS | Ignore::LAYOUT));
    assert!(shape("(token[], (token[]))").structure_is_prefix_of(&nested));
    Ok(())
}

#[test]
fn deep_tuples_are_walked() {
    let deep = format!("{}f32[]{}", "(".repeat(3000), ")".repeat(3000));
    let deep = shape(&deep);
    assert_eq!(deep.leaves().map(|(path, _)| path.len()).collect::<Vec<_>>(), [3000]);
}

#[test]
fn shapes_change() -> Result<()> {
    let a = shape("f32[2,3,1]{0,1,2}");
    assert_eq!(a.permute_dimensions(&[2, 0, 1], Permute::KeepMemory)?.to_string(), "f32[1,2,3]{1,2,0}");
    assert_eq!(a.drop_degenerate_dimensions()?.to_string(), "f32[2,3]{0,1}");
    assert_eq!(a.insert_dimensions(0, &[5], Insert::MostMajor)?.dimensions(), [5, 2, 3, 1]);
    assert_eq!(a.delete_dimensions(&[2])?.dimensions(), [2, 3]);
    assert_eq!(a.with_default_layouts()?.to_string(), "f32[2,3,1]{2,1,0}");
    assert_eq!(a.with_element_type(ElementType::S4)?.with_packed_elements()?.byte_size()?, 3);
    assert_eq!(a.to_physical_order()?.to_string(), "f32[1,3,2]{2,1,0}");
    assert_eq!(a.with_dimension(0, 7, true)?.to_static()?.dimensions(), [7, 3, 1]);
    assert_eq!(a.with_dimension(0, UNBOUNDED, true)?.dimensions(), [UNBOUNDED, 3, 1]);
    assert_eq!(a.with_dimension(0, UNBOUNDED, false).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert!(a.without_layout()?.layout().is_none());
    let tiled = shape("f32[2,3]{1,0:T(2,128)S(1)}");
    assert!(tiled.has_parts(Parts::TILES) && tiled.has_parts(Parts::OF_DEVICE));
    assert_eq!(tiled.without_parts(Parts::OF_DEVICE)?.to_string(), "f32[2,3]{1,0}");
    assert_eq!(shape("f32[2,3]").with_layouts_of(&tiled)?, tiled);
    assert!(shape("f32[4,6]").reshape_is_bitcast(&shape("f32[24]"), Bitcast::NONE));
    assert_eq!(shape("f32[2,3]").deduce_transpose(&shape("f32[3,2]{0,1}"), Bitcast::XLA)?, Some(vec![1, 0]));
    assert_eq!(shape("f32[4,6]{0,1}").align_layouts(&[24], Bitcast::XLA)?, None);
    assert_eq!(common_factors(&[4, 6], &[24])?.last(), Some(&(2, 1)));
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
    assert_eq!(ElementType::integral(4, true), Some(ElementType::S4));
    assert_eq!(ElementType::S4.to_pjrt().and_then(ElementType::from_pjrt), Some(ElementType::S4));
    assert_eq!(ElementType::F32.padding_element(PaddingValue::One)?, 1.0f32.to_le_bytes());
    assert_eq!(format!("{:>6}|{:?}", ElementType::BF16, ElementType::F32), "  bf16|ElementType(f32)");
    assert_eq!((dimension_letter(2, 0), dimension_letter(5, 0)), (Some('y'), None));
    assert_eq!(dimension_from_letter(3, 'z')?, 0);
    assert_eq!(dimension_from_letter(3, 'é').unwrap_err().kind(), ErrorKind::NotFound);
    Ok(())
}

#[test]
fn others_forms_go_both_ways() -> Result<()> {
    let a = shape("f32[2,3]{0,1}");
    assert_eq!(Shape::from_proto(&a.to_proto()?, MissingLayout::RowMajor)?, a);
    assert_eq!(Shape::from_proto(b"\xff\xff", MissingLayout::RowMajor).unwrap_err().kind(), ErrorKind::Parse);
    assert_eq!(path_from_proto(&path_to_proto(&[1, 2, 300])?)?, [1, 2, 300]);
    assert_eq!(Shape::from_numpy(&a.to_numpy()?, StridesPolicy::Compact)?, a);
    assert_eq!(Shape::from_cute(&a.to_cute()?, ElementType::F32, StridesPolicy::Compact)?, a);
    assert_eq!(a.to_mlir().unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(a.without_layout()?.to_mlir()?, "tensor<2x3xf32>");
    assert_eq!(Shape::from_mlir("tensor<2x3xf32>")?.dimensions(), [2, 3]);
    assert!(byte_strides_are_row_major(ElementType::F32, &[2, 3], &[12, 4]));
    assert!(!byte_strides_are_row_major(ElementType::F32, &[2, 3], &[12]));
    let layout = Layout::from_byte_strides(ElementType::F32, &[2, 3], &[4, 8], StridesPolicy::Compact)?;
    assert_eq!(Some(layout), a.layout());

    let program = ProgramShape::new([("x", &a), ("", &Shape::token()?)], &a)?;
    assert_eq!(ProgramShape::from_proto(&program.to_proto()?, MissingLayout::RowMajor)?, program);
    assert_eq!(program.parameter(0)?, ("x".to_owned(), a.clone()));
    assert_eq!((program.parameter_count(), program.result()?), (2, a));
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
    assert_eq!(a.to_dlpack(&data[1..]).unwrap_err().kind(), ErrorKind::OutOfRange);
    let elsewhere = a.to_dlpack_on(0, 0x1000, MemorySpace::CUDA, 1, 0)?;
    // SAFETY: as above; nobody follows the address.
    assert_eq!(unsafe { *elsewhere.as_ptr().cast::<usize>() }, 0x1000);
    assert_eq!(tiled.to_dlpack(&[0; 8192]).unwrap_err().kind(), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn the_c_api_is_at_hand() {
    let a = shape("f32[2,3]");
    // SAFETY: a handle that lives; the second reference is given away.
    let (rank, again) = unsafe {
        let raw = sys::xlashape_shape_retain(a.as_raw());
        (sys::xlashape_shape_rank(raw), Shape::from_raw(raw))
    };
    assert_eq!((rank, again), (2, a));
    assert_eq!(xlashape::abi_version(), (0, 1));
    // SAFETY: it takes nothing.
    assert_eq!(unsafe { sys::xlashape_abi_version() }, sys::XLASHAPE_ABI_VERSION);
    assert!(xlashape::version().starts_with("0.1."));
}
