// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "interop/foreign.h"
#include "interop/scanner.h"
#include "interop/strided.h"
#include "interop/words.h"
#include "shape/type_names.h"
#include "text/shape_text.h"

namespace xlashape::core {
namespace {

constexpr std::string_view kStructs[] = {"ShapeDtypeStruct", "ShapedArray", "TensorSpec"};

// "(2, 3)", "[2, 3]", "torch.Size([2, 3])".
Status read_sizes(Scanner& in, SmallVec<int64_t, 8>* sizes) {
  const bool size = in.eat("torch.Size(") || in.eat("TensorShape(");
  XLASHAPE_TRY(in.list(sizes, false, "a size, or ? where it is not known", true));
  return size ? in.need(")", "')'") : XLASHAPE_STATUS_OK;
}

// What a name that is no type was probably meant to be, or between which types it does not choose.
Status no_type(std::string_view name, Status code, int64_t offset, Error* err) {
  const char* ambiguous;
  type_of_word(name, &ambiguous);
  const char* nearest = nearest_type_name(name);
  const bool other_order = name.size() > 1 && name.starts_with(std::endian::native == std::endian::little ? '>' : '<');
  const Quoted quoted(name);
  if (ambiguous != nullptr)
    return fail_at(err, code, offset, "expected an element type, found '%s', which is %s", quoted.c_str(), ambiguous);
  if (other_order)
    return fail_at(err, code, offset, "expected an element type, found '%s', which has the other byte order",
                   quoted.c_str());
  if (nearest == nullptr) return fail_at(err, code, offset, "expected an element type, found '%s'", quoted.c_str());
  return fail_at(err, code, offset, "expected an element type, found '%s': did you mean %s?", quoted.c_str(), nearest);
}

// Reads the name of a type: letters, digits, dots, quotes, "dtype('float32')", "<f4".
Status read_type(Scanner& in, std::string_view text, int32_t* type, Error* err) {
  if (in.at_end()) return in.expected("an element type");
  const auto start = static_cast<size_t>(in.offset());
  const size_t end = std::min(text.find_first_of(" ,\t\n", start), text.size());
  std::string_view name = text.substr(start, end - start);
  if (name.ends_with('>') && name.find('<') == std::string_view::npos) name.remove_suffix(1);  // of <tf.Tensor: ...>
  const size_t brackets = static_cast<size_t>(std::count(name.begin(), name.end(), '('));
  while (!name.empty() && name.back() == ')' &&
         static_cast<size_t>(std::count(name.begin(), name.end(), ')')) > brackets)
    name.remove_suffix(1);
  *type = type_of_word(name);
  if (const size_t open = name.find('('); *type == XLASHAPE_TYPE_INVALID && open != std::string_view::npos)
    if (is_array_type(type_of_word(name.substr(0, open)))) {  // "f32(2,3)"
      name = name.substr(0, open);
      *type = type_of_word(name);
    }
  if (*type == XLASHAPE_TYPE_INVALID) return no_type(name, XLASHAPE_STATUS_PARSE, static_cast<int64_t>(start), err);
  in.pass(start + name.size());
  return XLASHAPE_STATUS_OK;
}

Status without_layout(int32_t type, const SmallVec<int64_t, 8>& sizes, uint32_t flags, Ref<Shape>* shape, Error* err) {
  SmallVec<uint8_t, 8> dynamic;
  for (const int64_t size : sizes) dynamic.push_back(size == XLASHAPE_DIMENSION_UNBOUNDED);
  return make_array(type, sizes, dynamic, unsaid_layout(sizes.ssize(), flags), shape, err);
}

// An array whose neighbours are `strides` elements apart.
Status strided(int32_t type, const SmallVec<int64_t, 8>& sizes, const SmallVec<int64_t, 8>& strides, uint32_t flags,
               int64_t offset, Ref<Shape>* shape, Error* err) {
  if (sizes.size() != strides.size())
    return fail_at(err, XLASHAPE_STATUS_PARSE, offset, "expected as many strides as sizes, found %zu for %zu",
                   strides.size(), sizes.size());
  Ref<Layout> layout;
  const Status status = layout_from_strides(sizes, strides, 1, flags & XLASHAPE_STRIDES_COMPACT, &layout, err);
  if (status) {
    set_offset(err, offset);
    return status;
  }
  return make_array(type, sizes, {}, std::move(layout), shape, err);
}

// TensorSpec(shape=(2, 3), dtype=tf.float32, name=None), TensorMetadata(shape=torch.Size([2, 3]), dtype=torch.float32,
// requires_grad=False, stride=(3, 1)), <tf.Tensor: shape=(2, 3), dtype=float32>: where `shape=` and `dtype=` stand.
Status read_named(std::string_view text, uint32_t flags, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  SmallVec<int64_t, 8> sizes, strides;
  int32_t type = XLASHAPE_TYPE_INVALID;
  in.pass(text.find("shape=") + 6);
  XLASHAPE_TRY(read_sizes(in, &sizes));
  in.pass(text.find("dtype=") + 6);
  XLASHAPE_TRY(read_type(in, text, &type, err));
  const size_t stride = text.find("stride=");
  if (stride == std::string_view::npos) return without_layout(type, sizes, flags, shape, err);
  in.pass(stride + 7);
  XLASHAPE_TRY(read_sizes(in, &strides));
  return strided(type, sizes, strides, flags, static_cast<int64_t>(stride), shape, err);
}

// ShapeDtypeStruct((2, 3), float32): sizes and type by their places.
Status read_struct(std::string_view text, size_t open, uint32_t flags, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  in.pass(open + 1);
  SmallVec<int64_t, 8> sizes;
  int32_t type;
  XLASHAPE_TRY(read_sizes(in, &sizes));
  XLASHAPE_TRY(in.need(",", "',' and an element type"));
  XLASHAPE_TRY(read_type(in, text, &type, err));
  return without_layout(type, sizes, flags, shape, err);
}

// "(2, 3) float32" and "float32 (2, 3)", with or without a comma between them.
Status read_pair(std::string_view text, bool type_first, uint32_t flags, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  SmallVec<int64_t, 8> sizes;
  int32_t type = XLASHAPE_TYPE_INVALID;
  if (type_first) XLASHAPE_TRY(read_type(in, text, &type, err));
  XLASHAPE_TRY(read_sizes(in, &sizes));
  in.eat(",");
  if (!type_first) XLASHAPE_TRY(read_type(in, text, &type, err));
  XLASHAPE_TRY(in.end());
  return without_layout(type, sizes, flags, shape, err);
}

// Where the shape of a line of HLO begins, "%add.1 = f32[2,3] add(...)", or that of a parameter, "x: f32[2,3]"; 0 where
// the text is none.
size_t behind_name(std::string_view text) {
  const size_t equals = text.find(" = "), colon = text.find(": ");
  const size_t end = std::min(equals, colon);
  if (end == std::string_view::npos || end == 0) return 0;
  std::string_view name = text.substr(0, end);
  if (name.starts_with("ROOT ")) name.remove_prefix(5);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("%_.-").find(c) != std::string_view::npos;
  });
  return is_name ? end + (end == equals ? 3 : 2) : 0;
}

// What follows the shape in a line of HLO: the operation, and its operands in brackets; or of an operand its name.
bool is_operation(std::string_view rest) {
  if (rest[0] == '%') return true;
  size_t end = 0;
  while (end < rest.size() &&
         ((rest[end] >= 'a' && rest[end] <= 'z') || (rest[end] >= '0' && rest[end] <= '9') || rest[end] == '-'))
    ++end;
  return end > 0 && end < rest.size() && rest[end] == '(';
}

// XLA's text, with element types of any name and layouts of any words: "float32[2,3]{nChw16c}"; or a line of HLO.
Status read_xla(std::string_view text, uint32_t flags, Ref<Shape>* shape, Error* err) {
  const size_t start = text.starts_with("~") ? 1 : behind_name(text);  // jax prints `~` before a weak type
  const std::string_view here = text.substr(start);
  size_t end = 0;
  const Status status =
      parse_shape_head(here, kNamesOfOthers | (flags & XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT), &end, shape, err);
  if (status) {
    move_offset(err, static_cast<int64_t>(start), static_cast<int64_t>(text.size()));
    return status;
  }
  Scanner rest(here, err);
  rest.pass(end);
  if (rest.at_end()) return XLASHAPE_STATUS_OK;
  const auto at = static_cast<size_t>(rest.offset());
  const std::string_view left = here.substr(at);
  if (left[0] == '{' && (*shape)->is_array()) {
    const size_t close = left.rfind('}');
    if (close == std::string_view::npos) return rest.expected("a layout and '}'");
    const std::string_view behind = left.substr(close + 1);
    if (behind.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      Ref<Shape> result, destination;
      const Status worded = with_words(**shape, left.substr(1, close - 1),
                                       (flags & XLASHAPE_STRIDES_COMPACT) | kLayoutAlone, &destination, &result, err);
      if (worded) {
        const auto brace = static_cast<int64_t>(start + at);
        move_offset(err, brace + 1, static_cast<int64_t>(text.size()));
        set_offset(err, brace);
        return worded;
      }
      // A permutation makes another array, whatever its sizes are.
      if (result.get() != destination.get())
        return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, static_cast<int64_t>(start + at),
                       "a layout stands in braces, '%s' permutes the dimensions", Quoted(left, 20).c_str());
      *shape = std::move(destination);
      return XLASHAPE_STATUS_OK;
    }
  }
  if (left[0] == '[' && (*shape)->is_array()) {  // torch.fx: "f32[2, 3][3, 1]cpu"
    SmallVec<int64_t, 8> strides;
    XLASHAPE_TRY(read_sizes(rest, &strides));
    rest.word();
    if (rest.eat(":")) rest.word();  // the device
    XLASHAPE_TRY(rest.end());
    return strided((*shape)->element_type, SmallVec<int64_t, 8>((*shape)->dimensions), strides, flags,
                   static_cast<int64_t>(start + at), shape, err);
  }
  if (is_operation(left)) return XLASHAPE_STATUS_OK;
  return Scanner(text, err).expected_at(static_cast<int64_t>(start + at), "the end of the text");
}

Status read_trimmed(std::string_view text, uint32_t flags, int64_t* offset, Ref<Shape>* shape, Error* err) {
  const auto begins = [&](std::string_view prefix) { return text.starts_with(prefix); };
  const bool digit = !text.empty() && (text[0] >= '0' && text[0] <= '9');
  if (begins("tensor<") || begins("memref<") || begins("vector<") || begins("!stablehlo.token") || begins("?x") ||
      digit)
    return parse_mlir(text, flags, offset, shape, err);
  if (text.find("shape=") != std::string_view::npos && text.find("dtype=") != std::string_view::npos)
    return read_named(text, flags, shape, err);
  if (begins("{")) return parse_numpy(text, flags, shape, err);
  if (begins("torch.Size(") || begins("[")) return read_pair(text, false, flags, shape, err);
  if (begins("((") && text.find("):(") != std::string_view::npos)
    return fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected an element type before CuTe's layout, as in f32 %s",
                   Quoted(text).c_str());
  if (begins("(")) {
    const size_t next = text.find_first_not_of(" \t", 1);
    if (next != std::string_view::npos &&
        (std::string_view("0123456789?-").find(text[next]) != std::string_view::npos ||
         text.substr(next).starts_with("None"))) {
      if (text.find("):") != std::string_view::npos)
        return fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected an element type before CuTe's layout, as in f32 %s",
                       Quoted(text).c_str());
      return read_pair(text, false, flags, shape, err);
    }
    if (text.find_first_not_of(" ,\t", text.find(')') + 1) != std::string_view::npos && begins("()"))
      return read_pair(text, false, flags, shape, err);
  }
  const size_t open = text.find('(');
  if (open != std::string_view::npos && open > 0 && behind_name(text) == 0) {
    std::string_view name = text.substr(0, open);
    name = name.substr(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
    if (std::find(std::begin(kStructs), std::end(kStructs), name) != std::end(kStructs)) {
      const size_t close = text.rfind(')');
      if (name != "ShapedArray") return read_struct(text, open, flags, shape, err);
      if (close == std::string_view::npos || close < open)
        return Scanner(text, err).expected_at(static_cast<int64_t>(text.size()), "')'");
      std::string_view inside = text.substr(open + 1, close - open - 1);
      inside = inside.substr(0, inside.find(", weak_type"));
      const Status status = read_xla(inside, flags, shape, err);
      if (status) move_offset(err, static_cast<int64_t>(open) + 1, static_cast<int64_t>(text.size()));
      return status;
    }
  }
  // A type, then sizes: CuTe's with their strides, or a tuple.
  const bool direct = open != std::string_view::npos && is_array_type(type_of_word(text.substr(0, open)));
  const size_t blank = direct ? open : text.find_first_of(" \t");
  if (blank != std::string_view::npos && text.find('[') > blank) {
    const size_t next = text.find_first_not_of(" \t", blank);
    if (next != std::string_view::npos &&
        std::string_view("(_0123456789S").find(text[next]) != std::string_view::npos) {
      int32_t type;
      Scanner in(text, err);
      XLASHAPE_TRY(read_type(in, text, &type, err));
      if (text.find(':') == std::string_view::npos) return read_pair(text, true, flags, shape, err);
      const Status status = parse_cute(text.substr(next), type, flags, shape, err);
      if (status) move_offset(err, static_cast<int64_t>(next), static_cast<int64_t>(text.size()));
      return status;
    }
  }
  return read_xla(text, flags, shape, err);
}

}  // namespace

Status read_shape(std::string_view text, uint32_t flags, int64_t* offset, Ref<Shape>* shape, Error* err) {
  const std::string_view inside = trimmed(text);
  int64_t before = 0;
  Ref<Shape> read;
  const Status status = read_trimmed(inside, flags, &before, &read, err);
  if (status) {
    move_offset(err, inside.data() - text.data(), static_cast<int64_t>(text.size()));
    return status;
  }
  if (offset == nullptr && before != 0)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a shape has no offset, this memref begins at element %lld",
                ll(before));
  if (offset != nullptr) *offset = before;
  *shape = std::move(read);
  return XLASHAPE_STATUS_OK;
}

Status read_element_type(std::string_view name, xlashape_element_type* type, Error* err) {
  name = trimmed(name);
  *type = type_of_word(name);
  return *type != XLASHAPE_TYPE_INVALID ? XLASHAPE_STATUS_OK : no_type(name, XLASHAPE_STATUS_NOT_FOUND, -1, err);
}

}  // namespace xlashape::core
