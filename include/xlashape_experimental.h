/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: functions that are not promised yet, in tables that xlashape_get_extension returns. Everything here may
 * change or go with any release; each table has the date until which it stays as it is, and a number that changes with
 * it. By then its functions have moved to another header, or are removed: a program asks for the table and does without
 * it where it gets NULL.
 *
 *     const xlashape_extension_execution* x = xlashape_get_extension(XLASHAPE_EXTENSION_EXECUTION, 11);
 *     if (x != NULL) x->execute_async(plan, &options, on_done, state, &err);
 */
#ifndef XLASHAPE_EXPERIMENTAL_H_
#define XLASHAPE_EXPERIMENTAL_H_

#include "xlashape_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* == Execution, since 2026-11, stays until 2027-11 ================================================================ */

#define XLASHAPE_EXTENSION_EXECUTION "execution.1"

/* Called once when an execution has ended. `err` is filled where `status` is not OK, and valid during the call. */
typedef void(XLASHAPE_CALL* xlashape_done_fn)(void* opaque, xlashape_status status, const xlashape_error* err);

typedef struct xlashape_extension_execution {
  uint32_t struct_size; /* set by the library: how many bytes of this table it has */
  uint32_t reserved;

  /* Executes on the threads of the runtime (`threads` of its options), and returns at once. `done` is called on one of
   * them, or, where the runtime has no threads of its own, on the calling thread before this returns. Where this fails
   * `done` is not called. Buffers, and what `options` point to, must stay until `done` is called; `options` themselves
   * are copied. The plan is kept until the execution has ended and let go before `done`, which may release the plan and
   * the runtime. Only for plans on the CPU; for devices there are queues and events. UNSUPPORTED with a queue, and
   * where `options` or the runtime's have an executor: a host with its own threads gives them a task that calls
   * xlashape_plan_execute. A forked child does not continue what its parent began. */
  xlashape_status(XLASHAPE_CALL* execute_async)(const xlashape_plan* plan, const xlashape_execute_options* options,
                                                xlashape_done_fn done, void* opaque, xlashape_error* err);

  /* The bytes of the source, from its pointer on, that decide bytes [dst_begin, dst_end) of the destination: so that a
   * transfer can begin before all of it is there. The answer lies within what the plan reads (src_low and src_high of
   * its requirements), and may hold more than is needed, up to all of that where the plan is not simple, as where the
   * tiles of the sides do not nest. Both are 0 where the plan is simple and the destination's bytes hold no element. */
  xlashape_status(XLASHAPE_CALL* source_range)(const xlashape_plan* plan, int64_t dst_begin, int64_t dst_end,
                                               int64_t* src_begin, int64_t* src_end, xlashape_error* err);
} xlashape_extension_execution;

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_EXPERIMENTAL_H_ */
