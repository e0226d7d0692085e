package component

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/keys"
)

// Inertia is the inertia about the centre of mass, in body axes [kg m^2]. XY, XZ, YZ are elements of the matrix (minus
// the products of inertia). When Axisymmetric, Axis is the index (0, 1, 2) of the symmetry axis, and only Axial and
// Transverse are set. The engine can then resolve the body in a frame that does not spin about Axis.
type Inertia struct {
	XX, YY, ZZ, XY, XZ, YZ keys.Scalar
	Axisymmetric           bool
	Axis                   int
	Axial, Transverse      keys.Scalar
	Unphysical             bool // no body need have it

	at keys.Position
}

// allowUnphysical is the key that accepts an inertia which no body can have.
var allowUnphysical = keys.Key{Name: "allow_unphysical", Shape: keys.WordShape, Default: "no",
	Choices: []string{"no", "yes"},
	Text: "yes: accepts an inertia that no distribution of mass has, because its largest principal moment exceeds the " +
		"sum of the others by more than 10 %"}

// mostExcess is the largest accepted excess of a measured inertia. Published measurements of bicycle parts have
// excesses of up to 2.3 %.
const mostExcess = 0.1

// FreeStart is the initial motion of a free body.
type FreeStart struct {
	Given           bool
	Position        keys.Vector // m, ground frame
	Angles          keys.Vector // rad, in the order of the body's rotation sequence
	Velocity        keys.Vector // m/s, body frame for rigid bodies, ground frame for point masses
	AngularVelocity keys.Vector // rad/s, body frame
}

// inertia reads either the full matrix or that of a body of revolution.
func inertia(f *keys.Fields, i *keys.Fields) Inertia {
	j := Inertia{Unphysical: i.Text(allowUnphysical.Name) == "yes", at: f.Position("inertia")}
	full := i.Given("xx") || i.Given("yy") || i.Given("zz")
	round := i.Given("axial") || i.Given("transverse")
	switch {
	case i.Table == nil:
	case full == round:
		i.FaultOfTable("%s.inertia must hold either xx, yy, zz or axial and transverse", f.Path)
	case round:
		if !i.Given("axial") || !i.Given("transverse") {
			i.FaultOfTable("%s.inertia must hold both axial and transverse", f.Path)
		}
		j.Axisymmetric = true
		j.Axis = strings.Index("xyz", i.Text("axis"))
		j.Axial, j.Transverse = i.Scalar("axial"), i.Scalar("transverse")
		for _, name := range []string{"xy", "xz", "yz", "offdiagonal"} {
			if i.Given(name) {
				i.Fault(name, "%s.inertia.%s does not go with axial and transverse", f.Path, name)
			}
		}
	default:
		if !i.Given("xx") || !i.Given("yy") || !i.Given("zz") {
			i.FaultOfTable("%s.inertia must hold all of xx, yy and zz", f.Path)
		}
		j.XX, j.YY, j.ZZ = i.Scalar("xx"), i.Scalar("yy"), i.Scalar("zz")
		j.XY, j.XZ, j.YZ = i.Scalar("xy"), i.Scalar("xz"), i.Scalar("yz")
		if i.Text("offdiagonal") == "products" {
			j.XY, j.XZ, j.YZ = j.XY.Negated(), j.XZ.Negated(), j.YZ.Negated()
		}
		if i.Given("axis") {
			i.Fault("axis", "%s.inertia.axis goes with axial and transverse only", f.Path)
		}
	}
	return j
}

// Excess is (p3 - p1 - p2)/(p1 + p2) with the principal moments p1 <= p2 <= p3. It is 0 for the inertia of a real body,
// p3 <= p1 + p2 up to rounding.
func (j *Inertia) Excess() float64 {
	p := principal(j.Matrix())
	if over := p[2] - p[0] - p[1]; over > 1e-9*p[2] {
		return over / (p[0] + p[1])
	}
	return 0
}

// check refuses an inertia that no body has: with a negative principal moment, or with an excess above the error of
// measurements. name is the body's name, for messages.
func (j *Inertia) check(r *keys.Reader, name string) {
	p := principal(j.Matrix())
	switch excess := j.Excess(); {
	case p[0] < -1e-9*p[2]:
		r.Place(j.at, "%s.inertia is not physical: its principal moments are %.6g, %.6g, %.6g kg m2, none may be "+
			"negative; correct the signs", name, p[0], p[1], p[2])
	case excess > mostExcess && !j.Unphysical:
		r.Place(j.at, "%s.inertia is not physical: of its principal moments %.6g, %.6g, %.6g kg m2 the largest exceeds "+
			"the sum of the others by %s; correct the values or their units, or set %s = \"yes\" beside them", name, p[0],
			p[1], p[2], percent(excess), allowUnphysical.Name)
	}
}

// DescribeExcess describes an inertia of a body of a name that no body has and that a measurement can give.
func (j *Inertia) DescribeExcess(name string) string {
	excess := j.Excess()
	if excess == 0 || j.Unphysical {
		return ""
	}
	p := principal(j.Matrix())
	return fmt.Sprintf("of the principal moments %.6g, %.6g, %.6g kg m2 of %s the largest exceeds the sum of the others "+
		"by %s, which it does in no body; errors of a measurement can be the cause", p[0], p[1], p[2], name, percent(excess))
}

// At is where the inertia stands in the file.
func (j *Inertia) At() keys.Position { return j.at }

func percent(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// Matrix is the inertia matrix of the values.
func (j *Inertia) Matrix() [3][3]float64 {
	if j.Axisymmetric {
		var m [3][3]float64
		for i := range m {
			m[i][i] = j.Transverse.Value
		}
		m[j.Axis][j.Axis] = j.Axial.Value
		return m
	}
	return [3][3]float64{
		{j.XX.Value, j.XY.Value, j.XZ.Value}, {j.XY.Value, j.YY.Value, j.YZ.Value},
		{j.XZ.Value, j.YZ.Value, j.ZZ.Value},
	}
}

// principal returns the eigenvalues of a symmetric matrix, ascending; zeros where the matrix is not finite, which is
// reported elsewhere.
func principal(a [3][3]float64) [3]float64 {
	m := mat.NewSymDense(3, nil)
	for i := range a {
		for k := i; k < 3; k++ {
			m.SetSym(i, k, a[i][k])
		}
	}
	var p [3]float64
	var e mat.EigenSym
	// with vectors: values alone end in a panic of gonum 0.17 where elements differ by a factor of 1e122
	if v := mat.Norm(m, 1); v-v == 0 && e.Factorize(m, true) {
		e.Values(p[:])
	}
	return p
}
