// SPDX-License-Identifier: Apache-2.0
// XLA's answers, one line in, one line out, in a process of its own: XLA aborts on some questions.
//
//     names           the names of all element types: "number=name" for each
//     text HEX        of a shape's text: "error", or its text, its proto, and the numbers of an array
//     proto HEX       the same of a serialised ShapeProto
//
// A line of answers is words between blanks, texts and protos in hex. Numbers of an array without unbounded dimensions
// follow them: ArraySize, then the linear index of the first, the middle and the last element. Each line starts with
// its text and proto, which are written before the numbers are asked for: an abort leaves a line that does not end.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "xla/hlo/parser/hlo_parser.h"
#include "xla/layout_util.h"
#include "xla/primitive_util.h"
#include "xla/shape.h"
#include "xla/shape_util.h"

namespace {

std::string hex(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[c & 15];
  }
  return out.empty() ? "-" : out;
}

std::string bytes_of(const std::string& digits) {
  std::string out;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return out;
}

void tell_numbers(const xla::Shape& shape) {
  if (!shape.IsArray() || shape.is_unbounded_dynamic() || !shape.has_layout()) return;
  std::cout << ' ' << xla::ShapeUtil::ArraySize(shape) << std::flush;
  std::vector<int64_t> first, middle, last;
  for (const int64_t size : shape.dimensions()) {
    if (size == 0) return;
    first.push_back(0);
    middle.push_back(size / 2);
    last.push_back(size - 1);
  }
  for (const auto& index : {first, middle, last})
    std::cout << ' ' << xla::LayoutUtil::LinearIndexForNestedTiling(shape, index) << std::flush;
}

template <class Status>
void tell(const Status& parsed) {
  if (!parsed.ok() || !xla::ShapeUtil::ValidateShapeWithOptionalLayout(*parsed).ok()) {
    std::cout << "error";
    return;
  }
  std::cout << hex(xla::ShapeUtil::HumanStringWithLayout(*parsed)) << ' ' << hex(parsed->ToProto().SerializeAsString())
            << std::flush;
  tell_numbers(*parsed);
}

void tell_names() {
  const char* blank = "";
  for (int number = 0; number < xla::PrimitiveType_ARRAYSIZE; ++number) {
    if (!xla::PrimitiveType_IsValid(number)) continue;
    std::cout << blank << number << '='
              << xla::primitive_util::LowercasePrimitiveTypeName(static_cast<xla::PrimitiveType>(number));
    blank = " ";
  }
}

}  // namespace

int main() {
  std::string word, argument;
  while (std::cin >> word) {
    if (word == "names") {
      tell_names();
    } else if (std::cin >> argument) {
      const std::string bytes = argument == "-" ? "" : bytes_of(argument);
      if (word == "text") {
        tell(xla::ParseShape(bytes));
      } else {
        xla::ShapeProto proto;
        if (proto.ParseFromString(bytes))
          tell(xla::Shape::FromProto(proto));
        else
          std::cout << "error";
      }
    }
    std::cout << std::endl;
  }
}
