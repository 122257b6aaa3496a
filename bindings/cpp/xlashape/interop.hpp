// SPDX-License-Identifier: Apache-2.0
// Shapes and layouts as people write them, and in other projects' structs: DLPack, PJRT. What such a form cannot
// express is kUnsupported.
#ifndef XLASHAPE_INTEROP_HPP_
#define XLASHAPE_INTEROP_HPP_

#include <xlashape_interop.h>

#include "shape.hpp"

namespace xlashape {

namespace detail {
template <class F, class... A>
Result<Shape> shape_from(F function, A... arguments) {
  return make<Shape, xlashape_shape>(function, arguments...);
}
}  // namespace detail

// The type of a name in any project: "float32", "torch.bfloat16", "<f4".
inline Result<ElementType> try_read_element_type(std::string_view name) {
  Result<ElementType> result;
  std::int32_t type = 0;
  if (xlashape_element_type_read(name.data(), detail::length(name), &type, result.record()) == XLASHAPE_STATUS_OK)
    result.emplace(static_cast<ElementType>(type));
  return result;
}
XLASHAPE_THROWS inline ElementType read_element_type(std::string_view name) {
  return try_read_element_type(name).value();
}

// An array in any notation: "float32[2,3]{col}", "tensor<2x3xf32>", "f32 (2,3):(3,1)". `offset`, where it is not null:
// how many elements lie before the first one of a memref; flags, here and below: XLASHAPE_STRIDES_COMPACT.
inline Result<Shape> try_read_shape(std::string_view text, std::uint32_t flags = 0, std::int64_t* offset = nullptr) {
  return detail::shape_from(xlashape_shape_read, text.data(), detail::length(text), flags, offset);
}
XLASHAPE_THROWS inline Shape read_shape(std::string_view text, std::uint32_t flags = 0,
                                        std::int64_t* offset = nullptr) {
  return try_read_shape(text, flags, offset).value();
}

// What words such as "NHWC->NCHW", "nChw16c" and "bf16 col" ask for: the array in another layout, maybe of another
// element type, which a relayout moves to; and the same memory as an array whose dimensions are in the order of the
// words.
struct Arranged {
  Shape destination, result;
};
inline Result<Arranged> try_with_words(const Shape& shape, std::string_view words, std::uint32_t flags = 0) {
  Result<Arranged> arranged;
  xlashape_shape *destination = nullptr, *result = nullptr;
  if (xlashape_shape_with_words(shape.get(), words.data(), detail::length(words), flags, &destination, &result,
                                arranged.record()) == XLASHAPE_STATUS_OK)
    arranged.emplace(Arranged{Shape(destination), Shape(result)});
  return arranged;
}
XLASHAPE_THROWS inline Arranged with_words(const Shape& shape, std::string_view words, std::uint32_t flags = 0) {
  return try_with_words(shape, words, flags).value();
}

// XLASHAPE_NOTATION_
enum class Notation : std::int32_t {
  kMlir = XLASHAPE_NOTATION_MLIR,
  kMemref = XLASHAPE_NOTATION_MEMREF,
  kCute = XLASHAPE_NOTATION_CUTE,
  kNumpy = XLASHAPE_NOTATION_NUMPY,
  kOnednn = XLASHAPE_NOTATION_ONEDNN,
  kPack = XLASHAPE_NOTATION_PACK,
  kJax = XLASHAPE_NOTATION_JAX,
};
// flags: XLASHAPE_PRINT_WITHOUT_LAYOUT, of kMlir
inline Result<std::string> try_to_notation(const Shape& shape, Notation notation, std::uint32_t flags = 0) {
  return detail::text(xlashape_shape_print_as, shape.get(), static_cast<std::int32_t>(notation), flags);
}
XLASHAPE_THROWS inline std::string to_notation(const Shape& shape, Notation notation, std::uint32_t flags = 0) {
  return try_to_notation(shape, notation, flags).value();
}

// A DLTensor; flags: XLASHAPE_DLPACK_SUB_BYTE_PADDED, too.
inline Result<Shape> try_from_dlpack(const void* tensor, std::uint32_t flags = 0) {
  return detail::shape_from(xlashape_shape_from_dlpack, tensor, flags);
}
XLASHAPE_THROWS inline Shape from_dlpack(const void* tensor, std::uint32_t flags = 0) {
  return try_from_dlpack(tensor, flags).value();
}

// A struct of C and the arrays that it points to, in one block: valid as long as the block is not copied or changed.
class Block {
 public:
  Block() = default;
  Block(Block&&) noexcept = default;
  Block& operator=(Block&&) noexcept = default;
  const void* get() const noexcept { return words_.data(); }

 private:
  friend Result<Block> try_to_dlpack(const Shape&, std::uint32_t, void*, std::int32_t, std::int32_t, std::int64_t);
  friend Result<Block> try_to_pjrt(const Shape&, std::uint32_t);
  template <class F, class... A>
  static Result<Block> of(F function, A... arguments) {
    Result<Block> result;
    Block block;
    std::int64_t needed = 0;
    if (function(arguments..., nullptr, std::int64_t{0}, &needed, result.record()) != XLASHAPE_STATUS_OK) return result;
    block.words_.resize(static_cast<std::size_t>(needed + 7) / 8);
    auto* bytes = reinterpret_cast<std::uint8_t*>(block.words_.data());
    if (function(arguments..., bytes, 8 * detail::length(block.words_), &needed, result.record()) == XLASHAPE_STATUS_OK)
      result.emplace(std::move(block));
    return result;
  }
  std::vector<std::int64_t> words_;
};

// A DLTensor for memory at `data`.
inline Result<Block> try_to_dlpack(const Shape& shape, std::uint32_t flags, void* data,
                                   std::int32_t device_type = XLASHAPE_SPACE_CPU, std::int32_t device_id = 0,
                                   std::int64_t byte_offset = 0) {
  return Block::of(xlashape_shape_to_dlpack, shape.get(), flags, data, device_type, device_id, byte_offset);
}

// A PJRT_Buffer_MemoryLayout; flags: XLASHAPE_PJRT_*
inline Result<Block> try_to_pjrt(const Shape& shape, std::uint32_t flags = 0) {
  return Block::of(xlashape_shape_to_pjrt, shape.get(), flags);
}
inline Result<Layout> try_layout_from_pjrt(const void* memory_layout, ElementType type, Numbers dimensions,
                                           std::uint32_t flags = 0) {
  return detail::make<Layout, xlashape_layout>(xlashape_layout_from_pjrt, memory_layout,
                                               static_cast<std::int32_t>(type), dimensions.data(), dimensions.size(),
                                               flags);
}

}  // namespace xlashape

#endif  // XLASHAPE_INTEROP_HPP_
