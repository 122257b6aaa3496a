# SPDX-License-Identifier: Apache-2.0
"""Two builds of the archive, by two users in two folders at two times, in other time zones and languages, with another
umask and number of processes, give the same installed bytes."""

import re

from cc import NEEDS

PLACES = (
    ("one", "/build/a", "TZ=UTC LC_ALL=C", "umask 022", 1),
    ("another", "/home/another/a longer place with spaces", "TZ=Asia/Kathmandu LC_ALL=C.UTF-8 LANG=de_DE.UTF-8",
     "umask 027", 2),
)


def make(_):
    pass


def check(release):
    sums = []
    with release.root("reproducible", packages=NEEDS) as root:
        root.put(release.archive)
        for user, place, environment, habit, processes in PLACES:
            root.run(f"useradd -m {user}; mkdir -p '{place}' && chown {user} '{place}'")
            root.run(f"cd '{place}' && {habit} && export {environment} && "
                     f"tar -xf /release/{release.archive.name} --strip-components=1 && "
                     "meson setup build --buildtype=release -Dtests=disabled --prefix=/usr >/dev/null && "
                     f"ninja -C build -j{processes} >/dev/null && "
                     "DESTDIR=$PWD/tree meson install -C build --no-rebuild >/dev/null", user=user)
            sums.append(root.run(f"cd '{place}/tree' && find . -type f -print0 | sort -z | xargs -0 sha256sum"))
    files = len(re.findall("^[0-9a-f]{64}  ", sums[0], re.MULTILINE))
    different = sorted(set(sums[0].splitlines()) ^ set(sums[1].splitlines()))
    release.expect(files > 30 and not different,
                   f"{files} installed files are the same, built in two places" if not different else
                   "these differ between two builds:\n" + "\n".join(different))
