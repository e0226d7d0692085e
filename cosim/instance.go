package cosim

import (
	"fmt"

	"skidpad/model/program"
	"skidpad/model/solver"
	"skidpad/tire"
)

// Instance is one running vehicle. It is not safe for concurrent use; instances
// of one System are independent of each other.
type Instance struct {
	sys *System
	phase
	engine
	operatingPoint
	grounds
	touches touches
	tireNumbers
	texts       []string // in the order of the Text variables
	pendingStep stepping
	sensed      sensitivities
	peaks       []peakSearches // by carrier, nil until the first use
	slow        timeLimit
	acts        queue    // between solver steps
	ends        *ends    // one of them
	samples     *samples // another one; nil without samplers
	watch       watch
	heard       []notice        // messages of functions, and of steps that took too long
	unread      []string        // the messages of heard that nobody has read
	plan        *Plan           // for steps outside of Go, nil until the first use or if there can be none
	unplanned   string          // reason why there can be none
	latest      *saved          // the state that was read last
	state       state           // where the instance is
	derived     *RunDerivatives // derivatives of the run, nil for none
}

// phase describes where an instance is between its creation and its end.
type phase struct {
	prepared             bool // parameters, start values and functions have been applied
	initialised          bool
	fresh                bool // y belongs to t, x, u
	known                bool // dx has the next rates of the solver
	externallyIntegrated bool // an importer integrates the states
}

// engine evaluates and integrates; the texts choose its parts.
type engine struct {
	machine      program.Machine
	code         string    // the code that the machine runs, as the text says
	tires        *bindings // nil until the texts have been read
	waiting      *bindings // plain ones that were released, still bound; nil for none
	noticed      []notice  // in files and at the start
	carcassNotes []notice  // of carcasses at the start
	assembled    string    // how the start was changed to satisfy constraints; "" for no change
	// network is the warning about the fastest state of networks; nil where it is not computed yet.
	network *[]notice
	// eigenvalue is the largest, for warnings, with the modes of the wheel contacts that it was computed in; nil modes
	// before
	eigenvalue struct {
		modes     []float64
		magnitude float64
	}
	method        solver.Method
	solver        solver.Solver // nil until the texts have been read
	spare         spare
	linearisation *program.Linearisation // where the solver needs it
	sides         sides
	ledger        ledger
	generation    int // counts changes of parameters and of everything that follows from parameters
}

// operatingPoint holds the values of variables at the time reached.
type operatingPoint struct {
	t         float64
	since     float64 // time since u holds; prescribed motions have continued for it [s]
	settings  [settings]float64
	p         []float64
	u         []float64
	rate      []float64 // of the inputs, between communication points [1/s]
	x, dx     []float64 // of the program, then of tire functions
	y         []float64
	continued []float64 // u at the time of a stage
}

// grounds holds the state of the ground under the wheels.
type grounds struct {
	constants []float64 // that contacts and terrains refer to
	along     []float64 // by wheel contact and tire on terrain: latest position along the road [m]
	reached   []float64 // by tire on terrain: the same in the latest evaluation
	pose      tire.Pose // of the wheel whose function receives its pose
}

// Instantiate makes an instance with the start values of the model file.
func (s *System) Instantiate() (*Instance, error) {
	p := s.program
	inputs, outputs, contacts := len(p.Inputs), len(p.Outputs), len(p.Contacts)
	in := &Instance{
		sys: s,
		operatingPoint: operatingPoint{
			p: make([]float64, len(p.Parameters)), u: make([]float64, inputs), rate: make([]float64, inputs),
			y: make([]float64, outputs), continued: make([]float64, inputs),
		},
		grounds: grounds{
			constants: make([]float64, p.ConstantCount()),
			along:     make([]float64, contacts+len(p.Uneven)), reached: make([]float64, len(p.Uneven)),
		},
		texts: make([]string, len(s.variables)-s.first[Text]), watch: watch{out: make([]float64, 1)},
	}
	in.touches = touches{in: in, on: make([]bool, p.Indicators)}
	in.ledger.in, in.acts = in, newQueue(in)
	in.listState()
	in.Reset()
	return in, nil
}

// Close releases what library tire functions hold. The instance must not be
// used any more.
func (in *Instance) Close() {
	in.derived.End()
	in.tires.close()
}

// System returns the system of the instance.
func (in *Instance) System() *System { return in.sys }

// Time returns the time reached [s].
func (in *Instance) Time() float64 { return in.t }

func (in *Instance) stateName(i int) string {
	if i < len(in.sys.program.States) {
		return in.sys.program.States[i].Name
	}
	if k := i - (len(in.x) - in.ledger.works); k >= 0 {
		return in.ledger.workName(k)
	}
	owner := in.tires.stateful[0]
	for _, d := range in.tires.stateful {
		if d.at <= i {
			owner = d
		}
	}
	return fmt.Sprintf("state %d of the function of %s", i-owner.at+1, owner.name)
}
