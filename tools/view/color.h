/* SPDX-License-Identifier: Apache-2.0 */
// Colours of cells: by the order in memory, by tile, or by one dimension's index.
#pragma once
#include "scene.h"

namespace xlashape::view {

// Colours all elements of a scene; in the second array each has the colour of the first.
void color_cells(const Options& options, Scene* scene);

}  // namespace xlashape::view
