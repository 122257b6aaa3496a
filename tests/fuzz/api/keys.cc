// What tells plans apart: their keys, and the shapes that they were made from.
#include <algorithm>
#include <cstdio>

#include "plans.h"

namespace api_fuzz {
namespace {

bool is_same_array(const xlashape_shape* a, const xlashape_shape* b) {
  return xlashape_shape_equal(a, b, XLASHAPE_EQUAL_METADATA_PREFIX | XLASHAPE_EQUAL_IGNORE_BUFFER) == 1;
}

// A scalar says nothing by an empty layout that it does not say without one, and is written alike.
bool is_asked_alike(const xlashape_shape* a, const xlashape_shape* b) {
  if (is_same_array(a, b)) return true;
  if (xlashape_shape_rank(a) != 0 || xlashape_shape_has_layout(a) == xlashape_shape_has_layout(b)) return false;
  xlashape_shape *x = nullptr, *y = nullptr;
  const auto with_layout = [](const xlashape_shape* shape, xlashape_shape** made) {
    if (xlashape_shape_has_layout(shape) != 0)
      *made = xlashape_shape_retain(shape);
    else
      check(xlashape_shape_with_default_layouts(shape, made, nullptr) == XLASHAPE_STATUS_OK, "no default layout");
  };
  with_layout(a, &x), with_layout(b, &y);
  const bool is_same = is_same_array(x, y);
  xlashape_shape_release(x), xlashape_shape_release(y);
  return is_same;
}

// Whether two callers ask the same, in the words of the header.
bool is_same_question(const Request& a, const Request& b) {
  const auto space = [](int32_t given) { return given == 0 ? int32_t{XLASHAPE_SPACE_CPU} : given; };
  const auto list = [](bool has, const std::vector<int64_t>& items) {
    return has ? std::optional(items) : std::nullopt;
  };
  return is_asked_alike(a.src, b.src) && is_asked_alike(a.dst, b.dst) && a.flags == b.flags &&
         a.fill_policy == b.fill_policy && space(a.src_space) == space(b.src_space) &&
         space(a.dst_space) == space(b.dst_space) && a.device == b.device && a.backend == b.backend &&
         list(a.has_src_strides, a.src_strides) == list(b.has_src_strides, b.src_strides) &&
         list(a.has_dst_strides, a.dst_strides) == list(b.has_dst_strides, b.dst_strides) &&
         list(a.has_src_base, a.src_base) == list(b.has_src_base, b.src_base) &&
         list(a.has_dst_base, a.dst_base) == list(b.has_dst_base, b.dst_base) &&
         list(a.is_box(), a.extent) == list(b.is_box(), b.extent);
}

// The same but for little, or for nothing.
Request nearly(Input& input, const Request& request) {
  Request other = request;
  static constexpr const char* kBackends[] = {"",           "simd",          "scalar", "\xFF\n",
                                              "\\xff\\x0a", "simd extent=1", "\\",     "\\\\"};
  const auto change = [&](bool* has, std::vector<int64_t>* list) {
    const auto rank = static_cast<size_t>(xlashape_shape_rank(other.src));
    if (!*has)
      list->assign(rank, input.below(2));
    else if (rank == 0 || input.one_in(3))
      *has = false;
    else
      (*list)[static_cast<size_t>(input.below(static_cast<int64_t>(rank)))] += 1 - 2 * input.below(2);
    if (list->size() == rank) *has = !*has || !list->empty();
  };
  switch (input.below(16)) {
    case 0:
      other.flags ^= 1u << input.below(2);
      break;
    case 1:
      other.fill_policy = static_cast<int32_t>(input.below(3));
      break;
    case 2:
      other.src_space = static_cast<int32_t>(input.below(3));
      break;
    case 3:
      other.dst_space = static_cast<int32_t>(input.below(3));
      break;
    case 4:
      other.device += 1 - static_cast<int32_t>(2 * (other.device == INT32_MAX));
      break;
    case 5:
    case 6:
      other.backend = other.backend == "\xFF\n" && input.one_in(2) ? "\\xff\\x0a" : input.pick(kBackends);
      break;
    case 7:
      change(&other.has_src_strides, &other.src_strides);
      break;
    case 8:
      change(&other.has_dst_strides, &other.dst_strides);
      break;
    case 9:
      change(&other.has_src_base, &other.src_base);
      break;
    case 10:
      change(&other.has_dst_base, &other.dst_base);
      break;
    case 11:
      change(&other.has_extent, &other.extent);
      break;
    case 12:
      std::swap(other.src, other.dst);
      break;
    case 13:
      other.src = other.dst;
      break;
    case 14:
      std::swap(other.src_strides, other.dst_strides), std::swap(other.has_src_strides, other.has_dst_strides);
      std::swap(other.src_base, other.dst_base), std::swap(other.has_src_base, other.has_dst_base);
      break;
    default:
      break;
  }
  return other;
}

std::optional<std::string> key_of(const Request& request) {
  const xlashape_relayout_options options = request.options();
  std::string key(8192, '#');
  int64_t needed = 0;
  xlashape_status status = XLASHAPE_STATUS_OUT_OF_RANGE;
  for (int i = 0; i < 2 && status != XLASHAPE_STATUS_OK; ++i) {
    status = xlashape_plan_key(request.src, request.dst, &options, key.data(), size_of(key), &needed, nullptr);
    if (needed > size_of(key)) key.resize(static_cast<size_t>(needed));
  }
  if (status != XLASHAPE_STATUS_OK) return std::nullopt;
  key.resize(static_cast<size_t>(needed) - 1);
  return key;
}

bool is_key_question(const Request& r) {
  const auto is_space = [](int32_t space) { return space >= 0 && space <= 63; };
  return is_array(r.src) && is_array(r.dst) && xlashape_shape_rank(r.src) == xlashape_shape_rank(r.dst) &&
         (r.flags & ~(XLASHAPE_PLAN_ALLOW_FALLBACK | XLASHAPE_PLAN_READ_SOON)) == 0 && is_space(r.src_space) &&
         is_space(r.dst_space);
}

}  // namespace

void compare_keys(Input& input) {
  const Request a = draw_request(input);
  const Request b = input.one_in(8) ? draw_request(input) : nearly(input, a);
  const xlashape_relayout_options options = a.options();
  auto block = resized(options, input);
  const auto text = TEXT(xlashape_plan_key, a.src, a.dst, reinterpret_cast<xlashape_relayout_options*>(block.data()));
  const auto x = key_of(a), y = key_of(b);
  check(!text || (x && *x == std::string(text->begin(), text->end())), "a key differs when asked again");
  check(x.has_value() == is_key_question(a) && y.has_value() == is_key_question(b),
        "a key of what is no question, or none of what is one");
  if (!x || !y) return;
  check(is_printable_line(*x), "a key is no line");
  if ((*x == *y) == is_same_question(a, b)) return;
  std::fprintf(stderr, "%s\n%s\n", x->c_str(), y->c_str());
  a.print(), b.print();
  fault(*x == *y ? "two questions have one key" : "one question has two keys");
}

void ask_shapes(Input& input) {
  xlashape_plan* const plan = world.plans.pick(input);
  const PlanInfo* const info = info_of(plan);
  xlashape_shape* const nothing = reinterpret_cast<xlashape_shape*>(uintptr_t{0x5A5A5A5A5A5A0});
  xlashape_shape *src = nothing, *dst = nothing;
  const bool has_both = !input.one_in(30);
  const xlashape_status status =
      has_both ? CALL(xlashape_plan_shapes, plan, &src, &dst) : CALL(xlashape_plan_shapes, plan, &src, nullptr);
  if (status != XLASHAPE_STATUS_OK) {
    check(src == nothing && dst == nothing, "shapes are written on failure");
    check(plan == nullptr || !has_both || info == nullptr || info->converts || ended.was_refused_memory,
          "a plan has no shapes");
    return check(plan == nullptr || !has_both || status == XLASHAPE_STATUS_UNSUPPORTED || ended.was_refused_memory,
                 "an index plan has no shapes, and says something else");
  }
  check(plan != nullptr && has_both && (info == nullptr || !info->converts), "shapes of what has none");
  world.shapes.add(src, input), world.shapes.add(dst, input);
  check(info == nullptr || (is_same_array(src, info->request.src) && is_same_array(dst, info->request.dst)),
        "a plan's shapes are not those that it was made from");
}

}  // namespace api_fuzz
