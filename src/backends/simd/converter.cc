// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/converter.h"

#include <algorithm>
#include <cstring>

#include "backends/common/element.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

constexpr int64_t kAhead = 4096;          // bytes
constexpr int64_t kPiece = 256;           // numbers that go through all steps together
constexpr int64_t kLeastForTable = 2048;  // with fewer numbers the table takes longer than they do
constexpr int32_t kMostZeroPoint = 1 << 20;

bool is_integer(const xlashape_number& n) {
  return n.kind == XLASHAPE_NUMBER_SIGNED || n.kind == XLASHAPE_NUMBER_UNSIGNED;
}
bool is_float(const xlashape_number& n) { return n.kind == XLASHAPE_NUMBER_FLOAT; }
bool is_ieee(const xlashape_number& n, int bits, int fraction) {
  return is_float(n) && n.bits == bits && n.fraction_bits == fraction && (n.specials & XLASHAPE_FLOAT_INFINITY) != 0;
}
bool is_f32(const xlashape_number& n) { return is_ieee(n, 32, 23); }
bool is_f64(const xlashape_number& n) { return is_ieee(n, 64, 52); }
bool is_bf16(const xlashape_number& n) { return is_ieee(n, 16, 7); }
bool is_f16(const xlashape_number& n) { return is_ieee(n, 16, 10); }

NarrowFloat narrow_float(const xlashape_number& n, bool saturates) {
  const backends::FloatCodes codes(n);
  NarrowFloat made;
  made.dropped = 23 - codes.fraction;
  made.below_half = (uint32_t{1} << (made.dropped - 1)) - 1;
  made.rebias = static_cast<uint32_t>(127 - codes.bias) << codes.fraction;
  made.least_normal = static_cast<uint32_t>(128 - codes.bias) << 23;
  made.addend = static_cast<uint32_t>(151 - codes.bias - codes.fraction) << 23;
  made.highest = static_cast<uint32_t>(codes.highest);
  made.sign = static_cast<uint32_t>(codes.sign);
  made.sign_shift = 32 - n.bits;
  made.has_subnormals = codes.bias != 127;
  made.has_negative_zero = codes.has_negative_zero;
  made.has_nan = codes.has_nan;
  made.overflow = static_cast<uint32_t>(backends::ValueStep::overflow(codes, false, saturates));
  made.nan = static_cast<uint32_t>(codes.signed_nan(false));
  return made;
}

}  // namespace

Converter::Converter(const Kernels& kernels, const xlashape_value_ir& step, int src_bytes, int dst_bytes, int64_t count)
    : all_(kernels.fixed.values), ir_(step), step_(step), src_bytes_(src_bytes), dst_bytes_(dst_bytes) {
  if ((step.flags & XLASHAPE_VALUES_CONVERT) == 0) {
    method_ = Method::kKept;
  } else if (plan_vectors(count)) {
    method_ = Method::kVectors;
    if (looks_up_) make_table();
  } else if (src_bytes == 1 && dst_bytes <= 8 && !step_.has_channels() && count >= kLeastForTable) {
    method_ = Method::kTable;
    make_table();
  }
}

const char* Converter::method() const {
  constexpr const char* kNames[] = {"nothing", "number by number", "by a table of bytes", "by vectors"};
  return kNames[static_cast<int>(method_)];
}

// -- The steps of vectors ---------------------------------------------------------------------------------------------

bool Converter::load(bool* float_in) {
  const xlashape_number& src = ir_.src;
  *float_in = is_float(src);
  const bool exact = src_bytes_ * 8 == src.bits;
  if (is_f32(src)) return exact;
  if (is_f64(src)) {
    // Rounded or cut off once: an f32 on the way must not be nearer to another number.
    const bool is_narrow = ir_.dst.bits <= 16;
    if (ir_.scale_count > 0 || !(is_narrow || is_f32(ir_.dst))) return false;
    add(is_narrow ? all_.load_f64_odd : all_.load_f64);
    return exact;
  }
  if (is_bf16(src) || is_f16(src)) {
    add(is_bf16(src) ? all_.load_bf16 : all_.load_f16);
    return exact;
  }
  if (is_float(src)) {  // of a byte, if each number has a scale: else the table has all that becomes of it
    looks_up_ = src_bytes_ == 1 && step_.has_channels();
    return looks_up_;
  }
  if (!is_integer(src) || src.bits > 32 || src_bytes_ > 4) return false;
  const bool is_signed = src.kind == XLASHAPE_NUMBER_SIGNED;
  if (src_bytes_ < 4) add((src_bytes_ == 1 ? all_.load8 : all_.load16)[is_signed && exact]);
  params_.unused = 32 - src.bits;
  if (!exact) add(is_signed ? all_.extend_signed : all_.extend_unsigned);
  if (exact && src_bytes_ == 1) integer_ = is_signed;
  return true;
}

bool Converter::store_integer() {
  if (dst_bytes_ > 4) return false;
  if (dst_bytes_ < 4) add(dst_bytes_ == 1 ? all_.store8 : all_.store16);
  return true;
}

bool Converter::store_float() {
  const xlashape_number& dst = ir_.dst;
  if (is_f64(dst)) {
    if (ir_.scale_count > 0 || dst_bytes_ != 8 || (ir_.flags & XLASHAPE_VALUES_SATURATE) != 0) return false;
    if (is_f32(ir_.src)) add(all_.quiet_f32);
    add(is_float(ir_.src) ? all_.store_f64 : all_.store_f64_of_int);
    return true;
  }
  // Infinity stays, unless it is to become the largest number.
  if (is_f32(dst)) return dst_bytes_ == 4 && (ir_.flags & XLASHAPE_VALUES_SATURATE) == 0;
  if (!is_float(dst) || dst.bits > 16 || dst_bytes_ > 2 || (dst.specials & XLASHAPE_FLOAT_ZERO) == 0) return false;
  const bool saturates = (ir_.flags & XLASHAPE_VALUES_SATURATE) != 0;
  params_.narrow = narrow_float(dst, saturates);
  add(is_bf16(dst) && !saturates && dst_bytes_ == 2 ? all_.encode_bf16
      : dst_bytes_ == 2                             ? all_.encode16
                                                    : all_.encode8);
  return true;
}

// False where these kernels do not do it.
bool Converter::plan_vectors(int64_t count) {
  const xlashape_number& dst = ir_.dst;
  const bool quantizes = (ir_.flags & XLASHAPE_VALUES_QUANTIZE) != 0;
  const bool dequantizes = (ir_.flags & XLASHAPE_VALUES_DEQUANTIZE) != 0;
  const bool saturates = (ir_.flags & XLASHAPE_VALUES_SATURATE) != 0;
  bool from_float;
  if (all_.load_bf16 == nullptr || count < kValueGroup || !load(&from_float)) return false;
  if (is_integer(dst)) {
    if (dst.bits > 32) return false;
    const bool is_signed = dst.kind == XLASHAPE_NUMBER_SIGNED;
    params_.mask = ~uint32_t{0} >> (32 - dst.bits);
    params_.most = static_cast<int32_t>(static_cast<int64_t>(params_.mask) >> (is_signed || dst.bits == 32 ? 1 : 0));
    params_.least = is_signed ? -params_.most - 1 : 0;
  }
  for (int32_t i = 0; i < ir_.scale_count; ++i)
    if (ir_.zero_point[i] > kMostZeroPoint || ir_.zero_point[i] < -kMostZeroPoint) return false;
  if (quantizes) {
    if (is_float(dst)) {
      add(all_.divide);
      return store_float();
    }
    if (dst.bits > 16) return false;
    add(all_.quantize);
    return store_integer();
  }
  if (dequantizes) {
    if (!from_float && ir_.src.bits > 16) return false;
    if (from_float) {
      add(all_.multiply);
    } else {
      add_of_integer(all_.dequantize[integer_]);
    }
    return store_float();
  }
  if (from_float) {
    if (is_float(dst)) return store_float();
    if (!is_integer(dst) || (dst.bits > 16 && is_f64(ir_.src)) ||
        (dst.bits == 32 && dst.kind == XLASHAPE_NUMBER_UNSIGNED))
      return false;
    add(all_.float_to_int);
    return store_integer();
  }
  if (is_float(dst)) {
    // Rounded once: more bits than an f32 has are rounded on the way into it.
    const bool is_wide = ir_.src.bits > 16;
    if (is_wide && (ir_.src.kind != XLASHAPE_NUMBER_SIGNED || !(is_f32(dst) || is_f64(dst)))) return false;
    if (!is_f64(dst)) add_of_integer(all_.int_to_float[integer_]);
    return store_float();
  }
  if (!is_integer(dst)) return false;
  const bool large = ir_.src.kind == XLASHAPE_NUMBER_UNSIGNED && ir_.src.bits == 32;
  if (saturates && large) return false;
  add(saturates ? all_.clamp : all_.mask);
  return store_integer();
}

// -- Running it -------------------------------------------------------------------------------------------------------

void Converter::make_table() {
  for (uint64_t byte = 0; byte < 256; ++byte) {
    if (looks_up_) {
      const uint32_t f32 = step_.to_f32(byte);
      std::memcpy(table_ + 4 * byte, &f32, 4);
    } else {
      const uint64_t container = step_(byte, 0);
      std::memcpy(table_ + byte * static_cast<size_t>(dst_bytes_), &container, static_cast<size_t>(dst_bytes_));
    }
  }
}

namespace {

template <class T>
void look_up(char* to, const char* from, int64_t count, const char* table) {
  const T* const entries = reinterpret_cast<const T*>(table);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(from);
  for (int64_t i = 0; i < count; ++i) std::memcpy(to + i * int64_t{sizeof(T)}, entries + bytes[i], sizeof(T));
}

void look_up(char* to, const char* from, int64_t count, const char* table, int bytes) {
  switch (bytes) {
    case 1:
      return look_up<uint8_t>(to, from, count, table);
    case 2:
      return look_up<uint16_t>(to, from, count, table);
    case 4:
      return look_up<uint32_t>(to, from, count, table);
    default:
      return look_up<uint64_t>(to, from, count, table);
  }
}

template <class T>
void move_each(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, sizeof(T));
}
void move_each(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count, int bytes) {
  switch (bytes) {
    case 1:
      return move_each<uint8_t>(to, to_step, from, from_step, count);
    case 2:
      return move_each<uint16_t>(to, to_step, from, from_step, count);
    case 4:
      return move_each<uint32_t>(to, to_step, from, from_step, count);
    default:
      return move_each<uint64_t>(to, to_step, from, from_step, count);
  }
}

}  // namespace

void Converter::vectors(char* to, const char* from, int64_t count, RunChannel channel, bool follows) const {
  alignas(64) char words[4 * kPiece], last_in[8 * kValueGroup], last_out[8 * kValueGroup];
  alignas(64) float scale[kPiece];
  alignas(64) int32_t zero_point[kPiece];
  ValueParams params = params_;
  const bool each = step_.has_channels() && channel.step != 0;
  if (ir_.scale_count > 0) {
    const int64_t own = step_.has_channels() ? channel.first : 0;
    params.scale = ir_.scale + own;
    params.zero_point = ir_.zero_point + own;
  }
  const auto steps = [&](char* out, const char* in, int64_t numbers) {
    if (looks_up_) {
      look_up<uint32_t>(words, in, numbers, table_);
      in = words;
    }
    for (int s = 0; s < steps_; ++s) {
      char* const next = s + 1 == steps_ ? out : words;
      kernels_[each][s](next, in, numbers, params);
      in = next;
    }
  };
  // Of the last group, whose other numbers are not used, too.
  const auto set_scales = [&](int64_t first, int64_t step, int64_t numbers) {
    params.scale = ir_.scale + first;
    params.zero_point = ir_.zero_point + first;
    if (step == 1 && numbers % kValueGroup == 0) return;
    const int64_t all = (numbers + kValueGroup - 1) / kValueGroup * kValueGroup;
    for (int64_t i = 0; i < all; ++i) {
      const int64_t own = std::min(i, numbers - 1) * step;
      scale[i] = params.scale[own];
      zero_point[i] = params.zero_point[own];
    }
    params.scale = scale;
    params.zero_point = zero_point;
  };
  const int64_t whole = count / kValueGroup * kValueGroup;
  for (int64_t at = 0; at < count;) {
    const int64_t numbers = at < whole ? std::min(kPiece, whole - at) : count - at;
    if (each) set_scales(channel.first + at * channel.step, channel.step, numbers);
    if (at < whole) {
      // The processor's own prefetching ends with each page.
      const char* const ahead = from + at * src_bytes_ + kAhead;
      for (int64_t i = 0; follows && i < numbers * src_bytes_; i += kLineBytes) ir::prefetch<3>(ahead + i);
      steps(to + at * dst_bytes_, from + at * src_bytes_, numbers);
    } else {
      std::memset(last_in, 0, sizeof last_in);
      std::memcpy(last_in, from + at * src_bytes_, static_cast<size_t>(numbers * src_bytes_));
      steps(last_out, last_in, kValueGroup);
      std::memcpy(to + at * dst_bytes_, last_out, static_cast<size_t>(numbers * dst_bytes_));
    }
    at += numbers;
  }
}

void Converter::numbers(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count,
                        RunChannel channel) const {
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = backends::load(from + i * from_step, 0, src_bytes_ * 8).low;
    const int64_t own = step_.has_channels() ? channel.first + i * channel.step : 0;
    backends::store(to + i * to_step, 0, dst_bytes_ * 8, {step_(bits, own), 0});
  }
}

void Converter::contiguous(char* to, const char* from, int64_t count, RunChannel channel, bool follows) const {
  if (method_ == Method::kVectors) return vectors(to, from, count, channel, follows);
  if (method_ == Method::kKept) {
    std::memcpy(to, from, static_cast<size_t>(count * dst_bytes_));
    return;
  }
  look_up(to, from, count, table_, dst_bytes_);
}

void Converter::run(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count, RunChannel channel,
                    bool follows) const {
  if (method_ == Method::kNumbers) return numbers(to, to_step, from, from_step, count, channel);
  if (to_step == dst_bytes_ && from_step == src_bytes_) return contiguous(to, from, count, channel, follows);
  alignas(64) char in[8 * kPiece], out[8 * kPiece];
  for (int64_t at = 0; at < count; at += kPiece) {
    const int64_t some = std::min(kPiece, count - at);
    const char* source = from + at * from_step;
    char* target = to + at * to_step;
    if (from_step != src_bytes_) {
      move_each(in, src_bytes_, source, from_step, some, src_bytes_);
      source = in;
    }
    const bool gaps = to_step != dst_bytes_;
    contiguous(gaps ? out : target, source, some, {channel.first + at * channel.step, channel.step}, false);
    if (gaps) move_each(target, to_step, out, dst_bytes_, some, dst_bytes_);
  }
}

}  // namespace xlashape::simd
