// SPDX-License-Identifier: Apache-2.0
#include "small.h"

#include <cstring>
#include <functional>
#include <vector>

#include "allocations.h"
#include "case.h"
#include "sample.h"
#include "session.h"
#include "xlashape_target.h"

namespace bench {
namespace {

struct Operation {
  std::string name;
  double goal_ns;            // 0: none
  int64_t goal_allocations;  // -1: none
  std::function<void()> call;
  int64_t allocated = 0;
  double ns = 0;  // of processor time
};

int64_t add_one(int64_t x) { return x + 1; }
int64_t (*volatile indirect)(int64_t) = add_one;

constexpr char kText[] = "bf16[128,256]{1,0:T(8,128)(2,1)S(1)}";

// The calls themselves go through a std::function, an indirect call; the first row shows what that takes.
void measure(std::vector<Operation>* operations) {
  std::vector<Contender> contenders;
  for (Operation& operation : *operations) {
    operation.call();
    operation.allocated = allocations_in(operation.call);
    contenders.push_back({timed(operation.call, true), {}});
  }
  take_turns(contenders, 0, 7, 7);
  for (size_t i = 0; i < contenders.size(); ++i) (*operations)[i].ns = contenders[i].median() * 1e9;
}

void print(const std::vector<Operation>& operations) {
  std::printf(
      "\nSmall operations, one thread.\n\n| operation | ns | goal | heap allocations | goal "
      "|\n|---|---|---|---|---|\n");
  for (const Operation& o : operations) {
    std::printf("| %s | %.1f |", o.name.c_str(), o.ns);
    if (o.goal_ns > 0)
      std::printf(" %.0f |", o.goal_ns);
    else
      std::printf(" |");
    if (o.allocated >= 0)
      std::printf(" %lld |", static_cast<long long>(o.allocated));
    else
      std::printf(" ? |");
    if (o.goal_allocations >= 0)
      std::printf(" %lld |\n", static_cast<long long>(o.goal_allocations));
    else
      std::printf(" |\n");
  }
}

// A relayout on arrays of its own.
struct Small {
  Shape src, dst;
  Plan plan;
  std::vector<char> from, to;

  Small(const Session& session, const char* src_text, const char* dst_text)
      : src(parse_shape(src_text)), dst(parse_shape(dst_text)), plan(session.plan(src.get(), dst.get())) {
    from.resize(static_cast<size_t>(sizes_of(src.get()).bytes), 1);
    to.resize(static_cast<size_t>(sizes_of(dst.get()).bytes), 1);
  }
  void execute() {
    xlashape_plan_execute(plan.get(), from.data(), byte_count(from), to.data(), byte_count(to), nullptr);
  }
  void once(const Session& session) {
    if (xlashape_relayout(session.runtime(), src.get(), from.data(), static_cast<int64_t>(from.size()), dst.get(),
                          to.data(), static_cast<int64_t>(to.size()), nullptr, nullptr) != XLASHAPE_STATUS_OK)
      throw std::runtime_error("a small relayout failed");
  }
};

}  // namespace

bool run_small(const Options& options, const Session& session) {
  std::vector<Operation> operations;
  const auto add = [&](std::string name, double goal, int64_t goal_allocations, std::function<void()> call) {
    operations.push_back({std::move(name), goal, goal_allocations, std::move(call)});
  };
  int64_t number = 0;
  add("indirect call", 0, -1, [&] { number = indirect(number); });

  const Shape plain = parse_shape("f32[37,113,61,97]{3,2,1,0}"),
              tiled = parse_shape("bf16[37,113,61,97]{3,2,1,0:T(8,128)(2,1)}");
  const Map plain_map = make_map(plain.get()), tiled_map = make_map(tiled.get());
  int64_t index[4] = {17, 55, 21, 90}, linear = 0;
  int32_t is_padding = 0;
  const auto conversions = [&](const char* layout, const Map& map, double goal) {
    add(std::string("index to position, rank 4, ") + layout, goal, 0,
        [&] { xlashape_index_map_linear_index(map.get(), index, 4, &linear, nullptr); });
    add(std::string("position to index, rank 4, ") + layout, goal, 0,
        [&] { xlashape_index_map_multidimensional_index(map.get(), linear, index, 4, &is_padding, nullptr); });
  };
  conversions("row-major", plain_map, 10);
  conversions("T(8,128)(2,1)", tiled_map, 0);

  add(std::string("parse ") + kText, 1000, -1, [] {
    xlashape_shape* shape = nullptr;
    xlashape_shape_parse(kText, sizeof kText - 1, 0, &shape, nullptr);
    xlashape_shape_release(shape);
  });
  const Shape parsed = parse_shape(kText);
  add(std::string("print ") + kText, 1000, 0, [&] {
    char text[64];
    int64_t needed;
    xlashape_shape_print(parsed.get(), 0, text, sizeof text, &needed, nullptr);
  });

  xlashape_target v5e = -1;
  xlashape_target_from_name("tpu:v5e", 7, &v5e, nullptr);
  const auto layout_for = [&](const char* array, xlashape_element_type type, std::vector<int64_t> dimensions) {
    add(std::string("layout for tpu:v5e, ") + array, 200, 1, [v5e, type, dimensions] {
      xlashape_layout* layout = nullptr;
      xlashape_target_layout(v5e, type, dimensions.data(), nullptr, static_cast<int64_t>(dimensions.size()), &layout,
                             nullptr);
      xlashape_layout_release(layout);
    });
  };
  layout_for("f32[1000,3]", XLASHAPE_TYPE_F32, {1000, 3});
  layout_for("bf16[4,1000,8,64]", XLASHAPE_TYPE_BF16, {4, 1000, 8, 64});

  Small tiny(session, "f32[3,4]{1,0}", "f32[3,4]{0,1}"), square(session, "f32[64,64]{1,0}", "f32[64,64]{0,1}");
  add("execute f32[3,4]", 20, 0, [&] { tiny.execute(); });
  add("one-shot f32[3,4]", 300, 0, [&] { tiny.once(session); });
  add("execute f32[64,64]", 0, 0, [&] { square.execute(); });
  add("one-shot f32[64,64]", 600, 0, [&] { square.once(session); });

  const std::vector<Case> cases = read_cases(options.cases);
  for (const Case& c : cases)
    add("plan " + c.name, 1000, xlashape_shape_rank(c.src.get()) <= 8 ? 1 : -1,
        [&] { session.plan(c.src.get(), c.dst.get()); });
  measure(&operations);
  print(operations);
  return true;
}

}  // namespace bench
