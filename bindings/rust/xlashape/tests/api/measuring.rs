// SPDX-License-Identifier: Apache-2.0
//! Measured plans, wisdom and profiles.

use crate::{kind, said, told};
use std::time::Duration;
use xlashape::{ErrorKind, Executor, Plan, Relayout, Result, Runtime, RuntimeBuilder, Shape};

fn builder() -> RuntimeBuilder {
    Runtime::builder().no_environment().backend("simd")
}

fn shapes(rows: usize, columns: usize) -> (Shape, Shape) {
    let shape = |order| format!("u16[{rows},{columns}]{{{order}}}").parse().unwrap();
    (shape("1,0"), shape("0,1"))
}

fn moves(plan: &Plan) -> bool {
    let src: Vec<u16> = (0..64 * 96).collect();
    let mut dst = vec![0; src.len()];
    plan.execute_typed(&src, &mut dst).unwrap();
    (0..64 * 96).all(|i| dst[i % 96 * 64 + i / 96] == src[i])
}

/// Ends after some milliseconds; a busy machine may need more of them, and what does not end is not kept.
fn measured(runtime: &Runtime, (src, dst): &(Shape, Shape)) -> Result<Plan> {
    Relayout::new(src, dst).runtime(runtime).measured_plan(Duration::from_secs(10))
}

#[test]
fn plans_and_wisdom() -> Result<()> {
    let (one, other, shapes) = (builder().build()?, builder().build()?, shapes(64, 96));
    assert!(moves(&measured(&one, &shapes)?));
    let wisdom = one.wisdom()?;
    assert!(wisdom.starts_with("xlashape wisdom 1\nprocessor "), "{wisdom}");
    assert_eq!(other.import_wisdom(&wisdom)?, 1);
    assert_eq!(other.wisdom()?, wisdom);
    assert!(moves(&Relayout::new(&shapes.0, &shapes.1).runtime(&other).plan()?));
    other.forget_wisdom();
    assert_eq!(other.wisdom()?.lines().count(), 2);
    assert_eq!(one.wisdom()?, wisdom);
    Ok(())
}

#[test]
fn what_cannot_be_measured() -> Result<()> {
    let (runtime, (src, dst)) = (builder().build()?, shapes(64, 96));
    let relayout = Relayout::new(&src, &dst);
    let (kind, message) = told(relayout.measured_plan(Duration::MAX));
    assert!(kind == ErrorKind::InvalidArgument && message.ends_with("s: too long"), "{message}");
    let (kind, message) = told(runtime.import_wisdom("xlashape wisdom 1\nprocessor x\nhello\n"));
    assert!(kind == ErrorKind::Parse && message.starts_with("line 3: "), "{message}");
    let runtime = builder().executor(Executor::new(4, |_| panic!("mine"))).build()?;
    let panicked = measured(&runtime, &shapes(1024, 1536));
    assert_eq!(told(panicked), said(ErrorKind::Cancelled, "the executor panicked: mine"));
    Ok(())
}

#[test]
fn profiles() -> Result<()> {
    let mut last = (0, 1);
    let profile = builder().build()?.calibrate(Duration::from_millis(10), |done, count| {
        assert!(done >= last.0);
        last = (done, count);
        true
    })?;
    assert_eq!(last.0, last.1);
    assert!(profile.starts_with("xlashape profile 1\nprocessor "), "{profile}");
    let with = builder().profile(&profile).build()?;
    let plan = measured(&with, &shapes(64, 96))?;
    assert!(moves(&plan));
    assert!(plan.predict()? > Some(Duration::ZERO), "{plan:?}");
    assert_eq!(with.profile_path()?, "", "no environment says where");
    let (runtime, budget) = (builder().build()?, Duration::from_secs(10));
    assert_eq!(kind(runtime.calibrate(budget, |_, _| false)), ErrorKind::Cancelled);
    let panicked = runtime.calibrate(budget, |_, _| panic!("mine"));
    assert_eq!(told(panicked), said(ErrorKind::Cancelled, "the progress closure panicked: mine"));
    Ok(())
}

#[test]
fn predictions() -> Result<()> {
    let plan = |profile: &str, from: &str, to: &str| {
        let runtime = builder().profile(profile).build()?;
        Relayout::new(&from.parse()?, &to.parse()?).runtime(&runtime).plan()
    };
    let (rows, columns) = ("u8[1024,1024]{1,0}", "u8[1024,1024]{0,1}");
    assert_eq!(plan("", rows, columns)?.predict()?, None);

    let wisdom = builder().build()?.wisdom()?;
    let processor = wisdom.lines().nth(1).unwrap();
    let head = format!("xlashape profile 1\n{processor}\n[simd]\n");
    let never = "stream_squares_bytes = 1152921504606846976\n"; // past the caches, which has no speed here
    let speeds = "ns.call = 1000\nns_per_mib.squares_1.ordinary.1024k = 2000000\n";
    let predicted = plan(&(head.clone() + never + speeds), rows, columns)?;
    assert_eq!(predicted.predict()?, Some(Duration::from_micros(2001)), "{predicted:?}");
    assert_eq!(predicted.clone().predict()?, predicted.predict()?);
    assert_eq!(plan(&(head.clone() + never), rows, columns)?.predict()?, None, "no speeds");
    let packed = plan(&(head + never + speeds), "u4[64,64]{1,0:E(4)}", "u4[64,64]{0,1:E(4)}")?;
    assert_eq!(packed.predict()?, None, "{packed:?}");
    Ok(())
}
