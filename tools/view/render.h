/* SPDX-License-Identifier: Apache-2.0 */
// A scene as text, SVG or a page.
#pragma once
#include "scene.h"

namespace xlashape::view {

std::string render_text(const Scene& scene, const Options& options);
std::string render_svg(const Scene& scene, const Options& options);
std::string render_html(const Scene& scene, const Options& options);

}  // namespace xlashape::view
