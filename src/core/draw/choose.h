// Which planes, rows and columns of an array a picture shows, and which dimensions run down and across.
#pragma once
#include "draw/scene.h"

namespace xlashape::core::draw {

// Sets all of the first grid but its cells. The scene has its arrays.
Status choose_shown(const Options& options, Scene* scene, Error* err);

}  // namespace xlashape::core::draw
