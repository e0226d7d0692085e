package grip

import (
	"errors"
	"math"
	"strings"
	"testing"

	"skidpad/model/document"
	"skidpad/model/roles"
)

// block is a rigid car on four springs without mass, with tires whose friction falls with the load.
type block struct {
	mass, ahead, height, chassisZ, pitch, front, rear, stiffness float64
	friction                                                     func(load float64) float64
	without                                                      string // a variable that it does not have
}

// at reads the block as At does.
func (b *block) at(start map[string]float64, steps int, names ...string) (values []float64, err error) {
	get := func(name string, otherwise float64) float64 {
		if x, is := start[name]; is {
			return x
		}
		return otherwise
	}
	z, pitch, roll := get("body.z", b.chassisZ), get("body.pitch", b.pitch), get("body.roll", 0)
	static := map[string]float64{"FL": b.front, "FR": b.front, "RL": b.rear, "RR": b.rear}
	load := func(wheel string) float64 {
		x, y := static[wheel], 0.7
		if wheel[1] == 'R' {
			y = -y
		}
		share := (b.ahead - b.rear) / (b.front - b.rear)
		if wheel[0] == 'R' {
			share = 1 - share
		}
		rest := b.mass * 9.81 * share / 2 // at chassisZ
		return max(0, rest-b.stiffness*(z-b.chassisZ-x*math.Sin(pitch)+y*math.Sin(roll)))
	}
	for _, name := range names {
		of, quantity, _ := strings.Cut(name, ".")
		switch {
		case name == b.without:
			return nil, errors.New("no variable " + name)
		case name == "body.z":
			values = append(values, z)
		case name == "body.pitch":
			values = append(values, pitch)
		case of == "body":
			values = append(values, 0)
		case name == "energy.potential": // the centre of mass is ahead of the chassis, and at another height
			up := b.height - b.chassisZ
			values = append(values, b.mass*9.81*(z-b.ahead*math.Sin(pitch)+up*math.Cos(pitch)*math.Cos(roll)))
		case quantity == "omega":
			values = append(values, 60)
		case quantity == "Fz":
			values = append(values, load(of))
		case quantity == "mu_x_peak":
			if slow := get(of+".omega", 60); steps == 0 || slow > 55 {
				return nil, errors.New("the friction of driving is read")
			}
			values = append(values, b.friction(load(of)))
		}
	}
	return values, nil
}

// car are the roles of the block.
func car(t *testing.T, text string) *roles.Roles {
	t.Helper()
	root, err := document.Parse([]byte("[roles]\n"+text), "car.toml")
	if err != nil {
		t.Fatal(err)
	}
	faults := document.Faults{File: "car.toml"}
	o := roles.Read(root.Field("roles"), &faults)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	return o
}

const fourWheels = `chassis = "body"
axles = [["FL", "FR"], ["RL", "RR"]]
spin = [["FL.omega", "FR.omega"], ["RL.omega", "RR.omega"]]
`

func usual() *block {
	return &block{mass: 1100, ahead: 0.1, height: 0.55, chassisZ: 0.6, front: 1.2, rear: -1.4, stiffness: 2e5,
		friction: func(load float64) float64 { return 1.3 - 4e-5*load }}
}

// With a friction that falls evenly with the load, mu = m0 - m1 N, the forces of two axles with the loads N1 + N2 = m g
// and N1 - N2 = D at the wheels 1/2 N are m0 m g - m1/4 (m^2 g^2 + D^2), and D grows evenly with the deceleration.
func TestTheBoundOfBraking(t *testing.T) {
	b := usual()
	got, err := Braking(b.at, car(t, fourWheels), 9.81)
	if err != nil {
		t.Fatal(err)
	}
	const m0, m1, g = 1.3, 4e-5, 9.81
	weight := b.mass * g
	a := 0.0
	for range 100 {
		difference := 2 * (weight*b.ahead + b.mass*a*b.height - weight*(b.front+b.rear)/2) / (b.front - b.rear)
		a = (m0*weight - m1/4*(weight*weight+difference*difference)) / b.mass
	}
	if math.Abs(got-a) > 1e-6*a {
		t.Errorf("the bound is %.9g m/s2; want %.9g", got, a)
	}
	b.friction = func(float64) float64 { return 0.3 }
	if got, err = Braking(b.at, car(t, fourWheels), 9.81); err != nil || math.Abs(got-0.3*g) > 1e-9 {
		t.Errorf("with a friction of 0.3 everywhere the bound is %.9g m/s2, %v; want %.9g", got, err, 0.3*g)
	}
	// loads that change along three axles: the moment is the same
	three := braked{Body: Body{Weight: 1000, Ahead: 0.2, Height: 0.5}, gravity: 10}
	linear := curve{[]float64{0, 1e4}, []float64{0, 1}} // a force of N^2/1e4
	for _, x := range []float64{2, -1, -2} {
		three.axles = append(three.axles, axle{x, []curve{linear}})
	}
	// N = p + q x: 3 p - q = 1000 and -p + 9 q = 1000 (0.2 + 0.5 * 0.4)
	q, p := 1000*(3*0.4+1)/26, (1000+1000*(3*0.4+1)/26)/3
	want := 0.0
	for _, x := range []float64{2, -1, -2} {
		want += math.Pow(p+q*x, 2) / 1e4 / 1000
	}
	if got := three.forces(4); math.Abs(got-want) > 1e-12 {
		t.Errorf("the forces of three axles are %g of the weight; want %g", got, want)
	}
}

// The contacts and the body of a block are where they are.
func TestWhereABlockStands(t *testing.T) {
	b := usual()
	read := func(start map[string]float64, names ...string) ([]float64, error) { return b.at(start, 0, names...) }
	contacts, err := Contacts(read, "body", []string{"FL", "RR"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Contact{{1.2, 0.7, 2e5}, {-1.4, -0.7, 2e5}} {
		c := contacts[i]
		if math.Abs(c.X-want.X)+math.Abs(c.Y-want.Y) > 1e-6 || math.Abs(c.Stiffness-want.Stiffness) > 1 {
			t.Errorf("contact %+v; want %+v", c, want)
		}
	}
	for _, b.pitch = range []float64{0, 0.2} { // nose down: the mass is ahead and below the chassis
		sin, cos := math.Sincos(b.pitch)
		ahead, height := 0.1*cos-0.05*sin, 0.6-0.1*sin-0.05*cos
		body, err := Balance(read, "body")
		if err != nil || math.Abs(body.Weight-1100*9.81) > 1e-6 || math.Abs(body.Ahead-ahead) > 1e-9 ||
			math.Abs(body.Height-height) > 1e-9 {
			t.Errorf("pitched by %g the body is %+v, %v; want %g m and %g m", b.pitch, body, err, ahead, height)
		}
	}
}

// Between the points of a curve, and beyond its ends, the friction is on straight lines.
func TestFrictionBetweenLoads(t *testing.T) {
	c := curve{[]float64{1, 2, 4, 8}, []float64{1, 3, 2, -2}}
	for load, want := range map[float64]float64{0: -1, 1: 1, 1.5: 2, 2: 3, 3: 2.5, 4: 2, 6: 0, 10: -4} {
		if got := c.at(load); got != want {
			t.Errorf("at %g the friction is %g; want %g", load, got, want)
		}
	}
}

// What has no bound says why.
func TestVehiclesWithoutABound(t *testing.T) {
	for _, c := range []struct {
		roles  string
		change func(*block)
		want   string
	}{
		{`chassis = "body"` + "\n", func(*block) {}, "roles chassis and axles"},
		{fourWheels + "trailer = \"trailer\"\n", func(*block) {}, "trailers"},
		{fourWheels, func(b *block) { b.height = 100 }, "100 m above z = 0"},
		{fourWheels, func(b *block) { b.without = "energy.potential" }, "no variable energy.potential"},
		{fourWheels, func(b *block) { b.without = "RL.mu_x_peak" }, "peaks of the tires: no variable RL.mu_x_peak"},
		{fourWheels, func(b *block) { b.chassisZ = 0.6; b.mass = 1; b.stiffness = 0 }, "does not follow"},
	} {
		b := usual()
		c.change(b)
		if _, err := Braking(b.at, car(t, c.roles), 9.81); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}
