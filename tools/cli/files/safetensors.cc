// SPDX-License-Identifier: Apache-2.0
#include "safetensors.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "formats.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kLongestHeader = 100'000'000;  // as in the format's own reader
constexpr size_t kMostDimensions = 64;
constexpr const char* kMetadata = "__metadata__";

struct Dtype {
  std::string_view name;
  ElementType type;
  int64_t bits;
  int64_t part;  // width of the units that have a byte order
};
constexpr Dtype kDtypes[] = {
    {"BOOL", ElementType::kPred, 8, 1},
    {"U8", ElementType::kU8, 8, 1},
    {"I8", ElementType::kS8, 8, 1},
    {"I16", ElementType::kS16, 16, 2},
    {"U16", ElementType::kU16, 16, 2},
    {"F16", ElementType::kF16, 16, 2},
    {"BF16", ElementType::kBF16, 16, 2},
    {"I32", ElementType::kS32, 32, 4},
    {"U32", ElementType::kU32, 32, 4},
    {"F32", ElementType::kF32, 32, 4},
    {"F64", ElementType::kF64, 64, 8},
    {"I64", ElementType::kS64, 64, 8},
    {"U64", ElementType::kU64, 64, 8},
    {"C64", ElementType::kC64, 64, 4},
    {"F8_E4M3", ElementType::kF8E4M3FN, 8, 1},
    {"F8_E5M2", ElementType::kF8E5M2, 8, 1},
    {"F8_E8M0", ElementType::kF8E8M0FNU, 8, 1},
    {"F8_E4M3FNUZ", ElementType::kF8E4M3FNUZ, 8, 1},
    {"F8_E5M2FNUZ", ElementType::kF8E5M2FNUZ, 8, 1},
    {"F4", ElementType::kF4E2M1FN, 4, 1},
    {"F6_E2M3", ElementType::kInvalid, 6, 1},
    {"F6_E3M2", ElementType::kInvalid, 6, 1},
};

const Dtype* dtype_named(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kDtypes), std::end(kDtypes), [&](const Dtype& d) { return d.name == name; });
  return found == std::end(kDtypes) ? nullptr : found;
}

std::string shortened(const std::string& text) { return text.substr(0, 60); }

// Takes what the parser finds, and refuses all that a header has not, so that nothing nests deeper than three levels.
class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader(Safetensors* out, const std::string& path) : out_(out), path_(path) {}

  [[noreturn]] void fail(const std::string& what) const { fail_data("{}: bad .safetensors header: {}", path_, what); }

  bool null() override {
    if (depth_ != 1 || name_ != kMetadata) unexpected("null");
    return true;
  }
  bool boolean(bool) override { unexpected("true or false"); }
  bool number_float(number_float_t, const string_t& text) override { unexpected("the number " + shortened(text)); }
  bool binary(binary_t&) override { unexpected("binary data"); }
  bool number_integer(number_integer_t value) override { unexpected(fmt::format("the number {}", value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ != 3 || value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      unexpected(fmt::format("the number {}", value));
    if (numbers_.size() == kMostDimensions) fail(where() + fmt::format(" has more than {} numbers", kMostDimensions));
    numbers_.push_back(static_cast<int64_t>(value));
    return true;
  }
  bool string(string_t& text) override {
    if (depth_ != 2 || (name_ != kMetadata && field_ != "dtype")) unexpected("a string");
    if (name_ == kMetadata)
      out_->metadata[field_] = text;
    else
      tensor_.dtype = text;
    return true;
  }
  bool start_object(std::size_t) override {
    if (depth_ > 1) unexpected("an object");
    ++depth_;
    if (depth_ == 2) {
      fields_.clear();
      tensor_ = {};
      tensor_.name = name_;
    }
    return true;
  }
  bool key(string_t& text) override {
    if (depth_ == 1) {
      name_ = text;
      field_.clear();
      if (!names_.insert(text).second) fail(fmt::format("it has \"{}\" twice", shortened(text)));
      return true;
    }
    field_ = text;
    if (!fields_.insert(text).second) fail(fmt::format("\"{}\" has \"{}\" twice", shortened(name_), shortened(text)));
    if (name_ != kMetadata && text != "dtype" && text != "shape" && text != "data_offsets")
      fail(fmt::format("\"{}\" has an unknown field \"{}\"", shortened(name_), shortened(text)));
    return true;
  }
  bool end_object() override {
    if (--depth_ == 1 && name_ != kMetadata) {
      if (fields_.size() != 3) fail(fmt::format("\"{}\" lacks dtype, shape or data_offsets", shortened(name_)));
      out_->tensors.push_back(std::move(tensor_));
    }
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || (field_ != "shape" && field_ != "data_offsets") || name_ == kMetadata) unexpected("a list");
    ++depth_;
    numbers_.clear();
    return true;
  }
  bool end_array() override {
    --depth_;
    if (field_ == "shape") {
      tensor_.dimensions = numbers_;
    } else {
      if (numbers_.size() != 2) fail(where() + " has not two numbers");
      tensor_.begin = numbers_[0];
      tensor_.end = numbers_[1];
    }
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
    fail(fmt::format("it is no JSON at byte {} of the file", at + 7));  // which counts from 1, behind 8 bytes
  }

 private:
  std::string where() const {
    if (depth_ == 0) return "it";
    return fmt::format("\"{}\"", shortened(name_)) +
           (field_.empty() ? "" : fmt::format(" of \"{}\"", shortened(field_)));
  }
  [[noreturn]] void unexpected(const std::string& what) const { fail(fmt::format("{} at {}", what, where())); }

  Safetensors* out_;
  const std::string& path_;
  int depth_ = 0;  // of objects and lists that are open
  std::string name_, field_;
  std::set<std::string> names_, fields_;
  Integers numbers_;
  Tensor tensor_;
};

// How many bits its elements have; none where they are more than fit 64 bits.
std::optional<int64_t> bits_of(const Tensor& tensor, int64_t each) {
  if (std::find(tensor.dimensions.begin(), tensor.dimensions.end(), 0) != tensor.dimensions.end()) return 0;
  int64_t bits = each;
  for (const int64_t dimension : tensor.dimensions)
    if (__builtin_mul_overflow(bits, dimension, &bits)) return std::nullopt;
  return bits;
}

std::string text_of(const Tensor& tensor) {
  return fmt::format("\"{}\", {} of [{}]", shortened(tensor.name), shortened(tensor.dtype),
                     joined(tensor.dimensions, ","));
}

// Each byte of the data is one tensor's, and each tensor has as many as it says.
void check(Safetensors* header, int64_t data, const Reader& reader) {
  std::stable_sort(header->tensors.begin(), header->tensors.end(), [](const Tensor& a, const Tensor& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  int64_t at = 0;
  for (const Tensor& tensor : header->tensors) {
    const std::string offsets = fmt::format("data_offsets [{},{}] of {}", tensor.begin, tensor.end, text_of(tensor));
    if (tensor.begin > tensor.end || tensor.end > data)
      reader.fail(fmt::format("{} are not within the {} of data", offsets, counted(data, "byte")));
    if (tensor.begin != at)
      reader.fail(
          fmt::format("{} {}, the data before ends at {}", offsets, tensor.begin < at ? "overlap" : "leave a gap", at));
    at = tensor.end;
    const Dtype* dtype = dtype_named(tensor.dtype);
    if (dtype == nullptr) continue;
    const std::optional<int64_t> bits = bits_of(tensor, dtype->bits);
    if (!bits) reader.fail(fmt::format("{} has more elements than fit 64 bits", text_of(tensor)));
    if (*bits % 8 != 0) reader.fail(fmt::format("{} has {} bits, which are no whole bytes", text_of(tensor), *bits));
    if (*bits / 8 != tensor.end - tensor.begin)
      reader.fail(fmt::format("{} are {}, it needs {}", offsets, counted(tensor.end - tensor.begin, "byte"),
                              grouped(*bits / 8)));
  }
  if (at != data)
    reader.fail(fmt::format("its tensors have {}, the file has {} of data", counted(at, "byte"), grouped(data)));
}

}  // namespace

bool is_safetensors(const std::string& path) { return ends_with(path, ".safetensors"); }

Safetensors read_safetensors(const FileParts& file) {
  Safetensors header;
  Reader reader(&header, file.path());
  if (file.size() < 8)
    reader.fail(fmt::format("the file has {}, its length alone takes 8", counted(file.size(), "byte")));
  const Buffer start = file.read(0, 8);
  uint64_t length = 0;
  for (int i = 8; i-- > 0;) length = length << 8 | start.data()[i];
  if (length > kLongestHeader)
    reader.fail(fmt::format("{} bytes long, more than {} are not read", length, kLongestHeader));
  header.data_offset = 8 + static_cast<int64_t>(length);
  if (header.data_offset > file.size())
    reader.fail(fmt::format("{} bytes long, the file ends after {}", length, file.size() - 8));
  const Buffer text = file.read(8, static_cast<int64_t>(length));
  // As char: libc++ has traits for no other bytes.
  const auto* begin = reinterpret_cast<const char*>(text.data());
  nlohmann::json::sax_parse(begin, begin + text.size(), &reader);
  check(&header, file.size() - header.data_offset, reader);
  return header;
}

const Tensor& tensor_named(const Safetensors& header, const std::string& name, const std::string& path) {
  const auto& tensors = header.tensors;
  if (name.empty() && tensors.size() == 1) return tensors.front();
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  if (found != tensors.end()) return *found;
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const Tensor& tensor : tensors) names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  fail_for_member(path, name, names);
}

Raw describe_tensor(const Safetensors& header, const Tensor& tensor, const std::string& path) {
  const Dtype* dtype = dtype_named(tensor.dtype);
  const int64_t bytes = tensor.end - tensor.begin;
  Raw raw;
  raw.dimensions = tensor.dimensions;
  raw.size = bytes;
  LayoutSpec spec;
  for (size_t i = tensor.dimensions.size(); i-- > 0;) spec.minor_to_major.push_back(static_cast<int64_t>(i));
  if (dtype != nullptr && dtype->bits == 4) spec.element_size_in_bits = 4;
  raw.layout = as_failures([&] { return Layout::create(spec); }, path);
  if (const auto said = header.metadata.find("xlashape." + tensor.name); said != header.metadata.end()) {
    raw.shape = as_failures([&] { return Shape::parse(said->second); }, path + ": its entry in " + kMetadata);
    const int64_t needed = is_array(raw.shape) ? as_failures([&] { return raw.shape.sizes().bytes; }, path) : -1;
    if (tensor.dtype != "U8" || needed != bytes)
      fail_data("{}: {} says \"xlashape.{}\" is {}, {}: the tensor is {}", path, kMetadata, shortened(tensor.name),
                raw.shape.to_string(), needed < 0 ? "no array" : "U8 of " + counted(needed, "byte"), text_of(tensor));
    return raw;
  }
  if (dtype == nullptr || dtype->type == ElementType::kInvalid) {
    raw.why = fmt::format("dtype \"{}\" {}", shortened(tensor.dtype),
                          dtype == nullptr ? "is unknown here"
                                           : "has elements of 6 bits without a space between them, "
                                             "which no layout says");
    return raw;
  }
  raw.type = dtype->type;
  raw.item_bytes = dtype->bits / 8;
  return raw;
}

Buffer read_tensor(const FileParts& file, const Safetensors& header, const Tensor& tensor) {
  Buffer bytes = file.read(header.data_offset + tensor.begin, tensor.end - tensor.begin);
  const Dtype* dtype = dtype_named(tensor.dtype);
  if (dtype != nullptr && dtype->part > 1 && std::endian::native == std::endian::big)
    swap_bytes(bytes.writable(), dtype->part);
  return bytes;
}

int64_t width_of(const Tensor& tensor) {
  const Dtype* dtype = dtype_named(tensor.dtype);
  return dtype == nullptr ? 1 : std::max<int64_t>(dtype->bits / 8, 1);
}

Tensor tensor_of(const std::string& name, const Shape& shape, std::string* shape_text) {
  const Sizes sizes = shape.sizes();
  const Layout layout = layout_of(shape);
  const auto* dtype = std::find_if(std::begin(kDtypes), std::end(kDtypes),
                                   [&](const Dtype& d) { return d.type == shape.element_type(); });
  const bool plain = sizes.storage_elements == sizes.elements && !shape.is_dynamic() &&
                     (!layout || (layout.tile_count() == 0 && layout.is_dim0_major()));
  Tensor tensor;
  tensor.name = name;
  tensor.end = sizes.bytes;
  if (dtype != std::end(kDtypes) && plain && sizes.element_bits == dtype->bits &&
      sizes.bytes * 8 == sizes.elements * dtype->bits && shape.rank() <= static_cast<int64_t>(kMostDimensions)) {
    tensor.dtype = dtype->name;
    tensor.dimensions = shape.dimensions();
  } else {
    tensor.dtype = "U8";
    tensor.dimensions = {sizes.bytes};
    *shape_text = shape.to_string();
  }
  return tensor;
}

std::string make_safetensors_header(std::vector<Tensor>& tensors, const std::map<std::string, std::string>& metadata,
                                    const std::string& path) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!metadata.empty()) json[kMetadata] = metadata;
  int64_t at = 0;
  for (Tensor& tensor : tensors) {
    const int64_t size = tensor.end - tensor.begin;
    tensor.begin = at;
    tensor.end = at += size;
    if (tensor.name == kMetadata) fail_data("{}: a tensor cannot be called {}: give another name", path, kMetadata);
    json[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.dimensions}, {"data_offsets", Integers{tensor.begin, tensor.end}}};
  }
  std::string text;
  try {
    text = json.dump(-1, ' ', /*ensure_ascii=*/true);
  } catch (const nlohmann::ordered_json::exception&) {
    fail_data("{}: a name in it is not UTF-8, which the format does not allow: give another name", path);
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kLongestHeader)
    fail_data("{}: its header would have {}, at most {} are allowed: write fewer members", path,
              counted(static_cast<int64_t>(text.size()), "byte"), grouped(kLongestHeader));
  std::string length;
  for (int i = 0; i < 8; ++i) length += static_cast<char>(text.size() >> 8 * i & 255);
  return length + text;
}

int64_t unit_of(const Shape& shape) {
  const ElementType type = shape.element_type();
  const int64_t bits = container_bits(shape);
  return bits / 8 / ((classes(type) & XLASHAPE_CLASS_COMPLEX) != 0 ? 2 : 1);
}

}  // namespace xlashape::cli
