// SPDX-License-Identifier: Apache-2.0
// Words for arrays and layouts: what each form says, both ways; and against what oneDNN, NumPy, PyTorch, einops and jax
// did with the same words (tests/data/words).
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "api/api.h"
#include "xlashape_interop.h"

namespace api {
namespace {

using testing::HasSubstr;

std::string read(std::string_view text, int64_t* offset = nullptr) {
  const Shape made = make<Shape>([&](xlashape_shape** shape, xlashape_error* err) {
    return xlashape_shape_read(text.data(), size_of(text), 0, offset, shape, err);
  });
  return made ? text_of(made.get()) : "";
}

void unread(std::string_view text, xlashape_status status, int64_t offset, const char* why) {
  xlashape_shape* none = nullptr;
  const Error err = failure(status, [&](xlashape_error* record) {
    return xlashape_shape_read(text.data(), size_of(text), 0, nullptr, &none, record);
  });
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(err.offset, offset) << text << ": " << err.message;
  EXPECT_THAT(err.message, HasSubstr(why)) << text;
}

struct Pair {
  Shape destination, result;
};

Pair with_words(const char* of, std::string_view words) {
  const Shape array = shape(of);
  xlashape_shape *destination = nullptr, *result = nullptr;
  ok([&](xlashape_error* err) {
    xlashape_shape_release(destination), xlashape_shape_release(result);
    destination = result = nullptr;
    return xlashape_shape_with_words(array.get(), words.data(), size_of(words), 0, &destination, &result, err);
  });
  return {Shape(destination), Shape(result)};
}

// The destination, and the result where it is another.
std::string words(const char* of, std::string_view text) {
  const Pair pair = with_words(of, text);
  if (!pair.destination || !pair.result) return "";
  const std::string destination = text_of(pair.destination.get()), result = text_of(pair.result.get());
  return destination == result ? destination : destination + " as " + result;
}

void no_words(const char* of, std::string_view words, xlashape_status status, const char* why) {
  const Shape array = shape(of);
  xlashape_shape *destination = nullptr, *result = nullptr;
  const Error err = failure(status, [&](xlashape_error* record) {
    return xlashape_shape_with_words(array.get(), words.data(), size_of(words), 0, &destination, &result, record);
  });
  EXPECT_TRUE(destination == nullptr && result == nullptr);
  EXPECT_THAT(err.message, HasSubstr(why)) << words;
}

void prints(const char* text, xlashape_notation notation, const char* want, uint32_t flags = 0) {
  const Shape of = shape(text);
  answers_text(want, xlashape_shape_print_as, of.get(), notation, flags);
}

void unprinted(const char* text, xlashape_notation notation, const char* why) {
  const Shape of = shape(text);
  int64_t needed;
  EXPECT_THAT(
      message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_print_as, of.get(), notation, 0u, nullptr, 0, &needed),
      HasSubstr(why));
}

TEST(Words, ElementTypes) {
  const auto type = [](std::string_view name) {
    xlashape_element_type found = 0;
    ok(xlashape_element_type_read, name.data(), size_of(name), &found);
    return std::string(xlashape_element_type_name(found));
  };
  for (const char* name : {"f32", "F32", "float32", "torch.float32", "np.float32", "dtype('float32')", "<f4", "fp32",
                           "torch.float", "tensor(float)", "DT_FLOAT", "<class 'numpy.float32'>", "float32_t"})
    EXPECT_EQ(type(name), "f32") << name;
  const std::vector<std::array<const char*, 2>> others = {{"bfloat16", "bf16"},    {"BF16", "bf16"},
                                                          {"i32", "s32"},          {"bool", "pred"},
                                                          {"int4", "s4"},          {"f8E4M3FN", "f8e4m3fn"},
                                                          {"F8_E4M3", "f8e4m3fn"}, {"f8E4M3", "f8e4m3"},
                                                          {"uint8_t", "u8"},       {"torch.long", "s64"},
                                                          {"|u1", "u8"},           {"complex64", "c64"},
                                                          {"i1", "pred"},          {"ui4", "u4"},
                                                          {"half", "f16"},         {"float8e4m3fn", "f8e4m3fn"}};
  for (const auto& [name, want] : others) EXPECT_EQ(type(name), want) << name;
  const auto none = [](std::string_view name, const char* why) {
    xlashape_element_type found = 77;
    EXPECT_THAT(message(XLASHAPE_STATUS_NOT_FOUND, xlashape_element_type_read, name.data(), size_of(name), &found),
                HasSubstr(why));
    EXPECT_EQ(found, 77);
  };
  none("float33", "found 'float33': did you mean f32?");
  none("bflaot16", "did you mean bf16?");
  none("float", "f32 in PyTorch and C, f64 in NumPy");
  none("e4m3", "f8e4m3fn, as most hardware has it");
  none("", "expected an element type");
  none(">f4", "the other byte order");
  none("nothing like it", "expected an element type, found 'nothing like it'");
}

// XLA's own text stays what it was; its error says what was meant.
TEST(Words, StrictTextSuggests) {
  for (const auto& [text, why] : std::vector<std::array<const char*, 2>>{
           {"float32[2,3]", "expected an element type, found 'float32': did you mean f32?"},
           {"float33[2]", "did you mean f32?"},
           {"f32(2,3)", "'[' after the element type"},
           {"f32[None,3]", "a dimension size, <= or ?"},
           {"vector<2xf32>", "expected an element type"},
           {"float[2]", "found 'float', which is f32 in PyTorch and C, f64 in NumPy"},
           {"thing[2]", "expected an element type, '(' or b(, found 'thing"}}) {
    xlashape_shape* none = nullptr;
    const Error err = failure(XLASHAPE_STATUS_PARSE, [&, t = text](xlashape_error* record) {
      return xlashape_shape_parse(t, std::strlen(t), 0, &none, record);
    });
    EXPECT_EQ(err.offset, text[0] == 'f' && text[1] == '3' ? (text[3] == '(' ? 3 : 4) : 0);
    EXPECT_THAT(err.message, HasSubstr(why));
  }
}

TEST(Words, Arrays) {
  for (const char* text : {"f32[2,3]",
                           "float32[2,3]",
                           " float32[2,3] ",
                           "2x3xf32",
                           "tensor<2x3xf32>",
                           "memref<2x3xf32>",
                           "~float32[2,3]",
                           "ShapeDtypeStruct(shape=(2, 3), dtype=float32)",
                           "jax.ShapeDtypeStruct((2, 3), jnp.float32)",
                           "ShapedArray(float32[2,3], weak_type=True)",
                           "TensorSpec(shape=(2, 3), dtype=tf.float32, name=None)",
                           "<tf.Tensor: shape=(2, 3), dtype=float32, numpy=...>",
                           "<tf.Tensor: shape=(2, 3), dtype=float32>",
                           "(2, 3) float32",
                           "torch.Size([2, 3]) torch.float32",
                           "float32 (2, 3)",
                           "f32(2,3)",
                           "float32(2, 3)",
                           "f32(2,3):(3,1)",
                           "vector<2x3xf32>",
                           "f32 (2,3):(3,1)",
                           "{'shape': (2, 3), 'dtype': 'float32'}",
                           "%x.1 = f32[2,3] add(%a, %b)",
                           "ROOT %x = f32[2,3]{1,0} add(%a, %b), metadata={}",
                           "f32[2,3] parameter(0)",
                           "f32[2,3]{1,0} %operand",
                           "arg: f32[2,3]",
                           "f32[2, 3][3, 1]cuda:0",
                           "float32[2,3]{row}",
                           "float32[2,3]{ab}"})
    EXPECT_EQ(read(text), "f32[2,3]{1,0}") << text;
  EXPECT_EQ(read("i32[2,3]{col}"), "s32[2,3]{0,1}");
  EXPECT_EQ(read("(float32[2], torch.int8[3]{0})"), "(f32[2]{0}, s8[3]{0})");
  EXPECT_EQ(read("bfloat16[1,30,5,5]{nChw16c}"), "bf16[1,30,5,5]{3,2,1,0:T(16,1,1)}");
  EXPECT_EQ(read("bf16[2, 4, 5, 3][60, 5, 1, 20]cpu"), "bf16[2,4,5,3]{2,1,3,0}");
  EXPECT_EQ(read("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"), "f32[2,3]{0,1}");
  EXPECT_EQ(read("TensorSpec(shape=(None, 3), dtype=tf.bfloat16)"), "bf16[?,3]{1,0}");
  EXPECT_EQ(read("() float32"), "f32[]");
  EXPECT_EQ(read("f32()"), "f32[]");
  for (const char* text : {"f32[?,3]", "f32[None,3]", "float32[None, 3]", "tensor<?x3xf32>", "(None, 3) float32",
                           "(?, 3) float32", "f32(None,3)", "torch.Size([None, 3]) torch.float32"})
    EXPECT_EQ(read(text), "f32[?,3]{1,0}") << text;
  unread("f32[-1,3]", XLASHAPE_STATUS_PARSE, 4, "not negative, or ? where it is not known, found '-1");
  unread("f32[Nones,3]", XLASHAPE_STATUS_PARSE, 4, "a dimension size, <= or ?");
  unread("(-1, 3) float32", XLASHAPE_STATUS_PARSE, 1, "a size, or ? where it is not known");
  unread("f32(-1, 3)", XLASHAPE_STATUS_PARSE, 4, "a size, or ? where it is not known");
  unread("f32(2,3", XLASHAPE_STATUS_PARSE, 7, "',' or ')'");
  unread("float33(2,3)", XLASHAPE_STATUS_PARSE, 0, "did you mean f32?");
  unread("float33[2]", XLASHAPE_STATUS_PARSE, 0, "did you mean f32?");
  unread(" (f32[2], float33[2])", XLASHAPE_STATUS_PARSE, 10, "did you mean f32?");
  unread("f32[2,3]{2,1,0}", XLASHAPE_STATUS_PARSE, 8, "2 dimensions");
  unread("f32[2,3]{T}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8, "permutes the dimensions");
  unread("f32[2,3]{f32[2,3]{f32[2,3]}}", XLASHAPE_STATUS_PARSE, 9, "expected a layout");
  unread("f32[2,3] and", XLASHAPE_STATUS_PARSE, 9, "the end of the text");
  unread("(2, 3) float33", XLASHAPE_STATUS_PARSE, 7, "did you mean f32?");
  unread("", XLASHAPE_STATUS_PARSE, 0, "expected an element type");
  unread("(2, 3)", XLASHAPE_STATUS_PARSE, 6, "found the end of the text");
  unread("((2,2),3):((1,2),4)", XLASHAPE_STATUS_PARSE, 0, "an element type before CuTe's layout");
  unread("(2,3):(3,1)", XLASHAPE_STATUS_PARSE, 0, "an element type before CuTe's layout, as in f32 (2,3):(3,1)");
  unread("f32[2][3]", XLASHAPE_STATUS_UNSUPPORTED, 6, "has stride 3");
  unread("f32[2,3]{nChw16c}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8, "names 4 dimensions");
  unread("f32 Sw<3,3,3> o _0 o (8,8):(8,1)", XLASHAPE_STATUS_UNSUPPORTED, 4, "swizzle");
}

TEST(Words, MissingLayoutsAreKept) {
  for (const char* text : {"float32[2,3]", "tensor<2x3xf32>", "(2, 3) float32", "2x3xf32", "f32[2,3] parameter(0)",
                           "{'shape': (2, 3), 'dtype': 'float32'}", "ShapeDtypeStruct(shape=(2, 3), dtype=float32)"}) {
    const Shape made = make<Shape>([&](xlashape_shape** shape, xlashape_error* err) {
      return xlashape_shape_read(text, std::strlen(text), XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, nullptr, shape, err);
    });
    EXPECT_EQ(text_of(made.get()), "f32[2,3]") << text;
  }
}

TEST(Words, Mlir) {
  const auto both = [](const char* text, const char* want) {
    prints(text, XLASHAPE_NOTATION_MLIR, want);
    EXPECT_EQ(read(want), text);
  };
  both("bf16[128,256]{1,0}", "tensor<128x256xbf16>");
  both("f32[]", "tensor<f32>");
  both("pred[0]{0}", "tensor<0xi1>");
  both("c64[2]{0}", "tensor<2xcomplex<f32>>");
  both("f8e4m3b11fnuz[?]{0}", "tensor<?xf8E4M3B11FNUZ>");
  both("u4[<=8,4]{1,0}", "tensor<?x4xui4, #stablehlo.bounds<8, ?>>");
  both("token[]", "!stablehlo.token");
  prints("f32[2,3]{0,1}", XLASHAPE_NOTATION_MLIR, "tensor<2x3xf32>", XLASHAPE_PRINT_WITHOUT_LAYOUT);
  EXPECT_EQ(read(" tensor< 2 x 3x f32 > "), "f32[2,3]{1,0}");
  EXPECT_EQ(read("tensor<2xsi8>"), "s8[2]{0}");
  EXPECT_EQ(read("tensor<?x2xi8, #stablehlo.type_extensions<bounds = [4, ?]>>"), "s8[<=4,2]{1,0}");
  EXPECT_EQ(read("tensor<?x2xi8, #mhlo.type_extensions<bounds = [4, ?]>>"), "s8[<=4,2]{1,0}");
  unread("tensor<2x3xf33>", XLASHAPE_STATUS_PARSE, 11, "found 'f33': did you mean f32?");
  unread("tensor<2,f32>", XLASHAPE_STATUS_PARSE, 8, "'x'");
  unread("tensor<*xf32>", XLASHAPE_STATUS_UNSUPPORTED, 7, "unknown rank");
  unread("tensor<2xf32", XLASHAPE_STATUS_PARSE, 12, "'>'");
  unread("tensor<2xf32>>", XLASHAPE_STATUS_PARSE, 13, "the end");
  unread("tensor<99999999999999999999xf32>", XLASHAPE_STATUS_PARSE, 7, "63 bits");
  unread("tensor<9999999999x9999999999xf32>", XLASHAPE_STATUS_OVERFLOW, 0, "64 bits");
  unread("tensor<2xf32, #stablehlo.bounds<2>>", XLASHAPE_STATUS_PARSE, 32, "? for a dimension");
  EXPECT_EQ(read("vector<f32>"), "f32[]");
  unread("vector<[4]xf32>", XLASHAPE_STATUS_UNSUPPORTED, 7, "a scalable vector's size");
  unread("vector<2x[4]xf32>", XLASHAPE_STATUS_UNSUPPORTED, 9, "a scalable vector's size");
  unread("vector<?x4xf32>", XLASHAPE_STATUS_PARSE, 7, "expected a size, found '?x4xf32>'");
  unread("tensor<[4]xf32>", XLASHAPE_STATUS_PARSE, 7, "expected a size, found '[4]xf32>'");
  unread("vector<4xf32, 1>", XLASHAPE_STATUS_PARSE, 12, "'>'");
  unread("vector<4xf33>", XLASHAPE_STATUS_PARSE, 9, "did you mean f32?");
  unprinted("f32[8]{0:T(4)}", XLASHAPE_NOTATION_MLIR, "no layout");
  unprinted("s1[8]{0}", XLASHAPE_NOTATION_MLIR, "no type for s1");
  unprinted("()", XLASHAPE_NOTATION_MLIR, "only arrays");
}

TEST(Words, Memref) {
  const auto both = [](const char* text, const char* want) {
    prints(text, XLASHAPE_NOTATION_MEMREF, want);
    EXPECT_EQ(read(want), text);
  };
  both("f32[2,3]{1,0}", "memref<2x3xf32>");
  both("f32[2,3]{0,1}", "memref<2x3xf32, strided<[1, 2]>>");
  prints("s4[2,3]{1,0:E(4)}", XLASHAPE_NOTATION_MEMREF, "memref<2x3xi4>");
  both("f32[2,3]{1,0:PD(2,4)}", "memref<2x3xf32, strided<[4, 1]>>");
  both("f32[5,100]{1,0:T(8,128)}",
       "memref<5x100xf32, affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)>>");
  both("bf16[16,384]{1,0:T(8,128)(2,1)}",
       "memref<16x384xbf16, affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, (d0 floordiv 2) mod 4, d1 mod 128, "
       "d0 mod 2)>>");
  int64_t offset = -1;
  EXPECT_EQ(read("memref<2x3xf32, strided<[1, 2], offset: 4>, 1 : i32>", &offset), "f32[2,3]{0,1}");
  EXPECT_EQ(offset, 4);
  EXPECT_EQ(read("memref<4x8xf32, affine_map<(i, j) -> (i * 8 + j + 3)>, #gpu.address_space<workgroup>>", &offset),
            "f32[4,8]{1,0}");
  EXPECT_EQ(offset, 3);
  EXPECT_EQ(read("memref<4x8xf32>", &offset), "f32[4,8]{1,0}");
  EXPECT_EQ(offset, 0);
  EXPECT_EQ(read("memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>"), "f32[4,8]{0,1}");
  unread("memref<2xf32, strided<[1], offset: 3>>", XLASHAPE_STATUS_UNSUPPORTED, -1, "begins at element 3");
  unread("memref<2xf32, strided<[?]>>", XLASHAPE_STATUS_UNSUPPORTED, 23, "not known");
  unread("memref<4x8xf32, affine_map<(i, j)[s] -> (i * s + j)>>", XLASHAPE_STATUS_UNSUPPORTED, 33, "symbols");
  unread("memref<4x8xf32, affine_map<(i, j) -> (i mod 2, i floordiv 2, j)>>", XLASHAPE_STATUS_UNSUPPORTED, -1,
         "a fine one lies outside of a coarse one");
  unread("memref<4x8xf32, affine_map<(i, j) -> (i)>>", XLASHAPE_STATUS_UNSUPPORTED, -1, "leaves out");
  unread("memref<4x8xf32, affine_map<(i, j) -> (i floordiv 0, j)>>", XLASHAPE_STATUS_PARSE, 40, "greater than 0");
  unprinted("f32[<=2]", XLASHAPE_NOTATION_MEMREF, "known sizes");
}

TEST(Words, Cute) {
  const auto both = [](const char* text, const char* want) {
    prints(text, XLASHAPE_NOTATION_CUTE, want);
    EXPECT_EQ(read(std::string("f32 ") + want), text);
  };
  both("f32[2,3]{1,0}", "(2,3):(3,1)");
  both("f32[2,3]{0,1:PD(4,3)}", "(2,3):(1,4)");
  both("f32[8]{0}", "8:1");
  both("f32[]", "():()");
  both("f32[16,384]{1,0:T(8,128)}", "((8,2),(128,3)):((128,3072),(1,1024))");
  both("f32[16,384]{1,0:T(8,128)(2,1)}", "((2,4,2),(128,3)):((1,256,3072),(2,1024))");
  prints("f32[256]{0:T(128)}", XLASHAPE_NOTATION_CUTE, "((128,2)):((1,128))");
  EXPECT_EQ(read("f32 ((128,2)):((1,128))"), "f32[256]{0}");
  EXPECT_EQ(read("f32 ( _2 , _3 ) : ( _1 , 4 )"), "f32[2,3]{0,1:PD(4,3)}");
  EXPECT_EQ(read("f32 (2,0):(3,1)"), "f32[2,0]{1,0}");
  EXPECT_EQ(read("f32 (((2,2),2),3):(((3,6),12),1)"), "f32[8,3]{1,0}");
  // Gaps within a dimension, and between elements.
  both("f32[8]{0:T(2,4)}", "((4,2)):((1,8))");
  both("f32[6]{0:T(2,1)}", "6:2");
  both("f32[4,6]{1,0:T(2,2,3)}", "((2,2),(3,2)):((3,24),(1,12))");
  EXPECT_EQ(read("f32 (1,(4,2)):(0,(1,8))"), "f32[1,8]{1,0:T(2,1,4)}");
  EXPECT_EQ(read("f32 ((4,2),3):((1,6),12)"), "f32[8,3]{0,1:T(4)(6)}");
  unprinted("f32[8,3]{0,1:T(4)(6)}", XLASHAPE_NOTATION_CUTE, "do not nest");
  unread("f32 6:-1", XLASHAPE_STATUS_UNSUPPORTED, -1, "runs backwards, with stride -1");
  unread("f32 ((2,2),3):((1,0),4)", XLASHAPE_STATUS_UNSUPPORTED, -1, "dimension 0 has stride 0");
  EXPECT_EQ(words("f32[16,384]", "((8,2),(128,3)):((128,3072),(1,1024))"), "f32[16,384]{1,0:T(8,128)}");
  unread("f32 (2,3):", XLASHAPE_STATUS_PARSE, 10, "a stride");
  unread("f32 (2,3):(3)", XLASHAPE_STATUS_PARSE, 10, "as many strides");
  unread("f32 (2,3):(0,1)", XLASHAPE_STATUS_UNSUPPORTED, -1, "repeats");
  unread("f32 (2,3):(1@0,1@1)", XLASHAPE_STATUS_UNSUPPORTED, 12, "a coordinate");
  unread("f32 ((2,4),3):((12,3),1)", XLASHAPE_STATUS_UNSUPPORTED, -1, "a fine part of dimension 0");
  unread("f32 ((2,4),3):((1,5),10)", XLASHAPE_STATUS_UNSUPPORTED, -1, "no layout allows that");
  unprinted("f32[5]{0:T(4)}", XLASHAPE_NOTATION_CUTE, "dimension 0 of size 5 ends inside of a tile of 4");
}

TEST(Words, Numpy) {
  const auto both = [](const char* text, const char* want) {
    prints(text, XLASHAPE_NOTATION_NUMPY, want);
    EXPECT_EQ(read(want), text);
  };
  both("f32[2,3]{1,0}", "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}");
  both("bf16[5]{0}", "{'shape': (5,), 'strides': (2,), 'dtype': 'bfloat16'}");
  both("c128[]", "{'shape': (), 'strides': (), 'dtype': 'complex128'}");
  both("pred[2,3]{0,1:PD(4,3)}", "{'shape': (2, 3), 'strides': (1, 4), 'dtype': 'bool'}");
  EXPECT_EQ(read("{\"typestr\": \"|u1\", \"shape\": [2, 3], 'strides': None,}"), "u8[2,3]{1,0}");
  EXPECT_EQ(read("{'descr':'=f8','shape':(2,)}"), "f64[2]{0}");
  unread("{'shape': (2,), 'dtype': 'float33'}", XLASHAPE_STATUS_PARSE, 25, "did you mean float32?");
  unread("{'shape': (2,)}", XLASHAPE_STATUS_PARSE, 0, "'dtype'");
  unread("{'shape': (2,), 'shape': (2,)}", XLASHAPE_STATUS_PARSE, 16, "each once");
  unread("{'shape': (-2,), 'dtype': 'int8'}", XLASHAPE_STATUS_PARSE, 11, "a number");
  unread("{'shape': (2,), 'strides': (-1,), 'dtype': 'int8'}", XLASHAPE_STATUS_UNSUPPORTED, -1, "backwards");
  unread("{'shape': (2,), 'strides': (), 'dtype': 'int8'}", XLASHAPE_STATUS_PARSE, 0, "as many strides");
  unprinted("s4[8]{0:E(4)}", XLASHAPE_NOTATION_NUMPY, "takes 4 bits");
}

TEST(Words, Layouts) {
  const std::vector<std::array<const char*, 3>> said = {
      {"f32[40,50]", "{0,1:T(8,128)}", "f32[40,50]{0,1:T(8,128)}"},
      {"f32[40,50]", "T(8,128)(2,1)", "f32[40,50]{1,0:T(8,128)(2,1)}"},
      {"f32[2,3]{0,1}", "row", "f32[2,3]{1,0}"},
      {"f32[2,3]", " col ", "f32[2,3]{0,1}"},
      {"f32[2,3]", "order='F'", "f32[2,3]{0,1}"},
      {"f32[8,5,6,3]", "torch.channels_last", "f32[8,5,6,3]{1,3,2,0}"},
      {"f32[1,30,5,5]", "nChw16c", "f32[1,30,5,5]{3,2,1,0:T(16,1,1)}"},
      {"f32[1,30,5,5]", "NCHW8c", "f32[1,30,5,5]{3,2,1,0:T(8,1,1)}"},
      {"f32[1,30,5,5]", "NCHW[8c]", "f32[1,30,5,5]{3,2,1,0:T(8,1,1)}"},
      {"f32[1,30,5,5]", "'nChw[16c]'", "f32[1,30,5,5]{3,2,1,0:T(16,1,1)}"},
      {"f32[1,30,5,5]", "NCHW[4h16c]", "f32[1,30,5,5]{3,2,1,0:T(16,4,1)(16,1,1)}"},
      {"f32[8,5,6,3]", "NHWC->NCHW[16c]", "f32[8,5,6,3]{2,1,3,0:T(16,1,1)} as f32[8,3,5,6]{3,2,1,0:T(16,1,1)}"},
      {"f32[64,30,3,3]", "OIhw4i16o4i", "f32[64,30,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}"},
      {"f32[70,70]", "BA16a64b4a", "f32[70,70]{0,1:T(64,64)(64,4)}"},
      {"u8[4,5,3]", "HWC->CHW", "u8[4,5,3]{1,0,2} as u8[3,4,5]{2,1,0}"},
      {"u8[4,5,3]", "'h w c -> c h w'", "u8[4,5,3]{1,0,2} as u8[3,4,5]{2,1,0}"},
      {"f32[8,5,6,3]", "NHWC->nChw16c", "f32[8,5,6,3]{2,1,3,0:T(16,1,1)} as f32[8,3,5,6]{3,2,1,0:T(16,1,1)}"},
      {"f32[2,3,4]", "... c -> c ...", "f32[2,3,4]{1,0,2} as f32[4,2,3]{2,1,0}"},
      {"f32[2,3,4]", "2,0,1", "f32[2,3,4]{1,0,2} as f32[4,2,3]{2,1,0}"},
      {"f32[2,3,4]", ".permute(0, -1, 1)", "f32[2,3,4]{1,2,0} as f32[2,4,3]{2,1,0}"},
      {"f32[2,3,4]", "transpose(0, 1)", "f32[2,3,4]{2,0,1} as f32[3,2,4]{2,1,0}"},
      {"f32[2,3]", "np.transpose(x)", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]", "np.transpose(x, (0, 1))", "f32[2,3]{1,0}"},
      {"f32[2,3,4]", "transpose(%x), dimensions={2,0,1}", "f32[2,3,4]{1,0,2} as f32[4,2,3]{2,1,0}"},
      {"f32[2,3]", "ROOT %t.1 = f32[3,2]{1,0} transpose(f32[2,3]{1,0} %x), dimensions={1,0}, metadata={a=\"b\"}",
       "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]", "%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]",
       "\"stablehlo.transpose\"(%0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]", "b:f32[3,2] = transpose[permutation=(1, 0)] a", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[8]", "bf16[8]", "bf16[8]{0}"},
      {"f32[2,3]", "vector<2x3xbf16>", "bf16[2,3]{1,0}"},
      {"f32[2,3]", "torch.transpose(x, 0, 1)", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[40,50]", "outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]", "f32[40,50]{0,1:T(16,1)}"},
      {"f32[40,50]", "%p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : tensor<40x50xf32>",
       "f32[40,50]{1,0:T(8,32)}"},
      {"f32[40,50]", "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)), sub_byte_element_size_in_bits=0)",
       "f32[40,50]{1,0:T(8,128)(2,1)}"},
      {"f32[40,50]", "DeviceLocalLayout(major_to_minor=(1, 0), _tiling=((8, 128),), _sub_byte_element_size_in_bits=0)",
       "f32[40,50]{0,1:T(8,128)}"},
      {"s4[40,50]", "Layout(major_to_minor=(0, 1), tiling=((8, 128),))", "s4[40,50]{1,0:T(8,128)E(4)}"},
      {"f32[40,50]", "ttnn.TILE_LAYOUT", "f32[40,50]{1,0:T(32,32)(16,16)}"},
      {"f32[40,50]", "Tile([8, 32])", "f32[40,50]{1,0:T(8,32)(8,16)}"},
      {"f32[2,3]", "strided<[1, 2]>", "f32[2,3]{0,1}"},
      {"f32[1000,3]", "tpu:v5e", "f32[1000,3]{0,1:T(4,128)}"},
      {"bf16[128,256]{0,1}", "TPU v5 lite", "bf16[128,256]{1,0:T(8,128)(2,1)}"},
      {"f32[2,3]{0,1}", "cpu", "f32[2,3]{1,0}"},
      {"f32[2,3]", "{col}", "f32[2,3]{0,1}"},
      {"f32[2,3]", "F_CONTIGUOUS", "f32[2,3]{0,1}"},
      {"f32[2,3]", "1 0", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]", "hw => wh", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]", "hw \xE2\x86\x92 wh", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[2,3]", "einops.rearrange(x, 'h w -> w h')", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      {"f32[5]", "depth -> depth", "f32[5]{0}"},
      {"f32[2,3]", "affine_map<(i, j) -> (j, i)>", "f32[2,3]{0,1}"},
      {"f32[2,3]", "memref<2x3xf32, strided<[1, 2]>>", "f32[2,3]{0,1}"},
      {"f32[2,3]", "f32[2,3]{0,1}", "f32[2,3]{0,1}"},
      {"f32[]", "row", "f32[]"},
      {"f32[]", "bf16", "bf16[]"},
      {"f32[2,3]{0,1}", "bf16", "bf16[2,3]{0,1}"},
      {"f32[40,50]{0,1:T(8,128)}", " torch.float16 ", "f16[40,50]{0,1:T(8,128)}"},
      {"f32[40,50]", "bf16{1,0:T(8,128)(2,1)}", "bf16[40,50]{1,0:T(8,128)(2,1)}"},
      {"f32[40,50]", "bfloat16 T(8,128)(2,1)", "bf16[40,50]{1,0:T(8,128)(2,1)}"},
      {"f32[40,50]", "int8 {1,0}", "s8[40,50]{1,0}"},
      {"f32[40,50]", "np.dtype('<f2') col", "f16[40,50]{0,1}"},
      {"f32[40,50]", "bf16[40,50]{0,1}", "bf16[40,50]{0,1}"},
      {"f32[40,50]", "tensor<40x50xbf16>", "bf16[40,50]{1,0}"},
      {"f32[128,256]", "bf16 tpu:v5e", "bf16[128,256]{1,0:T(8,128)(2,1)}"},
      {"f32[8,5,6,3]", "f16 NHWC->nChw16c", "f16[8,5,6,3]{2,1,3,0:T(16,1,1)} as f16[8,3,5,6]{3,2,1,0:T(16,1,1)}"},
      {"f32[2,3]", "f32", "f32[2,3]{1,0}"},
      // A name of a type that the right side of an arrow repeats is a dimension.
      {"f32[2,3]", "long wide -> wide long", "f32[2,3]{0,1} as f32[3,2]{1,0}"},
      // Packed elements stay packed as far as the new type lets them.
      {"s4[8,8]{0,1:T(4,4)E(4)}", "bf16", "bf16[8,8]{0,1:T(4,4)}"},
      {"s4[8,8]{0,1:E(4)}", "s2", "s2[8,8]{0,1:E(2)}"},
      {"s2[8,8]{0,1:E(2)}", "u4", "u4[8,8]{0,1:E(4)}"},
      {"s4[8,8]{0,1:E(4)}", "u4 row", "u4[8,8]{1,0}"},
      {"s4[8,8]{0,1:E(16)}", "s2", "s2[8,8]{0,1:E(16)}"},
      {"s8[8,8]{0,1}", "s4", "s4[8,8]{0,1}"},
      {"pred[8,8]{1,0:E(32)}", "f32", "f32[8,8]{1,0}"},
      {"f32[0,3]", "AB8a128b", "f32[0,3]{1,0:T(8,128)}"},
  };
  for (const auto& [of, text, want] : said) EXPECT_EQ(words(of, text), want) << text;
  // The old layout of the array does not matter, and is not kept.
  EXPECT_EQ(words("s4[8,8]{0,1:T(4,4)E(4)}", "1,0"), "s4[8,8]{0,1} as s4[8,8]{1,0}");
}

TEST(Words, NoLayout) {
  constexpr auto kParse = XLASHAPE_STATUS_PARSE, kUnsupported = XLASHAPE_STATUS_UNSUPPORTED,
                 kInvalid = XLASHAPE_STATUS_INVALID_ARGUMENT;
  no_words("f32[8,5,6,3]", "NCHW", kParse, "as in NHWC->NCHW; nchw, the tag of oneDNN, would take the array's as nchw");
  no_words("f32[8,5,6,3]", "chanels_last", kParse, "did you mean channels_last?");
  no_words("f32[2,3]", "rwo", kParse, "did you mean row?");
  no_words("f32[2,3,4]", "NCHW", kInvalid, "names 4 dimensions, the array has 3");
  no_words("f32[2,3]", "colum", kParse, "did you mean column?");
  no_words("f32[2,3]", "COL32", kParse, "the letter of a block");
  no_words("f32[2,3]", "flatten", kParse, "expected a layout ({1,0:T(8,128)}, row, col,");
  no_words("f32[2,3]", "transpose", kParse, "found 'transpose'");
  no_words("f32[2,3]", "kNC32HW32", kParse, "found the end of the text");
  no_words("f32[2,3]", "hw -> wh -> hw", kParse, "expected one arrow");
  no_words("f32[2,3]", "T(8,128", kParse, "expected");
  no_words("f32[2,3]", "", kParse, "found nothing");
  no_words("f32[2,3]", "nChw16c", kInvalid, "names 4 dimensions, the array has 2");
  no_words("f32[1,2,3,4]", "NCHWc", kParse, "names dimension c twice");
  no_words("f32[1,2,3,4]", "nCHw16c", kParse, "no block such as 16h");
  no_words("f32[1,2,3,4]", "nChw0c", kParse, "found 0");
  no_words("f32[1,2,3,4]", "NCHW[c]", kParse, "a block's size and its letter in brackets, found 'c]'");
  no_words("f32[1,2,3,4]", "NCHW[16c", kParse, "");
  no_words("f32[1,2,3,4]", "NHWC->NCHW[16c", kParse, "expected ']' after the blocks, found the end of the text");
  no_words("f32[1,2,3,4]", "NHWC->NCHW[]", kParse, "expected a dimension's letter");
  no_words("f32[1,2,3,4]", "[16c]NCHW", kParse, "");
  no_words("f32[1,2,3,4]", "NCHW[4x[4c]]", kParse, "");
  no_words("f32[2,3]", "transpose(%x), dimensions={1,1}", kInvalid, "dimension 1 is named twice");
  no_words("f32[2,3]", "transpose(%x), dimensions={1,0", kParse, "expected the end of the dimensions, found the end");
  no_words("f32[2,3]", "transpose(%x), dimensions={1,x}", kParse, "found 'x'");
  no_words("f32[2,3]", "transpose(%x), dimensions={1,0,2}", kInvalid, "there is no dimension 2");
  no_words("f32[2,3]", "vector<2x[3]xbf16>", kUnsupported, "a scalable vector's size");
  no_words("f32[2,3]", "hw->hc", kParse, "dimension c is not named on the left");
  no_words("f32[2,3]", "a b c d e -> e d c b a", kInvalid, "at most 3 dimensions");
  no_words("f32[2,3]", "hw->h", kInvalid, "dimension w is missing");
  no_words("f32[2,3]", "(h 4) w -> h w 4", kUnsupported, "neither merge, split nor add");
  no_words("f32[2,3,4]", "HWC", kParse, "as in CHW->HWC");
  no_words("f32[1,2,3,4]", "b (h p) w c -> b h p w c", kUnsupported, "neither merge, split nor add");
  no_words("f32[2,3]", "transpose(0,1)", kInvalid, "write swapaxes(0,1)");
  no_words("f32[2,3]", "0,0", kInvalid, "dimension 0 is named twice");
  no_words("f32[2,3]", "0,2", kInvalid, "there is no dimension 2");
  no_words("f32[2,3]", "swizzle<3,4,3>", kUnsupported, "a swizzle");
  no_words("f32[2,3]", "bf16[3,2]", kInvalid, "other dimensions");
  no_words("f6e3m2fn[4]", "v5e", kUnsupported, "");
  no_words("f32[8]", "Layout(major_to_minor=(0,), tiling=((),))", kInvalid, "tile");
  no_words("f32[2,3]", "{bf16}", kInvalid, "'bf16' is an element type: it stands in front of a layout");
  no_words("f32[2,3]", "bf16 bf16", kInvalid, "'bf16' is an element type: it stands in front of a layout");
  no_words("f32[2,3]", "bf16 rwo", kParse, "did you mean row?");
  no_words("f32[2,3]", "float row", kParse, "found 'float', which is f32 in PyTorch and C, f64 in NumPy");
  no_words("f32[2,3]", "f32[3,2]", kInvalid, "other dimensions");
  no_words("f32[3]", "TILE", kInvalid, "give it one of size 1 in front");
  no_words("f32[2,3]", "Tile([33, 32])", kParse, "a tile of tt-metal");
  no_words("f32[2,3]", "inner_dims_pos = [0] inner_tiles = [4, 4]", kInvalid, "1 dimensions, inner_tiles 2 sizes");
  no_words("f32[2,3]", "strided<[3, 1], offset: 2>", kUnsupported, "no offset");
  no_words("(f32[2])", "row", kUnsupported, "only arrays");
  no_words("f32[9223372036854775807]", "A9223372036854775807a2a", XLASHAPE_STATUS_OVERFLOW, "64 bits");
}

TEST(Words, LayoutsPrinted) {
  for (const char* text : {"f32[2,3]{0,1}", "bf16[16,384]{1,0:T(8,128)(2,1)}", "f32[1,30,5,5]{3,2,1,0:T(16,1,1)}",
                           "s4[40,50]{1,0:T(8,128)}", "f32[300]{0:T(128)}"}) {
    for (const xlashape_notation notation : {XLASHAPE_NOTATION_ONEDNN, XLASHAPE_NOTATION_PACK}) {
      const Shape of = shape(text);
      std::vector<char> out(400);
      int64_t needed;
      if (xlashape_shape_print_as(of.get(), notation, 0, out.data(), 400, &needed, nullptr)) continue;
      EXPECT_EQ(words(text, out.data()), text) << out.data();
    }
  }
  prints("f32[1,30,5,5]{3,2,1,0:T(16,1,1)}", XLASHAPE_NOTATION_ONEDNN, "aBcd16b");
  prints("f32[64,30,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}", XLASHAPE_NOTATION_ONEDNN, "ABcd4b16a4b");
  prints("f32[40,50]{0,1:T(16,1)}", XLASHAPE_NOTATION_PACK,
         "outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]");
  prints("f32[2,3]{1,0}", XLASHAPE_NOTATION_JAX,
         "Layout(major_to_minor=(0, 1), tiling=None, sub_byte_element_size_in_bits=0)");
  prints("s4[16]{0:T(8)E(4)}", XLASHAPE_NOTATION_JAX,
         "Layout(major_to_minor=(0,), tiling=((8,),), sub_byte_element_size_in_bits=4)");
  unprinted("bf16[16,384]{1,0:T(8,128)(2,1)}", XLASHAPE_NOTATION_PACK, "tiled twice");
  unprinted("f32[2,3]{1,0:PD(2,4)}", XLASHAPE_NOTATION_ONEDNN, "padded dimensions");
  unprinted("f32[2,3]{1,0:T(*,4)}", XLASHAPE_NOTATION_ONEDNN, "merge");
  unprinted("f32[2,3]{1,0:T(2,3)(2,2)}", XLASHAPE_NOTATION_ONEDNN, "ends inside of the tile around it");
  const Shape of = shape("f32[2]");
  int64_t needed;
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_print_as, of.get(), 8, 0u, nullptr, 0, &needed);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_print_as, of.get(), 0, 0u, nullptr, 0, &needed);
}

// What others did with the same words.

uint32_t crc32(const std::vector<unsigned char>& bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> made{};
    for (uint32_t i = 0; i < 256; ++i) {
      made[i] = i;
      for (int k = 0; k < 8; ++k) made[i] = (made[i] >> 1) ^ (made[i] & 1 ? 0xEDB88320u : 0u);
    }
    return made;
  }();
  uint32_t crc = ~0u;
  for (const unsigned char byte : bytes) crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF];
  return ~crc;
}

std::ifstream data_file(const char* name) {
  const char* root = std::getenv("XLASHAPE_SOURCE_ROOT");
  std::ifstream file(std::string(root != nullptr ? root : ".") + "/tests/data/words/" + name);
  EXPECT_TRUE(file.good()) << name;
  return file;
}

// The bytes of 1, 2, 3, ... moved to where the words have them; the result's dimensions.
std::vector<unsigned char> moved(const std::string& dims, std::string_view text, std::string* result) {
  const std::string of = "s32[" + dims + "]";
  const Shape array = shape(of.c_str());
  const Pair pair = with_words(of.c_str(), text);
  if (!pair.destination || !pair.result) return {};
  *result = text_of(pair.result.get());
  int64_t bytes = 0, elements = 0;
  ok(xlashape_shape_byte_size, array.get(), 0, 0u, &elements);
  ok(xlashape_shape_byte_size, pair.result.get(), 0, 0u, &bytes);
  std::vector<int32_t> from(static_cast<size_t>(elements / 4));
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int32_t>(i + 1);
  std::vector<unsigned char> to(static_cast<size_t>(bytes), 0xEE);
  ok(xlashape_relayout, nullptr, array.get(), from.data(), elements, pair.destination.get(), to.data(), bytes, nullptr);
  return to;
}

TEST(WordsOfOthers, OnednnsTags) {
  std::ifstream file = data_file("onednn_tags.txt");
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string tag, dims, crc, result;
    size_t bytes = 0;
    fields >> tag >> dims >> bytes >> crc;
    const std::vector<unsigned char> memory = moved(dims, tag, &result);
    ASSERT_EQ(memory.size(), bytes) << line;
    ASSERT_EQ(crc32(memory), std::stoul(crc, nullptr, 16)) << line;
    ++lines;
  }
  EXPECT_EQ(lines, 1950);
}

// The value of `key` in a line of JSON: a string's characters, or a list's between its brackets.
std::string field(const std::string& line, const std::string& key) {
  const size_t at = line.find("\"" + key + "\": ");
  if (at == std::string::npos) return "";
  size_t i = at + key.size() + 4;
  if (line[i] == '[') return line.substr(i + 1, line.find(']', i) - i - 1);
  std::string value;
  for (++i; i < line.size() && line[i] != '"'; ++i) value += line[i] == '\\' ? line[++i] : line[i];
  return value;
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

TEST(WordsOfOthers, PermutationsAndOrders) {
  std::ifstream file = data_file("other.jsonl");
  int moves = 0, layouts = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string dims = without_blanks(field(line, "dims")), text = field(line, "words"),
                      type = field(line, "type");
    if (!type.empty()) {
      const std::string want = field(line, "layout");
      EXPECT_EQ(words((type + "[" + dims + "]").c_str(), text), type + "[" + dims + "]" + (dims.empty() ? "" : want));
      ++layouts;
      continue;
    }
    std::string result;
    const std::vector<unsigned char> memory = moved(dims, text, &result);
    ASSERT_EQ(result.substr(0, result.find(']')), "s32[" + without_blanks(field(line, "dims_out"))) << line;
    ASSERT_EQ(crc32(memory), std::stoul(field(line, "crc"), nullptr, 16)) << line;
    ++moves;
  }
  EXPECT_GT(moves, 300);
  EXPECT_GT(layouts, 10);
}

}  // namespace
}  // namespace api
