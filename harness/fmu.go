package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"skidpad/fmu"
	"skidpad/tire/bounded"
)

// FMU is an unpacked FMU with its library loaded. Close it when done.
type FMU struct {
	*Description
	Path   string
	Folder string // where it is unpacked

	// Quiet instances log errors only. To log a contact that changes, an instance has to look
	// at it after every step.
	Quiet bool

	library uintptr
	two     *functions2
	three   *functions3
}

// LibraryPath is the FMU's library for this platform.
func (f *FMU) LibraryPath() string {
	return filepath.Join(f.Folder, "binaries", platform(f.Version), f.Identifier+librarySuffix())
}

// unpacked are the folders of the FMUs that are open; unpacking is locked while files are written.
var (
	unpacked  sync.Map
	unpacking sync.RWMutex
)

// RemoveUnpacked removes the files of all FMUs that are open, and lets none be opened any more: for a process that is
// ending.
func RemoveUnpacked() {
	unpacking.Lock()
	unpacked.Range(func(folder, _ any) bool {
		os.RemoveAll(folder.(string))
		return true
	})
}

// OpenFMU unpacks an FMU into a new folder, without libraries of other platforms, and loads its library.
func OpenFMU(path string) (*FMU, error) {
	unpacking.RLock()
	defer unpacking.RUnlock()
	folder, err := os.MkdirTemp("", "fmu")
	if err != nil {
		return nil, err
	}
	unpacked.Store(folder, nil)
	f, err := openIn(folder, path)
	if err != nil {
		remove(folder)
		return nil, err
	}
	return f, nil
}

func remove(folder string) error {
	unpacked.Delete(folder)
	return os.RemoveAll(folder)
}

// openIn unpacks an FMU into a folder and loads its library.
func openIn(folder, path string) (*FMU, error) {
	if err := unpack(folder, path); err != nil {
		return nil, err
	}
	f, err := load(folder, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// load loads the library of an FMU that is unpacked in a folder.
func load(folder, path string) (*FMU, error) {
	data, err := bounded.Description.Read(filepath.Join(folder, "modelDescription.xml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("it has no modelDescription.xml in its root")
	}
	if err != nil {
		return nil, err
	}
	description, err := ParseDescription(data)
	if err != nil {
		return nil, err
	}
	f := &FMU{Description: description, Path: path, Folder: folder}
	library := f.LibraryPath()
	if _, err := os.Stat(library); err != nil {
		return nil, fmt.Errorf("it has no library for this platform: binaries/%s/%s", platform(f.Version), filepath.Base(library))
	}
	if f.library, err = openLibrary(library); err != nil {
		return nil, err
	}
	if f.Version == 2 {
		f.two = &functions2{}
		err = bind(f.library, f.two.table())
	} else {
		f.three = &functions3{}
		err = bind(f.library, f.three.table())
	}
	return f, err
}

// Close removes the unpacked files. The library stays loaded until the process ends.
func (f *FMU) Close() error { return remove(f.Folder) }

// unpack extracts the files of an archive, but for the libraries of other platforms.
func unpack(folder, path string) error {
	archive, err := fmu.OpenArchive(path)
	if err != nil {
		return err
	}
	defer archive.Close()
	err = archive.Extract(folder, func(name string) bool {
		rest, binary := strings.CutPrefix(name, "binaries/")
		of, _, _ := strings.Cut(rest, "/")
		return !binary || of == platform(2) || of == platform(3)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// platform is the name of the binaries folder of this machine.
func platform(version int) string {
	architecture := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if version == 2 && architecture == "x86_64" {
		return map[string]string{"linux": "linux64", "windows": "win64", "darwin": "darwin64"}[runtime.GOOS]
	}
	return architecture + "-" + runtime.GOOS
}

func librarySuffix() string {
	switch runtime.GOOS {
	case "windows":
		return ".dll"
	case "darwin":
		return ".dylib"
	}
	return ".so"
}

// resourceURI is the resource location of FMI 2.0: a file URI with escapes.
func (f *FMU) resourceURI() string {
	path := filepath.ToSlash(filepath.Join(f.Folder, "resources"))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	var b strings.Builder
	b.WriteString("file://")
	for _, c := range []byte(path) {
		if c == '/' || c == ':' || c == '-' || c == '.' || c == '_' || c == '~' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// resourcePath is the resource path of FMI 3.0, with a separator at its end.
func (f *FMU) resourcePath() string {
	return filepath.Join(f.Folder, "resources") + string(filepath.Separator)
}
