# SPDX-License-Identifier: Apache-2.0
"""A Sphinx extension: code spans that are names of the C interface become links to the reference. One that
looks like such a name and is none is a warning."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

log = logging.getLogger(__name__)
HEADER = re.compile(r"(?:include/)?(xlashape(?:_(?:runtime|xla|interop|target|backend|experimental|draw))?)\.h")
NAME = re.compile(r"(xlashape_\w*[a-z0-9])(?:\(.*\))?")
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")
# Looks like a name of the interface, and is none: keys of scan's JSON, a function that is missing on purpose, Python
# modules.
OTHERS = {"xlashape_scan", "xlashape_scan_diff", "xlashape_free", "xlashape_jax", "xlashape_torch"}
HISTORY = {"changelog"}  # names that were


class Links(SphinxPostTransform):
    default_priority = 5

    def run(self, **kwargs):
        known = self.known()
        for literal in list(self.document.findall(nodes.literal)):
            if isinstance(literal.parent, (nodes.reference, nodes.title)):
                continue
            target = self.target(literal.astext(), literal, known)
            if target and target[0] is not None:
                page, anchor = target
                self.replace(literal, page, anchor)

    def known(self):
        """Name -> (page, anchor), found once for all pages."""
        if not hasattr(self.env, "xlashape_names"):
            objects = self.env.get_domain("c").get_objects()
            places = {name: (page, anchor) for name, _, _, page, anchor, _ in objects if "." not in name}
            self.env.xlashape_names = places
        return self.env.xlashape_names

    def target(self, text, literal, known):
        header = HEADER.fullmatch(text)
        if header:
            page = f"reference/{header.group(1)}"
            return None if page == self.env.docname else (page, "")
        name = NAME.fullmatch(text)
        if name:
            if name.group(1) not in known and name.group(1) not in OTHERS and self.env.docname not in HISTORY:
                log.warning("`%s` is not a name of the C interface", name.group(1), location=literal)
            return known.get(name.group(1))
        if not CONSTANT.fullmatch(text):
            return None
        if text in known or f"XLASHAPE_STATUS_{text}" in known:
            return known.get(text) or known[f"XLASHAPE_STATUS_{text}"]
        if "_" not in text or not self.env.docname.startswith("reference/"):
            return None
        # The headers' comments leave out the beginning of constants where only one can be meant.
        ends = [place for full, place in known.items() if full.startswith("XLASHAPE_") and full.endswith("_" + text)]
        return ends[0] if len(ends) == 1 else None

    def replace(self, literal, page, anchor):
        child = nodes.literal(literal.rawsource, literal.astext(), classes=["xref", "c"])
        literal.replace_self(make_refnode(self.app.builder, self.env.docname, page, anchor, child))


def setup(app):
    app.add_post_transform(Links)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}
