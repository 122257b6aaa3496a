// SPDX-License-Identifier: Apache-2.0
// Every exported function called as ctypes, JNA or Ruby would: through libffi, by the ABI file alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "abi/arguments.h"

namespace foreign {
namespace {

using testing::HasSubstr;

const File& file() {
  static const File the_file(std::getenv("XLASHAPE_TEST_ABI"));
  return the_file;
}

Session& session() {
  static const Library library(std::getenv("XLASHAPE_TEST_LIBRARY"));
  static Session the_session =
      make_session(file(), library, std::getenv("XLASHAPE_TEST_CALLS"), std::getenv("XLASHAPE_TEST_PLUGIN"));
  return the_session;
}

int64_t code(const char* name) { return file().constant(std::string("XLASHAPE_STATUS_") + name); }

// An error record of any size, every byte known.
struct ErrorRecord {
  explicit ErrorRecord(uint32_t struct_size) : buffer(file().structure("xlashape_error").size, 0x5A) {
    store(ffi_type_uint32, struct_size, buffer.data());
    buffer.remember();
  }
  int64_t field(const char* name) {
    const Item& field = file().structure("xlashape_error").field(name);
    return static_cast<int64_t>(load(*file().type(field), buffer.data() + field.offset));
  }
  std::string message() {
    const Item& field = file().structure("xlashape_error").field("message");
    return std::string(reinterpret_cast<char*>(buffer.data()) + field.offset,
                       static_cast<size_t>(this->field("message_len")));
  }
  Buffer buffer;
};

uint32_t error_size() { return static_cast<uint32_t>(file().structure("xlashape_error").size); }

void set_err(Arguments& arguments, const Signature& function, ErrorRecord* record) {
  if (function.has_status()) arguments.values.back() = record == nullptr ? 0 : record->buffer.address();
}

std::string first_required(const Signature& function) {
  for (const Item& parameter : function.parameters)
    if (parameter.is_pointer() && !parameter.nullable) return parameter.name;
  return "";
}

class FfiCall : public testing::TestWithParam<std::string> {
 protected:
  const Signature& function() const { return file().function(GetParam()); }

  int64_t expected() const {
    const auto status = session().recipe(GetParam(), "status");
    return status.is_string() ? code(status.get<std::string>().c_str()) : 0;
  }
};

TEST_P(FfiCall, ValidArguments) {
  ErrorRecord err(error_size());
  Arguments arguments(session(), function());
  set_err(arguments, function(), &err);
  const uint64_t result = arguments.call();
  EXPECT_TRUE(arguments.guarded()) << "wrote where it may not";
  uint64_t plain;
  {
    Arguments again(session(), function());
    plain = again.call(false);  // without an error record, and without garbage above narrow arguments
  }
  if (function().has_status()) {
    EXPECT_EQ(static_cast<int64_t>(result), expected()) << (err.buffer.untouched() ? "" : err.message());
    EXPECT_EQ(result, plain) << "garbage in upper halves, or a missing error record, made a difference";
    EXPECT_EQ(err.buffer.untouched(), result == 0) << "the record is filled on failure, untouched on success";
    EXPECT_TRUE(err.buffer.guarded());
  } else if (function().returns.role == "value") {
    EXPECT_EQ(result, plain) << "garbage in upper halves of arguments changes the result";
  } else if (function().returns.role == "text") {
    ASSERT_NE(result, 0u);
    EXPECT_GT(std::strlen(reinterpret_cast<const char*>(result)), 0u);
  } else if (function().returns.role == "handle") {
    EXPECT_NE(result, 0u);
  }
}

TEST_P(FfiCall, NullWhereItIsAllowed) {
  for (const Item& parameter : function().parameters) {
    if (!parameter.nullable || parameter.role == "error") continue;
    SCOPED_TRACE(parameter.name);
    const auto at = [&](Arguments& arguments) { return static_cast<size_t>(arguments.place(parameter.name)); };
    const auto with = session().recipe(GetParam(), "null").value(parameter.name, nlohmann::json::object());
    ErrorRecord err(error_size());
    Arguments none(session(), function(), with);
    if (parameter.len.empty()) {
      none.values[at(none)] = 0;
    } else {
      none.empty(parameter.len);
      for (const Item& other : function().parameters)  // what has no items needs no memory
        if (other.len == parameter.len && other.nullable) none.values[static_cast<size_t>(none.place(other.name))] = 0;
    }
    set_err(none, function(), &err);
    const uint64_t result = none.call();
    EXPECT_TRUE(none.guarded());
    if (function().has_status() && static_cast<int64_t>(result) != expected()) {
      EXPECT_NE(err.message(), parameter.name + " is NULL");
      if (parameter.len.empty()) ADD_FAILURE() << "NULL is allowed, but it failed: " << err.message();
    }
    if (parameter.len.empty()) continue;
    // With items to read or write, NULL is an error or stands for a default; it is never followed.
    Arguments some(session(), function());
    some.values[at(some)] = 0;
    ErrorRecord other(error_size());
    set_err(some, function(), &other);
    const uint64_t status = some.call();
    EXPECT_TRUE(some.guarded());
    if (function().has_status() && status != 0) {
      EXPECT_EQ(static_cast<int64_t>(status), code("INVALID_ARGUMENT"));
      EXPECT_THAT(other.message(), HasSubstr(parameter.name));
      EXPECT_TRUE(some.untouched()) << "wrote although it failed";
    }
  }
}

TEST_P(FfiCall, NullWhereItIsNot) {
  for (const Item& parameter : function().parameters) {
    if (!parameter.is_pointer() || parameter.nullable) continue;
    SCOPED_TRACE(parameter.name);
    for (const bool with_err : {true, false}) {
      ErrorRecord err(error_size());
      Arguments arguments(session(), function());
      arguments.values[static_cast<size_t>(arguments.place(parameter.name))] = 0;
      if (with_err) set_err(arguments, function(), &err);
      const auto result = static_cast<int64_t>(arguments.call());
      EXPECT_TRUE(arguments.untouched()) << "wrote although it failed";
      if (function().has_status()) {
        EXPECT_EQ(result, code("INVALID_ARGUMENT"));
        EXPECT_TRUE(!with_err || err.message() == parameter.name + " is NULL") << err.message();
      } else {
        EXPECT_EQ(result, 0) << "the safe answer";
      }
    }
  }
}

// Sizes of structs: too small, of this release, of a later one; and their reserved fields.
TEST_P(FfiCall, StructSizes) {
  const size_t count = Arguments(session(), function()).structs().size();
  for (size_t i = 0; i < count; ++i) {
    const auto call = [&](auto&& change, ErrorRecord& err, auto&& look) {
      Arguments arguments(session(), function());
      StructArgument& argument = arguments.structs().at(i);
      change(argument, argument.buffer->data());
      argument.buffer->remember();
      set_err(arguments, function(), &err);
      const auto result = static_cast<int64_t>(arguments.call());
      look(argument, result);
      EXPECT_TRUE(arguments.guarded());
      if (result != 0) {
        EXPECT_TRUE(arguments.untouched()) << "wrote although it failed";
      }
    };
    const auto size_is = [](uint32_t size) {
      return [=](StructArgument&, unsigned char* bytes) { store(ffi_type_uint32, size, bytes); };
    };
    const auto nothing = [](StructArgument&, int64_t) {};
    StructArgument kind;
    call([&](StructArgument& argument, unsigned char*) { kind = argument; },
         *std::make_unique<ErrorRecord>(error_size()), nothing);
    SCOPED_TRACE(kind.where);
    const std::string name = kind.where.substr(kind.where.rfind('.') + 1);
    const auto now = static_cast<uint32_t>(kind.size);
    {
      ErrorRecord err(error_size());
      call(size_is(now), err, [&](StructArgument& argument, int64_t result) {
        EXPECT_EQ(result, expected());
        if (!argument.is_output) return;
        EXPECT_EQ(load(ffi_type_uint32, argument.buffer->data()), now);
        for (size_t b = now; b < argument.buffer->size(); ++b) EXPECT_EQ(argument.buffer->data()[b], kUnwritten);
      });
    }
    for (const int filler : {0, 1}) {
      ErrorRecord err(error_size());
      const auto larger = [&](StructArgument& argument, unsigned char* bytes) {
        store(ffi_type_uint32, now + kRoom, bytes);
        std::memset(bytes + now, 0, kRoom);
        if (filler != 0) argument.buffer->data()[now + kRoom - 1] = 1;
      };
      call(larger, err, [&](StructArgument& argument, int64_t result) {
        if (argument.is_output) {
          EXPECT_EQ(result, expected());
          EXPECT_EQ(load(ffi_type_uint32, argument.buffer->data()), now) << "the size that was filled";
          for (size_t b = now; b < now + kRoom; ++b) EXPECT_EQ(argument.buffer->data()[b], 0) << "byte " << b;
        } else {
          EXPECT_EQ(result, filler == 0 ? expected() : code("INCOMPATIBLE"))
              << kRoom << " more bytes, the last is " << filler;
        }
      });
    }
    for (const uint32_t size : {0u, 4u, now - 1}) {
      ErrorRecord err(error_size());
      call(size_is(size), err, [&](StructArgument&, int64_t result) {
        EXPECT_EQ(result, code("INVALID_ARGUMENT")) << "struct_size " << size;
        EXPECT_THAT(err.message(), HasSubstr(name + ".struct_size is " + std::to_string(size)));
      });
    }
    if (kind.is_output) continue;
    for (const Item& field : file().structure(kind.name).fields) {
      if (field.name != "reserved") continue;
      ErrorRecord err(error_size());
      const auto not_zero = [&](StructArgument&, unsigned char* bytes) {
        store(*file().type(field), 1, bytes + field.offset);
      };
      call(not_zero, err, [&](StructArgument&, int64_t result) {
        EXPECT_EQ(result, code("INCOMPATIBLE"));
        EXPECT_THAT(err.message(), HasSubstr(name + ".reserved is 1"));
      });
    }
  }
}

class FfiError : public FfiCall {};

// The error record grows like any struct: nothing is written beyond its size, or at all below its first one.
TEST_P(FfiError, RecordSizes) {
  // A function that needs no pointer fails as its recipe says.
  const std::string required = first_required(function());
  const auto fail = [&](ErrorRecord& err) {
    Arguments arguments(session(), function());
    if (!required.empty()) arguments.values[static_cast<size_t>(arguments.place(required))] = 0;
    set_err(arguments, function(), &err);
    return static_cast<int64_t>(arguments.call());
  };
  ErrorRecord whole(error_size());
  const int64_t status = required.empty() ? expected() : code("INVALID_ARGUMENT");
  ASSERT_NE(status, 0) << "no argument makes it fail";
  ASSERT_EQ(fail(whole), status);
  const std::string message = whole.message();
  if (!required.empty()) {
    EXPECT_EQ(message, required + " is NULL");
  }
  const size_t head = file().structure("xlashape_error").field("message").offset;
  for (const uint32_t size : {0u, 31u, 32u, 40u, error_size()}) {
    SCOPED_TRACE(size);
    ErrorRecord err(size);
    EXPECT_EQ(fail(err), status);
    EXPECT_TRUE(err.buffer.guarded());
    if (size < head) {
      EXPECT_TRUE(err.buffer.untouched());
      continue;
    }
    EXPECT_EQ(err.field("code"), status);
    EXPECT_EQ(err.field("index"), -1);
    EXPECT_EQ(err.field("offset"), -1);
    EXPECT_EQ(err.field("source"), 0);
    EXPECT_EQ(load(ffi_type_uint32, err.buffer.data()), size);
    const auto length = static_cast<size_t>(err.field("message_len"));
    EXPECT_LE(length + head, size);
    EXPECT_EQ(err.message(), message.substr(0, length));
    for (size_t b = std::max<size_t>(size, head); b < error_size(); ++b) EXPECT_EQ(err.buffer.data()[b], 0x5A);
    if (size > head) {
      EXPECT_EQ(err.buffer.data()[head + length], 0);
      EXPECT_EQ(length, std::min(size - head - 1, message.size()));
    }
  }
}

std::vector<std::string> all_functions(bool with_err_only = false) {
  std::vector<std::string> names;
  for (const Signature& function : file().functions())
    if (function.has_status() || !with_err_only) names.push_back(function.name);
  return names;
}
std::string short_name(const testing::TestParamInfo<std::string>& info) {
  return info.param.substr(sizeof "xlashape_" - 1);
}
INSTANTIATE_TEST_SUITE_P(All, FfiCall, testing::ValuesIn(all_functions()), short_name);
INSTANTIATE_TEST_SUITE_P(All, FfiError, testing::ValuesIn(all_functions(true)), short_name);

// The garbage works: a function that is wider than the ABI file says would be found out.
int64_t wider_than_declared(int64_t value) { return value; }
TEST(FfiGarbage, ShowsAWrongWidth) {
  if (!kGarbageAbove) GTEST_SKIP() << "callers must extend narrow arguments on this machine";
  Signature declared;
  declared.name = "wider_than_declared";
  declared.returns.base = "int64_t";
  declared.parameters.resize(1);
  declared.parameters[0].base = "int32_t";
  const auto entry = reinterpret_cast<Library::Function>(wider_than_declared);
  EXPECT_EQ(Call(file(), declared, false)(entry, {7}), 7u);
  EXPECT_NE(Call(file(), declared, true)(entry, {7}), 7u);
}

// What the tests above go through is everything: each function of the file is in the library and can be called.
TEST(FfiCoverage, NoFunctionIsLeftOut) {
  std::string missing;
  for (const std::string& name : all_functions()) {
    try {
      Arguments(session(), file().function(name)).call();
    } catch (const std::exception& reason) {
      missing += name + ": " + reason.what() + "\n";
    }
  }
  EXPECT_EQ(missing, "");
  std::printf("%zu functions called, not covered: %s\n", all_functions().size(),
              missing.empty() ? "none" : missing.c_str());
  for (const auto& [name, recipe] : session().calls.at("functions").items())
    EXPECT_NO_THROW(file().function(name)) << "calls.json knows a function that the ABI file does not";
}

}  // namespace
}  // namespace foreign
