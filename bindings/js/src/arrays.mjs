// SPDX-License-Identifier: Apache-2.0
// Memory of the module for arrays of the caller, which relayout() need not copy.
import { invalid } from "./errors.mjs";
import { alloc_array } from "./memory.mjs";
import { c, memory } from "./module.mjs";

// What was not disposed goes when its object does.
const forgotten = new FinalizationRegistry((pointer) => c.free(pointer));

export class Memory {
  #pointer; // undefined after dispose()
  #size;

  /** `size` bytes, all zero. */
  constructor(size) {
    if (!Number.isSafeInteger(size) || size < 0) throw invalid(`the size is ${String(size)}: not a number of bytes`);
    this.#pointer = alloc_array(size);
    this.#size = size;
    this.bytes.fill(0);
    forgotten.register(this, this.#pointer, this);
  }

  /** A view of them, which lasts until the module's memory grows: then ask again. */
  get bytes() {
    if (this.#pointer === undefined) throw invalid("this Memory was disposed");
    return new Uint8Array(memory().bytes.buffer, this.#pointer, this.#size);
  }

  dispose() {
    if (this.#pointer === undefined) return;
    forgotten.unregister(this);
    c.free(this.#pointer);
    this.#pointer = undefined;
  }
}
if (Symbol.dispose !== undefined) Memory.prototype[Symbol.dispose] = Memory.prototype.dispose;
