// Written by bindings/rust/generate.py from tests/abi/xlashape.abi.json: do not edit.

use super::call::{check, list, static_text, text, text_in, with_text};
use super::handle::{optional, Counted, Handle};
use crate::Result;
use xlashape_sys as sys;

// SAFETY: the two functions of this handle; they count atomically.
unsafe impl Counted for sys::xlashape_layout {
    unsafe fn retain(handle: *mut Self) {
        sys::xlashape_layout_retain(handle);
    }
    unsafe fn release(handle: *mut Self) {
        sys::xlashape_layout_release(handle);
    }
}

// SAFETY: the ABI declares it "shared": any thread, concurrently.
unsafe impl Send for Handle<sys::xlashape_layout> {}
unsafe impl Sync for Handle<sys::xlashape_layout> {}

// SAFETY: the two functions of this handle; they count atomically.
unsafe impl Counted for sys::xlashape_shape {
    unsafe fn retain(handle: *mut Self) {
        sys::xlashape_shape_retain(handle);
    }
    unsafe fn release(handle: *mut Self) {
        sys::xlashape_shape_release(handle);
    }
}

// SAFETY: the ABI declares it "shared": any thread, concurrently.
unsafe impl Send for Handle<sys::xlashape_shape> {}
unsafe impl Sync for Handle<sys::xlashape_shape> {}

// SAFETY: the two functions of this handle; they count atomically.
unsafe impl Counted for sys::xlashape_index_map {
    unsafe fn retain(handle: *mut Self) {
        sys::xlashape_index_map_retain(handle);
    }
    unsafe fn release(handle: *mut Self) {
        sys::xlashape_index_map_release(handle);
    }
}

// SAFETY: the ABI declares it "shared": any thread, concurrently.
unsafe impl Send for Handle<sys::xlashape_index_map> {}
unsafe impl Sync for Handle<sys::xlashape_index_map> {}

// SAFETY: the two functions of this handle; they count atomically.
unsafe impl Counted for sys::xlashape_runtime {
    unsafe fn retain(handle: *mut Self) {
        sys::xlashape_runtime_retain(handle);
    }
    unsafe fn release(handle: *mut Self) {
        sys::xlashape_runtime_release(handle);
    }
}

// SAFETY: the ABI declares it "shared": any thread, concurrently.
unsafe impl Send for Handle<sys::xlashape_runtime> {}
unsafe impl Sync for Handle<sys::xlashape_runtime> {}

// SAFETY: the two functions of this handle; they count atomically.
unsafe impl Counted for sys::xlashape_plan {
    unsafe fn retain(handle: *mut Self) {
        sys::xlashape_plan_retain(handle);
    }
    unsafe fn release(handle: *mut Self) {
        sys::xlashape_plan_release(handle);
    }
}

// SAFETY: the ABI declares it "shared": any thread, concurrently.
unsafe impl Send for Handle<sys::xlashape_plan> {}
unsafe impl Sync for Handle<sys::xlashape_plan> {}

// SAFETY: the two functions of this handle; they count atomically.
unsafe impl Counted for sys::xlashape_program_shape {
    unsafe fn retain(handle: *mut Self) {
        sys::xlashape_program_shape_retain(handle);
    }
    unsafe fn release(handle: *mut Self) {
        sys::xlashape_program_shape_release(handle);
    }
}

// SAFETY: the ABI declares it "shared": any thread, concurrently.
unsafe impl Send for Handle<sys::xlashape_program_shape> {}
unsafe impl Sync for Handle<sys::xlashape_program_shape> {}

pub(crate) fn version() -> Option<&'static str> {
    unsafe { static_text(sys::xlashape_version()) }
}

pub(crate) fn abi_version() -> u32 {
    unsafe { sys::xlashape_abi_version() }
}

pub(crate) fn status_name(status: sys::xlashape_status) -> Option<&'static str> {
    unsafe { static_text(sys::xlashape_status_name(status)) }
}

pub(crate) fn element_type_name(r#type: sys::xlashape_element_type) -> Option<&'static str> {
    unsafe { static_text(sys::xlashape_element_type_name(r#type)) }
}

pub(crate) fn element_type_from_name(name: &str) -> Result<sys::xlashape_element_type> {
    let mut r#type: sys::xlashape_element_type = 0;
    check(|err| unsafe { sys::xlashape_element_type_from_name(name.as_ptr().cast(), name.len() as _, &mut r#type, err) })?;
    Ok(r#type)
}

pub(crate) fn element_type_bits(r#type: sys::xlashape_element_type) -> i32 {
    unsafe { sys::xlashape_element_type_bits(r#type) }
}

pub(crate) fn element_type_storage_bits(r#type: sys::xlashape_element_type) -> i32 {
    unsafe { sys::xlashape_element_type_storage_bits(r#type) }
}

pub(crate) fn element_type_classes(r#type: sys::xlashape_element_type) -> u32 {
    unsafe { sys::xlashape_element_type_classes(r#type) }
}

pub(crate) fn element_type_float_format(r#type: sys::xlashape_element_type) -> Result<sys::xlashape_float_format> {
    let mut format = sys::xlashape_float_format::new();
    check(|err| unsafe { sys::xlashape_element_type_float_format(r#type, &mut format, err) })?;
    Ok(format)
}

pub(crate) fn element_type_cast_preserves_values(from: sys::xlashape_element_type, to: sys::xlashape_element_type) -> bool {
    unsafe { sys::xlashape_element_type_cast_preserves_values(from, to) != 0 }
}

pub(crate) fn padding_element(r#type: sys::xlashape_element_type, value: sys::xlashape_padding_value) -> Result<Vec<u8>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_padding_element(r#type, value, out, capacity, needed, err) })
}

pub(crate) fn layout_create_from_fields(fields: &[i64]) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_create_from_fields(fields.as_ptr(), fields.len() as _, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn layout_create_row_major(rank: i64) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_create_row_major(rank, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn layout_create_column_major(rank: i64) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_create_column_major(rank, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn layout_parse(text: &str) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_parse(text.as_ptr().cast(), text.len() as _, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn layout_parse_head(text: &str) -> Result<(Handle<sys::xlashape_layout>, i64)> {
    let mut layout = core::ptr::null_mut();
    let mut end: i64 = 0;
    check(|err| unsafe { sys::xlashape_layout_parse_head(text.as_ptr().cast(), text.len() as _, &mut layout, &mut end, err) })?;
    Ok((unsafe { Handle::owned(layout) }, end))
}

pub(crate) fn layout_print_to<R>(layout: &Handle<sys::xlashape_layout>, flags: u32, take: impl FnOnce(&str) -> R) -> Result<R> {
    with_text(|out, capacity, needed, err| unsafe { sys::xlashape_layout_print(layout.get(), flags, out, capacity, needed, err) }, take)
}

#[inline]
pub(crate) fn layout_print_in<'a>(layout: &Handle<sys::xlashape_layout>, flags: u32, room: &'a mut [u8]) -> Result<&'a str> {
    text_in(room, |out, capacity, needed, err| unsafe { sys::xlashape_layout_print(layout.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn layout_print(layout: &Handle<sys::xlashape_layout>, flags: u32) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_layout_print(layout.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn layout_rank(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_rank(layout.get()) }
}

pub(crate) fn layout_minor_to_major(layout: &Handle<sys::xlashape_layout>) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_minor_to_major(layout.get(), out, capacity, needed, err) })
}

pub(crate) fn layout_logical_to_physical(layout: &Handle<sys::xlashape_layout>) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_logical_to_physical(layout.get(), out, capacity, needed, err) })
}

pub(crate) fn layout_padded_dimensions(layout: &Handle<sys::xlashape_layout>) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_padded_dimensions(layout.get(), out, capacity, needed, err) })
}

pub(crate) fn layout_padding_value(layout: &Handle<sys::xlashape_layout>) -> sys::xlashape_padding_value {
    unsafe { sys::xlashape_layout_padding_value(layout.get()) }
}

pub(crate) fn layout_tile_count(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_tile_count(layout.get()) }
}

pub(crate) fn layout_tile(layout: &Handle<sys::xlashape_layout>, level: i64) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_tile(layout.get(), level, out, capacity, needed, err) })
}

pub(crate) fn layout_element_size_in_bits(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_element_size_in_bits(layout.get()) }
}

pub(crate) fn layout_tail_padding_alignment_in_elements(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_tail_padding_alignment_in_elements(layout.get()) }
}

pub(crate) fn layout_memory_space(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_memory_space(layout.get()) }
}

pub(crate) fn layout_dynamic_shape_metadata_prefix_bytes(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout.get()) }
}

pub(crate) fn layout_split_count(layout: &Handle<sys::xlashape_layout>) -> i64 {
    unsafe { sys::xlashape_layout_split_count(layout.get()) }
}

pub(crate) fn layout_split(layout: &Handle<sys::xlashape_layout>, split: i64) -> Result<(i64, Vec<i64>)> {
    let mut dimension: i64 = 0;
    let answer = list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_split(layout.get(), split, &mut dimension, out, capacity, needed, err) })?;
    Ok((dimension, answer))
}

pub(crate) fn layout_fields(layout: &Handle<sys::xlashape_layout>) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_fields(layout.get(), out, capacity, needed, err) })
}

pub(crate) fn layout_print_tile(layout: &Handle<sys::xlashape_layout>, level: i64) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_layout_print_tile(layout.get(), level, out, capacity, needed, err) })
}

pub(crate) fn layout_print_split(layout: &Handle<sys::xlashape_layout>, split: i64) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_layout_print_split(layout.get(), split, out, capacity, needed, err) })
}

pub(crate) fn layout_is_dim0_major(layout: &Handle<sys::xlashape_layout>) -> bool {
    unsafe { sys::xlashape_layout_is_dim0_major(layout.get()) != 0 }
}

pub(crate) fn layout_is_dim0_minor(layout: &Handle<sys::xlashape_layout>) -> bool {
    unsafe { sys::xlashape_layout_is_dim0_minor(layout.get()) != 0 }
}

pub(crate) fn layout_equal(a: &Handle<sys::xlashape_layout>, b: &Handle<sys::xlashape_layout>, mask: u32) -> bool {
    unsafe { sys::xlashape_layout_equal(a.get(), b.get(), mask) != 0 }
}

pub(crate) fn layout_hash(layout: &Handle<sys::xlashape_layout>, mask: u32) -> u64 {
    unsafe { sys::xlashape_layout_hash(layout.get(), mask) }
}

pub(crate) fn shape_parse(text: &str, flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_parse(text.as_ptr().cast(), text.len() as _, flags, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_parse_head(text: &str, flags: u32) -> Result<(Handle<sys::xlashape_shape>, i64)> {
    let mut shape = core::ptr::null_mut();
    let mut end: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_parse_head(text.as_ptr().cast(), text.len() as _, flags, &mut shape, &mut end, err) })?;
    Ok((unsafe { Handle::owned(shape) }, end))
}

pub(crate) fn shape_print_to<R>(shape: &Handle<sys::xlashape_shape>, flags: u32, take: impl FnOnce(&str) -> R) -> Result<R> {
    with_text(|out, capacity, needed, err| unsafe { sys::xlashape_shape_print(shape.get(), flags, out, capacity, needed, err) }, take)
}

#[inline]
pub(crate) fn shape_print_in<'a>(shape: &Handle<sys::xlashape_shape>, flags: u32, room: &'a mut [u8]) -> Result<&'a str> {
    text_in(room, |out, capacity, needed, err| unsafe { sys::xlashape_shape_print(shape.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn shape_print(shape: &Handle<sys::xlashape_shape>, flags: u32) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_shape_print(shape.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn shape_create_tuple(elements: &[&Handle<sys::xlashape_shape>]) -> Result<Handle<sys::xlashape_shape>> {
    let elements: Vec<*mut sys::xlashape_shape> = elements.iter().map(|handle| handle.get()).collect();
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_create_tuple(elements.as_ptr(), elements.len() as _, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_create_token() -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_create_token(&mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_create_opaque() -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_create_opaque(&mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_create_buffer(array: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_create_buffer(array.get(), &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_with_layout(shape: &Handle<sys::xlashape_shape>, layout: Option<&Handle<sys::xlashape_layout>>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_with_layout(shape.get(), optional(layout), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_category(shape: &Handle<sys::xlashape_shape>) -> sys::xlashape_category {
    unsafe { sys::xlashape_shape_category(shape.get()) }
}

pub(crate) fn shape_element_type(shape: &Handle<sys::xlashape_shape>) -> sys::xlashape_element_type {
    unsafe { sys::xlashape_shape_element_type(shape.get()) }
}

pub(crate) fn shape_rank(shape: &Handle<sys::xlashape_shape>) -> i64 {
    unsafe { sys::xlashape_shape_rank(shape.get()) }
}

pub(crate) fn shape_dimensions(shape: &Handle<sys::xlashape_shape>) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_shape_dimensions(shape.get(), out, capacity, needed, err) })
}

pub(crate) fn shape_dynamic_dimensions(shape: &Handle<sys::xlashape_shape>) -> Result<Vec<u8>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_shape_dynamic_dimensions(shape.get(), out, capacity, needed, err) })
}

pub(crate) fn shape_is_dynamic(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_is_dynamic(shape.get()) != 0 }
}

pub(crate) fn shape_is_unbounded(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_is_unbounded(shape.get()) != 0 }
}

pub(crate) fn shape_has_layout(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_has_layout(shape.get()) != 0 }
}

pub(crate) fn shape_layout(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_layout(shape.get(), &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn shape_tuple_element_count(shape: &Handle<sys::xlashape_shape>) -> i64 {
    unsafe { sys::xlashape_shape_tuple_element_count(shape.get()) }
}

pub(crate) fn shape_tuple_element(shape: &Handle<sys::xlashape_shape>, index: i64) -> Result<Handle<sys::xlashape_shape>> {
    let mut element = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_tuple_element(shape.get(), index, &mut element, err) })?;
    Ok(unsafe { Handle::owned(element) })
}

pub(crate) fn shape_subshape(shape: &Handle<sys::xlashape_shape>, path: &[i64]) -> Result<Handle<sys::xlashape_shape>> {
    let mut subshape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_subshape(shape.get(), path.as_ptr(), path.len() as _, &mut subshape, err) })?;
    Ok(unsafe { Handle::owned(subshape) })
}

pub(crate) fn shape_leaf_count(shape: &Handle<sys::xlashape_shape>) -> i64 {
    unsafe { sys::xlashape_shape_leaf_count(shape.get()) }
}

pub(crate) fn shape_equal(a: &Handle<sys::xlashape_shape>, b: &Handle<sys::xlashape_shape>, mask: u32) -> bool {
    unsafe { sys::xlashape_shape_equal(a.get(), b.get(), mask) != 0 }
}

pub(crate) fn shape_compatible(a: &Handle<sys::xlashape_shape>, b: &Handle<sys::xlashape_shape>, mask: u32) -> bool {
    unsafe { sys::xlashape_shape_compatible(a.get(), b.get(), mask) != 0 }
}

pub(crate) fn shape_hash(shape: &Handle<sys::xlashape_shape>, mask: u32) -> u64 {
    unsafe { sys::xlashape_shape_hash(shape.get(), mask) }
}

pub(crate) fn dimension_number(rank: i64, dimension: i64) -> Result<i64> {
    let mut resolved: i64 = 0;
    check(|err| unsafe { sys::xlashape_dimension_number(rank, dimension, &mut resolved, err) })?;
    Ok(resolved)
}

pub(crate) fn dimension_letter(rank: i64, dimension: i64) -> i32 {
    unsafe { sys::xlashape_dimension_letter(rank, dimension) }
}

pub(crate) fn dimension_from_letter(rank: i64, letter: i32) -> Result<i64> {
    let mut dimension: i64 = 0;
    check(|err| unsafe { sys::xlashape_dimension_from_letter(rank, letter, &mut dimension, err) })?;
    Ok(dimension)
}

pub(crate) fn shape_sizes(shape: &Handle<sys::xlashape_shape>) -> Result<sys::xlashape_sizes> {
    let mut sizes = sys::xlashape_sizes::new();
    check(|err| unsafe { sys::xlashape_shape_sizes(shape.get(), &mut sizes, err) })?;
    Ok(sizes)
}

pub(crate) fn shape_element_count(shape: &Handle<sys::xlashape_shape>) -> Result<i64> {
    let mut elements: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_element_count(shape.get(), &mut elements, err) })?;
    Ok(elements)
}

pub(crate) fn shape_byte_size(shape: &Handle<sys::xlashape_shape>, pointer_size: i64, flags: u32) -> Result<i64> {
    let mut bytes: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_byte_size(shape.get(), pointer_size, flags, &mut bytes, err) })?;
    Ok(bytes)
}

pub(crate) fn shape_true_rank(shape: &Handle<sys::xlashape_shape>) -> i64 {
    unsafe { sys::xlashape_shape_true_rank(shape.get()) }
}

pub(crate) fn shape_is_effective_scalar(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_is_effective_scalar(shape.get()) != 0 }
}

pub(crate) fn shape_strides(shape: &Handle<sys::xlashape_shape>, unit: sys::xlashape_unit) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_shape_strides(shape.get(), unit, out, capacity, needed, err) })
}

pub(crate) fn shape_piece_granularity(shape: &Handle<sys::xlashape_shape>) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_shape_piece_granularity(shape.get(), out, capacity, needed, err) })
}

pub(crate) fn shape_max_split_size(shape: &Handle<sys::xlashape_shape>, dimension: i64) -> Result<i64> {
    let mut size: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_max_split_size(shape.get(), dimension, &mut size, err) })?;
    Ok(size)
}

pub(crate) fn shape_index_in_bounds(shape: &Handle<sys::xlashape_shape>, index: &[i64]) -> bool {
    unsafe { sys::xlashape_shape_index_in_bounds(shape.get(), index.as_ptr(), index.len() as _) != 0 }
}

pub(crate) fn shape_to_proto(shape: &Handle<sys::xlashape_shape>) -> Result<Vec<u8>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_shape_to_proto(shape.get(), out, capacity, needed, err) })
}

pub(crate) fn shape_from_proto(bytes: &[u8], flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_from_proto(bytes.as_ptr(), bytes.len() as _, flags, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn layout_to_proto(layout: &Handle<sys::xlashape_layout>) -> Result<Vec<u8>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_layout_to_proto(layout.get(), out, capacity, needed, err) })
}

pub(crate) fn layout_from_proto(bytes: &[u8]) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_from_proto(bytes.as_ptr(), bytes.len() as _, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn index_map_create(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_index_map>> {
    let mut map = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_index_map_create(shape.get(), &mut map, err) })?;
    Ok(unsafe { Handle::owned(map) })
}

pub(crate) fn index_map_rank(map: &Handle<sys::xlashape_index_map>) -> i64 {
    unsafe { sys::xlashape_index_map_rank(map.get()) }
}

pub(crate) fn index_map_storage_elements(map: &Handle<sys::xlashape_index_map>) -> i64 {
    unsafe { sys::xlashape_index_map_storage_elements(map.get()) }
}

pub(crate) fn runtime_report(runtime: Option<&Handle<sys::xlashape_runtime>>) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_runtime_report(optional(runtime), out, capacity, needed, err) })
}

pub(crate) fn runtime_backend_count(runtime: Option<&Handle<sys::xlashape_runtime>>) -> i64 {
    unsafe { sys::xlashape_runtime_backend_count(optional(runtime)) }
}

pub(crate) fn runtime_backend_info(runtime: Option<&Handle<sys::xlashape_runtime>>, ordinal: i64) -> Result<sys::xlashape_backend_info> {
    let mut info = sys::xlashape_backend_info::new();
    check(|err| unsafe { sys::xlashape_runtime_backend_info(optional(runtime), ordinal, &mut info, err) })?;
    Ok(info)
}

pub(crate) fn runtime_backend_text(runtime: Option<&Handle<sys::xlashape_runtime>>, ordinal: i64, which: i32) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_runtime_backend_text(optional(runtime), ordinal, which, out, capacity, needed, err) })
}

pub(crate) fn runtime_device_text(runtime: Option<&Handle<sys::xlashape_runtime>>, ordinal: i64, device: i32) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_runtime_device_text(optional(runtime), ordinal, device, out, capacity, needed, err) })
}

pub(crate) fn plan_task_count(plan: &Handle<sys::xlashape_plan>, workers: i64) -> i64 {
    unsafe { sys::xlashape_plan_task_count(plan.get(), workers) }
}

pub(crate) fn plan_get_requirements(plan: &Handle<sys::xlashape_plan>) -> Result<sys::xlashape_plan_requirements> {
    let mut requirements = sys::xlashape_plan_requirements::new();
    check(|err| unsafe { sys::xlashape_plan_get_requirements(plan.get(), &mut requirements, err) })?;
    Ok(requirements)
}

pub(crate) fn plan_describe(plan: &Handle<sys::xlashape_plan>) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_plan_describe(plan.get(), out, capacity, needed, err) })
}

pub(crate) fn plan_predict(plan: &Handle<sys::xlashape_plan>) -> Result<i64> {
    let mut ns: i64 = 0;
    check(|err| unsafe { sys::xlashape_plan_predict(plan.get(), &mut ns, err) })?;
    Ok(ns)
}

pub(crate) fn plan_shapes(plan: &Handle<sys::xlashape_plan>) -> Result<(Handle<sys::xlashape_shape>, Handle<sys::xlashape_shape>)> {
    let mut src_shape = core::ptr::null_mut();
    let mut dst_shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_plan_shapes(plan.get(), &mut src_shape, &mut dst_shape, err) })?;
    Ok((unsafe { Handle::owned(src_shape) }, unsafe { Handle::owned(dst_shape) }))
}

pub(crate) fn element_type_complex_component(r#type: sys::xlashape_element_type) -> sys::xlashape_element_type {
    unsafe { sys::xlashape_element_type_complex_component(r#type) }
}

pub(crate) fn element_type_complex(r#type: sys::xlashape_element_type) -> sys::xlashape_element_type {
    unsafe { sys::xlashape_element_type_complex(r#type) }
}

pub(crate) fn element_type_integral(bits: i32, is_signed: i32) -> sys::xlashape_element_type {
    unsafe { sys::xlashape_element_type_integral(bits, is_signed) }
}

pub(crate) fn layout_create_major_to_minor(major_to_minor: &[i64]) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_create_major_to_minor(major_to_minor.as_ptr(), major_to_minor.len() as _, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn layout_move_dimension_to_major(layout: &Handle<sys::xlashape_layout>, dimension: i64) -> Result<Handle<sys::xlashape_layout>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_move_dimension_to_major(layout.get(), dimension, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn layout_move_dimension_to_minor(layout: &Handle<sys::xlashape_layout>, dimension: i64) -> Result<Handle<sys::xlashape_layout>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_move_dimension_to_minor(layout.get(), dimension, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn layout_delete_dimensions(layout: &Handle<sys::xlashape_layout>, dimensions: &[i64]) -> Result<Handle<sys::xlashape_layout>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_layout_delete_dimensions(layout.get(), dimensions.as_ptr(), dimensions.len() as _, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn layout_are_dimensions_consecutive(layout: &Handle<sys::xlashape_layout>, dimensions: &[i64]) -> bool {
    unsafe { sys::xlashape_layout_are_dimensions_consecutive(layout.get(), dimensions.as_ptr(), dimensions.len() as _) != 0 }
}

pub(crate) fn shape_has_parts(shape: &Handle<sys::xlashape_shape>, parts: u32) -> bool {
    unsafe { sys::xlashape_shape_has_parts(shape.get(), parts) != 0 }
}

pub(crate) fn shape_without_parts(shape: &Handle<sys::xlashape_shape>, parts: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_without_parts(shape.get(), parts, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_has_all_layouts(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_has_all_layouts(shape.get()) != 0 }
}

pub(crate) fn shape_with_default_layouts(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_with_default_layouts(shape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_copy_layouts(from: &Handle<sys::xlashape_shape>, to: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_copy_layouts(from.get(), to.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_with_packed_elements(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_with_packed_elements(shape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_with_element_type(shape: &Handle<sys::xlashape_shape>, r#type: sys::xlashape_element_type) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_with_element_type(shape.get(), r#type, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_permute_dimensions(shape: &Handle<sys::xlashape_shape>, permutation: &[i64], flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_permute_dimensions(shape.get(), permutation.as_ptr(), permutation.len() as _, flags, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_to_physical_order(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_to_physical_order(shape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_insert_dimensions(shape: &Handle<sys::xlashape_shape>, at: i64, sizes: &[i64], flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_insert_dimensions(shape.get(), at, sizes.as_ptr(), sizes.len() as _, flags, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_delete_dimensions(shape: &Handle<sys::xlashape_shape>, dimensions: &[i64]) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_delete_dimensions(shape.get(), dimensions.as_ptr(), dimensions.len() as _, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_drop_degenerate_dimensions(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_drop_degenerate_dimensions(shape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_has_degenerate_dimensions(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_has_degenerate_dimensions(shape.get()) != 0 }
}

pub(crate) fn shape_with_dimension(shape: &Handle<sys::xlashape_shape>, dimension: i64, size: i64, is_dynamic: i32) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_with_dimension(shape.get(), dimension, size, is_dynamic, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_is_effectively_most_major(shape: &Handle<sys::xlashape_shape>, dimension: i64) -> bool {
    unsafe { sys::xlashape_shape_is_effectively_most_major(shape.get(), dimension) != 0 }
}

pub(crate) fn shape_last_dimension_is_most_minor(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_last_dimension_is_most_minor(shape.get()) != 0 }
}

pub(crate) fn shape_is_untiled(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_is_untiled(shape.get()) != 0 }
}

pub(crate) fn shape_to_static(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_to_static(shape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_with_dynamic_dimensions(shape: &Handle<sys::xlashape_shape>, dynamic: &[u8]) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_with_dynamic_dimensions(shape.get(), dynamic.as_ptr(), dynamic.len() as _, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_is_bounded_dynamic(shape: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_is_bounded_dynamic(shape.get()) != 0 }
}

pub(crate) fn shape_fits_bounds(dynamic: &Handle<sys::xlashape_shape>, bounds: &Handle<sys::xlashape_shape>) -> bool {
    unsafe { sys::xlashape_shape_fits_bounds(dynamic.get(), bounds.get()) != 0 }
}

pub(crate) fn shape_static_element_count(shape: &Handle<sys::xlashape_shape>) -> Result<i64> {
    let mut elements: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_static_element_count(shape.get(), &mut elements, err) })?;
    Ok(elements)
}

pub(crate) fn shape_element_count_recursive(shape: &Handle<sys::xlashape_shape>) -> Result<i64> {
    let mut elements: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_element_count_recursive(shape.get(), &mut elements, err) })?;
    Ok(elements)
}

pub(crate) fn shape_byte_size_recursive(shape: &Handle<sys::xlashape_shape>) -> Result<i64> {
    let mut bytes: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_byte_size_recursive(shape.get(), &mut bytes, err) })?;
    Ok(bytes)
}

pub(crate) fn shape_max_elements_per_split(shape: &Handle<sys::xlashape_shape>) -> Result<i64> {
    let mut elements: i64 = 0;
    check(|err| unsafe { sys::xlashape_shape_max_elements_per_split(shape.get(), &mut elements, err) })?;
    Ok(elements)
}

pub(crate) fn shape_has_element_type(shape: &Handle<sys::xlashape_shape>, r#type: sys::xlashape_element_type) -> bool {
    unsafe { sys::xlashape_shape_has_element_type(shape.get(), r#type) != 0 }
}

pub(crate) fn shape_leaves_have_classes(shape: &Handle<sys::xlashape_shape>, classes: u32) -> bool {
    unsafe { sys::xlashape_shape_leaves_have_classes(shape.get(), classes) != 0 }
}

pub(crate) fn shape_subshape_count(shape: &Handle<sys::xlashape_shape>) -> i64 {
    unsafe { sys::xlashape_shape_subshape_count(shape.get()) }
}

pub(crate) fn shape_is_prefix(prefix: &Handle<sys::xlashape_shape>, shape: &Handle<sys::xlashape_shape>, mask: u32) -> bool {
    unsafe { sys::xlashape_shape_is_prefix(prefix.get(), shape.get(), mask) != 0 }
}

pub(crate) fn shape_slice_tuple(tuple: &Handle<sys::xlashape_shape>, first: i64, limit: i64) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_slice_tuple(tuple.get(), first, limit, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_append_to_tuple(tuple: &Handle<sys::xlashape_shape>, element: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_append_to_tuple(tuple.get(), element.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_replace_subshape(shape: &Handle<sys::xlashape_shape>, path: &[i64], subshape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_replace_subshape(shape.get(), path.as_ptr(), path.len() as _, subshape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn shape_flatten_tuple(shape: &Handle<sys::xlashape_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_flatten_tuple(shape.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn program_shape_parameter_count(program: &Handle<sys::xlashape_program_shape>) -> i64 {
    unsafe { sys::xlashape_program_shape_parameter_count(program.get()) }
}

pub(crate) fn program_shape_parameter(program: &Handle<sys::xlashape_program_shape>, index: i64) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_program_shape_parameter(program.get(), index, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn program_shape_parameter_name(program: &Handle<sys::xlashape_program_shape>, index: i64) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_program_shape_parameter_name(program.get(), index, out, capacity, needed, err) })
}

pub(crate) fn program_shape_result(program: &Handle<sys::xlashape_program_shape>) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_program_shape_result(program.get(), &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn program_shape_print(program: &Handle<sys::xlashape_program_shape>, flags: u32) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_program_shape_print(program.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn program_shape_has_all_layouts(program: &Handle<sys::xlashape_program_shape>) -> bool {
    unsafe { sys::xlashape_program_shape_has_all_layouts(program.get()) != 0 }
}

pub(crate) fn program_shape_with_default_layouts(program: &Handle<sys::xlashape_program_shape>) -> Result<Handle<sys::xlashape_program_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_program_shape_with_default_layouts(program.get(), &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn program_shape_without_parts(program: &Handle<sys::xlashape_program_shape>, parts: u32) -> Result<Handle<sys::xlashape_program_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_program_shape_without_parts(program.get(), parts, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn program_shape_equal(a: &Handle<sys::xlashape_program_shape>, b: &Handle<sys::xlashape_program_shape>, mask: u32) -> bool {
    unsafe { sys::xlashape_program_shape_equal(a.get(), b.get(), mask) != 0 }
}

pub(crate) fn shape_reshape_is_bitcast(a: &Handle<sys::xlashape_shape>, b: &Handle<sys::xlashape_shape>, flags: u32) -> bool {
    unsafe { sys::xlashape_shape_reshape_is_bitcast(a.get(), b.get(), flags) != 0 }
}

pub(crate) fn shape_transpose_is_bitcast(a: &Handle<sys::xlashape_shape>, b: &Handle<sys::xlashape_shape>, permutation: &[i64], flags: u32) -> bool {
    unsafe { sys::xlashape_shape_transpose_is_bitcast(a.get(), b.get(), permutation.as_ptr(), permutation.len() as _, flags) != 0 }
}

pub(crate) fn shape_is_reshape_or_transpose_bitcast(a: &Handle<sys::xlashape_shape>, b: &Handle<sys::xlashape_shape>, flags: u32) -> bool {
    unsafe { sys::xlashape_shape_is_reshape_or_transpose_bitcast(a.get(), b.get(), flags) != 0 }
}

pub(crate) fn shape_deduce_transpose(a: &Handle<sys::xlashape_shape>, b: &Handle<sys::xlashape_shape>, flags: u32) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_shape_deduce_transpose(a.get(), b.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn shape_align_layouts(shape: &Handle<sys::xlashape_shape>, dimensions: &[i64], flags: u32) -> Result<Handle<sys::xlashape_layout>> {
    let mut layout = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_align_layouts(shape.get(), dimensions.as_ptr(), dimensions.len() as _, flags, &mut layout, err) })?;
    Ok(unsafe { Handle::owned(layout) })
}

pub(crate) fn common_factors(a: &[i64], b: &[i64]) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_common_factors(a.as_ptr(), a.len() as _, b.as_ptr(), b.len() as _, out, capacity, needed, err) })
}

pub(crate) fn dimensions_unmodified_by_reshape(a: &[i64], b: &[i64]) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_dimensions_unmodified_by_reshape(a.as_ptr(), a.len() as _, b.as_ptr(), b.len() as _, out, capacity, needed, err) })
}

pub(crate) fn target_name(target: sys::xlashape_target) -> Option<&'static str> {
    unsafe { static_text(sys::xlashape_target_name(target)) }
}

pub(crate) fn target_from_name(name: &str) -> Result<sys::xlashape_target> {
    let mut target: sys::xlashape_target = 0;
    check(|err| unsafe { sys::xlashape_target_from_name(name.as_ptr().cast(), name.len() as _, &mut target, err) })?;
    Ok(target)
}

pub(crate) fn target_properties(target: sys::xlashape_target) -> Result<sys::xlashape_target_info> {
    let mut info = sys::xlashape_target_info::new();
    check(|err| unsafe { sys::xlashape_target_properties(target, &mut info, err) })?;
    Ok(info)
}

pub(crate) fn target_tuple_bytes(target: sys::xlashape_target, elements: i64) -> Result<i64> {
    let mut bytes: i64 = 0;
    check(|err| unsafe { sys::xlashape_target_tuple_bytes(target, elements, &mut bytes, err) })?;
    Ok(bytes)
}

pub(crate) fn target_memory_space_name(target: sys::xlashape_target, memory_space: i64) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_target_memory_space_name(target, memory_space, out, capacity, needed, err) })
}

pub(crate) fn shape_for_target(shape: &Handle<sys::xlashape_shape>, target: sys::xlashape_target, flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut result = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_for_target(shape.get(), target, flags, &mut result, err) })?;
    Ok(unsafe { Handle::owned(result) })
}

pub(crate) fn runtime_profile_path(runtime: Option<&Handle<sys::xlashape_runtime>>) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_runtime_profile_path(optional(runtime), out, capacity, needed, err) })
}

pub(crate) fn runtime_export_wisdom(runtime: Option<&Handle<sys::xlashape_runtime>>) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_runtime_export_wisdom(optional(runtime), out, capacity, needed, err) })
}

pub(crate) fn runtime_import_wisdom(runtime: Option<&Handle<sys::xlashape_runtime>>, text: &str) -> Result<i64> {
    let mut taken: i64 = 0;
    check(|err| unsafe { sys::xlashape_runtime_import_wisdom(optional(runtime), text.as_ptr().cast(), text.len() as _, &mut taken, err) })?;
    Ok(taken)
}

pub(crate) fn runtime_forget_wisdom(runtime: Option<&Handle<sys::xlashape_runtime>>) {
    unsafe { sys::xlashape_runtime_forget_wisdom(optional(runtime)) }
}

pub(crate) fn program_shape_to_proto(program: &Handle<sys::xlashape_program_shape>) -> Result<Vec<u8>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_program_shape_to_proto(program.get(), out, capacity, needed, err) })
}

pub(crate) fn program_shape_from_proto(bytes: &[u8], flags: u32) -> Result<Handle<sys::xlashape_program_shape>> {
    let mut program = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_program_shape_from_proto(bytes.as_ptr(), bytes.len() as _, flags, &mut program, err) })?;
    Ok(unsafe { Handle::owned(program) })
}

pub(crate) fn path_to_proto(path: &[i64]) -> Result<Vec<u8>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_path_to_proto(path.as_ptr(), path.len() as _, out, capacity, needed, err) })
}

pub(crate) fn path_from_proto(bytes: &[u8]) -> Result<Vec<i64>> {
    list(|out, capacity, needed, err| unsafe { sys::xlashape_path_from_proto(bytes.as_ptr(), bytes.len() as _, out, capacity, needed, err) })
}

pub(crate) fn element_type_to_pjrt(r#type: sys::xlashape_element_type) -> i32 {
    unsafe { sys::xlashape_element_type_to_pjrt(r#type) }
}

pub(crate) fn element_type_from_pjrt(number: i32) -> sys::xlashape_element_type {
    unsafe { sys::xlashape_element_type_from_pjrt(number) }
}

pub(crate) fn shape_print_mlir(shape: &Handle<sys::xlashape_shape>, flags: u32) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_shape_print_mlir(shape.get(), flags, out, capacity, needed, err) })
}

pub(crate) fn shape_parse_mlir(text: &str) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_parse_mlir(text.as_ptr().cast(), text.len() as _, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_print_cute(shape: &Handle<sys::xlashape_shape>) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_shape_print_cute(shape.get(), out, capacity, needed, err) })
}

pub(crate) fn shape_parse_cute(text: &str, r#type: sys::xlashape_element_type, flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_parse_cute(text.as_ptr().cast(), text.len() as _, r#type, flags, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}

pub(crate) fn shape_print_numpy(shape: &Handle<sys::xlashape_shape>) -> Result<String> {
    text(|out, capacity, needed, err| unsafe { sys::xlashape_shape_print_numpy(shape.get(), out, capacity, needed, err) })
}

pub(crate) fn shape_parse_numpy(text: &str, flags: u32) -> Result<Handle<sys::xlashape_shape>> {
    let mut shape = core::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_shape_parse_numpy(text.as_ptr().cast(), text.len() as _, flags, &mut shape, err) })?;
    Ok(unsafe { Handle::owned(shape) })
}
