// SPDX-License-Identifier: Apache-2.0
// The operators: their schemas, their kernels for the CPU, and their registration when the object is loaded. What
// PyTorch must know to trace, differentiate and vectorize them is Python's (xlashape_torch/).
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "element_types.h"
#include "execution.h"
#include "form.h"
#include "form_cache.h"
#include "torch_shim.h"

namespace xlashape_torch {
namespace {

// Never destroyed: operators may be called while the process ends.
FormCache& forms() {
  static auto* the_forms = new FormCache;
  return *the_forms;
}

// What PyTorch knows of a tensor. The dimensions and strides belong to the tensor.
struct View {
  explicit View(AtenTensorHandle tensor) : handle(tensor) {
    int64_t* sizes = nullptr;
    int64_t* steps = nullptr;
    int64_t rank = 0;
    int32_t layout = 0;
    check(aoti_torch_get_layout(tensor, &layout), "read a layout");
    if (layout != aoti_torch_layout_strided())
      throw std::runtime_error("xlashape::relayout: the tensor is not strided");
    check(aoti_torch_get_dtype(tensor, &dtype), "read a dtype");
    check(aoti_torch_get_dim(tensor, &rank), "read a rank");
    check(aoti_torch_get_sizes(tensor, &sizes), "read sizes");
    check(aoti_torch_get_strides(tensor, &steps), "read strides");
    dimensions = {sizes, static_cast<size_t>(rank)};
    strides = {steps, static_cast<size_t>(rank)};
  }
  const char* data() const {
    void* pointer = nullptr;
    check(aoti_torch_get_data_ptr(handle, &pointer), "give the address of a tensor");
    return static_cast<const char*>(pointer);
  }
  AtenTensorHandle handle;
  int32_t dtype = 0;
  std::span<const int64_t> dimensions;
  std::span<const int64_t> strides;
};

// The strides that decide where elements are: what the key of a form is made of.
class Normalized {
 public:
  Normalized(std::span<const int64_t> dimensions, std::span<const int64_t> strides) {
    if (strides.size() > few_.size()) many_.resize(strides.size());
    values_ = {many_.empty() ? few_.data() : many_.data(), strides.size()};
    const bool empty = std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end();
    for (size_t i = 0; i < strides.size(); ++i) values_[i] = empty || dimensions[i] == 1 ? 0 : strides[i];
  }
  std::span<const int64_t> values() const { return values_; }

 private:
  std::array<int64_t, 8> few_;
  std::vector<int64_t> many_;
  std::span<int64_t> values_;
};

OwnedTensor new_tensor(std::span<const int64_t> dimensions, std::span<const int64_t> strides, int32_t dtype) {
  AtenTensorHandle result = nullptr;
  check(aoti_torch_empty_strided(static_cast<int64_t>(dimensions.size()), dimensions.data(), strides.data(), dtype,
                                 aoti_torch_device_type_cpu(), 0, &result),
        "allocate the result");
  return OwnedTensor(result);
}

OwnedTensor contiguous(const View& x) {
  OwnedTensor copy = new_tensor(x.dimensions, contiguous_strides(x.dimensions), x.dtype);
  check(aoti_torch_copy_(copy.get(), x.handle, 0), "copy a tensor");
  return copy;
}

OwnedTensor relayout(AtenTensorHandle tensor, std::string_view to, std::optional<std::string_view> of) {
  const View x(tensor);
  const Normalized strides(x.dimensions, x.strides);
  const std::shared_ptr<const Form> form = forms().find({x.dtype, x.dimensions, strides.values(), to, of});
  OwnedTensor result = new_tensor(form->result_dimensions, form->result_strides, form->result_dtype);
  if (!form->plan) return result;
  void* out = nullptr;
  check(aoti_torch_get_data_ptr(result.get(), &out), "give the address of the result");
  if (form->source_is_memory && !is_contiguous(x.dimensions, strides.values())) {
    const OwnedTensor copy = contiguous(x);
    execute(*form, View(copy.get()).data(), out);
  } else {
    execute(*form, x.data(), out);
  }
  return result;
}

// The same for each entry of the first dimension.
OwnedTensor relayout_batched(AtenTensorHandle tensor, std::string_view to, std::optional<std::string_view> of) {
  const View x(tensor);
  if (x.dimensions.empty()) throw std::runtime_error("xlashape::relayout_batched: the tensor has no first dimension");
  const std::span<const int64_t> dimensions = x.dimensions.subspan(1);
  const Normalized strides(dimensions, x.strides.subspan(1));
  const std::shared_ptr<const Form> form = forms().find({x.dtype, dimensions, strides.values(), to, of});
  const int64_t count = x.dimensions[0];
  if (count > 0 && form->result_bytes > std::numeric_limits<int64_t>::max() / count) {
    throw std::runtime_error("xlashape::relayout_batched of a tensor " + describe(x.dtype, x.dimensions) +
                             ": the result is too large");
  }
  std::vector<int64_t> sizes = {count};
  sizes.insert(sizes.end(), form->result_dimensions.begin(), form->result_dimensions.end());
  OwnedTensor result = new_tensor(sizes, contiguous_strides(sizes), form->result_dtype);
  if (!form->plan || count == 0) return result;
  void* out = nullptr;
  check(aoti_torch_get_data_ptr(result.get(), &out), "give the address of the result");
  const int64_t bytes = dtype_of_code(x.dtype)->bytes;
  if (form->source_is_memory && !is_contiguous(dimensions, strides.values())) {
    const OwnedTensor copy = contiguous(x);
    const View seen(copy.get());
    execute_batch(*form, count, seen.data(), seen.strides[0] * bytes, out);
  } else {
    execute_batch(*form, count, x.data(), count == 1 ? 0 : x.strides[0] * bytes, out);
  }
  return result;
}

using Kernel = OwnedTensor (*)(AtenTensorHandle, std::string_view, std::optional<std::string_view>);

// (Tensor x, str to, str? of) -> Tensor.
template <Kernel kernel>
void with_texts(StableIValue* stack, uint64_t /*inputs*/, uint64_t /*outputs*/) {
  const OwnedTensor x(value_of<AtenTensorHandle>(stack[0]));
  const OwnedText to(value_of<StringHandle>(stack[1]));
  const OwnedOptional given(value_of<StableIValue*>(stack[2]));
  const OwnedText of(given != nullptr ? value_of<StringHandle>(*given) : nullptr);
  OwnedTensor result =
      kernel(x.get(), to.view(), given != nullptr ? std::optional<std::string_view>(of.view()) : std::nullopt);
  stack[0] = ivalue_of(result.release());
}

// Texts as bytes: `to`, a 0, and where `of` is given '=' and it.
struct Texts {
  std::string_view to;
  std::optional<std::string_view> of;
};

Texts texts_of(AtenTensorHandle bytes) {
  const View view(bytes);
  if (view.dtype != aoti_torch_dtype_uint8() || view.dimensions.size() != 1 ||
      !is_contiguous(view.dimensions, view.strides)) {
    throw std::runtime_error("xlashape::_relayout_bytes: the texts are not contiguous bytes");
  }
  const std::string_view texts(view.data(), static_cast<size_t>(view.dimensions[0]));
  const size_t end = texts.find('\0');
  if (end == std::string_view::npos) throw std::runtime_error("xlashape::_relayout_bytes: the texts have no 0");
  if (end + 1 < texts.size()) return {texts.substr(0, end), texts.substr(end + 2)};
  return {texts.substr(0, end), std::nullopt};
}

// (Tensor x, Tensor texts, bool batched) -> Tensor, for PyTorch 2.9, whose stable ABI passes no texts to kernels.
// Python's rules call it.
void with_bytes(StableIValue* stack, uint64_t /*inputs*/, uint64_t /*outputs*/) {
  const OwnedTensor x(value_of<AtenTensorHandle>(stack[0]));
  const OwnedTensor bytes(value_of<AtenTensorHandle>(stack[1]));
  const Texts texts = texts_of(bytes.get());
  const Kernel kernel = value_of<bool>(stack[2]) ? relayout_batched : relayout;
  OwnedTensor result = kernel(x.get(), texts.to, texts.of);
  stack[0] = ivalue_of(result.release());
}

// (Tensor(a!) x, Tensor texts) -> (), in all versions: arrays for which it is worth it are large.
void in_place(StableIValue* stack, uint64_t /*inputs*/, uint64_t /*outputs*/) {
  const OwnedTensor tensor(value_of<AtenTensorHandle>(stack[0]));
  const OwnedTensor bytes(value_of<AtenTensorHandle>(stack[1]));
  const Texts texts = texts_of(bytes.get());
  const View x(tensor.get());
  const Normalized strides(x.dimensions, x.strides);
  const auto form = forms().find({x.dtype, x.dimensions, strides.values(), texts.to, texts.of, true});
  void* memory = nullptr;
  check(aoti_torch_get_data_ptr(tensor.get(), &memory), "give the address of a tensor");
  execute(*form, memory, memory);
}

// What PyTorch names as the place of a registration.
constexpr const char* kSource = "xlashape_torch";

AOTITorchError implement(TorchLibraryHandle library, const char* name, BoxedKernel kernel) {
  if (torch_library_impl != nullptr) return torch_library_impl(library, name, kernel, kVersion_2_10);
  return aoti_torch_library_impl(library, name, kernel);
}

// The registrations last as long as the process. A failure leaves an operator without a kernel, which Python notices.
AOTITorchError register_all() {
  TorchLibraryHandle library = nullptr;
  AOTITorchError error = aoti_torch_library_init_def("xlashape", kSource, __LINE__, &library);
  if (error != 0) return error;
  for (const char* schema :
       {"relayout(Tensor x, str to, str? of=None) -> Tensor",
        "relayout_batched(Tensor x, str to, str? of=None) -> Tensor",
        "_relayout_bytes(Tensor x, Tensor texts, bool batched) -> Tensor",
        "relayout_(Tensor(a!) x, str to, str? of=None) -> ()", "_relayout_bytes_(Tensor(a!) x, Tensor texts) -> ()"}) {
    if ((error = aoti_torch_library_def(library, schema)) != 0) return error;
  }
  if ((error = aoti_torch_library_init_impl("xlashape", "CPU", kSource, __LINE__, &library)) != 0) return error;
  if ((error = implement(library, "_relayout_bytes_", in_place)) != 0) return error;
  if ((error = implement(library, "_relayout_bytes", with_bytes)) != 0 || !has_texts()) return error;
  if ((error = implement(library, "relayout", with_texts<relayout>)) != 0) return error;
  return implement(library, "relayout_batched", with_texts<relayout_batched>);
}

[[maybe_unused]] const AOTITorchError registered = register_all();

}  // namespace
}  // namespace xlashape_torch

// For tests: how many forms are kept, and at most.
extern "C" __attribute__((visibility("default"))) int64_t xlashape_torch_forms_kept() {
  return static_cast<int64_t>(xlashape_torch::forms().size());
}
extern "C" __attribute__((visibility("default"))) int64_t xlashape_torch_forms_room() {
  return static_cast<int64_t>(xlashape_torch::FormCache::kRoom);
}
