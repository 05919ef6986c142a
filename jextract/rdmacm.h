/* The headers of librdmacm that jextract reads; rdmacm.filter says what of them is bound. */
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
