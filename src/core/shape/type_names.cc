// SPDX-License-Identifier: Apache-2.0
#include "shape/type_names.h"

#include <algorithm>
#include <bit>

#include "ir/edit_distance.h"

namespace xlashape::core {
namespace {

struct Alias {
  std::string_view name;  // in small letters
  xlashape_element_type type;
};

// Names that say of which project they are, where the rest alone would not do.
constexpr Alias kWhole[] = {
    {"torch.float", XLASHAPE_TYPE_F32}, {"torch.int", XLASHAPE_TYPE_S32},    {"tensor(float)", XLASHAPE_TYPE_F32},
    {"DT_FLOAT", XLASHAPE_TYPE_F32},    {"F8_E4M3", XLASHAPE_TYPE_F8E4M3FN},  // of safetensors
    {"c_float", XLASHAPE_TYPE_F32},     {"c_double", XLASHAPE_TYPE_F64},      // of Fortran and ctypes; no cfloat
};

// Names beyond the columns of element_type.cc.
constexpr Alias kAliases[] = {
    {"half", XLASHAPE_TYPE_F16},
    {"fp16", XLASHAPE_TYPE_F16},
    {"single", XLASHAPE_TYPE_F32},
    {"fp32", XLASHAPE_TYPE_F32},
    {"double", XLASHAPE_TYPE_F64},
    {"fp64", XLASHAPE_TYPE_F64},
    {"bfloat", XLASHAPE_TYPE_BF16},
    {"boolean", XLASHAPE_TYPE_PRED},
    {"bool_", XLASHAPE_TYPE_PRED},
    {"short", XLASHAPE_TYPE_S16},
    {"long", XLASHAPE_TYPE_S64},
    {"longlong", XLASHAPE_TYPE_S64},
    {"ubyte", XLASHAPE_TYPE_U8},
    {"ushort", XLASHAPE_TYPE_U16},
    {"cfloat", XLASHAPE_TYPE_C64},
    {"cdouble", XLASHAPE_TYPE_C128},
    {"si1", XLASHAPE_TYPE_S1},
    {"si2", XLASHAPE_TYPE_S2},
    {"si4", XLASHAPE_TYPE_S4},
    {"si8", XLASHAPE_TYPE_S8},
    {"si16", XLASHAPE_TYPE_S16},
    {"si32", XLASHAPE_TYPE_S32},
    {"si64", XLASHAPE_TYPE_S64},
    {"f8_e8m0", XLASHAPE_TYPE_F8E8M0FNU},
    {"f8e8m0", XLASHAPE_TYPE_F8E8M0FNU},
    {"f4e2m1", XLASHAPE_TYPE_F4E2M1FN},
    {"intc", XLASHAPE_TYPE_S32},
    {"uintc", XLASHAPE_TYPE_U32},
    {"csingle", XLASHAPE_TYPE_C64},
    {"complexfloat", XLASHAPE_TYPE_C64},
    {"complexdouble", XLASHAPE_TYPE_C128},
    {"ulong", XLASHAPE_TYPE_U64},
    {"ulonglong", XLASHAPE_TYPE_U64},
    {"intp", XLASHAPE_TYPE_S64},
    {"uintp", XLASHAPE_TYPE_U64},
    {"isize", XLASHAPE_TYPE_S64},
    {"usize", XLASHAPE_TYPE_U64},
    {"halffloat", XLASHAPE_TYPE_F16},
    {"nv_bfloat16", XLASHAPE_TYPE_BF16},
    {"float8e8m0", XLASHAPE_TYPE_F8E8M0FNU},
    {"float4e2m1", XLASHAPE_TYPE_F4E2M1FN},
    {"float6e2m3", XLASHAPE_TYPE_F6E2M3FN},
    {"float6e3m2", XLASHAPE_TYPE_F6E3M2FN},
    {"f6e2m3", XLASHAPE_TYPE_F6E2M3FN},
    {"f6e3m2", XLASHAPE_TYPE_F6E3M2FN},
    {"e5m2", XLASHAPE_TYPE_F8E5M2},
    {"e4m3fn", XLASHAPE_TYPE_F8E4M3FN},
    {"e4m3fnuz", XLASHAPE_TYPE_F8E4M3FNUZ},
    {"e5m2fnuz", XLASHAPE_TYPE_F8E5M2FNUZ},
    {"e3m4", XLASHAPE_TYPE_F8E3M4},
    {"e8m0", XLASHAPE_TYPE_F8E8M0FNU},
    {"e8m0fnu", XLASHAPE_TYPE_F8E8M0FNU},
    {"e2m1", XLASHAPE_TYPE_F4E2M1FN},
    {"e2m1fn", XLASHAPE_TYPE_F4E2M1FN},
    {"e2m3fn", XLASHAPE_TYPE_F6E2M3FN},
    {"e3m2fn", XLASHAPE_TYPE_F6E3M2FN},
    {"fp8_e5m2", XLASHAPE_TYPE_F8E5M2},
    {"fp8_e4m3fn", XLASHAPE_TYPE_F8E4M3FN},
    {"fp4_e2m1", XLASHAPE_TYPE_F4E2M1FN},
};

struct Ambiguous {
  std::string_view name;
  const char* meanings;
};

constexpr Ambiguous kAmbiguous[] = {
    {"float", "f32 in PyTorch and C, f64 in NumPy"},
    {"int", "s32 in PyTorch and C, s64 in NumPy"},
    {"uint", "u32 in C, u64 in NumPy"},
    {"byte", "u8 in PyTorch, s8 in NumPy"},
    {"char", "s8 in PyTorch, u8 elsewhere"},
    {"complex", "c64 in some projects, c128 in NumPy"},
    {"f4", "f32 in NumPy ('<f4'), f4e2m1fn in safetensors"},
    {"f8_e4m3", "f8e4m3fn in oneDNN, f8e4m3 in jax"},
    {"f8", "f64 in NumPy ('<f8'), and there are eight types of 8 bits, such as f8e4m3fn"},
    {"fp8", "one of eight types of 8 bits, such as f8e4m3fn"},
    {"e4m3", "f8e4m3fn, as most hardware has it, or f8e4m3 with infinities"},
    {"fp8_e4m3", "f8e4m3fn, as most hardware has it, or f8e4m3 with infinities"},
};

constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whatever the case, and whether there are underscores or not: float8_e4m3fn, FLOAT8E4M3FN.
bool same(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  for (;;) {
    while (i < a.size() && a[i] == '_') ++i;
    while (j < b.size() && b[j] == '_') ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (small(a[i++]) != small(b[j++])) return false;
  }
}

bool take(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// The name in "torch.float32", "dtype('float32')", "<class 'numpy.float32'>", "tensor(float16)", "DT_HALF".
std::string_view bare(std::string_view name) {
  constexpr std::string_view kBefore[] = {"torch.",
                                          "jax.numpy.",
                                          "jnp.",
                                          "numpy.",
                                          "np.",
                                          "ml_dtypes.",
                                          "tf.",
                                          "cupy.",
                                          "cp.",
                                          "mx.",
                                          "paddle.",
                                          "ttnn.",
                                          "tl.",
                                          "tensorflow.",
                                          "TensorProto.",
                                          "std::",
                                          "DT_",
                                          "TYPE_",
                                          "PJRT_Buffer_Type_",
                                          "dnnl_"};
  take(&name, "dtype=");
  const size_t quote = name.find_first_of("'\"");
  if (quote != std::string_view::npos && name.rfind(name[quote]) > quote)
    name = name.substr(quote + 1, name.rfind(name[quote]) - quote - 1);
  if (name.ends_with(')') && (take(&name, "tensor(") || take(&name, "dtype("))) name.remove_suffix(1);
  for (const std::string_view before : kBefore)
    if (take(&name, before)) break;
  return name;
}

// NumPy's "<f4"; with the other byte order it is no type of this machine.
xlashape_element_type of_typestr(std::string_view name) {
  const char other = std::endian::native == std::endian::little ? '>' : '<';
  const std::string_view code = name.substr(1);
  const xlashape_element_type type =
      find_element_type([&](const ElementTypeInfo& known) { return !code.empty() && code == known.typestr; });
  return name[0] == other && element_type_info(type).storage_bits != 8 ? XLASHAPE_TYPE_INVALID : type;
}

// Calls f(name, type) for each name.
template <class F>
void for_each_name(F&& f) {
  const std::span<const ElementTypeInfo> types = element_types();
  for (size_t i = 1; i < types.size(); ++i) {
    const auto type = static_cast<xlashape_element_type>(i);
    if (!is_array_type(type)) continue;
    f(std::string_view(types[i].text), type);
    f(std::string_view(types[i].numpy), type);
    f(std::string_view(types[i].mlir), type);
  }
  for (const Alias& alias : kAliases) f(alias.name, alias.type);
}

}  // namespace

xlashape_element_type type_of_word(std::string_view name, const char** ambiguous) noexcept {
  if (ambiguous != nullptr) *ambiguous = nullptr;
  const xlashape_element_type strict = element_type_from_name(name);
  if (strict != XLASHAPE_TYPE_INVALID) return strict;
  for (const Alias& known : kWhole)
    if (name == known.name) return known.type;
  name = bare(name);
  if (name.empty()) return XLASHAPE_TYPE_INVALID;
  if (name.find_first_of("<>=|") == 0) return of_typestr(name);
  for (const Ambiguous& known : kAmbiguous) {
    const bool is = std::equal(name.begin(), name.end(), known.name.begin(), known.name.end(),
                               [](char a, char b) { return small(a) == b; });
    if (!is) continue;
    if (ambiguous != nullptr) *ambiguous = known.meanings;
    return XLASHAPE_TYPE_INVALID;
  }
  if (name.ends_with("_t")) name.remove_suffix(2);  // of C: uint8_t
  xlashape_element_type found = XLASHAPE_TYPE_INVALID;
  for_each_name([&](std::string_view known, xlashape_element_type type) {
    if (found == XLASHAPE_TYPE_INVALID && same(name, known)) found = type;
  });
  return found;
}

const char* nearest_type_name(std::string_view name) noexcept {
  name = bare(name);
  if (name.size() < 2 || name.size() > 24) return nullptr;
  int least = name.size() <= 4 ? 1 : 2;
  xlashape_element_type nearest = XLASHAPE_TYPE_INVALID;
  for_each_name([&](std::string_view known, xlashape_element_type type) {
    const int distance = ir::edit_distance(name, known, least);
    if (distance > least || (distance == least && nearest != XLASHAPE_TYPE_INVALID)) return;
    least = distance;
    nearest = type;
  });
  return element_type_info(nearest).name();
}

}  // namespace xlashape::core
