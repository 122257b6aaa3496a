// SPDX-License-Identifier: Apache-2.0
// Real programs: every shape in the modules of tests/data/hlo, which XLA printed (tests/oracle/hlo.py), is read and
// printed back byte for byte, by way of its wire form too.
#include <fstream>
#include <set>
#include <sstream>

#include "api.h"

namespace api {
namespace {

bool part_of_type(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// The end of the shape that may start at `at`, a type's first letter: behind `]` and the layout; or npos.
size_t array_end(const std::string& text, size_t at) {
  size_t end = at;
  while (end < text.size() && part_of_type(text[end])) ++end;
  if (end == at || end == text.size() || text[end] != '[') return std::string::npos;
  const std::string name = text.substr(at, end - at);
  xlashape_element_type type;
  if (xlashape_element_type_from_name(name.data(), name.size(), &type, nullptr) != XLASHAPE_STATUS_OK)
    return std::string::npos;
  end = text.find(']', end);
  if (end == std::string::npos) return end;
  ++end;
  // `{` opens a layout before a digit or ':'; in a program other things may stand there.
  if (end + 1 < text.size() && text[end] == '{' &&
      (text[end + 1] == ':' || (text[end + 1] >= '0' && text[end + 1] <= '9')))
    end = text.find('}', end) + 1;
  return end;
}

// Arrays and, behind "= ", tuples.
std::set<std::string> shapes_of(const std::string& text) {
  std::set<std::string> found;
  for (size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && (part_of_type(text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '.' || text[at - 1] == '-'))
      continue;
    const size_t end = array_end(text, at);
    if (end != std::string::npos) found.insert(text.substr(at, end - at));
  }
  for (size_t at = text.find("= ("); at != std::string::npos; at = text.find("= (", at + 1)) {
    int depth = 0;
    size_t end = at + 2;
    do {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    } while (++end < text.size() && depth > 0);
    found.insert(text.substr(at + 2, end - at - 2));
  }
  return found;
}

std::string wire_and_back(const xlashape_shape* shape) {
  std::vector<uint8_t> bytes(4096);
  int64_t needed = 0;
  ok(xlashape_shape_to_proto, shape, 0, bytes.data(), 4096, &needed);
  const Shape back = make<Shape>(xlashape_shape_from_proto, bytes.data(), needed, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  return text_of(back.get());
}

class Hlo : public testing::TestWithParam<const char*> {};

TEST_P(Hlo, EveryShapeComesBack) {
  const char* source = std::getenv("XLASHAPE_SOURCE_ROOT");
  ASSERT_NE(source, nullptr);
  std::ifstream file(std::string(source) + "/tests/data/hlo/" + GetParam() + ".txt");
  std::stringstream text;
  text << file.rdbuf();
  const std::set<std::string> found = shapes_of(text.str());
  EXPECT_GE(found.size(), 6u) << "the file is missing, or has no shapes";
  for (const std::string& one : found) {
    const Shape read = shape(one, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
    ASSERT_TRUE(read) << one;
    EXPECT_EQ(text_of(read.get()), one);
    EXPECT_EQ(wire_and_back(read.get()), one);
  }
}

INSTANTIATE_TEST_SUITE_P(Modules, Hlo, testing::Values("conv_net", "attention_gradient", "sharded_matmul"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace api
