// Runtimes with hooks and backends of ours, and batches of indices with what they have to give.
#pragma once
#include "world.h"
#include "xlashape_backend.h"

namespace api_fuzz {

// A runtime with the library's own backends, made once and never released: what others are compared with.
xlashape_runtime* steady();
// One of the pool's, the steady one, or NULL for the default one.
xlashape_runtime* draw_runtime(Input& input);
// One that a backend of ours was just added to, whose plans it gets first; or NULL.
xlashape_runtime* draw_runtime_with_ours(Input& input);
// Blocks that the allocator hooks gave and did not get back.
int64_t live_blocks();

// An executor of some kind: in other orders, on threads, one that gives up.
struct DrawnExecutor {
  xlashape_executor executor;
  bool gives_up;
};
DrawnExecutor draw_executor(Input& input);

// Opens the simd backend; NULL where that is not built.
extern const xlashape_backend_open open_simd;
// Opens a backend of ours: one that works, or refuses something, or everything; seldom NULL.
xlashape_backend_open draw_open(Input& input);
// True where a plan on that backend may fail although nothing is wrong with the call.
bool is_ours(const char* backend);
bool gives_up(const xlashape_runtime* runtime);

// While it lives calls may fail as our backends do.
class MayFail {
 public:
  explicit MayFail(const xlashape_runtime* runtime);
  ~MayFail() { allowed = before_; }

 private:
  Allowed before_;
};

struct IndexBatch {
  std::vector<std::vector<int64_t>> index;
  std::vector<int64_t> linear;
  std::vector<bool> good;
  int64_t bad = 0;
};
// How many: seldom so many that they are spread over an executor.
int64_t draw_count(Input& input);
// Indices and their positions, as single conversions say.
IndexBatch draw_batch(Input& input, const xlashape_index_map* map, int64_t count, bool to_linear, bool damaged);
bool single_index(const xlashape_index_map* map, const std::vector<int64_t>& index, int64_t* linear);
bool single_position(const xlashape_index_map* map, int64_t linear, std::vector<int64_t>* index);

}  // namespace api_fuzz
