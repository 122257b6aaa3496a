// SPDX-License-Identifier: Apache-2.0
// The kernels in OpenCL C 1.2: flattened into one text by the preprocessor (-DXS_OPENCL), and embedded.
#include "kernels.inl"
