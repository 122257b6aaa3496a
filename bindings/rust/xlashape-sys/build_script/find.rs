// SPDX-License-Identifier: Apache-2.0
//! The library that is installed: the environment first, then pkg-config, else a clear error.

use super::{link_cpp_runtime, stop};
use std::env;
use std::path::Path;
use std::process::Command;

const HELP: &str = "
Either ask for the feature `vendored`, which compiles the library and needs a C++20 compiler only,
or install xlashape so that pkg-config finds it (a prefix of your own: \
PKG_CONFIG_PATH=<prefix>/lib/<arch>/pkgconfig),
or set XLASHAPE_LIB_DIR to the folder that has libxlashape.so (with XLASHAPE_STATIC=1: libxlashape.a).";

pub fn link_folder(folder: &str, is_static: bool) {
    let names: &[&str] = if is_static {
        &["libxlashape.a", "xlashape.lib"]
    } else {
        &["libxlashape.so", "libxlashape.dylib", "xlashape.lib"]
    };
    if !names.iter().any(|name| Path::new(folder).join(name).exists()) {
        fail(&format!("XLASHAPE_LIB_DIR is '{folder}', where there is no {}", names.join(" and no ")));
    }
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:lib_dir={folder}");
    if is_static {
        println!("cargo:rustc-link-lib=static=xlashape");
        link_cpp_runtime();
    } else {
        println!("cargo:rustc-link-lib=dylib=xlashape");
    }
}

pub fn link_by_pkg_config(is_static: bool) {
    let tool = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    if env::var("HOST") != env::var("TARGET") && env::var_os("PKG_CONFIG").is_none() {
        fail(
            "this is a cross build, and pkg-config would answer for the machine that builds: \
             set PKG_CONFIG to the target's",
        );
    }
    let mut flags = vec!["--libs"];
    if is_static {
        flags.push("--static");
    }
    let libdir = words(&ask(&tool, &["--variable=libdir"])).join(" ");
    if is_static && !Path::new(&libdir).join("libxlashape.a").exists() {
        fail(&format!("XLASHAPE_STATIC is 1, and there is no libxlashape.a in '{libdir}', which pkg-config names"));
    }
    for flag in words(&ask(&tool, &flags)) {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(name) = flag.strip_prefix("-l") {
            let kind = if is_static && name == "xlashape" { "static" } else { "dylib" };
            println!("cargo:rustc-link-lib={kind}={name}");
        } else if flag == "-pthread" {
            println!("cargo:rustc-link-lib=dylib=pthread");
        }
    }
    println!("cargo:lib_dir={libdir}");
    println!("cargo:include={}", words(&ask(&tool, &["--variable=includedir"])).join(" "));
}

/// pkg-config writes for a shell: white space separates words, save behind a backslash.
fn words(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, all.last_mut()) {
            ('\\', Some(word)) => word.extend(chars.next()),
            (c, Some(word)) if !c.is_ascii_whitespace() => word.push(c),
            _ => all.push(String::new()),
        }
    }
    all.retain(|word| !word.is_empty());
    all
}

fn ask(tool: &str, flags: &[&str]) -> String {
    // Asked for a variable, it says what is wrong only when it is told to.
    match Command::new(tool).arg("--print-errors").args(flags).arg("xlashape").output() {
        Ok(answer) if answer.status.success() => String::from_utf8_lossy(&answer.stdout).into_owned(),
        Ok(answer) => {
            let said = String::from_utf8_lossy(&answer.stderr).trim().replace('\n', " ");
            let said = if said.is_empty() { format!(" nothing, {}", answer.status) } else { format!(": {said}") };
            fail(&format!("`{tool} {} xlashape` says{said}", flags.join(" ")))
        }
        Err(error) => fail(&format!("`{tool}` cannot be run: {error}")),
    }
}

pub fn fail(reason: &str) -> ! {
    stop(&format!("the library xlashape was not found: {reason}.{HELP}"))
}
