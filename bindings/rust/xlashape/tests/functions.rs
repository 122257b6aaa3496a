//! What runtimes ask of shapes and layouts: hashes under a mask, heads of texts, boxes, bitcasts, float formats.

use xlashape::{
    Bitcast, BitcastKind, ElementType, ErrorKind, Ignore, IndexBox, IndexMap, Layout, MissingLayout, Parts,
    ProgramShape, Shape,
};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn bare(text: &str) -> Shape {
    Shape::parse_head(text, MissingLayout::Keep).unwrap().0
}

#[test]
fn hashes_leave_out_what_equality_does() {
    let (a, b) = (shape("f32[2,3]{1,0:S(1)}"), shape("f32[2,3]{0,1}"));
    assert_ne!(a.hash_ignoring(Ignore::NONE), b.hash_ignoring(Ignore::NONE));
    assert_eq!(a.hash_ignoring(Ignore::LAYOUT), b.hash_ignoring(Ignore::LAYOUT));
    let (l, m) = (a.layout().unwrap(), shape("f32[2,3]").layout().unwrap());
    assert_ne!(l.hash_ignoring(Ignore::NONE), m.hash_ignoring(Ignore::NONE));
    assert_eq!(l.hash_ignoring(Ignore::MEMORY_SPACE), m.hash_ignoring(Ignore::MEMORY_SPACE));
}

#[test]
fn heads_end_where_they_end() {
    let (head, rest) = Shape::parse_head("(f32[2], s8[]) tuple(%a)", MissingLayout::RowMajor).unwrap();
    assert_eq!((head.to_string().as_str(), rest), ("(f32[2]{0}, s8[])", " tuple(%a)"));
    let (head, rest) = Layout::parse_head("{1,0:T(2)}, x").unwrap();
    assert_eq!((head.to_string().as_str(), rest), ("{1,0:T(2)}", ", x"));
    assert_eq!(Shape::parse_head("f32[2", MissingLayout::Keep).unwrap_err().kind(), ErrorKind::Parse);
    assert_eq!(bare("f32[2]é").to_string(), "f32[2]");
}

#[test]
fn layouts_change_one_field_and_print_their_parts() {
    let layout: Layout = "{1,0:T(8,128)(2,1)SC(1:4,8)}".parse().unwrap();
    let host = layout.to_builder().memory_space(Layout::SPACE_HOST).build().unwrap();
    assert_eq!(host.to_string(), "{1,0:T(8,128)(2,1)S(5)SC(1:4,8)}");
    assert_eq!(layout.tile_text(0).unwrap(), "(8,128)");
    assert_eq!(layout.split_text(0).unwrap(), "(1:4,8)");
    assert_eq!(layout.tile_text(2).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!([Layout::SPACE_DEFAULT, Layout::SPACE_GENERIC_FAST, Layout::SPACE_UNPINNED_HOST], [0, 1, 6]);
}

#[test]
fn missing_layouts_are_told() {
    let tuple = bare("(f32[2]{0}, (s8[3], token[]))");
    let missing: Vec<_> = tuple.missing_layouts().map(|(path, s)| (path, s.to_string())).collect();
    assert_eq!(missing, [(vec![1, 0], "s8[3]".to_string())]);
    assert_eq!(shape("(f32[2])").missing_layouts().count(), 0);

    let program = ProgramShape::new([("x", &tuple)], &bare("f32[2]")).unwrap();
    assert!(!program.has_all_layouts());
    let whole = program.with_default_layouts().unwrap();
    assert!(whole.has_all_layouts());
    assert_eq!(whole.without_parts(Parts::LAYOUT).unwrap().to_string(), "(x: (f32[2], (s8[3], token[]))) -> f32[2]");
}

#[test]
fn boxes_are_walked_in_memory_order_and_in_parts() {
    let array = shape("f32[2,3]{0,1}");
    let order = array.layout().unwrap().minor_to_major();
    let all = IndexBox::of(&array).unwrap().order(order);
    let map = IndexMap::new(&array).unwrap();
    let positions: Vec<i64> = all.iter::<2>().unwrap().map(|index| map.linear_index(&index).unwrap()).collect();
    assert_eq!(positions, [0, 1, 2, 3, 4, 5]);
    assert_eq!(all.index_count().unwrap(), 6);
    let mut joined = Vec::new();
    for numbers in [0..0, 0..4, 4..4, 4..6] {
        let mut part = all.walk_part(numbers).unwrap();
        while let Some(index) = part.next() {
            joined.push(map.linear_index(index).unwrap());
        }
    }
    assert_eq!(joined, positions);
    assert_eq!(all.walk_part(0..7).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(all.walk_part(-1..2).unwrap_err().kind(), ErrorKind::OutOfRange);
    let bad = IndexBox::new([0, 0], [2, 2]).order([0, 0]);
    assert_eq!(bad.walk().unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(bad.walk_part(0..1).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn boxes_may_be_as_large_as_numbers() {
    let all = |over: &IndexBox| over.iter::<1>().unwrap().map(|[index]| index).collect::<Vec<_>>();
    let line = IndexBox::of(&shape("u8[9223372036854775807]")).unwrap();
    assert_eq!(line.index_count().unwrap(), i64::MAX);
    let mut indices = line.iter::<1>().unwrap();
    assert_eq!(indices.size_hint(), (i64::MAX as usize, Some(i64::MAX as usize)));
    assert_eq!((indices.next(), indices.next()), (Some([0]), Some([1])));
    let mut last = line.walk_part(i64::MAX - 2..i64::MAX).unwrap();
    assert_eq!(last.next(), Some(&[i64::MAX - 2][..]));
    assert_eq!(last.next(), Some(&[i64::MAX - 1][..]));
    assert_eq!(last.next(), None);

    let wide = IndexBox::new([0], [5]).step([i64::MAX]);
    assert_eq!((wide.index_count().unwrap(), all(&wide)), (1, vec![0]));
    let top = IndexBox::new([i64::MAX - 4], [5]).step([2]);
    assert_eq!(all(&top), [i64::MAX - 4, i64::MAX - 2, i64::MAX]);
    let bottom = IndexBox::new([i64::MIN], [i64::MAX]).step([i64::MAX - 1]);
    assert_eq!(all(&bottom), [i64::MIN, -2]);
    assert_eq!(all(&IndexBox::new([7], [0]).step([0])), [7]); // as the library has it: pinned

    let square = IndexBox::new([0, 0], [i64::MAX, 3]);
    assert_eq!(square.index_count().unwrap_err().kind(), ErrorKind::Overflow);
    let mut indices = square.iter::<2>().unwrap();
    assert_eq!((indices.next(), indices.size_hint()), (Some([0, 0]), (i64::MAX as usize - 1, None)));
}

#[test]
fn bitcasts_are_taken_apart() {
    let (a, b) = (shape("f32[4,6]{0,1}"), shape("f32[3,8]{0,1}"));
    let parts = a.decompose_bitcast(&b, Bitcast::NONE).unwrap().unwrap();
    assert_eq!(parts.kind, BitcastKind::Trt);
    assert_eq!((parts.transpose1, parts.transpose2), (vec![1, 0], vec![1, 0]));
    assert_eq!(parts.reshape_from, shape("f32[6,4]"));
    assert_eq!(parts.reshape_to, shape("f32[8,3]"));
    let kind = |a: &str, b: &str| shape(a).decompose_bitcast(&shape(b), Bitcast::NONE).unwrap().map(|p| p.kind);
    assert_eq!(kind("f32[4,6]", "f32[24]"), Some(BitcastKind::Reshape));
    assert_eq!(kind("f32[4,6]", "f32[6,4]{0,1}"), Some(BitcastKind::Transpose));
    assert_eq!(kind("f32[4,6]", "f32[5]"), None);
    assert_eq!(a.decompose_bitcast(&shape("token[]"), Bitcast::NONE).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn floats_tell_their_formats() {
    let format = ElementType::BF16.float_format().unwrap();
    assert_eq!((format.significand_width, format.exponent_width, format.exponent_bias), (8, 8, 127));
    assert_eq!((format.underflow_exponent, format.overflow_exponent), (-125, 128));
    assert!(format.has_infinity && format.has_nan && format.has_negative_zero && format.has_positive_zero);
    assert!(!ElementType::F8E8M0FNU.float_format().unwrap().has_positive_zero);
    assert_eq!(ElementType::S32.float_format(), None);
    assert!(ElementType::S8.cast_preserves_values(ElementType::BF16));
    assert!(!ElementType::S32.cast_preserves_values(ElementType::F32));
}
