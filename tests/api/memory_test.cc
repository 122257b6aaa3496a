// SPDX-License-Identifier: Apache-2.0
// Every allocation fails in turn, in a scenario that goes through the whole API: the answer is NO_MEMORY (or success,
// where a function can do without), and nothing leaks, descriptors neither. malloc and its kin are replaced in this
// executable, so it does nothing where a sanitizer or valgrind has replaced them already.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "api.h"
#include "xlashape_backend.h"
#include "xlashape_experimental.h"
#include "xlashape_target.h"
#include "xlashape_xla.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REPLACED_ELSEWHERE 1
#elif defined(__has_feature)
#define REPLACED_ELSEWHERE (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define REPLACED_ELSEWHERE 0
#endif

namespace {

// While `armed`, allocations are counted; those from number `fail_from` on fail, `fail_count` of them.
bool armed = false;
int64_t calls = 0, live = 0, fail_from = 0, fail_count = 0;

[[maybe_unused]] bool refuse() {
  if (!armed) return false;
  const int64_t call = calls++;
  if (call < fail_from || call - fail_from >= fail_count) return false;
  errno = ENOMEM;
  return true;
}

[[maybe_unused]] void* taken(void* pointer) {
  if (armed && pointer != nullptr) ++live;
  return pointer;
}

}  // namespace

#if !REPLACED_ELSEWHERE
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* pointer, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* pointer);

void* malloc(size_t size) { return refuse() ? nullptr : taken(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) { return refuse() ? nullptr : taken(__libc_calloc(count, size)); }
void* realloc(void* pointer, size_t size) {
  if (refuse()) return nullptr;
  void* moved = __libc_realloc(pointer, size);
  return pointer == nullptr ? taken(moved) : moved;
}
void* memalign(size_t alignment, size_t size) { return refuse() ? nullptr : taken(__libc_memalign(alignment, size)); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** pointer, size_t alignment, size_t size) {
  void* made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *pointer = made;
  return 0;
}
void free(void* pointer) {
  if (armed && pointer != nullptr) --live;
  __libc_free(pointer);
}
}  // extern "C"
#endif

namespace {

// Longer than a small string.
constexpr const char* kLongText = "a value of an option that is too long for a small string to keep";

xlashape_status nothing_supported(void*, const xlashape_op*, xlashape_support*, xlashape_error*) {
  return XLASHAPE_STATUS_OK;
}
xlashape_status nothing_run(void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error*) {
  return XLASHAPE_STATUS_UNSUPPORTED;
}
xlashape_status open_nothing(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  EXPECT_STREQ(host->option(host->opaque, "kernel"), kLongText);
  backend->abi_version = host->abi_max;
  backend->name = backend->build_id = "a backend that supports nothing, with a name too long for a small string";
  backend->sanitizer = "";
  backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  backend->supports = nothing_supported;
  backend->plan_execute = nothing_run;
  return XLASHAPE_STATUS_OK;
}

// What the library has been given to release and has not: by backends that it took.
int64_t owed = 0;

// All handles of one run of the scenario, given back at its end however far it came.
struct Handles {
  xlashape_layout* layouts[8] = {};
  xlashape_shape* shapes[20] = {};
  xlashape_program_shape* programs[3] = {};
  xlashape_index_map* map = nullptr;
  xlashape_runtime* runtime = nullptr;
  xlashape_plan* plans[2] = {};
  xlashape_index_plan* index_plan = nullptr;
  ~Handles() {
    for (auto* plan : plans) xlashape_plan_release(plan);
    xlashape_index_plan_release(index_plan);
    for (auto* program : programs) xlashape_program_shape_release(program);
    for (auto* shape : shapes) xlashape_shape_release(shape);
    for (auto* layout : layouts) xlashape_layout_release(layout);
    xlashape_index_map_release(map);
    xlashape_runtime_release(runtime);
  }
};

#define STEP(call)                                        \
  do {                                                    \
    if (const xlashape_status step = (call)) return step; \
  } while (false)

// Ranks beyond what is stored inside the objects, so that every list allocates.
constexpr char kShape[] =
    "f32[2,2,1,2,1,2,1,1,3,130]{9,8,7,6,5,4,3,2,1,0:T(2,1,2,8,128)(4,1)(2,2,1)L(64)E(32)SC(0:1)(8:1,2)PD(2,2,1,2,1,2,1,"
    "1,"
    "4,140)}";
constexpr char kLayout[] = "{9,8,7,6,5,4,3,2,1,0:T(2,2,2,2,2,2)(2,2)(2,1)(2,1)}";
constexpr char kPlain[] = "f32[2,2,1,2,1,2,1,1,3,130]";

xlashape_status scenario(const std::string& deep_text, [[maybe_unused]] const char* folder, xlashape_error* err) {
  Handles h;
  static float src[16 * 390], dst[1 << 16];
  static char text[1 << 16];
  int64_t numbers[16], needed;
  int64_t text_needed;
  const int64_t dims[10] = {2, 2, 1, 2, 1, 2, 1, 1, 3, 130};
  // Layouts.
  STEP(xlashape_layout_create_row_major(10, &h.layouts[0], err));
  STEP(xlashape_layout_create_column_major(10, &h.layouts[1], err));
  STEP(xlashape_layout_parse(kLayout, sizeof kLayout - 1, 0, &h.layouts[2], err));
  // Lists that are longer than what the library keeps inside its objects.
  const int64_t order[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, padded[] = {2, 2, 1, 2, 1, 2, 1, 1, 3, 130};
  const int64_t tile_ranks[] = {2, 2, 2, 1, 1}, tiles[] = {2, 2, 2, 2, 2, 2, 2, 2};
  const int64_t split_dimensions[] = {0, 1, 8}, split_sizes[] = {1, 1, 2}, split_indices[] = {1, 1, 1, 2};
  auto spec = XLASHAPE_INIT(xlashape_layout_spec);
  spec.padding_value = XLASHAPE_PAD_ONE;
  spec.rank = 10;
  spec.minor_to_major = order, spec.padded_dimensions = padded;
  spec.tile_count = 5, spec.tile_ranks = tile_ranks, spec.tile_dimensions = tiles;
  spec.element_size_in_bits = 32;
  spec.tail_padding_alignment_in_elements = 4;
  spec.split_count = 3, spec.split_dimensions = split_dimensions;
  spec.split_sizes = split_sizes, spec.split_indices = split_indices;
  STEP(xlashape_layout_create(&spec, &h.layouts[3], err));
  STEP(xlashape_layout_logical_to_physical(h.layouts[0], numbers, 16, &needed, err));
  STEP(xlashape_layout_print(h.layouts[3], 0, text, sizeof text, &text_needed, err));
  // Shapes.
  STEP(xlashape_shape_create_array(XLASHAPE_TYPE_F32, dims, nullptr, 10, h.layouts[3], 0, &h.shapes[0], err));
  STEP(xlashape_shape_create_array(XLASHAPE_TYPE_F32, dims, nullptr, 10, nullptr, 0, &h.shapes[1], err));
  STEP(xlashape_shape_create_tuple(h.shapes, 2, &h.shapes[2], err));
  STEP(xlashape_shape_create_token(&h.shapes[3], err));
  STEP(xlashape_shape_create_opaque(&h.shapes[4], err));
  STEP(xlashape_shape_create_buffer(h.shapes[0], &h.shapes[5], err));
  STEP(xlashape_shape_with_layout(h.shapes[5], h.layouts[1], &h.shapes[6], err));
  STEP(xlashape_shape_parse(deep_text.data(), deep_text.size(), 0, &h.shapes[7], err));
  STEP(xlashape_shape_print(h.shapes[7], 0, text, sizeof text, &text_needed, err));
  xlashape_shape_hash(h.shapes[7], 0);
  xlashape_shape_equal(h.shapes[7], h.shapes[7], 0);
  xlashape_shape_compatible(h.shapes[7], h.shapes[2], 0);
  STEP(xlashape_shape_parse(kShape, sizeof kShape - 1, 0, &h.shapes[8], err));
  STEP(xlashape_shape_parse(kPlain, sizeof kPlain - 1, 0, &h.shapes[9], err));
  int64_t end;
  STEP(xlashape_layout_parse_head(kLayout, sizeof kLayout - 1, 0, &h.layouts[4], &end, err));
  STEP(xlashape_shape_parse_head(kShape, sizeof kShape - 1, 0, &h.shapes[10], &end, err));
  STEP(xlashape_program_shape_create(&h.shapes[2], 2, nullptr, nullptr, h.shapes[2], &h.programs[0], err));
  STEP(xlashape_program_shape_without_layout_fields(h.programs[0], XLASHAPE_LAYOUT_FIELD_ALL, &h.programs[1], err));
  STEP(xlashape_program_shape_with_default_layouts(h.programs[1], &h.programs[2], err));
  xlashape_program_shape_has_all_layouts(h.programs[2]);
  xlashape_target v5e;
  STEP(xlashape_target_from_name("tpu:v5e", 7, &v5e, err));
  STEP(xlashape_target_layout(v5e, XLASHAPE_TYPE_BF16, dims, nullptr, 10, &h.layouts[5], err));
  STEP(xlashape_shape_for_target(h.shapes[2], v5e, XLASHAPE_TARGET_KEEP_ORDER, &h.shapes[16], err));
  STEP(xlashape_shape_with_layout(h.shapes[9], h.layouts[1], &h.shapes[11], err));
  auto steps = XLASHAPE_INIT(xlashape_bitcast_steps);
  STEP(xlashape_shape_decompose_bitcast(h.shapes[9], h.shapes[11], 0, &steps, err));
  h.shapes[12] = steps.reshape_from, h.shapes[13] = steps.reshape_to;
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  STEP(xlashape_shape_sizes(h.shapes[8], &sizes, err));
  STEP(xlashape_shape_byte_size(h.shapes[8], 8, 0, numbers, err));
  STEP(xlashape_shape_strides(h.shapes[9], XLASHAPE_UNIT_BYTES, numbers, 16, &needed, err));
  // Index maps, on the default runtime.
  STEP(xlashape_index_map_create(h.shapes[8], &h.map, err));
  const int64_t index[10] = {};
  STEP(xlashape_index_map_linear_index(h.map, index, 10, numbers, err));
  // Runtimes and backends.
  char backend_options[128];
  std::snprintf(backend_options, sizeof backend_options, "nothing.kernel=%s;nothing.other=1", kLongText);
  auto runtime_options = XLASHAPE_INIT(xlashape_runtime_options);
  runtime_options.backend = "a backend that does not exist and has a long name,*";
  runtime_options.denied_backends = "another one, which does not exist either,and a third one";
  runtime_options.cpu = "avx2";
#ifndef XLASHAPE_NO_LOADER
  runtime_options.backend_dirs = folder;
#endif
  runtime_options.backend_options = backend_options;
  STEP(xlashape_runtime_create(&runtime_options, &h.runtime, err));
  STEP(xlashape_runtime_add_backend(
      h.runtime, "nothing", 7, open_nothing, &owed, [](void* user) { --*static_cast<int64_t*>(user); }, 0, err));
  ++owed;
  STEP(xlashape_runtime_report(h.runtime, text, sizeof text, &text_needed, err));
  // Relayouts.
  STEP(xlashape_plan_create(h.runtime, h.shapes[9], h.shapes[8], nullptr, &h.plans[0], err));
  auto by_scalar = XLASHAPE_INIT(xlashape_relayout_options);
  by_scalar.backend = "scalar";
  STEP(xlashape_plan_create(h.runtime, h.shapes[8], h.shapes[9], &by_scalar, &h.plans[1], err));
  STEP(xlashape_plan_describe(h.plans[0], text, sizeof text, &text_needed, err));
  if (static_cast<size_t>(sizes.bytes) > sizeof dst) return XLASHAPE_STATUS_INTERNAL;
  STEP(xlashape_plan_execute(h.plans[0], src, sizeof src, dst, sizeof dst, err));
  STEP(xlashape_plan_execute(h.plans[1], dst, sizeof dst, src, sizeof src, err));
  STEP(xlashape_plan_shapes(h.plans[0], &h.shapes[14], &h.shapes[15], err));
  auto relayout_options = XLASHAPE_INIT(xlashape_relayout_options);
  relayout_options.backend = "a backend\nwhose name is too long for a small string";
  relayout_options.src_base = relayout_options.dst_base = index;
  relayout_options.extent = dims;
  STEP(xlashape_plan_key(h.shapes[9], h.shapes[8], &relayout_options, text, sizeof text, &text_needed, err));
  // Watched, in a list, and asynchronously, which is here on this thread.
  auto watched = XLASHAPE_INIT(xlashape_execute_options);
  const int32_t cancel = 0;
  watched.cancel = &cancel;
  xlashape_plan* const both[] = {h.plans[0], h.plans[1]};
  static float back[16 * 390], back_dst[1 << 16];
  const auto at = [](const void* memory) -> uint64_t { return reinterpret_cast<uintptr_t>(memory); };
  const uint64_t from[] = {at(src), at(dst)}, into[] = {at(back_dst), at(back)};
  STEP(xlashape_plan_execute_list(2, both, from, nullptr, into, nullptr, &watched, err));
  watched.src = at(src), watched.src_bytes = sizeof src;
  watched.dst = at(dst), watched.dst_bytes = sizeof dst;
  STEP(xlashape_plan_execute_with(h.plans[0], &watched, err));
  const auto* const x =
      static_cast<const xlashape_extension_execution*>(xlashape_get_extension(XLASHAPE_EXTENSION_EXECUTION, 11));
  struct Heard {
    xlashape_status status = XLASHAPE_STATUS_INTERNAL;
    xlashape_error err = {};
  } heard;
  const auto done = [](void* opaque, xlashape_status status, const xlashape_error* why) {
    auto& to = *static_cast<Heard*>(opaque);
    to.status = status;
    if (why != nullptr) to.err = *why;
  };
  STEP(x->execute_async(h.plans[0], &watched, done, &heard, err));
  if (heard.status != XLASHAPE_STATUS_OK) return *err = heard.err, heard.status;
  STEP(x->source_range(h.plans[0], 0, 100, &numbers[0], &numbers[1], err));
  // An index plan.
  auto index_options = XLASHAPE_INIT(xlashape_index_options);
  index_options.flags = XLASHAPE_INDEX_MARK_INVALID;
  STEP(xlashape_index_plan_create(h.runtime, h.map, XLASHAPE_CONVERSION_TO_LINEAR, &index_options, &h.index_plan, err));
  STEP(xlashape_index_plan_execute(h.index_plan, 1, index, sizeof index, numbers, sizeof numbers, nullptr, err));
  STEP(xlashape_relayout(nullptr, h.shapes[9], src, sizeof src, h.shapes[8], dst, sizeof dst, nullptr, err));
  return XLASHAPE_STATUS_OK;
}

int open_descriptors() {
  int count = 0;
  for (int i = 0; i < 256; ++i) count += fcntl(i, F_GETFD) != -1;
  return count;
}

// A folder whose files are looked into, each in another way, and refused.
class Folder {
 public:
  Folder() {
    char path[] = "/tmp/xlashape-memory-XXXXXX";
    if (mkdtemp(path) == nullptr) return;
    path_ = path;
    mkdir((path_ + "/folder.xlashape.toml").c_str(), 0755);
    std::ofstream(path_ + "/broken.xlashape.toml") << "manifest = 2\n";
    std::ofstream(path_ + "/good.xlashape.toml") << "manifest = 1\nname = \"good\"\nabi = \"0.1\"\n";
    std::ofstream(path_ + "/good.so") << "no object";
    std::ofstream(path_ + "/text.so") << "no object";
  }
  ~Folder() {
    for (const char* name : {"/broken.xlashape.toml", "/good.xlashape.toml", "/good.so", "/text.so"})
      unlink((path_ + name).c_str());
    rmdir((path_ + "/folder.xlashape.toml").c_str());
    rmdir(path_.c_str());
  }
  Folder(const Folder&) = delete;
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

bool valgrind_runs() {
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::strstr(preloaded, "vgpreload") != nullptr;
}

TEST(Memory, EveryAllocationFailsInTurn) {
  if (REPLACED_ELSEWHERE || valgrind_runs()) GTEST_SKIP() << "malloc is replaced by the tool that runs this";
  std::string deep_text = "f32[2]";
  for (int i = 0; i < 200; ++i) deep_text = "(" + deep_text + ", s8[3,4]{0,1:T(2,2)})";
  auto err = XLASHAPE_INIT(xlashape_error);
  const Folder folder;
  ASSERT_EQ(scenario(deep_text, folder.path(), &err), XLASHAPE_STATUS_OK)
      << err.message;  // makes the default runtime, too

  const auto run = [&](int64_t from, int64_t count) {
    calls = live = 0;
    fail_from = from;
    fail_count = count;
    err.message[0] = '\0';
    armed = true;
    const xlashape_status status = scenario(deep_text, folder.path(), &err);
    armed = false;
    return status;
  };
  ASSERT_EQ(run(0, 0), XLASHAPE_STATUS_OK) << err.message;
  const int64_t total = calls;
  EXPECT_EQ(live, 0) << "the scenario leaks even when memory is there";
  const int descriptors = open_descriptors();
  ASSERT_GT(total, 50) << "the scenario allocates too little to be a test";
  int64_t failures = 0;
  for (const int64_t count : {int64_t{1}, INT64_MAX}) {
    for (int64_t from = 0; from < total; ++from) {
      const xlashape_status status = run(from, count);
      ASSERT_TRUE(status == XLASHAPE_STATUS_NO_MEMORY || status == XLASHAPE_STATUS_OK)
          << "allocation " << from << " of " << total << ": " << xlashape_status_name(status) << ", " << err.message;
      ASSERT_EQ(owed, 0) << "released too often or not at all after failing allocation " << from << " of " << total;
      ASSERT_EQ(live, 0) << "leak after failing allocation " << from << " of " << total;
      ASSERT_EQ(open_descriptors(), descriptors) << "left open after failing allocation " << from << " of " << total;
      if (status == XLASHAPE_STATUS_NO_MEMORY) {
        ++failures;
        ASSERT_STREQ(err.message, "out of memory");
      }
    }
  }
  RecordProperty("allocations", static_cast<int>(total));
  RecordProperty("failures", static_cast<int>(failures));
  EXPECT_GT(failures, total) << "most allocations matter";
}

}  // namespace
