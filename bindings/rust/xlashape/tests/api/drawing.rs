//! Pictures of layouts: what each option changes, and what is refused.

use crate::{kind, shape, told};
use std::collections::BTreeSet;
use xlashape::{DrawColor, DrawFormat, DrawOptions, DrawShow, ErrorKind, Shape};

fn tiled() -> Shape {
    shape("u8[3,4]{0,1:T(2,2)}")
}

fn large() -> Shape {
    shape("bf16[16,256]{1,0:T(8,128)(2,1)}")
}

#[test]
fn options_change_the_picture() {
    let options = DrawOptions::new;
    let (svg, cube) = (|| options().format(DrawFormat::Svg), shape("f32[5,2,2]"));
    // Row 2 of the large one is the second pair of rows of the tile: 256 positions of 2 bytes on, in the second
    // sublane.
    let shown = |show| (large(), options().show(show).max_cells(60));
    for ((shape, options), part, other) in [
        ((tiled(), options()), "u8[3,4]{0,1:T(2,2)}\n", "\x1b"),
        ((tiled(), options()), "\n3 ┃·· ··┃·· ··┃\n", "data-position"),
        (shown(DrawShow::Position), " 2 ┃ 256 ", "2,0 "),
        (shown(DrawShow::Index), " 2 ┃ 2,0 ", " 256 "),
        (shown(DrawShow::Byte), " 2 ┃ 512 ", " 256 "),
        (shown(DrawShow::Tile), " 2 ┃ 0 ", " 256 "),
        (shown(DrawShow::Lane), " 2 ┃ 1.0 ", " 256 "),
        ((tiled(), options().show(DrawShow::Nothing)), "\n0 ┃## ##┃## ##┃", "numbers"),
        ((tiled(), options().color()), "\x1b[48;2;", "<svg"),
        ((tiled(), options().ascii()), "\n1 | 1 3| 9 11|", "┃"),
        ((large(), options().zoom(1)), "each cell is a tile of 2 positions", "1,024 positions,"),
        ((large(), options().zoom(2)), "each cell is a tile of 1,024 positions", "a tile of 2 positions"),
        ((large(), options().overlay_bytes(2048)), "blocks of 2,048 bytes", "blocks of 4,096"),
        ((cube.clone(), options()), "[4,:,:]", "\x1b"),
        ((cube.clone(), options().at([Some(3), None, None])), "[3,:,:]", "[4,:,:]"),
        ((cube, options().at([None; 3])), "[4,:,:]", "\x1b"),
        ((tiled(), svg()), "<title>[2,3]: position 14,", "data-position"),
        ((tiled(), svg().data()), r#"data-index="2,3" data-position="14""#, "<title>"),
        ((tiled(), options().format(DrawFormat::Html)), "<!doctype html>", "\x1b"),
    ] {
        let picture = shape.draw(None, &options).unwrap();
        let picture = picture.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        assert!(picture.contains(part) && !picture.contains(other), "{options:?}: {part:?}, not {other:?}:\n{picture}");
    }
    let widest = |columns| {
        let picture = large().draw(None, &options().columns(columns)).unwrap();
        picture.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    };
    assert!(widest(40) <= 40 && widest(0) <= 80 && widest(200) > 150);
    let both = tiled().draw(Some(&shape("u8[3,4]")), &options()).unwrap();
    assert!(both.contains("u8[3,4]{1,0}") && both.contains("a relayout reads 16 bytes and writes 12"), "{both}");
    for (color_by, count) in
        [(DrawColor::Position, 12), (DrawColor::Tile, 4), (DrawColor::Dimension(0), 3), (DrawColor::Dimension(1), 4)]
    {
        let picture = tiled().draw(None, &svg().data().color_by(color_by)).unwrap();
        let cells = picture.split("<rect ").filter(|cell| cell.contains("data-index"));
        let colors: BTreeSet<_> = cells.map(|cell| cell.split(" fill=\"").nth(1).unwrap().split('"').next()).collect();
        assert_eq!(colors.len(), count, "{color_by:?}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let options = DrawOptions::new;
    let far = usize::MAX;
    for (options, refused, part) in [
        (options().zoom(2), ErrorKind::OutOfRange, "zoom is 2".to_owned()),
        (options().zoom(far), ErrorKind::OutOfRange, format!("zoom is {far}: too large")),
        (options().columns(far), ErrorKind::OutOfRange, format!("columns is {far}: too large")),
        (options().max_cells(8), ErrorKind::OutOfRange, "max_cells is 8".to_owned()),
        (options().max_cells(far), ErrorKind::OutOfRange, format!("max_cells is {far}: too large")),
        (options().overlay_bytes(far), ErrorKind::OutOfRange, format!("overlay_bytes is {far}: too large")),
        (options().color_by(DrawColor::Dimension(far)), ErrorKind::OutOfRange, format!("{far}: too large")),
        (options().at([None]), ErrorKind::InvalidArgument, "at_count is 1, the rank is 2".to_owned()),
        (options().at([None, Some(4)]), ErrorKind::OutOfRange, "at[1] is 4".to_owned()),
        (options().at([None, Some(-1)]), ErrorKind::OutOfRange, "at[1] is -1: indices count from 0".to_owned()),
    ] {
        let (kind, message) = told(tiled().draw(None, &options));
        assert!(kind == refused && message.contains(&part), "{options:?}: {message}");
    }
    assert_eq!(kind(shape("token[]").draw(None, &options())), ErrorKind::Unsupported);
    assert_eq!(kind(tiled().draw(Some(&shape("u8[3,5]")), &options())), ErrorKind::InvalidArgument);
}
