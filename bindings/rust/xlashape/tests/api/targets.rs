// SPDX-License-Identifier: Apache-2.0
//! Targets: their names and numbers, and what is refused. The layouts that compilers choose are tested in
//! `tests/data/targets`.

use crate::{kind, said, told};
use xlashape::{sys, ElementType, Error, ErrorKind, MissingLayout, Result, Shape, Target, TargetOrder};

fn target(name: &str) -> Target {
    name.parse().unwrap()
}

fn with(order: TargetOrder, text: &str) -> Result<String, Error> {
    Ok(Shape::parse(text, MissingLayout::Keep)?.for_target(target("tpu:v5e"), order)?.to_string())
}

#[test]
fn targets_have_names() {
    let names: Vec<_> = Target::all().map(Target::name).collect();
    for (known, name) in Target::all().zip(&names) {
        assert_eq!(name.parse(), Ok(known));
    }
    let v5e = target("tpu:v5e");
    assert_eq!(format!("{v5e:>8}|{v5e:?}"), " tpu:v5e|Target(\"tpu:v5e\")");
    // SAFETY: it takes a number, whichever.
    let is_target = |number| unsafe { !sys::xlashape_target_name(number).is_null() };
    assert_eq!((-1..100).filter(|&number| is_target(number)).count(), names.len());
    for name in ["v5e", "v5e:2x2", "TPU v5 lite"] {
        assert_eq!(name.parse(), Ok(v5e));
    }
    for name in ["", "tpu:v1", "tpu:v5e\0", "tpu:v\u{e9}"] {
        let (kind, message) = told(name.parse::<Target>());
        assert!(kind == ErrorKind::NotFound && message.ends_with(&names.join(" ")), "{message}");
    }
}

#[test]
fn layouts_are_chosen_or_kept() -> Result<()> {
    let nest = "(f32[1000,3]{1,0:T(2,2)S(1)}, token[], b(f32[1000,3]))";
    assert_eq!(with(TargetOrder::Choose, nest)?, "(f32[1000,3]{0,1:T(4,128)}, token[], b(f32[1000,3]{0,1:T(4,128)}))");
    assert_eq!(with(TargetOrder::Keep, nest)?, "(f32[1000,3]{1,0:T(8,128)}, token[], b(f32[1000,3]{0,1:T(4,128)}))");
    let v5e = target("tpu:v5e");
    assert_eq!(v5e.layout(ElementType::F32, &[1000, 3])?.to_string(), "{0,1:T(4,128)}");
    assert_eq!(v5e.layout_with_order(ElementType::F32, &[1000, 3], &[1, 0])?.to_string(), "{1,0:T(8,128)}");
    assert_eq!(v5e.layout_with_order(ElementType::F32, &[], &[])?.to_string(), "{:T(128)}");
    let properties = v5e.properties()?;
    assert_eq!((properties.lanes, properties.sublanes), (128, 8));
    assert_eq!((properties.pointer_bytes, properties.tuple_alignment, v5e.tuple_bytes(300)?), (4, 512, 1536));
    assert_eq!((v5e.memory_space_name(1)?.as_str(), target("cpu").properties()?.lanes), ("vmem", 0));
    Ok(())
}

#[test]
fn what_there_is_not_is_refused() {
    let v5e = target("tpu:v5e");
    let error = with(TargetOrder::Choose, "(f32[2], token[], (f32[3], f32[?,4]))").unwrap_err();
    assert_eq!((error.kind(), error.index()), (ErrorKind::Unsupported, Some(2)), "{error}");
    assert_eq!(with(TargetOrder::Choose, "token[]").unwrap_err().index(), None);
    for (dimensions, refused) in [
        ([1 << 60, 3], ErrorKind::Overflow),
        ([xlashape::UNBOUNDED, 4], ErrorKind::Unsupported),
        ([2, -1], ErrorKind::InvalidArgument),
    ] {
        assert_eq!(kind(v5e.layout(ElementType::F32, &dimensions)), refused);
    }
    for (dimensions, order) in [(&[2, 3][..], &[0][..]), (&[2, 3], &[]), (&[], &[0]), (&[2], &[1, 0])] {
        let message = format!("minor_to_major has {} entries, the rank is {}", order.len(), dimensions.len());
        let refused = v5e.layout_with_order(ElementType::F32, dimensions, order);
        assert_eq!(told(refused), said(ErrorKind::OutOfRange, message));
    }
    assert_eq!(kind(v5e.layout_with_order(ElementType::F32, &[2, 3], &[0, 0])), ErrorKind::InvalidArgument);
    for elements in [usize::MAX, usize::MAX / 2] {
        let (kind, message) = told(v5e.tuple_bytes(elements));
        assert!(kind == ErrorKind::Overflow && message.contains(&elements.to_string()), "{message}");
    }
    assert_eq!(kind(v5e.memory_space_name(3)), ErrorKind::Unsupported);
}
