/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded by tests of the command: ends it at a chosen step of writing its files.
 *
 * INTERRUPT="rename 2 9" sends signal 9 right after the second call of rename; "write 1 2" signal 2 right after the
 * first write to a file, "pwrite 3 9" after the third one at a place. NO_TMPFILE=1: the file system has no files
 * without a name. ROOM=1000: the disk has 1000 bytes left. FULL=fallocate: it has no room when asked; FULL=40: it
 * cannot be asked, and has none after 40 writes at places. */
#undef _FILE_OFFSET_BITS /* open and open64 are two functions here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

static void count(const char* function) {
  static int calls;
  char name[16];
  int call, number;
  const char* const at = getenv("INTERRUPT");
  if (at == NULL || sscanf(at, "%15s %d %d", name, &call, &number) != 3 || strcmp(name, function) != 0) return;
  if (++calls == call) raise(number);
}

ssize_t write(int file, const void* bytes, size_t size) {
  ssize_t (*real)(int, const void*, size_t);
  *(void**)&real = dlsym(RTLD_NEXT, "write");
  const ssize_t wrote = real(file, bytes, size);
  if (file > 2) count("write");
  return wrote;
}

static int is_full(void) {
  static int calls;
  const char* const full = getenv("FULL");
  return full != NULL && strcmp(full, "fallocate") != 0 && __sync_add_and_fetch(&calls, 1) > atoi(full);
}

static ssize_t write_at(const char* function, int file, const void* bytes, size_t size, off64_t at) {
  ssize_t (*real)(int, const void*, size_t, off64_t);
  *(void**)&real = dlsym(RTLD_NEXT, function);
  if (is_full()) {
    errno = ENOSPC;
    return -1;
  }
  const ssize_t wrote = real(file, bytes, size, at);
  count("pwrite");
  return wrote;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) { return write_at("pwrite", file, bytes, size, at); }
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return write_at("pwrite64", file, bytes, size, at);
}

static int reserve(const char* function, int file, int mode, off64_t at, off64_t size) {
  int (*real)(int, int, off64_t, off64_t);
  *(void**)&real = dlsym(RTLD_NEXT, function);
  if (getenv("FULL") == NULL) return real(file, mode, at, size);
  errno = strcmp(getenv("FULL"), "fallocate") == 0 ? ENOSPC : EOPNOTSUPP;
  return -1;
}

int fallocate(int file, int mode, off_t at, off_t size) { return reserve("fallocate", file, mode, at, size); }
int fallocate64(int file, int mode, off64_t at, off64_t size) { return reserve("fallocate64", file, mode, at, size); }

int rename(const char* from, const char* to) {
  int (*real)(const char*, const char*);
  *(void**)&real = dlsym(RTLD_NEXT, "rename");
  const int result = real(from, to);
  count("rename");
  return result;
}

static int open_as(const char* function, const char* path, int flags, mode_t mode) {
  int (*real)(const char*, int, ...);
  *(void**)&real = dlsym(RTLD_NEXT, function);
  if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NO_TMPFILE") != NULL) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open_as("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open_as("open64", path, flags, mode);
}

static int room(const char* function, const char* path, void* info) {
  int (*real)(const char*, void*);
  *(void**)&real = dlsym(RTLD_NEXT, function);
  return real(path, info);
}

int statvfs(const char* path, struct statvfs* info) {
  const int result = room("statvfs", path, info);
  if (getenv("ROOM") == NULL) return result;
  info->f_frsize = 1;
  info->f_bavail = strtoull(getenv("ROOM"), NULL, 10);
  return result;
}

#ifdef __GLIBC__
int statvfs64(const char* path, struct statvfs64* info) {
  const int result = room("statvfs64", path, info);
  if (getenv("ROOM") == NULL) return result;
  info->f_frsize = 1;
  info->f_bavail = strtoull(getenv("ROOM"), NULL, 10);
  return result;
}
#endif
