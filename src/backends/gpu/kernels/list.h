/* SPDX-License-Identifier: Apache-2.0 */
// Every kernel and its argument block. The host dialect's table, the planner's enum and the test of the three dialects
// are made from these lists.
#ifndef XLASHAPE_GPU_LIST_H_
#define XLASHAPE_GPU_LIST_H_

#define XS_KERNEL_LIST(X)                 \
  X(xs_gather_1_32, XsNest)               \
  X(xs_gather_2_32, XsNest)               \
  X(xs_gather_4_32, XsNest)               \
  X(xs_gather_8_32, XsNest)               \
  X(xs_gather_16_32, XsNest)              \
  X(xs_gather_1_64, XsNest)               \
  X(xs_gather_2_64, XsNest)               \
  X(xs_gather_4_64, XsNest)               \
  X(xs_gather_8_64, XsNest)               \
  X(xs_gather_16_64, XsNest)              \
  X(xs_tile_1, XsTile)                    \
  X(xs_tile_2, XsTile)                    \
  X(xs_tile_4, XsTile)                    \
  X(xs_tile_8, XsTile)                    \
  X(xs_tile_16, XsTile)                   \
  X(xs_tile_half, XsTile)                 \
  X(xs_split_1, XsFew)                    \
  X(xs_split_2, XsFew)                    \
  X(xs_split_4, XsFew)                    \
  X(xs_split_8, XsFew)                    \
  X(xs_merge_1, XsFew)                    \
  X(xs_merge_2, XsFew)                    \
  X(xs_merge_4, XsFew)                    \
  X(xs_merge_8, XsFew)                    \
  X(xs_pack_1, XsPack)                    \
  X(xs_pack_2, XsPack)                    \
  X(xs_pack_4, XsPack)                    \
  X(xs_pack_8, XsPack)                    \
  X(xs_pack_16, XsPack)                   \
  X(xs_zip_2, XsZip)                      \
  X(xs_zip_4, XsZip)                      \
  X(xs_unzip_2, XsZip)                    \
  X(xs_unzip_4, XsZip)                    \
  X(xs_convert, XsNest)                   \
  X(xs_fill_run, XsRun)                   \
  X(xs_program_positions_64, XsProgram)   \
  X(xs_program_elements_64, XsProgram)    \
  X(xs_to_linear_64, XsIndex)             \
  X(xs_to_multi_64, XsIndex)              \
  X(xs_program_positions_1024, XsProgram) \
  X(xs_program_elements_1024, XsProgram)  \
  X(xs_to_linear_1024, XsIndex)           \
  X(xs_to_multi_1024, XsIndex)            \
  X(xs_to_linear_plain, XsIndex)          \
  X(xs_to_multi_plain_32, XsIndex)        \
  X(xs_to_multi_plain_64, XsIndex)

// Kernels that OpenCL does not have (nvidia.inl), each named after the portable kernel that does the same.
#define XS_NVIDIA_KERNEL_LIST(X) \
  X(xs_nvidia_tile_1, XsTile)    \
  X(xs_nvidia_tile_2, XsTile)    \
  X(xs_nvidia_tile_4, XsTile)    \
  X(xs_nvidia_tile_8, XsTile)    \
  X(xs_nvidia_tile_16, XsTile)   \
  X(xs_nvidia_gather_16_32, XsNest)

#endif  // XLASHAPE_GPU_LIST_H_
