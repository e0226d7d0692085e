/* prng.c - bcryptprimitives.dll for Wine before 8.16, which does not have it: the one
 * function of it that Go needs. Real Windows has had it since version 7. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(void *buffer, ULONG length); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(unsigned char *buffer, size_t length)
{
    return SystemFunction036(buffer, (ULONG)length);
}
