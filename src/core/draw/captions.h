// What is said around a picture: sizes, what is shown of the array, what blocks of memory are touched, what a relayout
// does.
#pragma once
#include <string>
#include <vector>

#include "draw/decimal.h"
#include "draw/scene.h"

namespace xlashape::core::draw {

std::string counted(int64_t number, const char* noun);         // "1 row", "2 rows"
std::string shape_text(const Storage& storage);                // as printed
std::string plane_text(const Grid& grid, const Plane& plane);  // "[3,:,:]"; empty where there is only one plane

// Sentences without a full stop, one per line.
std::vector<std::string> size_captions(const Storage& storage);
std::vector<std::string> shown_captions(const Scene& scene, const Options& options);
std::vector<std::string> overlay_captions(const Scene& scene, const Options& options);
std::vector<std::string> relayout_captions(const Scene& scene);

}  // namespace xlashape::core::draw
