// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module: loaded once, and what it imports. It runs without a file system, environment and threads.
import { XlashapeError, invalid } from "./errors.mjs";

/** The module's functions. */
export let c = new Proxy({}, {
  get() {
    throw new XlashapeError("NOT_FOUND", "the module is not loaded: call `await load()` first");
  },
});

let view;
let bytes;
/** The module's memory, as a DataView and as bytes: anew after it has grown. */
export function memory() {
  if (view?.buffer !== c.memory.buffer) {
    view = new DataView(c.memory.buffer);
    bytes = new Uint8Array(c.memory.buffer);
  }
  return { view, bytes };
}

// The functions of WASI that the C library may call. Each returns an errno, 0 being success.
const kBadFile = 8;
const system = {
  environ_sizes_get(count, size) {
    memory().view.setUint32(count, 0, true);
    memory().view.setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  clock_time_get(clock, precision, time) {
    memory().view.setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  },
  fd_write: () => kBadFile,
  fd_seek: () => kBadFile,
  fd_close: () => kBadFile,
  proc_exit(code) {
    throw new Error(`the module ended with ${code}`);
  },
};

async function bytes_of(source) {
  const address = new URL(source, import.meta.url);
  if (address.protocol === "file:" && globalThis.process?.versions?.node !== undefined) {
    const { readFile } = await import("node:fs/promises");
    return readFile(address);
  }
  return fetch(address);
}

async function instantiate(source) {
  const imports = { wasi_snapshot_preview1: system, env: { emscripten_notify_memory_growth() {} } };
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (typeof source === "string" || source instanceof URL) source = await bytes_of(source);
  source = await source;
  if (typeof Response === "function" && source instanceof Response) {
    if (!source.ok) throw new XlashapeError("NOT_FOUND", `${source.url}: HTTP status ${source.status}`);
    source = await source.arrayBuffer();
  }
  if (!(source instanceof ArrayBuffer || ArrayBuffer.isView(source)))
    throw invalid("load(): the source is neither an address, a response, bytes, nor a WebAssembly.Module");
  return (await WebAssembly.instantiate(source, imports)).instance;
}

let loading;
/**
 * Loads xlashape.wasm, which lies beside this file, or `source`. Later calls return the first one's promise; after one
 * that failed the next tries again.
 */
export function load_module(source = new URL("./xlashape.wasm", import.meta.url)) {
  loading ??= instantiate(source).then(
    (instance) => {
      c = instance.exports;
      c._initialize?.();
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
