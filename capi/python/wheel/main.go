// Wheel packs the Python package of Skidpad around a shared library, the command and the shipped models, manoeuvres,
// tires and roads; it runs in the root of the repository:
//
//	go run ./capi/python/wheel skidpad VERSION FOLDER LICENCES LIBRARY COMMAND
//	go run ./capi/python/wheel fmi VERSION FOLDER LICENCES BINARIES
//
// The library determines the system of the wheel, see platform. The second form packs skidpad-fmi, which puts the
// libraries of FMUs, a folder for each platform in BINARIES, beside the command. LICENCES is a folder with the licences
// of the contents, "" for none. The bytes of a wheel depend on its files only.
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

// Folders: source has the package and its metadata, shelf the shipped files, headers the interfaces of user libraries.
const (
	source  = "capi/python"
	shelf   = "resources"
	headers = "capi"
)

// carried are the folders of the shelf that users run or read: all but references and benchmarks.
func carried(folder string) bool { return folder != "references" && folder != "benchmarks" }

func main() {
	args := os.Args[1:]
	if !(len(args) == 6 && args[0] == "skidpad" || len(args) == 5 && args[0] == "fmi") {
		fmt.Fprintln(os.Stderr, "usage: wheel skidpad VERSION FOLDER LICENCES LIBRARY COMMAND\n"+
			"       wheel fmi VERSION FOLDER LICENCES BINARIES")
		os.Exit(2)
	}
	w := wheel{version: args[1], folder: args[2]}
	if args[3] != "" {
		w.licences = os.DirFS(args[3])
	}
	var name string
	var err error
	if args[0] == "fmi" {
		name, err = w.packFMI(os.DirFS(args[4]))
	} else {
		name, err = w.pack(os.DirFS(source), os.DirFS(shelf), os.DirFS(headers), args[4], args[5])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
	fmt.Println(name)
}

// wheel is where wheels are written, and what all of them have.
type wheel struct {
	version, folder string
	licences        fs.FS // nil for none
}

// pack writes the wheel of the package and returns its path.
func (w *wheel) pack(sources, resources, interfaces fs.FS, library, command string) (string, error) {
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
	if err := addAll(files, "skidpad/resources/", resources, carried); err != nil {
		return "", err
	}
	for _, name := range []string{"skidpad.h", "skidpad_controller.h", "skidpad_law.h", "skidpad_tire.h"} {
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
		files[name] = withVersion(files[name], w.version)
	}
	metadata, err := fs.ReadFile(sources, "METADATA")
	if err != nil {
		return "", err
	}
	files["skidpad-"+w.version+".dist-info/entry_points.txt"] = []byte(
		"[console_scripts]\nskidpad = skidpad.__main__:main\n")
	return w.write(files, "skidpad", "py3-none-"+system, withVersion(metadata, w.version), programName)
}

// packFMI writes the wheel with the libraries of FMUs and returns its path.
func (w *wheel) packFMI(binaries fs.FS) (string, error) {
	files := map[string][]byte{}
	if err := addAll(files, "skidpad/fmi/", binaries, everything); err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", errors.New("there are no libraries of FMUs; build them first")
	}
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: skidpad-fmi\nVersion: %s\n"+
		"Summary: Libraries of FMUs, with which skidpad packs models\nRequires-Dist: skidpad==%[1]s\n", w.version)
	return w.write(files, "skidpad_fmi", "py3-none-any", []byte(metadata), "")
}

// write adds the metadata of a wheel, and writes the wheel into the folder. The program is executable.
func (w *wheel) write(
	files map[string][]byte, distribution, tag string, metadata []byte, program string,
) (string, error) {
	info := distribution + "-" + w.version + ".dist-info"
	if w.licences != nil {
		if err := addAll(files, info+"/licenses/", w.licences, everything); err != nil {
			return "", err
		}
	}
	files[info+"/METADATA"] = metadata
	files[info+"/WHEEL"] = []byte("Wheel-Version: 1.0\nGenerator: skidpad\nRoot-Is-Purelib: false\nTag: " + tag + "\n")
	files[info+"/RECORD"] = record(files, info+"/RECORD")
	packed, err := compress(files, program)
	if err != nil {
		return "", err
	}
	name := filepath.Join(w.folder, distribution+"-"+w.version+"-"+tag+".whl")
	return name, os.WriteFile(name, packed, 0o644)
}

// everything is carried.
func everything(string) bool { return true }

// addAll adds the files of a tree whose folders are carried, below a place in the wheel.
func addAll(files map[string][]byte, below string, tree fs.FS, carried func(folder string) bool) error {
	return fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && !carried(path):
			return fs.SkipDir
		case entry.Type().IsRegular():
			files[below+path], err = fs.ReadFile(tree, path)
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

// oldest is the minor version of the oldest glibc that is supported: no older one is tried.
const oldest = 28

// platform returns the platform tag of a library: win_amd64, or on Linux the processor and
// the oldest supported glibc that has all symbols that the library asks for (PEP 600).
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
	return fmt.Sprintf("manylinux_2_%d_%s", max(minor, oldest), processor), nil
}
