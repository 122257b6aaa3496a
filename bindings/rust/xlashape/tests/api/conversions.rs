// SPDX-License-Identifier: Apache-2.0
//! Relayouts that convert values: floats, quantized values, bits from the highest.

use crate::{kind, plan, said, shape, told};
use xlashape::{ErrorKind, Executions, IndexMap, Relayout, Result, Scales};

/// Rounded to the nearest, of two equally near ones to even.
fn bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16) as u16
}

#[test]
fn floats_become_bf16_in_tiles() -> Result<()> {
    let (from, to) = (shape("f32[9,130]"), shape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
    let mut src: Vec<f32> = (0..9 * 130).map(|i| i as f32 * 0.37 - 200.0).collect();
    src[..5].copy_from_slice(&[f32::INFINITY, f32::MAX, -f32::MAX, f32::MIN_POSITIVE / 4.0, 1.0 + 1.0 / 256.0]);
    let mut want = vec![0u16; to.byte_size()? / 2];
    let map = IndexMap::new(&to)?;
    for (i, &value) in src.iter().enumerate() {
        want[map.linear_index(&[i as i64 / 130, i as i64 % 130])? as usize] = bf16(value);
    }
    let (mut dst, mut listed) = (vec![7u16; want.len()], vec![7u16; want.len()]);
    let there = Relayout::new(&from, &to).convert().plan()?;
    there.execute_converting(&src, &mut dst)?;
    Executions::new().add_converting(&there, &src, &mut listed)?.run()?;
    assert_eq!((&dst, &listed), (&want, &want));

    let mut back = vec![0.0f32; src.len()];
    Relayout::new(&to, &from).convert().plan()?.execute_converting(&dst, &mut back)?;
    let rounded: Vec<f32> = src.iter().map(|&value| f32::from_bits(u32::from(bf16(value)) << 16)).collect();
    assert_eq!(back, rounded);

    // f32::MAX is beyond the largest bf16.
    let mut finite = vec![0u16; want.len()];
    Relayout::new(&from, &to).convert().saturate().plan()?.execute_converting(&src, &mut finite)?;
    let at = |index: &[i64]| map.linear_index(index).unwrap() as usize;
    assert_eq!([dst[at(&[0, 0])], dst[at(&[0, 1])], dst[at(&[0, 2])]], [0x7F80, 0x7F80, 0xFF80]);
    assert_eq!([finite[at(&[0, 0])], finite[at(&[0, 1])], finite[at(&[0, 2])]], [0x7F7F, 0x7F7F, 0xFF7F]);
    Ok(())
}

#[test]
fn a_scale_for_each_channel() -> Result<()> {
    let (quantized, reals) = (shape("s8[2,3]{1,0:T(2,4)}"), shape("f32[2,3]{0,1}"));
    let scales = Scales::along(1, [0.5, 0.25, 2.0]).zero_points(vec![0, 10, -3]);
    let there = Relayout::new(&quantized, &reals).convert().scales(scales.clone()).plan()?;
    let back = Relayout::new(&reals, &quantized).convert().scales(scales).plan()?;
    // Scales and builders are gone: the plans have copies.
    let (mut values, mut bytes) = ([0.0f32; 6], [55i8; 8]);
    there.execute_converting(&[4i8, 14, 0, 99, -128, 127, -3, 99], &mut values)?;
    assert_eq!(values, [2.0, -64.0, 1.0, 29.25, 6.0, 0.0]); // column by column
    back.execute_converting(&values, &mut bytes)?;
    assert_eq!(bytes, [4, 14, 0, 0, -128, 127, -3, 0]);
    // To even, and to the ends of the range.
    back.execute_converting(&[0.25f32, 0.75, 1e9, -1e9, f32::NAN, 1.0], &mut bytes)?;
    assert_eq!(bytes, [0, 127, -3, 0, 2, -128, -3, 0]);

    // One scale for all, and one for each row of a source whose box begins at row 1.
    let mut dst = [0.0f32; 6];
    let (bytes, floats) = (shape("u8[6]"), shape("f32[6]"));
    let all = Relayout::new(&bytes, &floats).convert().scales(Scales::all(0.5).zero_points([2]));
    all.plan()?.execute_converting(&[0u8, 1, 2, 3, 4, 255], &mut dst)?;
    assert_eq!(dst, [-1.0, -0.5, 0.0, 0.5, 1.0, 126.5]);
    let mut row = [0.0f32; 2];
    let (table, one) = (shape("s8[3,2]"), shape("f32[1,2]"));
    let second = Relayout::new(&table, &one).index_box([1, 0], [0, 0], [1, 2]).convert();
    second.scales(Scales::along(0, [1.0, 10.0, 100.0])).plan()?.execute_converting(&[1i8, 2, 3, 4, 5, 6], &mut row)?;
    assert_eq!(row, [30.0, 40.0]);
    Ok(())
}

#[test]
fn bits_from_the_highest() -> Result<()> {
    let (flags, bits) = (shape("pred[10]"), shape("pred[10]{0:E(1)}"));
    let src = [1, 0, 1, 1, 0, 0, 0, 1, 1, 0];
    let (mut low, mut high, mut back) = ([0; 2], [0; 2], [7; 10]);
    Relayout::new(&flags, &bits).run(&src, &mut low)?;
    Relayout::new(&flags, &bits).dst_high_first().run(&src, &mut high)?;
    assert_eq!((low, high), ([0b1000_1101, 0b01], [0b1011_0001, 0b1000_0000]));
    Relayout::new(&bits, &flags).src_high_first().run(&high, &mut back)?;
    assert_eq!(back, src);
    let nibbles = shape("u4[4]{0:E(4)}");
    Relayout::new(&nibbles, &nibbles).src_high_first().run(&[0x12, 0x34], &mut low)?;
    Relayout::new(&nibbles, &nibbles).dst_high_first().run(&[0x12, 0x34], &mut high)?;
    assert_eq!((low, high), ([0x21, 0x43], [0x21, 0x43]));
    Relayout::new(&nibbles, &nibbles).src_high_first().dst_high_first().run(&[0x12, 0x34], &mut high)?;
    assert_eq!(high, [0x12, 0x34]);
    Ok(())
}

#[test]
fn what_is_not_converted() -> Result<()> {
    let (reals, bytes, complex) = (shape("f32[2,3]"), shape("s8[2,3]"), shape("c64[2,3]"));
    let request = || Relayout::new(&reals, &bytes);
    let must_be_same = said(
        ErrorKind::InvalidArgument,
        "the source has element type f32, the destination s8: both must be the same, unless the relayout is to convert \
         the values",
    );
    assert_eq!(told(request().plan()), must_be_same);
    assert_eq!(told(request().run(&[0; 24], &mut [0; 6])), must_be_same);
    let invalid = |message: &str| said(ErrorKind::InvalidArgument, message);
    for (request, want) in [
        (
            Relayout::new(&reals, &reals).saturate(),
            invalid("the relayout is to saturate values that it does not convert"),
        ),
        (
            Relayout::new(&reals, &reals).scales(Scales::all(1.0)),
            invalid("scales are given to a relayout that converts no values"),
        ),
        (
            request().convert().scales(Scales::along(1, [1.0, 2.0])),
            invalid("scale_count is 2: it must be 1, or 3, the source's size in dimension 1"),
        ),
        (
            request().convert().scales(Scales::along(1, [])),
            invalid("a scale or a zero point is given with scale_count 0: it must be 1, or the size of a dimension"),
        ),
        (request().convert().scales(Scales::along(0, [1.0, 0.0])), invalid("scale[1] is 0: reals are divided by it")),
        (
            request().convert().scales(Scales::along(2, [1.0, 2.0])),
            said(ErrorKind::OutOfRange, "scale_dimension is 2, the source has rank 2"),
        ),
        (
            request().convert().scales(Scales::along(usize::MAX, [1.0, 2.0])),
            said(ErrorKind::OutOfRange, format!("scale_dimension is {}: too large", usize::MAX)),
        ),
        (
            request().convert().scales(Scales::along(0, [1.0, 2.0]).zero_points([1, 2, 3])),
            said(ErrorKind::OutOfRange, "zero_point has 3 entries, scale has 2"),
        ),
        (
            Relayout::new(&complex, &reals).convert(),
            said(
                ErrorKind::Unsupported,
                "values of c64 are not converted into f32: only pred, integers and floats are",
            ),
        ),
    ] {
        assert_eq!(told(request.plan()), want, "{request:?}");
    }
    assert_eq!(kind(Relayout::new(&bytes, &bytes).src_high_first().plan()), ErrorKind::InvalidArgument);

    // Slices hold the elements of their own sides.
    let there = request().convert().plan()?;
    assert_eq!(
        told(there.execute_converting(&[0.0f32; 6], &mut [0u8; 6])),
        said(ErrorKind::WrongType, "dst has elements of type s8, which a slice of u8 does not hold")
    );
    assert_eq!(
        told(there.execute_converting(&[0i32; 6], &mut [0i8; 6])),
        said(ErrorKind::WrongType, "src has elements of type f32, which a slice of i32 does not hold")
    );
    let same_width = Relayout::new(&reals, &shape("s32[2,3]")).convert().plan()?;
    assert_eq!(
        told(same_width.execute_typed(&[0.0f32; 6], &mut [0.0; 6])),
        said(ErrorKind::WrongType, "dst has elements of type s32, which a slice of f32 does not hold")
    );
    let listed = Executions::new().add_converting(&same_width, &[0.0f32; 6], &mut [0u32; 6]).map(|_| ());
    assert_eq!(kind(listed), ErrorKind::WrongType);
    assert_eq!(kind(there.execute_converting(&[0.0f32; 5], &mut [0i8; 6])), ErrorKind::OutOfRange);
    // Nothing is left to convert: moved as it is.
    let mut same = [0u8; 8];
    Relayout::new(&shape("u8[8]"), &shape("u8[8]")).convert().run(b"abcdefgh", &mut same)?;
    assert_eq!((&same, plan("u8[8]", "u8[8]").execute_to_vec(b"abcdefgh")?.as_slice()), (b"abcdefgh", &same[..]));
    Ok(())
}
