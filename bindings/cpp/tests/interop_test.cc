// Shapes and layouts to others' forms and back.
#include <gtest/gtest.h>

#include <xlashape.hpp>

namespace {

using xlashape::ElementType;
using xlashape::Shape;
using xlashape::Status;

TEST(Interop, Texts) {
  const Shape shape = Shape::parse("f32[2,3]{0,1}"), tiled = Shape::parse("bf16[3,4]{1,0:T(2,2)}");
  EXPECT_EQ(xlashape::to_mlir(Shape::parse("f32[2,3]")), "tensor<2x3xf32>");
  EXPECT_EQ(xlashape::from_mlir("tensor<2x3xf32>"), Shape::parse("f32[2,3]"));
  EXPECT_EQ(xlashape::from_cute(xlashape::to_cute(shape), ElementType::kF32), shape);
  EXPECT_EQ(xlashape::from_numpy(xlashape::to_numpy(shape)), shape);
  EXPECT_EQ(xlashape::try_to_mlir(shape).error().status(), Status::kUnsupported);
  EXPECT_EQ(xlashape::try_to_numpy(tiled).error().status(), Status::kUnsupported);
  EXPECT_EQ(xlashape::try_from_cute("(2,", ElementType::kF32).error().status(), Status::kParse);
  EXPECT_THROW(xlashape::from_numpy("{'shape': 3}"), xlashape::Exception);
}

TEST(Interop, Structs) {
  const Shape shape = Shape::parse("f32[2,3]{0,1}"), tiled = Shape::parse("bf16[3,4]{1,0:T(2,2)}");
  float data[6];
  const auto tensor = xlashape::try_to_dlpack(shape, 0, data);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(xlashape::from_dlpack(tensor->get()), shape);
  EXPECT_EQ(xlashape::try_to_dlpack(tiled, 0, data).error().status(), Status::kUnsupported);
  EXPECT_FALSE(xlashape::try_from_dlpack(nullptr));
  const auto layout = xlashape::try_to_pjrt(tiled);
  ASSERT_TRUE(layout);
  EXPECT_EQ(*xlashape::try_layout_from_pjrt(layout->get(), ElementType::kBF16, {3, 4}), tiled.layout());
}

}  // namespace
