/* Group 1: load, run and unload, each time from a fresh copy in a new folder.
 *
 *     cycles COUNT SCRATCH FMU...
 *
 * After a hundred cycles the process must not grow any more. */
#include "host.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

/* A thread brings stack and guard page, and an arena of malloc in two pieces; the heaps
 * of C and Go come to a few more pieces, whatever the number of cycles. What leaks comes
 * once a cycle. */
enum { SETTLED = 100, MAX_THREADS = 16, MAX_GROWTH = 20 << 20, MAPPINGS_OF_THREAD = 4, MAPPINGS_OF_HEAPS = 16 };

/* Mappings of what was loaded from copies, all deleted by then. */
static int ours(void) { return mappings(".so (deleted)"); }

static const char *source;
static char target[PATH_MAX];

static int copy_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)walk;
    char to[2 * PATH_MAX];
    snprintf(to, sizeof to, "%s%s", target, path + strlen(source));
    if (kind == FTW_D)
        return mkdir(to, 0755);
    int in = open(path, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    MUST(in >= 0 && out >= 0);
    for (off_t left = info->st_size; left > 0;) {
        ssize_t n = sendfile(out, in, NULL, (size_t)left);
        MUST(n > 0);
        left -= n;
    }
    close(in);
    close(out);
    return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

int main(int argc, char **argv)
{
    MUST(argc > 3);
    int count = atoi(argv[1]), settled_mappings = 0, settled_ours = 0, settled_files = 0, settled_threads = 0;
    long settled_resident = 0;
    double first[8][DRIVE_OUTPUTS], start = seconds();
    MUST(count > SETTLED && argc - 3 <= 8);
    for (int n = 0; n < count; n++) {
        int which = n % (argc - 3);
        source = argv[3 + which];
        snprintf(target, sizeof target, "%s/copy%d", argv[2], n);
        MUST(nftw(source, copy_entry, 16, FTW_PHYS) == 0);

        struct fmu f;
        struct instance i;
        double values[DRIVE_OUTPUTS];
        fmu_open(&f, target);
        if (!instance_new(&i, &f, "cycle")) {
            figure("  cycle %d: %s\n", n, i.log.latest);
            return 1;
        }
        MUST(instance_initialise(&i) == OK);
        for (int step = 0; step < 10; step++)
            drive_step(&i, which, step, values);
        instance_free(&i);
        fmu_close(&f);
        MUST(nftw(target, remove_entry, 16, FTW_PHYS | FTW_DEPTH) == 0);

        if (n < argc - 3)
            memcpy(first[which], values, sizeof values);
        MUST(memcmp(first[which], values, sizeof values) == 0);
        if (n + 1 == SETTLED) {
            settled_resident = resident();
            settled_mappings = mappings("");
            settled_ours = ours();
            settled_threads = threads();
            settled_files = open_files();
        }
    }
    long growth = resident() - settled_resident;
    int more = mappings("") - settled_mappings;
    int more_threads = threads() - settled_threads;
    figure("  %d cycles in %.0f s: since cycle %d resident %+.1f MiB (%.1f in all), mappings %+d (%d in all), of "
           "deleted copies "
           "%+d (%d in all), threads %+d (%d in all), open files %+d\n",
           count, seconds() - start, SETTLED, (double)growth / (1 << 20), (double)resident() / (1 << 20), more,
           mappings(""), ours() - settled_ours, ours(), more_threads, threads(), open_files() - settled_files);
    MUST(threads() <= MAX_THREADS);
    MUST(growth < MAX_GROWTH);
    MUST(ours() == settled_ours);
    MUST(more <= MAPPINGS_OF_THREAD * more_threads + MAPPINGS_OF_HEAPS);
    MUST(open_files() == settled_files);
    MUST(mappings("skidpad-core-") > 0);
    return 0;
}
