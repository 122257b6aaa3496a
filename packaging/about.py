# SPDX-License-Identifier: Apache-2.0
"""What all packages say of the project. The version is in meson.build alone."""

# Where the sources are published. Cargo.toml, package.json, go.mod and the others repeat it; agree.py compares them.
URL = "https://github.com/xlashape/xlashape"
GO_MODULE = "github.com/xlashape/xlashape/bindings/go"
MAINTAINER = "The xlashape authors <xlashape@users.noreply.github.com>"
SUMMARY = "XLA's shapes and layouts without XLA"
