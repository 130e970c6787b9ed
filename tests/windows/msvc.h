/* What PHP's headers expect from Microsoft's compiler and library, where mingw-w64 differs.
 * Every file is compiled as if it began with this header. */
#include <_mingw.h>

/* PHP defines pid_t itself, as an int. */
#define _PID_T_
typedef int _pid_t;

/* mingw-w64's macro contains a storage class, but PHP combines the macro with another one. */
#undef __forceinline
#define __forceinline inline __attribute__((always_inline))

/* PHP defines these two as macros with arguments. */
#include <string.h>
#undef strcasecmp
#undef strncasecmp
