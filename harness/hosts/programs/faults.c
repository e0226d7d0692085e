/* Group 15, second part: the system refuses what the library needs.
 *
 *     faults SCRATCH WHEEL OTHER FMU TIRES
 *
 * SCRATCH is an empty folder. WHEEL and OTHER are copies of an FMU of a small model in folders of their own, FMU has
 * another model, TIRES is the folder of the example tires; TMPDIR is empty. Each fault is made in a process of its own:
 * the error names what is missing, and when the system gives it again, the same library works as if nothing had been.
 */
#include "host.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char *scratch, *wheel, *other, *vehicle, *tires;

enum { WHEEL_STEPS = 40 };

/* A run of any model: what its first numbers are. */
struct run {
    double values[WHEEL_STEPS][8];
};

static bool made(struct instance *i, const struct fmu *f, const char *missing)
{
    bool is = instance_new(i, f, "faults");
    if (!is && (i->log.status != ERROR || strstr(i->log.latest, missing) == NULL))
        figure("  FMI %d.0: status %d without \"%s\": %s\n", f->version, i->log.status, missing, i->log.latest);
    MUST(is || (i->log.status == ERROR && strstr(i->log.latest, missing) != NULL));
    return is;
}

static void begin(struct instance *i, const struct fmu *f)
{
    if (!instance_new(i, f, "faults")) {
        figure("  FMI %d.0: no instance: %s\n", f->version, i->log.latest);
        _exit(1);
    }
    MUST(instance_initialise(i) == OK);
}

static void steps(struct instance *i, struct run *r, int from, int to)
{
    static const uint32_t references[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int n = from; n < to; n++)
        MUST(instance_step(i, DRIVE_STEP) == OK && instance_get(i, references, 8, r->values[n]) == OK);
}

static void run(const struct fmu *f, struct run *r)
{
    struct instance i;
    begin(&i, f);
    steps(&i, r, 0, WHEEL_STEPS);
    instance_free(&i);
}

static void same(const struct run *a, const struct run *b) { MUST(memcmp(a, b, sizeof *a) == 0); }

/* From here on, in all threads, the system refuses memory that code can run in. */
static void refuse_code(void)
{
    const uint32_t protection = offsetof(struct seccomp_data, args[2]), number = offsetof(struct seccomp_data, nr);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, protection),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    MUST(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0 && errno == EPERM);
}

/* What a vehicle does with machine code, to a pipe; then without, of which the drive is the same. */
static void with_code(void *pipe)
{
    struct fmu f;
    double values[DRIVE];
    fmu_open(&f, vehicle);
    int before = mappings(" r-xp 00000000 00:00 0 ");
    drive(&f, 1, values);
    struct instance i;
    MUST(instance_new(&i, &f, "code") && instance_initialise(&i) == OK);
    MUST(mappings(" r-xp 00000000 00:00 0 ") > before); /* so that the other run is another */
    MUST(write(*(int *)pipe, values, sizeof values) == sizeof values);
}

static void without_code(void *expected)
{
    struct fmu f, first;
    struct instance i;
    double values[DRIVE];
    fmu_open(&first, wheel);
    fmu_open(&f, vehicle);
    begin(&i, &first);
    refuse_code();
    int before = mappings(" r-xp 00000000 00:00 0 ");
    drive(&f, 1, values);
    MUST(drive_equal(values, expected));
    MUST(mappings(" r-xp 00000000 00:00 0 ") <= before);
    MUST(instance_step(&i, DRIVE_STEP) == OK);
    instance_free(&i);
}

static void machine_code(void)
{
    int ends[2];
    double expected[DRIVE];
    MUST(pipe(ends) == 0);
    MUST(in_child(with_code, &ends[1], 60) == 0);
    MUST(read(ends[0], expected, sizeof expected) == sizeof expected);
    MUST(in_child(without_code, expected, 60) == 0);
    figure("  memory to run code in refused: the vehicle runs without machine code of its own, the same to the last "
           "bit\n");
}

/* The process may open n files more while the first instance is made. */
static void few_files(void *n)
{
    struct fmu f;
    struct instance i;
    struct run a, b;
    struct rlimit limit, none;
    fmu_open(&f, wheel);
    MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(next);
    none = (struct rlimit){(rlim_t)(next + *(int *)n), limit.rlim_max};
    MUST(setrlimit(RLIMIT_NOFILE, &none) == 0);
    bool is = made(&i, &f, "oo many open files");
    struct rlimit now;
    MUST(getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == none.rlim_cur); /* Go would raise it */
    if (is) { /* it goes on with so few */
        MUST(instance_initialise(&i) == OK);
        steps(&i, &a, 0, WHEEL_STEPS);
        instance_free(&i);
    } else if (*(int *)n == 0) {
        MUST(strstr(i.log.latest, "skidpad-core-") != NULL);
    }
    MUST(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    run(&f, &b);
    if (is)
        same(&a, &b);
    fmu_close(&f);
}

static void descriptors(void)
{
    enum { FILES = 12 };
    for (int n = 0; n < FILES; n++) {
        int status = in_child(few_files, &n, 20);
        if (status != 0)
            figure("  wait status %#x with %d descriptors left\n", status, n);
        MUST(status == 0);
    }
    figure("  no descriptors left, or 1 to %d: refused by name or made, and made when there are some\n", FILES - 1);
}

/* A copy of the wheel in SCRATCH that can be harmed. */
static void copy_wheel(char folder[PATH_MAX])
{
    char command[4 * PATH_MAX];
    snprintf(folder, PATH_MAX, "%s/copy", scratch);
    snprintf(command, sizeof command, "rm -rf '%s' && cp -r '%s' '%s'", folder, wheel, folder);
    MUST(system(command) == 0);
}

/* The core of the FMU in a folder. */
static void core_of(const char *folder, char path[PATH_MAX])
{
    struct fmu f;
    char library[PATH_MAX], command[2 * PATH_MAX];
    fmu_describe(&f, folder);
    fmu_library(&f, folder, library);
    snprintf(command, sizeof command, "ls %.*s/skidpad-core-*", (int)(strrchr(library, '/') - library), library);
    FILE *list = popen(command, "re");
    MUST(list != NULL && fgets(path, PATH_MAX, list) != NULL);
    pclose(list);
    path[strcspn(path, "\n")] = 0;
    free(f.description);
}

struct harm {
    const char *kind, *path, *missing;
};

/* As somebody who may not read everything: this thread loses what lets root pass, or gets it back. */
static void privileged(bool yes)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    MUST(syscall(SYS_capget, &header, data) == 0);
    for (int n = 0; n < 2; n++)
        data[n].effective = yes ? data[n].permitted : 0;
    MUST(syscall(SYS_capset, &header, data) == 0);
}

static void harmed(void *argument)
{
    const struct harm *h = argument;
    char folder[PATH_MAX], path[2 * PATH_MAX], aside[2 * PATH_MAX + 8];
    struct fmu f;
    struct run a, b;
    struct instance i;
    struct stat before;
    copy_wheel(folder);
    if (strcmp(h->path, "core") == 0)
        core_of(folder, path);
    else
        snprintf(path, sizeof path, "%s/%s", folder, h->path);
    snprintf(aside, sizeof aside, "%s.aside", path);
    fmu_open(&f, folder);
    MUST(stat(path, &before) == 0);
    if (strcmp(h->kind, "unreadable") == 0) {
        MUST(chmod(path, 0) == 0);
    } else {
        MUST(rename(path, aside) == 0);
        if (strcmp(h->kind, "a file") == 0)
            MUST(close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644)) == 0);
        if (strcmp(h->kind, "a folder") == 0)
            MUST(mkdir(path, 0755) == 0);
    }
    privileged(false);
    for (int attempt = 0; attempt < 2; attempt++) {
        MUST(!made(&i, &f, h->missing));
        MUST(strstr(i.log.latest, strcmp(h->path, "core") == 0 ? strrchr(path, '/') + 1 : "/copy/resources") != NULL);
    }
    figure("  FMI %d.0, %s %s: %s\n", f.version, h->path, h->kind, i.log.latest);
    privileged(true);
    if (strcmp(h->kind, "unreadable") == 0) {
        MUST(chmod(path, before.st_mode & 07777) == 0);
    } else {
        remove(path);
        MUST(rename(aside, path) == 0);
    }
    privileged(false);
    run(&f, &a);
    run(&f, &b);
    same(&a, &b);
    privileged(true);
}

static void files(void)
{
    static const struct harm harms[] = {
        {"unreadable", "core", "ermission denied"},
        {"unreadable", "resources", "ermission denied"},
        {"unreadable", "resources/model.toml", "ermission denied"},
        {"missing", "resources", "no such file"},
        {"missing", "resources/model.toml", "no such file"},
        {"a file", "resources", "not a directory"},
        {"a file", "resources/model.toml", "do not belong together"},
        {"a folder", "resources/model.toml", "model.toml"},
    };
    for (size_t k = 0; k < sizeof harms / sizeof *harms; k++) {
        struct harm h = harms[k];
        MUST(in_child(harmed, &h, 20) == 0);
    }
}

static int sti_tire(struct instance *i)
{
    char model[PATH_MAX], file[PATH_MAX];
    snprintf(model, sizeof model, "sti:%s/fiala_sti.so#fiala_", tires);
    snprintf(file, sizeof file, "%s/fiala.txt", tires);
    const char *texts[] = {model, file};
    uint32_t references[] = {fmu_reference(i->fmu, "tire_FL.model"), fmu_reference(i->fmu, "tire_FL.file")};
    int status = i->fmu->version == 2 ? i->fmu->f2.SetString(i->handle, references, 2, texts)
                                      : i->fmu->f3.SetString(i->handle, references, 2, texts, 2);
    return status == OK ? instance_initialise(i) : status;
}

static int entries(const char *folder)
{
    DIR *d = opendir(folder);
    int n = -2;
    MUST(d != NULL);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}

/* The second vehicle with tires of one library needs a copy of it, and there is no room for that. */
static void no_room(void *unused)
{
    const char *temporary = getenv("TMPDIR"); /* Go sees what is set before the process begins */
    struct fmu f;
    struct instance first, second;
    struct rlimit limit, none;
    (void)unused;
    MUST(temporary != NULL);
    signal(SIGXFSZ, SIG_IGN);
    fmu_open(&f, vehicle);
    MUST(instance_new(&first, &f, "first") && sti_tire(&first) == OK && entries(temporary) == 0);
    MUST(instance_new(&second, &f, "second") && getrlimit(RLIMIT_FSIZE, &limit) == 0);
    none = (struct rlimit){4096, limit.rlim_max};
    MUST(setrlimit(RLIMIT_FSIZE, &none) == 0);
    second.log.messages = 0;
    MUST(sti_tire(&second) == ERROR && second.log.messages > 0);
    if (strstr(second.log.latest, temporary) == NULL || strstr(second.log.latest, "file too large") == NULL)
        figure("  no room for a copy of a library: %s\n", second.log.latest);
    MUST(strstr(second.log.latest, temporary) != NULL && strstr(second.log.latest, "file too large") != NULL);
    figure("  no room for a copy of a library: %s\n", second.log.latest);
    MUST(entries(temporary) == 0); /* no half of it either */
    MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    MUST(instance_reset(&second) == OK && sti_tire(&second) == OK && entries(temporary) == 1);
    MUST(instance_step(&first, DRIVE_STEP) == OK && instance_step(&second, DRIVE_STEP) == OK);
    instance_free(&first);
    instance_free(&second);
    MUST(entries(temporary) == 0);
}

/* Another file takes the place of the core while it is at work; in a new process that is an error. */
static void replaced(void *unused)
{
    char folder[PATH_MAX], core[PATH_MAX], bad[PATH_MAX + 8];
    struct fmu f, g;
    struct run before, during, after, third;
    struct instance i;
    (void)unused;
    copy_wheel(folder);
    core_of(folder, core);
    snprintf(bad, sizeof bad, "%s.bad", core);
    fmu_open(&f, folder);
    run(&f, &before);
    begin(&i, &f);
    steps(&i, &during, 0, WHEEL_STEPS / 2);
    int file = open(bad, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
    MUST(file >= 0 && dprintf(file, "this is no library") > 0 && close(file) == 0 && rename(bad, core) == 0);
    steps(&i, &during, WHEEL_STEPS / 2, WHEEL_STEPS);
    instance_free(&i);
    same(&before, &during);
    run(&f, &after);
    same(&before, &after);
    fmu_open(&g, other);
    run(&g, &third);
    same(&before, &third);
}

static void damaged(void *unused)
{
    char folder[PATH_MAX], core[PATH_MAX];
    struct fmu f;
    struct instance i;
    (void)unused;
    snprintf(folder, sizeof folder, "%s/copy", scratch);
    core_of(folder, core);
    fmu_open(&f, folder);
    MUST(!made(&i, &f, strrchr(core, '/') + 1) && strstr(i.log.latest, "unpack the FMU again") != NULL);
    figure("  the core replaced while it is loaded: all goes on; in a new process: %s\n", i.log.latest);
}

int main(int argc, char **argv)
{
    MUST(argc == 6);
    scratch = argv[1], wheel = argv[2], other = argv[3], vehicle = argv[4], tires = argv[5];
    machine_code();
    descriptors();
    files();
    MUST(in_child(no_room, NULL, 20) == 0);
    MUST(in_child(replaced, NULL, 20) == 0);
    MUST(in_child(damaged, NULL, 20) == 0);
    return 0;
}
