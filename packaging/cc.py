# SPDX-License-Identifier: Apache-2.0
"""For C and C++: installed as README says, and then found by pkg-config and CMake; as a subproject of Meson; fetched
by CMake."""

import re
import time

from sbom import digest

# What README's Install names.
NEEDS = ("g++", "meson", "ninja-build", "pkg-config", "libhwy-dev", "clang-14", "opencl-headers", "libffi-dev",
         "libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libpng-dev", "zlib1g-dev")

MESON = """project('app', 'c')
executable('app', 'app.c', dependencies: dependency('xlashape', fallback: ['xlashape', 'xlashape_dep']))
"""
FIND = """cmake_minimum_required(VERSION 3.18)
project(app C)
find_package(xlashape 0.1 REQUIRED)
add_executable(app app.c)
target_link_libraries(app PRIVATE xlashape::xlashape)
"""
FETCH = """cmake_minimum_required(VERSION 3.18)
project(app C CXX)
include(FetchContent)
FetchContent_Declare(xlashape URL "file:///release/{archive}" URL_HASH SHA256={digest} SOURCE_SUBDIR cmake)
FetchContent_MakeAvailable(xlashape)
add_executable(app app.c)
target_link_libraries(app PRIVATE xlashape::xlashape)
"""


def make(_):
    pass


def block(text, language, mark):
    """README's block behind this mark."""
    return re.search(rf"^<!-- {mark} -->\n```{language}\n([\s\S]*?)^```$", text, re.MULTILINE)[1]


def check(release):
    readme = (release.sources() / "README.md").read_text(encoding="utf-8")
    program, output = block(readme, "c", "program"), block(readme, "text", "output")
    with release.root("cc", packages=[*NEEDS, "cmake"]) as root:
        root.put(release.archive)
        (root.path / "release/app.c").write_text(program, encoding="utf-8")

        def app(name, files, command):
            folder = root.path / "apps" / name
            folder.mkdir(parents=True)
            for file, text in {"app.c": program, **files}.items():
                (folder / file).write_text(text, encoding="utf-8")
            begin = time.monotonic()
            said = root.run(f"cd /apps/{name} && ({command}) >log 2>&1 || {{ tail -n 30 log; exit 1; }}; "
                            "cat result")
            release.expect(said == output, f"{name}: README's program, {time.monotonic() - begin:.0f} s")

        begin = time.monotonic()
        command = re.search(r"^    (meson setup .*&& meson install .*)$", readme, re.MULTILINE)[1]
        root.run(f"cd / && tar -xf /release/{release.archive.name} && cd xlashape-{release.version} && {command}")
        release.ok(f"README's Install: {time.monotonic() - begin:.0f} s")
        version = root.run("xlashape --version")
        release.expect(re.search(r"^backends: .*\bsimd\b", version, re.MULTILINE) is not None,
                       f"xlashape --version:\n{version.rstrip()}")
        app("pkg-config", {}, "cc app.c $(pkg-config --cflags --libs xlashape) -o app && ./app >result")
        app("find_package", {"CMakeLists.txt": FIND}, "cmake -G Ninja -S . -B b && cmake --build b && b/app >result")
        root.run(f"ninja -C /xlashape-{release.version}/build uninstall && ldconfig")
        app("subproject", {"meson.build": MESON},
            f"mkdir subprojects && ln -s /xlashape-{release.version} subprojects/xlashape && "
            "meson setup b --buildtype=release -Dxlashape:simd_targets=native && ninja -C b && b/app >result")
        fetch = FETCH.format(archive=release.archive.name, digest=digest(release.archive))
        app("FetchContent", {"CMakeLists.txt": fetch},
            "cmake -G Ninja -S . -B b -DXLASHAPE_MESON_OPTIONS=-Dsimd_targets=native && cmake --build b && "
            "b/app >result")
