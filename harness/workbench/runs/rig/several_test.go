package rig

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Several tires: their forces equal the printed equations (Morency 2007, 3.31 to 3.37, corrected) and the forces of
// each tire alone, and each plot has the curves of all tires.
func TestSeveralTires(t *testing.T) {
	l := builtLibrary(t)
	plan := Standard(5900)
	plan.Loads, plan.Points = []float64{3000, 5900}, 13
	plan.Angle, plan.Slip = 0.3, 0.3 // every 0.05
	var all Several
	for _, name := range []string{"Fiala", "Pacejka02"} {
		file, err := filepath.Abs(map[string]string{"Fiala": "../../../../resources/tires/fiala_generic4w.toml",
			"Pacejka02": "../../../../resources/tires/pacejka2002.toml"}[name])
		if err != nil {
			t.Fatal(err)
		}
		m, err := Measure(l, Tire{Model: name, File: file, Radius: 0.355, Stiffness: 3.04e5}, plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Named{name, m})
	}
	along, across := all[0].of(slip)[1], all[0].of(slipAngle)[1] // at 5900 N
	near(t, "slip", along.States[7].Kappa, 0.05, 1e-12)
	near(t, "Fx", along.Forces[7].Fx, 4828.840, 2e-7)
	near(t, "slip angle", across.States[7].Alpha, 0.05, 1e-12)
	near(t, "Fy", across.Forces[7].Fy, -4354.378, 2e-7)
	near(t, "Mz", across.Forces[7].Mz, 115.1124, 5e-7)

	plots := all.Plots()
	for name, p := range plots {
		var labels []string
		curves, lines := 0, 0
		for _, tire := range all {
			if own := tire.Plots()[name]; own != nil {
				lines += len(own.Lines)
				for _, c := range own.Curves {
					labels = append(labels, tire.Name+", "+c.Label)
					if got := p.Curves[curves]; got.X[0] != c.X[0] || got.Y[len(c.Y)/2] != c.Y[len(c.Y)/2] {
						t.Errorf("%s: curve %d is not that of %s", name, curves, tire.Name)
					}
					curves++
				}
			}
		}
		if len(p.Lines) != lines || strings.HasPrefix(name, "carpet") != (lines > 0) {
			t.Errorf("%s has %d lines of equal slip angles, both tires have %d", name, len(p.Lines), lines)
		}
		if len(p.Curves) != curves {
			t.Errorf("%s has %d curves, want %v", name, len(p.Curves), labels)
			continue
		}
		for i, c := range p.Curves {
			if c.Label != labels[i] {
				t.Errorf("%s: curve %d is %q, want %q", name, i, c.Label, labels[i])
			}
		}
	}
	if p := plots["fy_alpha"]; p == nil || len(p.Curves) != 4 {
		t.Error("no plot has both tires")
	}

	var table, single, data bytes.Buffer
	if err := all.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	for _, tire := range all {
		single.Reset()
		if err := tire.WriteTable(&single); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(table.String(), tire.Name+"\n"+single.String()) {
			t.Errorf("the table of %s is not below its name:\n%s", tire.Name, table.String())
		}
	}
	if err := all.WriteJSON(&data); err != nil {
		t.Fatal(err)
	}
	var list []struct{ Model, File string }
	if err := json.Unmarshal(data.Bytes(), &list); err != nil || len(list) != 2 || list[1].Model != "Pacejka02" {
		t.Errorf("%v: %s", err, data.String())
	}
	folder := t.TempDir()
	if err := all.WriteFolder(folder); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"points_Fiala.csv", "points_Pacejka02.csv", "report.html", "fy_alpha.svg"} {
		if info, err := os.Stat(filepath.Join(folder, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	points := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, "points_"+name+".csv"))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if points("Fiala") == points("Pacejka02") {
		t.Error("both tires have the same points")
	}
	page, err := os.ReadFile(filepath.Join(folder, "report.html"))
	for _, tire := range all {
		if stiffness := ">" + formatFigure(tire.Merit[1].Cornering/1e3) + "<"; !strings.Contains(string(page), stiffness) {
			t.Errorf("the report lacks %s, the cornering stiffness of %s", stiffness, tire.Name)
		}
	}
	if err != nil || !strings.Contains(string(page), ">Fiala<") || !strings.Contains(string(page), "Pacejka02, 5900 N") {
		t.Errorf("the report lacks a tire: %v", err)
	}
}
