/* The headers of libibverbs that jextract reads; verbs.filter says what of them is bound. */
#include <infiniband/verbs.h>
