package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var pathStep = regexp.MustCompile(`([MLl])(-?[0-9]*\.?[0-9]+),?(-?[0-9]*\.?[0-9]+)`)

// pathPoints are the points of a path of lines.
func pathPoints(t *testing.T, path string) (list [][2]float64) {
	t.Helper()
	var at [2]float64
	for _, m := range pathStep.FindAllStringSubmatch(path, -1) {
		for k := range at {
			v, err := strconv.ParseFloat(m[k+2], 64)
			if err != nil {
				t.Fatal(err)
			}
			if m[1] == "l" {
				v += at[k]
			}
			at[k] = v
		}
		list = append(list, at)
	}
	if rest := pathStep.ReplaceAllString(path, ""); rest != "" {
		t.Errorf("a path has %.100q beside its points", rest)
	}
	return list
}

// Points of short paths are the points of the path, to half of a hundredth, also at the end of long paths.
func TestShortPathsKeepTheirPoints(t *testing.T) {
	for path, want := range map[string]string{
		` d="M34.775,18.992L34.775,26.992"`:                    ` d="M34.78,18.99l0,8"`,
		` d="M0.004,-0.006L-1.2049,30L-1.1,-2.05"`:             ` d="M0-.01l-1.2,30.01l.1-32.05"`,
		` d="M1,1L1.004,1L1.008,1L1.012,1M5,5L4,5.5"`:          ` d="M1,1l0,0l.01,0l0,0M5,5l-1,.5"`,
		` d="M1,1C1,2,3,4,5,6"`:                                ` d="M1,1C1,2,3,4,5,6"`,
		` d="M1,1A2,2 0 1 1 3,3Z"`:                             ` d="M1,1A2,2 0 1 1 3,3Z"`,
		`<path d="M9,9L9.1,9" style="stroke-dasharray:6,2" />`: `<path d="M9,9l.1,0" style="stroke-dasharray:6,2" />`,
	} {
		if got := string(lines.ReplaceAllFunc([]byte(path), short)); got != want {
			t.Errorf("%s becomes %s, not %s", path, got, want)
		}
	}
	long, body := []byte(` d="M10.004,10.004`), strings.Builder{}
	for i := range 2000 {
		at := float64(i) / 7
		long = append(long, 'L')
		long = strconv.AppendFloat(long, 10.004+at, 'f', 3, 64)
		long = append(long, ',')
		long = strconv.AppendFloat(long, 200*math.Sin(at), 'f', 3, 64)
	}
	long = append(long, '"')
	body.Write(short(long))
	before, after := pathPoints(t, string(long[4:len(long)-1])), pathPoints(t, body.String()[4:body.Len()-1])
	if len(before) != 2001 || len(after) != len(before) || body.Len() > 3*len(long)/4 {
		t.Fatalf("%d points become %d, %d letters %d", len(before), len(after), len(long), body.Len())
	}
	for i := range before {
		if math.Abs(before[i][0]-after[i][0]) > 0.00501 || math.Abs(before[i][1]-after[i][1]) > 0.00501 {
			t.Fatalf("point %d, %v, becomes %v", i, before[i], after[i])
		}
	}
}
