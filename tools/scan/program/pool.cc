// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <functional>

namespace xlashape::cli {
namespace {

uint32_t hash_of(std::string_view text) {
  const size_t hash = std::hash<std::string_view>()(text);
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

constexpr size_t kFirstSlots = 64, kMostKept = 1 << 16;

}  // namespace

TextPool::TextPool() {
  ends_.push_back(0);
  slots_.resize(kFirstSlots, kNone);
}

std::string_view TextPool::text(uint32_t number) const {
  return {bytes_.data() + ends_[number], ends_[number + 1] - ends_[number]};
}

// The slot that holds the text, or the free one where it belongs.
uint32_t TextPool::slot_of(std::string_view wanted, uint32_t hash) const {
  const auto mask = static_cast<uint32_t>(slots_.size() - 1);
  for (uint32_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const uint32_t number = slots_[slot];
    if (number == kNone || (hashes_[number] == hash && text(number) == wanted)) return slot;
  }
}

uint32_t TextPool::find(std::string_view wanted) const { return slots_[slot_of(wanted, hash_of(wanted))]; }

uint32_t TextPool::of(std::string_view wanted) {
  const uint32_t hash = hash_of(wanted);
  uint32_t slot = slot_of(wanted, hash);
  if (slots_[slot] != kNone) return slots_[slot];
  if ((size_t{size()} + 1) * 4 > slots_.size() * 3) {
    grow();
    slot = slot_of(wanted, hash);
  }
  const uint32_t number = size();
  bytes_.append(wanted.data(), wanted.size());
  ends_.push_back(bytes_.size());
  hashes_.push_back(hash);
  slots_[slot] = number;
  return number;
}

void TextPool::grow() {
  const size_t slots = slots_.size() * 2;
  slots_.clear();
  slots_.resize(slots, kNone);
  const auto mask = static_cast<uint32_t>(slots_.size() - 1);
  for (uint32_t number = 0; number < size(); ++number) {
    uint32_t slot = hashes_[number] & mask;
    while (slots_[slot] != kNone) slot = (slot + 1) & mask;
    slots_[slot] = number;
  }
}

void TextPool::clear() {
  bytes_.clear();
  ends_.resize(1);
  hashes_.clear();
  // A table that one large computation made large would make each later one slow to clear.
  if (slots_.size() > kMostKept)
    slots_ = Block<uint32_t>();
  else
    slots_.clear();
  slots_.resize(kFirstSlots, kNone);
}

}  // namespace xlashape::cli
