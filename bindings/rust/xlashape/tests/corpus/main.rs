//! Runs the golden cases that all languages share: `corpus [FILE...]`, by default all files of the repository's folder.
//! Prints what failed and `N passed, M failed`.

mod describe;
mod image;
mod json;

use describe::{describe, padding_value, read_shape, with_short_names};
use image::{compare, hex, pack};
use json::Json;
use std::path::{Path, PathBuf};
use xlashape::{
    dimension_number, dimensions_unmodified_by_reshape, normalized_transpose, Bitcast, ElementType, Error, ErrorKind,
    Ignore, IndexMap, Insert, Permute, Shape, Unit,
};

/// The library said no, or something else is wrong with the case.
pub enum Failure {
    Refused(Error),
    Case(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Refused(error)
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Failure::Case(reason)
    }
}

fn shape(item: &Json) -> Result<Shape, Failure> {
    read_shape(item, "shape", "")
}

fn both(item: &Json) -> Result<(Shape, Shape), Failure> {
    Ok((read_shape(item, "a", "a_")?, read_shape(item, "b", "b_")?))
}

fn bitcast(item: &Json) -> Bitcast {
    match item.get("ignore_element_type") {
        Some(Json::Bool(true)) => Bitcast::XLA | Bitcast::IGNORE_ELEMENT_TYPE,
        _ => Bitcast::XLA,
    }
}

/// What `ignore` may name, without the endings that the case's author may have written out.
fn ignore(item: &Json) -> Result<Ignore, Failure> {
    let mut mask = Ignore::NONE;
    for name in item.get("ignore").map_or(Ok(&[][..]), Json::list)? {
        let mut key = name.text()?;
        for ending in ["_in_layout", "_in_bits", "_in_elements", "s"] {
            key = key.strip_suffix(ending).filter(|rest| !rest.is_empty()).unwrap_or(key);
        }
        mask |= match key {
            "layout" => Ignore::LAYOUT,
            "tile" => Ignore::TILES,
            "element_size" => Ignore::ELEMENT_SIZE,
            "memory_space" => Ignore::MEMORY_SPACE,
            "tail_padding_alignment" | "tail_padding" => Ignore::TAIL_PADDING_ALIGNMENT,
            "split_config" => Ignore::SPLIT_CONFIGS,
            "padding" => Ignore::PADDING,
            "minor_to_major_only" | "all_but_minor_to_major" => Ignore::MINOR_TO_MAJOR_ONLY,
            "element_type" => Ignore::ELEMENT_TYPE,
            "fp_precision" => Ignore::FP_PRECISION,
            "dynamic_dimension" | "dynamic" => Ignore::DYNAMIC_DIMENSION,
            "dimension" => Ignore::DIMENSIONS,
            "buffer" => Ignore::BUFFER,
            other => return Err(format!("nothing is known that ignores {other}").into()),
        };
    }
    Ok(mask)
}

fn text_of(shape: Shape) -> Json {
    shape.to_string().into()
}

/// Row-major, without tiles or widths, in the element's own storage.
fn plain_of(shape: &Shape) -> Result<Shape, Failure> {
    Ok(Shape::array(shape.element_type(), &shape.dimensions())?)
}

/// Images are compared where they are made: the answer is what was wanted, or what differs.
fn image(item: &Json, src: &Shape, dst: &Shape) -> Result<Json, Failure> {
    let want = Some(item.field("expect")?).filter(|want| want.list().is_ok()); // else an error is wanted
    let nothing = Json::Text("(no element)".into());
    let fill = item.get("fill").unwrap_or(&nothing);
    let difference = compare(src, item.field("data")?, dst, want, fill)?;
    Ok(difference.map_or_else(|| want.cloned().unwrap_or(Json::Null), Json::from))
}

fn primitive(item: &Json) -> Result<Json, Failure> {
    let name = item.field("type")?.text()?;
    // Names that XLA's text does not know are still those of numbers.
    let known = (1..256).filter_map(ElementType::from_number).find(|element_type| element_type.name() == name);
    let element_type = known.map_or_else(|| name.parse(), Ok)?;
    let (number, bits) = (i64::from(element_type.number()), element_type.bits());
    let bytes = element_type.storage_bits() / 8;
    Ok(Json::object([("number", number.into()), ("bits", bits.into()), ("bytes", bytes.into())]))
}

/// Under whatever two names the case gives them.
fn inserted_deleted_ones(item: &Json) -> Result<Json, Failure> {
    let (a, b) = both(item)?;
    let (deleted, inserted) = match a.inserted_or_deleted_ones(&b)? {
        None => return Ok(Json::Null),
        Some(lists) => lists,
    };
    Ok(match item.field("expect")? {
        Json::Object(names) => Json::Object(
            names
                .keys()
                .map(|name| {
                    let is_new = name.contains("insert") || name.contains("add");
                    (name.clone(), if is_new { &inserted } else { &deleted }.clone().into())
                })
                .collect(),
        ),
        _ => vec![deleted, inserted].into(),
    })
}

fn answer(item: &Json) -> Result<Json, Failure> {
    let ints = |name: &str| item.field(name).and_then(Json::ints);
    let int = |name: &str| item.field(name).and_then(Json::int);
    Ok(match item.field("kind")?.text()? {
        "parse" => describe(&shape(item)?, 0)?,
        "reject" => format!("accepted as {}", shape(item)?).into(),
        "print" => match item.get("with_layout") {
            Some(Json::Bool(false)) => shape(item)?.to_string_without_layout()?.into(),
            _ => text_of(shape(item)?),
        },
        "linear_index" => IndexMap::new(&shape(item)?)?.linear_index(&ints("index")?)?.into(),
        "multi_index" => match IndexMap::new(&shape(item)?)?.index(int("linear")?)? {
            Some(index) => index.into(),
            None => Json::Text("padding".into()),
        },
        "element_count" => shape(item)?.element_count()?.into(),
        "storage_elements" => shape(item)?.sizes()?.storage_elements.into(),
        "byte_size" => {
            let pointer_size = item.get("pointer_size").map_or(Ok(0), Json::int)?;
            shape(item)?.top_level_byte_size(pointer_size as usize)?.into()
        }
        "stride" => {
            let shape = shape(item)?;
            let dimension = dimension_number(shape.rank(), int("dimension")?)?;
            shape.strides(Unit::Elements)?[dimension as usize].into()
        }
        "dimension_number" => dimension_number(shape(item)?.rank(), int("dimension")?)?.into(),
        "next_index" => {
            let mut index = ints("index")?;
            let more = shape(item)?.next_index(&mut index);
            more.then_some(index).into()
        }
        "to_memory" => {
            let shape = shape(item)?;
            image(item, &plain_of(&shape)?, &shape)?
        }
        "relayout" => image(item, &read_shape(item, "src", "src_")?, &read_shape(item, "dst", "dst_")?)?,
        "pack" => {
            let shape = shape(item)?;
            pack(&shape, &plain_of(&shape)?, item.field("data")?)?.into()
        }
        "bytes" => {
            let (src, dst) = (read_shape(item, "src", "src_")?, read_shape(item, "dst", "dst_")?);
            image::bytes(&src, item.field("data")?.text()?, &dst)?.into()
        }
        "fill_value" => {
            let element_type: ElementType = item.field("type")?.text()?.parse()?;
            hex(&element_type.padding_element(padding_value(item.field("padding_value")?)?)?).into()
        }
        "primitive" => primitive(item)?,
        "equal" => both(item).and_then(|(a, b)| Ok(a.equals(&b, ignore(item)?)))?.into(),
        "compatible" => both(item).and_then(|(a, b)| Ok(a.compatible(&b, ignore(item)?)))?.into(),
        "reshape_is_bitcast" => both(item).map(|(a, b)| a.reshape_is_bitcast(&b, bitcast(item)))?.into(),
        "transpose_is_bitcast" => {
            let ((a, b), permutation) = (both(item)?, ints("permutation")?);
            a.transpose_is_bitcast(&b, &permutation, bitcast(item)).into()
        }
        "deduce_transpose" => both(item).and_then(|(a, b)| Ok(a.deduce_transpose(&b, bitcast(item))?))?.into(),
        "unmodified_dims" => {
            let (a, b) = both(item)?;
            let pairs = dimensions_unmodified_by_reshape(&a.dimensions(), &b.dimensions())?;
            pairs.into_iter().map(|(a, b)| vec![a, b]).collect::<Vec<_>>().into()
        }
        "inserted_deleted_ones" => inserted_deleted_ones(item)?,
        "align_layouts" => {
            let layout = shape(item)?.align_layouts(&ints("output_dimensions")?, Bitcast::XLA)?;
            layout.map(|layout| layout.minor_to_major()).into()
        }
        "permute_dims" => text_of(shape(item)?.permute_dimensions(&ints("permutation")?, Permute::KeepMemory)?),
        "delete_dims" => text_of(shape(item)?.delete_dimensions(&ints("dimensions")?)?),
        "insert_dims" => {
            let at = int("at")?.try_into().map_err(|_| "at is negative".to_owned())?;
            text_of(shape(item)?.insert_dimensions(at, &ints("sizes")?, Insert::Beside)?)
        }
        "descending_same_physical" => text_of(shape(item)?.to_physical_order()?),
        "normalized_transpose" => {
            let (sizes, order) = normalized_transpose(&ints("output_dimensions")?, &ints("permutation")?)?;
            vec![sizes, order].into()
        }
        "true_rank" => shape(item)?.true_rank().into(),
        "logical_to_physical" => shape(item)?.layout().map(|layout| layout.logical_to_physical()).into(),
        "leaf_count" => shape(item)?.leaf_count().into(),
        "max_split_size" => shape(item)?.max_split_size(int("dimension")?)?.into(),
        "subshape" => text_of(shape(item)?.subshape(&ints("path")?)?),
        "proto_encode" => hex(&shape(item)?.to_proto()?).into(),
        kind => return Err(format!("unknown kind '{kind}'").into()),
    })
}

fn stage(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Parse => "syntax",
        ErrorKind::InvalidArgument | ErrorKind::Overflow => "validate",
        _ => "value",
    }
}

fn short(value: &Json) -> String {
    value.to_string().chars().take(400).collect()
}

/// None when the case passes, else what is wrong with it.
fn run(item: &Json) -> Result<Option<String>, String> {
    let want = item.field("expect")?;
    let wants_error = want.get("error").is_some();
    match answer(item) {
        Ok(got) => {
            let is_structure = item.get("kind") == Some(&Json::Text("parse".into()));
            let same = if is_structure { with_short_names(&got) == with_short_names(want) } else { got == *want };
            Ok((wants_error || !same).then(|| format!("got {} want {}", short(&got), short(want))))
        }
        Err(Failure::Refused(error)) => {
            let got = stage(error.kind());
            let same = want.get("stage").map_or(true, |stage| stage.text() == Ok(got));
            Ok((!wants_error || !same).then(|| format!("got {:?} ({got}): {error} want {}", error.kind(), short(want))))
        }
        Err(Failure::Case(reason)) => Err(reason),
    }
}

fn files() -> Vec<PathBuf> {
    let given: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).map(PathBuf::from).collect();
    if !given.is_empty() {
        return given;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/golden");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|path| path.extension().map_or(false, |extension| extension == "jsonl"));
    found.sort();
    found
}

fn main() {
    let (mut passed, mut failed) = (0, 0);
    let mut fail = |id: &str, reason: &str| {
        failed += 1;
        println!("FAIL {id}: {reason}");
    };
    let files = files();
    if files.is_empty() {
        fail("corpus", "there are no files");
    }
    for path in files {
        let name = path.display().to_string();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) if !text.trim().is_empty() => text,
            Ok(_) => {
                fail(&name, "holds no case");
                continue;
            }
            Err(error) => {
                fail(&name, &error.to_string());
                continue;
            }
        };
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mut id = format!("{name}:{}", number + 1);
            let outcome = Json::parse(line).and_then(|item| {
                if let Some(Json::Text(known)) = item.get("id") {
                    id = known.clone();
                }
                run(&item)
            });
            match outcome {
                Ok(None) => passed += 1,
                Ok(Some(reason)) | Err(reason) => fail(&id, &reason),
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    std::process::exit(i32::from(failed > 0));
}
