// SPDX-License-Identifier: Apache-2.0
#include "peer_library.h"

#include <dlfcn.h>

#include <cctype>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "peers.h"

namespace bench {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::runtime_error("--peer-library " + path + ": " + why);
}

bool is_name(const char* name) {
  if (name == nullptr || *name == '\0' || std::strlen(name) > 32) return false;
  for (const char* c = name; *c != '\0'; ++c)
    if (!std::isalnum(static_cast<unsigned char>(*c)) && *c != '_') return false;
  return true;
}

// The arrays of a bench_transposition.
struct Transposition {
  std::vector<int64_t> extents, src_strides, dst_strides;
  bench_transposition form;

  Transposition(const Rectangle& rectangle, int width, int threads) {
    for (const Loop& loop : rectangle.loops) {
      extents.push_back(loop.extent);
      src_strides.push_back(loop.src * width);
      dst_strides.push_back(loop.dst * width);
    }
    if (extents.empty()) {  // a single element
      extents = {1};
      src_strides = dst_strides = {width};
    }
    form = {width,  static_cast<int64_t>(extents.size()), extents.data(), src_strides.data(), dst_strides.data(),
            threads};
  }
};

struct Planned {
  std::shared_ptr<void> plan;
  const char* src;
  char* dst;
};

Run prepare(const bench_peer& peer, const Problem& problem) {
  std::vector<Planned> all;
  const int width = problem.strided.width;
  for (const Rectangle& rectangle : problem.strided.rectangles) {
    const Transposition transposition(rectangle, width, problem.threads);
    if (!peer.can(&transposition.form)) return {};
    void* const plan = peer.plan(&transposition.form);
    if (plan == nullptr) throw std::runtime_error("it made no plan");
    all.push_back({std::shared_ptr<void>(plan, peer.release), problem.src + rectangle.src * width,
                   problem.dst + rectangle.dst * width});
  }
  return [&peer, all = std::move(all)] {
    for (const Planned& one : all)
      if (const int32_t status = peer.run(one.plan.get(), one.src, one.dst))
        throw std::runtime_error("its run returned " + std::to_string(status));
  };
}

}  // namespace

Peer peer_of_library(const std::string& path) {
  // A path without a slash is a file here too, not a library of the system.
  void* const object =
      dlopen((path.find('/') == std::string::npos ? "./" + path : path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) refuse(path, dlerror());
  const auto entry = reinterpret_cast<const bench_peer* (*)()>(dlsym(object, "bench_peer_library"));
  if (entry == nullptr) refuse(path, "it exports no function bench_peer_library (tests/bench/peer_library.h)");
  const bench_peer* const peer = entry();
  if (peer == nullptr) refuse(path, "it says that this machine lacks something that it needs");
  if (peer->version != BENCH_PEER_LIBRARY_VERSION)
    refuse(path, "its version is " + std::to_string(peer->version) + "; this program takes " +
                     std::to_string(BENCH_PEER_LIBRARY_VERSION));
  if (!is_name(peer->name)) refuse(path, "its name must be 1 to 32 letters, digits and '_'");
  if (peer->can == nullptr || peer->plan == nullptr || peer->run == nullptr || peer->release == nullptr)
    refuse(path, "one of its functions is NULL");
  return {peer->name, [peer](const Problem& problem) { return prepare(*peer, problem); }};
}

}  // namespace bench
