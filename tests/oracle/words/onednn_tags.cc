// SPDX-License-Identifier: Apache-2.0
// oneDNN as the judge of words for a layout: writes tests/data/words/onednn_tags.txt, whose head says what it holds.
//
//     g++ -std=c++20 -O2 onednn_tags.cc -ldnnl -o onednn_tags
//     ./onednn_tags < /usr/include/oneapi/dnnl/dnnl_types.h > onednn_tags.txt
//
// It needs oneDNN 2, which Debian has as libdnnl-dev: version 3 hides the fields of a memory descriptor. The names come
// from the header, aliases too; those that are no alias are compared with the names that the library itself prints.
//
// The bytes are made in two ways: by oneDNN's own reorder, and by the offset of each element that follows from the
// memory descriptor. Where both exist they must be equal, the padding too, which oneDNN sets to zero; where they are
// not, it ends with an error. A summary goes to the standard error.

#include <dnnl.h>
#include <dnnl_debug.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

namespace {

constexpr int kMaxRank = 6;
constexpr size_t kMaxBytes = 256 * 1024;

using Dims = std::vector<int64_t>;

[[noreturn]] void fail(const std::string& what) {
  std::cerr << "onednn_tags: " << what << "\n";
  std::exit(1);
}

void check(dnnl_status_t status, const std::string& what) {
  if (status != dnnl_success) fail(what + ": " + dnnl_status2str(status));
}

uint32_t crc32(const std::vector<int32_t>& values) {
  uint32_t crc = ~0u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (size_t i = 0; i < values.size() * sizeof(int32_t); ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

struct Tag {
  std::string name;
  dnnl_format_tag_t value;
};

// The tags in the header's order: first the enumerators, then their aliases.
std::vector<Tag> tags_of(const std::string& header) {
  const size_t begin = header.find("dnnl_format_tag_any,"), end = header.find("} dnnl_format_tag_t;");
  if (begin == std::string::npos || end == std::string::npos) fail("no dnnl_format_tag_t in the standard input");
  const std::string text = std::regex_replace(header.substr(begin, end - begin), std::regex("//[^\n]*"), "");
  const std::regex enumerator(R"(dnnl_(\w+)\s*(?:=\s*dnnl_(\w+)\s*)?,)");
  std::vector<Tag> tags;
  std::map<std::string, dnnl_format_tag_t> values;
  int next = dnnl_format_tag_any;
  for (std::sregex_iterator match(text.begin(), text.end(), enumerator), none; match != none; ++match) {
    const std::string name = (*match)[1], original = (*match)[2];
    if (!original.empty() && !values.contains(original)) fail(name + " is an alias of nothing");
    const auto value = original.empty() ? static_cast<dnnl_format_tag_t>(next++) : values.at(original);
    values[name] = value;
    if (name == "format_tag_any" || name == "format_tag_last") continue;
    if (original.empty() && dnnl_fmt_tag2str(value) != name) {
      fail("the header says " + name + ", the library " + dnnl_fmt_tag2str(value));
    }
    tags.push_back({name, value});
  }
  if (values["format_tag_last"] != dnnl_format_tag_last) fail("this header is not the one it is compiled with");
  return tags;
}

// How many letters the tag has before its first block, each once in either case: the rank.
size_t rank_of(const std::string& name) {
  return std::find_if(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); }) - name.begin();
}

dnnl_memory_desc_t descriptor(const Tag& tag, const Dims& dims) {
  dnnl_memory_desc_t result;
  check(dnnl_memory_desc_init_by_tag(&result, static_cast<int>(dims.size()), dims.data(), dnnl_s32, tag.value),
        tag.name);
  return result;
}

// The size of the block of each dimension: 1 where it has none.
Dims blocks_of(const Tag& tag, size_t rank) {
  const auto desc = descriptor(tag, Dims(rank, 1));
  return {desc.padded_dims, desc.padded_dims + rank};
}

// Dimensions of which none that is blocked is a multiple of its block, or all are; the first that take no more than
// kMaxBytes. Those that are no multiples prefer two blocks and more in each blocked dimension, in which the order of
// the blocks shows; the multiples prefer larger dimensions without blocks, which `turn` makes differ from tag to tag.
Dims choose(const Tag& tag, size_t rank, bool multiples, size_t turn) {
  const Dims blocks = blocks_of(tag, rank);
  static constexpr int64_t kPlain[][4] = {{5, 3, 2, 4}, {3, 2, 3, 2}, {2, 2, 2, 2}, {2, 1, 3, 1}, {1, 2, 1, 1}};
  for (int two = 2; two >= 0; --two) {  // how many blocked dimensions may have two blocks, at most
    if (multiples && two == 2) continue;
    for (const auto& plain : kPlain) {
      Dims dims(rank);
      int blocked = 0;
      for (size_t d = rank; d-- > 0;) {
        const int64_t block = blocks[d];
        if (block == 1) {
          dims[d] = plain[(d + turn) % 4];
        } else if (blocked++ < two) {
          dims[d] = multiples ? 2 * block : block + 3;
        } else {
          dims[d] = multiples ? block : block - std::min<int64_t>(block - 1, 3);
        }
      }
      const auto desc = descriptor(tag, dims);
      if (dnnl_memory_desc_get_size(&desc) <= kMaxBytes) return dims;
    }
  }
  fail(tag.name + " needs more than " + std::to_string(kMaxBytes) + " bytes");
}

// Where the memory descriptor puts an element, in elements.
int64_t offset(const dnnl_memory_desc_t& desc, Dims index) {
  const auto& blocking = desc.format_desc.blocking;
  int64_t result = desc.offset0, stride = 1;
  for (int i = blocking.inner_nblks - 1; i >= 0; --i) {
    int64_t& position = index[blocking.inner_idxs[i]];
    result += position % blocking.inner_blks[i] * stride;
    position /= blocking.inner_blks[i];
    stride *= blocking.inner_blks[i];
  }
  for (int d = 0; d < desc.ndims; ++d) result += index[d] * blocking.strides[d];
  return result;
}

// The elements 1, 2, ... of a dense array, each where the descriptor has it, and zeros elsewhere.
std::vector<int32_t> by_offsets(const dnnl_memory_desc_t& desc, const Dims& dims) {
  std::vector<int32_t> result(dnnl_memory_desc_get_size(&desc) / sizeof(int32_t), 0);
  const int64_t elements = std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
  for (int64_t element = 0; element < elements; ++element) {
    Dims index(dims.size());
    int64_t rest = element;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d]) index[d] = rest % dims[d];
    int32_t& place = result.at(offset(desc, index));
    if (place != 0) fail("two elements in one place");
    place = static_cast<int32_t>(element + 1);
  }
  return result;
}

// The same by oneDNN's reorder, over memory full of other bytes; empty where it has no such reorder.
std::vector<int32_t> by_reorder(dnnl_engine_t engine, dnnl_stream_t stream, const dnnl_memory_desc_t& desc,
                                const Dims& dims) {
  static constexpr dnnl_format_tag_t kDense[] = {
      dnnl_format_tag_undef, dnnl_a, dnnl_ab, dnnl_abc, dnnl_abcd, dnnl_abcde, dnnl_abcdef};
  const auto dense = descriptor({"dense", kDense[dims.size()]}, dims);
  std::vector<int32_t> from(dnnl_memory_desc_get_size(&dense) / sizeof(int32_t));
  std::iota(from.begin(), from.end(), 1);
  std::vector<int32_t> to(dnnl_memory_desc_get_size(&desc) / sizeof(int32_t), -1);

  dnnl_primitive_desc_t primitive_desc;
  const auto status = dnnl_reorder_primitive_desc_create(&primitive_desc, &dense, engine, &desc, engine, nullptr);
  if (status == dnnl_unimplemented) return {};
  check(status, "reorder");
  dnnl_primitive_t primitive;
  check(dnnl_primitive_create(&primitive, primitive_desc), "reorder");
  dnnl_memory_t source, destination;
  check(dnnl_memory_create(&source, &dense, engine, from.data()), "source");
  check(dnnl_memory_create(&destination, &desc, engine, to.data()), "destination");
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, destination}};
  check(dnnl_primitive_execute(primitive, stream, 2, arguments), "reorder");
  check(dnnl_stream_wait(stream), "reorder");
  dnnl_memory_destroy(source);
  dnnl_memory_destroy(destination);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(primitive_desc);
  return to;
}

}  // namespace

int main() {
  const std::string header((std::istreambuf_iterator<char>(std::cin)), {});
  const auto tags = tags_of(header);
  const auto* version = dnnl_version();
  std::printf(
      "# oneDNN's tags and what they do with an array: tag, dimensions, bytes of the memory, CRC-32 of these bytes.\n"
      "# The array has the elements 1, 2, ... of s32, little-endian, in the order of the dimensions. In the memory a\n"
      "# blocked dimension is padded to a multiple of its block, and the padding is zero. The first line of a tag has\n"
      "# dimensions that are no multiples of the blocks, the second one has multiples; a tag without blocks has two\n"
      "# lines of other sizes. All of dnnl_format_tag_t up to rank %d, without \"dnnl_\"; aliases last.\n"
      "# Four aliases stand for other tags than their letters say, in oneDNN itself: OhwI32o (Acdb32a), gOhwI32o\n"
      "# (aBdec32b), gIOhw2i8o16i2o (aBCde2c8b16c2b) and gIOdhw2i8o16i2o (aBCdef2c8b16c2b).\n"
      "# Made by oneDNN %d.%d.%d with tests/oracle/words/onednn_tags.cc:\n"
      "#     ./onednn_tags < /usr/include/oneapi/dnnl/dnnl_types.h > onednn_tags.txt\n",
      kMaxRank, version->major, version->minor, version->patch);

  dnnl_engine_t engine;
  check(dnnl_engine_create(&engine, dnnl_cpu, 0), "engine");
  dnnl_stream_t stream;
  check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), "stream");
  int lines = 0, reordered = 0;
  for (size_t i = 0; i < tags.size(); ++i) {
    const size_t rank = rank_of(tags[i].name);
    if (rank > kMaxRank) {
      std::fprintf(stderr, "left out for its rank: %s\n", tags[i].name.c_str());
      continue;
    }
    for (bool multiples : {false, true}) {
      const Dims dims = choose(tags[i], rank, multiples, i + multiples);
      const auto desc = descriptor(tags[i], dims);
      const auto values = by_offsets(desc, dims);
      const auto moved = by_reorder(engine, stream, desc, dims);
      if (moved.empty()) {
        std::fprintf(stderr, "no reorder: %s\n", tags[i].name.c_str());
      } else if (moved != values) {
        fail(tags[i].name + ": the reorder and the descriptor differ");
      } else {
        ++reordered;
      }
      ++lines;
      std::string text;
      for (int64_t dim : dims) text += (text.empty() ? "" : ",") + std::to_string(dim);
      std::printf("%s %s %zu %08x\n", tags[i].name.c_str(), text.c_str(), values.size() * sizeof(int32_t),
                  crc32(values));
    }
  }
  std::fprintf(stderr, "%d lines, of which the reorder agrees in %d\n", lines, reordered);
}
