/*
 * A driver of CUDA 11: it has neither cuGetProcAddress_v2 nor cuEventElapsedTime_v2. Prototypes as in cuda.h, which need
 * not be installed.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ipc_handle {
	char reserved[64];
};

int cuInit(unsigned int flags)
{
	return flags == 0 ? 0 : 1;
}

int cuGetErrorName(int error, const char **name)
{
	*name = error == 100 ? "CUDA_ERROR_NO_DEVICE" : NULL;
	return error == 100 ? 0 : 1;
}

int cuGetErrorString(int error, const char **text)
{
	*text = error == 100 ? "no CUDA-capable device is detected" : NULL;
	return error == 100 ? 0 : 1;
}

int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags)
{
	printf("cuGetProcAddress %s %d %lu\n", symbol, version, (unsigned long)flags);
	fflush(stdout);
	*function = NULL;
	return 500;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end)
{
	*milliseconds = (float)((uintptr_t)end - (uintptr_t)start);
	return 0;
}

int cuIpcOpenMemHandle_v2(uint64_t *address, struct ipc_handle handle, unsigned int flags)
{
	*address = 0;
	for (int i = 0; i < 64; i++)
		*address = *address * 31 + (unsigned char)handle.reserved[i];
	*address += flags;
	return 0;
}

int cuIpcOpenEventHandle(uint64_t *event, struct ipc_handle handle)
{
	*event = (unsigned char)handle.reserved[63];
	return 0;
}

int cuMemsetD8_v2(uint64_t address, unsigned char value, size_t count)
{
	return address == 0x700000000000 && value == 200 && count == 5000000000 ? 0 : 1;
}

int cuLaunchKernel(void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
		   unsigned int bz, unsigned int shared, void *stream, void **parameters, void **extra)
{
	printf("cuLaunchKernel %p %u %u %u %u %u %u %u %p %p %p\n", function, gx, gy, gz, bx, by, bz, shared, stream,
	       (void *)parameters, (void *)extra);
	fflush(stdout);
	return 0;
}
