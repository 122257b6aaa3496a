// SPDX-License-Identifier: Apache-2.0
// command.mjs PACKAGE COMMAND FILE...: explain() and explainLines() say of every shape in the golden cases what the
// installed command prints, with and without a target.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { finish, test } from "./check.mjs";

const [, , at, command, ...files] = process.argv;
const { Shape, XlashapeError } = await (await import(pathToFileURL(at).href)).load();
const { parse_json } = await import(new URL("./memory.mjs", pathToFileURL(at)).href);

const texts = new Set(["(f32[2,3],(token[],opaque[],(s4[5]{0:E(4)})),bf16[128,256]{1,0:T(8,128)(2,1)})", "token[]",
  "opaque[]", "f32[?,<=3]", "b(f32[2])", "u8[9007199254740993,3]", "s32[8388608,8,4]{2,1,0:T(8,128)}",
  "f32[4,6]{1,0:T(2,4)SC(0:2)}", "u8[4294967296,4294967296]"]);
const is_text = (value) => typeof value === "string" && value !== "" && !value.includes("\n");
for (const file of files)
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean))
    for (const [name, value] of Object.entries(JSON.parse(line)))
      if (/^(shape|a|b|src|dst)$/.test(name) && is_text(value)) texts.add(value);

function printed(...options) {
  try {
    return execFileSync(command, ["explain", "--color=never", ...options, "-"],
      { input: [...texts].join("\n") + "\n", maxBuffer: 2 ** 28, stdio: ["pipe", "pipe", "ignore"] }).toString();
  } catch (error) {
    return error.stdout.toString(); // some texts are wrong
  }
}
// As the command reads a text: XLA's, or else any notation; where both stop, what is strict says why.
const read = (text, options) => {
  try {
    return Shape.parse(text, options);
  } catch (strict) {
    try {
      return Shape.read(text, options);
    } catch (error) {
      // Where both stop, the strict one, unless the other wants the same and more.
      const [fewer, words] = [strict, error].map(({ message }) => message.split(", found")[0]);
      const more = words !== fewer && words.startsWith(fewer);
      throw strict.byteOffset === error.byteOffset && strict.byteOffset > 0 && !more ? strict : error;
    }
  }
};
const answered = (text, target, work) => {
  try {
    return work(read(text, { keepMissingLayout: target !== undefined }));
  } catch (error) {
    if (!(error instanceof XlashapeError)) throw error;
    const offset = error.byteOffset < 0 ? null : error.byteOffset;
    return { shape: text, error: { code: error.status, message: error.message, offset } };
  }
};
// Where the search stopped at its limit of time, the answer depends on the machine.
const cut = (answer) => answer.least_waste?.all_tried === false || answer.leaves?.some(cut);

for (const target of [undefined, "tpu:v5e"]) {
  const options = target === undefined ? [] : [`--target=${target}`];
  const wanted = parse_json(printed("--json", ...options));
  assert.equal(wanted.length, texts.size);
  const shown = [];
  for (const [i, text] of [...texts].entries()) {
    await test(`explain ${text} ${options}`, () => {
      const got = answered(text, target, (shape) => shape.explain({ target }));
      if (!cut(wanted[i]) && !cut(got)) assert.deepEqual(got, wanted[i]);
    });
    const lines = answered(text, target, (shape) => shape.explainLines({ target }));
    if (lines.error === undefined)
      shown.push([`${lines.title}\n`, ...lines.lines.map(({ label, text, row }) =>
        row ? `  ${text}\n` : `  ${label.padEnd(14)}  ${text}\n`)].join(""));
  }
  await test(`explainLines ${options}`, () => {
    const pages = printed(...options).split("\n\n").map((page) => `${page.replace(/^\n|\n$/g, "")}\n`);
    const same = (page) => !page.includes("of those tried");
    assert.ok(shown.length > 100);
    assert.deepEqual(shown.filter(same), pages.filter((page) => page.includes("  ") && same(page)));
  });
}
finish();
