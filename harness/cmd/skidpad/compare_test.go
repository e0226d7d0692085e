package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With --iso, a measured run within the tolerances passes, and one outside of them fails; the shipped tolerances are
// printed and can be given back, and their page is written.
func TestValidationOfASimulation(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	const slope = 0.15 // rad of the steering wheel for 1 m/s2
	table := func(heading string, wheel float64) string {
		for i := range 101 {
			a := 0.05 * float64(i) // m/s2
			heading += fmt.Sprintf("\n%g,%g,%g,20", a/0.1, wheel*a, a)
		}
		return heading + "\n"
	}
	rows := strings.Split(strings.TrimSpace(table("", slope)), "\n")
	runs, inputs := "time,b.ay,b.az,b.roll,b.vx", "time,s.angle"
	for _, row := range rows {
		c := strings.Split(row, ",")
		runs += "\n" + c[0] + "," + c[2] + ",0,0," + c[3]
		inputs += "\n" + c[0] + "," + c[1]
	}
	write("run_1.csv", runs)
	write("inputs_1.csv", inputs)
	write("figures.json", `{"kind": "steady-circle-speed", "options": {"wheelbase": 2.8, "local": 1, "read_at": 3,
"regression_from": 1, "regression_to": 4}, "signals": {"body": "b", "steering": "s.angle", "steering_factor": 1},
"runs": [{"varied": {}, "verdict": "", "phases": [{"Name": "ramp", "Begin": 0, "End": 50}], "figures": []}]}`)
	like := write("like.csv", table("time,steering_wheel,a_y,speed", 1.02*slope))
	unlike := write("unlike.csv", table("time,steering_wheel,a_y,speed", 1.5*slope))

	status, tolerances, stderr := try("compare", "--iso", "19364", "--tolerances")
	if status != good || !strings.Contains(tolerances, `source = "default of Skidpad"`) {
		t.Fatalf("status %d, %s%s", status, tolerances, stderr)
	}
	by := write("by.toml", tolerances)
	page := at("page.html")
	for file, want := range map[string]int{like: good, unlike: failed} {
		status, stdout, stderr := try("compare", "--iso", "19364", folder, file, "--by", by, "--out", page)
		html, err := os.ReadFile(page)
		if status != want || err != nil || !strings.Contains(stdout, "steering_wheel over a_y") ||
			strings.Contains(stdout, "OUTSIDE") != (want == failed) || !strings.Contains(string(html), "after ISO 19364") {
			t.Errorf("%s: status %d, want %d: %v\n%s%s", file, status, want, err, stdout, stderr)
		}
	}
	status, stdout, _ := try("compare", "--iso", "19364", folder, unlike, "--json")
	if status != failed || !strings.Contains(stdout, `"inside_with_scatter"`) {
		t.Errorf("status %d, %s", status, stdout)
	}
	for line, says := range map[string]string{
		"--iso 1 a b":                        "there are 19364, 19365, 22140",
		"--iso 19364 a":                      "with --iso there are two or more",
		"--tolerances":                       "there are 19364, 19365, 22140",
		"--iso 19364 --tolerances a":         "prints a file and compares nothing",
		"--iso 19364 a b --measured c":       "--iso",
		"--iso 19365 " + folder + " " + like: "this standard is about sine-with-dwell",
	} {
		status, stdout, stderr := try(append([]string{"compare"}, strings.Fields(line)...)...)
		if status == good || stdout != "" || !strings.Contains(stderr, says) {
			t.Errorf("compare %s: status %d, %s%s\nwant %s", line, status, stdout, stderr, says)
		}
	}
}
