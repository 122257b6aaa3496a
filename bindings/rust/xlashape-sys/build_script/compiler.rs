// SPDX-License-Identifier: Apache-2.0
//! A C++ compiler in the manner of gcc and clang, and the archiver beside it.

use super::stop;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct Compiler {
    words: Vec<String>,
    flags: Vec<String>,
    out: PathBuf,
}

impl Compiler {
    /// The one that CXX_<target> or CXX names, else `c++`. `out`: a folder for trials.
    pub fn new(out: &Path) -> Compiler {
        let words = tool("CXX", env::var("CXX"), "c++");
        let flags =
            ["-std=c++20", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"];
        let mut flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
        flags.push("-w".into()); // warnings are for those who work on the library
        flags.extend(of_environment("CXXFLAGS", env::var("CXXFLAGS")).unwrap_or_default());
        let compiler = Compiler { words, flags, out: out.to_path_buf() };
        let tried = compiler.try_text(&[], "#include <bit>\n#include <concepts>\n#include <span>\n");
        if !tried.status.success() {
            stop(&format!(
                "`{}` does not compile C++20: {}\n\
                 The feature `vendored` needs gcc 12, clang 14 or later (on Debian: g++); CXX names another one.",
                compiler.words.join(" "),
                String::from_utf8_lossy(&tried.stderr).trim()
            ));
        }
        compiler
    }

    /// For all that is compiled from now on.
    pub fn flag(&mut self, flag: &str) {
        self.flags.push(flag.into());
    }

    /// What it says that it is, in plain characters.
    pub fn version(&self) -> String {
        let output = run(Command::new(&self.words[0]).args(&self.words[1..]).arg("--version"));
        let said = String::from_utf8_lossy(&output.stdout);
        let line = said.lines().next().unwrap_or_default();
        line.chars().filter(|c| c.is_ascii_alphanumeric() || " .,:+-_()~".contains(*c)).collect()
    }

    /// Those of the flags that it knows.
    pub fn supported(&self, flags: &[&str]) -> Vec<String> {
        let known = |flag: &&&str| self.accepts(&["-Werror".into(), flag.to_string()], "int nothing;\n");
        flags.iter().filter(known).map(|flag| flag.to_string()).collect()
    }

    pub fn accepts(&self, flags: &[String], text: &str) -> bool {
        self.try_text(flags, text).status.success()
    }

    pub fn compile(&self, source: &Path, flags: &[String], object: &Path) {
        let output = run(self.command(flags).arg("-c").arg(source).arg("-o").arg(object));
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            stop(&format!("`{}` could not compile {}:\n{said}", self.words.join(" "), source.display()));
        }
    }

    /// Makes a library of objects, anew.
    pub fn archive(&self, library: &Path, objects: &[PathBuf]) {
        let _ = fs::remove_file(library);
        let words = tool("AR", env::var("AR"), "ar");
        let output = run(Command::new(&words[0]).args(&words[1..]).arg("crs").arg(library).args(objects));
        if !output.status.success() {
            stop(&format!("`{}` failed: {}", words.join(" "), String::from_utf8_lossy(&output.stderr)));
        }
    }

    fn try_text(&self, flags: &[String], text: &str) -> Output {
        let source = self.out.join("trial.cc");
        if let Err(error) = fs::write(&source, text) {
            stop(&format!("{}: {error}", source.display()));
        }
        run(self.command(flags).arg("-c").arg(&source).arg("-o").arg(self.out.join("trial.o")))
    }

    fn command(&self, flags: &[String]) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(&self.flags).args(flags);
        command
    }
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| {
        stop(&format!(
            "{:?} cannot be run: {error}. The feature `vendored` needs a C++20 compiler (on Debian: g++), which CXX \
             may name, and an archiver, AR.",
            command.get_program()
        ))
    })
}

/// The words of a program's name and first arguments: what is said for this target, for all targets, or by default.
fn tool(name: &str, for_all: Result<String, env::VarError>, default: &str) -> Vec<String> {
    let named = of_environment(name, for_all);
    if named.is_none() && env::var("HOST") != env::var("TARGET") {
        let target = env::var("TARGET").unwrap_or_default().replace('-', "_");
        stop(&format!("this is a cross build: the feature `vendored` needs the target's compiler in {name}_{target}"));
    }
    named.unwrap_or_else(|| vec![default.into()])
}

fn of_environment(name: &str, for_all: Result<String, env::VarError>) -> Option<Vec<String>> {
    let for_target = format!("{name}_{}", env::var("TARGET").unwrap_or_default().replace('-', "_"));
    println!("cargo:rerun-if-env-changed={name}");
    println!("cargo:rerun-if-env-changed={for_target}");
    let words = env::var(for_target).or(for_all).ok()?;
    let words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
    (!words.is_empty()).then_some(words)
}
