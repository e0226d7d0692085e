package verify

import (
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/results/report"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// Linear equations are made in two ways that share nothing: by differentiating the symbolic equations
// (model/linear) and body by body with tangent stiffness (harness/evidence/tangent).

// KnownModes are eigenvalues of a shipped model that were published or come from elsewhere:
// resources/references/eigenvalues.toml.
type KnownModes struct {
	Model, Source string
	Set           map[string]float64
	Eigenvalues   [][2]float64 // real and imaginary part [1/s], of a pair the one above
}

// ReadKnownModes reads what is known.
func ReadKnownModes(resources string) ([]KnownModes, error) {
	path := filepath.Join(resources, "references", "eigenvalues.toml")
	text, err := bounded.Facts.Read(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Case []KnownModes }
	if err := document.Decode(text, path, &file); err != nil {
		return nil, err
	}
	return file.Case, nil
}

// Values are all eigenvalues.
func (k *KnownModes) Values() []complex128 {
	var list []complex128
	for _, e := range k.Eigenvalues {
		if list = append(list, complex(e[0], e[1])); e[1] != 0 {
			list = append(list, complex(e[0], -e[1]))
		}
	}
	return list
}

// LinearComparison holds the known modes of a vehicle and the results of both methods.
type LinearComparison struct {
	KnownModes
	Symbolic, Tangent []complex128 // by the known values
	Apart             float64      // of both ways
}

// Pass reports whether both methods agree with each other and with the known values, to their printed digits.
func (c *LinearComparison) Pass() bool {
	return c.Known() <= knownModes && c.Apart <= linearise.LinearAgreement
}

// knownModes is the largest difference to known eigenvalues [1/s], real and imaginary part each; the
// shortest are printed with nine decimals.
const knownModes = 1e-9

// Known is the largest difference of real or imaginary parts to what is known [1/s].
func (c *LinearComparison) Known() float64 {
	most := 0.0
	for i, want := range c.Values() {
		for _, got := range []complex128{c.Symbolic[i], c.Tangent[i]} {
			most = max(most, math.Abs(real(got-want)), math.Abs(imag(got-want)))
		}
	}
	return most
}

// CompareLinear makes the linear equations of all models whose eigenvalues are known, or of one, in
// both ways.
func CompareLinear(resources, only string) ([]LinearComparison, error) {
	known, err := ReadKnownModes(resources)
	if err != nil {
		return nil, err
	}
	var list []LinearComparison
	var m *vehicle.Model
	var linearised *linear.Model
	for _, k := range known {
		if only != "" && only != k.Model {
			continue
		}
		if len(list) == 0 || list[len(list)-1].Model != k.Model { // cases of a model set the same parameters
			if m, err = vehicle.Read(filepath.Join(resources, "models", k.Model+".toml")); err != nil {
				return nil, err
			}
			if linearised, err = linear.New(m, ""); err != nil {
				return nil, err
			}
		}
		c, err := compareLinear(k, m, linearised)
		if err != nil {
			return nil, fmt.Errorf("%s, %v: %w", k.Model, k.Set, err)
		}
		list = append(list, *c)
	}
	return list, nil
}

func compareLinear(k KnownModes, m *vehicle.Model, vehicle *linear.Model) (*LinearComparison, error) {
	for name, value := range k.Set {
		if err := vehicle.Set(name, value); err != nil {
			return nil, err
		}
	}
	s, err := vehicle.At()
	if err != nil {
		return nil, err
	}
	modes, err := s.Modes()
	if err != nil {
		return nil, err
	}
	v, err := tangentVehicle(m, k.Set, s)
	if err != nil {
		return nil, err
	}
	other, err := v.Linearise()
	if err != nil {
		return nil, err
	}
	symbolic := linearise.Eigenvalues(modes)
	values, err := linearise.SecondEigenvalues(other, len(symbolic))
	if err != nil {
		return nil, err
	}
	return &LinearComparison{k, linearise.Paired(k.Values(), symbolic), linearise.Paired(k.Values(), values),
		linearise.Disagreement(symbolic, values)}, nil
}

// linearStatements has one check for each model.
func linearStatements(list []LinearComparison) []VerifiedStatement {
	var checks []VerifiedStatement
	for i := 0; i < len(list); {
		model, known, difference, modes := list[i].Model, 0.0, 0.0, 0
		for ; i < len(list) && list[i].Model == model; i++ {
			known, difference, modes = max(known, list[i].Known()), max(difference, list[i].Apart), modes+len(list[i].Values())
		}
		checks = append(checks, VerifiedStatement{model + ", linear equations",
			statements.NewCheck("L"+fmt.Sprint(len(checks)+1),
				fmt.Sprintf("%d eigenvalues are those known, by symbolic equations and by tangent stiffness", modes),
				atMost("largest difference to them", known, knownModes, "1/s"),
				atMost("between both, of the largest", difference, linearise.LinearAgreement, ""))})
	}
	return checks
}

// atMost compares a figure with a bound that it may have.
func atMost(what string, x, bound float64, unit string) statements.Part {
	p := statements.Below(what, x, bound, 1, unit)
	p.Pass = x <= bound
	return p
}

// linearTable puts the eigenvalues side by side.
func (v *Verified) linearTable() table {
	t := table{
		title: "Eigenvalues of linear equations", kinds: "wwwwwnv",
		columns: []string{"model", "set", "known, 1/s", "symbolic equations", "tangent stiffness", "largest difference",
			"verdict"},
		note: "Known: Meijaard et al. (2007), Ellis (1969), a closed form, independent programs " +
			"(resources/references/eigenvalues.toml). Of pairs the one above.",
	}
	for i := range v.Linear {
		c := &v.Linear[i]
		var set []string
		for _, name := range slices.Sorted(maps.Keys(c.Set)) {
			set = append(set, fmt.Sprintf("%s = %.6g", name, c.Set[name]))
		}
		for k, want := range c.Values() {
			if imag(want) < 0 {
				continue
			}
			off := max(cmplx.Abs(c.Symbolic[k]-want), cmplx.Abs(c.Tangent[k]-want))
			t.rows = append(t.rows, []string{c.Model, strings.Join(set, ", "), root(want), root(c.Symbolic[k]),
				root(c.Tangent[k]), fmt.Sprintf("%.1e", off), report.PassOrFail(c.Pass())})
		}
	}
	return t
}

func root(l complex128) string {
	if imag(l) == 0 {
		return fmt.Sprintf("%.11f", real(l))
	}
	return fmt.Sprintf("%.11f %+.11fi", real(l), imag(l))
}
