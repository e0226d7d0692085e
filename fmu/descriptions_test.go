package fmu_test

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/vehicle"
)

// Every variable of the shipped models says what it is: none has an empty description, and none is called a state or a
// parameter and nothing else. What has a direction says which, and different quantities of a component differ in words.
func TestEveryVariableIsDescribed(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d models, %v", len(files), err)
	}
	texts := map[string]string{}
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := cosim.New(m, cosim.Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range s.Variables() {
			if text := strings.TrimSpace(v.Text); text == "" || text == "state" || text == "derivative of" ||
				strings.HasPrefix(text, ":") {
				t.Errorf("%s: %s is described as %q", file, v.Name, v.Text)
			}
			if strings.HasSuffix(file, "generic4w.toml") || strings.HasSuffix(file, "disc.toml") {
				texts[v.Name] = v.Text
			}
		}
	}
	for name, says := range map[string]string{
		"body.vx":   "velocity of the centre of mass, body frame, x component",
		"body.wz":   "angular velocity, body frame, z component",
		"body.roll": "third of the 3-2-1 Euler angles", "wheel_FL.omega": "rate about the joint axis",
		"wheel.angle2": "second angle of the rotation sequence",
		"tire_FL.q1":   "delayed longitudinal slip", "body.mass": "mass",
		"body.inertia_xx": "moment of inertia about x", "gravity_z": "z component", "susp_FL.s_dot": "rate of s",
		"tire_FL.low_speed": "speed below which delayed slip is damped",
	} {
		if !strings.Contains(texts[name], says) {
			t.Errorf("%s is described as %q, want %q", name, texts[name], says)
		}
	}
}
