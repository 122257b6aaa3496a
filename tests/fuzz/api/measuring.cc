// Measuring: plans whose ways are timed, wisdom as text, profiles. Called by an operation of runtimes.cc, so that the
// seeds mean what they meant.
#include "plans.h"

namespace api_fuzz {
namespace {

constexpr int64_t kMostBytes = 1 << 16;  // of an array that is measured

// A text with one byte changed, cut, or doubled.
std::string damaged(Input& input, std::string text) {
  if (text.empty() || input.one_in(2)) return text;
  const auto at = static_cast<size_t>(input.below(static_cast<int64_t>(text.size())));
  if (input.one_in(3)) return text.substr(0, at);
  if (input.one_in(3)) return text + text.substr(at);
  static constexpr char kBytes[] = {'\n', ' ', '0', '9', 'a', '-', '[', '\0', '\x7F', '\xFF'};
  text[at] = input.pick(kBytes);
  return text;
}

void import(Input& input, xlashape_runtime* runtime, const std::string& text, bool is_ours) {
  auto block = Exact<char>::of(text, input);
  int64_t taken = -7;
  const xlashape_status status =
      CALL(xlashape_runtime_import_wisdom, runtime, block.data(), size_of(block), input.one_in(3) ? nullptr : &taken);
  check(status == XLASHAPE_STATUS_OK || taken == -7, "a number is written on failure");
  check(taken == -7 || taken >= 0, "less than no entries are taken");
  if (is_ours) check(status == XLASHAPE_STATUS_OK || ended.was_refused_memory, "wisdom is not taken by who wrote it");
}

void wisdom(Input& input, xlashape_runtime* runtime) {
  const auto text = TEXT(xlashape_runtime_export_wisdom, runtime);
  if (!text) return;
  const std::string whole(text->begin(), text->end());
  check(whole.starts_with("xlashape wisdom 1\nprocessor ") && whole.ends_with('\n'), "the head of wisdom");
  const std::string given = damaged(input, whole);
  import(input, runtime, given, given == whole);
  std::string more = whole + "0123456789abcdef0123456789abcdef ours 5 7 way 1\n";
  import(input, runtime, more, true);
  if (input.one_in(2)) GET(xlashape_runtime_forget_wisdom, runtime);
}

void XLASHAPE_CALL on_progress(void* opaque, int64_t done, int64_t count) {
  auto& last = *static_cast<int64_t*>(opaque);
  check(done >= last && done <= count, "progress goes back, or beyond its end");
  last = done;
}

bool has_simd(xlashape_runtime* runtime) {
  const Uncounted scope;
  char name[8];
  int64_t needed;
  for (int64_t i = 0; i < xlashape_runtime_backend_count(runtime); ++i)
    if (xlashape_runtime_backend_text(runtime, i, XLASHAPE_BACKEND_TEXT_NAME, name, sizeof name, &needed, nullptr) ==
            XLASHAPE_STATUS_OK &&
        std::string_view(name) == "simd")
      return true;
  return false;
}

void profile(Input& input, xlashape_runtime* runtime) {
  xlashape_calibrate_options options = {};
  options.struct_size = sizeof options;
  options.budget_ns = input.mostly(input.below(1000), 20);
  int64_t last = 0;
  // simd would move gigabytes, which takes longer than an input may.
  const bool is_long = has_simd(runtime);
  const int32_t cancel = input.one_in(20) || is_long ? 1 : 0;
  if (input.one_in(2)) options.progress = on_progress, options.progress_opaque = &last;
  if (input.one_in(2) || is_long) options.cancel = &cancel;
  auto block = resized(options, input);
  const int64_t capacity = input.mostly(input.one_in(8) ? input.below(XLASHAPE_PROFILE_BYTES) : XLASHAPE_PROFILE_BYTES);
  if (capacity > 2 * XLASHAPE_PROFILE_BYTES) return;
  Exact<char> text(static_cast<size_t>(capacity > 0 ? capacity : 0), input);
  int64_t needed = -7;
  const MayFail scope(runtime);
  const xlashape_status status =
      CALL(xlashape_runtime_calibrate, runtime,
           is_long ? &options : reinterpret_cast<const xlashape_calibrate_options*>(block.data()), text.data(),
           capacity, &needed);
  if (status == XLASHAPE_STATUS_OK && capacity >= XLASHAPE_PROFILE_BYTES)
    check(std::string(text.data()).size() + 1 == static_cast<size_t>(needed), "a profile of another size");
  if (status == XLASHAPE_STATUS_OK && capacity == 0) check(needed == XLASHAPE_PROFILE_BYTES, "the size of profiles");
  TEXT(xlashape_runtime_profile_path, runtime);
}

void plan(Input& input, xlashape_runtime* runtime) {
  Request request = draw_request(input);
  xlashape_relayout_options options = request.options();
  // How large it is says a plan that is not measured.
  xlashape_plan* plain = nullptr;
  xlashape_plan_requirements needs = {};
  needs.struct_size = sizeof needs;
  bool is_small = false;
  {
    const Uncounted scope;
    if (xlashape_plan_create(runtime, request.src, request.dst, &options, &plain, nullptr) == XLASHAPE_STATUS_OK)
      is_small = xlashape_plan_get_requirements(plain, &needs, nullptr) == XLASHAPE_STATUS_OK &&
                 needs.src_high - needs.src_low <= kMostBytes && needs.dst_high - needs.dst_low <= kMostBytes;
    xlashape_plan_release(plain);
  }
  if (!is_small) return;
  options.measure_ns = input.one_in(20) ? -input.below(9) : 1 + input.below(20000);
  const MayFail scope(runtime);
  xlashape_plan* const made = MAKE(plans, xlashape_plan_create, runtime, request.src, request.dst, &options);
  check(made != nullptr || options.measure_ns <= 0 || ended.status != XLASHAPE_STATUS_INVALID_ARGUMENT ||
            ended.was_refused_memory,
        "a plan is not measured that can be made");
  if (made == nullptr) return;
  check(options.measure_ns >= 0, "a budget of less than nothing is taken");
  note_plan(made, request, runtime);
  predict(made);
}

}  // namespace

void measuring(Input& input) {
  xlashape_runtime* const runtime = input.one_in(2)   ? draw_runtime_with_ours(input, open_ways)
                                    : input.one_in(4) ? draw_runtime(input)
                                                      : steady();
  if (runtime == nullptr) return;
  plan(input, runtime);
  wisdom(input, runtime);
  profile(input, runtime);
}

}  // namespace api_fuzz
