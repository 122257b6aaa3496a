// SPDX-License-Identifier: Apache-2.0
// Shapes in any text: a report of memory, lines of HLO, a jaxpr.
import { Shape } from "./xlashape/shape.mjs";
import { tried } from "./reading.mjs";

// An element type with dimensions and perhaps a layout, or an MLIR type; "5x " in front of it is a count. Whether it is
// a shape the library judges.
const kArray = String.raw`[a-z]\w*\[[\d\s,<=?]*\](?:\{(?:[^{}]|\{[^{}]*\})*\})?`;
const kMlir = String.raw`(?:tensor|memref)<[^<>]*(?:<[^<>]*>[^<>]*)*>`;
const kCandidate = new RegExp(String.raw`(?:^|[^\w.%-])(?:(\d{1,6})x\s+)?(${kArray}|${kMlir})`, "g");
// Reports of compilers up to 2025 say each array's shape in a line of its own, and again in the lines around it.
const kReported = /^(?:.*\])?[ \t]*Shape:(.*)$/gm;

// What names and settings of an instruction say, op_name="jit(f)/f32[3]", are no arrays of it.
function without_strings(line) {
  const is_instruction = line.includes(" = ");
  let kept = "", inside = false, drops = false;
  for (const part of line.split('"')) {
    if (!inside || !drops) kept += `${part} `;
    if (!inside) drops = is_instruction || part.trimEnd().endsWith("=");
    inside = !inside || part.endsWith("\\");
  }
  return kept;
}

export const kMostShapes = 2000; // different ones

/** Text of a shape -> how often it is in the text; `is_cut` where there are more. */
function candidates(text) {
  const reported = Array.from(text.matchAll(kReported), ([, shape]) => shape);
  const found = new Map();
  for (const line of reported.length > 0 ? reported : text.split("\n").map(without_strings))
    for (const [, times, shape] of line.matchAll(kCandidate))
      if (found.has(shape) || found.size < kMostShapes) found.set(shape, (found.get(shape) ?? 0) + Number(times ?? 1));
      else found.is_cut = true;
  return found;
}

function sizes_of(shape) {
  const sizes = tried(() => shape.sizes);
  shape.dispose();
  return sizes;
}

/**
 * The arrays in a text, the largest first, equal ones once: { text, times, bytes, data, there }; `there` are the bytes
 * in the layout that the target's compiler chooses, null without one. The list has `is_cut` where not all were read.
 */
export function arrays_in(text, target) {
  const found = new Map(), all = candidates(text);
  for (const [candidate, times] of all) {
    const shape = tried(() => Shape.read(candidate, { keepMissingLayout: true }));
    if (shape === null) continue;
    const name = String(shape);
    const known = found.get(name);
    if (known !== undefined) known.times += times;
    const sizes = known === undefined && shape.category === "array" ? tried(() => sizes_of(Shape.parse(name))) : null;
    if (sizes !== null) {
      const there = target === "" ? null : tried(() => sizes_of(shape.forTarget(target)));
      found.set(name, { text: name, times, bytes: sizes.bytes, data: sizes.logicalBytes, there: there?.bytes ?? null });
    }
    shape.dispose();
  }
  const size = ({ bytes, there }) => Number(there ?? bytes);
  const arrays = [...found.values()].sort((a, b) => size(b) - size(a));
  return Object.assign(arrays, { is_cut: all.is_cut === true });
}
