// SPDX-License-Identifier: Apache-2.0
//! The library from the sources in this crate, as src/meson.build has it built: optimized whatever the profile, static,
//! with simd inside. `library/` is the repository's own folders; a published crate has copies of them, and Highway's
//! headers.

use super::compiler::Compiler;
use super::{link_cpp_runtime, stop};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A source, and what it is compiled with besides what all are.
struct Unit {
    source: PathBuf,
    flags: Vec<String>,
}

pub fn library() {
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("windows") {
        stop("the feature `vendored` is not for Windows: install the library there");
    }
    println!("cargo:rerun-if-changed=library");
    let crate_folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("Cargo sets it"));
    let library = crate_folder.join("library");
    let src = library.join("src");
    if !src.join("meson.build").is_file() {
        stop(&format!("the feature `vendored` needs the library's sources, which are not in {}", library.display()));
    }

    let mut compiler = Compiler::new(&out);
    for folder in [src.clone(), library.join("include"), library.join("highway")] {
        compiler.flag(&format!("-I{}", folder.display()));
    }
    let simd = simd_flags(&compiler);
    let mut units = units_of_core(&src, &compiler, simd.is_some());
    match simd {
        Some(flags) => units.extend(units_of_simd(&src, &compiler, flags)),
        None => println!(
            "cargo:warning=xlashape is compiled without its fast backend, simd: hwy/highway.h was not found, or has \
             no vectors for this processor. Install Highway's headers (on Debian: libhwy-dev)"
        ),
    }
    compiler.archive(&out.join("libxlashape.a"), &compiled(&compiler, &units, &out));

    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=xlashape");
    link_cpp_runtime();
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-link-lib=dylib=pthread");
        println!("cargo:rustc-link-lib=dylib=dl");
    }
    println!("cargo:lib_dir={}", out.display());
    println!("cargo:include={}", library.join("include").display());
}

/// Everything in core, but for Windows' code, and the scalar backend. What src/meson.build lists as `fast_sources` is
/// compiled to be fast, the rest to be small.
fn units_of_core(src: &Path, compiler: &Compiler, has_simd: bool) -> Vec<Unit> {
    let text = fs::read_to_string(src.join("meson.build")).unwrap_or_default();
    let fast: Vec<&str> = match text.split_once("fast_sources = files(").and_then(|(_, rest)| rest.split_once(')')) {
        Some((list, _)) => list.split('\'').skip(1).step_by(2).collect(),
        None => stop("src/meson.build has no fast_sources"),
    };
    let (static_backends, left_out) = match (has_simd, is_x86()) {
        (true, true) => ("BACKEND(simd, XLASHAPE_CPU_SSSE3)", ""),
        (true, false) => ("BACKEND(simd, 0)", ""),
        (false, _) => ("", "LEFT_OUT(simd, \"the crate xlashape-sys was built without Highway: see its README\")"),
    };
    let of_core = [
        format!("-I{}", src.join("core").display()),
        "-DXLASHAPE_BUILD".into(),
        format!("-DXLASHAPE_STATIC_BACKENDS={static_backends}"),
        format!("-DXLASHAPE_LEFT_OUT={left_out}"),
        format!("-DXLASHAPE_SIMD_IS_BUILT={has_simd}"),
        format!("-DXLASHAPE_BUILD_ITEMS={}", build_items(compiler, has_simd)),
        "-DXLASHAPE_BACKEND_DIR=\"\"".into(),
    ];
    let optional = compiler.supported(&[
        "-fno-rtti",
        "-fno-gnu-unique",
        "-fno-semantic-interposition",
        "-mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign",
    ]);
    let of_scalar = compiler.supported(&["-fpeel-loops", "-fvect-cost-model=dynamic"]);

    let mut units = Vec::new();
    for source in sources_below(&src.join("core")) {
        let name = source.strip_prefix(src).unwrap_or(&source).to_string_lossy().into_owned();
        if name.contains("/platform/win32/") {
            continue;
        }
        let speed = if fast.contains(&name.as_str()) { "-O2" } else { "-Os" };
        let flags = [vec![speed.to_string()], of_core.to_vec(), optional.clone()].concat();
        units.push(Unit { source, flags });
    }
    for source in sources_below(&src.join("backends/scalar")) {
        let flags = [vec!["-O2".to_string()], of_scalar.clone(), optional.clone()].concat();
        units.push(Unit { source, flags });
    }
    units
}

/// What xlashape_build_info says after the versions.
fn build_items(compiler: &Compiler, has_simd: bool) -> String {
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let items = [
        format!("compiler: {}", compiler.version()),
        format!("machine: {}, {} endian, {}", target("ARCH"), target("ENDIAN"), target("OS")),
        "build type: release, by the crate xlashape-sys".into(),
        format!("backends inside: scalar{}", if has_simd { ", simd" } else { "" }),
        "backends beside: none".into(),
    ];
    items.iter().map(|item| format!(" ITEM(\"{item}\")")).collect()
}

/// What simd's kernels are compiled with; none where they cannot be.
fn simd_flags(compiler: &Compiler) -> Option<Vec<String>> {
    let mut flags: Vec<String> = Vec::new();
    if is_x86() {
        flags.push("-mssse3".into()); // the lowest that may be chosen at run time
    }
    let has_vectors = compiler.accepts(
        &flags,
        "#include \"hwy/highway.h\"\n\
         #if (HWY_TARGETS & ~(HWY_EMU128 | HWY_SCALAR)) == 0 || HWY_ARCH_ARM_V7\n#error\n#endif\n",
    );
    has_vectors.then_some(flags)
}

fn units_of_simd(src: &Path, compiler: &Compiler, kernels: Vec<String>) -> Vec<Unit> {
    let optional = compiler.supported(&["-fno-gnu-unique", "-fno-tree-slp-vectorize"]);
    let aligned = compiler.supported(&["-falign-functions=64", "-falign-loops=32", "-Wno-pragma-clang-attribute"]);
    let mut units = Vec::new();
    let mut slowest = None;
    for source in sources_below(&src.join("backends/simd")) {
        let speed = vec!["-O3".to_string()];
        if source.ends_with("kernels.cc") {
            slowest = Some(Unit { source, flags: [speed, kernels.clone(), aligned.clone()].concat() });
        } else if !source.ends_with("check.cc") {
            units.push(Unit { source, flags: [speed, optional.clone()].concat() });
        }
    }
    units.extend(slowest);
    units
}

/// The objects, made by as many compilers at once as Cargo allows.
fn compiled(compiler: &Compiler, units: &[Unit], out: &Path) -> Vec<PathBuf> {
    let object = |number: usize| {
        let name = units[number].source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        out.join(format!("{number:03}-{name}.o"))
    };
    // From the end of the list: what takes longest is there.
    let left = AtomicUsize::new(units.len());
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Ok(after) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)) {
                    let Unit { source, flags } = &units[after - 1];
                    compiler.compile(source, flags, &object(after - 1));
                }
            });
        }
    });
    (0..units.len()).map(object).collect()
}

fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| stop(&format!("{}: {error}", folder.display())));
    let mut all = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            all.extend(sources_below(&path));
        } else if path.extension().map_or(false, |extension| extension == "cc") {
            all.push(path);
        }
    }
    all.sort();
    all
}

fn is_x86() -> bool {
    matches!(env::var("CARGO_CFG_TARGET_ARCH").as_deref(), Ok("x86" | "x86_64"))
}
