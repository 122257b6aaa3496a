# SPDX-License-Identifier: Apache-2.0
"""The photograph of tools/demo.sh: chelsea.png (CC0) out of Debian's python3-skimage, which is not installed."""

import shutil


def photo(release):
    kept = release.work / "chelsea.png"
    if not kept.exists():
        folder = release.work / "photo"
        folder.mkdir(exist_ok=True)
        release.run("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", "python3-skimage", cwd=folder)
        package = next(folder.glob("python3-skimage_*.deb"))
        release.run("dpkg-deb", "-x", package, folder)
        shutil.copy(folder / "usr/lib/python3/dist-packages/skimage/data/chelsea.png", kept)
        shutil.rmtree(folder)
    return kept
