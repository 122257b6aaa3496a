// Texts in one block of memory: each takes its bytes, and a number.
#pragma once
#include <cstdint>
#include <string_view>

#include "block.h"

namespace xlashape::cli {

inline constexpr uint32_t kNone = UINT32_MAX;

// Equal texts have equal numbers. The texts stay where the next `of` may move them.
class Pool {
 public:
  Pool();
  uint32_t of(std::string_view text);
  uint32_t find(std::string_view text) const;  // kNone where it is not there
  std::string_view text(uint32_t number) const;
  uint32_t size() const { return static_cast<uint32_t>(ends_.size() - 1); }
  void clear();

 private:
  uint32_t slot_of(std::string_view text, uint32_t hash) const;
  void grow();

  Block<char> bytes_;
  Block<uint64_t> ends_;    // where each text ends; the first entry is 0
  Block<uint32_t> hashes_;  // of each text
  Block<uint32_t> slots_;   // an open hash table of numbers
};

}  // namespace xlashape::cli
