#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK: everything that can be tested of xlashape.hpp, against the xlashape installed in PREFIX, with all
# outputs in WORK. Ends with `N passed, M failed`; writes "N M" to the file in $counts.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
libdir=$(dirname "$(find "$prefix" -name libxlashape.so.0.1 | head -n 1)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
export LD_LIBRARY_PATH=$libdir
unset XLASHAPE_BACKEND
# The headers of this folder, which may be newer than those in PREFIX.
flags=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "-I$here" "-I$prefix/include")
libraries=("$libdir/libxlashape.so.0.1" "$libdir/libxlashape_draw.so.0.1" "-Wl,-rpath,$libdir")
compilers=()
for compiler in g++ clang++-14; do
  if command -v "$compiler" >/dev/null; then
    compilers+=("$compiler")
  else
    echo "C++: NOT RUN: $compiler is not there"
  fi
done

passed=0
failed=0

# check NAME COMMAND...: one test.
check() {
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    cat "$work/log"
  fi
}

# add NAME STATUS PASSED FAILED: tests of a program that tells how many;
# none, or a status that says otherwise, is a failure.
add() {
  passed=$((passed + $3))
  failed=$((failed + $4))
  echo "C++: $1: $3 passed, $4 failed"
  if (($4 == 0 && ($2 != 0 || $3 == 0))); then failed=$((failed + 1)); fi
  if (($4 > 0 || $2 != 0 || $3 == 0)); then
    echo "FAIL $1: ended with status $2"
    cat "$work/log"
  fi
}

tally() {
  local name=$1 status=0
  shift
  "$@" >"$work/log" 2>&1 || status=$?
  if [[ $(tail -n 1 "$work/log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    add "$name" "$status" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  else
    add "$name" "$status" 0 0
  fi
}

googletest() {
  local name=$1 status=0 good bad
  shift
  "$@" >"$work/log" 2>&1 || status=$?
  good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$work/log")
  bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$work/log")
  add "$name" "$status" "${good:-0}" "${bad:-0}"
}

# Each header compiles alone. xlashape.hpp does in all standards that are promised, with and without exceptions. The one
# for fmt is in the unit tests, in both standards, so here it goes without exceptions. The parts need one compiler only.
alone() { # compiler, header, options
  check "$2 alone: $1 ${*:3}" "$1" -x c++ "${@:3}" "${flags[@]}" -DXLASHAPE_MDSPAN -include "$2" -fsyntax-only /dev/null
}
without=(-fno-exceptions -fno-rtti)
for compiler in "${compilers[@]}"; do
  for standard in c++17 c++20; do
    alone "$compiler" xlashape.hpp "-std=$standard"
    alone "$compiler" xlashape.hpp "-std=$standard" "${without[@]}"
  done
  alone "$compiler" xlashape_fmt.hpp -std=c++17 "${without[@]}"
done
for header in "$here"/xlashape/*.hpp; do alone "${compilers[0]}" "xlashape/${header##*/}" -std=c++20; done

# What the ABI file has, the headers have. A change of the file is seen.
check "the ABI file" python3 "$here/tests/abi_test.py"
lacks() { # what is said to be missing, in place of what
  sed "s/\"$2\"/\"$1\"/" "$root/bindings/abi/xlashape.abi.json" >"$work/changed.json"
  ! python3 "$here/tests/abi_test.py" "$work/changed.json" >"$work/missing" && grep -q "^$1 " "$work/missing"
}
check "a function that the headers lack" lacks xlashape_shape_new xlashape_shape_rank
check "an element type that the headers lack" lacks XLASHAPE_TYPE_F7 XLASHAPE_TYPE_F32
check "a status that the headers lack" lacks XLASHAPE_STATUS_NEW XLASHAPE_STATUS_BUSY
check "a padding value that the headers lack" lacks XLASHAPE_PAD_NEW XLASHAPE_PAD_ONE

# Mistakes that do not compile, and say why.
attempt() { # statements
  printf '#include <vector>\n#include <xlashape.hpp>\nusing Floats = std::vector<float>;\n%s { %s }\n' \
    'void f(const xlashape::Plan& plan, Floats& a, const Floats& b, std::vector<Floats>& c)' \
    "(void)plan, (void)a, (void)b, (void)c; $1" >"$work/attempt.cc"
  "${compilers[0]}" -std=c++20 "${flags[@]}" -fsyntax-only "$work/attempt.cc" 2>&1
}
refuses() { # what it says, statements
  ! attempt "$2" >"$work/refused" && grep -q "$1" "$work/refused"
}
check "a program that compiles" attempt "plan.execute(b, a);"
check "a read-only destination does not compile" refuses "the destination is read-only" "plan.execute(a, b);"
check "objects that are not plain do not compile" refuses "plain objects" "plan.execute(a, c);"
check "an executor of another kind does not compile" refuses "an executor is called with" \
  'xlashape::Executor([](int) {});'
check "an executor's answer" refuses "returns a bool, or nothing" \
  'struct S {}; xlashape::Executor([](std::int64_t, const xlashape::Task&) { return S(); });'
check "the rest of a temporary text" refuses "deleted" 'xlashape::try_parse_shape_head(std::string("f32[] x"));'
check "the rest of a text that stays" attempt \
  'const std::string text; std::string_view view; (void)xlashape::try_parse_shape_head(text),
   (void)xlashape::parse_shape_head("f32[] x"), (void)xlashape::parse_layout_head(std::move(view));'
check "a runtime's constructor" refuses "use Runtime::create" \
  'xlashape::RuntimeOptions options; xlashape::Runtime runtime(options);'
check "a runtime's constructor, in place" refuses "use Runtime::create" \
  'xlashape::Runtime runtime{xlashape::RuntimeOptions{}};'
check "a result that is dropped is warned of" refuses "nodiscard" 'xlashape::Shape::try_parse("f32[]");'

build() { "$@" "${flags[@]}" "${libraries[@]}"; }
# The value of an error: without NDEBUG the program says so and ends.
dereference() { # statement
  printf '#include <xlashape.hpp>\nint main() { %s }\n' "$1" >"$work/dereference.cc"
  build "${compilers[0]}" -std=c++17 -UNDEBUG -o "$work/dereference" "$work/dereference.cc" || return 1
  local status=0
  "$work/dereference" 2>"$work/said" || status=$?
  cat "$work/said"
  ((status == 134)) && grep -q "this Result has an error, no value" "$work/said"
}
check "the value of an error: *" dereference 'return (int)(*xlashape::Shape::try_parse("x")).rank();'
check "the value of an error: ->" dereference 'return (int)xlashape::Shape::try_parse("x")->rank();'
check "the value of an error: * of a constant" dereference \
  'const auto made = xlashape::Layout::try_parse("x"); return (*made).tile_count() != 0;'

# The unit tests: gcc as C++20, clang as C++17 with sanitizers.
units=("$here"/tests/*_test.cc)
for compiler in "${compilers[@]}"; do
  options=(-std=c++20)
  [[ $compiler == g++ ]] || options=(-std=c++17 -g1 "-fsanitize=address,undefined" -fno-sanitize-recover=all)
  program=$work/unit-$compiler
  check "unit tests compile with $compiler" build "$compiler" "${options[@]}" -DXLASHAPE_MDSPAN -o "$program" \
    "${units[@]}" -lgtest -lgtest_main -lfmt -pthread
  googletest "unit, $compiler ${options[0]}" "$program"
done
check "no_exceptions.cc compiles" build "${compilers[0]}" -std=c++20 -fno-exceptions -fno-rtti -o "$work/bare" \
  "$here/tests/no_exceptions.cc"
tally "without exceptions" "$work/bare"

# Units with and without exceptions in one program: one file compiled as both, linked in either order. The one without
# keeps all inline functions of the headers. None that both may share may refer to one that they may not.
mixed() { # of the two units
  "${compilers[0]}" -std=c++20 "${flags[@]}" "${@:2}" -ffunction-sections -c -o "$work/mixed-$1.o" \
    "$here/tests/mixed.cc"
}
linked() { "${compilers[0]}" -o "$work/mixed" "$work/mixed-$1.o" "$work/mixed-$2.o" "${libraries[@]}"; }
references() { # lines of a function of the headers, and what it refers to
  readelf -rW "$work/mixed-$1.o" | awk '
    /^Relocation section/ { from = $3; gsub(/^.\.rela?\.text\.|.$/, "", from); next }
    from ~ /^_ZN?K?[RO]?8xlashape/ && $5 != "" { print from, $5 }'
}
apart() {
  local bare=$work/mixed-bare full=$work/mixed-full
  references bare | sort -u >"$bare"
  grep -q '^_ZNK8xlashape5Shape6layoutB13no_exceptions' "$bare" || return 1
  if grep -E '^[^ ]* (.*B13no_exceptions.*|abort)$' "$bare" | grep -v '^[^ ]*B13no_exceptions'; then return 1; fi
  # An Exception made without RTTI leaves a table of functions without a type, which the other units may get.
  if grep ' _ZN8xlashape9ExceptionC' "$bare"; then return 1; fi
  references full | grep -E ' (__cxa_throw|__cxa_begin_catch|_ZSt17rethrow_exception)$' |
    cut -d ' ' -f 1 | sort -u >"$full"
  [[ -s $full ]] && ! cut -d ' ' -f 1 "$bare" | sort -u | comm -12 "$full" - | grep .
}
kept=()
[[ ${compilers[0]} != g++ ]] || kept=(-fkeep-inline-functions)
check "mixed.cc without exceptions" mixed bare -fno-exceptions -fno-rtti "${kept[@]}"
check "mixed.cc with exceptions" mixed full
[[ ${compilers[0]} != g++ ]] || check "names of what throws" apart
for order in "bare full" "full bare"; do
  # shellcheck disable=SC2086 # two units
  check "units of both kinds link: $order" linked $order
  tally "units of both kinds: $order" "$work/mixed"
done

check "corpus.cc compiles" build "${compilers[0]}" -std=c++20 -o "$work/corpus" "$here/tests/corpus.cc"
tally "corpus" "$work/corpus" "$root"/tests/data/golden/*.jsonl
# A runner that passes everything would be worth nothing.
sed -n '1p' "$root/tests/data/golden/shapes.jsonl" | sed 's/"expect": \["a"/"expect": ["f"/' >"$work/wrong.jsonl"
check "the corpus can fail" bash -c "! '$work/corpus' '$work/wrong.jsonl'"

# README.md as its reader would do it, and the example.
block() { sed -n "/<!-- $1 -->/,/^\`\`\`\$/p" "$here/README.md" | sed '1,2d;$d'; }
readme() {
  mkdir -p "$work/readme" && cd "$work/readme"
  [[ -e $prefix/include/xlashape.hpp ]] || export CPLUS_INCLUDE_PATH=$here
  block program >program.cc
  block commands >commands.sh
  block output >wanted
  [[ -s program.cc && -s commands.sh && -s wanted ]]
  bash -euo pipefail commands.sh >got
  diff wanted got
}
check "README.md" readme
check "the example compiles" build "${compilers[0]}" -std=c++20 -o "$work/tile" "$here/example/tile.cc"
check "the example" bash -c "'$work/tile' | grep -q 'after the way back: yes'"

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
