// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/common/planner.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "backends/gpu/common/loops.h"
#include "backends/gpu/common/pack.h"
#include "backends/gpu/common/tables.h"
#include "backends/gpu/common/zip.h"

namespace xlashape::gpu {
namespace {

using backends::fail;

constexpr int kTileLoops = XS_MAX_LOOPS - 4;
constexpr int64_t kFew = 16;
// Estimated fractions of a copy's bandwidth beyond which there is little to gain; and how full a tile must be for the
// memory time to hide the time spent on its empty part; and what looking for the padding in a second launch adds.
constexpr double kGoodTile = 0.6, kGoodGather = 0.5, kFullTile = 0.75, kSecondLaunch = 1.25;

Kernel by_width(Kernel first, int64_t bytes) {
  return static_cast<Kernel>(static_cast<int>(first) + std::countr_zero(static_cast<uint64_t>(bytes)));
}

// Repeats the fill up to 16 bytes.
void repeat_fill(const xlashape_relayout_ir& ir, xs_u64 (&fill)[2]) {
  unsigned char bytes[16];
  const int size = std::max(1, ir.dst_container_bits / 8);
  for (int i = 0; i < 16; ++i) bytes[i] = ir.fill[i % size];
  std::memcpy(fill, bytes, sizeof fill);
}

// The most that a launch covers; up to this no product of counts exceeds 64 bits.
constexpr int64_t kMaxPositions = int64_t{1} << 45;

class Planner {
 public:
  Planner(const xlashape_relayout_ir& ir, int64_t alignment, Effort effort, Launches* out, xlashape_error* err)
      : ir_(ir), alignment_(alignment), effort_(effort), out_(*out), err_(err) {}

  xlashape_status run() {
    out_.count = 0;
    out_.needs_tables = false;
    fills_ = ir_.fill_policy == XLASHAPE_FILL_PADDING && (ir_.flags & XLASHAPE_IR_HAS_BOX) == 0;
    // Spare bits after the last position of a packed side are filled too.
    const bool spare = fills_ && ir_.dst->positions % 8 * ir_.dst_container_bits % 8 != 0;
    const bool pads = fills_ && ir_.has_padding;
    if (ir_.elements == 0 && !pads && !spare) return XLASHAPE_STATUS_OK;
    const int64_t most = std::max(ir_.elements, pads || spare ? ir_.dst->positions : 0);
    if (most > kMaxPositions)
      return fail(err_, XLASHAPE_STATUS_UNSUPPORTED, "%lld positions are more than a launch covers",
                  static_cast<long long>(most));
    if (effort_ != Effort::kProgramOnly && !spare && ir_.nest != nullptr && form_of(*ir_.nest, &form_) &&
        add_nest(pads))
      return status_;
    out_.count = 0;
    add_program();
    return status_;
  }

 private:
  Launch& add(Kernel kernel, int64_t threads, uint32_t argument_bytes, int per_thread = 1) {
    Launch& launch = out_.launch[out_.count++];
    std::memset(static_cast<void*>(&launch), 0, sizeof launch);
    launch.kernel = kernel;
    launch.argument_bytes = argument_bytes;
    const int64_t per_block = int64_t{XS_THREADS} * per_thread;
    const int64_t blocks = threads / per_block + (threads % per_block != 0);
    if (blocks > kMostBlocks)
      status_ = fail(err_, XLASHAPE_STATUS_UNSUPPORTED, "%s would need %lld blocks, a launch has at most %u",
                     name_of(kernel), static_cast<long long>(blocks), kMostBlocks);
    launch.blocks = static_cast<uint32_t>(std::min<int64_t>(blocks, kMostBlocks));
    return launch;
  }

  // Returns true if the launches are made.
  bool add_nest(bool pads) {
    if (form_.guard_count > XS_MAX_GUARDS) return false;
    const int bits = ir_.dst_container_bits;
    const bool alike = ir_.src_container_bits == bits;
    if (bits < 8) {
      if (pads || !alike) return false;
      if (!widen_to_bytes(bits, &form_)) return bits == 4 && effort_ <= Effort::kBest && add_half();
    } else if (alike) {
      form_.element = bits / 8;
    }
    if (pads && (ir_.fill_loops == nullptr || ir_.dst->data_positions < 0)) return false;
    if (ir_.elements == 0) {
      add_fill_run(0);
      return true;
    }
    const bool holes = pads && ir_.dst->data_positions > ir_.elements;
    const int64_t bytes = std::max(1, bits / 8), data_bytes = holes ? ir_.dst->data_positions * bytes : 0;
    full_ = form_;
    const bool fills = holes && full_.complete(data_bytes, bytes);
    if (!fills) full_ = form_;
    bool filled = !holes || fills;
    const bool aligned = form_.element > 0 && alignment_ % form_.element == 0 && form_.is_aligned_to(form_.element);
    if (!aligned) {
      if (full_.loop_count > XS_MAX_LOOPS) return false;
      add_convert(fills);
    } else {
      widen(alignment_, &form_);
      widen(alignment_, &full_);
      if (effort_ > Effort::kBest || !add_special(holes, fills, &filled)) {
        if (full_.loop_count > XS_MAX_LOOPS) return false;
        add_gather(full_, fills);
      }
    }
    if (!filled && !add_fill(data_bytes)) return false;
    if (pads && ir_.dst->positions > ir_.dst->data_positions) add_fill_run(ir_.dst->data_positions);
    return true;
  }

  void set_nest(XsNest* args, const Form& form, bool narrow, int32_t fills) {
    args->src_offset = form.src_offset;
    args->dst_offset = form.dst_offset;
    args->total = form.total();
    args->loop_count = form.loop_count;
    args->guard_count = form.guard_count;
    args->fills = fills;
    repeat_fill(ir_, args->fill);
    set_guards(form, args->low, args->high);
    for (int32_t l = 0; l < form.loop_count; ++l) args->loop[l] = converted(form.loop[l], narrow);
  }

  static void set_guards(const Form& form, xs_i64* low, xs_i64* high) {
    for (int32_t g = 0; g < form.guard_count; ++g) low[g] = form.low[g], high[g] = form.high[g];
  }

  void add_gather(const Form& form, int32_t fills) {
    const int64_t total = form.total();
    const bool narrow = total < kNarrow && effort_ != Effort::kWide;
    Kernel kernel = by_width(narrow ? Kernel::xs_gather_1_32 : Kernel::xs_gather_1_64, form.element);
    if (kernel == Kernel::xs_gather_16_32 && effort_ == Effort::kNvidia) kernel = Kernel::xs_nvidia_gather_16_32;
    Launch& launch = add(kernel, total, sizeof(XsNest), 4);
    set_nest(&launch.arguments.nest, form, narrow, fills);
  }

  void add_convert(bool fills) {
    Launch& launch = add(Kernel::xs_convert, full_.total(), sizeof(XsNest));
    XsNest& args = launch.arguments.nest;
    set_nest(&args, full_, false, fills);
    args.src_offset = 0;
    args.src_unit_offset = full_.src_offset;
    // A widened packed form moves bytes.
    const bool widened = ir_.dst_container_bits < 8;
    args.src_unit_bits = widened ? 8 : ir_.src_unit_bits;
    args.src_bits = widened ? 8 : ir_.src_container_bits;
    args.dst_bits = widened ? 8 : ir_.dst_container_bits;
    args.value_bits = ir_.value_bits;
  }

  // Fills the positions without an element and leaves the others, by a gather that reads nothing.
  bool add_fill(int64_t data_bytes) {
    Form fill;
    const int64_t bytes = ir_.dst_container_bits / 8;
    if (alignment_ % bytes != 0 || !form_of(*ir_.fill_loops, &fill) || fill.guard_count > XS_MAX_GUARDS ||
        fill.total() * bytes != data_bytes)
      return false;
    fill.element = bytes;
    for (int32_t l = 0; l < fill.loop_count; ++l) fill.loop[l].src_stride = fill.loop[l].dst_stride;
    widen(alignment_, &fill);
    if (fill.loop_count > XS_MAX_LOOPS) return false;
    add_gather(fill, 2);
    return true;
  }

  // Fills the positions from `first` on.
  void add_fill_run(int64_t first) {
    const int64_t count = ir_.dst->positions - first;
    Launch& launch = add(Kernel::xs_fill_run, count, sizeof(XsRun));
    XsRun& args = launch.arguments.run;
    args.bytes = ir_.dst_container_bits / 8;
    args.dst_offset = first * args.bytes;
    args.count = count;
    repeat_fill(ir_, args.fill);
  }

  // The innermost loop of a side, or -1.
  int32_t find(int64_t FormLoop::*stride, int32_t except) const {
    for (int32_t l = form_.loop_count; l-- > 0;)
      if (l != except && form_.loop[l].*stride == form_.element) return l;
    return -1;
  }

  template <class Args>
  void set_around(Args* args, int32_t a, int32_t b) {
    args->src_offset = form_.src_offset;
    args->dst_offset = form_.dst_offset;
    for (int32_t l = 0; l < form_.loop_count; ++l)
      if (l != a && l != b) args->loop[args->loop_count++] = converted(form_.loop[l], true);
  }

  // Whether all rows start at multiples of 16 bytes if loops a and b are the planes.
  bool rows_aligned(int32_t a, int32_t b) const {
    if (alignment_ % 16 != 0 || form_.src_offset % 16 != 0 || form_.dst_offset % 16 != 0) return false;
    for (int32_t l = 0; l < form_.loop_count; ++l)
      if ((l != b && form_.loop[l].src_stride % 16 != 0) || (l != a && form_.loop[l].dst_stride % 16 != 0))
        return false;
    return true;
  }

  // Adds a kernel for nests of some kind if one is worth it. `fills`: whether the full form is filled; `filled` becomes
  // whether nothing is left to fill.
  bool add_special(bool holes, bool fills, bool* filled) {
    // A slice with padding takes longer than a gather, so most of them should have none.
    const bool slices = !fills || ir_.elements >= ir_.dst->data_positions / 2;
    const int32_t a = find(&FormLoop::dst_stride, -1), b = find(&FormLoop::src_stride, a);
    const bool plane = a >= 0 && b >= 0 && form_.loop_count - 2 <= kTileLoops;
    const double launches = holes ? kSecondLaunch : 1, few = plane ? few_worth(a, b) / launches : 0,
                 tile = plane ? tile_worth(a, b) / launches : 0, gather = gather_worth();
    Zipping zipping;
    if (!zip(full_, alignment_, &zipping)) zipping.worth = 0;
    const double best = std::max({few, tile, zipping.worth});
    if (slices && gather < kGoodGather && best < kGoodTile && add_pack(fills, std::max(best, gather))) return true;
    if (zipping.worth == best && best > gather) {
      add_zip(zipping, fills);
      return true;
    }
    if (few == 0 && tile == 0) return false;
    *filled = !holes;
    if (few >= tile) {
      add_few(a, b);
    } else {
      add_tile(a, b);
    }
    return true;
  }

  bool add_pack(bool fills, double least) {
    Packing packing;
    if (!pack(full_, alignment_, &packing) || packing.worth <= least) return false;
    Launch& launch = add(by_width(Kernel::xs_pack_1, full_.element), packing.blocks * XS_THREADS, sizeof(XsPack));
    launch.arguments.pack = packing.args;
    launch.arguments.pack.fills = fills;
    repeat_fill(ir_, launch.arguments.pack.fill);
    return true;
  }

  void add_zip(const Zipping& zipping, bool fills) {
    Launch& launch = add(zipping.kernel, zipping.args.total, sizeof(XsZip), 4);
    launch.arguments.zip = zipping.args;
    launch.arguments.zip.fills = fills;
    repeat_fill(ir_, launch.arguments.zip.fill);
  }

  // The worth of a gather by its source side: the destination is written in order.
  double gather_worth() const {
    if (form_.loop_count == 0) return 1;
    const FormLoop& inner = form_.loop[form_.loop_count - 1];
    const bool keeps = inner.src_stride == form_.element && inner.dst_stride == form_.element;
    return run_worth(keeps ? inner.extent * form_.element : form_.element);
  }

  static int64_t parts(int64_t extent, int64_t part) { return extent / part + (extent % part != 0); }

  // Whether a plane has few contiguous elements in the source (split) or the destination (merge).
  bool splits(const FormLoop& a, const FormLoop& b) const {
    return b.extent < kFew && a.src_stride == b.extent * form_.element;
  }
  bool merges(const FormLoop& a, const FormLoop& b) const {
    return a.extent < kFew && b.dst_stride == a.extent * form_.element;
  }
  // How many iterations of the longer loop a block takes.
  int64_t piece_of(int64_t few) const { return 16384 / (few * form_.element) / 16 * 16; }

  double few_worth(int32_t a, int32_t b) const {
    const int64_t e = form_.element;
    const FormLoop &loop_a = form_.loop[a], &loop_b = form_.loop[b];
    if (e > 8 || form_.guard_count > 0 || (!splits(loop_a, loop_b) && !merges(loop_a, loop_b))) return 0;
    const bool split = splits(loop_a, loop_b);
    const int64_t many = (split ? loop_a : loop_b).extent, few = (split ? loop_b : loop_a).extent;
    const int64_t pieces = parts(many, piece_of(few));
    if (many * e < 64 || form_.total() / many / few * pieces >= kNarrow) return 0;
    const double bytes = static_cast<double>(many * few * e) / static_cast<double>(pieces);
    return bytes / (bytes + 1024);
  }

  void add_few(int32_t a, int32_t b) {
    const int64_t e = form_.element;
    const FormLoop &loop_a = form_.loop[a], &loop_b = form_.loop[b];
    const bool split = splits(loop_a, loop_b);
    const FormLoop &many = split ? loop_a : loop_b, &few = split ? loop_b : loop_a;
    const int64_t piece = piece_of(few.extent), pieces = parts(many.extent, piece);
    const int64_t blocks = form_.total() / many.extent / few.extent * pieces;
    Launch& launch =
        add(by_width(split ? Kernel::xs_split_1 : Kernel::xs_merge_1, e), blocks * XS_THREADS, sizeof(XsFew));
    XsFew& args = launch.arguments.few;
    set_around(&args, a, b);
    args.many = many.extent;
    args.row_step = split ? few.dst_stride : few.src_stride;
    args.few = static_cast<int32_t>(few.extent);
    args.piece = static_cast<int32_t>(piece);
    args.pieces = divided_by(pieces, true);
    args.is_aligned =
        alignment_ % 16 == 0 && form_.src_offset % 16 == 0 && form_.dst_offset % 16 == 0 && args.row_step % 16 == 0;
    for (int32_t l = 0; l < args.loop_count; ++l)
      args.is_aligned &= args.loop[l].src_stride % 16 == 0 && args.loop[l].dst_stride % 16 == 0;
  }

  static int64_t tile_rows(int64_t e) { return e <= 2 ? 128 : e <= 8 ? 64 : 32; }

  // The worth of tiling the planes of loops a and b; 0: not possible.
  double tile_worth(int32_t a, int32_t b) const {
    const int64_t e = form_.element;
    const FormLoop &loop_a = form_.loop[a], &loop_b = form_.loop[b];
    if (loop_a.guard >= 0 && loop_a.guard == loop_b.guard) return 0;
    const int64_t run_a = loop_a.extent * e, run_b = loop_b.extent * e;
    if (run_a < 32 || run_b < 32) return 0;
    const int64_t rows = tile_rows(e), columns = 16384 / e / rows;
    const int64_t tiles = parts(loop_a.extent, rows) * parts(loop_b.extent, columns);
    // A plane that fills less than a sixteenth of its tiles is gathered instead.
    if (loop_a.extent * loop_b.extent < tiles * rows * columns / 16) return 0;
    if (form_.total() / loop_a.extent / loop_b.extent * tiles >= kNarrow) return 0;
    const double used =
        static_cast<double>(loop_a.extent * loop_b.extent) / static_cast<double>(tiles * rows * columns);
    return std::min(1.0, used / kFullTile) * run_worth(std::min(run_a, rows * e)) *
           run_worth(std::min(run_b, columns * e));
  }

  void add_tile(int32_t a, int32_t b) {
    const int64_t e = form_.element;
    const FormLoop &loop_a = form_.loop[a], &loop_b = form_.loop[b];
    const int64_t rows = tile_rows(e), tiles_a = parts(loop_a.extent, rows),
                  tiles_b = parts(loop_b.extent, 16384 / e / rows);
    const int64_t blocks = form_.total() / loop_a.extent / loop_b.extent * tiles_a * tiles_b;
    const Kernel first = effort_ == Effort::kNvidia ? Kernel::xs_nvidia_tile_1 : Kernel::xs_tile_1;
    Launch& launch = add(by_width(first, e), blocks * XS_THREADS, sizeof(XsTile));
    XsTile& args = launch.arguments.tile;
    set_plane(&args, a, b, tiles_a, tiles_b);
    args.step_a = loop_a.step;
    args.step_b = loop_b.step;
    args.guard_a = loop_a.guard;
    args.guard_b = loop_b.guard;
    args.guard_count = form_.guard_count;
    set_guards(form_, args.low, args.high);
  }

  // Sets the plane of loops a (rows) and b (columns), and the loops around it.
  void set_plane(XsTile* args, int32_t a, int32_t b, int64_t tiles_a, int64_t tiles_b) {
    set_around(args, a, b);
    args->extent_a = form_.loop[a].extent;
    args->extent_b = form_.loop[b].extent;
    args->src_step_a = form_.loop[a].src_stride;
    args->dst_step_b = form_.loop[b].dst_stride;
    args->tiles_a = divided_by(tiles_a, true);
    args->tiles_b = divided_by(tiles_b, true);
    args->is_aligned = rows_aligned(a, b);
  }

  // Adds tiles for planes of 4-bit elements, if every byte belongs to one plane; strides count elements until here.
  bool add_half() {
    form_.element = 1;
    const int32_t a = find(&FormLoop::dst_stride, -1), b = find(&FormLoop::src_stride, a);
    if (a < 0 || b < 0 || form_.loop_count - 2 > kTileLoops) return false;
    if (form_.loop[a].extent % 2 != 0 || form_.src_offset % 2 != 0 || form_.dst_offset % 2 != 0) return false;
    for (int32_t l = 0; l < form_.loop_count; ++l) {
      FormLoop& loop = form_.loop[l];
      if (loop.guard >= 0 || (l != b && loop.src_stride % 2 != 0) || (l != a && loop.dst_stride % 2 != 0)) return false;
    }
    const FormLoop &loop_a = form_.loop[a], &loop_b = form_.loop[b];
    if (loop_a.extent < 32 || loop_b.extent < 32) return false;
    const int64_t tiles_a = (loop_a.extent + 255) / 256, tiles_b = (loop_b.extent + 127) / 128;
    const int64_t blocks = form_.total() / loop_a.extent / loop_b.extent * tiles_a * tiles_b;
    if (blocks >= kNarrow) return false;
    form_.src_offset /= 2;
    form_.dst_offset /= 2;
    for (int32_t l = 0; l < form_.loop_count; ++l) {
      form_.loop[l].src_stride /= 2;
      form_.loop[l].dst_stride /= 2;
    }
    Launch& launch = add(Kernel::xs_tile_half, blocks * XS_THREADS, sizeof(XsTile));
    XsTile& args = launch.arguments.tile;
    set_plane(&args, a, b, tiles_a, tiles_b);
    return true;
  }

  void add_program() {
    const bool has_box = (ir_.flags & XLASHAPE_IR_HAS_BOX) != 0;
    const bool has_way_back = ir_.dst->output_extent != nullptr;
    const int bits = ir_.dst_container_bits;
    const int values = std::max(ir_.src->rank + ir_.src->value_count, ir_.dst->rank + ir_.dst->value_count);
    const bool small = values <= 64;
    // A box that is a small part of the destination has fewer elements than the destination has positions.
    const bool by_elements = !has_way_back || (has_box && bits >= 8);
    int64_t first = 0, count;
    if (by_elements) {
      count = ir_.elements;
    } else {
      // Counts bytes for packed positions, and ends where the relayout may not touch memory.
      const int64_t bytes = std::max(1, bits / 8);
      count = bits < 8 ? parts(ir_.dst->positions, 8 / bits) : ir_.dst->positions;
      first = ir_.dst_low / bytes;
      count = std::min(count, parts(ir_.dst_high, bytes)) - first;
    }
    if (count <= 0) return;
    const Kernel positions = small ? Kernel::xs_program_positions_64 : Kernel::xs_program_positions_1024;
    const Kernel elements = small ? Kernel::xs_program_elements_64 : Kernel::xs_program_elements_1024;
    const TableLayout at = table_layout(ir_);
    Launch& launch = add(by_elements ? elements : positions, count, sizeof(XsProgram));
    XsProgram& args = launch.arguments.program;
    args.first = first;
    args.count = count;
    args.positions = ir_.dst->positions;
    args.src_map = static_cast<int32_t>(at.src_map);
    args.dst_map = static_cast<int32_t>(at.dst_map);
    args.box = static_cast<int32_t>(at.box);
    args.has_box = has_box;
    args.fills = fills_;
    args.src_bits = ir_.src_container_bits;
    args.dst_bits = bits;
    args.value_bits = ir_.value_bits;
    repeat_fill(ir_, args.fill);
    out_.needs_tables = true;
  }

  const xlashape_relayout_ir& ir_;
  const int64_t alignment_;
  const Effort effort_;
  Launches& out_;
  xlashape_error* err_;
  Form form_;
  Form full_;  // with the padding as iterations too, if that is possible
  bool fills_ = false;
  xlashape_status status_ = XLASHAPE_STATUS_OK;
};

}  // namespace

xlashape_status plan_relayout(const xlashape_relayout_ir& ir, int64_t alignment, Effort effort, Launches* launches,
                              xlashape_error* err) {
  return Planner(ir, alignment, effort, launches, err).run();
}

}  // namespace xlashape::gpu
