/* SPDX-License-Identifier: Apache-2.0 */
// Which planes, rows and columns of an array a picture shows, and which dimensions run down and across.
#pragma once
#include "scene.h"

namespace xlashape::view {

// Sets all of the first grid but its cells. The scene has its arrays. Throws OUT_OF_RANGE or UNSUPPORTED for a zoom
// that they do not have.
void choose_shown(const Options& options, Scene* scene);

}  // namespace xlashape::view
