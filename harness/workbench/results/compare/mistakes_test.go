package compare

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Two columns of one name and a time that goes back are refused with file, column and row.
func TestTablesWithMistakesAreRefused(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var back bytes.Buffer
	type row struct {
		Time float64 `parquet:"time"`
		Yaw  float64 `parquet:"yaw"`
	}
	if err := parquet.Write(&back, []row{{0, 1}, {2, 1}, {1, 1}}); err != nil {
		t.Fatal(err)
	}
	good := write("good.csv", "time,yaw\n0,1\n1,2\n1,3\n2,4\n") // an event has two rows at one time
	const corridor = `title = "x"
[[corridor]]
x = "time"
y = "yaw"
y_offset = 10
`
	for _, c := range []struct{ file, text, by, says string }{
		{"same.csv", "time,yaw\n0,1\n1,2\n1,3\n2,4\n", corridor, ""},
		{"twice.csv", "time,yaw,z, yaw\n0,1,2,3\n1,2,3,4\n", corridor,
			`columns 2 and 4 are both called "yaw"; rename one of them, or remove it`},
		{"times.csv", "time,yaw,time\n0,1,2\n1,2,3\n", corridor, `columns 1 and 3 are both called "time"`},
		{"back.csv", "time,yaw\n0,1\n0.2,2\n0.1,3\n", corridor,
			"row 3, column time: the time goes back from 0.2 to 0.1; sort the rows by time, or keep one run"},
		{"back.parquet", back.String(), corridor, "row 3, column time: the time goes back from 2 to 1"},
		{"mapped.csv", "T,yaw\n0,1\n200,2\n100,3\n", "[column]\ntime = { name = \"T\", gain = 1e-3 }\n",
			"row 3, column T: the time goes back from 0.2 to 0.1"},
	} {
		path := write(c.file, c.text)
		text := c.by
		if c.by != corridor {
			text = strings.Replace(corridor, "[[", c.by+"[[", 1)
		}
		by, err := ParseSpec("by.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		both := [][2]string{{good, path}, {path, good}}
		if c.by != corridor { // of the reference alone
			both = both[:1]
		}
		for _, files := range both {
			_, err = by.Compare(files[0], files[1])
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), path+": ") ||
				err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s and %s: error %v, want %q", files[0], files[1], err, c.says)
			}
		}
	}
}
