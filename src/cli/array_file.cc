#include "array_file.h"

#include "human.h"
#include "image.h"
#include "npy.h"
#include "npz.h"
#include "sidecar.h"

namespace xlashape::cli {
namespace {

// Bytes in memory, and what the file itself says about them.
struct Raw {
  Buffer bytes;
  xlashape_element_type type = 0;  // 0: not known
  int64_t item_bytes = 0;
  std::string dtype;  // of a .npy file
  Numbers dimensions;
  Layout layout;
  Shape shape;  // of a sidecar: all of it
};

Raw from_npy(Buffer file, const std::string& path) {
  const NpyHeader header = parse_npy_header(file.bytes(), path);
  const int64_t there = file.size() - header.data_offset;
  if (there != header.data_bytes)
    fail_data("{}: its header promises {} of data, the file has {}", path, counted(header.data_bytes, "byte"),
              counted(there, "byte"));
  Raw raw;
  raw.bytes = std::move(file);
  raw.bytes.keep(header.data_offset, header.data_bytes);
  if (header.swap_bytes > 1) swap_bytes(raw.bytes.writable(), header.swap_bytes);
  raw.type = header.type;
  raw.item_bytes = header.item_bytes;
  raw.dtype = header.dtype;
  raw.dimensions = header.dimensions;
  const auto rank = static_cast<int64_t>(header.dimensions.size());
  raw.layout = header.fortran_order ? column_major(rank) : row_major(rank);
  return raw;
}

Raw from_png(const Buffer& file, const std::string& path) {
  Image image = read_png(file.bytes(), path);
  Raw raw;
  raw.bytes = std::move(image.bytes);
  raw.type = image.bits == 16 ? XLASHAPE_U16 : XLASHAPE_U8;
  raw.item_bytes = image.bits / 8;
  raw.dimensions = {image.height, image.width, image.channels};
  raw.layout = row_major(3);
  return raw;
}

Raw from_sidecar(const Sidecar& sidecar, const std::string& data_path) {
  Raw raw;
  raw.bytes = read_file(data_path);
  if (raw.bytes.size() != sidecar.bytes)
    fail_data("{}: has {}, its sidecar says {}", data_path, counted(raw.bytes.size(), "byte"),
              counted(sidecar.bytes, "byte"));
  raw.shape = parse_shape(sidecar.shape);
  return raw;
}

Raw read_raw(const std::string& path, bool shape_given) {
  if (!file_exists(path)) {
    const size_t colon = path.rfind(':');
    if (colon != std::string::npos && file_exists(path.substr(0, colon))) {
      const std::string archive = path.substr(0, colon);
      const Buffer file = read_file(archive);
      if (!is_zip(file.bytes())) fail_data("{}: is no .npz file", archive);
      return from_npy(read_npz_member(file.bytes(), path.substr(colon + 1), archive), path);
    }
  }
  if (ends_with(path, ".json"))
    if (const std::optional<Sidecar> sidecar = read_sidecar(path))
      return from_sidecar(*sidecar, path.substr(0, path.find_last_of('/') + 1) + sidecar->data);
  if (!shape_given)
    if (const std::optional<Sidecar> sidecar = read_sidecar(sidecar_path(path));
        sidecar && sidecar->data == path.substr(path.find_last_of('/') + 1))
      return from_sidecar(*sidecar, path);
  Buffer file = read_file(path);
  if (is_npy(file.bytes())) return from_npy(std::move(file), path);
  if (is_png(file.bytes())) return from_png(file, path);
  if (is_zip(file.bytes()) && (!shape_given || ends_with(path, ".npz")))
    return from_npy(read_npz_member(file.bytes(), "", path), path);
  if (ends_with(path, ".npy") && !shape_given) fail_data("{}: does not begin as a .npy file does", path);
  if (ends_with(path, ".png") && !shape_given) fail_data("{}: does not begin as a PNG does", path);
  Raw raw;
  raw.bytes = std::move(file);
  return raw;
}

xlashape_element_type type_named(const std::string& name) {
  xlashape_error err = new_error();
  xlashape_element_type type = 0;
  check(xlashape_element_type_from_name(name.data(), name.size(), &type, &err), err, "--dtype");
  if ((xlashape_element_type_classes(type) & XLASHAPE_CLASS_ARRAY) == 0)
    fail_data("--dtype: {} is no element type of arrays", name);
  return type;
}

Shape shape_of(const Raw& raw, const std::string& path, const Reading& reading) {
  xlashape_element_type type = raw.type;
  if (raw.shape) type = xlashape_shape_element_type(raw.shape.get());
  if (!reading.shape.empty()) {
    const Shape shape = parse_shape(reading.shape);
    if (!is_array(shape)) fail_data("--shape: {} is no array", text_of(shape));
    return shape;
  }
  if (!reading.dtype.empty()) {
    const int64_t width = raw.shape ? xlashape_element_type_storage_bits(type) / 8 : raw.item_bytes;
    type = type_named(reading.dtype);
    if (width != 0 && xlashape_element_type_storage_bits(type) != width * 8)
      fail_data("--dtype: an element of {} has {}, in {} it has {}", reading.dtype,
                counted(xlashape_element_type_storage_bits(type) / 8, "byte"), path, counted(width, "byte"));
  }
  if (raw.shape && is_array(raw.shape)) {
    if (reading.dtype.empty()) return raw.shape;
    return array_shape(type, dimensions_of(raw.shape), layout_of(raw.shape));
  }
  if (raw.shape) fail_data("{}: {} is no array", path, text_of(raw.shape));
  if (!raw.layout) fail_data("{}: raw bytes: say what they are with --shape", path);
  if (type == 0)
    fail_data("{}: dtype \"{}\" is bytes without a meaning: say what they are with --dtype ({})", path, raw.dtype,
              raw.item_bytes == 2 ? "bf16" : "f8e4m3fn, s4, ...");
  return array_shape(type, raw.dimensions, raw.layout);
}

}  // namespace

Layout layout_named(const std::string& text, int64_t rank) {
  if (text == "row") return row_major(rank);
  if (text == "col") return column_major(rank);
  if (text.empty() || text[0] != '{')
    fail_usage("\"{}\" is no layout: give row, col, or text like {{1,0:T(8,128)}}", text);
  Layout layout = parse_layout(text);
  if (xlashape_layout_rank(layout.get()) != rank)
    fail_data("layout {} is for {}, the array has {}", text, counted(xlashape_layout_rank(layout.get()), "dimension"),
              counted(rank, "dimension"));
  return layout;
}

Array read_array(const std::string& path, const Reading& reading) {
  Raw raw = read_raw(path, !reading.shape.empty());
  Array array;
  array.shape = shape_of(raw, path, reading);
  if (!reading.layout.empty())
    array.shape = with_layout(array.shape, layout_named(reading.layout, xlashape_shape_rank(array.shape.get())));
  const int64_t needed = sizes_of(array.shape).bytes;
  if (needed != raw.bytes.size())
    fail_data("{}: {} is {}, the file has {}", path, text_of(array.shape), counted(needed, "byte"),
              counted(raw.bytes.size(), "byte"));
  array.bytes = std::move(raw.bytes);
  return array;
}

bool is_dense(const Shape& shape) {
  const Layout layout = layout_of(shape);
  const xlashape_sizes sizes = sizes_of(shape);
  return (!layout || xlashape_layout_tile_count(layout.get()) == 0) && sizes.storage_elements == sizes.elements &&
         sizes.element_bits == xlashape_element_type_storage_bits(xlashape_shape_element_type(shape.get())) &&
         xlashape_shape_is_dynamic(shape.get()) == 0;
}

Written write_array(const std::string& path, const Shape& shape, Bytes bytes) {
  const Layout layout = layout_of(shape);
  const xlashape_element_type type = xlashape_shape_element_type(shape.get());
  const Numbers dimensions = dimensions_of(shape);
  const bool dense = is_dense(shape);
  const bool rows = xlashape_layout_is_dim0_major(layout.get()) != 0;
  if (ends_with(path, ".npy") && dense && (rows || xlashape_layout_is_dim0_minor(layout.get()) != 0)) {
    if (const std::optional<std::string> header = make_npy_header(type, dimensions, !rows)) {
      const Bytes parts[] = {{reinterpret_cast<const uint8_t*>(header->data()), header->size()}, bytes};
      write_file(path, parts);
      drop_sidecar(path);
      return {"npy", "", ""};
    }
  }
  if (ends_with(path, ".png") && dense && rows && (type == XLASHAPE_U8 || type == XLASHAPE_U16) && !bytes.empty() &&
      (dimensions.size() == 2 || (dimensions.size() == 3 && dimensions[2] <= 4))) {
    write_png(path, dimensions[0], dimensions[1], dimensions.size() == 3 ? dimensions[2] : 1,
              xlashape_element_type_storage_bits(type), bytes);
    drop_sidecar(path);
    return {"png", "", ""};
  }
  Written written = {"raw", sidecar_path(path), ""};
  if (ends_with(path, ".npy")) written.note = "NumPy cannot say this result: raw bytes, described by the sidecar";
  if (ends_with(path, ".png"))
    written.note = "a PNG holds u8 or u16 rows of 1 to 4 channels: raw bytes, described by the sidecar";
  drop_sidecar(path);
  write_file(path, bytes);
  write_sidecar(path, shape, static_cast<int64_t>(bytes.size()));
  return written;
}

}  // namespace xlashape::cli
