
/* Where names have the prefix of this FMU, plain ones stand for the same functions, for importers that make a shared
 * library. They are weak: several FMUs can be linked into one program, in which only the names with a prefix tell them
 * apart. */
#if defined(VEHICLE_HAS_OWN_NAMES) && defined(fmiNPaste) && defined(__GNUC__) && defined(__ELF__)
#define PLAIN(name) PLAIN_OF(plain_##name, #name, name)
#define PLAIN_OF(identifier, plain, full) \
    extern __typeof__(full) identifier __asm__(plain) __attribute__((weak, visibility("default"), alias(NAME_OF(full))))
#define NAME_OF(full) #full
/* @names@ */
#endif
