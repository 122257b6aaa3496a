// SPDX-License-Identifier: Apache-2.0
#include "array_file.h"

#include <algorithm>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/output/output.h"
#include "container.h"
#include "file_members.h"
#include "file_parts.h"
#include "formats.h"
#include "layouts.h"
#include "new_file.h"
#include "npz.h"
#include "raw.h"
#include "safetensors.h"
#include "sidecar.h"

namespace xlashape::cli {
namespace {

Raw from_png(const Buffer& file, const std::string& path) {
  Image image = read_png(file.bytes(), path);
  Raw raw;
  raw.bytes = std::move(image.bytes);
  raw.type = image.bits == 16 ? ElementType::kU16 : ElementType::kU8;
  raw.item_bytes = image.bits / 8;
  raw.dimensions = {image.height, image.width, image.channels};
  raw.layout = Layout::row_major(3);
  return raw;
}

Raw from_claim(const Claim& claim, Buffer bytes, const std::string& path) {
  if (bytes.size() != claim.bytes)
    fail_data("{}: has {}, its sidecar says {}", path, counted(bytes.size(), "byte"), counted(claim.bytes, "byte"));
  Raw raw;
  raw.bytes = std::move(bytes);
  raw.high_first = claim.high_first;
  raw.shape = Shape::parse(claim.shape);
  return raw;
}

// `before`: the bytes of a memref's offset, which are not the array's.
Shape given_shape(const Reading& reading, int64_t* before) {
  int64_t elements = 0;
  Shape shape = parse_shape(reading.shape, 0, &elements);
  if (!is_array(shape)) fail_data("--shape: {} is not an array", shape.to_string());
  if (elements < 0) fail_data("--shape: its offset is {}: an array cannot begin before its file", elements);
  const int64_t bits = container_bits(shape);
  if (bits % 8 != 0 && product(elements, bits) % 8 != 0)
    fail_data("--shape: its offset, {} of {} bits, is no number of whole bytes", counted(elements, "element"), bits);
  *before = bits % 8 == 0 ? product(elements, bits / 8) : product(elements, bits) / 8;
  return shape;
}

Shape with_given_layout(Shape shape, const Reading& reading, const Items& items = {}) {
  if (reading.layout.empty()) return shape;
  return laid_out(shape, reading.layout, items, "--from");
}

// Whether the file is an archive, by its first bytes; with --shape, by its name only.
bool is_archive(Bytes bytes, const std::string& path, bool shape_given) {
  return is_zip(bytes) && (!shape_given || ends_with(path, ".npz"));
}

// The number of bytes of a pipe or a device, by its first bytes or --shape.
LimitOf limit_of_array(const std::string& path, const Reading& reading) {
  return [path, reading, known = std::optional<StreamLimit>()](Bytes start) mutable -> StreamLimit {
    if (known) return *known;
    if (const int64_t more = more_to_tell(start); more > 0) return {more};
    if (is_npy(start)) {
      if (start.size() < kLongestNpyHeader) return {kLongestNpyHeader};
      const NpyHeader header = parse_npy_header(start, path);
      known = {header.data_offset + std::min(header.data_bytes, int64_t{1} << 62), "its header promises no more"};
    } else if (is_png(start) || is_archive(start, path, !reading.shape.empty())) {
      known = StreamLimit();
    } else {
      if (reading.shape.empty()) fail_data("{}: raw bytes: say what they are with --shape", path);
      int64_t before = 0;
      const Shape shape = with_given_layout(given_shape(reading, &before), reading);
      known = {sum(before, shape.sizes().bytes), shape.to_string() + " has no more"};
    }
    return *known;
  };
}

Raw read_raw(std::string path, const Reading& reading) {
  const bool shape_given = !reading.shape.empty();
  if (const auto [archive, member] = file_and_member(path); !archive.empty())
    return FileMembers(archive).read_named(member);
  if (is_safetensors(path)) return FileMembers(path).read_named("");
  Described described;
  const LimitOf limit_of = limit_of_array(path, reading);
  const std::optional<Sidecar> sidecar = ends_with(path, ".json") ? read_sidecar(path) : std::nullopt;
  if (sidecar) {
    const std::string sidecar_at = path;
    path = path.substr(0, path.find_last_of('/') + 1) + sidecar->data;
    described = read_described(path, sidecar_at, true, limit_of);
  } else if (shape_given) {
    described.bytes = read_file(path, limit_of);
  } else {
    // The sidecar of a file that is given as a link is beside its target, or beside the link.
    const std::string real = without_link(path);
    described = read_described(real, sidecar_path(real), false, limit_of);
    if (!described.claim && real != path && is_regular_file(real))
      described = read_described(path, sidecar_path(path), false, limit_of);
  }
  if (described.claim) return from_claim(*described.claim, std::move(described.bytes), path);
  Buffer file = std::move(described.bytes);
  if (is_npy(file.bytes())) return from_npy(std::move(file), path);
  if (is_png(file.bytes())) return from_png(file, path);
  if (is_archive(file.bytes(), path, shape_given)) return FileMembers(path, std::move(file)).read_named("");
  if (ends_with(path, ".npy") && !shape_given) fail_data("{}: does not begin as a .npy file does", path);
  if (ends_with(path, ".png") && !shape_given) fail_data("{}: does not begin as a PNG does", path);
  Raw raw;
  raw.bytes = std::move(file);
  return raw;
}

ElementType type_named(const std::string& name) {
  const ElementType type = as_failures([&] { return read_element_type(name); }, "--dtype");
  if ((classes(type) & XLASHAPE_CLASS_ARRAY) == 0) fail_data("--dtype: {} is not an element type of arrays", name);
  return type;
}

// What the array is; `items` becomes what its elements are where they are moved by their width alone. `before`: bytes
// that lie before it.
Shape shape_of(const Raw& raw, const std::string& path, const Reading& reading, Items* items, int64_t* before) {
  ElementType type = raw.type;
  if (!raw.items.descr.empty() && !raw.why.empty() && !(reading.shape.empty() && reading.dtype.empty()))
    fail_data("{}: {}", path, raw.why);
  if (raw.shape) type = raw.shape.element_type();
  if (!reading.shape.empty()) return given_shape(reading, before);
  if (!reading.dtype.empty()) {
    const int64_t width = raw.shape ? storage_bits(type) / 8 : raw.item_bytes;
    type = type_named(reading.dtype);
    if (width != 0 && storage_bits(type) != width * 8)
      fail_data("--dtype: an element of {} has {}, in {} it has {}", reading.dtype,
                counted(storage_bits(type) / 8, "byte"), path, counted(width, "byte"));
  }
  if (raw.shape && is_array(raw.shape)) {
    if (reading.dtype.empty()) return raw.shape;
    return Shape::array(type, raw.shape.dimensions(), layout_of(raw.shape));
  }
  if (raw.shape) fail_data("{}: {} is not an array", path, raw.shape.to_string());
  if (!raw.layout) fail_data("{}: raw bytes: say what they are with --shape", path);
  if (type == ElementType::kInvalid && raw.items.descr.empty())
    fail_data("{}: {}: say what its {} are with --shape", path, raw.why, counted(raw.size, "byte"));
  if (type == ElementType::kInvalid) {
    *items = raw.items;
    return shape_of_items(raw.dimensions, raw.layout, items);
  }
  return Shape::array(type, raw.dimensions, raw.layout);
}

// Warns where the array is not what its file says, but what a person did: other dimensions, another type, another order
// than a file says that is not row-major.
void warn_of_difference(const Raw& raw, const std::string& path, const Reading& reading, const Shape& taken) {
  const bool typed = raw.layout && raw.type != ElementType::kInvalid;
  const Shape said = raw.shape ? raw.shape : typed ? Shape::array(raw.type, raw.dimensions, raw.layout) : Shape();
  if (!reading.checks || !said || !is_array(said)) return;
  const char* option = reading.shape.empty() ? "--from" : "--shape";
  const bool other = !reading.shape.empty() &&
                     (said.dimensions() != taken.dimensions() || said.element_type() != taken.element_type());
  const bool moved = (!reading.shape.empty() || !reading.layout.empty()) && !other &&
                     layout_of(said) != layout_of(taken) && layout_of(said) != Layout::row_major(said.rank());
  if (other || moved)
    warn("xlashape: {}: the file says {}, {} takes it as {}\n", path, said.to_string(), option, taken.to_string());
}

}  // namespace

void write_plain(const std::string& path, const Pieces& pieces) {
  is_stream(path) ? write_stream(path, pieces) : write_described(without_link(path), pieces, std::nullopt);
}

Array describe_array(const Raw& raw, const std::string& path, const Reading& reading) {
  Array array;
  array.member = raw.member;
  array.high_first = raw.high_first && reading.shape.empty();
  array.shape = shape_of(raw, path, reading, &array.items, &array.before);
  array.shape = with_given_layout(array.shape, reading, array.items);
  return array;
}

Array described_behind(const std::string& path, const Reading& reading, int64_t* at) {
  if (reading.shape.empty())
    fail_usage("--offset and --bytes say where the bytes of an array are: say what they are with --shape");
  if (const auto [file, member] = file_and_member(path); !file.empty())
    fail_usage("--offset and --bytes are about a whole file, and {} is a member of one: give {}", path, file);
  int64_t before = 0;
  Array array;
  array.shape = with_given_layout(given_shape(reading, &before), reading);
  if (before > 0 && reading.offset)
    fail_usage("--offset {} and the offset in --shape, {}, both say where the array begins: leave one of them out",
               *reading.offset, counted(before, "byte"));
  const int64_t size = array.shape.sizes().bytes;
  if (reading.bytes && *reading.bytes != size)
    fail_data("--bytes: {} has {}, not {}: give another --shape, or --bytes {}", array.shape.to_string(),
              counted(size, "byte"), grouped(*reading.bytes), size);
  *at = reading.offset.value_or(before);
  return array;
}

void require_one_type(const std::string& path, const Reading& reading) {
  if (!reading.shape.empty() && !reading.dtype.empty())
    fail_usage(
        "--dtype and --shape both say the type: give --shape alone, with that type in it, or --dtype alone where {} "
        "says its dimensions",
        path);
}

Array array_of(const Raw& raw, int64_t size, const std::string& path, const Reading& reading) {
  Array array = describe_array(raw, path, reading);
  if (!array.items.descr.empty()) warn("xlashape: {}: {}\n", path, note_of(array.items, array.shape));
  const int64_t needed = array.shape.sizes().bytes;
  if (sum(array.before, needed) != size)
    fail_data("{}: {} is {}{}, the file has {}", path, array.shape.to_string(), counted(needed, "byte"),
              array.before > 0 ? fmt::format(" behind the {} of its offset", grouped(array.before)) : "",
              counted(size, "byte"));
  warn_of_difference(raw, path, reading, array.shape);
  return array;
}

namespace {

Array read_behind(const std::string& path, const Reading& reading) {
  int64_t at = 0;
  Array array = described_behind(path, reading, &at);
  array.bytes = read_part(path, at, array.shape.sizes().bytes, reading.bytes.has_value(), array.shape.to_string());
  return array;
}

}  // namespace

Array read_array(const std::string& path, const Reading& reading) {
  require_one_type(path, reading);
  if (reading.offset || reading.bytes) return read_behind(path, reading);
  Raw raw = read_raw(path, reading);
  Array array = array_of(raw, raw.bytes.size(), path, reading);
  if (array.before > 0) raw.bytes.keep(array.before, array.shape.sizes().bytes);
  array.bytes = std::move(raw.bytes);
  return array;
}

std::string named_out(const std::string& out, const Array& array) {
  const Place place = place_of(out);
  return place.kind.empty() || !place.name.empty() || array.member.empty() ? out : place.file + ":" + array.member;
}

bool is_dense(const Shape& shape) {
  const Layout layout = layout_of(shape);
  const Sizes sizes = shape.sizes();
  return (!layout || layout.tile_count() == 0) && sizes.storage_elements == sizes.elements &&
         sizes.element_bits == storage_bits(shape.element_type()) && !shape.is_dynamic();
}

namespace {

constexpr const char* kRawName = "or name it like out.bin, for raw bytes beside their description";

bool has_npy_order(const Shape& shape) {
  return is_dense(shape) && (layout_of(shape).is_dim0_major() || layout_of(shape).is_dim0_minor());
}

bool fits_png(const Shape& shape) {
  const Integers dimensions = shape.dimensions();
  const ElementType type = shape.element_type();
  return is_dense(shape) && layout_of(shape).is_dim0_major() &&
         (type == ElementType::kU8 || type == ElementType::kU16) && shape.element_count() > 0 &&
         (dimensions.size() == 2 || (dimensions.size() == 3 && dimensions[2] <= 4));
}

// Where the bytes of `to` are row-major if its dimensions are taken in another order: the command line for that.
std::string in_its_own_order(const Shape& to, const Shape& from) {
  if (!is_dense(to) || !is_dense(from) || to.dimensions() != from.dimensions()) return "";
  Integers order = layout_of(to).minor_to_major();
  std::reverse(order.begin(), order.end());
  const Result<Shape> other = from.try_permute_dimensions(order);
  std::string axes;
  for (const int64_t dimension : order) axes += (axes.empty() ? "" : ",") + std::to_string(dimension);
  return other ? fmt::format("; with --transpose {} it is these bytes as {}", axes,
                             other->to_string(XLASHAPE_PRINT_WITHOUT_LAYOUT))
               : "";
}

// How to get the elements' bits into a .npy file, which has no type for them.
std::string as_unsigned(const Shape& shape, const Shape& from, const Reading& reading) {
  const int64_t bits = storage_bits(shape.element_type());
  const std::string type = fmt::format("u{}", bits);
  const std::string to = has_npy_order(shape) ? "" : " and --to row";
  if (shape.element_type() != from.element_type())
    return fmt::format("relayout it to a file like out.bin with --to '{} row', and that to this one with --dtype {}",
                       name(shape.element_type()), type);
  if (container_bits(from) != bits)
    return fmt::format("relayout it to a file like out.bin with --to row, and that to this one with --dtype {}", type);
  if (reading.shape.empty()) return fmt::format("give the type of as many bits, --dtype {}{}", type, to);
  return fmt::format("give the type of as many bits, --shape '{}'{}",
                     from.with_element_type(element_type(type)).to_string(), to);
}

}  // namespace

void require_promise(const std::string& path, const Shape& shape, const Array& source, const Reading& reading) {
  const Shape& from = source.shape;
  const Place place = place_of(path);
  if (!place.kind.empty()) {
    require_name(place);
    require_members(place);
  }
  if (place.kind == "safetensors") return require_tensor(place, shape);
  const std::string format = place.kind == "npz" ? "npy" : promised_format(path);
  if (format.empty()) return;
  if (format == "png") {
    if (!fits_png(shape))
      fail_data("{}: a PNG holds row-major u8 or u16 of [height,width] or [height,width,1 to 4], and not {}: {}", path,
                shape.to_string(), kRawName);
  } else if (format != "npy") {
    fail_usage("{}: its name promises a format that is not written: name it .npy, .npz, .safetensors or .png, {}", path,
               kRawName);
  } else if (!npy_header_of(source.items, shape)) {
    if (!npy_descr(shape.element_type()))
      fail_data("{}: NumPy has no type for {}: {}, {}", path, shape.to_string(XLASHAPE_PRINT_WITHOUT_LAYOUT),
                as_unsigned(shape, from, reading), kRawName);
    fail_data(
        "{}: a .npy file is row-major (--to row) or column-major (--to col) and has at most 32 dimensions, unlike {}: "
        "give one of these, {}{}",
        path, shape.to_string(), kRawName, in_its_own_order(shape, from));
  }
}

Written write_array(const std::string& path, const Shape& shape, const Pieces& array, const Items& items,
                    bool high_first) {
  if (const Place place = place_of(path); !place.kind.empty()) return write_member(place, shape, array, items);
  const std::string format = promised_format(path);
  const int64_t size = shape.sizes().bytes;
  if (format == "npy") {
    if (const std::optional<std::string> header = npy_header_of(items, shape)) {
      write_plain(path, array.behind({reinterpret_cast<const uint8_t*>(header->data()), header->size()}));
      return {"npy", "", "", static_cast<int64_t>(header->size()) + size};
    }
  }
  if (format == "png" && fits_png(shape)) {
    if (array.are_placed())
      fail_data("{}: a PNG is compressed whole: leave --max-memory out, or give a .npy file", path);
    const Integers dimensions = shape.dimensions();
    const std::vector<uint8_t> png = make_png(dimensions[0], dimensions[1], dimensions.size() == 3 ? dimensions[2] : 1,
                                              storage_bits(shape.element_type()), array.only(), path);
    const Bytes part = png;
    write_plain(path, {&part, 1});
    return {"png", "", "", static_cast<int64_t>(png.size())};
  }
  if (is_stream(path)) {
    write_stream(path, array);
    return {"raw", "", "raw bytes without a sidecar: " + shape.to_string(), size};
  }
  const std::string real = without_link(path);
  write_described(real, array, Claim{shape.to_string(), size, high_first});
  return {"raw", sidecar_path(real), "", size};
}

}  // namespace xlashape::cli
