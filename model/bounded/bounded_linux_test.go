package bounded

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"skidpad/harness/tests/testrun"
)

var small = Kind{"small file", 10}

func write(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file as large as allowed is read, one of a byte more is not, by either way.
func TestAFileIsReadUpToItsLimit(t *testing.T) {
	for _, content := range []string{"", "1", "123456789", "0123456789"} {
		path := write(t, content)
		data, err := small.Read(path)
		if err != nil || string(data) != content {
			t.Errorf("%q is read as %q, error %v", content, data, err)
		}
		f, err := small.Open(path)
		if err != nil || f.Size() != int64(len(content)) {
			t.Fatalf("%q: %v", content, err)
		}
		if data, err = io.ReadAll(f); err != nil || string(data) != content {
			t.Errorf("%q is read as %q, error %v", content, data, err)
		}
		if n, err := f.Read(make([]byte, 5)); n != 0 || err != io.EOF {
			t.Errorf("behind the end of %q there are %d bytes, error %v", content, n, err)
		}
		f.Close()
	}
	path := write(t, "01234567890")
	want := path + " has more than 10 bytes, the most that a small file may have; correct the path or make the file " +
		"smaller"
	if data, err := small.Read(path); err == nil || err.Error() != want {
		t.Errorf("%q, error %v, want %s", data, err, want)
	}
}

// The limit holds for bytes that come while the file is read, and for files that do not tell their size.
func TestTheLimitHoldsWhileReading(t *testing.T) {
	path := write(t, "0123456789")
	f, err := small.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	var data []byte
	for err == nil {
		var n int
		part := make([]byte, 3)
		n, err = f.Read(part)
		data = append(data, part[:n]...)
	}
	if len(data) > 10 || err == nil || !strings.Contains(err.Error(), "more than 10 bytes") {
		t.Errorf("%d bytes of a file that grows, error %v", len(data), err)
	}
	if n, err := f.Read(make([]byte, 100)); n != 0 || err == nil || errors.Is(err, io.EOF) {
		t.Errorf("reading on gives %d bytes, error %v", n, err)
	}
	if n, err := f.ReadAt(make([]byte, 4), 7); n != 0 || err == nil {
		t.Errorf("%d bytes across the limit, error %v", n, err)
	}
	if n, err := f.ReadAt(make([]byte, 4), 6); n != 4 || err != nil {
		t.Errorf("%d bytes below the limit, error %v", n, err)
	}
	const status = "/proc/self/status" // has no size
	if _, err := small.Read(status); err == nil || !strings.Contains(err.Error(), status) {
		t.Errorf("%s: %v", status, err)
	}
	data, err = (Kind{"process status", 1 << 20}).Read(status)
	if err != nil || !strings.HasPrefix(string(data), "Name:") {
		t.Errorf("%s: %q, %v", status, data, err)
	}
}

// Anything except a regular file is rejected at once, also behind a link. The error has its kind, name, limit and
// remedy.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := os.Symlink(at("pipe"), at("link")); err != nil {
		t.Fatal(err)
	}
	for path, is := range map[string]string{at("pipe"): "a pipe", at("link"): "a pipe", at("socket"): "a socket",
		folder: "a folder", "/dev/zero": "a device", "/dev/null": "a device"} {
		want := path + " is " + is +
			"; a small file must be a regular file of at most 10 bytes; copy the content into one, or correct the path"
		if _, err := small.Read(path); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := small.Read(at("none")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), at("none")) {
		t.Errorf("a file that is not there: %v", err)
	}
	// the file can change between stat and open: opening itself must not wait
	f, err := open(at("pipe"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || small.regular("pipe", info) == nil {
		t.Errorf("an open pipe counts as a regular file, error %v", err)
	}
}

// A large file of any size costs nothing.
func TestALargeFileIsNotRead(t *testing.T) {
	path := write(t, "")
	if err := os.Truncate(path, 3<<30); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Model.Read(path)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "more than 4 MiB, the most that a model file may have") {
		t.Errorf("3 GiB: %v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<16 {
		t.Errorf("%d bytes for a file that is rejected", took)
	}
}

func TestRowsHaveTheFieldsThatAreWritten(t *testing.T) {
	rows := NewRows(strings.NewReader("\ufefftime,\"a, b\",c\r\n\n1,\"2\",3\n# no comment here,,\n4,5"))
	for i, want := range []string{"time|a, b|c", "1|2|3", "# no comment here||"} {
		got, err := rows.Next()
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("row %d is %q, error %v, want %s", i, got, err, want)
		}
		if line, column := rows.Place(2); line != []int{1, 3, 4}[i] || column != []int{13, 7, 20}[i] {
			t.Errorf("the last field of %q begins at %d:%d", want, line, column)
		}
	}
	if _, err := rows.Next(); err == nil || !strings.Contains(err.Error(), "line 5 has 2 fields, the first row has 3") {
		t.Errorf("error %v", err)
	}
	commented := NewRows(strings.NewReader("# x\n1,2\n"))
	commented.Comment = '#'
	if got, err := commented.Next(); err != nil || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := commented.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	for text, want := range map[string]string{
		"a,\"b\n":                             "line 1: column",
		"a\"b,\"c\"\n":                        "line 1: column 2",
		"a\n" + strings.Repeat("x", 1<<20):    "line 2 has more than 1048576 bytes",
		"a\n" + strings.Repeat("x,\"", 1<<20): "line 2 has more than 1048576 bytes",
	} {
		rows := NewRows(strings.NewReader(text))
		var err error
		for err == nil {
			_, err = rows.Next()
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Rows of a table cost a few times their bytes, however many fields they have.
func TestRowsCostLittle(t *testing.T) {
	testrun.Slow(t)
	for name, row := range map[string]string{"many rows": "1\n", "many fields": strings.Repeat("1,", 1<<18) + "1\n",
		"quotes": strings.Repeat("\"\",", 1<<18) + "1\n"} {
		text := strings.Repeat(row, 8<<20/len(row))
		rows := NewRows(strings.NewReader(text))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var err error
		for err == nil {
			_, err = rows.Next()
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err != io.EOF || took > 64*uint64(len(text)) {
			t.Errorf("%s: %d bytes for %d, error %v", name, took, len(text), err)
		}
	}
}
