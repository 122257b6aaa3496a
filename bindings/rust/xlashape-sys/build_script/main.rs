// SPDX-License-Identifier: Apache-2.0
//! Tells Cargo how to link the library: one that is installed, or, with the feature `vendored`, one that is compiled
//! here from the sources in this crate. A folder that the environment names precedes both. Nothing is ever downloaded.

mod compile;
mod compiler;
mod find;

use std::env;
use std::process::exit;

fn main() {
    for name in ["XLASHAPE_LIB_DIR", "XLASHAPE_STATIC", "PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build_script");
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation needs no library
    }
    let is_static = match env::var("XLASHAPE_STATIC").as_deref() {
        Err(_) | Ok("" | "0") => false,
        Ok("1") => true,
        Ok(other) => find::fail(&format!("XLASHAPE_STATIC is '{other}': it may be 1 or 0")),
    };
    match env::var("XLASHAPE_LIB_DIR") {
        Ok(folder) if !folder.is_empty() => find::link_folder(&folder, is_static),
        _ if cfg!(feature = "vendored") => compile::library(),
        _ => find::link_by_pkg_config(is_static),
    }
}

/// What a static library of C++ needs besides.
fn link_cpp_runtime() {
    println!("cargo:rustc-link-lib=dylib={}", if is_apple() { "c++" } else { "stdc++" });
    if !is_apple() {
        println!("cargo:rustc-link-lib=dylib=m");
    }
}

fn is_apple() -> bool {
    env::var("CARGO_CFG_TARGET_VENDOR").as_deref() == Ok("apple")
}

fn stop(text: &str) -> ! {
    eprintln!("xlashape-sys: {text}");
    exit(1);
}
