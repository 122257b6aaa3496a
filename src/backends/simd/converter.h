/* SPDX-License-Identifier: Apache-2.0 */
// Converts runs of numbers in containers of whole bytes, as a relayout's value step says.
#pragma once
#include "backends/common/values.h"
#include "backends/simd/kernels.h"

namespace xlashape::simd {

// The channel of a run's first number, and how far each number is from the one before.
struct RunChannel {
  int64_t first, step;
};

class Converter {
 public:
  // Containers of so many bytes on each side, which a scratch buffer may have in the place of packed ones; `count`: how
  // many numbers it will convert. The step must outlive it.
  Converter(const Kernels& kernels, const xlashape_value_ir& step, int src_bytes, int dst_bytes, int64_t count);
  Converter(const Converter&) = delete;

  // Numbers that are so many bytes apart on each side. The sides do not overlap, unless they begin and go on alike.
  // `follows`: more of the source follows, and is prefetched.
  void run(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count, RunChannel channel,
           bool follows = false) const;

  // How it converts, as "by vectors".
  const char* method() const;

 private:
  enum class Method : uint8_t { kKept, kNumbers, kTable, kVectors };  // kKept: bytes stay what they are
  static constexpr int kMaxSteps = 6;

  bool plan_vectors(int64_t count);
  void add(ValueKernel kernel) { add(kernel, kernel); }
  void add(ValueKernel one_scale, ValueKernel each_scale) {
    kernels_[0][steps_] = one_scale;
    kernels_[1][steps_++] = each_scale;
  }
  void add(const ValueKernel (&kernels)[2]) { add(kernels[0], kernels[1]); }
  // A step that loads bytes itself, where the source's are the first thing that it takes.
  template <class Kernel>
  void add_of_integer(const Kernel& kernel) {
    if (integer_ < 2) steps_ = 0;
    add(kernel);
  }
  bool load(bool* is_float);
  bool store_integer();
  bool store_float();
  void make_table();

  void contiguous(char* to, const char* from, int64_t count, RunChannel channel, bool follows) const;
  void vectors(char* to, const char* from, int64_t count, RunChannel channel, bool follows) const;
  void numbers(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count, RunChannel channel) const;

  const ValueKernels& all_;
  const xlashape_value_ir& ir_;
  const backends::ValueStep step_;
  const int src_bytes_, dst_bytes_;
  Method method_ = Method::kNumbers;
  bool looks_up_ = false;  // the first step of vectors is the table
  int integer_ = 2;        // the source's: 0: u8, 1: s8, 2: others
  int steps_ = 0;
  ValueKernel kernels_[2][kMaxSteps] = {};  // of runs with one scale, and with one each
  ValueParams params_;
  alignas(64) char table_[256 * 8];  // of kTable: each source byte's container; of vectors: its f32
};

}  // namespace xlashape::simd
