/* SPDX-License-Identifier: Apache-2.0 */
// Where operations of MLIR's text come from: loc("jit(f)/mul"(#loc3)), whose aliases the text explains at its end.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "scan/program/pool.h"

namespace xlashape::cli {

class MlirLocations {
 public:
  // Takes `alias`, "#loc3", to be the location `text`, which is between the brackets of loc(...).
  void define(std::string_view alias, std::string_view text);
  // A number for the location, for the calls below; kNone for an empty one.
  uint32_t of(std::string_view text);
  // Once all aliases are defined: numbers in `texts`, or kNone.
  uint32_t op_name(uint32_t location, TextPool* texts) const;
  uint32_t source(uint32_t location, TextPool* texts) const;
  void clear();

 private:
  struct MlirLocation {
    uint32_t name = kNone, file = kNone;  // of texts_
    uint32_t next = kNone;                // the alias that continues, also of texts_
    int64_t line = 0;
    bool plain = false;  // nothing but an alias
  };
  MlirLocation read(std::string_view text);
  const MlirLocation* after(const MlirLocation& location) const;

  TextPool texts_;
  std::vector<uint32_t> alias_;  // by the number in texts_: of locations_
  TextPool known_;               // locations in operations
  std::vector<uint32_t> known_location_;
  std::vector<MlirLocation> locations_;
};

}  // namespace xlashape::cli
