package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// licence matches the names of files with the terms of a module.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense|ofl)([-._].*)?$`)

// collect adds the licences of Go and of the modules in some binaries to a folder.
func collect(folder string, binaries []string) error {
	modules := map[string]bool{}
	for _, binary := range binaries {
		if info, err := os.Lstat(binary); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			continue // another name of one of them
		}
		info, err := buildinfo.ReadFile(binary)
		if err != nil {
			return fmt.Errorf("%s: %w", binary, err)
		}
		for _, m := range info.Deps {
			// a folder stands for a module that build.sh has shortened: the terms of the module apply
			if m.Replace != nil && !strings.HasPrefix(m.Replace.Path, ".") && !filepath.IsAbs(m.Replace.Path) {
				m = m.Replace
			}
			modules[m.Path+"@"+m.Version] = true
		}
	}
	if len(modules) == 0 {
		return errors.New("the binaries name no module")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err == nil {
		err = copyLicences(strings.TrimSpace(string(root)), filepath.Join(folder, "go"), false)
	}
	if err != nil {
		return fmt.Errorf("licences of Go: %w", err)
	}
	for name := range modules {
		source, err := sourceOf(name)
		if err == nil {
			err = copyLicences(source, filepath.Join(folder, filepath.FromSlash(name)), true)
		}
		if err != nil {
			return fmt.Errorf("module %s: %w", name, err)
		}
	}
	return nil
}

// sourceOf returns the folder of a module in the cache, where a build has put it.
func sourceOf(name string) (string, error) {
	text, err := exec.Command("go", "mod", "download", "-json", name).Output()
	if err != nil {
		return "", fmt.Errorf("go mod download: %w: %s", err, text)
	}
	var found struct{ Dir string }
	err = json.Unmarshal(text, &found)
	return found.Dir, err
}

// copyLicences copies the files with terms of a folder and, deep, of the folders below it, where other authors have
// some. One folder without any is refused.
func copyLicences(source, folder string, deep bool) error {
	found := false
	err := filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != source && (!deep || entry.Name() == "testdata"):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !licence.MatchString(entry.Name()) || strings.HasSuffix(path, ".go"):
			return nil
		}
		relative, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found = true
		to := filepath.Join(folder, relative)
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
	})
	if err == nil && !found {
		err = fmt.Errorf("no file with a licence in %s; find its terms, or do without it", source)
	}
	return err
}
