//! Arrays go to devices, between them, and back.

use super::arrays::{check, compact, rotated, Sample, Striding, STRIDINGS};
use super::{client, TARGETS};
use pjrt::{Buffer, Device, HostLayout, Placement, Semantics};
use std::sync::{mpsc, Arc};
use std::time::Duration;
use xlashape::{ElementType, Ignore, Layout, Shape, StridesPolicy, Target, TargetOrder};

/// The element types that arrays on all targets may have.
const TYPES: [ElementType; 20] = [
    ElementType::PRED,
    ElementType::S8,
    ElementType::S16,
    ElementType::S32,
    ElementType::S64,
    ElementType::U8,
    ElementType::U16,
    ElementType::U32,
    ElementType::U64,
    ElementType::F16,
    ElementType::F32,
    ElementType::F64,
    ElementType::BF16,
    ElementType::C64,
    ElementType::C128,
    ElementType::F8E5M2,
    ElementType::F8E4M3FN,
    ElementType::S4,
    ElementType::U4,
    ElementType::U2,
];

const SIZES: [&[i64]; 11] = [
    &[],
    &[1],
    &[5],
    &[300],
    &[3, 5],
    &[17, 130],
    &[130, 17],
    &[2, 9, 33],
    &[3, 2, 5, 7],
    &[2, 3, 1, 4, 5],
    &[4, 0, 3],
];

/// A layout to ask for.
#[derive(Clone, Copy, Debug)]
enum Request {
    Default,
    Order,
    Tiles,
    Strides,
    StridesWithGaps,
}

const REQUESTS: [Request; 5] =
    [Request::Default, Request::Order, Request::Tiles, Request::Strides, Request::StridesWithGaps];

fn round_trip(device: &Device, target: Target, sample: &Sample, request: Request) -> Result<(), String> {
    let said = |error: pjrt::PjrtError| error.to_string();
    let (natural, dimensions) = (sample.natural(), &sample.dimensions);
    let order = Layout::builder(rotated(dimensions.len()));
    let layout;
    let strides;
    let (place, wanted) = match request {
        Request::Default => (Placement::Default, natural.for_target(target, TargetOrder::Choose)),
        Request::Order => {
            layout = order.build().unwrap();
            let ordered = natural.with_layout(&layout).unwrap();
            (Placement::Layout(&layout), ordered.for_target(target, TargetOrder::Keep))
        }
        Request::Tiles if dimensions.len() >= 2 => {
            layout = order.tile([4, 6]).tile([2, 3]).build().unwrap();
            (Placement::Layout(&layout), natural.with_layout(&layout).unwrap().with_packed_elements())
        }
        Request::Strides | Request::StridesWithGaps if !dimensions.is_empty() => {
            let size = sample.element_type.storage_bits() / 8;
            let gap = if let Request::StridesWithGaps = request { 2 } else { 0 };
            strides = compact(dimensions, &rotated(dimensions.len()), size, gap);
            let policy = StridesPolicy::Padded;
            let given = Layout::from_byte_strides(sample.element_type, dimensions, &strides, policy).unwrap();
            let shape = natural.with_layout(&given).unwrap();
            // Strides without gaps say no more than an order does. With gaps the layout is as given.
            let wanted = match given.padded_dimensions() {
                Some(_) => shape.with_packed_elements(),
                None => shape.for_target(target, TargetOrder::Keep),
            };
            (Placement::ByteStrides(&strides), wanted)
        }
        Request::Tiles | Request::Strides | Request::StridesWithGaps => return Ok(()),
    };
    let buffer = device.put_as(&sample.array(), &place, None).map_err(said)?;
    check(&buffer, &wanted.unwrap(), sample)
}

#[test]
fn round_trips() {
    let (client, devices) = client(&TARGETS);
    let mut count = 0;
    for (number, element_type) in TYPES.into_iter().enumerate() {
        for dimensions in SIZES {
            for (i, striding) in STRIDINGS.into_iter().enumerate() {
                let sample = Sample::new(element_type, dimensions, striding, (number * 100 + i) as u64);
                // All pairs of strides and targets, and with each one of the layouts in turn.
                for (d, target) in TARGETS.into_iter().enumerate() {
                    let request = REQUESTS[(count + d) % REQUESTS.len()];
                    round_trip(&devices[d], target, &sample, request).unwrap_or_else(|error| {
                        panic!("{element_type}{dimensions:?}, {striding:?}, on {target} as {request:?}: {error}")
                    });
                }
                count += 1;
            }
        }
    }
    let wanted =
        Shape::array(ElementType::F32, &[1000, 3]).unwrap().for_target(TARGETS[0], TargetOrder::Choose).unwrap();
    assert_eq!(client.default_layout(ElementType::F32, &[1000, 3]).unwrap(), wanted.layout().unwrap());
}

fn copied(buffer: &Buffer, to: &Device, target: Target, sample: &Sample) -> Result<(), String> {
    let said = |error: pjrt::PjrtError| error.to_string();
    let wanted = sample.natural().for_target(target, TargetOrder::Choose).unwrap();
    check(&buffer.copy_to_device(to).map_err(said)?, &wanted, sample)?;
    let memory = to.default_memory().map_err(said)?;
    check(&buffer.copy_to_memory(&memory).map_err(said)?, &wanted, sample)
}

/// An array goes from each device to each other, and is moved to the layout of that.
#[test]
fn copies() {
    let (_client, devices) = client(&TARGETS);
    for element_type in [ElementType::F32, ElementType::BF16, ElementType::S8, ElementType::U4, ElementType::C128] {
        for dimensions in SIZES {
            let sample = Sample::new(element_type, dimensions, Striding::None, 7);
            for from in &devices {
                let buffer = from.put(&sample.array()).unwrap();
                for (to, target) in devices.iter().zip(TARGETS) {
                    copied(&buffer, to, target, &sample).unwrap_or_else(|error| {
                        panic!("{element_type}{dimensions:?} from {from} to {target}: {error}")
                    });
                }
            }
        }
    }
}

/// What `PJRT_Buffer_GetMemoryLayout` says is the layout without what it has no words for.
#[test]
fn layouts_in_structs() {
    let (_client, devices) = client(&TARGETS);
    for element_type in TYPES {
        let sample = Sample::new(element_type, &[17, 130], Striding::None, 1);
        for device in &devices {
            let buffer = device.put(&sample.array()).unwrap();
            let (shape, layout) = (buffer.shape().unwrap(), buffer.memory_layout().unwrap());
            assert!(layout.equals(&shape.layout().unwrap(), Ignore::ELEMENT_SIZE), "{shape}: {layout}");
        }
    }
}

/// Large arrays are moved by other threads of the plugin, so that events and the semantics of host memory matter.
#[test]
fn later() {
    let targets = [Target::TpuV5e, Target::Cpu];
    let (_client, devices) = client(&targets);
    let mut sample = Sample::new(ElementType::F32, &[513, 1025], Striding::RotatedWithGaps, 9);
    let data: Arc<[u8]> = std::mem::take(&mut sample.data).into(); // the array's own slice is not looked at
    for (device, target) in devices.iter().zip(targets) {
        let wanted = sample.natural().for_target(target, TargetOrder::Choose).unwrap();
        for semantics in [Semantics::UntilTransferCompletes, Semantics::ZeroCopy] {
            let (buffer, done) =
                device.put_later(Arc::clone(&data), &sample.array(), &Placement::Default, semantics).unwrap();
            check(&buffer, &wanted, &sample).unwrap();
            check_ready(&buffer);
            let transfer = buffer.to_host_later(vec![0; sample.plain.len()], &HostLayout::RowMajor).unwrap();
            assert!(transfer.wait().unwrap() == sample.plain);
            drop(buffer.to_host_later(vec![0; sample.plain.len()], &HostLayout::RowMajor).unwrap());
            drop(buffer);
            done.wait().unwrap(); // with zero copy it is the buffer's end
        }
    }
    for _ in 0..1000 {
        if Arc::strong_count(&data) == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} references to the data are left", Arc::strong_count(&data) - 1);
}

/// A zero-copy buffer of a row-major device is the caller's memory itself.
#[test]
fn zero_copy() {
    let (_client, devices) = client(&[Target::Cpu]);
    let sample = Sample::new(ElementType::F32, &[300, 500], Striding::None, 2);
    let data: Arc<[u8]> = sample.data.clone().into();
    let address = data.as_ptr() as usize;
    let (buffer, done) =
        devices[0].put_later(Arc::clone(&data), &sample.array(), &Placement::Default, Semantics::ZeroCopy).unwrap();
    if address % 4 == 0 && buffer.unsafe_pointer().unwrap() == address {
        assert!(!done.is_ready().unwrap());
        assert_eq!(Arc::strong_count(&data), 2);
    }
    drop(data); // the buffer keeps it
    check(&buffer, &sample.natural(), &sample).unwrap();
    drop(buffer);
    done.wait().unwrap();
}

fn check_ready(buffer: &Buffer) {
    let event = buffer.ready().unwrap();
    let (send, receive) = mpsc::channel();
    event.on_ready(move |outcome| send.send(outcome).unwrap()).unwrap();
    event.wait().unwrap();
    assert!(event.is_ready().unwrap());
    receive.recv_timeout(Duration::from_secs(10)).expect("on_ready was not heard of").unwrap();
    event.on_ready(|_| panic!("this panic is part of the test")).unwrap();
}

#[test]
fn sixteen_threads() {
    let (_client, devices) = client(&TARGETS);
    let devices = &devices;
    std::thread::scope(|scope| {
        for thread in 0..16 {
            scope.spawn(move || {
                for i in 0..40 {
                    let at = thread + i;
                    let dimensions = [1 + at as i64 % 50, 3 + i as i64 * 7];
                    let striding = STRIDINGS[at % STRIDINGS.len()];
                    let sample = Sample::new(TYPES[at % TYPES.len()], &dimensions, striding, at as u64);
                    let from = at % devices.len();
                    round_trip(&devices[from], TARGETS[from], &sample, REQUESTS[i % REQUESTS.len()]).unwrap();
                    let to = (at + i) % devices.len();
                    let buffer = devices[from].put(&sample.array()).unwrap();
                    copied(&buffer, &devices[to], TARGETS[to], &sample).unwrap();
                }
            });
        }
    });
}

/// The memory of buffers that are deleted or dropped comes back.
#[test]
fn memory_is_given_back() {
    let (_client, devices) = client(&[Target::TpuV5e, Target::Cpu]);
    let device = &devices[0];
    let in_use = || device.memory_stats().unwrap().bytes_in_use;
    let sample = Sample::new(ElementType::F32, &[100, 200], Striding::None, 3);
    let before = in_use();
    let buffer = device.put(&sample.array()).unwrap();
    let size = buffer.device_size().unwrap() as i64;
    assert!(in_use() >= before + size);
    buffer.delete().unwrap();
    assert_eq!(in_use(), before);
    drop(buffer);
    let mut back = vec![0; sample.plain.len()];
    for i in 0..2000 {
        let buffer = device.put(&sample.array()).unwrap();
        buffer.to_host(&mut back, &HostLayout::RowMajor).unwrap();
        drop(buffer);
        assert_eq!(in_use(), before, "after {} transfers", i + 1);
    }
    assert!(back == sample.plain);
    let stats = device.memory_stats().unwrap();
    assert!(stats.peak_bytes_in_use.map_or(true, |peak| peak <= before + 4 * size), "{stats:?}");
}
