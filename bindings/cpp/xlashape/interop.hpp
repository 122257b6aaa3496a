// SPDX-License-Identifier: Apache-2.0
// Shapes and layouts in other projects' forms: MLIR, CuTe, NumPy, DLPack, PJRT. What such a form cannot express is
// kUnsupported.
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

// "tensor<128x256xbf16>"; flags: XLASHAPE_PRINT_WITHOUT_LAYOUT
inline Result<std::string> try_to_mlir(const Shape& shape, std::uint32_t flags = 0) {
  return detail::text(xlashape_shape_print_mlir, shape.get(), flags);
}
XLASHAPE_THROWS inline std::string to_mlir(const Shape& shape, std::uint32_t flags = 0) {
  return try_to_mlir(shape, flags).value();
}
inline Result<Shape> try_from_mlir(std::string_view text) {
  return detail::shape_from(xlashape_shape_parse_mlir, text.data(), detail::length(text), 0u);
}
XLASHAPE_THROWS inline Shape from_mlir(std::string_view text) { return try_from_mlir(text).value(); }

// "(2,3):(3,1)"; flags, here and below: XLASHAPE_STRIDES_COMPACT
inline Result<std::string> try_to_cute(const Shape& shape) {
  return detail::text(xlashape_shape_print_cute, shape.get(), 0u);
}
XLASHAPE_THROWS inline std::string to_cute(const Shape& shape) { return try_to_cute(shape).value(); }
inline Result<Shape> try_from_cute(std::string_view text, ElementType type, std::uint32_t flags = 0) {
  return detail::shape_from(xlashape_shape_parse_cute, text.data(), detail::length(text),
                            static_cast<std::int32_t>(type), flags);
}
XLASHAPE_THROWS inline Shape from_cute(std::string_view text, ElementType type, std::uint32_t flags = 0) {
  return try_from_cute(text, type, flags).value();
}

// "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}"
inline Result<std::string> try_to_numpy(const Shape& shape) {
  return detail::text(xlashape_shape_print_numpy, shape.get(), 0u);
}
XLASHAPE_THROWS inline std::string to_numpy(const Shape& shape) { return try_to_numpy(shape).value(); }
inline Result<Shape> try_from_numpy(std::string_view text, std::uint32_t flags = 0) {
  return detail::shape_from(xlashape_shape_parse_numpy, text.data(), detail::length(text), flags);
}
XLASHAPE_THROWS inline Shape from_numpy(std::string_view text, std::uint32_t flags = 0) {
  return try_from_numpy(text, flags).value();
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
