// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

namespace bench {

std::vector<Peer> known_peers(Missing* missing) {
  std::vector<Peer> here = {{"naive", naive}};
  const auto add = [&](const char* name, Run (*prepare)(const Problem&), const std::string& why_not) {
    if (why_not.empty()) {
      here.push_back({name, prepare});
    } else {
      (*missing)[name] = why_not;
    }
  };
  add("openblas", openblas, openblas_missing());
  add("onednn", onednn, onednn_missing());
  add("eigen", eigen, eigen_missing());
  return here;
}

}  // namespace bench
