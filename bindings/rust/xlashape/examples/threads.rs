// SPDX-License-Identifier: Apache-2.0
//! A relayout on threads of one's own: the executor is a closure. Prints the time of one thread and of all.

use std::time::Instant;
use xlashape::{Error, Executor, Relayout, Runtime, Shape};

fn main() -> Result<(), Error> {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let executor = Executor::new(threads, |tasks| {
        std::thread::scope(|scope| {
            for _ in 1..tasks.workers() {
                scope.spawn(|| tasks.work());
            }
            tasks.work(); // this thread, too
        });
    });
    let runtime = Runtime::builder().executor(executor).build()?;

    let rows: Shape = "bf16[2048,2048]{1,0}".parse()?;
    let tiles: Shape = "bf16[2048,2048]{1,0:T(8,128)(2,1)}".parse()?;
    let src: Vec<u16> = (0..2048 * 2048).map(|i| i as u16).collect();
    let (mut alone, mut together) = (vec![0u16; src.len()], vec![0u16; src.len()]);

    let one = Relayout::new(&rows, &tiles).plan()?;
    let all = Relayout::new(&rows, &tiles).runtime(&runtime).plan()?;
    for (plan, dst, threads) in [(&one, &mut alone, 1), (&all, &mut together, threads)] {
        let start = Instant::now();
        plan.execute_typed(&src, dst)?;
        println!("{} on {threads} threads: {:?}", plan.backend(), start.elapsed());
    }
    assert!(alone == together);

    let back = Relayout::new(&tiles, &rows).runtime(&runtime).plan()?;
    back.execute_typed(&together, &mut alone)?;
    assert!(alone == src, "there and back is the same");
    println!("there and back: the same {} elements", src.len());
    Ok(())
}
