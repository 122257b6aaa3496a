//! Shapes as the cases describe them, both ways.

use crate::json::Json;
use crate::Failure;
use xlashape::{Category, Layout, MissingLayout, PaddingValue, Shape, COMBINE_DIMENSION, MATCH_DIMENSION, UNBOUNDED};

const PADDING_VALUES: [(&str, PaddingValue); 6] = [
    ("INVALID_PAD", PaddingValue::Invalid),
    ("ZERO_PAD", PaddingValue::Zero),
    ("ONE_PAD", PaddingValue::One),
    ("LOWEST_PAD", PaddingValue::Lowest),
    ("HIGHEST_PAD", PaddingValue::Highest),
    ("UNKNOWN_PAD", PaddingValue::Unknown),
];

pub fn padding_value(name: &Json) -> Result<PaddingValue, Failure> {
    let name = name.text()?;
    let known = PADDING_VALUES.iter().find(|(known, _)| *known == name);
    Ok(known.ok_or_else(|| format!("{name} is no padding value"))?.1)
}

/// The shape in a case's field `name`; its padding is in the fields with `prefix`.
pub fn read_shape(item: &Json, name: &str, prefix: &str) -> Result<Shape, Failure> {
    let keep = item.get("fill_missing_layouts") == Some(&Json::Bool(false));
    let missing = if keep { MissingLayout::Keep } else { MissingLayout::RowMajor };
    let shape = Shape::parse(item.field(name)?.text()?, missing)?;
    let said = |field: &str| item.get(&format!("{prefix}{field}")).filter(|value| **value != Json::Null);
    let (widths, value) = (said("padded_dimensions"), said("padding_value"));
    if widths.is_none() && value.is_none() {
        return Ok(shape);
    }
    let layout = shape.layout().ok_or_else(|| "padding for an array without a layout".to_owned())?;
    let builder = layout.to_builder().padded_dimensions(widths.map(Json::ints).transpose()?);
    let layout = builder.padding_value(value.map_or(Ok(PaddingValue::Invalid), padding_value)?).build()?;
    Ok(shape.with_layout(&layout)?)
}

fn describe_layout(layout: &Layout) -> Json {
    let mut out = vec![("minor_to_major", Json::from(layout.minor_to_major()))];
    let size = |size: i64| match size {
        COMBINE_DIMENSION => Json::Text("*".into()),
        MATCH_DIMENSION => Json::Text("d".into()),
        _ => Json::Int(size),
    };
    let tiles: Vec<Vec<Json>> = layout.tiles().into_iter().map(|tile| tile.into_iter().map(size).collect()).collect();
    if !tiles.is_empty() {
        out.push(("tiles", tiles.into()));
    }
    let padding = PADDING_VALUES.iter().position(|(_, value)| *value == layout.padding_value()).unwrap_or(0);
    for (name, value, usual) in [
        ("element_size_in_bits", layout.element_size_in_bits().unwrap_or(0) as i64, 0),
        ("tail_padding_alignment", layout.tail_padding_alignment_in_elements(), 1),
        ("memory_space", layout.memory_space(), 0),
        ("metadata_prefix_bytes", layout.dynamic_shape_metadata_prefix_bytes(), 0),
        ("padding_value", padding as i64, 0),
    ] {
        if value != usual {
            out.push((name, value.into()));
        }
    }
    let splits = layout.splits().into_iter().map(|(dimension, at)| Json::List(vec![dimension.into(), at.into()]));
    let splits: Vec<Json> = splits.collect();
    if !splits.is_empty() {
        out.push(("split_configs", splits.into()));
    }
    if let Some(widths) = layout.padded_dimensions() {
        out.push(("padded_dimensions", widths.into()));
    }
    Json::Object(out.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A shape's structure as `parse` cases expect it: fields at their default left out.
pub fn describe(shape: &Shape, depth: usize) -> Result<Json, Failure> {
    if depth > 500 {
        return Err("the shape is nested too deep to be compared".to_owned().into());
    }
    let kind = match shape.category() {
        Category::Array => "array",
        Category::Tuple => "tuple",
        Category::Token => "token",
        Category::Opaque => "opaque",
        Category::Buffer => "buffer",
        other => return Err(format!("nothing is known of {other:?}").into()),
    };
    let mut out = vec![("kind", Json::from(kind.to_owned()))];
    match kind {
        "array" => {
            let size = |size| if size == UNBOUNDED { Json::Text("?".into()) } else { Json::Int(size) };
            out.push(("type", shape.element_type().to_string().into()));
            out.push(("dimensions", shape.dimensions().into_iter().map(size).collect::<Vec<_>>().into()));
            out.push(("dynamic", shape.dynamic_dimensions().into()));
            if let Some(layout) = shape.layout() {
                out.push(("layout", describe_layout(&layout)));
            }
        }
        "tuple" | "buffer" => {
            let elements: Result<Vec<Json>, _> =
                shape.tuple_elements().map(|element| describe(&element, depth + 1)).collect();
            out.push(("elements", elements?.into()));
        }
        _ => {}
    }
    Ok(Json::Object(out.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

/// The cases' own names of layout fields, whatever length they are written out to; nulls left out.
pub fn with_short_names(value: &Json) -> Json {
    match value {
        Json::List(items) => Json::List(items.iter().map(with_short_names).collect()),
        Json::Object(members) => {
            let kept = members.iter().filter(|(_, item)| **item != Json::Null);
            Json::Object(kept.map(|(name, item)| short(name, item)).collect())
        }
        other => other.clone(),
    }
}

fn short(name: &str, item: &Json) -> (String, Json) {
    let key = match name {
        "tail_padding_alignment_in_elements" => "tail_padding_alignment",
        "dynamic_shape_metadata_prefix_bytes" => "metadata_prefix_bytes",
        other => other,
    };
    let number = PADDING_VALUES.iter().position(|(known, _)| Ok(*known) == item.text());
    let value = number.filter(|_| name == "padding_value").map_or_else(|| with_short_names(item), Json::from);
    (key.to_owned(), value)
}
