package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"skidpad/fmu/archive"
	"skidpad/fmu/check"
)

// compilers are the commands of C and C++ compilers, in the order of the search.
var compilers = map[string][]string{"C": {"cc", "gcc", "clang"}, "C++": {"c++", "g++", "clang++"}}

// CompileSources lets the C compiler of this machine read the source files of an FMU, with the headers of the standard,
// and returns what it refuses. The compiler writes nothing, and no code of the FMU runs. Sources for other platforms or
// compilers are left out, and so are all where there is no compiler.
func CompileSources(fmu string) (findings []check.Finding, err error) {
	sets, err := check.Sources(fmu)
	if err != nil {
		return nil, err
	}
	sets = slices.DeleteFunc(sets, func(s check.SourceSet) bool {
		return s.Platform != "" && s.Platform != platform(3) ||
			s.Compiler != "" && !slices.Contains(slices.Concat(compilers["C"], compilers["C++"]), s.Compiler)
	})
	if len(sets) == 0 {
		return nil, nil
	}
	folder, err := unpackSources(fmu)
	if err != nil {
		return nil, err
	}
	defer remove(folder)
	limit, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	findings, err = compileSets(limit, folder, sets)
	if err != nil {
		err = fmt.Errorf("%s: %w", fmu, err)
	}
	return findings, err
}

// compileSets compiles source files one by one, until they have taken too long together.
func compileSets(limit context.Context, folder string, sets []check.SourceSet) (findings []check.Finding, err error) {
	for _, set := range sets {
		for _, file := range set.Files {
			refused, err := compile(limit, folder, &set, file)
			if err != nil {
				return findings, err
			}
			if refused != "" {
				findings = append(findings, set.Refused(refused))
			}
			if limit.Err() != nil {
				return findings, nil
			}
		}
	}
	return findings, nil
}

// standard is an edition of a language that compilers have known for long.
var standard = regexp.MustCompile(`^C(89|90|99|11|17|\+\+98|\+\+11|\+\+14|\+\+17)$`)

// compilerOf is the compiler for a source file, with the language; empty where there is none here.
func compilerOf(set *check.SourceSet, file string) []string {
	language := strings.TrimRight(set.Language, "0123456789")
	if language == "" {
		language = "C"
		if ending := path.Ext(file); ending != ".c" && check.IsCode(file) {
			language = "C++"
		}
	}
	for _, name := range compilers[language] {
		found, err := exec.LookPath(name)
		switch {
		case err != nil:
		case standard.MatchString(set.Language): // with the extensions that build tools leave on
			return []string{found, "-std=" + strings.Replace(strings.ToLower(set.Language), "c", "gnu", 1)}
		default:
			return []string{found}
		}
	}
	return nil
}

// unpackSources unpacks the folder sources of an FMU into a new folder, with the headers of the standard beside it.
func unpackSources(fmu string) (folder string, err error) {
	unpacking.RLock()
	defer unpacking.RUnlock()
	if folder, err = os.MkdirTemp("", "fmu"); err != nil {
		return "", err
	}
	unpacked.Store(folder, nil)
	defer func() {
		if err != nil {
			remove(folder)
		}
	}()
	opened, err := archive.Open(fmu)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	if err := opened.Extract(folder, func(name string) bool { return strings.HasPrefix(name, "sources/") }); err != nil {
		return "", fmt.Errorf("%s: %w", fmu, err)
	}
	return folder, writeHeaders(filepath.Join(folder, standardHeaders))
}

// writeHeaders writes the headers of the standard into a new folder.
func writeHeaders(folder string) error {
	const from = "headers"
	list, err := check.Headers.ReadDir(from)
	if err == nil {
		err = os.Mkdir(folder, 0o755)
	}
	for _, header := range list {
		if err != nil {
			break
		}
		var text []byte
		if text, err = check.Headers.ReadFile(path.Join(from, header.Name())); err == nil {
			err = os.WriteFile(filepath.Join(folder, header.Name()), text, 0o600)
		}
	}
	return err
}

// standardHeaders is a folder beside the folder sources; no archive has it, because it is not unpacked.
const standardHeaders = "standard"

// memoryLimit begins a command whose processes get 4 GiB of memory at most, where the system has limits: a source file
// can include what never ends.
var memoryLimit = []string{"sh", "-c", `ulimit -v 4194304 2>/dev/null; exec "$@"`, "sh"}

// compile returns what the compiler says against a source file, empty if it takes the file.
func compile(limit context.Context, folder string, set *check.SourceSet, file string) (refused string, err error) {
	command := compilerOf(set, file)
	if command == nil {
		return "", nil
	}
	if runtime.GOOS != "windows" {
		command = slices.Concat(memoryLimit, command)
	}
	command = append(command, "-fsyntax-only", "-w", "-Isources")
	for _, include := range set.Include {
		if archive.CheckPath(include) == nil {
			command = append(command, "-I"+path.Join("sources", include))
		}
	}
	for _, definition := range set.Definitions {
		command = append(command, "-D"+definition)
	}
	command = append(command, "-I"+standardHeaders, path.Join("sources", file))
	said, err := runCompiler(limit, folder, command)
	failed := (*exec.ExitError)(nil)
	switch {
	case errors.As(err, &failed) && limit.Err() != nil:
		return fmt.Sprintf("sources/%s took the C compiler longer than %v, which all source files have", file, patience), nil
	case errors.As(err, &failed):
		return fmt.Sprintf("the C compiler refuses sources/%s: %s", file, firstError(said)), nil
	}
	return "", err
}

// runCompiler runs a command in a folder, in the group of processes that ends with this one.
func runCompiler(limit context.Context, folder string, command []string) (said []byte, err error) {
	c := exec.CommandContext(limit, command[0], command[1:]...)
	c.Dir, c.Env = folder, append(os.Environ(), "LC_ALL=C")
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	c.WaitDelay = time.Second
	separate(c)
	c.Cancel = func() error { endGroup(c.Process); return nil }
	unpacking.RLock()
	if loadingEnded.Load() {
		unpacking.RUnlock()
		return nil, ErrEnded
	}
	if err = c.Start(); err == nil {
		children.Store(c.Process, nil)
	}
	unpacking.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("cannot start the compiler: %w", err)
	}
	err = c.Wait()
	unpacking.RLock()
	children.Delete(c.Process)
	unpacking.RUnlock()
	if loadingEnded.Load() {
		err = ErrEnded
	}
	return output.Bytes(), err
}

var errorLine = regexp.MustCompile(`(?m)^.*\berror\b.*$`)

// firstError is the first line with an error in the output of a compiler.
func firstError(said []byte) string {
	line := errorLine.Find(said)
	if line == nil {
		line, _, _ = bytes.Cut(bytes.TrimSpace(said), []byte("\n"))
	}
	const most = 300
	text := strings.ToValidUTF8(string(line), "?")
	return strings.TrimSpace(text[:min(most, len(text))])
}
