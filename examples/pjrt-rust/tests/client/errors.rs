//! What is refused, and how it is said; and what a client sees of its devices.

use super::arrays::{check, Sample, Striding};
use super::{client, plugin, TARGETS};
use pjrt::{Code, Device, HostArray, HostLayout, PjrtError, Placement, Plugin};
use std::path::{Path, PathBuf};
use std::process::Command;
use xlashape::{ElementType, Layout, Target, TargetOrder};

/// Checks an error's code, and that it says something.
fn refused<T>(what: &str, result: Result<T, PjrtError>, code: Code, words: &[&str]) {
    let error = result.err().unwrap_or_else(|| panic!("{what}: no error"));
    assert_eq!(error.code(), code, "{what}: {error}");
    for word in words {
        assert!(error.to_string().contains(word), "{what}: \"{error}\" does not say \"{word}\"");
    }
}

// StableHLO programs, portable artifacts: one that multiplies, and one that returns its arguments.
const ATTENTION: &[u8] = include_bytes!("../../src/attention.mlirbc");
const SWAP: &[u8] = include_bytes!("../../../pjrt-go/pjrt/testdata/swap.mlirbc");

#[test]
fn errors_have_codes() {
    let (client, devices) = client(&[Target::TpuV5e, Target::Cpu]);
    let invalid = Code::InvalidArgument;
    let words = ["PJRT_Client_Compile", "attention", "multiply"];
    refused("a program that multiplies", client.compile("mlir", ATTENTION), Code::Unimplemented, &words);
    refused("a text", client.compile("mlir", b"module @text {}"), Code::Unimplemented, &["PJRT_Client_Compile"]);
    refused("another format", client.compile("no_such_format", b""), Code::Unimplemented, &["no_such_format"]);
    client.compile("mlir", SWAP).unwrap();
    refused("device 99", client.lookup_device(99), Code::NotFound, &["99"]);
    refused("a target", plugin().client(&[("devices", "tpu:v99".into())]), Code::NotFound, &["v99"]);
    refused("an option", plugin().client(&[("no_such_option", true.into())]), invalid, &["no_such_option"]);

    let sample = Sample::new(ElementType::F32, &[3, 5], Striding::None, 1);
    let buffer = devices[0].put(&sample.array()).unwrap();
    let (mut short, mut long) = ([0; 59], [0; 64]);
    refused("too little memory", buffer.to_host(&mut short, &HostLayout::RowMajor), invalid, &["59", "60"]);
    buffer.to_host(&mut long, &HostLayout::RowMajor).unwrap();
    refused("bytes that are not there", buffer.raw_to_host(&mut short, 1 << 20), Code::OutOfRange, &[]);
    refused("bytes before the first", buffer.raw_to_host(&mut short, -4), Code::OutOfRange, &[]);
    let three = Layout::row_major(3).unwrap();
    refused("another rank", buffer.to_host(&mut long, &HostLayout::Layout(&three)), invalid, &[]);

    let to_strides = |bytes: usize, strides: &[i64]| {
        let mut dst = vec![0; bytes];
        buffer.to_host(&mut dst, &HostLayout::ByteStrides(strides))
    };
    refused("strides to before the destination", to_strides(100, &[-20, 4]), invalid, &["[-40, 20)"]);
    refused("strides to behind the destination", to_strides(60, &[24, 4]), invalid, &["[0, 68) of 60"]);
    refused("too few strides", to_strides(60, &[4]), invalid, &["1 strides for 2 dimensions"]);

    let array = |bytes| HostArray::new(ElementType::F32, &[3, 5], &sample.data[..bytes]);
    refused("an array that is not there", devices[0].put(&array(59)), invalid, &["60"]);
    refused("before the slice", devices[0].put(&array(60).strided(&[-20, 4], 0)), invalid, &["[-40, 20)"]);
    refused("too few strides", devices[0].put(&array(60).strided(&[4], 0)), invalid, &["1 strides for 2 dimensions"]);
    refused("behind the slice", devices[0].put(&array(60).strided(&[20, 4], 4)), invalid, &["from byte 4 on, of 60"]);
    let far = HostArray::new(ElementType::F32, &[3, 1 << 40], &sample.data).strided(&[4, 1 << 40], 0);
    refused("strides that do not fit", devices[0].put(&far), invalid, &["2^63"]);
    refused("a token", devices[0].put(&HostArray::new(ElementType::TOKEN, &[], &[])), invalid, &[]);
    let wide = "{1,0:E(64)}".parse::<Layout>().unwrap();
    let put = devices[0].put_as(&sample.array(), &Placement::Layout(&wide), None);
    refused("a layout that PJRT has no words for", put, Code::Unimplemented, &["E(n)"]);

    buffer.delete().unwrap();
    assert!(buffer.is_deleted().unwrap());
    refused("deleted", buffer.to_host(&mut long, &HostLayout::RowMajor), Code::FailedPrecondition, &["deleted"]);
    refused("a copy of it", buffer.copy_to_device(&devices[1]), Code::FailedPrecondition, &["deleted"]);
}

#[test]
fn memory_has_a_limit() {
    let client = plugin().client(&[("devices", "tpu:v5e".into()), ("memory_bytes", (1 << 20).into())]).unwrap();
    let device = client.lookup_device(0).unwrap();
    let bytes = vec![0; 4 * 600 * 600];
    let put = device.put(&HostArray::new(ElementType::F32, &[600, 600], &bytes));
    let put = put.and_then(|buffer| buffer.ready()?.wait()); // it may be refused later, too
    refused("1.4 MB in 1 MiB", put, Code::ResourceExhausted, &[]);
    assert_eq!(device.memory_stats().unwrap().bytes_limit, Some(1 << 20));
}

/// A client lives as long as what was made from it.
#[test]
fn drop_in_any_order() {
    let (client, devices) = client(&[Target::TpuV5e]);
    let sample = Sample::new(ElementType::BF16, &[20, 30], Striding::None, 1);
    let buffer = devices[0].put(&sample.array()).unwrap();
    let event = buffer.ready().unwrap();
    drop(client);
    drop(devices);
    let mut back = vec![0; sample.plain.len()];
    buffer.to_host(&mut back, &HostLayout::RowMajor).unwrap();
    assert!(back == sample.plain);
    drop(buffer);
    event.wait().unwrap();
}

#[test]
fn devices_and_memories() {
    let (client, devices) = client(&TARGETS);
    assert_eq!(client.platform_name().unwrap(), "xlashape");
    assert!(!client.platform_version().unwrap().is_empty());
    assert_eq!(client.process_index().unwrap(), 0);
    client.plugin().attributes().unwrap();
    let (platform, kinds) = client.topology().unwrap();
    assert_eq!(platform, "xlashape");
    assert_eq!(kinds.len(), devices.len());
    assert_eq!(client.devices().unwrap(), devices);
    for ((device, target), kind) in devices.iter().zip(TARGETS).zip(&kinds) {
        assert_eq!(&client.lookup_device(device.id().unwrap()).unwrap(), device);
        assert_eq!(&device.kind().unwrap(), kind);
        assert!(kind.contains(target.name()), "{kind}");
        assert!(!device.text().unwrap().is_empty());
        device.attributes().unwrap();
        check_memory(device);
    }
}

fn check_memory(device: &Device) {
    let memory = device.default_memory().unwrap();
    assert!(device.memories().unwrap().contains(&memory));
    assert!(!memory.kind().unwrap().is_empty());
    memory.id().unwrap();
    let sample = Sample::new(ElementType::U8, &[40], Striding::None, 1);
    let buffer = device.put_as(&sample.array(), &Placement::Default, Some(&memory)).unwrap();
    assert_eq!(buffer.memory().unwrap(), memory);
    assert_eq!(&buffer.device().unwrap(), device);
    assert_ne!(buffer.unsafe_pointer().unwrap(), 0);
    let mut back = [0; 40];
    buffer.to_host(&mut back, &HostLayout::RowMajor).unwrap();
    assert!(back[..] == sample.plain);
}

/// Compiles altered.c of the client in Go, which is the plugin with an altered table.
fn altered(name: &str, definition: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let out = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wall", "-Werror", "-I../pjrt-plugin", "-D", definition, "-o"])
        .arg(&path)
        .args(["../pjrt-go/pjrt/testdata/altered.c", "-ldl"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    path
}

#[test]
fn plugins_that_are_refused() {
    plugin();
    let (missing, precondition) = (Code::NotFound, Code::FailedPrecondition);
    refused("none", Plugin::load("/no/such/plugin.so"), missing, &["/no/such/plugin.so", "No such file"]);
    let text = Path::new(env!("CARGO_TARGET_TMPDIR")).join("text.so");
    std::fs::write(&text, "this is no shared object\n".repeat(100)).unwrap();
    refused("a text", Plugin::load(text), missing, &["text.so", "invalid ELF header"]);
    refused("another library", Plugin::load("libm.so.6"), precondition, &["does not export GetPjrtApi"]);
    refused("a NUL", Plugin::load("a\0b"), Code::InvalidArgument, &["NUL"]);
    let load = |name, definition| Plugin::load(altered(name, definition));
    refused("no table", load("no_table.so", "NO_TABLE"), precondition, &["returns nothing"]);
    let words = ["version 7.", "0.114", "major versions must be equal"];
    refused("another major version", load("major.so", "MAJOR=7"), precondition, &words);
    refused("no functions", load("bytes.so", "BYTES=16"), precondition, &["16 bytes"]);
    let words = ["PJRT_Buffer_ToHostBuffer ends at"];
    refused("an old table", load("cut.so", "CUT=PJRT_Buffer_ToHostBuffer"), precondition, &words);
    let words = ["has no PJRT_Buffer_ReadyEvent"];
    refused("a hole", load("hole.so", "WITHOUT=PJRT_Buffer_ReadyEvent"), precondition, &words);
    let words = ["PJRT_Plugin_Initialize", "no_such_option"];
    refused("not ready", load("unready.so", "UNREADY"), Code::InvalidArgument, &words);

    let out = Command::new(env!("CARGO_BIN_EXE_pjrt-rust")).env_remove("PJRT_PLUGIN").output().unwrap();
    assert!(!out.status.success());
    assert!(String::from_utf8_lossy(&out.stderr).contains("set PJRT_PLUGIN"));
}

/// An older plugin, whose table ends before what came later, is used as far as it goes.
#[test]
fn older_plugin() {
    let plugin = Plugin::load(altered("older.so", "CUT=PJRT_Buffer_CopyToMemory")).unwrap();
    let client = plugin.client(&[("devices", "tpu:v5e".into())]).unwrap();
    let device = client.lookup_device(0).unwrap();
    let sample = Sample::new(ElementType::F32, &[3, 5], Striding::None, 1);
    let buffer = device.put(&sample.array()).unwrap();
    let mut back = [0; 60];
    buffer.to_host(&mut back, &HostLayout::RowMajor).unwrap();
    assert!(back[..] == sample.plain);
    let copy = buffer.copy_to_memory(&device.default_memory().unwrap());
    refused("a function that came later", copy, Code::Unimplemented, &["PJRT_Buffer_CopyToMemory ends at"]);
    let words = ["PJRT_Buffer_CopyRawToHost ends at"];
    refused("another", buffer.raw_to_host(&mut back, 0), Code::Unimplemented, &words);
    refused("the topology", client.topology(), Code::Unimplemented, &["PJRT_Client_TopologyDescription ends at"]);
}

/// Without the extension for layouts, the layout is that of `PJRT_Buffer_GetMemoryLayout`.
#[test]
fn plugin_without_layouts() {
    let plugin = Plugin::load(altered("no_extensions.so", "NO_EXTENSIONS")).unwrap();
    assert!(!plugin.has_layouts());
    let client = plugin.client(&[("devices", "tpu:v5e".into())]).unwrap();
    let layout = client.default_layout(ElementType::F32, &[2]);
    refused("a default layout", layout, Code::Unimplemented, &["no extension for layouts"]);
    let sample = Sample::new(ElementType::F32, &[3, 500], Striding::None, 1);
    let buffer = client.lookup_device(0).unwrap().put(&sample.array()).unwrap();
    let wanted = sample.natural().for_target(Target::TpuV5e, TargetOrder::Choose).unwrap();
    check(&buffer, &wanted, &sample).unwrap();
}
