# SPDX-License-Identifier: Apache-2.0
"""Loads the shared object that registers the operators, once, at import."""

from pathlib import Path

import torch

import xlashape  # loads the library that the object needs, wherever it was found  # noqa: F401

PATH = Path(__file__).resolve().parent / "_operators.so"


def load() -> None:
    """Registers torch.ops.xlashape. ImportError where that is impossible."""
    try:
        torch.ops.load_library(str(PATH))
    except OSError as error:
        raise ImportError(f"the operators of xlashape_torch were not loaded: {error}") from None
    if not has_kernel("_relayout_bytes"):
        raise ImportError(f"PyTorch {torch.__version__} did not take the operators in {PATH}")


def has_kernel(name: str) -> bool:
    """Whether the operator has a kernel for the CPU."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(f"xlashape::{name}", "CPU"))
