#include "clock.h"

#include <chrono>

namespace xlashape::cli {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace xlashape::cli
