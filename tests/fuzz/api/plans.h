// Plans with what they were made from, and what a relayout has to do, element by element, as the header says it: by
// both sides' index maps, strides and padding elements (reference.cc).
#pragma once
#include "fields.h"
#include "runtimes.h"

namespace api_fuzz {

// A relayout in a caller's words. The shapes live as long as the input is worked on.
struct Request {
  const xlashape_shape *src = nullptr, *dst = nullptr;
  uint32_t flags = 0;
  int32_t fill_policy = XLASHAPE_FILL_PADDING;
  int32_t src_space = 0, dst_space = 0, device = 0;
  std::string backend;  // "": none
  std::vector<int64_t> src_strides, dst_strides, src_base, dst_base, extent;
  bool has_src_strides = false, has_dst_strides = false, has_src_base = false, has_dst_base = false, has_extent = false;

  xlashape_relayout_options options() const;
  // The same as a list, in any order.
  Fields fields(Input& input) const;
  // True where there are neither devices nor memory besides the CPU's for it.
  bool is_beyond_cpu() const { return src_space > 1 || dst_space > 1 || src_space < 0 || dst_space < 0 || device != 0; }
  // A scalar's box has no extents that could be told: one of its other lists will do.
  bool is_box() const { return has_extent || (xlashape_shape_rank(src) == 0 && (has_src_base || has_dst_base)); }
  // For the report of a fault.
  void print() const;
};
bool is_array(const xlashape_shape* shape);

struct Expected {
  std::vector<uint8_t> bytes, mask;  // where a bit of the mask is 0 anything may be
};

// `src` holds bytes [src_low, ...) from the pointer on, `before` those of the destination from dst_low on. nullopt
// where the answer is not to be had in short.
std::optional<Expected> expect(const Request& request, const std::vector<uint8_t>& src, int64_t src_low,
                               const std::vector<uint8_t>& before, int64_t dst_low);

struct PlanInfo {
  bool converts = false;  // an index plan
  Request request;
  const xlashape_index_map* map = nullptr;
  bool to_linear = false;
  int64_t index_step = 0, dimension_step = 0;  // as they hold, not as they were given
  uint32_t flags = 0;
  xlashape_runtime* runtime = nullptr;
  bool may_fail = false;  // its backend is one of ours
};
const PlanInfo* info_of(const xlashape_plan* plan);
Request draw_request(Input& input);
// One of the pool's, mostly on a backend of ours that asks for scratch; or NULL.
xlashape_plan* make_scratch_plan(Input& input);
// What a list of fields asks for.
Request request_of(const Request& shapes, const Reading& reading);
// Remembers what a plan was made from.
void note_plan(const xlashape_plan* plan, const Request& request, xlashape_runtime* runtime);
void forget_plan(const xlashape_plan* plan);
void forget_plans();
// Asks how long it takes.
void predict(const xlashape_plan* plan);

// Operations of moves.cc, conversions.cc, watches.cc, lists.cc and keys.cc.
void execute(Input& input);
void relayout_once(Input& input);
void execute_nothing(Input& input);
void execute_conversion(Input& input);
void execute_watched(Input& input);
void execute_large(Input& input);
void execute_list(Input& input);
void compare_keys(Input& input);
// The shapes of a plan of the pool.
void ask_shapes(Input& input);

}  // namespace api_fuzz
