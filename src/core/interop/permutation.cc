// SPDX-License-Identifier: Apache-2.0
// Permutations as NumPy, PyTorch and others call them: dimension k of the result is the one named at place k.
#include <algorithm>
#include <numeric>

#include "interop/arrangement.h"
#include "interop/scanner.h"

namespace xlashape::core {
namespace {

using Numbers = SmallVec<int64_t, 8>;

constexpr std::string_view kCalls[] = {"transpose", "permute",  "permute_dims", "swapaxes",
                                       "swapdims",  "moveaxis", "movedim"};

// "2, 0, 1", in brackets or none; there blanks may stand between them, too.
Status read_numbers(Scanner& in, Numbers* numbers) {
  constexpr const char* kWhat = "the number of a dimension";
  if (in.at("(") || in.at("[")) return in.list(numbers, true, kWhat);
  while (in.at_digit() || in.at("-")) {
    int64_t value = 0;
    XLASHAPE_TRY(in.integer(&value, true, kWhat));
    numbers->push_back(value);
    in.eat(",");
  }
  return XLASHAPE_STATUS_OK;
}

// Passes "x," before the numbers, or "x" alone, and "axes=", "dims=", "perm=".
void pass_names(Scanner& in) {
  for (;;) {
    Scanner ahead = in;
    if (ahead.at_digit() || ahead.word().empty()) return;
    if (!ahead.at(")") && !ahead.eat(",") && !ahead.eat("=")) return;
    in = ahead;
  }
}

Status resolve(const Shape& array, Numbers* numbers, Error* err) {
  for (int64_t& number : *numbers) {
    const int64_t resolved = number < 0 ? number + array.rank() : number;
    if (resolved < 0 || resolved >= array.rank()) return check_dimensions({&number, 1}, array, err);
    number = resolved;
  }
  return XLASHAPE_STATUS_OK;
}

Numbers in_order(int64_t rank) {
  Numbers all;
  for (int64_t d = 0; d < rank; ++d) all.push_back(d);
  return all;
}

// The name of a call without what stands before it: "np.transpose", "x.permute", ".permute".
std::string_view read_name(Scanner& in, bool* numpy, bool* torch) {
  std::string_view name;
  *numpy = *torch = false;
  do {
    name = in.word();
    *numpy |= name == "np" || name == "numpy" || name == "jnp";
    *torch |= name == "torch";
  } while (in.eat("."));
  return name;
}

// NumPy's moveaxis: the dimensions `from` to the places `to`, the others in their order.
Status move(const Numbers& from, const Numbers& to, int64_t rank, Numbers* permutation, Error* err) {
  SmallVec<uint8_t, 8> moves;
  moves.resize(static_cast<size_t>(rank));
  std::fill(moves.begin(), moves.end(), uint8_t{0});
  permutation->resize(static_cast<size_t>(rank));
  std::fill(permutation->begin(), permutation->end(), -1);
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t& place = (*permutation)[static_cast<size_t>(to[i])];
    if (place >= 0 || moves[static_cast<size_t>(from[i])]++ != 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "a dimension is moved twice, or two to one place");
    place = from[i];
  }
  int64_t next = 0;
  for (int64_t& place : *permutation) {
    if (place >= 0) continue;
    while (moves[static_cast<size_t>(next)] != 0) ++next;
    place = next++;
  }
  return XLASHAPE_STATUS_OK;
}

// `more`: the second list of moveaxis.
Status of_call(std::string_view name, bool numpy, bool torch, Numbers numbers, Numbers more, int64_t rank,
               Numbers* permutation, Error* err) {
  const bool transpose = name == "transpose", moves = name == "moveaxis" || name == "movedim";
  const bool swap = name == "swapaxes" || name == "swapdims";
  if (swap || moves) {
    if (moves && more.empty() && numbers.size() == 2) {
      more.push_back(numbers[1]);
      numbers.pop_back();
    }
    if (swap ? numbers.size() != 2 : numbers.size() != more.size())
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s takes two %s", Quoted(name).c_str(),
                  swap ? "dimensions" : "dimensions, or two lists of as many");
    if (moves) return move(numbers, more, rank, permutation, err);
  } else if (transpose && numbers.size() == 2 && !numpy && (torch || rank > 2 || numbers[0] < numbers[1])) {
    if (!torch && rank == 2)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "transpose(0,1) exchanges the dimensions in PyTorch and moves nothing in NumPy: write swapaxes(0,1)");
  } else {
    *permutation = numbers;
    if (transpose && numbers.empty()) {  // NumPy's without axes
      *permutation = in_order(rank);
      std::reverse(permutation->begin(), permutation->end());
    }
    return XLASHAPE_STATUS_OK;
  }
  *permutation = in_order(rank);
  std::swap((*permutation)[static_cast<size_t>(numbers[0])], (*permutation)[static_cast<size_t>(numbers[1])]);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

bool is_permutation_call(std::string_view name) {
  return std::find(std::begin(kCalls), std::end(kCalls), name) != std::end(kCalls);
}

Status read_permutation(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  Scanner in(text, err);
  Numbers numbers, more, permutation;
  bool numpy, torch;
  Scanner call = in;
  call.eat(".");
  const std::string_view name = read_name(call, &numpy, &torch);
  if (name == "T" || name == "mT" || name == "t") {
    if (call.eat("(")) XLASHAPE_TRY(call.need(")", "')'"));
    XLASHAPE_TRY(call.end());
    permutation = in_order(array.rank());
    if (name == "mT" ? array.rank() < 2 : name == "t" && array.rank() > 2)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is of arrays of %s dimensions, this one has %lld",
                  Quoted(name).c_str(), name == "t" ? "at most two" : "at least two", ll(array.rank()));
    if (name == "mT")
      std::swap(permutation.back(), permutation[permutation.size() - 2]);
    else
      std::reverse(permutation.begin(), permutation.end());
    return arrange_permutation(array, permutation, result, err);
  }
  const bool called = is_permutation_call(name) && call.eat("(");
  if (called) in = call;
  pass_names(in);
  XLASHAPE_TRY(read_numbers(in, &numbers));
  if (called && in.eat(",")) {
    pass_names(in);
    XLASHAPE_TRY(read_numbers(in, &more));
  }
  if (called) XLASHAPE_TRY(in.need(")", "')'"));
  XLASHAPE_TRY(in.end());
  XLASHAPE_TRY(resolve(array, &numbers, err));
  XLASHAPE_TRY(resolve(array, &more, err));
  if (called)
    XLASHAPE_TRY(of_call(name, numpy, torch, numbers, more, array.rank(), &permutation, err));
  else
    permutation = numbers;
  return arrange_permutation(array, permutation, result, err);
}

Status check_dimensions(std::span<const int64_t> numbers, const Shape& array, Error* err) {
  SmallVec<uint8_t, 8> seen;
  seen.resize(array.dimensions.size(), 0);
  for (const int64_t d : numbers) {
    if (d < 0 || d >= array.rank())
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "there is no dimension %lld, the array has %lld", ll(d),
                  ll(array.rank()));
    if (seen[static_cast<size_t>(d)]++ != 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %lld is named twice", ll(d));
  }
  return XLASHAPE_STATUS_OK;
}

Status arrange_permutation(const Shape& array, std::span<const int64_t> permutation, Arrangement* result, Error* err) {
  if (permutation.size() != array.dimensions.size())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the permutation has %zu dimensions, the array %zu",
                permutation.size(), array.dimensions.size());
  XLASHAPE_TRY(check_dimensions(permutation, array, err));
  Blocks blocks;
  for (const int64_t d : permutation) blocks.push_back({static_cast<int32_t>(d), kRest});
  XLASHAPE_TRY(arrange_blocks(array, blocks, result, err));
  result->permutation.assign(permutation);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
