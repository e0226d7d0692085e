package cosim

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/model/program"
	"skidpad/model/vehicle"
)

func compliances(t *testing.T) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Read("testdata/compliance.toml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Stiffness and preload are bilinear between the lines of travel and second variable. Loads and stored energy follow.
func TestCompliancesFollowTheirTable(t *testing.T) {
	in := recording(t, compliances(t), "default")
	x := slices.Clone(in.x)
	in.rates(0, x, make([]float64, len(x)))
	variables := make([]float64, len(in.sys.Variables()))
	if err := in.Values(variables); err != nil {
		t.Fatal(err)
	}
	value := func(name string) float64 {
		at, _ := in.sys.Find(name)
		return variables[at]
	}
	// at the travel 0.03 and the second variable 0.02
	mean := func(a, b, c, d float64) float64 {
		q, s := 0.65, 0.6
		return (1-q)*((1-s)*a+s*b) + q*((1-s)*c+s*d)
	}
	lag := 0.2 / (2 * math.Pi * 4)
	force := -mean(20, 0, -9, 4) - mean(500, 900, 700, 600)*(0.01+lag*0.2)
	if got := value("elastic.force_1"); math.Abs(got-force) > 1e-12*math.Abs(force) {
		t.Errorf("force along x is %.15g N, by hand %.15g N", got, force)
	}
	torque := -mean(4, -1, 6, -3) - mean(20, 50, 80, 40)*(0.02-lag*0.2)
	if got := value("elastic.torque_3"); math.Abs(got-torque) > 1e-12*math.Abs(torque) {
		t.Errorf("torque of toe is %.15g N m, by hand %.15g N m", got, torque)
	}
	energy := mean(20, 0, -9, 4)*0.01 + mean(500, 900, 700, 600)*1e-4/2 + mean(4, -1, 6, -3)*0.02 +
		mean(20, 50, 80, 40)*4e-4/2
	stored := math.NaN()
	for _, e := range in.ledger.side.Ledger() {
		if e.Component == "elastic" {
			stored = in.ledger.sum(e.Values[program.PotentialEnergy])
		}
	}
	if !(math.Abs(stored-energy) <= 1e-12*energy) {
		t.Errorf("stored energy is %.15g J, by hand %.15g J", stored, energy)
	}
}

// Beyond its lines the table is constant.
func TestCompliancesAreConstantBeyondTheirTable(t *testing.T) {
	text, err := os.ReadFile("testdata/compliance.toml")
	if err != nil {
		t.Fatal(err)
	}
	force := func(travel, second float64) float64 {
		m, err := vehicle.Parse([]byte(strings.NewReplacer("travel = 0.03", fmt.Sprint("travel = ", travel),
			"travel = 0.02", fmt.Sprint("travel = ", second)).Replace(string(text))), "compliance.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		in := recording(t, m, "default")
		variables := make([]float64, len(in.sys.Variables()))
		if err := in.Values(variables); err != nil {
			t.Fatal(err)
		}
		at, _ := in.sys.Find("elastic.force_1")
		return variables[at]
	}
	if a, b := force(0.1, 0.1), force(0.05, 0.05); math.Abs(a-b) < 1e-3*math.Abs(a) {
		t.Errorf("the force is %g N and %g N at two places", a, b)
	}
	for _, c := range [][2][2]float64{{{0.1, 0.1}, {0.3, 0.5}}, {{-0.1, 0.1}, {-0.2, 0.2}}, {{0.1, -0.1}, {0.2, -0.3}}} {
		if a, b := force(c[0][0], c[0][1]), force(c[1][0], c[1][1]); math.Abs(a-b) > 1e-12*math.Abs(a) {
			t.Errorf("the force is %g N at %v, and %g N at %v", a, c[0], b, c[1])
		}
	}
}

// The bodies gain what the springs give less what the loss takes, with the loads on travel and second variable.
func TestPowersOfCompliances(t *testing.T) {
	found := checkPowers(t, compliances(t), "default", nil)
	if share := found["elastic"][program.DissipatedPower]; !(share > 1e-4) {
		t.Errorf("%g of the exchanged power is dissipated; the loss does not act", share)
	}
}

func TestCompliancesAreBitIdenticalOnEveryPath(t *testing.T) {
	identicalOnEveryPath(t, compliances(t))
}
