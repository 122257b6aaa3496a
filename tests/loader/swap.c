/* SPDX-License-Identifier: Apache-2.0 */
/* Linked once; which backend moves its bytes is the environment's business, or, with a manifest and a name as
 * arguments, that of an option (which may fall back: a vendor's copy is no transpose).
 * Prints what came out, and on stderr who did it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "xlashape_runtime.h"

static int failed(const xlashape_error* err) {
  fprintf(stderr, "%s\n", err->message);
  return 1;
}

int main(int argc, char** argv) {
  static const char* const kPairs[][2] = {
      {"f32[7,300]{1,0}", "f32[7,300]{1,0:T(8,128)}"},
      {"bf16[19,33]{1,0}", "bf16[19,33]{0,1:T(8,128)(2,1)}"},
      {"s4[15,21]{1,0:E(4)}", "s4[15,21]{1,0}"},
      {"u8[3,5,7]{2,1,0}", "u8[3,5,7]{0,2,1:PD(4,6,8)PV(one)}"},
      {"c128[9,4]{1,0}", "c128[9,4]{0,1}"},
      {"f32[120,150]{1,0}", "f32[120,150]{1,0}"},
  };
  xlashape_error err = XLASHAPE_INIT(xlashape_error);
  xlashape_relayout_options options = XLASHAPE_INIT(xlashape_relayout_options);
  if (argc == 3) {
    if (xlashape_runtime_load_backend(NULL, argv[1], strlen(argv[1]), &err)) return failed(&err);
    options.flags = XLASHAPE_PLAN_ALLOW_FALLBACK;
    options.backend = argv[2];
  }
  for (size_t i = 0; i < sizeof kPairs / sizeof *kPairs; ++i) {
    static unsigned char src[1 << 17], dst[1 << 17];
    xlashape_shape* shapes[2];
    for (int side = 0; side < 2; ++side)
      if (xlashape_shape_parse(kPairs[i][side], strlen(kPairs[i][side]), 0, &shapes[side], &err)) return failed(&err);
    for (size_t at = 0; at < sizeof src; ++at) src[at] = (unsigned char)(at * 31 + at / 251);
    memset(dst, 0xEE, sizeof dst);
    xlashape_plan* plan;
    if (xlashape_plan_create(NULL, shapes[0], shapes[1], &options, &plan, &err)) return failed(&err);
    if (xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err)) return failed(&err);
    fprintf(stderr, "%s\n", xlashape_plan_backend(plan));
    unsigned hash = 2166136261u;
    for (size_t at = 0; at < sizeof dst; ++at) hash = (hash ^ dst[at]) * 16777619u;
    printf("%s -> %s: %08x\n", kPairs[i][0], kPairs[i][1], hash);
    xlashape_plan_release(plan);
    xlashape_shape_release(shapes[0]);
    xlashape_shape_release(shapes[1]);
  }
  return 0;
}
