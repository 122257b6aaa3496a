//! The client with the plugin in `$PJRT_PLUGIN`.

mod arrays;
mod errors;
mod layouts;
mod transfer;

use pjrt::{Client, Device, Plugin};
use xlashape::Target;

const TARGETS: [Target; 4] = [Target::TpuV5e, Target::TpuV2, Target::TpuV7x, Target::Cpu];

fn plugin() -> Plugin {
    Plugin::from_environment().unwrap_or_else(|error| panic!("{error}"))
}

/// A client with devices of these targets.
fn client(targets: &[Target]) -> (Client, Vec<Device>) {
    let names: Vec<_> = targets.iter().map(|target| target.name()).collect();
    let client = plugin().client(&[("devices", names.join(",").as_str().into())]).unwrap();
    let devices = client.addressable_devices().unwrap();
    assert_eq!(devices.len(), targets.len());
    (client, devices)
}

#[test]
fn everything_may_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Plugin>();
    check::<Client>();
    check::<Device>();
    check::<pjrt::Memory>();
    check::<pjrt::Buffer>();
    check::<pjrt::Event>();
    check::<pjrt::Transfer>();
    check::<pjrt::PjrtError>();
}
