/* SPDX-License-Identifier: Apache-2.0 */
/* How the module's memory grows. emscripten's function for modules without its JavaScript grows by what one allocation
 * needs, and each time takes milliseconds: this one, which the linker puts in front, asks for more at once. */
#include <stddef.h>
#include <stdint.h>

int __real_emscripten_resize_heap(size_t size);
int __wrap_emscripten_resize_heap(size_t size);

/* malloc calls it for a memory of `size` bytes; 1 where it succeeds. */
int __wrap_emscripten_resize_heap(size_t size) {
  const size_t more = size / 4;
  return (more <= SIZE_MAX - size && __real_emscripten_resize_heap(size + more)) || __real_emscripten_resize_heap(size);
}
