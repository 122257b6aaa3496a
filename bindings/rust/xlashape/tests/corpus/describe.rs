// SPDX-License-Identifier: Apache-2.0
//! Shapes as the cases describe them, both ways.

use crate::json::{ints, text};
use crate::{Case, Failure};
use xlashape::{Category, Layout, MissingLayout, PaddingValue, Shape, COMBINE_DIMENSION, MATCH_DIMENSION, UNBOUNDED};

pub fn padding_value(name: &str) -> Result<PaddingValue, Failure> {
    Ok(match text(name)? {
        "INVALID_PAD" => PaddingValue::Invalid,
        "ZERO_PAD" => PaddingValue::Zero,
        "ONE_PAD" => PaddingValue::One,
        "LOWEST_PAD" => PaddingValue::Lowest,
        "HIGHEST_PAD" => PaddingValue::Highest,
        "UNKNOWN_PAD" => PaddingValue::Unknown,
        other => return Err(format!("{other} is no padding value").into()),
    })
}

/// The shape in a case's field `name`; its padding is in the fields with `prefix`.
pub fn read_shape(case: &Case, name: &str, prefix: &str) -> Result<Shape, Failure> {
    let keep = case.get("fill_missing_layouts") == Some("false");
    let missing = if keep { MissingLayout::Keep } else { MissingLayout::RowMajor };
    let shape = Shape::parse(text(case.field(name)?)?, missing)?;
    let widths = case.get(&format!("{prefix}padded_dimensions"));
    let value = case.get(&format!("{prefix}padding_value"));
    if widths.is_none() && value.is_none() {
        return Ok(shape);
    }
    let layout = shape.layout().ok_or_else(|| "padding for an array without a layout".to_owned())?;
    let builder = layout.to_builder().padded_dimensions(widths.map(ints).transpose()?);
    let layout = builder.padding_value(value.map_or(Ok(PaddingValue::Invalid), padding_value)?).build()?;
    Ok(shape.with_layout(&layout)?)
}

/// A size that may be a word instead.
fn size(size: i64, words: &[(i64, &str)]) -> String {
    words.iter().find(|(known, _)| *known == size).map_or_else(|| size.to_string(), |(_, word)| format!("{word:?}"))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// Fields at their default are left out.
fn describe_layout(layout: &Layout) -> String {
    let mut out = format!("{{\"minor_to_major\":{:?}", layout.minor_to_major());
    let words = [(COMBINE_DIMENSION, "*"), (MATCH_DIMENSION, "d")];
    let tiles = list(layout.tiles().into_iter().map(|tile| list(tile.into_iter().map(|dim| size(dim, &words)))));
    let splits = list(layout.splits().into_iter().map(|(dimension, at)| format!("[{dimension},{at:?}]")));
    for (name, value, usual) in [
        ("tiles", tiles, "[]"),
        ("element_size_in_bits", layout.element_size_in_bits().unwrap_or(0).to_string(), "0"),
        ("tail_padding_alignment", layout.tail_padding_alignment_in_elements().to_string(), "1"),
        ("memory_space", layout.memory_space().to_string(), "0"),
        ("metadata_prefix_bytes", layout.dynamic_shape_metadata_prefix_bytes().to_string(), "0"),
        ("padding_value", format!("{:?}", layout.padding_value()), "Invalid"),
        ("padded_dimensions", format!("{:?}", layout.padded_dimensions().unwrap_or_default()), "[]"),
        ("split_configs", splits, "[]"),
    ] {
        if value != usual {
            out += &format!(",{name:?}:{value}");
        }
    }
    out + "}"
}

/// A shape's structure as `parse` cases expect it.
pub fn describe(shape: &Shape) -> Result<String, Failure> {
    let kind = match shape.category() {
        Category::Array => "array",
        Category::Tuple => "tuple",
        Category::Token => return Ok("{\"kind\":\"token\"}".to_owned()),
        Category::Opaque => return Ok("{\"kind\":\"opaque\"}".to_owned()),
        Category::Buffer => "buffer",
        other => return Err(format!("nothing is known of {other:?}").into()),
    };
    if kind != "array" {
        let elements = shape.tuple_elements().map(|element| describe(&element)).collect::<Result<Vec<_>, _>>()?;
        return Ok(format!("{{\"kind\":{kind:?},\"elements\":[{}]}}", elements.join(",")));
    }
    let dimensions = list(shape.dimensions().into_iter().map(|dimension| size(dimension, &[(UNBOUNDED, "?")])));
    let layout = shape.layout().map_or(String::new(), |layout| format!(",\"layout\":{}", describe_layout(&layout)));
    let (name, dynamic) = (shape.element_type().name(), shape.dynamic_dimensions());
    Ok(format!("{{\"kind\":\"array\",\"type\":{name:?},\"dimensions\":{dimensions},\"dynamic\":{dynamic:?}{layout}}}"))
}
