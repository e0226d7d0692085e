package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tool is a command with its possible names, and the Debian packages that contain it.
type tool struct {
	commands []string
	packages []string
}

var (
	fortran = tool{[]string{"gfortran"}, []string{"gfortran"}}
	mingw   = tool{[]string{"x86_64-w64-mingw32-gcc"}, []string{"gcc-mingw-w64-x86-64"}}
	arm64   = tool{[]string{"aarch64-linux-gnu-gcc"}, []string{"gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"}}
	clang   = tool{[]string{"clang"}, []string{"clang"}}
	lld     = tool{[]string{"wasm-ld"}, []string{"lld"}}
	node    = tool{[]string{"node"}, []string{"nodejs"}}
	armhf   = tool{[]string{"arm-linux-gnueabihf-gcc"}, []string{"gcc-arm-linux-gnueabihf", "libc6-dev-armhf-cross"}}
	s390x   = tool{[]string{"s390x-linux-gnu-gcc"}, []string{"gcc-s390x-linux-gnu", "libc6-dev-s390x-cross"}}
	riscv64 = tool{[]string{"riscv64-linux-gnu-gcc"}, []string{"gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross"}}
	qemu    = tool{[]string{"qemu-s390x-static"}, []string{"qemu-user-static"}}
	browser = tool{[]string{"chromium", "chromium-browser", "google-chrome"}, []string{"chromium", "fonts-dejavu-core"}}
)

// install installs the tools of stages that are missing.
func (c *crew) install(stages []*stage) error {
	var missing []string
	for _, s := range stages {
		for _, t := range s.tools {
			there := slices.ContainsFunc(t.commands, func(name string) bool {
				_, err := exec.LookPath(name)
				return err == nil
			})
			if !there && !slices.Contains(missing, t.packages[0]) {
				missing = append(missing, t.packages...)
			}
		}
	}
	if missing == nil {
		return nil
	}
	c.say("installing %s\n", strings.Join(missing, " "))
	var text []byte
	var err error
	for _, arguments := range [][]string{
		append([]string{"install", "-y", "--no-install-recommends"}, missing...),
		{"update"},
		append([]string{"install", "-y", "--no-install-recommends"}, missing...),
	} {
		command := append([]string{"apt-get", "-o", "DPkg::Lock::Timeout=300"}, arguments...)
		if os.Geteuid() != 0 {
			command = append([]string{"sudo", "-n"}, command...)
		}
		text, err = exec.CommandContext(c.ctx, command[0], command[1:]...).CombinedOutput()
		if err == nil && arguments[0] == "install" {
			return nil
		}
	}
	return fmt.Errorf("tools of the tests are missing and cannot be installed (%w); install them and run again: "+
		"apt-get install %s\n%s", err, strings.Join(missing, " "), text)
}

// room ends a run of many stages before it starts, where a disk has less room than it will need.
func room(out, scratch string) error {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return err
	}
	needs := []struct {
		folder string
		mega   int
	}{{scratch, 2500}, {strings.TrimSpace(string(cache)), 2500}, {out, 1500}}
	need, free := map[string]int{}, map[string]int{} // in MB, by disk
	for _, n := range needs {
		if err := os.MkdirAll(n.folder, 0o755); err != nil {
			return err
		}
		disk, mega, err := disk(n.folder)
		if err != nil {
			return err
		}
		free[disk] = mega
		need[disk] += max(0, n.mega-megabytes(n.folder))
	}
	for disk, mega := range need {
		if free[disk] < mega {
			return fmt.Errorf("the disk %s has %d MB free, and the tests need %d MB there: make room, or set TMPDIR "+
				"(temporary files, now %s) or GOCACHE (what Go has compiled, now %s) to a folder on a larger disk", disk,
				free[disk], mega, os.TempDir(), strings.TrimSpace(string(cache)))
		}
	}
	return nil
}

// disk returns the disk of a folder and its free space in MB, from df.
func disk(folder string) (name string, free int, err error) {
	text, err := exec.Command("df", "-Pm", folder).Output()
	if err != nil {
		return "", 0, fmt.Errorf("df -Pm %s: %w", folder, err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if len(fields) < 6 {
		return "", 0, fmt.Errorf("df -Pm %s prints %q", folder, text)
	}
	free, err = strconv.Atoi(fields[3])
	return fields[5], free, err
}

// megabytes returns the size of the files below a folder.
func megabytes(folder string) int {
	var bytes int64
	filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return int(bytes >> 20)
}
