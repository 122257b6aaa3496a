// SPDX-License-Identifier: Apache-2.0
//! Windows and slabs: against index maps, and against a relayout of the whole array.

use crate::{kind, numbers, said, shape, told};
use xlashape::{relayout, ErrorKind, IndexBox, IndexMap, Result, Shape, Slab, Slabs, Window};

/// The next one of numbers that look random, below `limit`.
fn chance(state: &mut u64, limit: usize) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*state >> 33) % limit as u64) as usize
}

/// Two arrays of the same dimensions and element type.
fn arrays(state: &mut u64) -> (Shape, Shape) {
    const LAYOUTS: [&str; 9] = [
        "{2,1,0}",
        "{0,1,2}",
        "{1,2,0}",
        "{2,1,0:T(4,8)}",
        "{0,2,1:T(2,4)}",
        "{2,0,1:T(4,8)(2,1)}",
        "{2,1,0:T(*,5)}",
        "{2,1,0:L(64)}",
        "{0,1,2:T(2,2,2)}",
    ];
    let element = ["u8", "s16", "f32"][chance(state, 3)];
    let sizes: Vec<_> = (0..3).map(|_| [1, 3, 4, 8, 16, 21][chance(state, 6)].to_string()).collect();
    let mut array = || shape(&format!("{element}[{}]{}", sizes.join(","), LAYOUTS[chance(state, 9)]));
    (array(), array())
}

fn runs(array: &Shape, base: &[i64], extent: &[i64], window: &Window) -> Vec<u64> {
    let mut offsets = vec![7; window.run_count as usize];
    array.window_runs(base, extent, 0, &mut offsets).unwrap();
    offsets
}

fn said_of(window: Window) -> (String, [u64; 4]) {
    (window.shape.to_string(), [window.byte_offset, window.bytes, window.run_bytes, window.run_count])
}

#[test]
fn what_windows_say() -> Result<()> {
    let tiled = shape("f32[64,512]{1,0:T(8,128)}");
    let rows = ("f32[16,512]{1,0:T(8,128)}".to_owned(), [16384, 32768, 32768, 1]);
    let columns = ("f32[64,256]{1,0:T(8,128)}".to_owned(), [4096, 65536, 8192, 8]);
    assert_eq!(said_of(tiled.window(&[8, 0], &[16, 512])?), rows);
    assert_eq!(said_of(tiled.window(&[0, 128], &[64, 256])?), columns);
    assert_eq!(said_of(shape("f32[]").window(&[], &[])?), ("f32[]".to_owned(), [0, 4, 4, 1]));
    assert_eq!(said_of(shape("f32[0,4]").window(&[0, 0], &[0, 4])?).1, [0; 4]);
    assert_eq!(
        (tiled.window_granularity()?, shape("f32[5,200]{1,0:T(8,128)}").window_granularity()?[0]),
        (vec![8, 128], 5)
    );
    let mut two = [0; 2];
    tiled.window_runs(&[0, 128], &[64, 256], 6, &mut two)?;
    assert_eq!(two, [(6 * 4 + 1) * 4096, (7 * 4 + 1) * 4096]);
    tiled.window_runs(&[0, 128], &[64, 256], 8, &mut [])?;

    let asked = tiled.window_runs(&[0, 128], &[64, 256], 7, &mut two);
    assert_eq!(told(asked), said(ErrorKind::OutOfRange, "runs 7 to 9 are asked for, the window has 8"));
    for (base, extent, refused) in [
        ([4, 0], [8, 512], ErrorKind::Unsupported),
        ([0, 128], [64, 385], ErrorKind::OutOfRange),
        ([0, -1], [64, 1], ErrorKind::OutOfRange),
        ([0, i64::MAX], [64, i64::MAX], ErrorKind::OutOfRange),
    ] {
        assert_eq!(kind(tiled.window(&base, &extent)), refused);
        assert_eq!(kind(tiled.window_runs(&base, &extent, 0, &mut two)), refused);
    }
    assert_eq!(told(tiled.window(&[0], &[8, 128])), said(ErrorKind::OutOfRange, "base has 1 entries, the rank is 2"));
    assert_eq!(kind(tiled.window_runs(&[0], &[8, 128], 0, &mut two)), ErrorKind::OutOfRange);
    assert_eq!(kind(tiled.window_runs(&[0, 0], &[64, 512], u64::MAX, &mut two)), ErrorKind::OutOfRange);
    assert_eq!(kind(tiled.window(&[0], &[8])), ErrorKind::InvalidArgument);
    assert_eq!(kind(shape("f32[?,4]").window(&[0, 0], &[1, 4])), ErrorKind::Unsupported);
    assert_eq!(kind(shape("token[]").window_granularity()), ErrorKind::Unsupported);
    assert_eq!(two, [(6 * 4 + 1) * 4096, (7 * 4 + 1) * 4096]);
    Ok(())
}

/// Each element of a window is where the array has it, and no other element is in the window's bytes.
#[test]
fn windows_are_where_the_index_map_says() -> Result<()> {
    let (mut state, mut several) = (1, 0);
    for _ in 0..150 {
        let array = arrays(&mut state).0;
        let (mut base, mut extent) = (vec![], vec![]);
        for (size, unit) in array.dimensions().into_iter().zip(array.window_granularity()?) {
            let units = (size + unit - 1) / unit;
            let begin = chance(&mut state, units as usize) as i64;
            let end = begin + 1 + chance(&mut state, (units - begin) as usize) as i64;
            base.push(begin * unit);
            extent.push(size.min(end * unit) - begin * unit);
        }
        let window = array.window(&base, &extent)?;
        several += usize::from(window.run_count > 1);
        let (offsets, bytes) = (runs(&array, &base, &extent, &window), array.sizes()?.element_bits as u64 / 8);
        let (whole, own) = (IndexMap::new(&array)?, IndexMap::new(&window.shape)?);
        for index in IndexBox::of(&array)?.iter::<3>()? {
            let at = whole.linear_index(&index)? as u64 * bytes;
            let inside: Vec<i64> = index.iter().zip(&base).map(|(index, base)| index - base).collect();
            if inside.iter().zip(&extent).all(|(index, size)| (0..*size).contains(index)) {
                let bit = own.linear_index(&inside)? as u64 * bytes;
                let run = offsets[(bit / window.run_bytes) as usize];
                assert_eq!(at, run + bit % window.run_bytes, "{array} {base:?} {extent:?}");
            } else {
                let is_taken = |&run: &u64| (run..run + window.run_bytes).contains(&at);
                assert!(!offsets.iter().any(is_taken), "{array} {base:?} {extent:?} {index:?}");
            }
        }
    }
    assert!(several > 30, "{several}");
    Ok(())
}

#[test]
fn what_slabs_say() -> Result<()> {
    let (plain, tiled) = (shape("f32[64,512]"), shape("f32[64,512]{1,0:T(8,128)}"));
    let slabs = Slabs::new(&plain, &tiled, 65536)?;
    assert_eq!((slabs.len(), slabs.extent()), (4, [16, 512].as_slice()));
    let costs = (slabs.src_bytes(), slabs.dst_bytes(), slabs.src_runs(), slabs.dst_runs());
    assert_eq!(costs, (32768, 32768, 4, 4));
    let all: Vec<Slab> = slabs.iter().collect();
    assert_eq!(all[3], Slab { base: vec![48, 0], extent: vec![16, 512] });
    assert_eq!(all, (0..4).map(|number| slabs.get(number).unwrap()).collect::<Vec<_>>());
    let mut left = slabs.iter();
    assert_eq!((left.len(), left.nth(1), left.len()), (4, Some(all[1].clone()), 2));
    assert_eq!((left.by_ref().count(), left.next(), left.len()), (2, None, 0));
    assert_eq!(told(slabs.get(4)), said(ErrorKind::OutOfRange, "slab 4 of 4"));
    for (text, extent) in [("f32[]", vec![]), ("f32[0,10]", vec![0, 10])] {
        let one = Slabs::new(&shape(text), &shape(text), 8)?;
        assert_eq!(one.iter().collect::<Vec<_>>(), [Slab { base: vec![0; extent.len()], extent }]);
    }
    let ragged = Slabs::new(&shape("u8[5,3]"), &shape("u8[5,3]"), 12)?;
    assert_eq!(ragged.iter().last(), Some(Slab { base: vec![4, 0], extent: vec![1, 3] }));

    let message = "max_bytes is 8191: the smallest slab takes 4096 bytes of the source and 4096 of the destination";
    assert_eq!(told(Slabs::new(&plain, &tiled, 8191)), said(ErrorKind::OutOfRange, message));
    assert_eq!(told(Slabs::new(&plain, &tiled, u64::MAX)).0, ErrorKind::OutOfRange);
    assert_eq!(kind(Slabs::new(&shape("f32[64,511]"), &tiled, 8192)), ErrorKind::InvalidArgument);
    assert_eq!(kind(Slabs::new(&shape("(f32[2])"), &tiled, 8192)), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn slabs_come_in_the_order_of_the_destination() -> Result<()> {
    let columns = shape("u8[40,40]{0,1}");
    let slabs = Slabs::new(&shape("u8[40,40]"), &columns, 200)?;
    let at = |slab: &Slab| columns.window(&slab.base, &slab.extent).unwrap().byte_offset;
    let all: Vec<Slab> = slabs.iter().collect();
    assert!(all.windows(2).all(|pair| at(&pair[0]) < at(&pair[1])), "{all:?}");
    assert!(all.iter().any(|slab| slab.base[0] > 0) && all.iter().any(|slab| slab.base[1] > 0), "{all:?}");
    assert_eq!(slabs.get(1)?, all[1]);
    Ok(())
}

#[test]
fn slabs_give_the_same_bytes() -> Result<()> {
    let (mut state, mut several) = (2, 0);
    for _ in 0..150 {
        let (src, dst) = arrays(&mut state);
        let from = numbers(src.byte_size()?);
        let (mut to, mut want) = (vec![0; dst.byte_size()?], vec![0; dst.byte_size()?]);
        relayout(&src, &from, &dst, &mut want)?;
        let most = chance(&mut state, from.len() + to.len() + 1) as u64;
        let slabs = match Slabs::new(&src, &dst, most) {
            Err(error) if error.kind() == ErrorKind::OutOfRange => continue,
            slabs => slabs?,
        };
        several += usize::from(slabs.len() > 1);
        assert!(slabs.src_bytes() + slabs.dst_bytes() <= most, "{slabs:?}");
        let (mut read, mut written) = (0, 0);
        for Slab { base, extent } in &slabs {
            let (window, out) = (src.window(&base, &extent)?, dst.window(&base, &extent)?);
            assert!(window.bytes <= slabs.src_bytes() && out.bytes <= slabs.dst_bytes(), "{slabs:?}");
            let run = |at: &u64| &from[*at as usize..][..window.run_bytes as usize];
            let part: Vec<u8> = runs(&src, &base, &extent, &window).iter().flat_map(run).copied().collect();
            let mut moved = vec![0; out.bytes as usize];
            relayout(&window.shape, &part, &out.shape, &mut moved)?;
            for (at, run) in runs(&dst, &base, &extent, &out).iter().zip(moved.chunks(out.run_bytes as usize)) {
                to[*at as usize..][..run.len()].copy_from_slice(run);
            }
            read += window.run_count;
            written += out.run_count;
        }
        assert!(read <= slabs.src_runs() && written <= slabs.dst_runs(), "{slabs:?}");
        assert_eq!(to, want, "{src} to {dst}: {slabs:?}");
    }
    assert!(several > 40, "{several}");
    Ok(())
}
