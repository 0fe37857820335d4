// FlyingFox can forward requests to other servers through Foundation's URLSession, which needs libcurl and the 25
// libraries behind it: 4 MB of memory for something that Spotter never does. These stand-ins satisfy the linker. Each
// reports failure, so a URLSession would end with an error instead of a connection.
#include "CNoCurl.h"

#include <stddef.h>

enum { failed_init = 2 };  // CURLE_FAILED_INIT; for curl_multi_* CURLM_BAD_EASY_HANDLE, for curl_url_* an error as well

#define FAILS(name) \
    int name(void) { return failed_init; }
#define NOTHING(name) \
    void *name(void) { return NULL; }
#define TEXT(name) \
    const char *name(void) { return "libcurl is not part of this program"; }

FAILS(curl_global_init)
FAILS(curl_easy_getinfo)
FAILS(curl_easy_pause)
FAILS(curl_easy_setopt)
FAILS(curl_multi_add_handle)
FAILS(curl_multi_assign)
FAILS(curl_multi_cleanup)
FAILS(curl_multi_remove_handle)
FAILS(curl_multi_setopt)
FAILS(curl_multi_socket_action)
FAILS(curl_url_get)
FAILS(curl_url_set)
FAILS(curl_ws_recv)
FAILS(curl_ws_send)
NOTHING(curl_easy_init)
NOTHING(curl_multi_init)
NOTHING(curl_ws_meta)
NOTHING(curl_multi_info_read)
NOTHING(curl_slist_append)
NOTHING(curl_url)
NOTHING(curl_version_info)
TEXT(curl_easy_strerror)
TEXT(curl_version)
void curl_easy_cleanup(void) {}
void curl_free(void) {}
void curl_slist_free_all(void) {}
