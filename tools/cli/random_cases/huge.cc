// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/base/memory_file.h"
#include "execution_mode.h"
#include "run_case.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kPiece = int64_t{2} << 20;
constexpr int64_t kPart = 512;  // the small part that is tried first: a 512th

struct HugeRequest {
  const char *src, *dst;
  Integers strides;
};

const HugeRequest& huge(int number) {
  static const HugeRequest kRequests[kHugeRequests] = {
      {"u8[65539,32768]{1,0}", "u8[65539,32768]{1,0}", {0, 1}},
      {"u8[4294967301]{0}", "u8[4294967301]{0}", {0}},
      {"u16[32768,40009]{1,0}", "u16[32768,40009]{0,1}", {2, 0}},
      {"u8[65539,32768]{1,0}", "u8[65539,32768]{1,0:T(8,128)}", {0, 1}},
      {"f32[536871003,2]{1,0}", "f32[536871003,2]{0,1}", {0, 4}},
  };
  return kRequests[number];
}

// Memory of any size that uses only a few pieces.
class HugeMemory {
 public:
  explicit HugeMemory(int64_t size) : size_((size + kPiece - 1) / kPiece * kPiece) {
    void* const memory = mmap(nullptr, static_cast<size_t>(size_), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw NotRun{fmt::format("the system does not reserve {} bytes of address space", size)};
    data_ = static_cast<uint8_t*>(memory);
    const int64_t pieces = size_ / kPiece;
    for (const int64_t at : {int64_t{0}, pieces - 1, ((int64_t{1} << 31) - 1) / kPiece, (int64_t{1} << 31) / kPiece,
                             ((int64_t{1} << 32) - 1) / kPiece, (int64_t{1} << 32) / kPiece, pieces / 2, pieces / 3})
      if (at < pieces) windows_.push_back(at);
    std::sort(windows_.begin(), windows_.end());
    windows_.erase(std::unique(windows_.begin(), windows_.end()), windows_.end());
    const int shared = open_memory_file("xlashape-self-test");
    bool good = shared >= 0 && ftruncate(shared, kPiece) == 0;
    for (int64_t piece = 0; piece < pieces && good; ++piece)
      if (!std::binary_search(windows_.begin(), windows_.end(), piece))
        good = mmap(data_ + piece * kPiece, static_cast<size_t>(kPiece), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    shared, 0) != MAP_FAILED;
    if (shared >= 0) close(shared);
    if (good) return;
    munmap(data_, static_cast<size_t>(size_));
    throw NotRun{"the system does not map one piece of memory that many times"};
  }
  ~HugeMemory() { munmap(data_, static_cast<size_t>(size_)); }
  HugeMemory(const HugeMemory&) = delete;

  uint8_t* data() const { return data_; }
  const Integers& windows() const { return windows_; }

 private:
  uint8_t* data_;
  int64_t size_;
  Integers windows_;  // numbers of pieces
};

// Every position of the windows' ends, and some between.
void look(Random& random, const Request& request, const ElementOffsets& to, const HugeMemory& memory,
          const uint8_t* src, const std::string& how) {
  const int64_t width = to.container() / 8;
  Integers index(static_cast<size_t>(to.rank()));
  const auto look_at = [&](int64_t position) {
    const bool element = to.map().multidimensional_index(position, index);
    uint8_t wanted[16] = {};
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) from += index[d] * request.src_byte_strides[d];
    if (element) std::memcpy(wanted, src + from, static_cast<size_t>(width));
    const uint8_t* const found = memory.data() + position * width;
    const auto size = static_cast<size_t>(width);
    if (std::memcmp(found, wanted, size) != 0)
      wrong("{}: position {} of the destination holds {}, must hold {}", how, position, bytes_text({found, size}),
            bytes_text({wanted, size}));
  };
  for (const int64_t window : memory.windows()) {
    const int64_t begin = window * kPiece / width, end = std::min((window + 1) * kPiece / width, to.positions());
    if (begin >= end) continue;
    const int64_t edge = std::min<int64_t>(2048, end - begin);
    for (int64_t i = 0; i < edge; ++i) look_at(begin + i), look_at(end - 1 - i);
    for (int i = 0; i < 4096; ++i) look_at(begin + random.below(end - begin));
  }
}

// The seconds of the last of several executions: the first one maps the pages.
double run(Random& random, const Runtime& runtime, const Request& request, const ExecutionMode& mode, int rounds,
           int64_t* bytes) {
  const Plan plan = make_plan(runtime, request);
  const xlashape_plan_requirements needs = plan.requirements();
  const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
  const HugeMemory memory(to.high());
  std::vector<uint8_t> source(static_cast<size_t>(from.high()) + 4096);
  fill_with_noise(random, source);
  const auto first = reinterpret_cast<uintptr_t>(source.data());
  const uint8_t* const src = source.data() + (4096 - first % 4096) % 4096;
  double took = 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = seconds_now();
    execute(plan, needs, mode, src, memory.data());
    took = seconds_now() - start;
  }
  look(random, request, to, memory, src, mode_text(mode));
  *bytes = std::max(*bytes, kPiece * static_cast<int64_t>(memory.windows().size() + 1));
  return took;
}

}  // namespace

Request huge_request(int number) {
  const HugeRequest& wanted = huge(number);
  Request request;
  request.src = Shape::parse(wanted.src);
  request.dst = Shape::parse(wanted.dst);
  request.src_byte_strides = wanted.strides;
  return request;
}

void try_huge(Random& random, const Runtime& runtime, const Request& request, double seconds, int64_t* bytes) {
  const Integers whole = request.src.dimensions();
  Request part = request;
  Integers dimensions = whole;
  *std::max_element(dimensions.begin(), dimensions.end()) /= kPart;
  const ElementType type = request.src.element_type();
  part.src = Shape::array(type, dimensions, layout_of(request.src));
  part.dst = Shape::array(type, dimensions, layout_of(request.dst));
  const double took = run(random, runtime, part, ExecutionMode(), 2, bytes);
  if (took * kPart > seconds) throw NotRun{fmt::format("would take about {:.0f} s of {:.1f} s", took * kPart, seconds)};
  ExecutionMode mode;
  mode.kind = ExecutionMode::kRanges;
  mode.tasks = int64_t{1} << 33;
  mode.order = random.next();
  if (random.chance(50)) mode = ExecutionMode();
  run(random, runtime, request, mode, 1, bytes);
}

}  // namespace xlashape::cli
