/* SPDX-License-Identifier: Apache-2.0 */
// One line of MLIR's text, taken apart: which values it names, which it defines, its types and its location. Brackets
// and quotes are followed, since attributes contain anything.
#pragma once
#include <string_view>
#include <vector>

namespace xlashape::cli {

// What is between the quotes at `at`; the position behind them in *end, npos where they do not end.
std::string_view quoted(std::string_view text, size_t at, size_t* end);
// The length of the name at the beginning: letters, digits and _ $ . -
size_t name_length(std::string_view text);
// The length of the type at the beginning, tensor<4xf32> or !stablehlo.token, 0 where there is none.
size_t type_length(std::string_view text);
// The name of a symbol, @main or @"jit(f)", whose @ is at the beginning.
std::string_view symbol(std::string_view text);

struct MlirLine {
  struct Definition {
    std::string_view name, type, location;
  };
  std::vector<std::string_view> operands;                // %name before the types, without % and #3
  std::vector<Definition> definitions;                   // "%arg0: tensor<4xf32>"
  std::vector<std::string_view> iterations;              // %name in "%name = %value", as a while has them
  std::vector<std::string_view> parameter_types, types;  // before and behind ->; without one all are `types`
  std::string_view symbol;                               // the first @name
  std::string_view location;                             // between the brackets of loc(...)
  bool typed = false;                                    // has types at all, perhaps none: () -> ()
  bool opens = false;                                    // ends with the { of a region
  bool whole = false;                                    // all quotes end

  // `text`: the line behind what it defines.
  void read(std::string_view text);

 private:
  size_t read_value(std::string_view text, size_t at);
  void read_types(std::string_view text);
};

}  // namespace xlashape::cli
