// SPDX-License-Identifier: Apache-2.0
//! What shapes take in memory, and how much of that holds no data: `waste SHAPE...`. Reads shapes from standard input,
//! one a line, when there are none.

use std::io::BufRead;
use xlashape::{Error, Shape};

fn line(text: &str) -> Result<String, Error> {
    let shape: Shape = text.parse()?;
    let sizes = shape.sizes()?;
    Ok(format!("{:>16} {:>16} {:>8.2}x  {shape}", sizes.plain_bytes, sizes.bytes, sizes.waste()))
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let texts = if given.is_empty() { std::io::stdin().lock().lines().map_while(Result::ok).collect() } else { given };
    let mut failed = false;
    println!("{:>16} {:>16} {:>9}", "data bytes", "bytes", "waste");
    for text in texts {
        match line(text.trim()) {
            Ok(line) => println!("{line}"),
            Err(error) => {
                failed = true;
                eprintln!("{text}: {error}");
                if let Some(offset) = error.offset() {
                    eprintln!("{}^", " ".repeat(text.chars().count().min(offset)));
                }
            }
        }
    }
    std::process::exit(i32::from(failed));
}
