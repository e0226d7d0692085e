package component

import (
	"slices"
	"strconv"

	"skidpad/model/keys"
	"skidpad/tire"
)

// fromFile is the key of a number that can be that of a key of the tire's property file.
func fromFile(key string, k keys.Key) keys.Key {
	k.FromFile = key
	return k
}

// A TireSize is a number of a tire that a property file can have, by the key of the file.
type TireSize struct {
	Key, Name string // of the file; of the component
	*keys.Scalar
}

// Sizes are the numbers of the tire that a property file can have.
func (t *Tire) Sizes() []TireSize {
	list := []TireSize{
		{"UNLOADED_RADIUS", "unloaded_radius", &t.UnloadedRadius},
		{"VERTICAL_STIFFNESS", "vertical_stiffness", &t.VerticalStiffness},
		{"VERTICAL_DAMPING", "vertical_damping", &t.VerticalDamping},
	}
	if r := &t.RollingRadius; r.Method == "load-dependent" {
		list = append(list, TireSize{"FNOMIN", "rolling_radius_Fz0", &r.Fz0}, TireSize{"BREFF", "rolling_radius_B", &r.B},
			TireSize{"DREFF", "rolling_radius_D", &r.D}, TireSize{"FREFF", "rolling_radius_F", &r.F})
	}
	return list
}

// Width is the width of the tire [m]: twice the radius of the crown, the width of the contact, WIDTH of the property
// file or D2 of a Fiala tire. It is 0 if the model has none of these numbers.
func (t *Tire) Width() float64 {
	const fiala, width = "Fiala", "D2"
	switch {
	case t.Contact.CrownRadius.Value > 0:
		return 2 * t.Contact.CrownRadius.Value
	case t.Contact.Width != nil:
		return t.Contact.Width.Value
	case t.Force.Name != fiala:
		return t.Force.Sizes["WIDTH"]
	}
	kind, err := tire.Lookup(fiala)
	if err != nil || len(t.Force.Parameters) != len(kind.Parameters) {
		return 0
	}
	is := func(p tire.ParameterInfo) bool { return p.Name == width }
	return t.Force.Parameters[slices.IndexFunc(kind.Parameters, is)]
}

// ownRadius is the unloaded radius [m] of the component, 0 for { from = "file" }.
func (t *Tire) ownRadius() float64 {
	if t.UnloadedRadius.FromFile != "" {
		return 0
	}
	return t.UnloadedRadius.Value
}

// readSizes gives numbers of the property file to the keys that refer to the file.
func (t *Tire) readSizes(f *keys.Fields) {
	for _, s := range t.Sizes() {
		if s.FromFile == "" {
			continue
		}
		x, given := t.Force.Sizes[s.Key]
		switch {
		case t.Force.Sizes == nil:
			f.FaultAt(s.Pos, "%s.%s is { from = \"file\" }; the force function has no property file (.tir): give it one, or "+
				"write the number", t.Name, s.Name)
		case !given:
			f.FaultAt(s.Pos, "%s.%s is { from = \"file\" }; %s has no %s: write the number", t.Name, s.Name, t.Force.File, s.Key)
		case s.Positive && x <= 0 || s.Nonnegative && x < 0:
			f.FaultAt(s.Pos, "%s.%s is %s of %s, which is %g; it must be %s", t.Name, s.Name, s.Key, t.Force.File, x,
				map[bool]string{true: "above 0", false: "at least 0"}[s.Positive])
		}
		s.Value, s.Text = x, strconv.FormatFloat(x, 'g', -1, 64)
	}
}
