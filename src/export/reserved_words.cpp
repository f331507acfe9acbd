#include "src/export/reserved_words.h"

namespace marrow {
namespace {

// C++20's keywords and other names for operators, and what cannot be a namespace beside a program.
constexpr std::string_view kKeywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const consteval constexpr constinit continue decltype default delete "
    "do double else enum explicit export extern false float for friend goto if inline int long main mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq private protected public register requires return short signed "
    "sizeof static std struct switch template this throw true try typedef typeid typename typeof union unsigned using "
    "virtual void volatile wchar_t while xor xor_eq ";

// Functions, variables and macros of the C library. Those of <math.h> may have an f or an l at their end.
constexpr std::string_view kMath =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim "
    "finite floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llogb llrint llround log log10 "
    "log1p log2 logb lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup pow pow10 remainder remquo "
    "rint round roundeven scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn ";
constexpr std::string_view kLibrary =
    " abort abs asctime assert atexit atof atoi atol atoll bsearch btowc calloc clearerr clock complex ctime difftime "
    "div errno exit fadd fclose fdiv feof ferror fflush ffma fgetc fgetpos fgets fgetwc fgetws fmul fopen fpclassify "
    "fprintf fputc fputs fputwc fputws fread free freopen fscanf fseek fsetpos fsqrt fsub ftell fwide fwprintf fwrite "
    "fwscanf getc getchar getenv gets getwc getwchar gmtime imaxabs imaxdiv isalnum isalpha isascii isblank iscntrl "
    "isdigit isfinite isgraph isgreater isgreaterequal isinf isless islessequal islessgreater islower isnan isnormal "
    "isprint ispunct isspace isunordered isupper iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph "
    "iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit labs lconv ldiv llabs lldiv localeconv localtime "
    "longjmp malloc mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memchr memcmp memcpy memmove memset mktemp "
    "mktime offsetof perror printf putc putchar puts putwc putwchar qsort raise rand realloc remove rename rewind "
    "scanf setbuf setjmp setlocale setvbuf signal signbit signgam snprintf sprintf srand sscanf stderr stdin stdout "
    "strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncat strncmp strncpy strndup "
    "strnlen strpbrk strrchr strsignal strspn strstr strtod strtof strtoimax strtok strtol strtold strtoll strtoul "
    "strtoull strtoumax strxfrm swprintf swscanf system time tm tmpfile tmpnam toascii tolower toupper towctrans "
    "towlower towupper ungetc ungetwc vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf "
    "vswprintf vswscanf vwprintf vwscanf wcrtomb wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat "
    "wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll "
    "wcstombs wcstoul wcstoull wcstoumax wcsxfrm wctob wctomb wctrans wctype wmemchr wmemcmp wmemcpy wmemmove wmemset "
    "wprintf wscanf ";

// What systems add to it under plain words: headers of the C++ library bring them along.
constexpr std::string_view kSystem =
    " accept access acct alarm alloca alphasort basename bcmp bcopy bind brk bzero chdir chmod chown chroot clone "
    "close confstr connect creat crypt ctermid daemon daylight dirname dprintf dup dup2 dup3 dysize encrypt endpwent "
    "environ err errx execl execle execlp execv execve execvp far fchdir fchmod fchown fcntl fdopen ffs ffsl ffsll "
    "fileno flock fork fstat fsync ftruncate getcwd getdate getegid getenv geteuid getgid getline getlogin getopt "
    "getpass getpgrp getpid getppid getsid gettext gettid gettimeofday getuid getw huge i386 index initstate intptr "
    "ioctl isatty itimerval kill lchown link linux listen lockf lseek lstat major makedev max memfrob min minor mkdir "
    "mkdtemp mkfifo mknod mkstemp mount nanosleep near nice obstack open optarg opterr optind optopt pascal pause "
    "pclose pipe pipe2 poll popen posix pread profil psignal putenv putw pwrite random read readlink realpath recv "
    "recvfrom recvmsg revoke rindex rmdir sbrk select send sendmsg sendto setenv setgid setpgrp setsid setstate "
    "setuid shutdown sigaction sigevent siginfo signalfd sigpause sigset sigstack sigval sleep small socket "
    "socketpair splice srandom stat statx stime stpcpy strcasecmp strfry strncasecmp strsep swab symlink sync syscall "
    "sysconf tee tempnam timegm timelocal timer timespec timeval timex timezone truncate ttyname tzname tzset ualarm "
    "uint ulong umask umount uname unix unlink unsetenv unshare ushort usleep valloc vfork vhangup wait wait3 wait4 "
    "waitid waitpid write ";

// The words have a space at either side.
bool is_in(std::string_view words, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    if (words[at - 1] == ' ' && words[at + word.size()] == ' ') return true;
  }
  return false;
}

}  // namespace

bool is_reserved_in_cpp(std::string_view word) {
  const bool is_variant = word.ends_with('f') || word.ends_with('l');
  return is_in(kKeywords, word) || is_in(kMath, word) || is_in(kLibrary, word) || is_in(kSystem, word) ||
         (is_variant && is_in(kMath, word.substr(0, word.size() - 1))) || word.ends_with("_t");
}

}  // namespace marrow
