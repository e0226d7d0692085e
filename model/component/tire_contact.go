package component

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/tire"
)

// contactKey is where a tire touches the road.
var contactKey = keys.Key{
	Name: "contact", Shape: keys.TableShape, Optional: true, Text: "contact point", Keys: contactKeys,
}

var contactKeys = []keys.Key{
	{Name: "method", Shape: keys.WordShape, Default: ContactLoaded,
		Choices: []string{ContactLoaded, ContactUndeformed, ContactConservative},
		Text: "loaded: on the road, at the loaded radius; undeformed: the lowest point of the undeformed tire, at the " +
			"free radius, which is then also the effective radius; conservative: on the road, where a tire that " +
			"stores its energy touches it, at any inclination"},
	nonnegative("crown_radius", "m", "0",
		"radius of the cross-section of a torus, undeformed and conservative only; 0: a thin disc"),
	{Name: "width", Unit: "m", Optional: true, Positive: true,
		Text: "width over the sidewalls, conservative only; default: 0.56 times the unloaded radius"},
	{Name: "power", Shape: keys.WordShape, Optional: true, Choices: []string{"yes", "no"},
		Text: "conservative only; yes: the longitudinal force acts on the spin at the effective radius, where slip is " +
			"measured; no: at the loaded radius; default: yes, but no where the moment My of the force function has a " +
			"term in Fx (QSY2 of a Magic Formula), which stands for the same"},
}

// The methods of contacts.
const (
	ContactLoaded       = "loaded"
	ContactUndeformed   = "undeformed"
	ContactConservative = "conservative"
)

// TireContact says where a tire touches the road.
type TireContact struct {
	Method      string
	CrownRadius keys.Scalar  // m, of a torus; not with loaded
	Width       *keys.Scalar // m, conservative only; nil: DefaultWidth times the unloaded radius
	Power       bool         // conservative only: Fx acts on the spin at the effective radius
}

// contactMethod finds the contact point by one method, and the loads there. Each is a file.
type contactMethod interface {
	// incline finds the inclination from the axis of symmetry in the axes of the plane, and x and y of the horizontal unit
	// vector along the heading.
	incline(v *tireRows, symmetry expr.Vector) (x, y *expr.Expr)
	// stand finds the loaded radius and the contact point, and returns the normal force with its sign.
	stand(v *tireRows) *expr.Expr
	// rollingRadius is Reff.
	rollingRadius(v *tireRows) *expr.Expr
	// slide finds the velocities of the contact point and on the effective radius, with and without the spin.
	slide(v *tireRows)
	// moment is the moment of the road about the contact point, in tire axes, from the results of the force function.
	moment(v *tireRows, force map[string]*expr.Expr) expr.Vector
	// publish publishes the outputs of this method alone.
	publish(v *tireRows)
	// outside describes the consequence of a tire that leans, or lies, on the road; "" where the method allows it.
	outside() (leaning, lying string)
}

func (c *Tire) contact() contactMethod {
	switch c.Contact.Method {
	case ContactUndeformed:
		return &undeformedContact{c}
	case ContactConservative:
		return &conservativeContact{Tire: c}
	}
	return &loadedContact{c}
}

// watch lets the engine watch the inclination and the deflection of a tire.
func (c *Tire) watch(v *tireRows, contact contactMethod) {
	t := WatchedTire{Inclination: v.gamma, Deflection: v.deflection, Radius: v.radius}
	t.Component, t.Depth = c.Name, 1-SideRadius
	t.Leaning, t.Lying = contact.outside()
	v.b.Tire(t)
}

func (c *Tire) readContact(f *keys.Fields) {
	contact := f.Sub("contact")
	c.Contact = TireContact{Method: ContactLoaded, CrownRadius: keys.Zero()}
	if contact.Table != nil {
		c.Contact.Method, c.Contact.CrownRadius = contact.Text("method"), contact.Scalar("crown_radius")
		c.readExtent(f, contact)
	}
	undeformed := c.Contact.Method == ContactUndeformed
	switch given := f.Given("rolling_radius"); {
	case given && undeformed:
		f.Fault("rolling_radius",
			"%s.rolling_radius does not go with an undeformed contact, whose radius is the free one", c.Name)
	case !given && !undeformed:
		f.FaultOfTable("%s lacks the key \"rolling_radius\" (or an undeformed contact)", c.Name)
	}
}

// readExtent reads the dimensions of a tire other than its radius.
func (c *Tire) readExtent(f, contact *keys.Fields) {
	method := c.Contact.Method
	for _, k := range []struct {
		key     string
		goes    bool
		methods string
	}{
		{"crown_radius", method != ContactLoaded, "methods undeformed and conservative"},
		{"width", method == ContactConservative, "method conservative"},
		{"power", method == ContactConservative, "method conservative"},
	} {
		if contact.Given(k.key) && !k.goes {
			contact.Fault(k.key, "%s.contact.%s goes with the %s only", c.Name, k.key, k.methods)
		}
	}
	if crown := c.Contact.CrownRadius; method != ContactLoaded && crown.Value >= c.UnloadedRadius.Value {
		f.FaultAt(crown.Pos, "%s.contact.crown_radius is %s; it must be below the unloaded radius %s", c.Name,
			crown.Text, c.UnloadedRadius.Text)
	}
	if contact.Given("width") {
		width := contact.Scalar("width")
		c.Contact.Width = &width
	}
}

// readPower decides where the longitudinal force acts on the spin. A Magic Formula whose rolling resistance has a term
// in Fx has that from measurements.
func (c *Tire) readPower(f *keys.Fields) {
	if c.Contact.Method != ContactConservative {
		return
	}
	contact := f.Sub("contact")
	if contact.Given("power") {
		c.Contact.Power = contact.Text("power") == "yes"
		return
	}
	share := c.Force.resistanceByForce()
	if c.Contact.Power = share == 0; !c.Contact.Power {
		c.Force.Warnings = append(slices.Clip(c.Force.Warnings), fmt.Sprintf("contact.power is \"no\", because the "+
			"rolling resistance of these parameters has a term in Fx (QSY2 = %g), which stands for the same; give the "+
			"key to decide", share))
	}
}

// resistanceByForce is the rolling resistance per longitudinal force, from the parameters of the model.
func (t *TireFunction) resistanceByForce() float64 {
	kind, err := tire.Lookup(t.Name)
	if err != nil {
		return 0
	}
	return tire.ResistanceByForce(kind, t.Parameters)
}

// upright finds the inclination of a tire that does not lie, rows 2 to 5: uSym x uz has the length cos gamma, and
// (uy x uSym).ux = uSym.uz.
func (v *tireRows) upright(symmetry expr.Vector) (x, y *expr.Expr) {
	p := v.b.Pool()
	v.sine = symmetry.X[2]
	v.cosine = v.set("cos_gamma", p.Call(expr.Sqrt, p.Add(p.Pow(symmetry.X[0], 2), p.Pow(symmetry.X[1], 2))))
	secant := v.set("secant", p.Pow(v.cosine, -1))
	x, y = v.set("ux_x", p.Mul(symmetry.X[1], secant)), v.set("uy_x", p.Mul(symmetry.X[0], secant))
	v.gamma = v.set("gamma", p.Call(expr.Asin, v.sine))
	return x, y
}

// aboutSymmetry is the angular velocity about the axis of symmetry.
func (v *tireRows) aboutSymmetry() *expr.Expr {
	p := v.b.Pool()
	return p.Add(p.Mul(v.sine, v.w[2]), p.Mul(v.cosine, v.w[1]))
}

// loadDependentRadius is (3.12), (3.13): Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN), rhoN = Fz0/kz, for the free
// radius Ru and the deflection rho.
func (c *Tire) loadDependentRadius(v *tireRows, free, deflection *expr.Expr) *expr.Expr {
	b, p := v.b, v.b.Pool()
	parameter := func(name, unit string, s keys.Scalar) *expr.Expr {
		return b.Scalar("rolling_radius_"+name, unit, s)
	}
	nominal := b.Define("rhoN", p.Div(parameter("Fz0", "N", c.RollingRadius.Fz0), v.kz))
	ratio := b.Define("rho", p.Div(deflection, nominal))
	bend, peak := parameter("B", "1", c.RollingRadius.B), parameter("D", "1", c.RollingRadius.D)
	term := p.Add(p.Mul(peak, p.Call(expr.Atan, p.Mul(bend, ratio))),
		p.Mul(parameter("F", "1", c.RollingRadius.F), ratio))
	return p.Sub(free, p.Mul(nominal, term))
}

// returnedMoment is the moment that the force function returned.
func (v *tireRows) returnedMoment(force map[string]*expr.Expr) expr.Vector {
	return expr.Vector{Frame: v.axes, X: [3]*expr.Expr{force["Mx"], force["My"], force["Mz"]}}
}

// Unbalanced reports whether the longitudinal force acts on the spin at another radius than the effective one, the
// radius of the slip. The tire then creates or loses the power Fx (Reff - Rl) w, unless its rolling resistance accounts
// for it.
func (c *Tire) Unbalanced() bool {
	acts := c.Contact.Method == ContactLoaded || c.Contact.Method == ContactConservative && !c.Contact.Power
	return acts && c.RollingRadius.Method != "loaded"
}

// HeldByResistance reports whether the rolling resistance has a term in Fx, which holds that power.
func (c *Tire) HeldByResistance() bool { return c.Unbalanced() && c.Force.resistanceByForce() != 0 }
