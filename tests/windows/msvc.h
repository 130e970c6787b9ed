/* What PHP's headers expect of Microsoft's compiler and library, and mingw-w64 does otherwise.
 * Every file is compiled as if it began with this header. */
#include <_mingw.h>

/* PHP defines pid_t itself, as an int. */
#define _PID_T_
typedef int _pid_t;

/* With mingw-w64, this macro is a storage class, but PHP combines it with another one. */
#undef __forceinline
#define __forceinline inline __attribute__((always_inline))

/* PHP defines these two as macros with arguments. */
#include <string.h>
#undef strcasecmp
#undef strncasecmp
