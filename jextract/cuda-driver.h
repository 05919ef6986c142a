/* The header of the CUDA driver API that jextract reads; cuda.filter says what of it is bound. */
#include <cuda.h>
