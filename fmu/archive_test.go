package fmu

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

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
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestSpeed) })
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

// What an archive unpacks to is bounded before anything of it is unpacked, and costs no memory: neither when it is
// rejected, nor when it is written to a folder.
func TestBombsCostNothing(t *testing.T) {
	const least = 4 << 20 // of the readers
	many := bomb(t, map[string]int64{"resources/a": 600, "resources/b": 300, "modelDescription.xml": 200})
	took := allocated(func() {
		if a, err := OpenArchive(many); err == nil || !strings.Contains(err.Error(), "more than 1073741824 bytes (1 GiB)") || !strings.Contains(err.Error(), many) {
			t.Errorf("%v, error %v", a, err)
		}
		if _, err := Check(many); err == nil || !strings.Contains(err.Error(), `"modelDescription.xml" unpacks to 209715200 bytes; a modelDescription.xml has at most 64 MiB`) {
			t.Errorf("error %v", err)
		}
	})
	if took > least {
		t.Errorf("%d bytes for what is rejected", took)
	}
	within := bomb(t, map[string]int64{"resources/a": 64, "other/b": 64})
	folder := t.TempDir()
	took = allocated(func() {
		a, err := OpenArchive(within)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if err := a.Extract(folder, func(name string) bool { return name == "resources/a" }); err != nil {
			t.Error(err)
		}
		if _, err := a.Read("resources/a", bounded.Model); err == nil || !strings.Contains(err.Error(), "a model file has at most 4 MiB") {
			t.Errorf("error %v", err)
		}
		if _, err := a.Description(); err != errNoDescription {
			t.Errorf("error %v", err)
		}
	})
	if info, err := os.Stat(filepath.Join(folder, "resources", "a")); err != nil || info.Size() != 64<<20 || took > least {
		t.Errorf("%d bytes for one that is written, error %v", took, err)
	}
	a, err := OpenArchive(within)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Extract(folder, func(name string) bool { return name == "resources/a" }); err == nil || !strings.Contains(err.Error(), `"resources/a": `) {
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
		{[]uint64{maxUnpacked}, true}, {[]uint64{maxUnpacked + 1}, false},
		{[]uint64{maxUnpacked / 2, maxUnpacked/2 - 1, 1}, true}, {[]uint64{maxUnpacked / 2, maxUnpacked / 2, 1}, false},
		{[]uint64{maxUnpacked, 1<<32 - 2}, false},
	} {
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for i, size := range c.sizes { // none of it is there: the directory decides
			if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("resources/%d", i), ReaderVersion: 20, UncompressedSize64: size}); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		archive := bytes.NewReader(packed.Bytes())
		if _, err := NewArchive(archive, archive.Size()); (err == nil) != c.taken {
			t.Errorf("entries of %v bytes: error %v", c.sizes, err)
		}
	}
}

// Sizes that are not true are noticed: larger ones before memory is taken for them, smaller ones when the file goes on.
func TestSizesOfEntriesAreChecked(t *testing.T) {
	var packed bytes.Buffer
	if err := WriteArchive(&packed, map[string][]byte{"a": bytes.Repeat([]byte("text "), 1000)}); err != nil {
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
			if content, err := unpacked(&f, bounded.FMU); err == nil {
				t.Errorf("%d bytes of %d that are told", len(content), size)
			}
		})
		if took > 1<<20 {
			t.Errorf("%d bytes for a size of %d that is not true", took, size)
		}
	}
	if content, err := unpacked(z.File[0], bounded.Kind{Name: "text", Bytes: int64(true64)}); err != nil || len(content) != int(true64) {
		t.Errorf("%d bytes, error %v", len(content), err)
	}
	if _, err := unpacked(z.File[0], bounded.Kind{Name: "text", Bytes: int64(true64) - 1}); err == nil {
		t.Error("a file beyond its limit is unpacked")
	}
}

// Entries are counted before they cost memory, whatever the archive says of their number.
func TestEntriesAreCounted(t *testing.T) {
	archive := func(n int) *bytes.Reader {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := range n {
			if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("resources/%d", i), ReaderVersion: 20}); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		return bytes.NewReader(b.Bytes())
	}
	full := archive(maxEntries)
	if a, err := NewArchive(full, full.Size()); err != nil || len(a.Names()) != maxEntries {
		t.Errorf("as many entries as may be: error %v", err)
	}
	over := archive(maxEntries + 1)
	if _, err := NewArchive(over, over.Size()); err == nil || !strings.Contains(err.Error(), "10001 entries") {
		t.Errorf("one more: error %v", err)
	}
	flood := archive(300_000)
	took := allocated(func() {
		if _, err := NewArchive(flood, flood.Size()); err == nil || !strings.Contains(err.Error(), "directory of the archive has more than 8388608 bytes") {
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
	}{"elements within each other": {nested, maxDepth}, "attributes of an element": {attributes, maxAttributes}, "elements": {elements, maxElements}} {
		if err := CheckXML([]byte("\n<?xml ?><!-- <<< -->" + c.text(c.most))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := CheckXML([]byte("\n<!-- <a b= c= > -->" + c.text(c.most+1))); err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("one more of %s: error %v", name, err)
		}
	}
	deep := strings.Repeat("<a>", 2*maxDepth) + " b=" + strings.Repeat("=", 2*maxAttributes)
	for _, text := range []string{
		"<a>" + strings.Repeat("<b></b>", 2*maxDepth) + "</a>", strings.Repeat("<b/>", 2*maxDepth), "<a>=" + strings.Repeat("=", 2*maxAttributes) + "</a>",
		"<!-- > " + deep + "--><a/>", "<a><![CDATA[ > " + deep + "]]></a>", "<? > " + deep + "?><a/>", "<a b='" + deep + "' c=\"'" + deep + "\"/>",
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
	const size = 2 << 20
	for _, part := range []string{"<a>", "<a/>", "<a b=''/>", "</a>", "<", ">", "<!--", "<?", "<![CDATA[", "<a ", "b='' ", "'", "&amp;", "<a b='", "\x00"} {
		for _, before := range []string{"", "<r>", "<r ", "<r a='"} {
			text := []byte(before + strings.Repeat(part, size/len(part)))
			if took := allocated(func() { parseElement(text) }); took > 100*size {
				t.Errorf("%q and %q: %d MiB", before, part, took>>20)
			}
		}
	}
}
