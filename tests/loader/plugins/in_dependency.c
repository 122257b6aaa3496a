/* SPDX-License-Identifier: Apache-2.0 */
/* Has no entry; a library that it needs has one of the right name. */
extern int dependency_is_there(void);
__attribute__((visibility("default"))) int xlashape_backend_open_needs_it(void);
int xlashape_backend_open_needs_it(void) { return dependency_is_there(); }
