// SPDX-License-Identifier: Apache-2.0
//! Finds the library and tells Cargo how to link it: the environment first, then pkg-config, else a clear error. It
//! never builds or downloads anything.

use std::env;
use std::path::Path;
use std::process::{exit, Command};

const HELP: &str = "
Either install xlashape so that pkg-config finds it (a prefix of your own: \
PKG_CONFIG_PATH=<prefix>/lib/<arch>/pkgconfig),
or set XLASHAPE_LIB_DIR to the folder that has libxlashape.so (with XLASHAPE_STATIC=1: libxlashape.a).";

fn main() {
    for name in ["XLASHAPE_LIB_DIR", "XLASHAPE_STATIC", "PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation needs no library
    }
    let is_static = match env::var("XLASHAPE_STATIC").as_deref() {
        Err(_) | Ok("" | "0") => false,
        Ok("1") => true,
        Ok(other) => fail(&format!("XLASHAPE_STATIC is '{other}': it may be 1 or 0")),
    };
    match env::var("XLASHAPE_LIB_DIR") {
        Ok(folder) if !folder.is_empty() => link_folder(&folder, is_static),
        _ => link_by_pkg_config(is_static),
    }
}

fn link_folder(folder: &str, is_static: bool) {
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
        println!("cargo:rustc-link-lib=dylib={}", if is_apple() { "c++" } else { "stdc++" });
        if !is_apple() {
            println!("cargo:rustc-link-lib=dylib=m");
        }
    } else {
        println!("cargo:rustc-link-lib=dylib=xlashape");
    }
}

fn link_by_pkg_config(is_static: bool) {
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

fn is_apple() -> bool {
    env::var("CARGO_CFG_TARGET_VENDOR").as_deref() == Ok("apple")
}

fn fail(reason: &str) -> ! {
    eprintln!("xlashape-sys: the library xlashape was not found: {reason}.{HELP}");
    exit(1);
}
