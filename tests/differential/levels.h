/* SPDX-License-Identifier: Apache-2.0 */
// Which backends the cases run on: scalar, and simd on each target that the machine has, with caches of several sizes.
#pragma once
#include <memory>
#include <span>

#include "differential/cases.h"
#include "runtime/cpu.h"
#include "unit/random_relayout.h"
#include "unit/simd/targets.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);

namespace xlashape::core::testing {

struct Level {
  const char* name;
  uint64_t features;
  bool simd;
  int share;  // of the cases
};

inline std::span<const Level> levels() {
  static const std::vector<Level> all = [] {
    std::vector<Level> found = {{"Scalar", 0, false, 2}};
#ifdef XLASHAPE_WITH_SIMD
    for (const Target& target : kTargets)
      if (target.features != 0) found.push_back({target.name, target.features, true, 3});
#endif
    return found;
  }();
  return all;
}

inline uint64_t number_of(const Level& level) { return static_cast<uint64_t>(&level - levels().data()); }

// Why the level does not run here; empty if it does.
inline std::string missing(const Level& level) {
#ifdef XLASHAPE_WITH_SIMD
  if (const std::string why = missing_target(level.features); level.simd && !why.empty()) return why;
#endif
  if (level.simd && said({level.name, level.features}) != level.name) return "the same as another one here";
  return "";
}

// How many of so many cases a test has: by the shares of its family and its level among those that run here.
inline int64_t part_of(int64_t cases, const Family& family, const Level& level) {
  int64_t of_families = 0, of_levels = 0;
  for (const Family& other : families()) of_families += other.share;
  for (const Level& other : levels())
    if (missing(other).empty()) of_levels += other.share;
  const int64_t all = of_families * of_levels;
  return (cases * family.share * level.share + all - 1) / all;
}

// A level's backend, thinking of caches of so many bytes: with none everything is streamed, with all of them nothing
// is.
class Opened {
 public:
  struct Form {
    const char* name;
    std::unique_ptr<OpenedBackend> backend;
  };
  explicit Opened(const Level& level) {
    const auto open = [&](const char* name, int64_t l2_bytes) {
      forms_.push_back({name, std::make_unique<OpenedBackend>(opener(level), level.features, l2_bytes)});
    };
    open("streaming", 1), open("not streaming", int64_t{1} << 40), open("a second cache of 1 MiB", 1 << 20);
  }
  const Form& of(Random& random) const { return forms_[static_cast<size_t>(random.in(0, 2))]; }
  std::span<const Form> forms() const { return forms_; }

  using Opener = xlashape_status (*)(const xlashape_host*, xlashape_backend*, xlashape_error*);
  static Opener opener([[maybe_unused]] const Level& level) {
#ifdef XLASHAPE_WITH_SIMD
    if (level.simd) return xlashape_backend_open_simd;
#endif
    return xlashape_backend_open_scalar;
  }

 private:
  std::vector<Form> forms_;
};

}  // namespace xlashape::core::testing
