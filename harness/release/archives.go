package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
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
)

// systems are the folders of staged files and what the systems are called in the names of archives.
var systems = map[string]string{
	"linux-amd64": "linux-x86_64", "linux-arm64": "linux-aarch64", "windows-amd64": "windows-x86_64",
}

// release says what is released.
type release struct {
	version, staged string
	date            time.Time // of all files
}

// file is one file of an archive.
type file struct {
	content []byte
	program bool
}

// addWheel adds the Python package of a folder to the products.
func (r *release) addWheel(products map[string][]byte, folder string) error {
	wheels, err := filepath.Glob(filepath.Join(folder, "*.whl"))
	if err == nil && len(wheels) != 1 {
		err = fmt.Errorf("%s has %d Python packages; there must be one", folder, len(wheels))
	}
	if err == nil {
		products[filepath.Base(wheels[0])], err = os.ReadFile(wheels[0])
	}
	return err
}

// write writes archives, Python packages and checksums into a folder that it makes.
func (r *release) write(folder string) error {
	products := map[string][]byte{}
	for _, system := range slices.Sorted(maps.Keys(systems)) {
		files, err := r.filesOf(system)
		if err != nil {
			return err
		}
		top := "skidpad-" + r.version + "-" + systems[system]
		name, pack := top+".tar.gz", r.tarball
		if strings.HasPrefix(system, "windows") {
			name, pack = top+".zip", r.zipped
		}
		var content bytes.Buffer
		if err := pack(&content, top, files); err != nil {
			return err
		}
		products[name] = content.Bytes()
		if err := r.addWheel(products, filepath.Join(r.staged, system)); err != nil {
			return err
		}
	}
	if err := r.addWheel(products, r.staged); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(products)) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(products[name]), name)
	}
	products["SHA256SUMS"] = []byte(sums.String())
	for _, name := range slices.Sorted(maps.Keys(products)) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, products[name], 0o644); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}

// filesOf are the files of the archive for a system, by their names in it. The Python package of the system has the
// same binaries.
func (r *release) filesOf(system string) (map[string]file, error) {
	files := map[string]file{}
	add := func(below string, tree string) error {
		return filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
			relative, wrong := filepath.Rel(tree, path)
			switch {
			case err != nil || wrong != nil:
				return errors.Join(err, wrong)
			case entry.IsDir() && below == "resources/" && (relative == "references" || relative == "benchmarks"):
				return fs.SkipDir // users neither run nor read them
			case !entry.Type().IsRegular() || filepath.Ext(path) == ".whl":
				return nil
			}
			content, err := os.ReadFile(path)
			if err == nil {
				err = checkSymbols(content)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			name := below + filepath.ToSlash(relative)
			files[name] = file{content, name == "skidpad" || name == "skidpad.exe"}
			return nil
		})
	}
	var faults []error
	for below, tree := range map[string]string{"": filepath.Join(r.staged, system), "fmi/": filepath.Join(r.staged, "fmi"),
		"licences/": filepath.Join(r.staged, "licences"), "resources/": "resources"} {
		faults = append(faults, add(below, tree))
	}
	for name, path := range map[string]string{"skidpad.h": "capi/skidpad.h", "skidpad_law.h": "capi/skidpad_law.h",
		"skidpad_controller.h": "capi/skidpad_controller.h", "skidpad_tire.h": "capi/skidpad_tire.h",
		"CITATION.cff": "CITATION.cff", "CHANGELOG.md": "CHANGELOG.md", "README.md": "harness/release/README.md"} {
		content, err := os.ReadFile(path)
		files[name] = file{content: content}
		faults = append(faults, err)
	}
	return files, errors.Join(faults...)
}

// tarball writes files in the order of their names, in one folder, with one owner and one date. The library of Linux
// has a second name, its soname.
func (r *release) tarball(to io.Writer, top string, files map[string]file) error {
	z, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: top + "/" + name, Size: int64(len(files[name].content)), Mode: 0o644, ModTime: r.date,
			Format: tar.FormatUSTAR}
		if files[name].program {
			h.Mode = 0o755
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(files[name].content); err != nil {
			return err
		}
		if name != "libskidpad.so" {
			continue
		}
		called, err := soname(files[name].content)
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: top + "/" + called, Linkname: name, Typeflag: tar.TypeSymlink, Mode: 0o777,
			ModTime: r.date, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// zipped writes files in the order of their names, in one folder and with one date.
func (r *release) zipped(to io.Writer, top string, files map[string]file) error {
	z := zip.NewWriter(to)
	z.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: top + "/" + name, Method: zip.Deflate, Modified: r.date}
		h.SetMode(0o644)
		entry, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(files[name].content); err != nil {
			return err
		}
	}
	return z.Close()
}
