/* SPDX-License-Identifier: Apache-2.0 */
/* What a program must know of the simulated device: its numbers, and its entry function where it is linked in. */
#ifndef EXAMPLE_DEVICE_H_
#define EXAMPLE_DEVICE_H_
#include <xlashape_backend.h>

#define DEVICE_SPACE 40      /* a memory space for other devices: 32 to 63 */
#define DEVICE_QUEUE_KIND 40 /* queues 0 to 3 of each device */

#ifdef __cplusplus
extern "C"
#endif
xlashape_status xlashape_backend_open_device(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err);

#endif /* EXAMPLE_DEVICE_H_ */
