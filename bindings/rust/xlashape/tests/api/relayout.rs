// SPDX-License-Identifier: Apache-2.0
//! Plans, relayouts at once and conversions of indices: what Rust adds to the library's, and everything that may be
//! said about them.

use crate::{kind, numbers, plan, said, shape, told};
use std::collections::HashSet;
use xlashape::{
    relayout, sys, Conversion, ErrorKind, FillPolicy, IndexMap, IndexOrder, MemorySpace, Plan, Relayout, Result,
    Runtime, Scales,
};

#[test]
fn each_way_to_execute_does_the_same() -> Result<()> {
    for (from, to) in [
        ("bf16[37,300]{1,0}", "bf16[37,300]{1,0:T(8,128)(2,1)}"),
        ("c128[6,5]{0,1}", "c128[6,5]{1,0:T(2,2)(2,1)}"),
        ("s64[]", "s64[]"),
        ("f32[0,4]", "f32[0,4]{0,1:T(2,2)}"),
    ] {
        let (from, to) = (shape(from), shape(to));
        let (plan, src) = (Plan::new(&from, &to)?, numbers(from.byte_size()?));
        let want = plan.execute_to_vec(&src)?;
        let (mut once, mut planned) = (vec![0xEE; want.len()], vec![0xEE; want.len()]);
        relayout(&from, &src, &to, &mut once)?;
        plan.clone().execute(&src, &mut planned)?;
        assert_eq!((&once, &planned), (&want, &want), "{from} -> {to}");
        assert_eq!((plan.byte_sizes(), plan.shapes()?), ((src.len(), want.len()), (from.clone(), to.clone())));
        assert_eq!(Plan::new(&to, &from)?.execute_to_vec(&want)?, src, "{to} -> {from}");
    }
    Ok(())
}

#[test]
fn typed_slices_move() -> Result<()> {
    let mut dst = [[0.0f32; 2]; 4];
    plan("c64[2,2]", "c64[2,2]{0,1}").execute_typed(&[[0., 1.], [2., 3.], [4., 5.], [6., 7.]], &mut dst)?;
    assert_eq!(dst, [[0., 1.], [4., 5.], [2., 3.], [6., 7.]]);
    let mut bits = [0u16; 4];
    plan("bf16[2,2]", "bf16[2,2]{0,1}").execute_typed(&[1, 2, 3, 4], &mut bits)?;
    assert_eq!(bits, [1, 3, 2, 4]);
    let mut small = [0i8; 4];
    plan("s4[2,2]", "s4[2,2]{0,1}").execute_typed(&[-1, 2, -3, 4], &mut small)?;
    assert_eq!(small, [-1, -3, 2, 4]);

    let floats = plan("f32[3,4]", "f32[3,4]{0,1}");
    assert_eq!(kind(floats.execute_typed(&[1i32; 12], &mut [0; 12])), ErrorKind::WrongType);
    assert_eq!(kind(plan("s32[12]", "s32[12]").execute_typed(&[1.0f32; 12], &mut [0.0; 12])), ErrorKind::WrongType);
    assert_eq!(kind(floats.execute_typed(&[1.0f64; 6], &mut [0.0; 6])), ErrorKind::WrongType);
    assert_eq!(kind(floats.execute_typed(&[1u8; 48], &mut [0; 48])), ErrorKind::WrongType);
    assert_eq!(kind(floats.execute_typed(&[1.0f32; 11], &mut [0.0; 12])), ErrorKind::OutOfRange);
    let packed = plan("s4[8]", "s4[8]{0:E(4)}");
    assert_eq!(kind(packed.execute_typed(&[1i8; 8], &mut [0; 4])), ErrorKind::WrongType);
    assert_eq!(
        told(plan("pred[8]", "pred[8]{0:E(32)}").execute_typed(&[1u8; 8], &mut [0; 32])),
        said(ErrorKind::WrongType, "dst has elements of 32 bits, those of a slice of u8 have 8")
    );
    assert_eq!(
        told(floats.execute_typed(&[1u32; 12], &mut [0; 12])),
        said(ErrorKind::WrongType, "src has elements of type f32, which a slice of u32 does not hold")
    );
    Ok(())
}

/// Strides reach before index 0...0 and beyond the layout; what lies between is left alone.
#[test]
fn strides_replace_layouts() -> Result<()> {
    let (image, tiled, pair) = (shape("u8[3,4]"), shape("u8[3,4]{0,1:T(2,2)}"), shape("u8[2,3]"));
    let packed = shape("s4[7]{0:E(4)}");
    for (request, src, want) in [
        (Relayout::new(&image, &image).src_byte_strides([-4, 1], 8), &b"abcdefghijkl"[..], &b"ijklefghabcd"[..]),
        (
            Relayout::new(&image, &image).dst_byte_strides([10, 2], 1),
            b"abcdefghijkl",
            b".a.b.c.d...e.f.g.h...i.j.k.l..",
        ),
        (Relayout::new(&pair, &pair).src_byte_strides([0, 1], 0), b"abc", b"abcabc"),
        (Relayout::new(&image, &tiled).src_byte_strides([-4, -1], 11), b"abcdefghijkl", b"lhkgd\0c\0jfieb\0a\0"),
        (Relayout::new(&tiled, &image).dst_byte_strides([-4, -1], 11), b"lhkgd\0c\0jfieb\0a\0", b"abcdefghijkl"),
        (Relayout::new(&image, &tiled).src_element_strides([-4, -1], 11), b"abcdefghijkl", b"lhkgd\0c\0jfieb\0a\0"),
        (Relayout::new(&pair, &pair).dst_element_strides([-4, 1], 5), b"abcdef", b".def.abc"),
        (Relayout::new(&packed, &packed).src_element_strides([-1], 6), b"\x21\x43\x65\x07", b"\x67\x45\x23\x01"),
        (
            Relayout::new(&packed, &packed).dst_element_strides([-2], 13),
            b"\x21\x43\x65\x07",
            b"\x7e\x6e\x5e\x4e\x3e\x2e\x1e",
        ),
    ] {
        let (mut once, mut planned) = (vec![b'.'; want.len()], vec![b'.'; want.len()]);
        request.run(src, &mut once)?;
        request.plan()?.execute(src, &mut planned)?;
        assert_eq!((once.as_slice(), planned.as_slice()), (want, want), "{request:?}");
        // One byte less: refused in the same way, before anything is written.
        let (src_bytes, dst_bytes) = request.plan()?.byte_sizes();
        for (src_len, dst_len) in [(src_bytes - 1, want.len()), (src.len(), dst_bytes - 1), (src.len(), 0)] {
            let mut dst = vec![b'#'; dst_len];
            let error = request.run(&src[..src_len], &mut dst).unwrap_err();
            assert_eq!(error, request.plan()?.execute(&src[..src_len], &mut dst).unwrap_err());
            assert!(error.kind() == ErrorKind::OutOfRange && dst.iter().all(|&byte| byte == b'#'), "{error}");
        }
    }
    let backwards = |offset| Relayout::new(&image, &tiled).src_byte_strides([-4, -1], offset).plan();
    assert_eq!(
        told(backwards(10)),
        said(ErrorKind::OutOfRange, "src reaches 11 bytes before index 0...0, its offset is 10")
    );
    assert_eq!(kind(backwards(usize::MAX)), ErrorKind::Overflow);
    let overlapping = Relayout::new(&image, &image).dst_byte_strides([1, 1], 0);
    assert!(overlapping.plan().is_err() && overlapping.run(&[0; 12], &mut [0; 12]).is_err());
    assert_eq!(kind(Relayout::new(&packed, &packed).dst_element_strides([0], 0).plan()), ErrorKind::InvalidArgument);
    assert_eq!(
        told(Relayout::new(&packed, &packed).src_element_strides([-1], 5).plan()),
        said(
            ErrorKind::OutOfRange,
            "the strides of the source, whose first element is 5, reach element -1, before the pointer"
        )
    );
    let farthest = Relayout::new(&packed, &packed).src_element_strides([1], i64::MAX);
    assert_eq!((kind(farthest.plan()), kind(farthest.run(&[], &mut []))), (ErrorKind::Overflow, ErrorKind::Overflow));
    // Of one side the last strides count.
    let mut dst = [b'.'; 12];
    Relayout::new(&image, &image).src_byte_strides([4, 4], 9).src_element_strides([4, 1], 0).run(&DATA, &mut dst)?;
    assert_eq!(dst, DATA);
    Relayout::new(&image, &image).src_element_strides([4], 9).src_byte_strides([-4, 1], 8).run(&DATA, &mut dst)?;
    assert_eq!(&dst, b"ijklefghabcd");
    Ok(())
}

const DATA: [u8; 12] = *b"abcdefghijkl";

/// Packed elements are held by bytes only, others as their layout has them.
#[test]
fn types_of_elements_by_strides() -> Result<()> {
    let (packed, wide, vast) = (shape("s4[4]{0:E(4)}"), shape("s4[4]{0:E(16)}"), shape("u16[2305843009213693952,2]"));
    let both = |shape, strides| Relayout::new(shape, shape).src_element_strides([strides], 0).plan();
    assert_eq!(
        told(both(&packed, 1)?.execute_typed(&[1i8; 4], &mut [0i8; 4])),
        said(ErrorKind::WrongType, "src has elements of 4 bits, those of a slice of i8 have 8")
    );
    assert_eq!(
        told(both(&wide, 1)?.execute_typed(&[1i8; 4], &mut [0i8; 4])),
        said(ErrorKind::WrongType, "src has elements of 16 bits, those of a slice of i8 have 8")
    );
    let mut bytes = [0; 8];
    both(&wide, 0)?.execute(&[7, 0], &mut bytes)?;
    assert_eq!(bytes, [7, 0, 7, 0, 7, 0, 7, 0]);
    let (scalar, mut one) = (shape("s4[]{:E(4)}"), [0]);
    Relayout::new(&scalar, &scalar).src_element_strides([], 2).run(b"\x21\x43", &mut one)?;
    assert_eq!(one[0] & 15, 3);
    let part = shape("u16[3,2]"); // of a shape that has no sizes
    let mut rows = [0u16; 6];
    let plan = Relayout::new(&vast, &part).src_element_strides([0, 1], 1).index_box([0, 0], [0, 0], [3, 2]).plan()?;
    plan.execute_typed(&[1u16, 2, 3], &mut rows)?;
    assert_eq!(rows, [2, 3, 2, 3, 2, 3]);
    Ok(())
}

#[test]
fn boxes_and_fills() -> Result<()> {
    let (large, small, padded) = (shape("u8[4,4]"), shape("u8[2,2]{0,1}"), shape("u8[3]{0:T(4)}"));
    let mut dst = [b'.'; 4];
    Relayout::new(&large, &small).index_box([1, 2], [0, 0], [2, 2]).run(b"abcdefghijklmnop", &mut dst)?;
    assert_eq!(&dst, b"gkhl");
    for (policy, want) in [(FillPolicy::Padding, b"abc\0"), (FillPolicy::Preserve, b"abc.")] {
        let mut dst = [b'.'; 4];
        Relayout::new(&shape("u8[3]"), &padded).fill(policy).run(b"abc", &mut dst)?;
        assert_eq!(&dst, want);
    }
    Ok(())
}

#[test]
fn within_one_array() -> Result<()> {
    let (rows, columns) = (shape("f32[70,30]"), shape("f32[70,30]{0,1}"));
    let there = Relayout::new(&rows, &columns).in_place().plan()?;
    let back = Relayout::new(&columns, &rows).in_place().plan()?;
    let before: Vec<f32> = (0..2100).map(|i| i as f32).collect();
    let (mut array, mut want) = (before.clone(), before.clone());
    Plan::new(&rows, &columns)?.execute_typed(&before, &mut want)?;
    assert!(there.requirements()?.scratch_bytes > 0);
    there.execute_in_place_typed(&mut array)?;
    assert_eq!(array, want);
    back.clone().execute_in_place_typed(&mut array)?;
    assert_eq!(array, before);
    assert_eq!(kind(there.execute_in_place_typed(&mut [0i32; 2100])), ErrorKind::WrongType);

    let mut bytes = vec![7; 8400];
    let must_be_one = said(ErrorKind::InvalidArgument, "the plan runs in place: src and dst must be equal");
    assert_eq!(told(there.execute(&[0; 8400], &mut bytes)), must_be_one);
    assert_eq!(told(there.execute_to_vec(&bytes)), must_be_one);
    assert_eq!(told(Relayout::new(&rows, &columns).in_place().run(&[0; 8400], &mut bytes)), must_be_one);
    assert_eq!(kind(there.execute_in_place(&mut bytes[1..])), ErrorKind::OutOfRange);
    // Plans that are not in place, however their sides lie.
    let strided =
        |src, dst| Relayout::new(&rows, &columns).src_byte_strides([4, 280], src).dst_byte_strides([120, 4], dst);
    for plan in [Plan::new(&rows, &columns)?, strided(0, 0).plan()?] {
        assert_eq!(kind(plan.execute_in_place(&mut bytes)), ErrorKind::InvalidArgument);
    }
    assert_eq!(kind(strided(0, 4).plan()?.execute_in_place(&mut [7; 8404])), ErrorKind::InvalidArgument);
    let grows = Plan::new(&rows, &shape("f32[70,30]{1,0:T(8,128)}"))?;
    assert_eq!(kind(grows.execute_in_place(&mut bytes)), ErrorKind::OutOfRange);
    assert_eq!(bytes, [7; 8400]);
    Plan::new(&rows, &rows)?.execute_in_place(&mut bytes)?; // moves nothing
    let none = (shape("f32[0,4]"), shape("f32[0,4]{0,1}"));
    Relayout::new(&none.0, &none.1).in_place().plan()?.execute_in_place(&mut [])?;
    let padded = shape("f32[70,30]{1,0:T(8,128)}");
    assert_eq!(kind(Relayout::new(&rows, &padded).in_place().plan()), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn plans_tell_about_themselves() -> Result<()> {
    let (from, to) = (shape("f32[64,64]"), shape("f32[64,64]{0,1}"));
    let plan = Relayout::new(&from, &to).backend("scalar").keep_in_cache().plan()?;
    assert_eq!(plan.backend(), "scalar");
    assert!(plan.describe()?.contains("scalar") && format!("{plan:?}").starts_with("Plan("));
    let needs = plan.requirements()?;
    assert_eq!((needs.src_low, needs.src_high, needs.dst_high), (0, 16384, 16384));
    assert_eq!((plan.task_count(8) >= 1, plan.task_count(usize::MAX)), (true, plan.task_count(i64::MAX as usize)));
    let fallback = Relayout::new(&from, &to).backend("no such backend");
    assert_eq!(kind(fallback.plan()), ErrorKind::NotFound);
    assert_ne!(fallback.allow_fallback().plan()?.backend(), "no such backend");
    Ok(())
}

#[test]
fn keys_are_equal_for_equal_questions() -> Result<()> {
    let (from, to) = (shape("u8[3,4]"), shape("u8[3,4]{0,1:T(2,2)}"));
    let request = || Relayout::new(&from, &to);
    let key = request().key()?;
    assert!(key.starts_with("u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,2)}"), "{key}");
    assert_eq!(key, request().fill(FillPolicy::Padding).runtime(&Runtime::new()?).key()?);
    let different = [
        request(),
        Relayout::new(&to, &from),
        request().fill(FillPolicy::Preserve),
        request().fill(FillPolicy::Unspecified),
        request().allow_fallback(),
        request().keep_in_cache(),
        request().in_place(),
        request().backend("simd"),
        request().backend("nobody"),
        request().device(1),
        request().memory_spaces(MemorySpace::CUDA, MemorySpace::CPU),
        request().memory_spaces(MemorySpace::CPU, MemorySpace::CUDA),
        request().src_byte_strides([1, 2], 0),
        request().src_byte_strides([1, 2], 1),
        request().src_byte_strides([1, 2], 2),
        request().dst_byte_strides([1, 2], 0),
        request().dst_byte_strides([1, 2], 1),
        request().src_element_strides([1, 2], 0),
        request().src_element_strides([1, 2], 1),
        request().dst_element_strides([1, 2], 0),
        request().dst_element_strides([1, 2], 1),
        request().index_box([0, 1], [0, 0], [1, 1]),
        request().index_box([0, 0], [0, 1], [1, 1]),
        request().index_box([0, 0], [0, 0], [1, 2]),
        request().convert(),
        request().convert().saturate(),
        request().src_high_first(),
        request().dst_high_first(),
        request().convert().scales(Scales::all(2.0)),
        request().convert().scales(Scales::all(4.0)),
        request().convert().scales(Scales::all(2.0).zero_points([1])),
        request().convert().scales(Scales::along(0, [2.0, 2.0, 2.0])),
        request().convert().scales(Scales::along(1, [2.0, 2.0, 2.0])),
    ];
    let keys = different.iter().map(Relayout::key).collect::<Result<HashSet<_>>>()?;
    assert_eq!(keys.len(), different.len(), "{keys:#?}");
    assert_eq!(kind(request().src_byte_strides([1], 0).key()), ErrorKind::OutOfRange);
    assert_eq!(kind(request().backend("a\0b").key()), ErrorKind::NotFound);
    assert_eq!(kind(Relayout::new(&shape("(u8[2])"), &to).key()), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn batches_agree_with_single_calls() -> Result<()> {
    let map = IndexMap::new(&shape("f32[5,7]{0,1:T(2,4)}"))?;
    let linear: Vec<i64> = (0..map.storage_elements()).collect();
    let mut planar = vec![0; linear.len() * 2];
    let runtime = Runtime::new()?;
    let batch = map.batch().order(IndexOrder::Planar).runtime(&runtime).mark_invalid(true);
    let bad = batch.indices(&linear, &mut planar)?;
    let mut padding = 0;
    for (i, &position) in linear.iter().enumerate() {
        let index = [planar[i], planar[linear.len() + i]];
        match map.index(position)? {
            Some(known) => assert_eq!((known.as_slice(), map.linear_index(&index)?), (&index[..], position)),
            None => {
                padding += 1;
                assert_eq!(index, [-1, -1]);
            }
        }
    }
    assert_eq!((bad, bad > 0), (padding, true));
    let mut back = vec![0; linear.len()];
    assert_eq!(batch.linear_indices(&planar, &mut back)?, bad);
    let error = map.indices(&linear, &mut planar).unwrap_err();
    assert_eq!(error.index(), linear.iter().position(|&position| map.index(position) == Ok(None)));
    assert_eq!(map.linear_indices(&[0, 0, 9, 9], &mut [0; 2]).unwrap_err().index(), Some(1));
    assert_eq!(kind(map.linear_indices(&[0; 5], &mut [0; 2])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.indices(&[0; 2], &mut [0; 6])), ErrorKind::OutOfRange);
    Ok(())
}

fn tiled_map() -> IndexMap {
    IndexMap::new(&shape("u8[3,4]{0,1:T(2,2)}")).unwrap()
}

#[test]
fn index_plans_keep_to_their_slices() -> Result<()> {
    let map = tiled_map();
    let plan = Conversion::to_indices(&map).steps(1, 3).backend("scalar").plan()?;
    drop(map);
    let mut planar = [-7; 6];
    assert_eq!((plan.execute(&[0, 14, 6], &mut planar)?, planar), (0, [0, 2, 2, 0, 3, 1]));
    assert_eq!(plan.backend(), "scalar");
    assert!(format!("{plan:?}").contains("scalar"));
    let failed = plan.execute(&[0, 14, 5], &mut planar).unwrap_err();
    assert_eq!((failed.kind(), failed.index()), (ErrorKind::OutOfRange, Some(2)));
    let mut kept = [-7; 5];
    for short in [5, 0] {
        assert_eq!(kind(plan.execute(&[0, 14, 6], &mut kept[..short])), ErrorKind::OutOfRange);
    }
    assert_eq!(kept, [-7; 5]);
    let back = Conversion::to_linear(&tiled_map()).plan()?;
    let mut linear = [-7; 2];
    assert_eq!(kind(back.execute(&[2, 3, 0], &mut linear)), ErrorKind::OutOfRange);
    assert_eq!(kind(back.execute(&[], &mut linear)), ErrorKind::OutOfRange);
    assert_eq!(linear, [-7; 2]);
    back.clone().execute(&[2, 3, 0, 2], &mut linear)?;
    assert_eq!(linear, [14, 8]);
    back.execute(&[], &mut [])?;

    // The indices of a scalar have no entries.
    let scalar = IndexMap::new(&shape("u8[]{:T(4)}"))?;
    assert_eq!((Conversion::to_linear(&scalar).plan()?.execute(&[], &mut linear)?, linear), (0, [0, 0]));
    assert_eq!(scalar.batch().mark_invalid(true).indices(&[0, 1, 9], &mut [])?, 2);

    let map = tiled_map();
    assert_eq!(kind(Conversion::to_linear(&map).steps(0, 1).plan()), ErrorKind::InvalidArgument);
    assert_eq!(kind(Conversion::to_linear(&map).backend("nothing").plan()), ErrorKind::NotFound);
    assert!(Conversion::to_linear(&map).backend("nothing").allow_fallback().plan().is_ok());
    Ok(())
}

#[test]
fn raw_executions_are_checked_by_the_library() -> Result<()> {
    let options = sys::xlashape_execute_options { task_begin: 2, task_end: 1, ..sys::xlashape_execute_options::new() };
    // SAFETY: refused before anything is touched.
    assert_eq!(kind(unsafe { plan("u8[4]", "u8[4]").execute_raw(&options) }), ErrorKind::InvalidArgument);
    let unchecked = i64::from(sys::XLASHAPE_UNCHECKED);
    for (bytes, want) in [
        (4, None),
        (unchecked, None),
        (3, Some(ErrorKind::OutOfRange)),
        (0, Some(ErrorKind::OutOfRange)),
        (-2, Some(ErrorKind::InvalidArgument)),
    ] {
        let (src, mut dst) = ([1u8, 2, 3, 4], [0u8; 4]);
        let (src, dst) = (src.as_ptr() as u64, dst.as_mut_ptr() as u64);
        let more = sys::xlashape_execute_options::new();
        let options = sys::xlashape_execute_options { src, dst, src_bytes: 4, dst_bytes: bytes, ..more };
        // SAFETY: both arrays hold four bytes.
        let result = unsafe { plan("u8[4]", "u8[4]").execute_raw(&options) };
        assert_eq!(result.err().map(|error| error.kind()), want, "{bytes}");
    }
    let marks = Conversion::to_linear(&tiled_map()).mark_invalid(true).plan()?;
    let (src, mut dst, mut bad) = ([2i64, 3, 9, 9], [-7i64; 2], -7);
    let (from, to) = (src.as_ptr() as u64, dst.as_mut_ptr() as u64);
    let with = |src_bytes, dst_bytes| {
        let more = sys::xlashape_execute_options::new();
        sys::xlashape_execute_options { src: from, src_bytes, dst: to, dst_bytes, ..more }
    };
    // SAFETY: refused before anything is touched; then both arrays hold two indices.
    unsafe {
        assert_eq!(kind(marks.execute_raw(-1, &with(32, 16), None)), ErrorKind::InvalidArgument);
        assert_eq!(kind(marks.execute_raw(2, &with(32, 15), None)), ErrorKind::OutOfRange);
        assert_eq!(kind(marks.execute_raw(2, &with(-2, 16), None)), ErrorKind::InvalidArgument);
        marks.execute_raw(2, &with(unchecked, 16), Some(&mut bad))?;
    }
    assert_eq!((dst, bad), ([14, -1], 1));
    Ok(())
}

#[test]
fn handles_live_on_other_threads() {
    let plan = std::thread::spawn(|| plan("f32[65,130]", "f32[65,130]{0,1:T(8,128)}")).join().unwrap();
    let src = numbers(plan.byte_sizes().0); // the plan's thread has ended
    let want = plan.execute_to_vec(&src).unwrap();
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let (plan, src, want) = (plan.clone(), src.clone(), want.clone());
            std::thread::spawn(move || (0..20).for_each(|_| assert!(plan.execute_to_vec(&src).unwrap() == want)))
        })
        .collect();
    drop(plan);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn arrays_larger_than_memory() {
    for elements in [1i64 << 47, 1 << 62, i64::MAX] {
        let huge = format!("u8[{elements}]");
        // The source is looked at first.
        assert_eq!(kind(plan(&huge, &huge).execute_to_vec(&[1])), ErrorKind::OutOfRange);
        let tail = plan("u8[1]", &format!("u8[1]{{0:L({elements})}}")).execute_to_vec(&[1]);
        let message = format!("dst takes {elements} bytes: there is no memory for them");
        assert_eq!(told(tail), said(ErrorKind::NoMemory, message));
    }
}
