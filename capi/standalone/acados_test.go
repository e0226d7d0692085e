package standalone

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// blasfeo returns compiler flags and libraries for BLASFEO from the Python package casadi.
func blasfeo(t *testing.T) (flags string, libraries []string) {
	t.Helper()
	testrun.InStage(t, "bindings")
	testrun.Requires(t, "python3")
	said, err := exec.Command("python3", "-c", "import casadi; print(casadi.__path__[0])").Output()
	if err != nil {
		testrun.Missing(t, "casadi, a package of Python")
	}
	folder := strings.TrimSpace(string(said))
	return "-isystem " + filepath.Join(folder, "include"), []string{filepath.Join(folder, "libblasfeo.so.0"),
		"-Wl,-rpath," + folder}
}

// A step for acados and its Jacobian, by the chosen controls and by the states, are bit-identical to the functions for
// CasADi. If a step fails, results are not a number.
func TestFunctionsForAcados(t *testing.T) {
	testrun.Slow(t)
	flags, libraries := blasfeo(t)
	type choice struct {
		model, method  string
		vary, controls []string
	}
	list := []choice{
		{"generic4w", "rk4", nil, []string{"brake_RR.torque", "steer_FL.angle", "brake_FL.torque"}},
		{"bicycle", "heun", []string{"radius_R"}, nil},
	}
	if testrun.All() {
		list = append(list, choice{"passenger_car", "euler", nil, nil})
	}
	for _, c := range list {
		t.Run(c.model, func(t *testing.T) {
			in := initialised(t, c.model, "solver.method", c.method)
			p := in.System().Program()
			plan, _ := in.Plan()
			nx, nu, np := len(p.States), len(p.Inputs)-p.Controls, len(c.vary)
			var chosen []int
			for k, v := range p.Inputs[:nu] {
				if c.controls == nil {
					chosen = append(chosen, k)
				} else if at := slices.Index(c.controls, v.Name); at >= 0 {
					chosen = append(chosen, k)
				}
			}
			if c.controls != nil { // in their order
				slices.SortFunc(chosen, func(i, j int) int {
					return slices.Index(c.controls, p.Inputs[i].Name) - slices.Index(c.controls, p.Inputs[j].Name)
				})
			}
			r := rand.New(rand.NewPCG(3, 8))
			x, u := slices.Clone(plan.X[:nx]), slices.Clone(plan.U[:nu])
			for i := range x {
				x[i] += 0.002 * r.NormFloat64()
			}
			var controls, parameters []float64
			for _, k := range chosen {
				u[k] += 0.003 * r.Float64()
				controls = append(controls, u[k])
			}
			for range c.vary {
				parameters = append(parameters, 0.31)
			}
			const h = 0.0042
			program := compiledFrom(t, written(t, in, Options{Name: "vehicle", Acados: true, Vary: c.vary,
				Controls: c.controls}), "acados", "gcc -O0 -march=native "+flags, libraries...)
			run := func(h float64) (states [2][]float64, returned, rows []float64) {
				a := &vehicleInC{order: binary.NativeEndian}
				for _, list := range [][]float64{x, controls, {h}, parameters} {
					binary.Write(&a.commands, a.order, list)
				}
				a.run(t, program)
				states = [2][]float64{a.numbers(t, nx), a.numbers(t, nx)}
				return states, a.numbers(t, 2), a.numbers(t, (len(chosen)+nx)*nx)
			}
			states, returned, rows := run(h)
			if !slices.Equal(returned, []float64{0, 0}) {
				t.Fatal("returned", returned)
			}

			of := &vehicleInC{order: binary.NativeEndian}
			rest := make([]float64, 4*(nx+nu+np+1)+1+nx)
			rest[4*(nx+nu+np+1)] = h
			for _, list := range [][]float64{x, u, parameters, {h}, rest} {
				binary.Write(&of.commands, of.order, list)
			}
			none := func(string) bool { return false }
			of.run(t, compiledFrom(t, written(t, in, Options{Name: "vehicle", CasADi: true, Vary: c.vary,
				Outputs: none}), "casadi", "gcc -O0 -march=native"))
			variables := nx + nu + np
			of.numbers(t, nx+nx*variables+4*nx+variables+variables) // f and its derivatives, and adj1_y
			after, jacobian := of.numbers(t, nx), of.numbers(t, nx*(variables+1))
			for i := range nx {
				if !same(states[0][i], after[i]) || !same(states[1][i], after[i]) {
					t.Errorf("state %d: %v and %v, for CasADi %v", i, states[0][i], states[1][i], after[i])
				}
			}
			for row := range len(chosen) + nx {
				variable := row - len(chosen)
				if row < len(chosen) {
					variable = nx + chosen[row]
				}
				for i := range nx {
					if got, want := rows[row*nx+i], jacobian[variable*nx+i]; !same(got, want) {
						t.Fatalf("row %d: d state %d/d variable %d: %v, for CasADi %v", row, i, variable, got, want)
					}
				}
			}
			states, returned, rows = run(-1)
			number := func(x float64) bool { return !math.IsNaN(x) }
			if slices.ContainsFunc(slices.Concat(states[0], states[1], rows), number) || slices.Contains(returned, 0) {
				t.Errorf("a step of -1 s returns %v and numbers", returned)
			}
		})
	}
}
