/*
 * A libibverbs from before rdma-core 28: it exports neither ibv_reg_mr_iova2 nor ibv_reg_dmabuf_mr. Prototypes as in
 * verbs.h, which is not included because its macros redirect these very names.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Fills the first version of ibv_port_attr, 48 bytes, as the exported function does. */
int ibv_query_port(void *context, uint8_t port, void *attr)
{
	if (!context)
		return 22;
	memset(attr, port, 48);
	return 0;
}

int ibv_query_device(void *context, void *attr)
{
	memset(attr, 0x11, 232);
	return 0;
}

void *ibv_reg_mr(void *pd, void *address, size_t length, int access)
{
	printf("ibv_reg_mr %p %p %zu %x\n", pd, address, length, access);
	fflush(stdout);
	return (void *)0x9000;
}

void *ibv_create_qp(void *pd, void *attr)
{
	printf("ibv_create_qp %p\n", pd);
	fflush(stdout);
	return (void *)0xa000;
}

void *ibv_create_srq(void *pd, void *attr)
{
	printf("ibv_create_srq %p\n", pd);
	fflush(stdout);
	return (void *)0xb000;
}

void **ibv_get_device_list(int *count)
{
	static void *devices[] = { (void *)0x100, (void *)0x200, NULL };

	return devices;
}

void ibv_free_device_list(void **list)
{
	puts("ibv_free_device_list");
	fflush(stdout);
}

const char *ibv_wc_status_str(int status)
{
	return status == 12 ? "transport retry counter exceeded" : NULL;
}
