package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Steps of C on terrain are bit-identical to steps of Go.
func TestCStepsOnTerrainEqualGoSteps(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("every step enters Go here")
	}
	host := built.Compiled(t, "ground", "gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I.",
		"testdata/ground.c", "-ldl")
	for i, c := range []struct{ model, texts string }{
		{"motorcycle3d", "kind=crg file=road.crg"}, // wheel contacts
		{"passenger_car", "kind=formula formula=0.02*sin(x)*cos(0.5*y)+0.003*sin(20*t) friction_kind=table " +
			"friction_file=friction.csv"},
		{"generic4w", "kind=grid file=heights.asc friction_kind=formula friction_formula=0.8+0.5*sin(3*x+y) " +
			"friction_left=0.7"},
		{"generic4w", "kind=plane slope_x=0.03 slope_y=-0.02 height=-0.02"},
		{"passenger_car", "kind=table file=heights.csv"},
		{"passenger_car", "friction_left=0.3 friction_right=0.9"},
		{"passenger_car", "kind=rdf file=mesh.rdf"},
		{"generic4w", "kind=rdf file=profile.rdf friction_left=0.7"},
		{"passenger_car", "kind=iso8608 class=A seed=5"},
		{"generic4w", "kind=iso8608 class=B"},
		{"passenger_car", "kind=crg file=road.crg friction_left=0.7"},
		{"generic4w", "kind=crg file=road.crg"},
		{"motorcycle2d", "kind=formula formula=0.05*sin(3*x)+0.03*sin(9*t)"},
		{"partial_vehicle3d", "kind=rdf file=mesh.rdf height=-0.2"},
		{"partial_vehicle2d", "kind=table file=heights.csv height=-0.1"},
	} {
		method := []string{"euler", "linearly-implicit", "rk4", "heun"}[i%4]
		if !testrun.All() && i > 2 {
			continue
		}
		file := built.Terrain(t, c.model)
		arguments := []string{built.Library(t), file, "solver.method=" + method}
		ground := "road."
		if strings.HasPrefix(c.model, "motorcycle") || strings.HasPrefix(c.model, "partial") {
			ground = "terrain."
		}
		for _, text := range strings.Fields(c.texts) {
			arguments = append(arguments, ground+text)
		}
		if said, err := exec.Command(host, arguments...).CombinedOutput(); err != nil {
			t.Errorf("%s, %s, %s: %v\n%s", c.model, c.texts, method, err, said)
		}
		testPlanned(t, file, arguments[2:])
	}
}

// testPlanned fails unless C can make the next step of a vehicle.
func testPlanned(t *testing.T, file string, texts []string) {
	t.Helper()
	var handle uintptr
	if s := load(c(file), nil, nil, &handle, nil, 0); s != statusOK {
		t.Fatalf("load = %d", s)
	}
	defer free(handle)
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		if setText(handle, c(name), c(value)) == statusOK {
			continue
		}
		var x float64
		if _, err := fmt.Sscan(value, &x); err != nil {
			t.Fatal(err)
		}
		var reference uint32
		if find(handle, c(name), &reference) != statusOK || set(handle, &reference, 1, &x) != statusOK {
			t.Fatal(errorText(handle))
		}
	}
	if initialise(handle) != statusOK || step(handle, 0.001) != statusOK {
		t.Fatal(errorText(handle))
	}
	if v := vehicles.find(handle); v.slot.window == nil || v.own.plan.c.ready == 0 {
		t.Errorf("%s: every step enters Go", texts)
	}
}
