//! Targets: their names and numbers, and what is refused. The layouts that compilers choose are tested in
//! `tests/data/targets`.

use crate::{kind, said, told};
use xlashape::{sys, ElementType, Error, ErrorKind, MissingLayout, Result, Shape, Target, TargetOrder};

const V5E: Target = Target::TpuV5e;

fn with(order: TargetOrder, text: &str) -> Result<String, Error> {
    Ok(Shape::parse(text, MissingLayout::Keep)?.for_target(V5E, order)?.to_string())
}

#[test]
fn targets_have_names() {
    let names: Vec<_> = Target::ALL.iter().map(Target::to_string).collect();
    assert_eq!(names.join(" "), "cpu gpu tpu:v2 tpu:v3 tpu:v4 tpu:v5e tpu:v5p tpu:v6e tpu:v7x");
    for (&target, name) in Target::ALL.iter().zip(&names) {
        assert_eq!((name.parse(), target.name()), (Ok(target), name.as_str()));
    }
    assert_eq!(format!("{V5E:>8}|{V5E:?}"), " tpu:v5e|TpuV5e");
    // SAFETY: it takes a number, whichever.
    let is_target = |number| unsafe { !sys::xlashape_target_name(number).is_null() };
    assert_eq!((-1..100).filter(|&number| is_target(number)).count(), Target::ALL.len());
    for name in ["", "TPU:v5e", "tpu:v5e ", "tpu:v5e\0", "tpu:v\u{e9}"] {
        let (kind, message) = told(name.parse::<Target>());
        assert!(kind == ErrorKind::NotFound && message.ends_with(&names.join(" ")), "{message}");
    }
}

#[test]
fn layouts_are_chosen_or_kept() -> Result<()> {
    let nest = "(f32[1000,3]{1,0:T(2,2)S(1)}, token[], b(f32[1000,3]))";
    assert_eq!(with(TargetOrder::Choose, nest)?, "(f32[1000,3]{0,1:T(4,128)}, token[], b(f32[1000,3]{0,1:T(4,128)}))");
    assert_eq!(with(TargetOrder::Keep, nest)?, "(f32[1000,3]{1,0:T(8,128)}, token[], b(f32[1000,3]{0,1:T(4,128)}))");
    assert_eq!(V5E.layout(ElementType::F32, &[1000, 3])?.to_string(), "{0,1:T(4,128)}");
    assert_eq!(V5E.layout_with_order(ElementType::F32, &[1000, 3], &[1, 0])?.to_string(), "{1,0:T(8,128)}");
    assert_eq!(V5E.layout_with_order(ElementType::F32, &[], &[])?.to_string(), "{:T(128)}");
    let properties = V5E.properties()?;
    assert_eq!((properties.lanes, properties.sublanes), (128, 8));
    assert_eq!((properties.pointer_bytes, properties.tuple_alignment, V5E.tuple_bytes(300)?), (4, 512, 1536));
    assert_eq!((V5E.memory_space_name(1)?.as_str(), Target::Cpu.properties()?.lanes), ("vmem", 0));
    Ok(())
}

#[test]
fn what_there_is_not_is_refused() {
    let error = with(TargetOrder::Choose, "(f32[2], token[], (f32[3], f32[?,4]))").unwrap_err();
    assert_eq!((error.kind(), error.index()), (ErrorKind::Unsupported, Some(2)), "{error}");
    assert_eq!(with(TargetOrder::Choose, "token[]").unwrap_err().index(), None);
    for (dimensions, refused) in [
        ([1 << 60, 3], ErrorKind::Overflow),
        ([xlashape::UNBOUNDED, 4], ErrorKind::Unsupported),
        ([2, -1], ErrorKind::InvalidArgument),
    ] {
        assert_eq!(kind(V5E.layout(ElementType::F32, &dimensions)), refused);
    }
    for (dimensions, order) in [(&[2, 3][..], &[0][..]), (&[2, 3], &[]), (&[], &[0]), (&[2], &[1, 0])] {
        let message = format!("minor_to_major has {} entries, the rank is {}", order.len(), dimensions.len());
        let refused = V5E.layout_with_order(ElementType::F32, dimensions, order);
        assert_eq!(told(refused), said(ErrorKind::OutOfRange, message));
    }
    assert_eq!(kind(V5E.layout_with_order(ElementType::F32, &[2, 3], &[0, 0])), ErrorKind::InvalidArgument);
    for elements in [usize::MAX, usize::MAX / 2] {
        let (kind, message) = told(V5E.tuple_bytes(elements));
        assert!(kind == ErrorKind::Overflow && message.contains(&elements.to_string()), "{message}");
    }
    assert_eq!(kind(V5E.memory_space_name(3)), ErrorKind::Unsupported);
}
