/* SPDX-License-Identifier: Apache-2.0 */
// What a C++ library that was compiled for glibc asks for by glibc's names, for musl: the checked twins of functions,
// and two that take a locale, which musl's numbers do not depend on; and locales.
#include <ctype.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void* __memmove_chk(void* to, const void* from, size_t count, size_t room) {
  (void)room;
  return memmove(to, from, count);
}
wchar_t* __wmemcpy_chk(wchar_t* to, const wchar_t* from, size_t count, size_t room) {
  (void)room;
  return wmemcpy(to, from, count);
}
wchar_t* __wmemmove_chk(wchar_t* to, const wchar_t* from, size_t count, size_t room) {
  (void)room;
  return wmemmove(to, from, count);
}
int __vfprintf_chk(FILE* file, int flag, const char* format, va_list args) {
  (void)flag;
  return vfprintf(file, format, args);
}
int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int length = __vfprintf_chk(file, flag, format, args);
  va_end(args);
  return length;
}
int __vsnprintf_chk(char* to, size_t count, int flag, size_t room, const char* format, va_list args) {
  (void)flag, (void)room;
  return vsnprintf(to, count, format, args);
}
int __vasprintf_chk(char** to, int flag, const char* format, va_list args) {
  (void)flag;
  return vasprintf(to, format, args);
}
long long strtoll_l(const char* text, char** end, int base, void* locale) {
  (void)locale;
  return strtoll(text, end, base);
}
unsigned long long strtoull_l(const char* text, char** end, int base, void* locale) {
  (void)locale;
  return strtoull(text, end, base);
}

// libc++'s table of characters is what glibc keeps within a locale, behind its 13 categories; to musl the categories
// are those of "C" where they are null. What begins with glibc_ is what libc++ then calls:
// tools/cross.sh gives the copy that is linked these names.
const unsigned short** __ctype_b_loc(void);
const int** __ctype_tolower_loc(void);
const int** __ctype_toupper_loc(void);
locale_t glibc_newlocale(int mask, const char* name, locale_t base) {
  (void)mask, (void)name, (void)base;
  static struct {
    void* categories[13];
    const unsigned short* kinds;
    const int *lower, *upper;
  } c;
  c.kinds = *__ctype_b_loc(), c.lower = *__ctype_tolower_loc(), c.upper = *__ctype_toupper_loc();
  return (locale_t)&c;
}
void glibc_freelocale(locale_t locale) { (void)locale; }

// glibc's answers the text, musl's a number.
char* glibc_strerror_r(int number, char* text, size_t room) {
  (void)text, (void)room;
  return strerror(number);
}
