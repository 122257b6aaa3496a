/* Nothing is wrong with it: its plans have three ways to run, and it makes and takes profiles. */
#include "chooses.h"
ENTRY(chooses) { return open_chooses("chooses", host, backend, err); }
