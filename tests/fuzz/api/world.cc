// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include "dispatch.h"

namespace api_fuzz {

Pool pools[kHandles];

namespace {

// xlashape_shape_release for xlashape_shape, and so on.
int release_of(int handle) {
  static const auto& all = *new std::vector<int>([] {
    std::vector<int> list(kHandles, -1);
    for (size_t i = 0; i < signatures().size(); ++i)
      if (const auto& parameters = signatures()[i].parameters; parameters.size() == 1 && parameters[0].owned)
        list[parameters[0].handle] = static_cast<int>(i);
    return list;
  }());
  return all[static_cast<size_t>(handle)];
}

}  // namespace

void bury() {
  for (int kind = 0; kind < kHandles; ++kind)
    pools[kind].bury([&](void* item) {
      const auto word = reinterpret_cast<uint64_t>(item);
      signatures()[static_cast<size_t>(counted(release_of(kind)))].call(&word);
    });
}

void clear() {
  for (Pool& pool : pools) pool.kill_all();
  bury();
}

Exact<unsigned char> resized(const void* value, size_t known, Input& input) {
  size_t size = known;
  if (input.one_in(12))
    size = static_cast<size_t>(input.below(static_cast<int64_t>(input.one_in(2) ? 4097 : known + 16)));
  Exact<unsigned char> block(std::max<size_t>(size, 4), input);
  std::memset(block.data(), 0, block.size());
  std::memcpy(block.data(), value, std::min(block.size(), known));
  const auto told = static_cast<uint32_t>(size);
  std::memcpy(block.data(), &told, sizeof told);
  if (size > known && input.one_in(2))
    block[known + static_cast<size_t>(input.below(static_cast<int64_t>(size - known)))] = 1;
  return block;
}

}  // namespace api_fuzz
