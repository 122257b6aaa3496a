/* Exports an entry, but not the one of its file's name. */
#include "plugin.h"
ENTRY(another) { return open_as("another", host, backend, err); }
