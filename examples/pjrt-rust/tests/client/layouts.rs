//! The declarations against C: where each field of each struct is.

use pjrt::pjrt_sys;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What a command prints.
fn output(command: &mut Command) -> Vec<u8> {
    let out = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

#[test]
fn structs_are_those_of_c() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("layouts.c"), folder.join("layouts"));
    std::fs::write(&source, output(Command::new("python3").args(["generate.py", "--layouts"]))).unwrap();
    output(Command::new("cc").args(["-I", "../pjrt-plugin", "-o"]).args([&program, &source]));
    let c: BTreeSet<String> =
        String::from_utf8(output(&mut Command::new(program))).unwrap().lines().map(String::from).collect();

    let mut rust = BTreeSet::new();
    let layouts = pjrt_sys::layouts();
    for (name, size, fields) in &layouts {
        if let Some(owner) = name.strip_suffix("_union") {
            // The members of a union lie where it does in the struct that it is in.
            let (_, _, outer) = layouts.iter().find(|(name, ..)| name == &owner).unwrap();
            let (_, start, _) = outer.iter().find(|(field, ..)| ["value", "layout"].contains(field)).unwrap();
            rust.extend(
                fields.iter().map(|(field, from, to)| format!("{owner}.{field} {} {}", start + from, start + to)),
            );
            continue;
        }
        rust.insert(format!("{name} {size}"));
        let has_union = layouts.iter().any(|(other, ..)| *other == format!("{name}_union"));
        for (field, from, to) in fields {
            if !(has_union && ["value", "layout"].contains(field)) {
                rust.insert(format!("{name}.{} {from} {to}", field.trim_start_matches("r#")));
            }
        }
    }
    assert!(rust.len() > 900, "{} lines", rust.len());
    let differences: Vec<_> = rust.symmetric_difference(&c).collect();
    assert!(
        differences.is_empty(),
        "{} lines differ, such as {:#?}",
        differences.len(),
        &differences[..differences.len().min(6)]
    );
}

#[test]
fn sizes_of_arguments_end_with_the_last_field() {
    assert_eq!(pjrt_sys::PJRT_Buffer_MemoryLayout::new().struct_size, 76);
    assert_eq!(pjrt_sys::PJRT_Event_IsReady_Args::new().struct_size, 25);
    assert_eq!(pjrt_sys::PJRT_Client_Create_Args::new().struct_size, 88);
}
