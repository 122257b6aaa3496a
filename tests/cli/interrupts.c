/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded by tests of the command: ends it at a chosen step of writing its files.
 *
 * INTERRUPT="rename 2 9" sends signal 9 right after the second call of rename; "write 1 2" signal 2 right after the
 * first write to a file. NO_TMPFILE=1: the file system has no files without a name. ROOM=1000: the disk has 1000 bytes
 * left. */
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
