// Wheel packs the Python package of Skidpad around a shared library, the command and the shipped models, manoeuvres,
// tires and roads; it runs in the root of the repository:
//
//	go run ./capi/python/wheel VERSION LIBRARY COMMAND FOLDER
//	go run ./capi/python/wheel VERSION BINARIES FOLDER
//
// The library says for which system the wheel is, see platform. The second form packs skidpad-fmi, which puts the
// libraries of FMUs, a folder for each platform, beside the command. The bytes of a wheel depend on its files only.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"debug/pe"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/flate"
)

// source holds the package and its metadata, shelf what it carries, headers the interfaces of libraries that users write.
const (
	source  = "capi/python"
	shelf   = "resources"
	headers = "capi"
)

// carried are the folders of the shelf that users run or read: all but references and benchmarks.
func carried(folder string) bool { return folder != "references" && folder != "benchmarks" }

func main() {
	var name string
	var err error
	switch len(os.Args) {
	case 4:
		name, err = packFMI(os.DirFS(os.Args[2]), os.Args[1], os.Args[3])
	case 5:
		name, err = pack(os.DirFS(source), os.DirFS(shelf), os.DirFS(headers), os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	default:
		fmt.Fprintln(os.Stderr, "usage: wheel VERSION LIBRARY COMMAND FOLDER\n       wheel VERSION BINARIES FOLDER")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
	fmt.Println(name)
}

// pack writes the wheel into folder and returns its path.
func pack(sources, resources, interfaces fs.FS, version, library, command, folder string) (string, error) {
	content, err := os.ReadFile(library)
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(command)
	if err != nil {
		return "", err
	}
	system, err := platform(content)
	if err != nil {
		return "", fmt.Errorf("%s: %w", library, err)
	}
	programName := "skidpad/" + filepath.Base(command)
	files := map[string][]byte{"skidpad/" + filepath.Base(library): content, programName: program}
	if err := addResources(files, resources); err != nil {
		return "", err
	}
	for _, name := range []string{"skidpad.h", "skidpad_law.h", "skidpad_tire.h"} {
		if files["skidpad/include/"+name], err = fs.ReadFile(interfaces, name); err != nil {
			return "", err
		}
	}
	modules, err := fs.Glob(sources, "skidpad/*.py")
	if err != nil {
		return "", err
	}
	for _, name := range append(modules, "skidpad/py.typed") {
		if files[name], err = fs.ReadFile(sources, name); err != nil {
			return "", err
		}
		files[name] = withVersion(files[name], version)
	}
	metadata, err := fs.ReadFile(sources, "METADATA")
	if err != nil {
		return "", err
	}
	info := "skidpad-" + version + ".dist-info"
	files[info+"/entry_points.txt"] = []byte("[console_scripts]\nskidpad = skidpad.__main__:main\n")
	return finish(files, "skidpad", version, "py3-none-"+system, withVersion(metadata, version), programName, folder)
}

// packFMI writes the wheel with the libraries of FMUs into folder and returns its path.
func packFMI(binaries fs.FS, version, folder string) (string, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(binaries, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files["skidpad/fmi/"+path], err = fs.ReadFile(binaries, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", errors.New("there are no libraries of FMUs; build them first")
	}
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: skidpad-fmi\nVersion: %s\n"+
		"Summary: Libraries of FMUs, with which skidpad packs models\nRequires-Dist: skidpad==%[1]s\n", version)
	return finish(files, "skidpad_fmi", version, "py3-none-any", []byte(metadata), "", folder)
}

// finish adds what a wheel says of itself, and writes it into folder.
func finish(
	files map[string][]byte, distribution, version, tag string, metadata []byte, program, folder string,
) (string, error) {
	info := distribution + "-" + version + ".dist-info"
	files[info+"/METADATA"] = metadata
	files[info+"/WHEEL"] = []byte("Wheel-Version: 1.0\nGenerator: skidpad\nRoot-Is-Purelib: false\nTag: " + tag + "\n")
	files[info+"/RECORD"] = record(files, info+"/RECORD")
	packed, err := compress(files, program)
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, distribution+"-"+version+"-"+tag+".whl")
	return name, os.WriteFile(name, packed, 0o644)
}

// addResources adds the shipped files to the package.
func addResources(files map[string][]byte, resources fs.FS) error {
	return fs.WalkDir(resources, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && !carried(path):
			return fs.SkipDir
		case entry.Type().IsRegular():
			files["skidpad/resources/"+path], err = fs.ReadFile(resources, path)
		}
		return err
	})
}

// compress makes the archive. One file can be executed.
func compress(files map[string][]byte, program string) ([]byte, error) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	z.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression) // smaller than that of the standard library
	})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		if name == program {
			h.SetMode(0o755)
		}
		entry, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return packed.Bytes(), err
}

// withVersion fills in the version.
func withVersion(text []byte, version string) []byte {
	return bytes.ReplaceAll(text, []byte("@VERSION@"), []byte(version))
}

// record lists files with their hashes and sizes, and itself without.
func record(files map[string][]byte, self string) []byte {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		hash := sha256.Sum256(files[name])
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(hash[:]), len(files[name]))
	}
	fmt.Fprintf(&list, "%s,,\n", self)
	return []byte(list.String())
}

// platform returns the platform tag of a library: win_amd64, or on Linux the processor and
// the oldest glibc that has all symbols that the library asks for (PEP 600).
func platform(library []byte) (string, error) {
	if windows, err := pe.NewFile(bytes.NewReader(library)); err == nil {
		if windows.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
			return "", fmt.Errorf("a library of Windows for machine %#x; there are wheels for x86-64", windows.Machine)
		}
		return "win_amd64", nil
	}
	linux, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return "", fmt.Errorf("neither a library of Linux nor of Windows: %w", err)
	}
	processor := map[elf.Machine]string{elf.EM_X86_64: "x86_64", elf.EM_AARCH64: "aarch64"}[linux.Machine]
	if processor == "" {
		return "", fmt.Errorf("a library of Linux for %v; there are wheels for x86-64 and Arm64", linux.Machine)
	}
	needs, err := linux.DynamicVersionNeeds()
	if err != nil {
		return "", err
	}
	minor := 0
	for _, need := range needs {
		for _, version := range need.Needs {
			var m int
			if n, _ := fmt.Sscanf(version.Dep, "GLIBC_2.%d", &m); n == 1 {
				minor = max(minor, m)
			}
		}
	}
	if minor == 0 {
		return "", errors.New("it does not ask for glibc; there are wheels for Linux with glibc")
	}
	return fmt.Sprintf("manylinux_2_%d_%s", minor, processor), nil
}
