package library

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
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
	common  common
	two     *functions2
	three   *functions3
}

// LibraryPath is the FMU's library for this platform.
func (f *FMU) LibraryPath() string {
	return filepath.Join(f.Folder, filepath.FromSlash(f.libraryName()))
}

// libraryName is the library's name in the archive.
func (f *FMU) libraryName() string {
	return "binaries/" + platform(f.Version) + "/" + f.Identifier + librarySuffix()
}

// unpacked are the folders of the FMUs that are open; unpacking is locked while files are written and children start.
var (
	unpacked  sync.Map
	unpacking sync.RWMutex
)

// RemoveUnpacked ends all child processes, removes the files of all FMUs that are open, and lets none be opened any
// more: for a process that is ending.
func RemoveUnpacked() {
	unpacking.Lock()
	children.Range(func(child, _ any) bool {
		endGroup(child.(*os.Process))
		return true
	})
	unpacked.Range(func(folder, _ any) bool {
		os.RemoveAll(folder.(string))
		return true
	})
}

// OpenFMU unpacks an FMU into a new folder, without libraries of other platforms, and loads its library. A child
// process loads it first, so a library that ends its process becomes an error.
func OpenFMU(path string) (*FMU, error) {
	f, err := unpackFMU(path)
	if err != nil {
		return nil, err
	}
	if f.Interface == ScheduledExecution {
		f.Close()
		return nil, fmt.Errorf("%s: it is for scheduled execution alone; Skidpad runs co-simulation and model "+
			"exchange", path)
	}
	err = once(bounded.FMU, path, func() error {
		_, err := inChild(f.task("load FMU"))
		return err
	})
	if err == nil {
		err = f.load()
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// task is a task for a child process with the FMU.
func (f *FMU) task(kind string) task {
	return task{Kind: kind, Folder: f.Folder, Path: f.Path, Library: f.libraryName()}
}

// trials are the trials of files in child processes, by checksum.
var trials sync.Map

// trial of a file; others that open the same file wait for it.
type trial struct {
	sync.Mutex
	survived bool
}

// once calls try unless it has succeeded for a file with the same content: a manoeuvre opens an FMU for each of its
// runs.
func once(kind bounded.Kind, path string, try func() error) error {
	sum, err := checksum(kind, path)
	if err != nil {
		return err
	}
	known, _ := trials.LoadOrStore(sum, &trial{})
	t := known.(*trial)
	t.Lock()
	defer t.Unlock()
	if t.survived {
		return nil
	}
	err = try()
	t.survived = err == nil
	return err
}

func checksum(kind bounded.Kind, path string) (sum [sha256.Size]byte, err error) {
	file, err := kind.Open(path)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return [sha256.Size]byte(hash.Sum(nil)), err
}

// unpackFMU unpacks an FMU into a new folder and reads its description. It runs no code of the FMU.
func unpackFMU(path string) (*FMU, error) {
	unpacking.RLock()
	defer unpacking.RUnlock()
	folder, err := os.MkdirTemp("", "fmu")
	if err != nil {
		return nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	unpacked.Store(folder, nil)
	f, err := unpackInto(folder, path)
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

func unpackInto(folder, path string) (*FMU, error) {
	names, err := unpack(folder, path)
	if err != nil {
		return nil, err
	}
	f, err := readUnpacked(folder, path)
	if lacking := (*noLibrary)(nil); errors.As(err, &lacking) {
		lacking.fmu, lacking.has = path, otherLibraries(names)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// readUnpacked reads the description of an unpacked FMU.
func readUnpacked(folder, path string) (*FMU, error) {
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
	return f, f.checkLibrary()
}

// checkLibrary checks that the library is a file of the unpacked FMU.
func (f *FMU) checkLibrary() error {
	root, err := filepath.EvalSymlinks(f.Folder)
	if err != nil {
		return err
	}
	library, err := filepath.EvalSymlinks(f.LibraryPath())
	if err != nil {
		return &noLibrary{wanted: f.libraryName()}
	}
	if library != filepath.Join(root, filepath.FromSlash(f.libraryName())) {
		return fmt.Errorf("%s is a link to %s; the library must be a file of the FMU", f.libraryName(), library)
	}
	return nil
}

// noLibrary is the error of an FMU without a library for this platform.
type noLibrary struct {
	wanted string
	fmu    string   // its path
	has    []string // folders of libraries for other platforms, and of sources
}

// onlySources reports whether the FMU is meant to be compiled before it runs.
func (e *noLibrary) onlySources() bool { return len(e.has) == 1 && e.has[0] == "sources" }

func (e *noLibrary) Error() string {
	text := "it has no library for this platform, " + e.wanted + "; it has "
	switch {
	case len(e.has) == 0:
		return text + "no other"
	case slices.Contains(e.has, "sources"):
		return text + strings.Join(e.has, ", ") + ": compile the sources, for instance by \"fmpy compile " + e.fmu +
			"\", which adds the library to the FMU"
	}
	return text + strings.Join(e.has, ", ")
}

// otherLibraries are the folders of libraries and of sources among the names of an archive.
func otherLibraries(names []string) (has []string) {
	for _, name := range names {
		parts := strings.Split(name, "/")
		folder := "sources"
		switch {
		case parts[0] == "binaries" && len(parts) > 2:
			folder = "binaries/" + parts[1]
		case parts[0] != "sources":
			continue
		}
		if !slices.Contains(has, folder) {
			has = append(has, folder)
		}
	}
	slices.Sort(has)
	return has
}

// load loads the library into this process.
func (f *FMU) load() (err error) {
	if f.library, err = openLibrary(f.LibraryPath()); err != nil {
		return fmt.Errorf("cannot load %s: %w", f.libraryName(), err)
	}
	return f.bind()
}

// try loads the library and makes an instance, for what the library itself loads then. That there is none is no
// error here: the caller's own instantiation reports it with the caller's settings.
func (f *FMU) try(r *reporter) error {
	r.begin("loading the library")
	if err := f.load(); err != nil {
		return err
	}
	r.begin("instantiating the FMU")
	c, err := f.Instantiate("trial", f.Token)
	if err != nil {
		return nil
	}
	r.begin("freeing the instance")
	return c.Close()
}

// Close removes the unpacked files. The library stays loaded until the process ends.
func (f *FMU) Close() error {
	err := remove(f.Folder)
	if f.library != 0 && locksLoaded {
		return nil // its file stays, since a library in Go cannot be unloaded
	}
	return err
}

// unpack extracts the files of an archive, except for the libraries of other platforms, and returns the names of all.
func unpack(folder, path string) (names []string, err error) {
	opened, err := archive.Open(path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	err = opened.Extract(folder, func(name string) bool {
		rest, binary := strings.CutPrefix(name, "binaries/")
		of, _, _ := strings.Cut(rest, "/")
		return !binary || of == platform(2) || of == platform(3)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return opened.Names(), nil
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
		if c == '/' || c == ':' || c == '-' || c == '.' || c == '_' || c == '~' || c >= '0' && c <= '9' ||
			c|0x20 >= 'a' && c|0x20 <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// resourcePath is the resource path of FMI 3.0, with a separator at its end; nil where the FMU has no resources.
func (f *FMU) resourcePath() *byte {
	path := filepath.Join(f.Folder, "resources")
	if of, err := os.Stat(path); err != nil || !of.IsDir() {
		return nil
	}
	return &append([]byte(path), filepath.Separator, 0)[0]
}
