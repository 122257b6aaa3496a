// SPDX-License-Identifier: Apache-2.0
// What can be wrong in the benchmarks without a number looking odd: peers of shared objects, copies, random cases.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>

#include "copies.h"
#include "memory.h"
#include "peers.h"
#include "random_cases.h"
#include "verify.h"

namespace bench {
namespace {

const char kExample[] = BENCH_EXAMPLE_PEER, kOther[] = BENCH_OTHER_OBJECT;

void set_fault(const char* fault) {
  void* const object = dlopen(kExample, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(object, nullptr) << dlerror();
  auto* const at = static_cast<const char**>(dlsym(object, "bench_example_fault"));
  ASSERT_NE(at, nullptr) << dlerror();
  *at = fault;
}

Peer example(const char* fault) {
  set_fault(fault);
  return peer_of_library(kExample);
}

// What peer_of_library says against it; "": nothing.
std::string refusal(const std::string& path, const char* fault = "") {
  set_fault(fault);
  try {
    peer_of_library(path);
    return "";
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Moves a case by it: "declined", what is wrong with the result, or "".
std::string moved_by(const Peer& peer, const char* src_text, const char* dst_text) {
  const Case c = make_case(parse_shape(src_text), parse_shape(dst_text));
  const auto strided = strided_form(c);
  if (!strided) return "no strided form";
  Buffer src(c.src_bytes), dst(c.dst_bytes);
  fill_normal(src.data(), c.src_bytes, 1);
  std::memset(dst.data(), c.padded ? 0 : 0xA5, static_cast<size_t>(c.dst_bytes));
  const Run run = peer.prepare({c, *strided, src.data(), dst.data(), 1});
  if (!run) return "declined";
  run();
  return mismatch(c, src.data(), dst.data(), true);
}

TEST(PeerLibrary, MovesWhatIsAsked) {
  const Peer peer = example("");
  EXPECT_EQ(peer.name, "example");
  EXPECT_EQ(moved_by(peer, "f32[9,31,17]{2,1,0}", "f32[9,31,17]{0,2,1}"), "");
  EXPECT_EQ(moved_by(peer, "c128[1]{0}", "c128[1]{0}"), "");
  EXPECT_EQ(moved_by(peer, "bf16[30,70]{1,0}", "bf16[30,70]{0,1:T(8,16)(2,1)}"), "");
  EXPECT_EQ(moved_by(peer, "f64[30,7]{1,0:PD(32,8)}", "f64[30,7]{0,1:PD(31,9)}"), "");
}

TEST(PeerLibrary, MayDecline) { EXPECT_EQ(moved_by(example(""), "u8[5,7]{1,0}", "u8[5,7]{0,1}"), "declined"); }

TEST(PeerLibrary, WrongBytesAreFound) {
  EXPECT_TRUE(contains(moved_by(example("wrong"), "f32[5,7]{1,0}", "f32[5,7]{0,1}"), "the element at position 0"));
}

TEST(PeerLibrary, FailuresAreSaid) {
  const auto message = [](const char* fault) {
    try {
      return moved_by(example(fault), "f32[5,7]{1,0}", "f32[5,7]{0,1}");
    } catch (const std::exception& failure) {
      return std::string(failure.what());
    }
  };
  EXPECT_EQ(message("failing"), "its run returned 7");
  EXPECT_EQ(message("no plan"), "it made no plan");
}

TEST(PeerLibrary, BadOnesAreRefused) {
  EXPECT_EQ(refusal(kExample), "");
  EXPECT_TRUE(contains(refusal("/nowhere/peer.so"), "/nowhere/peer.so: "));
  EXPECT_TRUE(contains(refusal("peer.so"), "--peer-library peer.so: "));
  EXPECT_TRUE(contains(refusal(kOther), "exports no function bench_peer_library"));
  EXPECT_TRUE(contains(refusal(kExample, "nothing"), "lacks something"));
  EXPECT_TRUE(contains(refusal(kExample, "version"), "its version is 2; this program takes 1"));
  EXPECT_TRUE(contains(refusal(kExample, "name"), "its name must be"));
  EXPECT_TRUE(contains(refusal(kExample, "function"), "one of its functions is NULL"));
}

// Every copy copies all bytes and no more, wherever it begins and ends.
TEST(Copies, CopyAllBytes) {
  constexpr int64_t kRoom = 70000;
  Buffer src(kRoom), dst(kRoom);
  fill_normal(src.data(), kRoom, 1);
  for (const Copy& copy : copies())
    for (const int64_t bytes : {1, 63, 64, 200, 300, 4096, 16384, 20000, 66000})
      for (const int64_t begin : {0, 1, 33}) {
        std::memset(dst.data(), 0xA5, kRoom);
        copy.run(dst.data() + begin, src.data() + 7, static_cast<size_t>(bytes));
        EXPECT_EQ(std::memcmp(dst.data() + begin, src.data() + 7, static_cast<size_t>(bytes)), 0)
            << copy.name << " of " << bytes << " bytes to " << begin;
        EXPECT_EQ(static_cast<unsigned char>(dst.data()[begin + bytes]), 0xA5) << copy.name << " of " << bytes;
        if (begin > 0) {
          EXPECT_EQ(static_cast<unsigned char>(dst.data()[begin - 1]), 0xA5) << copy.name;
        }
      }
}

TEST(RandomCases, AreOfRealSizeAndTheSameEachTime) {
  const auto cases = random_cases(300, 5), again = random_cases(300, 5), others = random_cases(300, 6);
  ASSERT_EQ(cases.size(), 300u);
  int same = 0, padded = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(cases[i].name, again[i].name);
    same += cases[i].name == others[i].name;
    padded += cases[i].padded;
    EXPECT_GE(std::min(cases[i].src_bytes, cases[i].dst_bytes), 64 << 10) << cases[i].name;
    EXPECT_LE(std::max(cases[i].src_bytes, cases[i].dst_bytes), 64 << 20) << cases[i].name;
  }
  EXPECT_EQ(same, 0);
  EXPECT_GT(padded, 30);
}

}  // namespace
}  // namespace bench
