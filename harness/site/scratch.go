package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// layOut makes a folder like a checkout after ./build.sh without compilers for other systems: their libraries would
// only make packing longer. Its folders are real, so that pages can write there; its files are links.
func layOut(root, out, folder string) error {
	tree := func(from, to string, leaveOut func(name string) bool) error {
		return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(from, file)
			if err != nil {
				return err
			}
			target := filepath.Join(to, name)
			switch {
			case leaveOut(filepath.ToSlash(name)):
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			case d.IsDir():
				return os.MkdirAll(target, 0o755)
			default:
				return os.Symlink(file, target)
			}
		})
	}
	same, err := filepath.Rel(root, out)
	if err != nil {
		return err
	}
	if err := tree(root, folder, func(name string) bool {
		return name == ".git" || name == "out" ||
			name == filepath.ToSlash(same)
	}); err != nil {
		return err
	}
	// The build output without the files that tests have left there.
	kept := []string{".", "cmake", "fmi", "fmi2", "fmi3", "pkgconfig", "tires"}
	native := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-" + runtime.GOOS
	return tree(out, filepath.Join(folder, "out"), func(name string) bool {
		first, rest, deeper := strings.Cut(name, "/")
		if first == "fmi" && deeper {
			return !strings.HasPrefix(rest, native)
		}
		if info, err := os.Stat(filepath.Join(out, first)); !deeper && err == nil && !info.IsDir() {
			return false
		}
		return !slices.Contains(kept, first)
	})
}

// packages is an environment of Python with the wheels of out and what requirements.txt pins, and the
// folder of the packages in it. It is kept in out/bindings/site; what has changed is reinstalled.
func packages(root, out string) (environment, site string, err error) {
	var wheels []string // the package, and behind it its libraries of FMUs, as docs/install.md installs them
	for _, name := range []string{"skidpad", "skidpad_fmi"} {
		found, err := filepath.Glob(filepath.Join(out, name+"-*.whl"))
		if err != nil {
			return "", "", err
		}
		if len(found) != 1 {
			return "", "", fmt.Errorf("%s has %d wheels of %s, not one; run ./build.sh build", out, len(found), name)
		}
		wheels = append(wheels, found[0])
	}
	requirements := filepath.Join(root, "harness/site/requirements.txt")
	environment = filepath.Join(out, "bindings", "site")
	program := filepath.Join(environment, "bin", "python")
	pip := func(arguments ...string) error {
		arguments = append([]string{"-m", "pip", "--quiet", "--disable-pip-version-check", "--cache-dir",
			filepath.Join(out, "bindings", "pip")}, arguments...)
		return quietly(program, arguments...)
	}
	// ifChanged does something unless it was done with the file as it is now; a copy of it tells.
	ifChanged := func(file, copied string, do func() error) error {
		now, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		copied = filepath.Join(environment, copied)
		if before, err := os.ReadFile(copied); err == nil && bytes.Equal(before, now) {
			return nil
		}
		if err := do(); err != nil {
			return err
		}
		return os.WriteFile(copied, now, 0o644)
	}
	err = ifChanged(requirements, "requirements.txt", func() error {
		if err := quietly("python3", "-m", "venv", "--clear", environment); err != nil {
			return err
		}
		return pip("install", "--no-deps", "--only-binary", ":all:", "-r", requirements)
	})
	if err != nil {
		return "", "", err
	}
	for _, wheel := range wheels {
		err = ifChanged(wheel, filepath.Base(wheel), func() error {
			if err := pip("install", "--no-index", "--no-deps", "--force-reinstall", wheel); err != nil {
				return err
			}
			return pip("check")
		})
		if err != nil {
			return "", "", err
		}
	}
	found, err := filepath.Glob(filepath.Join(environment, "lib", "python*", "site-packages"))
	if err != nil || len(found) != 1 {
		return "", "", fmt.Errorf("%s has no site-packages", environment)
	}
	return environment, found[0], nil
}

// quietly runs a program; what it says is part of the error.
func quietly(program string, arguments ...string) error {
	said, err := exec.Command(program, arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", program, strings.Join(arguments, " "), err, said)
	}
	return nil
}

// pythonFor makes an environment of Python for one page, as the module venv does. Packages of the page are installed
// there; packages of all pages come from site.
func pythonFor(folder, environment, site string) error {
	interpreter, err := filepath.EvalSymlinks(filepath.Join(environment, "bin", "python"))
	if err != nil {
		return err
	}
	configuration, err := os.ReadFile(filepath.Join(environment, "pyvenv.cfg"))
	if err != nil {
		return err
	}
	version := filepath.Base(filepath.Dir(site))
	for name, text := range map[string]string{
		"pyvenv.cfg": string(configuration),
		"bin/pip":    "#!/bin/sh\nPIP_DISABLE_PIP_VERSION_CHECK=1 exec python -m pip \"$@\"\n",
		"lib/" + version + "/site-packages/site.pth": site + "\n",
	} {
		if err := write(folder, name, []byte(text)); err != nil {
			return err
		}
	}
	return errors.Join(
		os.Chmod(filepath.Join(folder, "bin", "pip"), 0o755),
		os.Symlink(interpreter, filepath.Join(folder, "bin", "python")),
		os.Symlink(interpreter, filepath.Join(folder, "bin", "python3")))
}
