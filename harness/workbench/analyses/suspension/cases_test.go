package suspension

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/rig"
)

const cases = `[[case]]
name = "bump"
left = { pad = "9 kN", contact = [-1, 2, 3], centre = [4, 5, 6], moment = [7, 8, 9] }
right = { pad = 8000 }
[[case]]
name = "pothole"
rack = "5 mm"
left = { travel = "-30 mm" }
`

func TestCasesAreRead(t *testing.T) {
	list, err := ParseCases("cases.toml", []byte(cases))
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	want := rig.Given{ByPads: true, Pads: [2]float64{9000, 8000}, Loads: [2]rig.Load{
		{Contact: [3]float64{-1, 2, 3}, Centre: [3]float64{4, 5, 6}, Moment: [3]float64{7, 8, 9}}, {}}}
	if list[0].Name != "bump" || list[0].Given != want {
		t.Errorf("%+v", list[0])
	}
	if want = (rig.Given{Travel: [2]float64{-0.03, 0}, Rack: 0.005}); list[1].Given != want {
		t.Errorf("%+v", list[1])
	}
	for text, says := range map[string]string{
		"[[case]]\nname = \"a\"\nleft = { pad = 5 }\n":        "of both wheels",
		"[[case]]\nname = \"a\"\nleft = { contact = [1, 2] }": "contact",
		"[[case]]\nname = \"a\"\nleft = { pads = 5 }":         "pad",
		"[[case]]\nleft = { travel = \"5 kg\" }":              "name",
		"name = 3":                                            "case",
	} {
		if _, err := ParseCases("cases.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v does not say %q", text, err, says)
		}
	}
}

// The suspension and its springs carry the pad less the weight of the corner; the table has the digits of the state.
func TestForcesAreWritten(t *testing.T) {
	list, err := ParseCases("cases.toml", []byte(cases))
	if err != nil {
		t.Fatal(err)
	}
	r := passengerCar(t, Options{Options: rig.Options{Axle: 2}, Cases: list[:1]})
	var text, table bytes.Buffer
	if err := r.WriteForces(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.PrintForces(&table); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(rows) != len(r.Forced[0].Forces)+1 {
		t.Fatal(rows, err)
	}
	sum := 0.0
	for i, f := range r.Forced[0].Forces {
		row := rows[i+1]
		if strings.Contains(f.Component, "_F") {
			t.Errorf("%s is not on the rear axle", f.Component)
		}
		if row[1] != f.Component || f.Loads != (row[6] != "") || math.IsNaN(f.Tension) != (row[10] == "") {
			t.Errorf("%v of %+v", row, f)
		}
		if strings.HasSuffix(f.Component, "_RR") && f.Type == "spring-damper" {
			x, err := strconv.ParseFloat(row[10], 64)
			if err != nil || x != f.Tension {
				t.Errorf("%v of %+v", row, f)
			}
			sum += x
		}
		if f.Component == "susp_RR" && math.Abs(f.Force[2]+8000-31.9*9.81) > 1e-6 {
			t.Errorf("%+v", f)
		}
		if !strings.Contains(table.String(), f.Component) {
			t.Errorf("%s is not printed", f.Component)
		}
	}
	// the tables of the passenger car move the wheel aside, too: the springs bear a little more or less, and the bar
	if math.Abs(sum/(8000-31.9*9.81)-1) > 0.1 {
		t.Errorf("the springs of the right wheel have %v", sum)
	}
}
