package sti

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/tire"
)

// Routine is a foreign routine with the arguments of one tire. These do not move, and neither do
// the arrays once they have a size.
type Routine interface {
	Arguments() *Arguments
	// Allocate makes arrays of the sizes in the arguments, filled with zeros. An error says that there is no memory.
	Allocate() (*Arrays, error)
	// Call calls the routine with the arguments as they are.
	Call()
	// Close gives the arguments and the library back.
	Close()
}

// motionInputs are the intermediates that make up Motion.
var motionInputs = []string{"gamma", "VCx", "VCy", "sinking", "wx", "wn", "Omega", "Rs", "depth", "mu"}

// Kind describes the tires of a routine; open makes the routine with its arguments for one tire.
func (n Name) Kind(open func(tire.OpenRequest) (Routine, error)) *tire.Kind {
	k := &tire.Kind{
		Name: n.Routine, Text: "routine of the Standard Tyre Interface",
		Inputs: slices.Clone(motionInputs), Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
	}
	for _, p := range n.Contact {
		if !slices.Contains(k.Inputs, p.Quantity) {
			k.Inputs = append(k.Inputs, p.Quantity)
		}
	}
	k.Open = func(o tire.OpenRequest) (tire.Function, error) {
		if len(o.File) > len(Arguments{}.Model) {
			return nil, fmt.Errorf("%s: %w", o.File, errLong)
		}
		r, err := open(o)
		if err != nil {
			return nil, err
		}
		return newTire(n, k.Inputs, r)
	}
	return k
}

// Tire is a tire that a routine computes. Its states are the states of the routine and, if the name requests it, the
// angle of the rim behind them.
type Tire struct {
	tire.Stopwatch
	name    Name
	routine Routine
	args    *Arguments
	arrays  *Arrays
	sizes   Sizes
	motion  Motion
	pose    tire.Pose
	contact []int // by place in name.Contact: index of the input

	x, dx    []float64
	accepted float64 // time of an accepted point that was not evaluated since
	waiting  bool
	fault    error
	warnings []string
	said     map[[256]byte]bool
}

// newTire asks a routine for its sizes and initialises it. The routine is closed where that fails.
func newTire(n Name, inputs []string, r Routine) (*Tire, error) {
	t := &Tire{name: n, routine: r, args: r.Arguments(), said: map[[256]byte]bool{}}
	for _, p := range n.Contact {
		t.contact = append(t.contact, slices.Index(inputs, p.Quantity))
	}
	if err := t.start(); err != nil {
		r.Close()
		return nil, err
	}
	return t, nil
}

// start makes the jobs that come before evaluations: Inquire and Initialise.
func (t *Tire) start() error {
	a := t.args
	a.Switch = t.name.Switch
	if err := t.allocate(); err != nil {
		return err
	}
	t.standing()
	if err := t.call(Inquire); err != nil {
		return err
	}
	t.sizes = a.Sizes
	for _, s := range t.named() {
		if s.size < 0 || s.size > s.largest {
			return fmt.Errorf("it asks for %d places in %s; 0 to %d are possible", s.size, s.name, s.largest)
		}
	}
	for _, list := range []struct {
		places []Place
		option string
		size   int32
	}{{t.name.Outputs, "varinf", t.sizes.Outputs}, {t.name.Contact, "ropar", t.sizes.Road}} {
		for _, p := range list.places {
			if p.At > list.size {
				return fmt.Errorf("%s has %d places in this tire, and %s has place %d; correct the option %s",
					strings.ToUpper(list.option), list.size, p.Quantity, p.At, list.option)
			}
		}
	}
	if err := t.allocate(); err != nil {
		return err
	}
	if err := t.call(Initialise); err != nil {
		return err
	}
	states := t.sizes.States
	if t.name.Angle {
		states++
	}
	t.x, t.dx = make([]float64, states), make([]float64, states)
	for i, v := range t.arrays.Initial {
		if unusable(v) {
			_ = t.call(End)
			return fmt.Errorf("DEQINI(%d) is %v; initial values must be finite", i+1, v)
		}
	}
	if !t.name.Offset {
		copy(t.x, t.arrays.Initial)
	}
	return nil
}

func (t *Tire) allocate() (err error) {
	t.arrays, err = t.routine.Allocate()
	return err
}

// standing are the arguments of a wheel at rest at the origin, for the jobs before there is another.
func (t *Tire) standing() {
	p := tire.Pose{Heading: [3]float64{1, 0, 0}, Normal: [3]float64{0, 0, 1}}
	t.motion.Put(t.args, &p, 1)
	t.pose = p
}

// size is a size with its name and its bound.
type size struct {
	name          string
	size, largest int32
}

// named lists the sizes.
func (t *Tire) named() [6]size {
	s := &t.args.Sizes
	return [...]size{
		{"DEQVAR (NDEQVR)", s.States, 256}, {"TYPARR (NTYPAR)", s.Parameters, largest},
		{"ROPAR (NROPAR)", s.Road, largest},
		{"VARINF (NVARS)", s.Outputs, largest}, {"WRKARR (NWORK)", s.Work, largest},
		{"IWRKAR (NIWORK)", s.Integers, largest},
	}
}

// call makes one job and says what went wrong.
func (t *Tire) call(job Job) error {
	a := t.args
	a.Job, a.Error = int32(job), Fine
	put(a.Model[:], "")
	begin := t.Begin()
	t.routine.Call()
	t.End(begin)
	switch {
	case a.Error == Warning:
		t.warn()
	case a.Error != Fine:
		err := fmt.Errorf("JOBFLG %d returned IERR %d%s", job, a.Error, t.reason())
		if a.Error == Failure && job != Inquire && job != Initialise {
			return fmt.Errorf("%w: %w", err, tire.ErrShorter)
		}
		return err
	}
	if a.Sizes != t.sizes && job != Inquire {
		err := fmt.Errorf("JOBFLG %d changed the sizes of arrays from %+v to %+v; they are fixed by JOBFLG 1", job,
			t.sizes, a.Sizes)
		a.Sizes = t.sizes
		return err
	}
	return nil
}

// reason is the text of a failed job.
func (t *Tire) reason() string {
	if s := text(t.args.Model[:]); s != "" {
		return ": " + s
	}
	return ", without saying why"
}

// warn keeps the text of a warning, each once.
func (t *Tire) warn() {
	if !t.said[t.args.Model] {
		t.said[t.args.Model] = true
		t.warnings = append(t.warnings, fmt.Sprintf("JOBFLG %d returned IERR 1%s", t.args.Job, t.reason()))
	}
}

func unusable(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// ReturnsNormalForce implements tire.NormalForceSource.
func (t *Tire) ReturnsNormalForce() {}

// Memory implements tire.Stateful.
func (t *Tire) Memory() (x, dx []float64) { return t.x, t.dx }

// Place implements tire.PoseReceiver.
func (t *Tire) Place(now float64, p *tire.Pose) { t.args.Time, t.pose = now, *p }

// Accepted implements tire.StepObserver: the evaluation of that time is followed by the job Accept.
func (t *Tire) Accepted(now float64) { t.accepted, t.waiting = now, true }

// Warnings implements tire.WarningSource.
func (t *Tire) Warnings() []string {
	list := t.warnings
	t.warnings = nil
	return list
}

// Fault implements tire.Fallible.
func (t *Tire) Fault() error {
	err := t.fault
	t.fault = nil
	return err
}

// Close ends the routine's work for this tire and gives it back.
func (t *Tire) Close() {
	if t.routine != nil {
		_ = t.call(End) // nobody is left who could do something about it
		t.routine.Close()
		t.routine = nil
	}
}

// Eval maps the intermediates motionInputs, and those of the option ropar, to Fx, Fy, Mx, My, Mz, Fz in axes W.
func (t *Tire) Eval(in, out []float64) {
	if err := t.evaluate(in, out); err != nil {
		if t.fault == nil {
			t.fault = fmt.Errorf("%s: %w", t.name.Routine, err)
		}
		clear(out[:6])
		clear(t.dx)
	}
}

func (t *Tire) evaluate(in, out []float64) error {
	t.motion = Motion{Gamma: in[0], VCx: in[1], VCy: in[2], VCz: -in[3], Wx: in[4], Wz: in[5], Omega: in[6],
		Side: in[7], Depth: in[8]}
	t.motion.Put(t.args, &t.pose, in[9])
	for k, p := range t.name.Contact {
		t.arrays.Road[p.At-1] = in[t.contact[k]]
	}
	if t.name.Angle {
		t.args.Angle = t.x[t.sizes.States]
	}
	copy(t.arrays.States, t.x)
	if err := t.call(Evaluate); err != nil {
		return err
	}
	w := t.motion.Take(t.args)
	results := [...]float64{w.Force[0], w.Force[1], w.Moment[0], w.Moment[1], w.Moment[2], w.Force[2]}
	if i := slices.IndexFunc(results[:], unusable); i >= 0 {
		return fmt.Errorf("FORCES are %v and TORQUE is %v; results must be finite", t.args.Force, t.args.Torque)
	}
	if i := slices.IndexFunc(t.arrays.Rates, unusable); i >= 0 {
		return fmt.Errorf("DEQDER(%d) is %v; results must be finite", i+1, t.arrays.Rates[i])
	}
	if err := t.replace(&results); err != nil {
		return err
	}
	copy(out, results[:])
	copy(t.dx, t.arrays.Rates)
	if t.name.Angle {
		t.dx[t.sizes.States] = t.motion.Omega
	}
	if t.waiting {
		t.waiting = false
		if t.accepted == t.args.Time {
			return t.call(Accept)
		}
	}
	return nil
}

// agreement is the allowed difference of VARINF from FORCES and TORQUE, relative to their size. FORCES and TORQUE are
// rotated and shifted by the arm of the contact; difference quotients alone change this arm by 1e-6 m.
const agreement = 1e-5

// replace takes components from VARINF, which keeps their last bits, and checks that they are
// what FORCES and TORQUE say.
func (t *Tire) replace(results *[6]float64) error {
	if len(t.name.Outputs) == 0 {
		return nil
	}
	size := 1.0
	for _, list := range [...]*[3]float64{&t.args.Force, &t.args.Torque} {
		for _, x := range list {
			size = max(size, math.Abs(x))
		}
	}
	for _, p := range t.name.Outputs {
		i := slices.Index(components, p.Quantity)
		v := t.arrays.Outputs[p.At-1]
		if !(math.Abs(v-results[i]) <= agreement*size) {
			return fmt.Errorf("VARINF(%d) is %g, but %s is %g by FORCES and TORQUE; correct the option varinf", p.At, v,
				p.Quantity, results[i])
		}
		results[i] = v
	}
	return nil
}

var _ = []interface {
	tire.NormalForceSource
	tire.PoseReceiver
	tire.StepObserver
	tire.Stateful
	tire.Fallible
	tire.WarningSource
}{(*Tire)(nil)}

var errEnded = errors.New("the routine was called for a tire that was ended or never initialised")
