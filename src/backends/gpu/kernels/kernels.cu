// SPDX-License-Identifier: Apache-2.0
// The kernels for NVIDIA: compiled by nvcc -fatbin, or by clang to PTX.
#if defined(__clang__) && !defined(__NVCC__)
#include "clang_cuda.h"
#endif
#include "kernels.inl"
