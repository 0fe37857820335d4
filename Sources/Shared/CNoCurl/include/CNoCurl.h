// Stand-ins for libcurl, so that the program links without it: see no_curl.c. Nobody calls this header's functions.
#pragma once
