/* SPDX-License-Identifier: Apache-2.0 */
// What is said around a picture: sizes, what is shown of the array, what blocks of memory are touched, what a relayout
// does.
#pragma once
#include <string>
#include <vector>

#include "scene.h"
#include "words.h"

namespace xlashape::view {

inline std::string shape_text(const Storage& storage) { return storage.array().to_string(); }
std::string plane_text(const Grid& grid, const Plane& plane);  // "[3,:,:]"; empty where there is only one plane

// "columns 17-119 not shown", for the gap in front of the shown unit `after`; shorter where that has more than `most`
// characters.
std::string gap_text(const Axis& axis, const std::vector<int64_t>& units, size_t after, const char* noun, size_t most);

// Sentences without a full stop, one per line.
std::vector<std::string> size_captions(const Storage& storage);
std::vector<std::string> shown_captions(const Scene& scene, const Options& options);
std::vector<std::string> overlay_captions(const Scene& scene, const Options& options);
std::vector<std::string> relayout_captions(const Scene& scene);

}  // namespace xlashape::view
