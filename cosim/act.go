package cosim

import (
	"math"
	"slices"

	"skidpad/model/program"
)

// act is something that happens between the solver steps of an instance: wheels touch the ground, a run ends. Each act
// has a file and a line in actKinds. Stepping, plans for C, fleets, saved states and the handling of events ask all
// acts the same questions. Every act answers the first five; plainAct answers the others where an act does not.
type act interface {
	// When next? At the end of the first solver step that reaches this time [s]: everyStep, a time, or never.
	next() float64
	// What changes? do is called at the end of a solver step of length h that has led to time t [s]. It finds and changes
	// the states and inputs of the instance. An error undoes the communication step.
	do(t, h float64) error
	// What is saved? A list of finite numbers, always at the same address and of the same length. A reset makes them 0. A
	// communication step that fails leaves them as they were.
	saved() []float64
	// May C do it? "" for yes: list tells C how. Otherwise the reason why every step is made in Go.
	inGo() (why string)
	// May lanes of a fleet do it? "" for yes: do is called lane by lane, if quickLook finds something to do. Otherwise the
	// reason why the instance steps alone.
	alone() (why string)

	// open adopts the settings of texts, once functions have been bound.
	open(texts []string) error
	// constants is called when the numbers that follow from parameters have changed.
	constants()
	// start is called when parameters and start values have been applied, before rates are evaluated.
	start()
	// check rejects invalid parameters and start values, after start.
	check() error
	// begin is called at the beginning of a communication step.
	begin()
	// isEvent reports whether the act has changed something since the last call of seen. Importers that handle events ask.
	isEvent() bool
	seen()
	// allows reports whether the saved numbers can have these values. restored is called after they were replaced.
	allows(saved []float64) bool
	restored()
	// list adds to a listing the data that C needs, and memories, or gives the reason why there can be no listing.
	list(l *Listing, to *program.Listed) (why string)
	// notices are warnings about the state that has been reached.
	notices() []notice
	// quickLook returns a check of all lanes at once, nil if do has to be called in each lane.
	quickLook(lanes *program.Lanes) (laneLook, error)
}

// Answers to act.next.
var (
	everyStep = math.Inf(-1)
	never     = math.Inf(1)
)

// laneLook checks the result of a solver step in all lanes.
type laneLook interface {
	// look reports whether a lane may have something to do, from states and inputs of all lanes at the end of the
	// solver step.
	look(x, u []float64) bool
	// finds reports whether the act of an instance has something to do in its lane.
	finds(in *Instance, lane int) bool
}

// plainAct gives the usual answers. Acts embed it.
type plainAct struct{}

func (plainAct) open([]string) error                        { return nil }
func (plainAct) constants()                                 {}
func (plainAct) start()                                     {}
func (plainAct) check() error                               { return nil }
func (plainAct) begin()                                     {}
func (plainAct) isEvent() bool                              { return false }
func (plainAct) seen()                                      {}
func (plainAct) allows([]float64) bool                      { return true }
func (plainAct) restored()                                  {}
func (plainAct) list(*Listing, *program.Listed) (w string)  { return "" }
func (plainAct) notices() []notice                          { return nil }
func (plainAct) quickLook(*program.Lanes) (laneLook, error) { return nil, nil }

// actKind is an act as a system knows it, before there is an instance.
type actKind struct {
	// changes: the act changes states or inputs. Then importers cannot integrate the states, communication steps are
	// multiples of the solver step, and the act comes before the check for numbers that are not finite. The other acts
	// come after that check.
	changes bool
	in      func(p *program.Program) bool              // whether a program has it
	output  func(p *program.Program, name string) bool // whether this output changes with the act only; nil: none does
	list    func(l *lister)                            // adds variables of its own; nil: it has none
	make    func(in *Instance) act
}

// actKinds lists all acts, in the order of their execution.
var actKinds = []*actKind{wheelContactKind, sampleKind, endKind}

// changesBetweenSteps reports whether a program has acts that change states or inputs.
func changesBetweenSteps(p *program.Program) bool {
	return slices.ContainsFunc(actKinds, func(k *actKind) bool { return k.changes && k.in(p) })
}

// isDiscrete reports whether an output changes with acts only.
func isDiscrete(p *program.Program, name string) bool {
	return slices.ContainsFunc(actKinds, func(k *actKind) bool { return k.output != nil && k.output(p, name) })
}

// queue holds the acts of an instance, in the order of their execution.
type queue []queuedAct

type queuedAct struct {
	act
	changes bool
}

// newQueue makes the acts that the program of an instance has.
func newQueue(in *Instance) (q queue) {
	for _, k := range actKinds {
		if k.in(in.sys.program) {
			q = append(q, queuedAct{k.make(in), k.changes})
		}
	}
	return q
}

// changes reports whether an act changes states or inputs.
func (q queue) changes() bool {
	for i := range q {
		if q[i].changes {
			return true
		}
	}
	return false
}

// actRounding is the tolerance of act times as a fraction of a solver step. It allows for the rounding of times.
const actRounding = 1e-6

// isDue reports whether the time of an act has come at the end t of a solver step of length h.
func (a *queuedAct) isDue(t, h float64) bool { return a.next() <= t+actRounding*h }

// do executes the acts that are due at the end t of a solver step of length h: the acts that change something, or the
// others.
func (q queue) do(changes bool, t, h float64) error {
	for i := range q {
		if a := &q[i]; a.changes == changes && a.isDue(t, h) {
			if err := a.do(t, h); err != nil {
				return err
			}
		}
	}
	return nil
}

// next is the time of the earliest act [s].
func (q queue) next() float64 {
	t := never
	for i := range q {
		t = min(t, q[i].next())
	}
	return t
}
