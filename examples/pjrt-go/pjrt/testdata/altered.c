/* A plugin that is another one, that in $PJRT_PLUGIN, with its table altered: what old plugins, and plugins of another major
 * version, look like to a client. The tests compile it with one of these:
 *   CUT=NAME         the table ends before that function
 *   WITHOUT=NAME     that function is NULL
 *   MAJOR=N          the major version
 *   BYTES=N          the size that the table says it has
 *   NO_EXTENSIONS    no extension
 *   NO_TABLE         GetPjrtApi returns NULL
 *   UNREADY          PJRT_Plugin_Initialize fails */
#include <dlfcn.h>
#include <pjrt_api.h>
#include <stdlib.h>
#include <string.h>

#ifdef UNREADY
static PJRT_Error* unready(PJRT_Plugin_Initialize_Args* args) {
  (void)args;
  const PJRT_Api* (*get)(void) = NULL;
  *(void**)&get = dlsym(dlopen(getenv("PJRT_PLUGIN"), RTLD_NOW | RTLD_LOCAL), "GetPjrtApi");
  PJRT_Client_Create_Args create;
  PJRT_NamedValue option;
  memset(&create, 0, sizeof create);
  memset(&option, 0, sizeof option);
  create.struct_size = sizeof create, option.struct_size = sizeof option;
  option.name = "no_such_option", option.name_size = strlen(option.name), option.string_value = "";
  create.create_options = &option, create.num_options = 1;
  return get()->PJRT_Client_Create(&create); /* an error of the plugin's own */
}
#endif

const PJRT_Api* GetPjrtApi(void) {
#ifdef NO_TABLE
  return NULL;
#else
  static PJRT_Api api;
  const PJRT_Api* (*get)(void) = NULL;
  void* file = dlopen(getenv("PJRT_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
  if (file == NULL || (*(void**)& get = dlsym(file, "GetPjrtApi")) == NULL) return NULL;
  memcpy(&api, get(), get()->struct_size < sizeof api ? get()->struct_size : sizeof api);
#ifdef CUT
  memset((char*)&api + offsetof(PJRT_Api, CUT), 0xFF, sizeof api - offsetof(PJRT_Api, CUT)); /* nobody may look there */
  api.struct_size = offsetof(PJRT_Api, CUT);
#endif
#ifdef WITHOUT
  api.WITHOUT = NULL;
#endif
#ifdef MAJOR
  api.pjrt_api_version.major_version = MAJOR;
#endif
#ifdef BYTES
  api.struct_size = BYTES;
#endif
#ifdef NO_EXTENSIONS
  api.extension_start = NULL;
#endif
#ifdef UNREADY
  api.PJRT_Plugin_Initialize = unready;
#endif
  return &api;
#endif
}
