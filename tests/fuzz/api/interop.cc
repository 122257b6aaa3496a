// The structs of others: strides, PJRT, DLPack, written and read again.
#include "interop/dlpack.h"
#include "interop/pjrt.h"
#include "world.h"

namespace api_fuzz {
namespace {

void byte_strides(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const xlashape_element_type type = xlashape_shape_element_type(shape);
  const std::vector<int64_t> dimensions = dimensions_of(shape);
  auto strides = ANSWER(int64_t, xlashape_shape_strides, shape, XLASHAPE_UNIT_BYTES);
  if (!strides) return;
  const bool whole = strides->empty() || !input.one_in(4);
  if (!whole) (*strides)[static_cast<size_t>(input.below(static_cast<int64_t>(strides->size())))] = input.wild();
  auto sizes = Numbers::of(dimensions, input), steps = Numbers::of(*strides, input);
  const auto rank = static_cast<int64_t>(sizes.size());
  xlashape_layout* layout =
      MAKE(layouts, xlashape_layout_from_byte_strides, type, sizes.data(), steps.data(), rank, input.flags(1));
  if (layout == nullptr || !whole) return;
  xlashape_shape* made = MAKE(shapes, xlashape_shape_create_array, type, sizes.data(), nullptr, rank, layout, 0);
  if (made == nullptr) return;
  const auto again = ANSWER(int64_t, xlashape_shape_strides, made, XLASHAPE_UNIT_BYTES);
  int64_t elements = 0;
  if (!again || xlashape_shape_element_count(made, &elements, nullptr) != XLASHAPE_STATUS_OK || elements == 0) return;
  for (size_t i = 0; i < again->size(); ++i)
    check(dimensions[i] == 1 || (*again)[i] == (*strides)[i], "a layout from strides has other strides");
}

void pjrt(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const uint32_t flags = input.flags(3);
  int64_t needed = -7;
  if (CALL(xlashape_shape_to_pjrt, shape, flags, nullptr, 0, &needed) != XLASHAPE_STATUS_OK) return;
  const int64_t capacity = needed + input.within(-1, 3);
  Exact<uint8_t> block(static_cast<size_t>(capacity), input);
  const xlashape_status status = CALL(xlashape_shape_to_pjrt, shape, flags, block.data(), capacity, &needed);
  if (status != XLASHAPE_STATUS_OK) return check(block.is_untouched(), "a PJRT struct is written on failure");
  check(capacity >= needed, "a PJRT struct in too little room");
  auto* head = reinterpret_cast<xlashape::core::PjrtMemoryLayout*>(block.data());
  const bool whole = !input.one_in(4);
  if (!whole) {
    // Sizes that are too small, and kinds that are none; the lists stay as long as they are told to be.
    if (input.one_in(2)) head->struct_size = static_cast<size_t>(input.below(90));
    if (input.one_in(3)) head->tiled.struct_size = static_cast<size_t>(input.below(60));
    if (input.one_in(3)) head->type = static_cast<int32_t>(input.wild());
    if (head->type == xlashape::core::kPjrtTiled && input.one_in(3)) head->tiled.num_tiles -= head->tiled.num_tiles > 0;
  }
  const bool damaged_kind =
      !whole && head->type != xlashape::core::kPjrtTiled && head->type != xlashape::core::kPjrtStrides;
  if (!whole && !damaged_kind && (head->type == xlashape::core::kPjrtStrides) != ((flags & XLASHAPE_PJRT_STRIDES) != 0))
    return;  // would be read as what it is not
  auto sizes = Numbers::of(dimensions_of(shape), input);
  xlashape_layout* layout = MAKE(layouts, xlashape_layout_from_pjrt, head, xlashape_shape_element_type(shape),
                                 sizes.data(), static_cast<int64_t>(sizes.size()), input.flags(1));
  if (layout == nullptr || !whole || flags != 0) return;
  xlashape_layout* own = MAKE(layouts, xlashape_shape_layout, shape);
  if (own != nullptr)
    check(GET(xlashape_layout_equal, own, layout, 0) == 1, "a layout comes back from PJRT as another");
}

void dlpack(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const uint32_t flags = input.flags(XLASHAPE_DLPACK_SUB_BYTE_PADDED);
  int64_t needed = -7;
  const auto device = static_cast<int32_t>(input.mostly(1)), id = static_cast<int32_t>(input.mostly(0));
  const int64_t offset = input.mostly(input.below(64));
  char data = 0;
  if (CALL(xlashape_shape_to_dlpack, shape, flags, &data, device, id, offset, nullptr, 0, &needed) !=
      XLASHAPE_STATUS_OK)
    return;
  const int64_t capacity = needed + input.within(-1, 3);
  Exact<uint8_t> block(static_cast<size_t>(capacity), input);
  const xlashape_status status =
      CALL(xlashape_shape_to_dlpack, shape, flags, &data, device, id, offset, block.data(), capacity, &needed);
  if (status != XLASHAPE_STATUS_OK) return check(block.is_untouched(), "a DLTensor is written on failure");
  check(capacity >= needed, "a DLTensor in too little room");
  auto* tensor = reinterpret_cast<xlashape::core::DlTensor*>(block.data());
  const bool whole = !input.one_in(4);
  if (!whole) {
    if (input.one_in(2)) tensor->code = input.byte();
    if (input.one_in(2)) tensor->bits = input.byte();
    if (input.one_in(3)) tensor->lanes = input.byte();
    if (input.one_in(3)) tensor->ndim = tensor->ndim > 0 ? tensor->ndim - 1 : -1;
    if (input.one_in(3)) tensor->strides = nullptr;
    if (tensor->ndim > 0 && input.one_in(2)) tensor->shape[input.below(tensor->ndim)] = input.wild();
    if (tensor->ndim > 0 && tensor->strides != nullptr && input.one_in(2))
      tensor->strides[input.below(tensor->ndim)] = input.wild();
  }
  xlashape_shape* read = MAKE(shapes, xlashape_shape_from_dlpack, tensor, whole ? flags : input.flags(0x101));
  if (read == nullptr || !whole) return;
  check(dimensions_of(read) == dimensions_of(shape), "dimensions come back from DLPack as others");
  check(xlashape_shape_element_type(read) == xlashape_shape_element_type(shape),
        "an element type comes back from DLPack as another");
}

constexpr Operation kOperations[] = {{byte_strides, 2}, {pjrt, 2}, {dlpack, 2}};

}  // namespace

Operations interop_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
