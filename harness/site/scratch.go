package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// layOut makes a folder that looks like a checkout after ./build.sh: its folders are real, so that pages
// can write there, its files are links.
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
	if err := tree(root, folder, func(name string) bool { return name == ".git" || name == "out" || name == filepath.ToSlash(same) }); err != nil {
		return err
	}
	// Of what was built, without what tests have left there.
	kept := []string{".", "cmake", "fmi", "fmi2", "fmi3", "pkgconfig", "tires", "linux-arm64", "windows-amd64"}
	return tree(out, filepath.Join(folder, "out"), func(name string) bool {
		first, _, deeper := strings.Cut(name, "/")
		if info, err := os.Stat(filepath.Join(out, first)); !deeper && err == nil && !info.IsDir() {
			return false
		}
		return !slices.Contains(kept, first)
	})
}

// packages is the folder of an environment of Python with the wheel of out and what
// requirements.txt pins. It is kept in out/bindings/site, and made anew when one of them has changed.
func packages(root, out string) (environment, site string, err error) {
	wheels, err := filepath.Glob(filepath.Join(out, "skidpad-*.whl"))
	if err != nil {
		return "", "", err
	}
	if len(wheels) != 1 {
		return "", "", fmt.Errorf("%s has %d wheels, not one; run ./build.sh build", out, len(wheels))
	}
	requirements := filepath.Join(root, "harness/site/requirements.txt")
	pinned, err := os.ReadFile(requirements)
	if err != nil {
		return "", "", err
	}
	environment = filepath.Join(out, "bindings", "site")
	mark := filepath.Join(environment, "requirements.txt")
	program := filepath.Join(environment, "bin", "python")
	pip := func(arguments ...string) error {
		arguments = append([]string{"-m", "pip", "--quiet", "--disable-pip-version-check", "--cache-dir", filepath.Join(out, "bindings", "pip"), "install"}, arguments...)
		return quietly(program, arguments...)
	}
	if before, err := os.ReadFile(mark); err != nil || string(before) != string(pinned) {
		if err := quietly("python3", "-m", "venv", "--clear", environment); err != nil {
			return "", "", err
		}
		if err := pip("--no-deps", "--only-binary", ":all:", "-r", requirements); err != nil {
			return "", "", err
		}
		if err := os.WriteFile(mark, pinned, 0o644); err != nil {
			return "", "", err
		}
	}
	if err := pip("--no-index", "--no-deps", "--force-reinstall", wheels[0]); err != nil {
		return "", "", err
	}
	if err := quietly(program, "-m", "pip", "--disable-pip-version-check", "check"); err != nil {
		return "", "", err
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

// pythonFor makes an environment of Python for one page: what it installs stays there, what all pages
// need comes from site.
func pythonFor(folder, environment, site string) error {
	if err := quietly(filepath.Join(environment, "bin", "python"), "-m", "venv", "--without-pip", folder); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(folder, "lib", "python*", "site-packages"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("%s has no site-packages", folder)
	}
	if err := os.WriteFile(filepath.Join(found[0], "site.pth"), []byte(site+"\n"), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "bin", "pip"), []byte("#!/bin/sh\nPIP_DISABLE_PIP_VERSION_CHECK=1 exec python -m pip \"$@\"\n"), 0o755)
}
