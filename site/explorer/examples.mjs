// SPDX-License-Identifier: Apache-2.0
// Shapes to begin with: what they show, and the page's state.

export const kExamples = [
  ["A TPU's tiles of bf16: two rows share each 32-bit word", { shape: "bf16[20,200]{1,0:T(8,128)(2,1)}" }],
  ["One tile of f32, its sublanes and lanes", { shape: "f32[8,128]{1,0:T(8,128)}", show: "lane" }],
  ["A narrow array wastes 97 % of its memory", { shape: "f32[1000,4]{1,0:T(8,128)}" }],
  ["The same array as v5e's compiler lays it out", { shape: "f32[1000,4]", target: "tpu:v5e" }],
  ["A transpose: row-major to column-major", { shape: "f32[6,8]{1,0}", with: "f32[6,8]{0,1}" }],
  ["Tiling: from rows to tiles of 2 x 4", { shape: "s32[6,12]", with: "s32[6,12]{1,0:T(2,4)}" }],
  ["Elements of 4 bits, two in a byte", { shape: "s4[5,6]{1,0:T(2,4)E(4)}", show: "byte" }],
  ["A column of a row-major matrix touches many cache lines", { shape: "f32[32,32]{1,0}", overlay: "64" }],
  ["oneDNN's blocks of 4 channels, as people write them", { shape: "float32[1,8,4,5]{nChw4c}" }],
  ["From NHWC to NCHW", { shape: "uint8[1,4,6,3]", with: "NHWC->NCHW" }],
  ["Three dimensions, the middle one most minor", { shape: "u8[3,8,4]{1,2,0}" }],
  ["10^12 elements, their tiles", { shape: "f32[1000000,1000000]{1,0:T(8,128)}", zoom: "1" }],
  ["Padding to a width of 8", { shape: "f32[3,5]{1,0:PD(4,8)}" }],
  ["A tuple", { shape: "(f32[8]{0}, (bf16[16,128]{1,0:T(8,128)(2,1)}, s32[]))" }],
];
