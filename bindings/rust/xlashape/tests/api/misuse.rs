// SPDX-License-Identifier: Apache-2.0
//! What must not be done: an error that says what was wrong, and nothing is written.

use crate::{kind, plan, said, shape, told};
use xlashape::{
    dimension_from_letter, dimension_letter, dimension_number, relayout, Conversion, ErrorKind, IndexBox, IndexMap,
    Insert, Layout, MemorySpace, Notation, Plan, ProgramShape, Relayout, Runtime, Shape,
};

#[test]
fn slices_of_wrong_sizes() {
    let plan = plan("f32[3,4]", "f32[3,4]{0,1}");
    let mut dst = [7; 48];
    for len in [0, 47, 49, 1000] {
        assert_eq!(kind(plan.execute(&vec![1; len], &mut dst)), ErrorKind::OutOfRange);
        assert_eq!(kind(plan.execute(&[1; 48], &mut vec![1; len])), ErrorKind::OutOfRange);
        assert_eq!(kind(plan.execute_to_vec(&vec![1; len])), ErrorKind::OutOfRange);
        let once = |src: &[u8], dst: &mut [u8]| relayout(&shape("f32[3,4]"), src, &shape("f32[3,4]{0,1}"), dst);
        assert_eq!(kind(once(&vec![1; len], &mut dst)), ErrorKind::OutOfRange);
        assert_eq!(kind(once(&[1; 48], &mut vec![1; len])), ErrorKind::OutOfRange);
    }
    let short = plan.execute(&[1; 47], &mut dst);
    assert_eq!(told(short), said(ErrorKind::OutOfRange, "src has 47 bytes, the plan needs 48"));
    assert_eq!(dst, [7; 48]);
}

#[test]
fn lists_of_wrong_lengths() {
    let image = shape("u8[3,4]");
    for request in [
        Relayout::new(&image, &image).src_byte_strides([4], 0),
        Relayout::new(&image, &image).dst_byte_strides([4, 1, 1], 0),
        Relayout::new(&image, &image).src_element_strides([4, 1, 1], 0),
        Relayout::new(&image, &image).dst_element_strides([1], 0),
        Relayout::new(&image, &image).index_box([0], [0, 0], [1, 1]),
        Relayout::new(&image, &image).index_box([0, 0], [0], [1, 1]),
        Relayout::new(&image, &image).index_box([0, 0], [0, 0], [1, 1, 1]),
    ] {
        assert_eq!(kind(request.plan()), ErrorKind::OutOfRange);
        assert_eq!(kind(request.run(&[0; 12], &mut [0; 12])), ErrorKind::OutOfRange);
    }
    let map = IndexMap::new(&image).unwrap();
    assert_eq!(kind(map.linear_index(&[1])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.linear_index(&[3, 0])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.index(12)), ErrorKind::OutOfRange);
    assert_eq!(kind(map.index_into(0, &mut [0; 3])), ErrorKind::OutOfRange);
    assert_eq!(kind(Shape::dynamic_array(image.element_type(), &[2, 3], &[true])), ErrorKind::OutOfRange);
    assert_eq!(
        told(Layout::builder([1, 0]).padded_dimensions(vec![3]).build()),
        said(ErrorKind::InvalidArgument, "padded_dimensions has 1 entries, the rank is 2")
    );
    for (over, refused) in [
        (IndexBox::new([0, 0], [1]), ErrorKind::OutOfRange),
        (IndexBox::new([0], [1]).step([1, 1]), ErrorKind::OutOfRange),
        (IndexBox::new([0], [1]).step([-1]), ErrorKind::InvalidArgument),
        (IndexBox::new([0], [-1]), ErrorKind::InvalidArgument),
        (IndexBox::new([0, 0], [2, 2]).order([0, 0]), ErrorKind::InvalidArgument),
        (IndexBox::new([3, i64::MAX - 1], [1, 3]), ErrorKind::Overflow),
    ] {
        assert_eq!((kind(over.walk()), kind(over.walk_part(0..1))), (refused, refused), "{over:?}");
    }
    let square = IndexBox::new([0, 0], [2, 3]);
    assert_eq!([kind(square.walk_part(0..7)), kind(square.walk_part(-1..2))], [ErrorKind::OutOfRange; 2]);
    assert_eq!(kind(square.iter::<1>()), ErrorKind::OutOfRange);
    assert_eq!(kind(IndexBox::new([0, 0], [i64::MAX, 3]).index_count()), ErrorKind::Overflow);
    let none: [(&str, &Shape); 0] = [];
    assert!(ProgramShape::new(none, &image).is_ok());
}

#[test]
fn shapes_that_do_not_belong_together() {
    let plan = |from: &str, to: &str| Plan::new(&shape(from), &shape(to));
    assert_eq!(kind(plan("f32[2,3]", "f32[3,2]")), ErrorKind::InvalidArgument);
    assert_eq!(kind(plan("f32[2,3]", "s32[2,3]")), ErrorKind::InvalidArgument);
    for text in ["f32[?]", "(f32[2])"] {
        assert_eq!(kind(plan(text, text)), ErrorKind::Unsupported);
        assert_eq!(kind(IndexBox::of(&shape(text))), ErrorKind::Unsupported);
        assert_eq!(kind(IndexMap::new(&shape(text))), ErrorKind::Unsupported);
    }
    let image = shape("u8[3,4]");
    // A NUL ends a name in C: what stands before it is not what was asked for.
    for name in ["a\0b", "scalar\0 nonsense", "\0"] {
        let (request, map) = (Relayout::new(&image, &image).backend(name), IndexMap::new(&image).unwrap());
        let message = said(ErrorKind::NotFound, format!("no backend is called {name:?}"));
        assert_eq!(told(request.plan()), message);
        assert_eq!(told(request.run(&[0; 12], &mut [0; 12])), message);
        assert_eq!(told(Conversion::to_linear(&map).backend(name).plan()), message);
    }
    for error in [
        shape("u8[3,4]{0,1}").to_notation(Notation::Mlir).unwrap_err(),
        Relayout::new(&image, &image).backend("nobody").plan().unwrap_err(),
    ] {
        assert!(!error.to_string().contains('_'), "a name of C: {error}");
    }
}

#[test]
fn words_that_say_no_layout() {
    let image = shape("u8[3,4]");
    for (words, expected) in [
        ("", ErrorKind::Parse),
        ("row\0", ErrorKind::Parse),
        ("é", ErrorKind::Parse),
        ("f32[2", ErrorKind::Parse),
        ("1,1", ErrorKind::InvalidArgument),
        ("nChw16c", ErrorKind::InvalidArgument),
        ("swizzle", ErrorKind::Unsupported),
    ] {
        assert_eq!(kind(image.with_words(words)), expected, "{words:?}");
    }
    for shape in [shape("(u8[3], u8[4])"), Shape::token().unwrap()] {
        assert_eq!(kind(shape.with_words("row")), ErrorKind::Unsupported);
        assert_eq!(kind(shape.to_notation(Notation::Onednn)), ErrorKind::Unsupported);
    }
    for text in ["", "f32[2]\0", "tensor<2xf32", "{'shape': (2,)}", "u8[3,4]{2,1}"] {
        assert!(Shape::read(text).is_err(), "{text:?}");
    }
    assert_eq!(told(Shape::read("flaot32 (2,3)")).0, ErrorKind::Parse);
    assert_eq!(kind("float32[2]".parse::<Shape>()), ErrorKind::Parse); // only XLA's names
}

#[test]
fn numbers_that_c_does_not_hold_are_named() {
    const MAX: usize = usize::MAX;
    let (image, pair) = (shape("u8[3,4]{1,0:T(2)}"), shape("(u8[2], u8[3])"));
    let (layout, program) = (image.layout().unwrap(), ProgramShape::new([("x", &image)], &image).unwrap());
    for (error, kind) in [
        (pair.tuple_element(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (pair.slice_tuple(0, MAX).unwrap_err(), ErrorKind::OutOfRange),
        (pair.slice_tuple(MAX, MAX).unwrap_err(), ErrorKind::OutOfRange),
        (program.parameter(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (image.insert_dimensions(MAX, &[1], Insert::Beside).unwrap_err(), ErrorKind::OutOfRange),
        (layout.tile_text(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (layout.split_text(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (dimension_number(MAX, -1).unwrap_err(), ErrorKind::OutOfRange),
        (pair.top_level_byte_size(MAX).unwrap_err(), ErrorKind::Overflow),
        (pair.xla_byte_size(MAX).unwrap_err(), ErrorKind::Overflow),
        (Layout::row_major(MAX).unwrap_err(), ErrorKind::InvalidArgument),
        (Layout::column_major(MAX).unwrap_err(), ErrorKind::InvalidArgument),
        (Runtime::builder().verify_count(u64::MAX).build().unwrap_err(), ErrorKind::InvalidArgument),
        (dimension_from_letter(MAX, 'x').unwrap_err(), ErrorKind::NotFound),
    ] {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(&MAX.to_string()) && !error.message().contains("-1"), "{error}");
    }
    assert_eq!(pair.tuple_element(MAX).unwrap_err().message(), format!("index is {MAX}: too large"));
    assert_eq!(
        told(dimension_from_letter(2, 'é')),
        said(ErrorKind::NotFound, "no dimension of rank 2 has the letter with code 233")
    );
    assert_eq!(dimension_letter(MAX, 0), None);
}

#[test]
fn slices_for_a_device() {
    let image = shape("u8[3,4]");
    let request = Relayout::new(&image, &image).memory_spaces(MemorySpace::CPU, MemorySpace::CUDA);
    assert_eq!(kind(request.run(&[0; 12], &mut [0; 12])), ErrorKind::Unsupported);
    let nobodys = Relayout::new(&image, &image).memory_spaces(MemorySpace::CPU, MemorySpace::new(40));
    assert!(nobodys.plan().unwrap_err().message().contains("40"));
    if let Ok(plan) = request.plan() {
        // A machine with such a backend: the plan is there, and takes addresses only.
        assert_eq!(kind(plan.execute(&[0; 12], &mut [0; 12])), ErrorKind::Unsupported);
        assert_eq!(kind(plan.execute_to_vec(&[0; 12])), ErrorKind::Unsupported);
    }
}
