// Plans with what they were made from, and what a relayout has to do, element by element, as the header says it: by
// both sides' index maps, strides and padding elements (reference.cc).
#pragma once
#include "runtimes.h"

namespace api_fuzz {

// A relayout in a caller's words. The shapes live as long as the input is worked on.
struct Request {
  const xlashape_shape *src = nullptr, *dst = nullptr;
  uint32_t flags = 0;
  int32_t fill_policy = XLASHAPE_FILL;
  std::string backend;  // "": none
  std::vector<int64_t> src_strides, dst_strides, src_base, dst_base, extent;
  bool has_src_strides = false, has_dst_strides = false, has_src_base = false, has_dst_base = false, has_extent = false;

  xlashape_relayout_options options() const;
  // For the report of a fault.
  void print() const;
};

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
void forget_plans();

// Operations of moves.cc and conversions.cc.
void execute(Input& input);
void relayout_once(Input& input);
void execute_nothing(Input& input);
void execute_conversion(Input& input);

}  // namespace api_fuzz
