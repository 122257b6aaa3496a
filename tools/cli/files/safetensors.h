/* SPDX-License-Identifier: Apache-2.0 */
// .safetensors: a header in JSON, and the bytes of tensors by name, row-major and little-endian. What the format cannot
// say of an array, its header's metadata does: "xlashape.NAME" is the shape of the bytes that are the tensor NAME.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "file_parts.h"
#include "raw.h"

namespace xlashape::cli {

struct Tensor {
  std::string name, dtype;
  Integers dimensions;
  int64_t begin = 0, end = 0;  // of its bytes, from the end of the header on
};

struct Safetensors {
  std::vector<Tensor> tensors;  // in the order of their bytes
  std::map<std::string, std::string> metadata;
  int64_t data_offset = 0;
};

bool is_safetensors(const std::string& path);  // by its name
// Throws for a header which does not say of each byte of the file whose it is.
Safetensors read_safetensors(const FileParts& file);
// An empty name means the only tensor.
const Tensor& tensor_named(const Safetensors& header, const std::string& name, const std::string& path);
// What is said of a tensor, without its bytes; `path` begins messages.
Raw describe_tensor(const Safetensors& header, const Tensor& tensor, const std::string& path);
Buffer read_tensor(const FileParts& file, const Safetensors& header, const Tensor& tensor);

// What the bytes of the tensor should be aligned to.
int64_t width_of(const Tensor& tensor);
// What the tensor of that name is that has an array's bytes, without its place. Where the format cannot say what they
// are, `shape_text` becomes what its metadata must say.
Tensor tensor_of(const std::string& name, const Shape& shape, std::string* shape_text);
// The beginning of a file with these tensors, whose places are set: one after the other.
std::string make_safetensors_header(std::vector<Tensor>& tensors, const std::map<std::string, std::string>& metadata,
                                    const std::string& path);
// The width of the units of its bytes that have a byte order.
int64_t unit_of(const Shape& shape);

}  // namespace xlashape::cli
