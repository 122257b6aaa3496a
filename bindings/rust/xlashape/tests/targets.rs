//! The layouts that compilers choose for their targets, and what else is known of these.

use xlashape::{sys, ElementType, Error, ErrorKind, MissingLayout, Shape, Target, TargetOrder};

fn bare(text: &str) -> Shape {
    Shape::parse(text, MissingLayout::Keep).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn chosen(target: Target, text: &str) -> String {
    bare(text).for_target(target, TargetOrder::Choose).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

fn refusal(target: Target, text: &str) -> Error {
    bare(text).for_target(target, TargetOrder::Choose).unwrap_err()
}

#[test]
fn targets_have_names() {
    let names: Vec<_> = Target::ALL.iter().map(Target::to_string).collect();
    assert_eq!(names.join(" "), "cpu gpu tpu:v2 tpu:v3 tpu:v4 tpu:v5e tpu:v5p tpu:v6e tpu:v7x");
    for (&target, name) in Target::ALL.iter().zip(&names) {
        assert_eq!((name.parse(), target.name()), (Ok(target), name.as_str()));
    }
    assert_eq!(format!("{:>8}|{:?}", Target::TpuV5e, Target::TpuV5e), " tpu:v5e|TpuV5e");
    // SAFETY: it takes a number, whichever.
    let is_target = |number| unsafe { !sys::xlashape_target_name(number).is_null() };
    assert_eq!((-1..100).filter(|&number| is_target(number)).count(), Target::ALL.len());
}

#[test]
fn other_names_are_refused_with_those_that_exist() {
    for name in ["", "TPU:v5e", "tpu", "tpu:v5", "tpu:v5e ", "tpu:v5e\0", "tpu:v\u{e9}"] {
        let error = name.parse::<Target>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{name}");
        let names: Vec<_> = Target::ALL.iter().map(|target| target.name()).collect();
        assert!(error.message().ends_with(&names.join(" ")), "{error}");
    }
    let error = "tpu:v1".parse::<Target>().unwrap_err();
    assert!(error.message().contains("'tpu:v1'"), "{error}");
}

#[test]
fn arrays_get_the_layout_of_the_compiler() {
    for (target, array, layout) in [
        (Target::TpuV5e, "f32[1000,3]", "{0,1:T(4,128)}"),
        (Target::TpuV5e, "f32[]", "{:T(128)}"),
        (Target::TpuV5e, "bf16[7]", "{0:T(256)(128)(2,1)}"),
        (Target::TpuV5e, "s4[300,500]", "{1,0:T(8,128)(8,1)E(4)}"),
        (Target::TpuV5e, "f32[0,3]", "{1,0}"),
        (Target::TpuV5e, "f32[<=1000,3]", "{0,1:T(4,128)}"),
        (Target::TpuV2, "f32[]", "{:T(256)}"),
        (Target::TpuV2, "bf16[7]", "{0:T(512)(128)(2,1)}"),
        (Target::Cpu, "s4[8,3]", "{1,0:E(4)}"),
        (Target::Gpu, "s4[8,3]", "{1,0:E(4)}"),
        (Target::Cpu, "f32[1000,3]", "{1,0}"),
        (Target::Cpu, "f6e3m2fn[4]", "{0}"),
    ] {
        let shape = bare(array);
        assert_eq!(chosen(target, array), format!("{array}{layout}"), "{target}");
        let alone = target.layout(shape.element_type(), &shape.dimensions()).unwrap();
        assert_eq!(alone.to_string(), layout, "{target} {array}");
    }
}

#[test]
fn an_order_is_kept() -> xlashape::Result<()> {
    let kept = |text| Ok::<_, Error>(bare(text).for_target(Target::TpuV5e, TargetOrder::Keep)?.to_string());
    assert_eq!(kept("f32[1000,3]{1,0:T(2,2)S(1)}")?, "f32[1000,3]{1,0:T(8,128)}");
    assert_eq!(kept("f32[1000,3]")?, "f32[1000,3]{0,1:T(4,128)}");
    assert_eq!(kept("(f32[1000,3]{1,0}, f32[1000,3])")?, "(f32[1000,3]{1,0:T(8,128)}, f32[1000,3]{0,1:T(4,128)})");
    assert_eq!(chosen(Target::TpuV5e, "f32[1000,3]{1,0:T(2,2)S(1)}"), "f32[1000,3]{0,1:T(4,128)}");
    let v5e = Target::TpuV5e;
    assert_eq!(v5e.layout_with_order(ElementType::F32, &[1000, 3], &[1, 0])?.to_string(), "{1,0:T(8,128)}");
    assert_eq!(v5e.layout_with_order(ElementType::F32, &[], &[])?.to_string(), "{:T(128)}");
    assert_eq!(Target::Cpu.layout_with_order(ElementType::S4, &[8, 3], &[0, 1])?.to_string(), "{0,1:E(4)}");
    Ok(())
}

#[test]
fn tuples_get_one_for_each_array() {
    let nest = "(f32[1000,3], token[], (s4[300,500], opaque[]), b(bf16[7]), ())";
    assert_eq!(
        chosen(Target::TpuV5e, nest),
        "(f32[1000,3]{0,1:T(4,128)}, token[], (s4[300,500]{1,0:T(8,128)(8,1)E(4)}, opaque[]), \
         b(bf16[7]{0:T(256)(128)(2,1)}), ())"
    );
    let error = refusal(Target::TpuV5e, "(f32[2], token[], (f32[3], f32[?,4]))");
    assert_eq!((error.kind(), error.index()), (ErrorKind::Unsupported, Some(2)), "{error}");
}

#[test]
fn what_has_no_layout_is_refused() {
    let unsupported =
        [("f32[?,4]", "dimension 0"), ("token[]", "token"), ("opaque[]", "opaque"), ("f6e3m2fn[4]", "f6e3m2fn")];
    for (text, part) in unsupported {
        let error = refusal(Target::TpuV5e, text);
        assert_eq!((error.kind(), error.index()), (ErrorKind::Unsupported, None), "{text}: {error}");
        assert!(error.message().contains(part), "{text}: {error}");
    }
    assert_eq!(refusal(Target::TpuV5e, "f32[1152921504606846976,3]").kind(), ErrorKind::Overflow);
    let kind = |dimensions: &[i64]| Target::TpuV5e.layout(ElementType::F32, dimensions).unwrap_err().kind();
    assert_eq!(kind(&[1 << 60, 3]), ErrorKind::Overflow);
    assert_eq!(kind(&[1 << 62, 4]), ErrorKind::Overflow);
    assert_eq!(kind(&[xlashape::UNBOUNDED, 4]), ErrorKind::Unsupported);
    assert_eq!(kind(&[2, -1]), ErrorKind::InvalidArgument);
    let tuple = Target::Cpu.layout(ElementType::TUPLE, &[2]).unwrap_err();
    assert_eq!(tuple.kind(), ErrorKind::Unsupported);
}

#[test]
fn orders_that_are_none_are_refused() {
    let refusal = |dimensions: &[i64], order: &[i64]| {
        Target::TpuV5e.layout_with_order(ElementType::F32, dimensions, order).unwrap_err()
    };
    for (dimensions, order) in [(&[2, 3][..], &[0][..]), (&[2, 3], &[]), (&[], &[0]), (&[2], &[1, 0])] {
        let error = refusal(dimensions, order);
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
        let message = format!("minor_to_major has {} entries, the rank is {}", order.len(), dimensions.len());
        assert_eq!(error.message(), message);
    }
    for order in [[0, 0], [0, 2], [-1, 0]] {
        assert_eq!(refusal(&[2, 3], &order).kind(), ErrorKind::InvalidArgument, "{order:?}");
    }
}

#[test]
fn targets_have_properties() -> xlashape::Result<()> {
    for (target, registers, pointer, alignment, tables) in [
        (Target::Cpu, (0, 0), 8, 1, [0, 8, 2400]),
        (Target::Gpu, (0, 0), 8, 1, [0, 8, 2400]),
        (Target::TpuV2, (128, 8), 4, 1024, [0, 1024, 2048]),
        (Target::TpuV3, (128, 8), 4, 1024, [0, 1024, 2048]),
        (Target::TpuV4, (128, 8), 4, 512, [0, 512, 1536]),
        (Target::TpuV5e, (128, 8), 4, 512, [0, 512, 1536]),
        (Target::TpuV5p, (128, 8), 4, 32, [0, 32, 1216]),
        (Target::TpuV6e, (128, 8), 4, 32, [0, 32, 1216]),
        (Target::TpuV7x, (128, 8), 4, 32, [0, 32, 1216]),
    ] {
        let properties = target.properties()?;
        assert_eq!((properties.lanes, properties.sublanes), registers, "{target}");
        assert_eq!((properties.pointer_bytes, properties.tuple_alignment), (pointer, alignment), "{target}");
        assert_eq!([0, 1, 300].map(|elements| target.tuple_bytes(elements)), tables.map(Ok), "{target}");
    }
    for elements in [usize::MAX, usize::MAX / 2] {
        let error = Target::TpuV5e.tuple_bytes(elements).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{elements}");
        assert!(error.message().contains(&elements.to_string()), "{error}");
    }
    Ok(())
}

#[test]
fn memory_spaces_have_names_where_they_are_known() {
    let names = |target: Target| -> Vec<_> {
        (-1..8).filter_map(|space| target.memory_space_name(space).ok().map(|name| format!("{space} {name}"))).collect()
    };
    for target in [Target::TpuV5e, Target::TpuV5p, Target::TpuV6e, Target::TpuV7x] {
        assert_eq!(names(target), ["0 hbm", "1 vmem", "2 smem", "5 host"], "{target}");
    }
    for target in [Target::TpuV2, Target::TpuV3, Target::TpuV4] {
        assert_eq!(names(target), ["0 hbm", "2 smem", "5 host"], "{target}");
    }
    for target in [Target::Cpu, Target::Gpu] {
        assert!(names(target).is_empty(), "{target}");
    }
    for space in [i64::MIN, -1, 3, 16, i64::MAX] {
        let error = Target::TpuV5e.memory_space_name(space).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(&space.to_string()) && error.message().contains("tpu:v5e"), "{error}");
    }
}
