// A scene as text, SVG or a page.
#pragma once
#include "draw/scene.h"

namespace xlashape::core::draw {

std::string render_text(const Scene& scene, const Options& options);
std::string render_svg(const Scene& scene, const Options& options);
std::string render_html(const Scene& scene, const Options& options);

}  // namespace xlashape::core::draw
