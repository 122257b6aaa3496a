# SPDX-License-Identifier: Apache-2.0
"""What the release is made of: an SPDX document, and the checksums of all its files. Runs when all else is made."""

import hashlib
import json
import re

import about
from release import Failed


def files_of(release):
    """What is published, save what this module writes."""
    own = {names(release), "SHA256SUMS"}
    return sorted(path for path in release.out.rglob("*") if path.is_file() and path.name not in own)


def names(release):
    return f"xlashape-{release.version}.spdx.json"


def digest(path, kind="sha256"):
    return hashlib.new(kind, path.read_bytes()).hexdigest()


def third_party(release):
    """Name, licence and copyright of what is compiled into objects that are published."""
    text = (release.repository / "bindings/THIRD_PARTY.txt").read_text(encoding="utf-8")
    parts = re.findall(r"^== (.+) ==\nLicense: (.+)\n(?:.+: .+\n)*\n((?:[\s\S]*?(?=\n\n\n|\Z)))", text, re.MULTILINE)
    if len(parts) != len(re.findall("^License: ", text, re.MULTILINE)):
        raise Failed("bindings/THIRD_PARTY.txt has a part that cannot be read")
    for name, licence, words in parts:
        owned = re.compile(r"[ *]*Copyright (\(c\)|\(C\)|©|The|[0-9])")
        copyrights = [line.lstrip(" *") for line in words.splitlines() if owned.match(line)]
        yield name, licence, "\n".join(copyrights) or "NOASSERTION"


def identifier(*words):
    return "SPDXRef-" + re.sub("[^A-Za-z0-9.-]+", "-", "-".join(words))


def document(release):
    created = release.run("git", "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
                          environment={"TZ": "UTC"}).strip()
    own = identifier("Package", "xlashape")
    packages = [{
        "SPDXID": own, "name": "xlashape", "versionInfo": release.version, "supplier": "NOASSERTION",
        "downloadLocation": about.URL, "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "summary": about.SUMMARY,
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest(release.archive)}],
        "packageFileName": release.archive.name}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own}]
    for name, licence, copyrights in third_party(release):
        part = identifier("Package", name)
        packages.append({"SPDXID": part, "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": copyrights})
        relations.append({"spdxElementId": own, "relationshipType": "CONTAINS", "relatedSpdxElement": part})
    files = []
    for path in files_of(release):
        place = path.relative_to(release.out).as_posix()
        files.append({"SPDXID": identifier("File", place), "fileName": f"./{place}", "copyrightText": "NOASSERTION",
                      "licenseConcluded": "NOASSERTION", "licenseInfoInFiles": ["NOASSERTION"],
                      "checksums": [{"algorithm": kind.upper(), "checksumValue": digest(path, kind)}
                                    for kind in ("sha1", "sha256")]})
        relations.append({"spdxElementId": files[-1]["SPDXID"], "relationshipType": "GENERATED_FROM",
                          "relatedSpdxElement": own})
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"xlashape-{release.version}",
            "documentNamespace": f"{about.URL}/releases/{release.version}/{digest(release.archive)}",
            "creationInfo": {"created": created, "creators": ["Tool: packaging/sbom.py", "Organization: xlashape"]},
            "packages": packages, "files": files, "relationships": relations}


def make(release):
    path = release.out / names(release)
    path.write_text(json.dumps(document(release), indent=1) + "\n", encoding="utf-8")
    sums = [f"{digest(file)}  {file.relative_to(release.out).as_posix()}\n" for file in [*files_of(release), path]]
    (release.out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    release.ok(f"{path.name} and SHA256SUMS, of {len(sums)} files")


def check(release):
    release.run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=release.out)
    release.ok("sha256sum --check")
    spdx = release.venv("spdx-tools==0.8.5") / "bin/pyspdxtools"
    release.run(spdx, "--infile", release.out / names(release))
    release.ok("the SPDX document is valid")
