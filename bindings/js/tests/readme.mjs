// SPDX-License-Identifier: Apache-2.0
// readme.mjs README WORK: runs the programs in a README, each followed by the output that it must have, and again in a
// worker. WORK/node_modules has the package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, test } from "./check.mjs";

const [, , readme, work] = process.argv;
const blocks = /<!-- program -->\n```js\n(.*?)```\n\n<!-- output -->\n```text\n(.*?)```/gs;
let number = 0;
for (const [, program, wanted] of readFileSync(readme, "utf8").matchAll(blocks)) {
  const file = join(work, `program${++number}.mjs`);
  writeFileSync(file, program);
  const printed = (...words) => execFileSync(process.execPath, words, { cwd: work }).toString();
  await test(`program ${number}`, () => assert.equal(printed(file), wanted));
  const worker = `new (require("node:worker_threads").Worker)(${JSON.stringify(file)})`;
  await test(`program ${number} in a worker`, () => assert.equal(printed("-e", worker), wanted));
}
finish();
