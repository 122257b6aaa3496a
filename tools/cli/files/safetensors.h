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

}  // namespace xlashape::cli
