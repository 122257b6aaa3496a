// SPDX-License-Identifier: Apache-2.0
// Compiled with -fno-exceptions -fno-rtti: the whole header, and errors as values. Prints `N passed, M failed`.
#include <cstdio>
#include <xlashape.hpp>
#include <xlashape/draw.hpp>

static int passed = 0, failed = 0;

static void check(bool good, const char* what) {
  ++(good ? passed : failed);
  if (!good) std::printf("FAIL without exceptions: %s\n", what);
}

int main() {
  using namespace xlashape;
  static_assert(XLASHAPE_EXCEPTIONS == 0);
  const auto from = Shape::try_parse("u8[3,4]"), to = Shape::try_parse("u8[3,4]{0,1:T(2,2)}");
  check(from && to, "shapes");
  check(Shape::try_parse("f32[2,x]").error().offset() == 6, "an error's offset");
  check(Shape::parse("f32[2]").rank() == 1, "the short form where nothing fails");
  check(IndexMap::of(*to).try_linear_index({2, 3}).value_or(0) == 14, "a position");
  check(IndexMap::of(*to).try_linear_index({9, 3}).error().status() == Status::kOutOfRange, "an index out of range");
  check(draw(*to).find("4 positions of padding") != std::string::npos, "a picture");
  check(try_draw(*from, Shape::parse("u8[3]")).error().status() == Status::kInvalidArgument, "a picture of two shapes");
  RuntimeOptions options;
  options.max_workers = 1;
  options.executor = [](std::int64_t count, const Task& task) {
    for (std::int64_t i = 0; i < count; ++i) task(i, 0);
    return true;
  };
  const auto runtime = Runtime::try_create(options);
  const auto plan = Plan::try_create(*from, *to, {}, *runtime);
  std::string data = "abcdefghijkl", out(16, '.');
  check(plan && plan->try_execute(data, out) && out[14] == 'l', "a relayout");
  int tasks = 0;
  Control control;
  control.progress = [&tasks](std::int64_t, std::int64_t) { ++tasks; };
  const std::vector<Execution> list = {Execution(*plan, data, out), Execution(*plan, data, out)};
  check(try_execute_list(list, control) && tasks >= 2, "a list of relayouts, and its progress");
  out.pop_back();
  check(!plan->try_execute(data, out), "a buffer too small");
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
