// SPDX-License-Identifier: Apache-2.0
//! The crate as programs use it. What shapes and layouts mean is in the golden cases, which `corpus` runs; here are the
//! idioms of Rust, what must not be done, lifetimes and threads, and each method once with an answer that no other
//! method gives.

mod closures;
mod conversions;
mod measuring;
mod misuse;
mod relayout;
mod runtimes;
mod targets;
mod values;
mod windows;

use xlashape::{Error, ErrorKind, Executor, Layout, Plan, Shape};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn layout(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn plan(from: &str, to: &str) -> Plan {
    Plan::new(&shape(from), &shape(to)).unwrap()
}

/// Bytes that tell where they were.
fn numbers(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// The kind of an error whose message may be printed as it is.
fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    let error = result.unwrap_err();
    assert!(!error.message().is_empty() && !error.message().contains('\n'), "{error:?}");
    error.kind()
}

/// Kind and message.
fn told<T: std::fmt::Debug>(result: Result<T, Error>) -> (ErrorKind, String) {
    let error = result.unwrap_err();
    (error.kind(), error.message().to_owned())
}

fn said(kind: ErrorKind, message: impl Into<String>) -> (ErrorKind, String) {
    (kind, message.into())
}

/// Hands the tasks to threads, more than there may be workers.
fn threads(workers: u32) -> Executor {
    Executor::new(workers, |tasks| {
        std::thread::scope(|scope| {
            for _ in 0..tasks.workers() + 5 {
                scope.spawn(|| tasks.work());
            }
        });
    })
}
