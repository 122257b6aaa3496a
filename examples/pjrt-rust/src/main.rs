//! Puts arrays on the devices of a PJRT plugin and shows where their elements are: `pjrt-rust [PLUGIN]`, or with the plugin in
//! `$PJRT_PLUGIN`. Its devices must include one with tiles and one without.

use pjrt::{bytes_of, Buffer, Client, Code, Device, HostArray, HostLayout, Plugin};
use std::error::Error;
use std::process::ExitCode;
use xlashape::{ElementType, IndexMap, Shape};

type Result = std::result::Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result {
    let plugin = match std::env::args_os().nth(1) {
        Some(path) => Plugin::load(path)?,
        None => Plugin::from_environment()?,
    };
    let client = plugin.client(&[("devices", "tpu:v5e,cpu".into())])?;
    let (major, minor) = plugin.version();
    println!("platform {}, PJRT {major}.{minor}", client.platform_name()?);
    let devices = client.addressable_devices()?;
    for device in &devices {
        println!("  device {device}");
    }
    let (tiled, plain) = (&devices[0], &devices[1]);
    matrix(tiled, plain)?;
    halves(tiled, plain)?;
    let stats = tiled.memory_stats()?;
    let peak = stats.peak_bytes_in_use.unwrap_or(-1);
    println!("memory of the tiled device: {} bytes in use, at most {peak}", stats.bytes_in_use);
    compile(&client)
}

/// A part of a larger array of `f32`: every second column, and the rows from the last to the first.
fn matrix(tiled: &Device, plain: &Device) -> Result {
    const ROWS: usize = 20;
    const COLUMNS: usize = 300;
    const WIDTH: usize = 640;
    let values: Vec<f32> = (0..ROWS * WIDTH).map(|i| i as f32).collect();
    let elements = (0..ROWS * COLUMNS).map(|i| values[(ROWS - 1 - i / COLUMNS) * WIDTH + 2 * (i % COLUMNS)]);
    let dimensions = [ROWS as i64, COLUMNS as i64];
    let strides = [-4 * WIDTH as i64, 8];
    let array =
        HostArray::new(ElementType::F32, &dimensions, bytes_of(&values)).strided(&strides, 4 * WIDTH * (ROWS - 1));
    let wanted: Vec<f32> = elements.collect();
    exchange("a float32 matrix with strides", &array, bytes_of(&wanted), &[9, 130], tiled, plain)
}

/// An array of bf16, which has no type in Rust: its bits are the upper ones of an `f32`.
fn halves(tiled: &Device, plain: &Device) -> Result {
    let values: Vec<u16> = (0..3 * 50 * 70).map(|i| (((i % 256) as f32 / 2.0).to_bits() >> 16) as u16).collect();
    let array = HostArray::new(ElementType::BF16, &[3, 50, 70], bytes_of(&values));
    exchange("a bf16 array", &array, bytes_of(&values), &[1, 17, 33], tiled, plain)
}

/// Puts an array on the tiled device, looks for one element there, and copies the array to the other device and back.
fn exchange(what: &str, array: &HostArray, wanted: &[u8], index: &[i64], tiled: &Device, plain: &Device) -> Result {
    let buffer = tiled.put(array)?;
    let (shape, size) = (buffer.shape()?, buffer.device_size()?);
    println!("{what}\n  on the tiled device   {shape}, {size} bytes, {} of them data", wanted.len());
    find(&buffer, &shape, wanted, index)?;

    let moved = buffer.copy_to_device(plain)?;
    println!("  on the other device   {}, {} bytes", moved.shape()?, moved.device_size()?);
    let mut back = vec![0; wanted.len()];
    moved.to_host(&mut back, &HostLayout::RowMajor)?;
    if back != wanted {
        return Err(format!("{what}: another array came back").into());
    }
    println!("  back on the host      the same elements");
    Ok(())
}

/// Compares an element on the device, at the place that the index map says, with the one on the host.
fn find(buffer: &Buffer, shape: &Shape, wanted: &[u8], index: &[i64]) -> Result {
    let width = shape.element_type().storage_bits() / 8;
    let position = IndexMap::new(shape)?.linear_index(index)? as usize;
    let number =
        IndexMap::new(&Shape::array(shape.element_type(), &shape.dimensions())?)?.linear_index(index)? as usize;
    let mut raw = vec![0; buffer.device_size()?];
    buffer.raw_to_host(&mut raw, 0)?;
    let (there, here) = (&raw[position * width..][..width], &wanted[number * width..][..width]);
    let name = format!("element {}", format!("{index:?}").replace(' ', ""));
    println!("  {name:<21} at position {position}, byte {}: {}", position * width, hexadecimal(there));
    match there == here {
        true => Ok(()),
        false => Err(format!("{name} is {} on the host", hexadecimal(here)).into()),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// A StableHLO program as frameworks hand it to plugins, a portable artifact: it multiplies two arrays.
const ATTENTION: &[u8] = include_bytes!("attention.mlirbc");

/// Asks for what this plugin does not do.
fn compile(client: &Client) -> Result {
    match client.compile("mlir", ATTENTION) {
        Err(error) if error.code() == Code::Unimplemented => {
            println!("a program: {error}");
            Ok(())
        }
        Err(error) => Err(error.into()),
        Ok(()) => Err("a program was not refused".into()),
    }
}
