// SPDX-License-Identifier: Apache-2.0
// Units with and without exceptions in one program: this file compiled as both, linked in either order. Each call
// throws or aborts as its own unit says. Prints `N passed, M failed`.
#include <xlashape.hpp>

using xlashape::Plan;
using xlashape::Runtime;
using xlashape::Shape;

// In the unit without exceptions.
Shape bare_parse(const char* text);
Runtime bare_runtime(xlashape::RuntimeOptions options);
xlashape::Result<void> bare_execute(const Plan& plan, const std::string& from, std::string& to);

#if !XLASHAPE_EXCEPTIONS

Shape bare_parse(const char* text) { return Shape::parse(text); }
Runtime bare_runtime(xlashape::RuntimeOptions options) { return Runtime::create(std::move(options)); }
xlashape::Result<void> bare_execute(const Plan& plan, const std::string& from, std::string& to) {
  std::string none;
  (void)xlashape::try_relayout(Shape(), from, Shape(), none);
  if (plan.task_count(1) < 0) xlashape::relayout(Shape(), from, Shape(), to);  // never: to be compiled
  return plan.try_execute(from, to);
}

#else

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

static int passed = 0, failed = 0;

static void check(bool good, const char* what) {
  ++(good ? passed : failed);
  if (!good) std::printf("FAIL units of both kinds: %s\n", what);
}

template <class E, class F>
static bool throws(const F& function) {
  try {
    function();
  } catch (const E&) {
    return true;
  }
  return false;
}

// How a child ends that does this.
template <class F>
static int end_of(const F& function) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    try {
      function();
    } catch (...) {
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int main() {
  using xlashape::Exception;
  const Shape shape = bare_parse("u8[1024,1024]"), other = bare_parse("u8[1024,1024]{0,1}");
  check(shape == Shape::parse("u8[1024,1024]"), "a shape that the other unit made");
  check(throws<Exception>([] { Shape::parse("f32["); }), "parse");
  check(throws<Exception>([] { (void)Shape::try_parse("f32[").value(); }), "value");
  check(throws<Exception>([&] { xlashape::IndexMap::of(shape).linear_index({9999, 0}); }), "linear_index");
  check(throws<Exception>([&] { Shape::parse("f32[2,2]{0,1:T(2)}").layout().tile(9); }), "tile");
  std::string data(1 << 20, 'a'), out(1 << 20, 'b'), few(3, 'c');
  check(throws<Exception>([&] { Plan::create(shape, other).execute(data, few); }), "execute");
  check(throws<Exception>([&] { xlashape::relayout(shape, data, other, few); }), "relayout");

  xlashape::RuntimeOptions options;
  options.max_workers = 4;
  options.executor = [](std::int64_t, const xlashape::Task&) { throw std::out_of_range("mine"); };
  const Plan plan = Plan::create(shape, other, {}, Runtime::create(options));
  check(throws<std::out_of_range>([&] { plan.execute(data, out); }), "what an executor throws");
  xlashape::Control control;
  control.progress = [](std::int64_t, std::int64_t) { throw std::out_of_range("mine"); };
  const std::vector<xlashape::Execution> list = {{Plan::create(shape, other), data, out}};
  check(throws<std::out_of_range>([&] { xlashape::execute_list(list, control); }), "what progress throws");
  check(bare_execute(plan, data, out).error().message() == "mine", "the same where there are no exceptions");
  check(bare_execute(Plan::create(shape, other, {}, bare_runtime({})), data, out).has_value(), "the other's runtime");

  check(end_of([] { Shape::parse("f32["); }) == 0, "this unit's failure is caught");
  const int status = end_of([] {
    if (std::freopen("/dev/null", "w", stderr) != nullptr) bare_parse("f32[");
  });
  check(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "the other unit's failure aborts");
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

#endif
