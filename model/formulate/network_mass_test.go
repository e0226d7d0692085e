package formulate_test

import (
	"fmt"
	"math"
	"testing"
)

const oilMass = `name = "oil_mass"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s = 0.01 } }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "slide", stiffness = 2000 }
cylinder = { type = "cylinder", joint = "slide", head = "a", area = 2e-3 }
`

// The oil in a line on a cylinder has the mass L A^2, and its resistance damps with R A^2.
func TestOilInALineIsMass(t *testing.T) {
	const mass, stiffness, area, inertance, resistance = 3, 2000, 2e-3, 5e5, 1e6
	r := rideOf(t, oilMass+`line = { type = "line", from = "a", inertance = 5e5 }`)
	w := math.Sqrt(stiffness / (mass + inertance*area*area))
	v := r.values()
	expectNear(t, v["rate of slide.s_dot"], -w*w*0.01, 1e-13, "acceleration")
	expectNear(t, v["cylinder.head_pressure"], inertance*area*w*w*0.01, 1e-13, "pressure")
	expectNear(t, v["cylinder.force"], inertance*area*area*w*w*0.01, 1e-13, "force")
	if len(r.program.States) != 2 {
		t.Errorf("there are %d states, expected 2", len(r.program.States))
	}
	r.to(0.5, 5e-4)
	expectNear(t, r.values()["slide.s"], 0.01*math.Cos(w*0.5), 1e-9, "oscillation")
	expectNear(t, r.values()["line.flow"], 2e-3*0.01*w*math.Sin(w*0.5), 1e-8, "flow")

	r = rideOf(t, oilMass+`line = { type = "line", from = "a", inertance = 5e5, resistance = 1e6 }`)
	r.to(0.5, 5e-4)
	d := resistance * area * area / (2 * (mass + inertance*area*area))
	wd := math.Sqrt(w*w - d*d)
	expectNear(t, r.values()["slide.s"], 0.01*math.Exp(-d*0.5)*(math.Cos(wd*0.5)+d/wd*math.Sin(wd*0.5)), 1e-9, "damped")
}

// A cylinder between frames moves oil by a rate that depends on the position: the energy stays.
func TestOilMassOfALengthKeepsEnergy(t *testing.T) {
	r := rideOf(t, `name = "oil_mass"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s = -0.2, s_dot = 1 } }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
arm = { type = "rigid-arm", from = "ground", to = "anchor", translation = [0, 0.1, 0] }
cylinder = { type = "cylinder", frames = ["anchor", "mass"], head = "a", area = 2e-3 }
line = { type = "line", from = "a", inertance = 2e6 }
`)
	energy := func() float64 {
		v := r.values()
		s, speed := v["slide.s"], v["slide.s_dot"]
		expectNear(t, v["line.flow"], -2e-3*speed*s/math.Hypot(s, 0.1), 1e-12, "flow")
		return 3*speed*speed/2 + 2e6*math.Pow(v["line.flow"], 2)/2
	}
	first := energy()
	for k := range 4 {
		r.to(0.1*float64(k+1), 1e-4)
		expectNear(t, energy(), first, 1e-9, "energy")
	}
}

// Two cylinders and a pump on one line move its oil together: M has entries off the diagonal.
func TestOilOfSeveralSpeeds(t *testing.T) {
	v := rideOf(t, `name = "oil_mass"
gravity = [0, 0, 0]
[component]
one = { type = "prismatic", from = "ground", to = "first", axis = "x", start = { s = 0.1 } }
first = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "one", stiffness = 200 }
two = { type = "prismatic", from = "first", to = "second", axis = "x" }
second = { type = "rigid-body", mass = 2, inertia = { xx = 1, yy = 1, zz = 1 } }
turn = { type = "revolute", from = "ground", to = "rotor", axis = "z" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 0.01 } }
left = { type = "cylinder", joint = "one", head = "a", area = 2e-3 }
right = { type = "cylinder", joint = "two", head = "tank", rod = "a", area = 1e-3, rod_area = 1e-3 }
tank = { type = "pressure-source", to = "tank", pressure = 0 }
pump = { type = "pump", to = "a", joint = "turn", displacement = 3e-5 }
line = { type = "line", from = "a", inertance = 5e5 }
`).values()
	// q = -(a1 v1 - a2 v2 - d w), p = L q', and the equations of all three with the load -200*0.1 on the first
	const a1, a2, d, inertance = 2e-3, 1e-3, 3e-5, 5e5
	m := [3][3]float64{{5, 2, 0}, {2, 2, 0}, {0, 0, 0.01}}
	j := [3]float64{-a1, a2, d}
	for i := range m {
		for k := range m {
			m[i][k] += inertance * j[i] * j[k]
		}
	}
	want := solve3(m, [3]float64{-20, 0, 0})
	for i, name := range []string{"one.s_dot", "two.s_dot", "turn.omega"} {
		expectNear(t, v["rate of "+name], want[i], 1e-12, name)
	}
	expectNear(t, v["left.head_pressure"], inertance*(j[0]*want[0]+j[1]*want[1]+j[2]*want[2]), 1e-12, "pressure")
}

// solve3 solves three equations by Cramer's rule.
func solve3(m [3][3]float64, b [3]float64) (x [3]float64) {
	det := func(m [3][3]float64) float64 {
		return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) +
			m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
	}
	for k := range x {
		other := m
		for i := range b {
			other[i][k] = b[i]
		}
		x[k] = det(other) / det(m)
	}
	return x
}

// A line whose flow is a state beside a line that moves with a cylinder: p (1/L1 + 1/L2 + A^2/M) = pb/L2 - A F/M.
func TestOilMassBesideAState(t *testing.T) {
	for _, tree := range []string{"", "[[tree]]\nname = \"other\"\nforbid = [\"other.H1\"]\n",
		"[[tree]]\nname = \"other\"\nforbid = [\"line.H1\"]\n"} {
		v := rideOf(t, oilMass+`line = { type = "line", from = "a", inertance = 5e5 }
other = { type = "line", from = "a", to = "b", inertance = 2e5 }
b = { type = "pressure-source", to = "b", pressure = 1e6 }
`+tree).values()
		p := (1e6/2e5 + 2e-3*2000*0.01/3) / (1/5e5 + 1/2e5 + 4e-6/3.0)
		expectNear(t, v["cylinder.head_pressure"], p, 1e-12, "pressure "+tree)
		expectNear(t, v["rate of slide.s_dot"], (2e-3*p-20)/3, 1e-12, "acceleration "+tree)
		state := "other"
		if _, is := v["rate of line.flow"]; is {
			state = "line"
		}
		want := map[string]float64{"line": p / 5e5, "other": (p - 1e6) / 2e5}[state]
		expectNear(t, v["rate of "+state+".flow"], want, 1e-12, "rate "+tree)
	}
}

// Two cylinders with a line between them are a constraint of speeds; the line has resistance and mass.
func TestLockedCylindersOnALine(t *testing.T) {
	v := rideOf(t, `name = "locked"
gravity = [0, 0, 0]
[component]
one = { type = "prismatic", from = "ground", to = "first", axis = "x", reactions = true, start = { s_dot = 0.5 } }
first = { type = "rigid-body", mass = 2, inertia = { xx = 1, yy = 1, zz = 1 } }
two = { type = "prismatic", from = "ground", to = "second", axis = "y", reactions = true, start = { s_dot = -0.2 } }
second = { type = "rigid-body", mass = 5, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "one", stiffness = 1000, free_length = 0.1 }
left = { type = "cylinder", joint = "one", head = "a", area = "4 cm2" }
right = { type = "cylinder", joint = "two", head = "b", area = "10 cm2" }
line = { type = "line", from = "a", to = "b", resistance = 1e8, inertance = 2e6 }
`).values()
	const a1, a2, resistance, inertance = 4e-4, 10e-4, 1e8, 2e6
	mass := 2 + 5*math.Pow(a1/a2, 2) + inertance*a1*a1
	a := (100 - resistance*a1*a1*0.5) / mass
	expectNear(t, v["rate of one.s_dot"], a, 1e-12, "first")
	expectNear(t, v["rate of two.s_dot"], -a*a1/a2, 1e-12, "second")
	expectNear(t, v["right.head_pressure"], -5*a*a1/a2/a2, 1e-12, "pressure of the second")
	expectNear(t, v["left.head_pressure"], (2*a-100)/a1, 1e-12, "pressure of the first")
	for _, name := range []string{"one.Fx", "two.Fy"} {
		if math.Abs(v[name]) > 1e-10 {
			t.Errorf("%s is %g along the free axis", name, v[name])
		}
	}
}

// A driver that moves a cylinder moves its oil, too.
func TestDriverMovesOil(t *testing.T) {
	r := rideOf(t, `name = "driven"
gravity = [0, 0, 0]
[component]
slide = { type = "motion-driver", from = "ground", to = "mass", axis = "x", kind = "translation" }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
arm = { type = "rigid-arm", from = "ground", to = "anchor", translation = [-1, 0, 0] }
cylinder = { type = "cylinder", frames = ["anchor", "mass"], head = "a", area = 2e-3 }
line = { type = "line", from = "a", inertance = 5e5 }
shown = { type = "equations", inputs = [{ name = "force", unit = "N", from = "slide.force" }], outputs = [{ name = "force_out", unit = "N", value = "force" }] }
`)
	r.set("slide.rate", 0.4)
	r.set("slide.acceleration", 7)
	v := r.values()
	expectNear(t, v["cylinder.head_pressure"], -5e5*2e-3*7, 1e-12, "pressure")
	expectNear(t, v["shown.force_out"], 7*(3+5e5*4e-6), 1e-12, "force of the driver")
}

// Joints hold nothing along their free axes, whatever the oil does.
func TestOilMassInReactions(t *testing.T) {
	const arm = `arm = { type = "rigid-arm", from = "ground", to = "anchor", translation = [-1, 0, 0] }` + "\n"
	for ends, more := range map[string]string{`joint = "slide"`: "", `frames = ["anchor", "mass"]`: arm} {
		v := rideOf(t, fmt.Sprintf(`name = "oil_mass"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", reactions = true, start = { s = 0.01 } }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "slide", stiffness = 2000 }
cylinder = { type = "cylinder", %s, head = "a", area = 2e-3 }
line = { type = "line", from = "a", inertance = 5e5 }
`, ends)+more).values()
		expectNear(t, v["rate of slide.s_dot"], -4, 1e-12, "acceleration")
		if math.Abs(v["slide.Fx"]) > 1e-10 {
			t.Errorf("Fx is %g along the free axis", v["slide.Fx"])
		}
	}
}

// A long chain, which the engine would solve without M, has M where it moves oil.
func TestOilMassInALongChain(t *testing.T) {
	text, tail := "name = \"chain\"\n[component]\n", "ground"
	for k := range 17 {
		text += fmt.Sprintf(`j%d = { type = "revolute", from = %q, to = "b%[1]d", axis = "y", start = { phi = 0.1 } }
b%[1]d = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
a%[1]d = { type = "rigid-arm", from = "b%[1]d", to = "e%[1]d", translation = [1, 0, 0] }
`, k, tail)
		tail = fmt.Sprintf("e%d", k)
	}
	v := rideOf(t, text+fmt.Sprintf(`slide = { type = "prismatic", from = %q, to = "mass", axis = "x" }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
cylinder = { type = "cylinder", joint = "slide", head = "a", area = 2e-3 }
line = { type = "line", from = "a", inertance = 5e5 }
`, tail)).values()
	expectNear(t, v["cylinder.head_pressure"], -5e5*2e-3*v["rate of slide.s_dot"], 1e-12, "pressure")
	if v["rate of slide.s_dot"] == 0 {
		t.Error("the slide does not move")
	}
}
