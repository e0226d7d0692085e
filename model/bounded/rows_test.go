package bounded

import (
	"strings"
	"testing"
)

// Errors of files that are not CSV, and of tables with other separators than commas, name the format found.
func TestNonCSVFilesAreRejected(t *testing.T) {
	for text, want := range map[string]string{
		"TIME;YAW_RATE\n0,0;-5,3e-11\n": "line 1: the values are separated by semicolons; separate them by commas, and " +
			"write decimal points, not decimal commas",
		"\ufeff# made here\n\ntime\tx\n0\t1\n": "line 3: the values are separated by tabs",
		"0,5;1,5\n":                            "line 1: the values are separated by semicolons",
		"\xff\xfet\x00i\x00":                   "not a CSV in UTF-8: the file is in UTF-16",
		"t\x00i\x00m\x00e\x00":                 "not a CSV in UTF-8: the file is binary, or in UTF-16",
		"PAR1\x15\x04":                         "the file is a Parquet file",
		"\x1f\x8b\x08\x00":                     "the file is compressed by gzip",
		"MDF     4.10    ":                     "the file is an MDF file",
		"PK\x03\x04\x14\x00":                   "the file is a zip archive",
		"MATLAB 5.0 MAT-file":                  "the file is a MAT file of MATLAB",
		"time,x;y\n0,1\n":                      "",
		"time\n0\n":                            "",
		"time,\"a;b\"\n":                       "",
		"time,x\n0,1\n":                        "",
	} {
		rows := NewRows(strings.NewReader(text))
		rows.Comment = '#'
		fields, err := rows.Next()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %q", text, fields, err, want)
		}
	}
}
