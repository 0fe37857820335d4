// libpq's interface.
#include <libpq-fe.h>
