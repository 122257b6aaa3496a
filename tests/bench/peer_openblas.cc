// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <algorithm>
#include <optional>

#include "peers.h"

namespace bench {
namespace {

constexpr int kColumnMajor = 102, kTransposed = 112;  // CBLAS_ORDER, CBLAS_TRANSPOSE
using Real32 = void (*)(int, int, int, int, float, const float*, int, float*, int);
using Real64 = void (*)(int, int, int, int, double, const double*, int, double*, int);
using Complex64 = void (*)(int, int, int, int, const double*, const double*, int, double*, int);

struct Library {
  void* handle;
  std::string missing;

  Library() : handle(dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) missing = dlerror();
  }
};

const Library& library() {
  static const Library library;
  return library;
}

void* symbol(const char* name) { return library().handle != nullptr ? dlsym(library().handle, name) : nullptr; }

// dst[b][a] = src[a][b] for each of `count` matrices. a runs along the destination's rows, b along the source's.
struct Matrices {
  int64_t a, b, src_pitch, dst_pitch;
  int64_t count = 1, src_step = 0, dst_step = 0;
};

std::optional<Matrices> matrices(const Strided& strided) {
  if (strided.rectangles.size() != 1) return std::nullopt;
  Matrices m{0, 0, 0, 0};
  for (const Loop& loop : strided.rectangles[0].loops) {
    if (loop.dst == 1 && loop.src > 1) {
      m.a = loop.extent;
      m.src_pitch = loop.src;
    } else if (loop.src == 1 && loop.dst > 1) {
      m.b = loop.extent;
      m.dst_pitch = loop.dst;
    } else if (m.count == 1) {
      m.count = loop.extent;
      m.src_step = loop.src;
      m.dst_step = loop.dst;
    } else {
      return std::nullopt;
    }
  }
  if (m.a == 0 || m.b == 0 || m.src_pitch < m.b || m.dst_pitch < m.a) return std::nullopt;
  if (std::max(m.src_pitch, m.dst_pitch) > INT32_MAX) return std::nullopt;
  return m;
}

template <class T, class F>
Run prepare(const Problem& problem, const Matrices& m, F&& copy) {
  const Rectangle& whole = problem.strided.rectangles[0];
  return [=, src = reinterpret_cast<const T*>(problem.src + whole.src * problem.strided.width),
          dst = reinterpret_cast<T*>(problem.dst + whole.dst * problem.strided.width)] {
    for (int64_t i = 0; i < m.count; ++i) copy(src + i * m.src_step, dst + i * m.dst_step);
  };
}

}  // namespace

Run openblas(const Problem& problem) {
  const auto m = matrices(problem.strided);
  if (!m) return {};
  const int rows = static_cast<int>(m->b), columns = static_cast<int>(m->a);
  const int src_pitch = static_cast<int>(m->src_pitch), dst_pitch = static_cast<int>(m->dst_pitch);
  switch (problem.strided.width) {
    case 4:
      if (const auto copy = reinterpret_cast<Real32>(symbol("cblas_somatcopy")))
        return prepare<float>(problem, *m, [=](const float* src, float* dst) {
          copy(kColumnMajor, kTransposed, rows, columns, 1, src, src_pitch, dst, dst_pitch);
        });
      break;
    case 8:
      if (const auto copy = reinterpret_cast<Real64>(symbol("cblas_domatcopy")))
        return prepare<double>(problem, *m, [=](const double* src, double* dst) {
          copy(kColumnMajor, kTransposed, rows, columns, 1, src, src_pitch, dst, dst_pitch);
        });
      break;
    case 16: {
      struct Pair {
        double real, imaginary;
      };
      if (const auto copy = reinterpret_cast<Complex64>(symbol("cblas_zomatcopy")))
        return prepare<Pair>(problem, *m, [=](const Pair* src, Pair* dst) {
          const double one[2] = {1, 0};
          copy(kColumnMajor, kTransposed, rows, columns, one, &src->real, src_pitch, &dst->real, dst_pitch);
        });
      break;
    }
    default:
      break;
  }
  return {};
}

std::string openblas_missing() { return library().missing; }

}  // namespace bench
