// SPDX-License-Identifier: Apache-2.0
// Tiles a matrix as an accelerator would want it, looks where an element went, and brings the matrix back.
#include <cstdio>
#include <numeric>
#include <vector>
#include <xlashape.hpp>

int main() {
  try {
    const auto plain = xlashape::Shape::parse("f32[100,200]");
    const auto tiled = plain.with_layout(xlashape::Layout::parse("{1,0:T(8,128)}"));
    const auto sizes = tiled.sizes();
    std::printf("%s takes %lld bytes, %.2f times its data\n", tiled.to_string().c_str(),
                static_cast<long long>(sizes.bytes),
                static_cast<double>(sizes.bytes) / static_cast<double>(sizes.logical_bytes));

    std::vector<float> matrix(20000), back(20000), memory(static_cast<size_t>(sizes.storage_elements));
    std::iota(matrix.begin(), matrix.end(), 0.0f);
    const auto there = xlashape::Plan::create(plain, tiled);  // once; then as often as wanted, from any thread
    there.execute(matrix, memory);

    const auto map = xlashape::IndexMap::of(tiled);
    const int64_t position = map.linear_index({9, 130});
    std::printf("[9,130] lies at position %lld: %.0f\n", static_cast<long long>(position),
                static_cast<double>(memory[static_cast<size_t>(position)]));

    xlashape::Plan::create(tiled, plain).execute(memory, back);
    std::printf("the same after the way back: %s\n", back == matrix ? "yes" : "no");
  } catch (const xlashape::Exception& error) {
    std::fprintf(stderr, "%s: %s\n", error.error().name(), error.what());
    return 1;
  }
  // The same without exceptions: every function has a twin that returns a value or an error.
  if (const auto shape = xlashape::Shape::try_parse("f32[100,x]"); !shape)
    std::printf("at byte %lld: %s\n", static_cast<long long>(shape.error().offset()), shape.error().c_str());
  return 0;
}
