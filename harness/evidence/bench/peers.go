package bench

import (
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/program"
	"skidpad/model/vehicle"
)

//go:embed c/mujoco.c
var mujocoC string

//go:embed c/pinocchio.cpp
var pinocchioC string

//go:embed trees/four_limbs.toml
var fourLimbs []byte

// native is the compiler flag for the instructions of this processor.
const native = "-march=native"

// Peers measures the accelerations of two trees in Skidpad, MuJoCo and Pinocchio. The folder packages must contain the
// Python packages mujoco-core, libpinocchio, cmeel-boost and cmeel-eigen.
func (s *Suite) Peers(packages string) (*Report, error) {
	r := &Report{Machine: machine()}
	four, err := vehicle.Parse(fourLimbs, "four_limbs.toml", nil)
	if err != nil {
		return nil, err
	}
	car, err := vehicle.Read(filepath.Join(s.Resources, "models", "passenger_car.toml"))
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	list, err := peers(packages, folder)
	if err != nil {
		return nil, err
	}
	for i, c := range []struct {
		title string
		model *vehicle.Model
		more  *vehicle.Model
	}{
		{"a body with four limbs", four, nil},
		{"the passenger car without tires", mechanics(car, true), mechanics(car, false)},
	} {
		if s.Progress != nil {
			s.Progress.At("measuring", float64(i), 2)
		}
		section, err := s.besidePeers(c.model, c.more, list, folder)
		if err != nil {
			return nil, fmt.Errorf("accelerations of %s: %w", c.title, err)
		}
		section.Title = "Accelerations of " + c.title
		r.Sections = append(r.Sections, *section)
	}
	return r, nil
}

// peer is a program that computes accelerations of a tree.
type peer struct {
	name, binary string
	file         string // of the tree
	write        func(t *tree) (string, error)
	modes        [][2]string // measured calls: suffix of the name, argument of the program
	inWorld      bool        // the first body translates along the axes of the ground, not along its own axes
	scalar       int         // index of the scalar part in the quaternion of the first body's orientation
}

// peers compiles the programs.
func peers(packages, folder string) ([]peer, error) {
	prefix := filepath.Join(packages, "cmeel.prefix", "include")
	mujoco := filepath.Join(packages, "mujoco")
	libraries, err := filepath.Glob(filepath.Join(mujoco, "libmujoco.so.*"))
	if err != nil || len(libraries) != 1 {
		return nil, errors.Join(err, fmt.Errorf("%s lacks libmujoco.so of the Python package mujoco-core; install it by "+
			"harness/evidence/bench/peers.sh", mujoco))
	}
	first, err := compileC(folder, map[string]string{"mujoco.c": mujocoC}, "mujoco.c",
		"-I"+filepath.Join(mujoco, "include"), libraries[0], "-Wl,-rpath,"+mujoco)
	if err != nil {
		return nil, err
	}
	// Pinocchio itself is built with these limits; its headers cause warnings.
	second, err := compile([]string{"g++", "c++"}, folder, map[string]string{"pinocchio.cpp": pinocchioC}, "pinocchio.cpp",
		native, "-DNDEBUG", "-std=c++17", "-w", "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
		"-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-isystem", prefix, "-isystem", filepath.Join(prefix, "eigen3"))
	if err != nil {
		return nil, err
	}
	list := []peer{
		{name: "MuJoCo", binary: first, file: filepath.Join(folder, "tree.xml"), write: (*tree).mjcf, inWorld: true,
			modes: [][2]string{{" mj_forward", "forward"}, {", a stage of its RK4", "rk4"}}},
		{name: "Pinocchio", binary: second, file: filepath.Join(folder, "tree.txt"), scalar: 3,
			write: func(t *tree) (string, error) { return t.text(), nil }, modes: [][2]string{{" aba", "aba"}}},
	}
	for i := range list {
		version, err := exec.Command(list[i].binary).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].name, err)
		}
		list[i].name += " " + strings.TrimSpace(string(version))
	}
	return list, nil
}

// besidePeers compares the accelerations of model m with the peers. It also times a further model, without comparison.
func (s *Suite) besidePeers(m, more *vehicle.Model, list []peer, folder string) (*Section, error) {
	t, err := treeOf(m)
	if err != nil {
		return nil, err
	}
	b, err := subjectOf(m.Name, m)
	if err != nil {
		return nil, err
	}
	states, err := t.randomStates(b.program)
	if err != nil {
		return nil, err
	}
	b.x = states[0].x
	binary, input, err := b.emit(folder, plain, native)
	if err != nil {
		return nil, err
	}
	machine, err := b.native()
	if err != nil {
		return nil, err
	}
	compiled := "Skidpad, generated C"
	candidates := []candidate{
		{name: compiled, ask: func() (float64, error) { return askC(binary, input, "20000", "1") }},
		{name: "Skidpad, machine code", run: b.evaluate(machine)},
	}
	want := make([][]float64, len(states))
	for i := range states {
		want[i] = states[i].accelerations(b.program, machine, b.u)
	}
	if rates, err := numbersOfC(binary, input, "0"); err != nil || !near(rates, b.rates(machine), 0) {
		return nil, errors.Join(err, fmt.Errorf("generated C computes %g, machine code %g", rates, b.rates(machine)))
	}
	for i := range list {
		p := &list[i]
		text, err := p.write(t)
		if err == nil {
			err = os.WriteFile(p.file, []byte(text), 0o644)
		}
		if err == nil {
			err = p.agrees(states, want)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		first := p.input(&states[0])
		for _, mode := range p.modes {
			candidates = append(candidates, candidate{name: p.name + mode[0],
				ask: func() (float64, error) { return askC(p.binary, first, p.file, "10000", mode[1]) }})
		}
	}
	if more != nil {
		other, err := subjectOf(more.Name, more)
		if err != nil {
			return nil, err
		}
		machine, err := other.native()
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, candidate{name: "Skidpad, machine code, suspensions by curves",
			run: other.evaluate(machine)})
	}
	results, err := s.compare(candidates)
	return &Section{Unit: "ns", Base: compiled, List: results, Note: fmt.Sprintf("%d degrees of freedom, %d operations "+
		"in Skidpad; all accelerations agree within 1e-9 at %d random states.\n  C: gcc -O3 %s. Pinocchio: aba, "+
		"convention LOCAL, g++ -O3 -march=native -DNDEBUG. MuJoCo: the library of its package, without the features "+
		"that the tree does not use.", t.degrees(), b.program.RateCost.Total(), len(states), native)}, err
}

// native returns the model as machine code, without tires.
func (s *subject) native() (program.Machine, error) {
	code, err := s.program.Native(s.program.Tape())
	if err != nil {
		return nil, err
	}
	return s.machine(code, nil)
}

// degrees is the number of degrees of freedom.
func (t *tree) degrees() int { return len(t.links) + 5 }

// treeState is a state of a tree.
type treeState struct {
	x                   []float64 // Skidpad's
	position            r3.Vec    // of the first body, m in ground
	turn                r3.Rotation
	velocity, spin      r3.Vec    // of the first body, m/s and rad/s along its axes
	coordinates, speeds []float64 // of the joints
	rates               []int     // of velocity, spin and speeds among the states
}

// randomStates returns 20 random states with motion in every degree of freedom.
func (t *tree) randomStates(p *program.Program) ([]treeState, error) {
	index := map[string]int{}
	for i, v := range p.States {
		index[v.Name] = i
	}
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]treeState, 20)
	var missing []string
	for k := range list {
		s := &list[k]
		s.x = make([]float64, len(p.States))
		set := func(name string, scale float64) float64 {
			i, ok := index[name]
			if !ok {
				missing = append(missing, name)
				return 0
			}
			delete(index, name)
			defer func() { index[name] = i }()
			s.x[i] = scale * (2*random.Float64() - 1)
			return s.x[i]
		}
		three := func(scale float64, names ...string) (v [3]float64) {
			for i, name := range names {
				v[i] = set(t.links[0].joint+"."+name, scale)
			}
			return v
		}
		s.position = vec(three(10, "x", "y", "z"))
		s.turn = sequenceRotation("321", three(1, "yaw", "pitch", "roll"))
		s.velocity, s.spin = vec(three(20, "vx", "vy", "vz")), vec(three(2, "wx", "wy", "wz"))
		for _, name := range []string{"vx", "vy", "vz", "wx", "wy", "wz"} {
			s.rates = append(s.rates, index[t.links[0].joint+"."+name])
		}
		for _, l := range t.links[1:] {
			s.coordinates = append(s.coordinates, set(l.position, 0.5))
			s.speeds = append(s.speeds, set(l.speed, 3))
			s.rates = append(s.rates, index[l.speed])
		}
	}
	if missing != nil || len(p.States) != 2*t.degrees() {
		return nil, fmt.Errorf("the equations have other states than the tree: the tree has %d degrees of freedom and the "+
			"states %q, which the equations lack; the equations have %d states", t.degrees(), missing, len(p.States))
	}
	return list, nil
}

// accelerations returns the accelerations of Skidpad; those of the first body are along the axes of the body.
func (s *treeState) accelerations(p *program.Program, m program.Machine, inputs []float64) []float64 {
	dx := make([]float64, len(p.States))
	m.Derivatives(0, s.x, inputs, dx)
	list := make([]float64, len(s.rates))
	for i, k := range s.rates {
		list[i] = dx[k]
	}
	return list
}

// input formats a state for the program.
func (p *peer) input(s *treeState) string {
	four := []float64{s.turn.Imag, s.turn.Jmag, s.turn.Kmag}
	velocity := s.velocity
	if p.inWorld {
		velocity = s.turn.Rotate(velocity)
	}
	all := slices.Concat([]float64{s.position.X, s.position.Y, s.position.Z}, slices.Insert(four, p.scalar, s.turn.Real),
		s.coordinates, []float64{velocity.X, velocity.Y, velocity.Z, s.spin.X, s.spin.Y, s.spin.Z}, s.speeds)
	var b strings.Builder
	for _, v := range all {
		b.WriteString(strconv.FormatFloat(v, 'g', 17, 64) + "\n")
	}
	return b.String()
}

// agrees compares accelerations of the peer with the expected accelerations, relative to their size.
func (p *peer) agrees(states []treeState, want [][]float64) error {
	var input strings.Builder
	for i := range states {
		input.WriteString(p.input(&states[i]))
	}
	all, err := numbersOfC(p.binary, input.String(), p.file)
	if err != nil {
		return err
	}
	if len(all) != len(want)*len(want[0]) {
		return fmt.Errorf("%d accelerations for %d states, expected %d", len(all), len(want), len(want)*len(want[0]))
	}
	for i := range states {
		got := all[i*len(want[i]) : (i+1)*len(want[i])]
		if p.inWorld {
			back := r3.Rotation(quat.Conj(quat.Number(states[i].turn)))
			a := r3.Sub(back.Rotate(vec([3]float64(got[:3]))), r3.Cross(states[i].spin, states[i].velocity))
			got[0], got[1], got[2] = a.X, a.Y, a.Z
		}
		if !near(got, want[i], 1e-9) {
			return fmt.Errorf("accelerations at state %d are %g, in Skidpad %g", i, got, want[i])
		}
	}
	return nil
}
