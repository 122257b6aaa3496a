// Elapsed time, for limits and measurements.
#pragma once

namespace xlashape::cli {

double seconds_now();

}  // namespace xlashape::cli
