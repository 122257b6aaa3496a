// SPDX-License-Identifier: Apache-2.0
// Programs: what is read of them, what is refused, what is run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "../src/compile_options.h"
#include "../src/mlir.h"
#include "client.h"
#include "files.h"

using pjrt_plugin::ProgramText;
using pjrt_plugin::read_program;
using testing::HasSubstr;
using xlashape::Shape;

namespace {

constexpr const char* kPrograms[] = {"identity_jax_0.8.1", "identity_jax_0.10.2", "complex_jax_0.10.2",
                                     "add_jax_0.10.2", "three_results_jax_0.10.2"};

std::string types(const std::vector<pjrt_plugin::Value>& values) {
  std::string text;
  for (const auto& value : values) text += pjrt_plugin::named(value.type, value.dimensions) + value.layout + " ";
  return text;
}

TEST(Program, IsRead) {
  for (const char* const name : {"identity_jax_0.8.1", "identity_jax_0.10.2"}) {
    const ProgramText identity = read_program(program_in(name));
    EXPECT_THAT(identity.name, testing::AnyOf("jit__identity_fn", "jit__device_put_reshard"));
    EXPECT_EQ(identity.computes, "");
    EXPECT_EQ(types(identity.arguments), "f32[3,5] ");
    EXPECT_EQ(types(identity.results), "f32[3,5]{0,1} ");
  }
  EXPECT_EQ(types(read_program(program_in("complex_jax_0.10.2")).results), "c64[3,5]{0,1} ");
  const ProgramText three = read_program(program_in("three_results_jax_0.10.2"));
  EXPECT_EQ(types(three.arguments), "f32[3,5] s32[2,1] ");
  EXPECT_EQ(types(three.results), "s32[2,1]{0,1:T(8,128)} f32[3,5] f32[3,5]{0,1} ");
  EXPECT_THAT(three.sources, testing::ElementsAre(1, 0, 0));
  const ProgramText add = read_program(program_in("add_jax_0.10.2"));
  EXPECT_EQ(add.name, "jit__lambda");
  EXPECT_EQ(add.computes, "vhlo.constant_v1");
}

std::string refusal(const std::string& code) {
  try {
    read_program(code);
    return "OK";
  } catch (const pjrt_plugin::Failure& failure) {
    EXPECT_EQ(failure.code(), PJRT_Error_Code_UNIMPLEMENTED);
    return failure.message();
  }
}

TEST(Program, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refusal(""), HasSubstr("too early"));
  EXPECT_THAT(refusal("HloModule"), HasSubstr("no bytecode"));
  EXPECT_THAT(refusal("// comment\nmodule @attention attributes {a = 1} {\n"),
              HasSubstr("program attention is MLIR as text"));
  std::string other = program_in("identity_jax_0.10.2");
  other[4] = '\x0b';  // version 5
  EXPECT_THAT(refusal(other), HasSubstr("version 5"));
  other = program_in("identity_jax_0.10.2");
  other[5] = 'X';
  EXPECT_THAT(refusal(other), HasSubstr("is not StableHLO"));
}

// Every truncation, and random changes: an answer or a refusal, nothing else; and what is still an identity has results
// of its arguments' types.
TEST(Program, MayHoldAnything) {
  std::mt19937_64 random(5);
  int identities = 0, refused = 0;
  const auto feed = [&](const std::string& code) {
    try {
      const ProgramText text = read_program(code);
      if (!text.computes.empty()) return;
      ASSERT_EQ(text.sources.size(), text.results.size());
      for (std::size_t i = 0; i < text.results.size(); ++i) {
        ASSERT_LT(text.sources[i], text.arguments.size());
        ASSERT_EQ(text.arguments[text.sources[i]].dimensions, text.results[i].dimensions);
      }
      ++identities;
    } catch (const pjrt_plugin::Failure&) {
      ++refused;
    }
  };
  for (const char* const name : kPrograms) {
    const std::string code = program_in(name);
    ASSERT_GT(code.size(), 400u);
    for (std::size_t size = 0; size < code.size(); ++size) {
      EXPECT_NE(refusal(code.substr(0, size)), "OK") << name << " cut at " << size;
      feed(code.substr(0, size));
    }
    for (int i = 0; i < 20000; ++i) {
      std::string changed = code;
      for (std::uint64_t n = 1 + random() % 4; n > 0; --n)
        changed[random() % changed.size()] = static_cast<char>(random());
      feed(changed);
    }
  }
  EXPECT_GT(identities, 1000);
  EXPECT_GT(refused, 10000);
}

TEST(CompileOptions, AreRead) {
  EXPECT_EQ(pjrt_plugin::compile_options("").replicas, 1);
  // executable_build_options {
  //   num_replicas 2, num_partitions 3, device_assignment { 1, 1, { replica_device_ids [300] } } }
  const std::string bytes("\x1a\x10\x20\x02\x28\x03\x4a\x0a\x08\x01\x10\x01\x1a\x04\x0a\x02\xac\x02", 18);
  const auto options = pjrt_plugin::compile_options(bytes);
  EXPECT_EQ(options.replicas, 2);
  EXPECT_EQ(options.partitions, 3);
  EXPECT_EQ(options.device, 300);
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_THROW(pjrt_plugin::compile_options(bytes.substr(0, size)), pjrt_plugin::Failure) << size;
  EXPECT_EQ(pjrt_plugin::assignment_to(0), std::string("\x08\x01\x10\x01\x1a\x03\x0a\x01\x00", 9));
  EXPECT_EQ(pjrt_plugin::assignment_to(300), std::string("\x08\x01\x10\x01\x1a\x04\x0a\x02\xac\x02", 10));
}

LoadedExecutable compile(const Client& client, const std::string& code, const std::string& options = "",
                         const char* format = "mlir") {
  auto program = args_of<PJRT_Program>();
  program.code = const_cast<char*>(code.data());
  program.code_size = code.size();
  program.format = format;
  program.format_size = std::strlen(format);
  auto args = args_of<PJRT_Client_Compile_Args>();
  args.client = client.get();
  args.program = &program;
  args.compile_options = options.data();
  args.compile_options_size = options.size();
  CALL(PJRT_Client_Compile, args);
  return LoadedExecutable(args.executable);
}

std::string refused(const Client& client, const std::string& code, const std::string& options = "",
                    const char* format = "mlir") {
  return told([&] { compile(client, code, options, format); });
}

TEST(Executable, MovesItsArguments) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}});
  const LoadedExecutable executable = compile(client, program_in("three_results_jax_0.10.2"));
  std::vector<float> data(15);
  for (std::size_t i = 0; i < 15; ++i) data[i] = static_cast<float>(i);
  const std::int32_t numbers[] = {7, 8};
  const Shape matrix = Shape::parse("f32[3,5]"), column = Shape::parse("s32[2,1]");
  const Buffer x = client.put(data.data(), matrix, {}, 0), y = client.put(numbers, column, {}, 0);
  PJRT_Buffer* const arguments[] = {x.get(), y.get()};
  PJRT_Buffer* const* const lists[] = {arguments};
  PJRT_Buffer* results[3] = {};
  PJRT_Buffer** const result_lists[] = {results};
  PJRT_Event* done = nullptr;
  auto options = args_of<PJRT_ExecuteOptions>();
  auto args = args_of<PJRT_LoadedExecutable_Execute_Args>();
  args.executable = executable.get();
  args.options = &options;
  args.argument_lists = lists;
  args.num_devices = 1;
  args.num_args = 2;
  args.output_lists = result_lists;
  args.device_complete_events = &done;
  CALL(PJRT_LoadedExecutable_Execute, args);
  await(Event(done).get());
  const Buffer first(results[0]), second(results[1]), third(results[2]);
  EXPECT_EQ(layout_of(first.get()), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of(second.get()), layout_of(x.get()));
  EXPECT_EQ(layout_of(third.get()), "{0,1:T(8,128)}");
  EXPECT_EQ(get(first.get(), column), get(y.get(), column));
  EXPECT_EQ(get(second.get(), matrix), get(x.get(), matrix));
  EXPECT_EQ(get(third.get(), matrix), get(x.get(), matrix));

  // Wrong arguments: their number, their shape, their device, a deleted one.
  const auto failure = [&] { return told([&] { CALL(PJRT_LoadedExecutable_Execute, args); }); };
  args.num_args = 1;
  EXPECT_THAT(failure(), HasSubstr("takes 2 arguments on 1 device: 1 on 1"));
  args.num_args = 2;
  PJRT_Buffer* const swapped[] = {y.get(), x.get()};
  PJRT_Buffer* const* const swapped_lists[] = {swapped};
  args.argument_lists = swapped_lists;
  EXPECT_THAT(failure(), HasSubstr("argument 1 is f32[3,5]{1,0:T(4,128)}"));
  args.argument_lists = lists;
  args.execute_device = client.device(1);
  EXPECT_THAT(failure(), HasSubstr("wanted is s32[2,1] on xlashape:1 cpu"));
  args.execute_device = nullptr;
  PJRT_Buffer* const none[] = {x.get(), nullptr};
  PJRT_Buffer* const* const none_lists[] = {none};
  args.argument_lists = none_lists;
  EXPECT_THAT(failure(), HasSubstr("argument 1 is NULL"));
  PJRT_Buffer* const* const no_list[] = {nullptr};
  args.argument_lists = no_list;
  EXPECT_THAT(failure(), HasSubstr("argument_lists[0] is NULL, and 2 are given"));
  args.argument_lists = nullptr;
  EXPECT_THAT(failure(), HasSubstr("argument_lists is NULL, and 2 are given"));
  args.argument_lists = lists;
  args.output_lists = nullptr;
  EXPECT_THAT(failure(), HasSubstr("output_lists is NULL, and 3 are given"));
  args.output_lists = result_lists;
  delete_array(x.get());
  EXPECT_THAT(failure(), HasSubstr("the buffer was deleted"));
  auto gone = args_of<PJRT_LoadedExecutable_Delete_Args>();
  gone.executable = executable.get();
  CALL(PJRT_LoadedExecutable_Delete, gone);
  EXPECT_THAT(failure(), HasSubstr("was deleted"));
}

TEST(Executable, OthersAreRefusedByName) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}});
  const std::string unimplemented = code(PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_THAT(refused(client, program_in("add_jax_0.10.2")),
              HasSubstr(unimplemented + "program jit__lambda computes (vhlo.constant_v1)"));
  EXPECT_THAT(refused(client, "module @attention {}"), HasSubstr(unimplemented + "program attention"));
  EXPECT_THAT(refused(client, "\x0a\x06matmul", "", "hlo"),
              HasSubstr(unimplemented + "program matmul is in the format 'hlo'"));
  EXPECT_THAT(refused(client, "", "", "jaxpr"), HasSubstr("'jaxpr'"));
  const std::string identity = program_in("identity_jax_0.10.2");
  EXPECT_EQ(refused(client, identity), "OK");
  EXPECT_THAT(refused(client, identity, "\x1a\x02\x28\x02"),
              HasSubstr(unimplemented + "program jit__device_put_reshard is for 1 replicas of 2 partitions"));
  EXPECT_THAT(refused(client, identity, std::string("\x1a\x0b\x4a\x09\x08\x01\x10\x01\x1a\x03\x0a\x01\x05", 13)),
              HasSubstr("device 5"));
  EXPECT_THAT(refused(client, identity, "\x1a\x7f"), HasSubstr("no protocol buffer"));
}

// PJRT has one default layout for all devices of a client. Where it is not that of an argument,
// jax calls itself for ever.
TEST(Executable, TakesArgumentsInTheDefaultLayoutOnly) {
  const std::string identity = program_in("identity_jax_0.10.2"), complex = program_in("complex_jax_0.10.2");
  const std::string on_second("\x1a\x0b\x4a\x09\x08\x01\x10\x01\x1a\x03\x0a\x01\x01", 13);
  const Client mixed(Client::Options{{"devices", "tpu:v5e,cpu"}});
  EXPECT_EQ(refused(mixed, identity), "OK");
  EXPECT_EQ(
      refused(mixed, identity, on_second),
      code(PJRT_Error_Code_UNIMPLEMENTED) +
          "program jit__device_put_reshard takes f32[3,5]{1,0} on xlashape:1 cpu, and PJRT's default layout for it is "
          "{1,0:T(4,128)}, that of xlashape:0 tpu:v5e: programs need a client for each target, in jax a platform for "
          "each, as in XLASHAPE_PJRT_PLATFORMS=\"tiled=tpu:v5e;rows=cpu\"");
  EXPECT_THAT(refused(mixed, complex, on_second), HasSubstr("XLASHAPE_PJRT_PLATFORMS"));
  // Targets that differ, and store this argument alike.
  const Client alike(Client::Options{{"devices", "tpu:v5e,tpu:v4"}});
  EXPECT_EQ(refused(alike, identity, on_second), "OK");
}

}  // namespace
