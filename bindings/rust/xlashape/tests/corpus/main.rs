// SPDX-License-Identifier: Apache-2.0
//! Runs the golden cases that all languages share: `corpus [FILE...]`, by default all files of the repository's folder.
//! Prints what failed and `N passed, M failed`.

mod describe;
mod image;
mod json;

use describe::{describe, padding_value, read_shape};
use image::{compare, hex, pack};
use json::{canonical, int, ints, list, object, text};
use std::collections::BTreeMap;
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

/// A line of the corpus: names, and values as JSON.
pub struct Case<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Case<'a> {
    /// None for a field that is not there, or null.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied().filter(|value| *value != "null")
    }

    pub fn field(&self, name: &str) -> Result<&'a str, String> {
        self.0.get(name).copied().ok_or_else(|| format!("the case has no field '{name}'"))
    }

    fn int(&self, name: &str) -> Result<i64, String> {
        int(self.field(name)?)
    }

    fn ints(&self, name: &str) -> Result<Vec<i64>, String> {
        ints(self.field(name)?)
    }

    fn shape(&self) -> Result<Shape, Failure> {
        read_shape(self, "shape", "")
    }

    fn pair(&self, a: &str, b: &str) -> Result<(Shape, Shape), Failure> {
        Ok((read_shape(self, a, &format!("{a}_"))?, read_shape(self, b, &format!("{b}_"))?))
    }

    fn bitcast(&self) -> Bitcast {
        match self.get("ignore_element_type") {
            Some("true") => Bitcast::XLA | Bitcast::IGNORE_ELEMENT_TYPE,
            _ => Bitcast::XLA,
        }
    }

    fn ignore(&self) -> Result<Ignore, Failure> {
        let names = match self.get("ignore") {
            Some(names) => names,
            None => return Ok(Ignore::XLA),
        };
        let mut mask = Ignore::NONE;
        for name in list(names)? {
            mask |= match text(name)? {
                "layout" => Ignore::LAYOUT,
                "tiles" => Ignore::TILES,
                "element_size" => Ignore::ELEMENT_SIZE,
                "memory_space" => Ignore::MEMORY_SPACE,
                "tail_padding_alignment" | "tail_padding" => Ignore::TAIL_PADDING_ALIGNMENT,
                "split_configs" => Ignore::SPLIT_CONFIGS,
                "padding" => Ignore::PADDING,
                "minor_to_major_only" | "all_but_minor_to_major" => Ignore::MINOR_TO_MAJOR_ONLY,
                "element_type" => Ignore::ELEMENT_TYPE,
                "fp_precision" => Ignore::FP_PRECISION,
                "dynamic_dimension" | "dynamic" => Ignore::DYNAMIC_DIMENSION,
                "dimensions" => Ignore::DIMENSIONS,
                "buffer" => Ignore::BUFFER,
                "metadata_prefix" => Ignore::METADATA_PREFIX,
                other => return Err(format!("nothing is known that ignores {other}").into()),
            };
        }
        Ok(mask)
    }
}

fn quoted(text: impl ToString) -> String {
    format!("\"{}\"", text.to_string())
}

fn or_null<T: std::fmt::Debug>(answer: Option<T>) -> String {
    answer.map_or("null".to_owned(), |answer| format!("{answer:?}"))
}

/// Row-major, without tiles or widths, in the element's own storage.
fn plain_of(shape: &Shape) -> Result<Shape, Failure> {
    Ok(Shape::array(shape.element_type(), &shape.dimensions())?)
}

/// Images are compared where they are made: the answer is what was wanted, or what differs.
fn image(case: &Case, src: &Shape, dst: &Shape) -> Result<String, Failure> {
    let (want, fill) = (case.field("expect")?, case.get("fill").unwrap_or("no element"));
    let images = match list(want) {
        Ok(images) => images,
        Err(_) => vec![fill; dst.sizes()?.storage_elements], // an error is wanted
    };
    let difference = compare(src, &list(case.field("data")?)?, dst, &images, fill)?;
    Ok(difference.unwrap_or_else(|| want.to_owned()))
}

fn primitive(name: &str) -> Result<String, Failure> {
    // Names that XLA's text does not know are still those of numbers.
    let known = (1..256).filter_map(ElementType::from_number).find(|element_type| element_type.name() == name);
    let element_type = known.map_or_else(|| name.parse(), Ok)?;
    let (number, bits, bytes) = (element_type.number(), element_type.bits(), element_type.storage_bits() / 8);
    Ok(format!("{{\"number\":{number},\"bits\":{bits},\"bytes\":{bytes}}}"))
}

/// The answer as JSON.
fn answer(case: &Case) -> Result<String, Failure> {
    let both = || case.pair("a", "b");
    Ok(match text(case.field("kind")?)? {
        "parse" => describe(&case.shape()?)?,
        "reject" => format!("accepted as {}", case.shape()?),
        "print" => match case.get("with_layout") {
            Some("false") => quoted(case.shape()?.to_string_without_layout()?),
            _ => quoted(case.shape()?),
        },
        "linear_index" => IndexMap::new(&case.shape()?)?.linear_index(&case.ints("index")?)?.to_string(),
        "multi_index" => match IndexMap::new(&case.shape()?)?.index(case.int("linear")?)? {
            Some(index) => format!("{index:?}"),
            None => quoted("padding"),
        },
        "element_count" => case.shape()?.element_count()?.to_string(),
        "storage_elements" => case.shape()?.sizes()?.storage_elements.to_string(),
        "byte_size" => {
            let pointer_size = case.get("pointer_size").map_or(Ok(0), int)?;
            case.shape()?.top_level_byte_size(pointer_size as usize)?.to_string()
        }
        "stride" => {
            let shape = case.shape()?;
            let dimension = dimension_number(shape.rank(), case.int("dimension")?)?;
            shape.strides(Unit::Elements)?[dimension as usize].to_string()
        }
        "dimension_number" => dimension_number(case.shape()?.rank(), case.int("dimension")?)?.to_string(),
        "next_index" => {
            let mut index = case.ints("index")?;
            let more = case.shape()?.next_index(&mut index);
            or_null(more.then_some(index))
        }
        "to_memory" => {
            let shape = case.shape()?;
            image(case, &plain_of(&shape)?, &shape)?
        }
        "relayout" => {
            let (src, dst) = case.pair("src", "dst")?;
            image(case, &src, &dst)?
        }
        "pack" => {
            let shape = case.shape()?;
            quoted(pack(&shape, &plain_of(&shape)?, &case.ints("data")?)?)
        }
        "bytes" => {
            let (src, dst) = case.pair("src", "dst")?;
            quoted(image::bytes(&src, text(case.field("data")?)?, &dst)?)
        }
        "fill_value" => {
            let element_type: ElementType = text(case.field("type")?)?.parse()?;
            quoted(hex(&element_type.padding_element(padding_value(case.field("padding_value")?)?)?))
        }
        "primitive" => primitive(text(case.field("type")?)?)?,
        "equal" => both().and_then(|(a, b)| Ok(a.equals(&b, case.ignore()?)))?.to_string(),
        "compatible" => both().and_then(|(a, b)| Ok(a.compatible(&b, case.ignore()?)))?.to_string(),
        "reshape_is_bitcast" => both().map(|(a, b)| a.reshape_is_bitcast(&b, case.bitcast()))?.to_string(),
        "transpose_is_bitcast" => {
            let ((a, b), permutation) = (both()?, case.ints("permutation")?);
            a.transpose_is_bitcast(&b, &permutation, case.bitcast()).to_string()
        }
        "deduce_transpose" => or_null(both().and_then(|(a, b)| Ok(a.deduce_transpose(&b, case.bitcast())?))?),
        "unmodified_dims" => {
            let (a, b) = both()?;
            let pairs = dimensions_unmodified_by_reshape(&a.dimensions(), &b.dimensions())?;
            format!("{:?}", pairs.into_iter().map(|(a, b)| [a, b]).collect::<Vec<_>>())
        }
        "inserted_deleted_ones" => {
            let ones = both().and_then(|(a, b)| Ok(a.inserted_or_deleted_ones(&b)?))?;
            or_null(ones.map(|(deleted, inserted)| [deleted, inserted]))
        }
        "align_layouts" => {
            let layout = case.shape()?.align_layouts(&case.ints("output_dimensions")?, Bitcast::XLA)?;
            or_null(layout.map(|layout| layout.minor_to_major()))
        }
        "permute_dims" => quoted(case.shape()?.permute_dimensions(&case.ints("permutation")?, Permute::KeepMemory)?),
        "delete_dims" => quoted(case.shape()?.delete_dimensions(&case.ints("dimensions")?)?),
        "insert_dims" => {
            let at = case.int("at")?.try_into().map_err(|_| "at is negative".to_owned())?;
            quoted(case.shape()?.insert_dimensions(at, &case.ints("sizes")?, Insert::Beside)?)
        }
        "descending_same_physical" => quoted(case.shape()?.to_physical_order()?),
        "normalized_transpose" => {
            let (sizes, order) = normalized_transpose(&case.ints("output_dimensions")?, &case.ints("permutation")?)?;
            format!("{:?}", [sizes, order])
        }
        "true_rank" => case.shape()?.true_rank().to_string(),
        "logical_to_physical" => or_null(case.shape()?.layout().map(|layout| layout.logical_to_physical())),
        "leaf_count" => case.shape()?.leaf_count().to_string(),
        "max_split_size" => case.shape()?.max_split_size(case.int("dimension")?)?.to_string(),
        "subshape" => quoted(case.shape()?.subshape(&case.ints("path")?)?),
        "proto_encode" => quoted(hex(&case.shape()?.to_proto()?)),
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

/// None when the case passes, else what is wrong with it.
fn run(case: &Case) -> Result<Option<String>, String> {
    let want = canonical(case.field("expect")?)?;
    let wanted_error = object(&want).ok().filter(|want| want.contains_key("error"));
    let (got, is_right) = match answer(case) {
        Ok(got) => (canonical(&got)?, wanted_error.is_none() && canonical(&got)? == want),
        Err(Failure::Refused(error)) => {
            let stage = stage(error.kind());
            let is_right =
                wanted_error.map_or(false, |want| want.get("stage").map_or(true, |want| text(want) == Ok(stage)));
            (format!("{:?} ({stage}): {error}", error.kind()), is_right)
        }
        Err(Failure::Case(reason)) => return Err(reason),
    };
    let short = |text: &str| text.chars().take(400).collect::<String>();
    Ok((!is_right).then(|| format!("got {} want {}", short(&got), short(&want))))
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
            let outcome = object(line).and_then(|members| {
                id = members.get("id").map_or(id.clone(), |known| known.to_string());
                run(&Case(members))
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
