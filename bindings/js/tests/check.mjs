// SPDX-License-Identifier: Apache-2.0
// Counts tests, and ends with `N passed, M failed`.
let passed = 0, failed = 0;

/** One test: passes unless it throws. */
export async function test(name, work) {
  try {
    await work();
    ++passed;
  } catch (error) {
    ++failed;
    console.log(`FAIL ${name}: ${error.stack ?? error}`);
  }
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
