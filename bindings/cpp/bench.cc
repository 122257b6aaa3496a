// SPDX-License-Identifier: Apache-2.0
// The C calls beside the header's, with Google Benchmark: JSON lines {"language", "name", "ns"}. Each is repeated in
// turns, and the least counts; of the large relayout the median.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <xlashape.hpp>

namespace {

constexpr char kText[] = "bf16[128,256]{1,0:T(8,128)(2,1)}";
constexpr char kRank4[] = "f32[16,32,64,128]{3,2,1,0:T(8,128)}";
constexpr int kRepetitions = 9;

xlashape_error err = XLASHAPE_INIT(xlashape_error);

void c_parse(benchmark::State& state) {
  for (auto _ : state) {
    xlashape_shape* shape;
    if (xlashape_shape_parse(kText, sizeof kText - 1, 0, &shape, &err)) state.SkipWithError(err.message);
    benchmark::DoNotOptimize(shape);
    xlashape_shape_release(shape);
  }
}
void cpp_parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(xlashape::Shape::parse({kText, sizeof kText - 1}));
}

void c_print(benchmark::State& state) {
  const auto shape = xlashape::Shape::parse(kText);
  for (auto _ : state) {
    char text[256];
    int64_t needed;
    if (xlashape_shape_print(shape.get(), 0, text, sizeof text, &needed, &err)) state.SkipWithError(err.message);
    benchmark::DoNotOptimize(text[0]);
  }
}
// The same with what a std::string costs, which is what the header gives.
void c_print_to_string(benchmark::State& state) {
  const auto shape = xlashape::Shape::parse(kText);
  for (auto _ : state) {
    char text[256];
    int64_t needed;
    if (xlashape_shape_print(shape.get(), 0, text, sizeof text, &needed, &err)) state.SkipWithError(err.message);
    benchmark::DoNotOptimize(std::string(text, static_cast<size_t>(needed - 1)));
  }
}
void cpp_print(benchmark::State& state) {
  const auto shape = xlashape::Shape::parse(kText);
  for (auto _ : state) benchmark::DoNotOptimize(shape.to_string());
}

void c_linear(benchmark::State& state) {
  const auto map = xlashape::IndexMap::of(xlashape::Shape::parse(kRank4));
  int64_t i = 3;
  for (auto _ : state) {
    benchmark::DoNotOptimize(i);
    const int64_t index[4] = {i, 5, 7, 11};
    int64_t linear;
    if (xlashape_index_map_linear_index(map.get(), index, 4, &linear, &err)) state.SkipWithError(err.message);
    benchmark::DoNotOptimize(linear);
  }
}
void cpp_linear(benchmark::State& state) {
  const auto map = xlashape::IndexMap::of(xlashape::Shape::parse(kRank4));
  int64_t i = 3;
  for (auto _ : state) {
    benchmark::DoNotOptimize(i);
    benchmark::DoNotOptimize(map.linear_index({i, 5, 7, 11}));
  }
}

struct Batch {
  explicit Batch(int64_t count) : positions(static_cast<size_t>(count)), indices(4 * static_cast<size_t>(count)) {
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<int64_t>(i);
  }
  xlashape::IndexMap map = xlashape::IndexMap::of(xlashape::Shape::parse(kRank4));
  std::vector<int64_t> positions, indices;
};
void c_unravel(benchmark::State& state) {
  Batch b(state.range(0));
  for (auto _ : state) {
    xlashape_index_plan* plan = nullptr;
    if (xlashape_index_plan_create(nullptr, b.map.get(), XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, nullptr, &plan,
                                   &err) ||
        xlashape_index_plan_execute(plan, state.range(0), b.positions.data(),
                                    static_cast<int64_t>(8 * b.positions.size()), b.indices.data(),
                                    static_cast<int64_t>(8 * b.indices.size()), nullptr, &err))
      state.SkipWithError(err.message);
    xlashape_index_plan_release(plan);
  }
}
void cpp_unravel(benchmark::State& state) {
  Batch b(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(b.map.multidimensional_indices(b.positions, b.indices));
}

struct Move {
  Move(const char* src, const char* dst)
      : plan(xlashape::Plan::create(xlashape::Shape::parse(src), xlashape::Shape::parse(dst))),
        from(static_cast<size_t>(xlashape::Shape::parse(src).sizes().elements), 1.0f),
        to(from.size()) {}
  xlashape::Plan plan;
  std::vector<float> from, to;
  int64_t bytes = static_cast<int64_t>(from.size() * sizeof(float));
};
void c_relayout(benchmark::State& state, const char* src, const char* dst) {
  Move m(src, dst);
  for (auto _ : state)
    if (xlashape_plan_execute(m.plan.get(), m.from.data(), m.bytes, m.to.data(), m.bytes, &err))
      state.SkipWithError(err.message);
}
void cpp_relayout(benchmark::State& state, const char* src, const char* dst) {
  Move m(src, dst);
  for (auto _ : state) m.plan.execute(m.from, m.to);
}

class Lines : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) std::fprintf(stderr, "%s: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
      if (run.run_type == Run::RT_Iteration && !run.error_occurred)
        times_[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
    }
  }
  void Finalize() override {
    for (auto& [name, times] : times_) {
      std::sort(times.begin(), times.end());
      const auto slash = name.find('/');
      const std::string language = name.substr(0, slash), what = name.substr(slash + 1);
      const auto of = what.find("per index of ");
      const double per = of == std::string::npos ? 1 : std::stod(what.substr(of + 13));
      const double ns = what.find("64 MB") != std::string::npos ? times[times.size() / 2] : times[0];
      std::printf("{\"language\": \"%s\", \"name\": \"%s\", \"ns\": %.2f}\n", language.c_str(), what.c_str(), ns / per);
    }
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

void add(const char* name, void (*c)(benchmark::State&), void (*cpp)(benchmark::State&), int64_t range = -1) {
  for (const auto& [language, function] : {std::pair("c/", c), std::pair("c++/", cpp)}) {
    auto* one = benchmark::RegisterBenchmark((language + std::string(name)).c_str(), function);
    if (range >= 0) one->Arg(range);
    one->Repetitions(kRepetitions)->MinTime(0.05);
  }
}
void add(const char* name, const char* src, const char* dst) {
  for (const auto& [language, function] : {std::pair("c/", &c_relayout), std::pair("c++/", &cpp_relayout)})
    benchmark::RegisterBenchmark((language + std::string(name)).c_str(), function, src, dst)
        ->Repetitions(kRepetitions)
        ->MinTime(0.05);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  add("parse a shape", c_parse, cpp_parse);
  add("shape to text", c_print, cpp_print);
  add("shape to text, in a std::string", c_print_to_string, cpp_print);
  add("linear index, rank 4", c_linear, cpp_linear);
  add("unravel, per index of 1024", c_unravel, cpp_unravel, 1024);
  add("unravel, per index of 1000000", c_unravel, cpp_unravel, 1000000);
  add("relayout of f32[3,4], kept plan", "f32[3,4]", "f32[3,4]{0,1}");
  add("relayout of 64 MB, kept plan", "f32[4096,4096]", "f32[4096,4096]{0,1}");
  Lines lines;
  benchmark::RunSpecifiedBenchmarks(&lines);
  return 0;
}
