//! Pictures of layouts: what each option changes, and what is refused.

use std::collections::BTreeSet;
use xlashape::{DrawColor, DrawFormat, DrawOptions, DrawShow, Error, ErrorKind, Shape};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn tiled() -> Shape {
    shape("u8[3,4]{0,1:T(2,2)}")
}

fn large() -> Shape {
    shape("bf16[16,256]{1,0:T(8,128)(2,1)}")
}

/// The line of the grid with that label.
fn row(picture: &str, label: &str) -> String {
    let line = picture.lines().find(|line| line.contains('┃') && line.split_whitespace().next() == Some(label));
    line.unwrap_or_else(|| panic!("no row {label} in\n{picture}")).to_owned()
}

fn attributes(picture: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    picture.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn the_default_is_a_text_of_positions() -> Result<(), Error> {
    let picture = tiled().draw(None, &DrawOptions::new())?;
    assert!(picture.starts_with("u8[3,4]{0,1:T(2,2)}\n"), "{picture}");
    assert_eq!(
        ["0", "2", "3"].map(|label| row(&picture, label)),
        ["0 ┃ 0  2┃ 8 10┃", "2 ┃ 4  6┃12 14┃", "3 ┃·· ··┃·· ··┃"]
    );
    assert!(picture.contains("4 positions of padding"), "{picture}");
    Ok(())
}

#[test]
fn cells_show_what_is_asked() -> Result<(), Error> {
    // Row 2 is the second pair of rows of the tile: 256 positions of 2 bytes on, in the register's second sublane.
    for (show, cell) in [
        (DrawShow::Position, " 256 "),
        (DrawShow::Index, "2,0 "),
        (DrawShow::Byte, " 512 "),
        (DrawShow::Tile, " 0 "),
        (DrawShow::Lane, " 1.0 "),
    ] {
        let picture = large().draw(None, &DrawOptions::new().show(show).max_cells(60))?;
        assert!(row(&picture, "2").contains(cell), "{show:?}: {picture}");
    }
    assert_eq!(row(&tiled().draw(None, &DrawOptions::new().show(DrawShow::Nothing))?, "0"), "0 ┃## ##┃## ##┃");
    Ok(())
}

#[test]
fn texts_have_colours_and_characters_as_asked() -> Result<(), Error> {
    let plain = tiled().draw(None, &DrawOptions::new())?;
    assert!(!plain.contains('\x1b') && !plain.is_ascii());
    assert!(tiled().draw(None, &DrawOptions::new().color())?.contains("\x1b[48;2;"));
    assert!(tiled().draw(None, &DrawOptions::new().ascii())?.is_ascii());
    let widest = |columns| -> Result<usize, Error> {
        let picture = large().draw(None, &DrawOptions::new().columns(columns))?;
        Ok(picture.lines().map(|line| line.chars().count()).max().unwrap_or(0))
    };
    assert!(widest(40)? <= 40 && widest(0)? <= 80 && widest(200)? > 150);
    Ok(())
}

#[test]
fn a_cell_can_be_a_tile() -> Result<(), Error> {
    let zoomed = |zoom| large().draw(None, &DrawOptions::new().zoom(zoom));
    assert!(zoomed(1)?.contains("each cell is a tile of 2 positions"));
    assert!(zoomed(2)?.contains("each cell is a tile of 1,024 positions"));
    Ok(())
}

#[test]
fn blocks_of_bytes_are_counted() -> Result<(), Error> {
    let picture = large().draw(None, &DrawOptions::new().overlay_bytes(2048))?;
    let words: Vec<_> = picture.split_whitespace().collect();
    assert!(words.join(" ").contains("blocks of 2,048 bytes: the first row touches 2 blocks"), "{picture}");
    Ok(())
}

#[test]
fn one_index_of_a_dimension_is_shown_alone() -> Result<(), Error> {
    let cube = shape("f32[5,2,2]");
    let all = cube.draw(None, &DrawOptions::new())?;
    assert!(all.contains("[3,:,:]") && all.contains("[4,:,:]"), "{all}");
    let alone = cube.draw(None, &DrawOptions::new().at([Some(3), None, None]))?;
    assert!(alone.contains("[3,:,:]") && !alone.contains("[4,:,:]"), "{alone}");
    assert_eq!(cube.draw(None, &DrawOptions::new().at([None; 3]))?, all);
    Ok(())
}

#[test]
fn two_layouts_are_compared() -> Result<(), Error> {
    let both = tiled().draw(Some(&shape("u8[3,4]")), &DrawOptions::new())?;
    assert!(both.contains("u8[3,4]{1,0}") && both.contains("a relayout reads 16 bytes and writes 12"), "{both}");
    Ok(())
}

#[test]
fn markup_has_titles_or_data() -> Result<(), Error> {
    let svg = tiled().draw(None, &DrawOptions::new().format(DrawFormat::Svg))?;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"), "{svg}");
    assert!(svg.contains("<title>[2,3]: position 14,") && !svg.contains("data-position"));
    let data = tiled().draw(None, &DrawOptions::new().format(DrawFormat::Svg).data())?;
    assert!(data.contains(r#"data-index="2,3" data-position="14""#) && !data.contains("<title>"), "{data}");
    assert!(tiled().draw(None, &DrawOptions::new().format(DrawFormat::Html))?.starts_with("<!doctype html>"));
    Ok(())
}

#[test]
fn colours_mean_what_is_asked() -> Result<(), Error> {
    for (color_by, count) in
        [(DrawColor::Position, 12), (DrawColor::Tile, 4), (DrawColor::Dimension(0), 3), (DrawColor::Dimension(1), 4)]
    {
        let svg = tiled().draw(None, &DrawOptions::new().format(DrawFormat::Svg).data().color_by(color_by))?;
        let cells = svg.split("<rect ").filter(|cell| cell.contains("data-index"));
        let colors: BTreeSet<_> = cells.flat_map(|cell| attributes(cell, "fill").into_iter().next()).collect();
        assert_eq!(colors.len(), count, "{color_by:?}");
    }
    Ok(())
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let options = DrawOptions::new;
    let far = usize::MAX;
    for (options, kind, part) in [
        (options().zoom(2), ErrorKind::OutOfRange, "zoom is 2".to_owned()),
        (options().zoom(far), ErrorKind::OutOfRange, format!("zoom is {far}: too large")),
        (options().columns(19), ErrorKind::OutOfRange, "columns is 19".to_owned()),
        (options().columns(far), ErrorKind::OutOfRange, format!("columns is {far}: too large")),
        (options().max_cells(8), ErrorKind::OutOfRange, "max_cells is 8".to_owned()),
        (options().max_cells(far), ErrorKind::OutOfRange, format!("max_cells is {far}: too large")),
        (options().overlay_bytes(far), ErrorKind::OutOfRange, format!("overlay_bytes is {far}: too large")),
        (options().color_by(DrawColor::Dimension(2)), ErrorKind::OutOfRange, "color_dimension is 2".to_owned()),
        (
            options().color_by(DrawColor::Dimension(far)),
            ErrorKind::OutOfRange,
            format!("dimension is {far}: too large"),
        ),
        (options().at([None]), ErrorKind::InvalidArgument, "at_count is 1, the rank is 2".to_owned()),
        (options().at([None, Some(4)]), ErrorKind::OutOfRange, "at[1] is 4".to_owned()),
        (options().at([None, Some(-1)]), ErrorKind::OutOfRange, "at[1] is -1: indices count from 0".to_owned()),
    ] {
        let error = tiled().draw(None, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{options:?}: {error}");
        assert!(error.message().contains(&part), "{options:?}: {error}");
    }
    for text in ["token[]", "opaque[]", "(f32[2])", "f32[?,2]"] {
        assert_eq!(shape(text).draw(None, &options()).unwrap_err().kind(), ErrorKind::Unsupported, "{text}");
    }
    let error = tiled().draw(Some(&shape("u8[3,5]")), &options()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.message().contains("the sizes of dimension 1 differ, 4 and 5"), "{error}");
}
