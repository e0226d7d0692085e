package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/bounded"
)

// zeros is a source of n zero bytes.
func zeros(n int64) io.Reader { return io.LimitReader(zero{}, n) }

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// bomb writes an archive of files of zeros, whose sizes are counted in MiB.
func bomb(t *testing.T, sizes map[string]int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bomb.fmu")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	w.RegisterCompressor(zip.Deflate,
		func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestSpeed) })
	for name, size := range sizes {
		to, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(to, zeros(size<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// allocated returns the bytes that a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The unpacked size of an archive is limited before anything is unpacked. Checking costs no memory, neither for a
// rejected archive nor for an archive that is written to a folder.
func TestBombsCostNothing(t *testing.T) {
	const least = 4 << 20 // of the readers
	many := bomb(t, map[string]int64{"resources/a": 600, "resources/b": 300, "modelDescription.xml": 200})
	took := allocated(func() {
		if a, err := Open(many); err == nil || !strings.Contains(err.Error(), "more than 1073741824 bytes (1 GiB)") ||
			!strings.Contains(err.Error(), many) {
			t.Errorf("%v, error %v", a, err)
		}
	})
	if took > least {
		t.Errorf("%d bytes for what is rejected", took)
	}
	within := bomb(t, map[string]int64{"resources/a": 64, "other/b": 64})
	folder := t.TempDir()
	took = allocated(func() {
		a, err := Open(within)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if err := a.Extract(folder, func(name string) bool { return name == "resources/a" }); err != nil {
			t.Error(err)
		}
		if _, err := a.Read("resources/a", bounded.Model); err == nil ||
			!strings.Contains(err.Error(), "a model file has at most 4 MiB") {
			t.Errorf("error %v", err)
		}
		if _, err := a.Description(); err != ErrNoDescription {
			t.Errorf("error %v", err)
		}
	})
	if info, err := os.Stat(filepath.Join(folder, "resources", "a")); err != nil ||
		info.Size() != 64<<20 || took > least {
		t.Errorf("%d bytes for one that is written, error %v", took, err)
	}
	a, err := Open(within)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Extract(folder, func(name string) bool { return name == "resources/a" }); err == nil ||
		!strings.Contains(err.Error(), `"resources/a": `) {
		t.Errorf("a file is written over another one, error %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "other")); !os.IsNotExist(err) {
		t.Errorf("a file that nobody wants is written: %v", err)
	}
}

// 1 GiB is the most that all entries may unpack to together.
func TestEntriesAreWeighedTogether(t *testing.T) {
	for _, c := range []struct {
		sizes []uint64
		taken bool
	}{
		{[]uint64{MaxUnpacked}, true}, {[]uint64{MaxUnpacked + 1}, false},
		{[]uint64{MaxUnpacked / 2, MaxUnpacked/2 - 1, 1}, true}, {[]uint64{MaxUnpacked / 2, MaxUnpacked / 2, 1}, false},
		{[]uint64{MaxUnpacked, 1<<32 - 2}, false},
	} {
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for i, size := range c.sizes { // none of it is there: the directory decides
			if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("resources/%d", i), ReaderVersion: 20,
				UncompressedSize64: size}); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		archive := bytes.NewReader(packed.Bytes())
		if _, err := NewReader(archive, archive.Size()); (err == nil) != c.taken {
			t.Errorf("entries of %v bytes: error %v", c.sizes, err)
		}
	}
}

// Sizes that are not true are noticed: larger ones before memory is taken for them, smaller ones when the file goes on.
func TestSizesOfEntriesAreChecked(t *testing.T) {
	var packed bytes.Buffer
	if err := Write(&packed, map[string][]byte{"a": bytes.Repeat([]byte("text "), 1000)}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	true64 := z.File[0].UncompressedSize64
	for _, size := range []uint64{0, true64 - 1, true64 + 1, 1 << 29} {
		f := *z.File[0]
		f.UncompressedSize64 = size
		took := allocated(func() {
			if content, err := Unpack(&f, bounded.FMU); err == nil {
				t.Errorf("%d bytes of %d that are told", len(content), size)
			}
		})
		if took > 1<<20 {
			t.Errorf("%d bytes for a size of %d that is not true", took, size)
		}
	}
	if content, err := Unpack(z.File[0], bounded.Kind{Name: "text", Bytes: int64(true64)}); err != nil ||
		len(content) != int(true64) {
		t.Errorf("%d bytes, error %v", len(content), err)
	}
	if _, err := Unpack(z.File[0], bounded.Kind{Name: "text", Bytes: int64(true64) - 1}); err == nil {
		t.Error("a file beyond its limit is unpacked")
	}
}

// Entries are counted before they cost memory, whatever the archive says of their number.
func TestEntriesAreCounted(t *testing.T) {
	archive := func(n int) *bytes.Reader {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := range n {
			if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("resources/%d", i),
				ReaderVersion: 20}); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		return bytes.NewReader(b.Bytes())
	}
	full := archive(MaxEntries)
	if a, err := NewReader(full, full.Size()); err != nil || len(a.Names()) != MaxEntries {
		t.Errorf("as many entries as may be: error %v", err)
	}
	over := archive(MaxEntries + 1)
	if _, err := NewReader(over, over.Size()); err == nil || !strings.Contains(err.Error(), "10001 entries") {
		t.Errorf("one more: error %v", err)
	}
	flood := archive(300_000)
	took := allocated(func() {
		if _, err := NewReader(flood, flood.Size()); err == nil ||
			!strings.Contains(err.Error(), "directory of the archive has more than 8388608 bytes") {
			t.Errorf("a flood of them: error %v", err)
		}
	})
	if took > 128<<20 {
		t.Errorf("%d MiB for a flood of entries", took>>20)
	}
}

// XML that nests, or has more elements or attributes than any FMU, is rejected at its line, before a parser sees it.
func TestXMLIsBounded(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("<a>", n) + strings.Repeat("</a>", n) }
	attributes := func(n int) string { return "<a" + strings.Repeat(" b='>='", n) + "/>" }
	elements := func(n int) string { return "<a>" + strings.Repeat("<b/>", n-1) + "</a>" }
	for name, c := range map[string]struct {
		text func(n int) string
		most int
	}{
		"elements within each other": {nested, maxDepth},
		"attributes of an element":   {attributes, maxAttributes},
		"elements":                   {elements, maxElements},
	} {
		if err := CheckXML([]byte("\n<?xml ?><!-- <<< -->" + c.text(c.most))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := CheckXML([]byte("\n<!-- <a b= c= > -->" + c.text(c.most+1))); err == nil ||
			!strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("one more of %s: error %v", name, err)
		}
	}
	deep := strings.Repeat("<a>", 2*maxDepth) + " b=" + strings.Repeat("=", 2*maxAttributes)
	for _, text := range []string{
		"<a>" + strings.Repeat("<b></b>", 2*maxDepth) + "</a>", strings.Repeat("<b/>", 2*maxDepth),
		"<a>=" + strings.Repeat("=", 2*maxAttributes) + "</a>",
		"<!-- > " + deep + "--><a/>", "<a><![CDATA[ > " + deep + "]]></a>", "<? > " + deep + "?><a/>",
		"<a b='" + deep + "' c=\"'" + deep + "\"/>",
	} {
		if err := CheckXML([]byte(text)); err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	for _, text := range []string{"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a/><!x>"} {
		if err := CheckXML([]byte(text)); err == nil || !strings.Contains(err.Error(), "DOCTYPE") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// readAll unpacks all files of an archive.
func readAll(data []byte) (map[string][]byte, error) {
	a, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range a.Names() {
		if files[name], err = a.Read(name, bounded.FMU); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func TestUnsafeArchivesAreRejected(t *testing.T) {
	theirs := []string{"C:/x", ".hidden", "ä"} // which a zip archive may have, and ours have not
	for _, name := range append([]string{"../x", "/x", "a/../../x", `a\b`, "a//b", "..", "a\x01", ""}, theirs...) {
		if err := Write(io.Discard, map[string][]byte{name: nil}); err == nil {
			t.Errorf("the name %q is written", name)
		}
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if _, err := w.Create(name); err != nil {
			continue
		}
		w.Close()
		if _, err := readAll(b.Bytes()); (err == nil) != (slices.Contains(theirs, name) && filepath.IsLocal(name)) {
			t.Errorf("the name %q: error %v", name, err)
		}
	}
	edit := func(h *zip.FileHeader, twice bool) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for range map[bool]int{true: 2, false: 1}[twice] {
			copied := *h
			f, err := w.CreateHeader(&copied)
			if err != nil {
				t.Fatal(err)
			}
			f.Write([]byte("x"))
		}
		w.Close()
		return b.Bytes()
	}
	raw := func(h *zip.FileHeader) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if _, err := w.CreateRaw(h); err != nil {
			t.Fatal(err)
		}
		w.Close()
		return b.Bytes()
	}
	link := &zip.FileHeader{Name: "link", Method: zip.Deflate}
	link.SetMode(os.ModeSymlink | 0o777)
	for what, data := range map[string][]byte{
		"a link": edit(link, false), "a name twice": edit(&zip.FileHeader{Name: "a", Method: zip.Deflate}, true),
		"no archive":           []byte("PK"),
		"an encrypted entry":   raw(&zip.FileHeader{Name: "a", ReaderVersion: 20, Flags: 1}),
		"an unknown method":    raw(&zip.FileHeader{Name: "a", Method: 12, ReaderVersion: 20}),
		"a folder that leaves": raw(&zip.FileHeader{Name: "../a/", ReaderVersion: 20, UncompressedSize64: 1}),
	} {
		if _, err := readAll(data); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// Entries that FMI forbids and that the directory describes in full are read, and CheckEntry names them: sizes behind
// stored entries, and versions that need zip64.
func TestForbiddenEntriesAreReadAndNamed(t *testing.T) {
	for _, h := range []zip.FileHeader{{Name: "a", Method: zip.Store}, {Name: "a", Method: zip.Store, ReaderVersion: 45}} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		content := []byte("content")
		var to io.Writer
		var err error
		if h.ReaderVersion == 0 {
			to, err = w.CreateHeader(&h) // with its size behind it
		} else {
			h.CRC32, h.CompressedSize64, h.UncompressedSize64 = crc32.ChecksumIEEE(content), 7, 7
			to, err = w.CreateRaw(&h)
		}
		if err == nil {
			_, err = to.Write(content)
		}
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		files, err := readAll(b.Bytes())
		if err != nil || string(files["a"]) != "content" {
			t.Errorf("%+v is read as %q, error %v", h, files, err)
		}
		entries, err := Entries(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || CheckEntry(entries[0]) == nil {
			t.Errorf("%+v: no fault, error %v", h, err)
		}
	}
}

// Whatever an archive is, it is refused, or all its names stay in their folder.
func FuzzReadArchive(f *testing.F) {
	var b bytes.Buffer
	Write(&b, map[string][]byte{"modelDescription.xml": []byte("<a/>"), "resources/x": []byte("x")})
	fuzzinputs.Add(f, b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := readAll(data)
		if err == nil {
			for name := range files {
				if !filepath.IsLocal(filepath.FromSlash(name)) {
					t.Errorf("%q leaves its folder", name)
				}
			}
		}
	})
}

// Tools write modelIdentifiers that are no identifiers of C, and writers of archives put the system into the upper byte
// of the version that an entry needs.
func TestWhatToolsWriteAndImportersRead(t *testing.T) {
	for _, c := range []struct {
		name                string
		identifier, library bool
	}{
		{"Car_2", true, true}, {"watertank-c", false, true}, {"20sim", false, true}, {"a.b", false, true},
		{"../a", false, false}, {".a", false, false}, {"a/b", false, false}, {`a\b`, false, false}, {"C:a", false, false},
		{"", false, false}, {strings.Repeat("a", 300), false, false}, {"a\x00", false, false},
	} {
		if got := CheckIdentifier(c.name) == nil; got != c.identifier {
			t.Errorf("%q is an identifier: %v", c.name, got)
		}
		if got := CheckLibraryName(c.name) == nil; got != c.library {
			t.Errorf("%q is the name of a library: %v", c.name, got)
		}
	}
	for version, allowed := range map[uint16]bool{10: true, 20: true, 3<<8 + 20: true, 45: false, 3<<8 + 45: false} {
		f := &zip.File{FileHeader: zip.FileHeader{Name: "a", ReaderVersion: version}}
		if err := CheckEntry(f); (err == nil) != allowed {
			t.Errorf("version %d: %v", version, err)
		}
	}
}
