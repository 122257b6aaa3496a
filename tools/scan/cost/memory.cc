// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <algorithm>
#include <map>
#include <set>

#include "cli/base/number.h"

namespace xlashape::cli {
namespace {

// How many bytes the union of intervals has, while intervals come and go: a segment tree over the places where one of
// them begins or ends.
class Coverage {
 public:
  explicit Coverage(std::vector<int64_t> places) : places_(std::move(places)) {
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    while (leaves_ + 1 < places_.size()) leaves_ *= 2;
    count_.assign(2 * leaves_, 0);
    covered_.assign(2 * leaves_, 0);
  }

  void add(int64_t begin, int64_t end, int change) {
    if (begin < end) add(1, 0, leaves_, index(begin), index(end), change);
  }
  int64_t bytes() const { return covered_[1]; }

 private:
  size_t index(int64_t place) const {
    return static_cast<size_t>(std::lower_bound(places_.begin(), places_.end(), place) - places_.begin());
  }
  int64_t width(size_t from, size_t to) const {
    const size_t last = places_.size() - 1;
    return places_[std::min(to, last)] - places_[std::min(from, last)];
  }
  // The depth of this recursion is the logarithm of the number of values.
  void add(size_t node, size_t from, size_t to, size_t begin, size_t end, int change) {
    if (end <= from || to <= begin) return;
    if (begin <= from && to <= end) {
      count_[node] += change;
    } else {
      const size_t middle = (from + to) / 2;
      add(2 * node, from, middle, begin, end, change);
      add(2 * node + 1, middle, to, begin, end, change);
    }
    if (count_[node] > 0)
      covered_[node] = width(from, to);
    else
      covered_[node] = to - from == 1 ? 0 : covered_[2 * node] + covered_[2 * node + 1];
  }

  std::vector<int64_t> places_;
  size_t leaves_ = 1;
  std::vector<int32_t> count_;
  std::vector<int64_t> covered_;
};

struct Change {
  int64_t step;
  uint32_t value;
  int change;
};

bool lasts(const Allocation& allocation) { return allocation.use != Allocation::Use::kTemporary; }

// One memory space: its allocations lie behind each other.
class Space {
 public:
  Space(const Assignment& assignment, int64_t space) : assignment_(assignment) { use_.space = space; }

  void add(uint32_t number) {
    const Allocation& allocation = assignment_.allocations[number];
    allocations_.push_back(number);
    begin_of_[number] = use_.allocated;
    use_.allocated = sum(use_.allocated, allocation.size);
    int64_t& part = lasts(allocation) ? lasting_ : use_.temporary;
    part = sum(part, allocation.size);
  }

  SpaceUse use() {
    use_.peak = use_.allocated;
    gather();
    if (timed_) sweep();
    find_members();
    return std::move(use_);
  }

 private:
  void gather() {
    for (const uint32_t number : allocations_) {
      const Allocation& allocation = assignment_.allocations[number];
      if (lasts(allocation)) continue;
      for (uint32_t v = allocation.first; v < allocation.first + allocation.count; ++v) {
        const AssignedValue& value = assignment_.values[v];
        if (value.begin < 0) timed_ = false;
        changes_.push_back({value.begin, v, 1});
        changes_.push_back({sum(value.end, 1), v, -1});
        owner_[v] = number;
      }
    }
    timed_ = timed_ && !assignment_.steps.empty();
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.step < b.step; });
  }

  int64_t begin(uint32_t value) const { return sum(begin_of_.at(owner_.at(value)), assignment_.values[value].offset); }
  int64_t end(uint32_t value) const { return sum(begin(value), assignment_.values[value].size); }

  void sweep() {
    std::vector<int64_t> places = {0};
    for (const Change& change : changes_) {
      places.push_back(begin(change.value));
      places.push_back(end(change.value));
    }
    Coverage coverage(std::move(places));
    use_.peak = lasting_;
    use_.peak_step = 0;
    use_.timeline.emplace_back(0, lasting_);
    for (size_t at = 0; at < changes_.size();) {
      const int64_t step = changes_[at].step;
      for (; at < changes_.size() && changes_[at].step == step; ++at)
        coverage.add(begin(changes_[at].value), end(changes_[at].value), changes_[at].change);
      const int64_t bytes = sum(lasting_, coverage.bytes());
      if (use_.timeline.back().first == step)
        use_.timeline.back().second = bytes;
      else
        use_.timeline.emplace_back(step, bytes);
      if (bytes > use_.peak || use_.timeline.size() == 1) {
        use_.peak = bytes;
        use_.peak_step = step;
      }
    }
  }

  // Of values with the same bytes, as a loop has them, the one that was listed first.
  void find_members() {
    std::set<std::pair<int64_t, int64_t>> seen;
    for (const uint32_t number : allocations_) {
      const Allocation& allocation = assignment_.allocations[number];
      uint32_t largest = kNone;
      bool largest_there = false;
      for (uint32_t v = allocation.first; v < allocation.first + allocation.count; ++v) {
        const AssignedValue& value = assignment_.values[v];
        const bool there = !timed_ || (value.begin <= use_.peak_step && use_.peak_step <= value.end);
        if (lasts(allocation)) {
          const auto rank = [&](bool now, uint32_t of) { return std::pair(now, assignment_.values[of].size); };
          if (largest == kNone || rank(there, v) > rank(largest_there, largest)) {
            largest = v;
            largest_there = there;
          }
        } else if (there && seen.emplace(sum(begin_of_[number], value.offset), value.size).second) {
          use_.members.push_back(v);
        }
      }
      if (largest != kNone) use_.members.push_back(largest);
    }
    std::stable_sort(use_.members.begin(), use_.members.end(),
                     [&](uint32_t a, uint32_t b) { return assignment_.values[a].size > assignment_.values[b].size; });
  }

  const Assignment& assignment_;
  SpaceUse use_;
  std::vector<uint32_t> allocations_;
  std::map<uint32_t, int64_t> begin_of_;  // by allocation
  std::map<uint32_t, uint32_t> owner_;
  std::vector<Change> changes_;
  int64_t lasting_ = 0;
  bool timed_ = true;
};

}  // namespace

std::vector<SpaceUse> space_uses(const Assignment& assignment) {
  std::map<int64_t, Space> spaces;
  for (uint32_t number = 0; number < assignment.allocations.size(); ++number) {
    const Allocation& allocation = assignment.allocations[number];
    if (allocation.use == Allocation::Use::kThreadLocal) continue;
    spaces.try_emplace(allocation.space, assignment, allocation.space).first->second.add(number);
  }
  std::vector<SpaceUse> uses;
  uses.reserve(spaces.size());
  for (auto& [space, use] : spaces) uses.push_back(use.use());
  return uses;
}

}  // namespace xlashape::cli
