package recording

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/tests/fuzzinputs"
)

// What is written is read, to the last bit, in rows of more than one group of the reader; in single precision rounded.
func TestRecordingsAreReadBack(t *testing.T) {
	r := waves(3001)
	r.Values[4][7] = -1
	r.Channels[1].Text, r.Channels[1].Role = "wave", "@chassis.z"
	for _, single := range []bool{false, true} {
		for _, name := range []string{"run.parquet", "run.CSV", "run.csv.gz"} {
			r.Single = single && name == "run.parquet"
			path := filepath.Join(t.TempDir(), name)
			var b bytes.Buffer
			if err := r.Write(path, &b); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Time) != len(r.Time) || len(got.Channels) != len(r.Channels) {
				t.Fatalf("%d rows of %d signals", len(got.Time), len(got.Channels))
			}
			for k, s := range r.Channels {
				if name == "run.parquet" && got.Channels[k] != s {
					t.Errorf("a channel is read as %+v, want %+v", got.Channels[k], s)
				}
				for i, x := range got.Column(s.Name) {
					want := r.Values[k][i]
					if r.Single {
						want = float64(float32(want))
					}
					if x != want || got.Time[i] != r.Time[i] {
						t.Fatalf("%s, %s in row %d: %.17g, want %.17g", name, s.Name, i, x, want)
					}
				}
			}
		}
	}
}

// parquetOf writes rows of a structure.
func parquetOf[T any](t *testing.T, rows []T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestParquetFilesWithoutRunsAreRejected(t *testing.T) {
	type number struct {
		Time float64 `parquet:"time"`
		X    float64 `parquet:"x"`
	}
	whole := parquetOf(t, []number{{0, 1}, {1, 2}})
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":       {nil, "is not a Parquet file"},
		"text":        {[]byte("time,x\n0,1\n"), "is not a Parquet file"},
		"half a file": {whole[:len(whole)/2], "is not a Parquet file"},
		"a footer of 4 GB": {slices.Concat(whole[:len(whole)-8], []byte("\xff\xff\xff\xffPAR1")),
			"its footer is longer than the file"},
		"no rows": {parquetOf(t, []number{}), "has no rows with a column time"},
		"no time": {parquetOf(t, []struct {
			X float64 `parquet:"x"`
		}{{1}}), "has no rows with a column time"},
		"a text": {parquetOf(t, []struct {
			Time float64 `parquet:"time"`
			X    string  `parquet:"x"`
		}{{1, "a"}}), "column x does not hold one number in each row"},
		"holes": {parquetOf(t, []struct {
			Time float64  `parquet:"time"`
			X    *float64 `parquet:"x"`
		}{{1, nil}}), "row 1, column x: has no value"},
		"lists": {parquetOf(t, []struct {
			Time float64   `parquet:"time"`
			X    []float64 `parquet:"x"`
		}{{1, []float64{1, 2}}}), "column x does not hold one number"},
		"nested": {parquetOf(t, []struct {
			Time float64 `parquet:"time"`
			X    struct {
				Y float64 `parquet:"y"`
			} `parquet:"x"`
		}{{}}), "column x.y does not hold one number"},
		"times of day": {parquetOf(t, []struct {
			Time float64   `parquet:"time"`
			X    time.Time `parquet:"x,timestamp"`
		}{{1, time.Unix(1, 0)}}), "column x does not hold one number"},
		"NaN":           {parquetOf(t, []number{{0, 1}, {1, math.NaN()}}), "row 2, column x: NaN is not a finite number"},
		"infinite time": {parquetOf(t, []number{{math.Inf(1), 1}}), "row 1, column time: +Inf is not a finite number"},
	} {
		path := filepath.Join(t.TempDir(), "run.parquet")
		if err := os.WriteFile(path, c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(path); got != nil || err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// Other programs write numbers as integers, and columns that may have holes.
func TestParquetFilesOfOtherPrograms(t *testing.T) {
	type row struct {
		Stamp int64    `parquet:"T"`
		Gear  int32    `parquet:"gear"`
		Count uint64   `parquet:"count"`
		Time  *float64 `parquet:"time"`
		X     *float32 `parquet:"x"`
	}
	first, second, x, y := 0.0, 0.5, float32(1.5), float32(-2)
	path := filepath.Join(t.TempDir(), "run.parquet")
	data := parquetOf(t, []row{{0, 1, 1 << 63, &first, &x}, {500, -1, 2, &second, &y}})
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"T": {0, 500}, "gear": {1, -1}, "count": {1 << 63, 2}, "x": {1.5, -2}} {
		if !slices.Equal(got.Column(name), want) || !slices.Equal(got.Time, []float64{0, 0.5}) {
			t.Errorf("%s: %v at %v", name, got.Column(name), got.Time)
		}
	}
}

// Files that are compressed by LZ4 are read. With any byte changed such files are read or rejected. Damaged pages are
// rejected before the Parquet library sees them: it would allocate memory for a damaged page until none is left.
func TestParquetFilesCompressedByLZ4(t *testing.T) {
	type row struct {
		Time float64  `parquet:"time"`
		X    *float64 `parquet:"x,dict"`
		N    int64    `parquet:"n"`
	}
	rows := make([]row, 60)
	for i := range rows {
		x := float64(i % 3)
		rows[i] = row{float64(i), &x, int64(i)}
	}
	for _, version := range []int{1, 2} {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, parquet.Compression(&parquet.Lz4Raw), parquet.DataPageVersion(version),
			parquet.PageBufferSize(200))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		r, err := readParquet(whole)
		if err != nil || len(r.Time) != len(rows) || r.Column("x")[59] != 2 || r.Column("n")[59] != 59 {
			t.Fatalf("version %d of pages: %v, error %v", version, r, err)
		}
		damaged := 0
		for at := range whole {
			for _, with := range []byte{0xff, 0x01, 0x80} {
				data := bytes.Clone(whole)
				data[at] ^= with
				r, err := readParquet(data)
				if (r == nil) == (err == nil) {
					t.Fatalf("byte %d: %v, %v", at, r, err)
				}
				if errors.Is(err, errDamaged) {
					damaged++
				}
			}
		}
		if damaged < 50 {
			t.Errorf("version %d of pages: %d pages are damaged in %d files", version, damaged, 3*len(whole))
		}
	}
}

// Any bytes give a run or an error.
func FuzzReadParquet(f *testing.F) {
	var b bytes.Buffer
	if err := waves(40).Write(".parquet", &b); err != nil {
		f.Fatal(err)
	}
	fuzzinputs.Add(f, b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := readParquet(data); (r == nil) == (err == nil) {
			t.Errorf("%v, %v", r, err)
		}
	})
}

// A run whose time goes back, or with two columns of one name, is refused with its file, row and column.
func TestRunsWithMistakesAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"time,a\n0,1\n1,2\n0.5,3\n": "row 3, column time: the time goes back from 1 to 0.5",
		"time,a,b,a\n0,1,2,3\n":     `line 1: columns 2 and 4 are both called "a"`,
	} {
		path := filepath.Join(t.TempDir(), "run.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), path+": "+says) ||
			strings.Contains(err.Error(), MayRead) {
			t.Errorf("%q: error %v, want %s", text, err, says)
		}
	}
}
