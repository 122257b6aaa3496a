# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings for the documentation site; site/build.py runs it."""

import pathlib
import re
import sys

import furo

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

ROOT = pathlib.Path(__file__).resolve().parent.parent

project = "xlashape"
author = "the authors of xlashape"
copyright = author
release = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8")).group(1)

extensions = ["myst_parser", "names"]
exclude_patterns = ["files"]
myst_heading_anchors = 4
highlight_language = "text"
primary_domain = "c"
add_function_parentheses = False
smartquotes = False
html_theme = "furo"
# By Debian's style sheet only readers who choose dark pages get them. Systems that prefer them get the same colours.
style = (pathlib.Path(furo.__file__).parent / "theme/furo/static/styles/furo.css").read_text(encoding="utf-8")
dark = re.search(r'body\[data-theme="dark"\] \{(.*?)\}', style, re.S)
if dark and "prefers-color-scheme" not in style:
    html_theme_options = {"dark_css_variables": dict(re.findall(r"--([\w-]+): ([^;]+);", dark.group(1)))}
html_baseurl = ""  # where the site is published, with / at its end
html_context = {"published": html_baseurl}
html_title = f"xlashape {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["to_explorer.js"]
html_favicon = "static/favicon.svg"
templates_path = ["templates"]
html_sidebars = {"**": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "explorer.html",
                        "sidebar/navigation.html", "sidebar/scroll-end.html"]}
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None
html_show_sphinx = False
html_show_copyright = False
pygments_style = "tango"
pygments_dark_style = "monokai"
