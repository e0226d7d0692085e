package cosim

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"skidpad/model/lanes"
	"skidpad/model/program"
	"skidpad/model/road"
	"skidpad/tire"
)

// statefulFunction is a tire function with internal states, which follow the program's
// states in the state vector.
type statefulFunction struct {
	tire.Stateful
	at   int    // index of its first state in the state vector
	name string // of the tire component
}

// bindings are the tire functions of an instance.
type bindings struct {
	functions []tire.Function
	callees   []program.Callee // the functions as the program calls them, with the carcasses that wrap them
	bound     []tire.Function  // the functions as the machine evaluates them: in groups, where possible
	kinds     []*tire.Kind
	sources   []string // names of the functions, from the texts
	names     []string // of the components, for messages
	stateful  []statefulFunction
	fallible  []int // indices of the functions that can fail
	receivers []poseReceiver
	observers []tire.StepObserver
	watched   *watched
	warnings  []string // of parameter files
	states    int      // number of internal states of the functions
	digest    [sha256.Size]byte
	surfaces  []*road.Surface // by terrain
	texts     []string        // values of the String variables that chose the functions
	plain     bool            // the same texts would make the same functions again, see isPlain

	controllers []*controller   // functions of samplers
	opened      []tire.Function // all functions, those of controllers last
}

// startStates copies the initial internal states of the functions into the state vector, behind the program's states.
func (b *bindings) startStates(x []float64) {
	for _, d := range b.stateful {
		own, _ := d.Memory()
		copy(x[d.at:], own)
	}
}

// setStates copies the internal states from the state vector to the functions.
func (b *bindings) setStates(x []float64) {
	for _, d := range b.stateful {
		own, _ := d.Memory()
		copy(own, x[d.at:])
	}
}

// rates copies the rates of the internal states into dx, behind the rates of the program's states.
func (b *bindings) rates(dx []float64) {
	for _, d := range b.stateful {
		_, own := d.Memory()
		copy(dx[d.at:], own)
	}
}

// poseReceiver is a force function that receives the pose of its wheel.
type poseReceiver struct {
	tire.PoseReceiver
	wheel int // index among the calls that have a wheel
}

// join passes all functions of one name to the Join of their kind, so that they know each other.
func (b *bindings) join() error {
	done := map[string]bool{}
	for i, k := range b.kinds {
		if k.Join == nil || done[b.sources[i]] {
			continue
		}
		done[b.sources[i]] = true
		var together []tire.Function
		for j, source := range b.sources {
			if source == b.sources[i] {
				together = append(together, b.functions[j])
			}
		}
		if err := k.Join(together); err != nil {
			return err
		}
	}
	return nil
}

// sendPoses passes the time and the poses of the wheels to the force functions that receive them.
func (in *Instance) sendPoses(t float64, x []float64) {
	side := in.sides.poses
	if side == nil {
		return
	}
	side.Evaluate(x[:len(in.sys.program.States)], in.continued, nil)
	for _, f := range in.tires.receivers {
		p := &in.pose
		for i, v := range [...]*[3]float64{&p.Centre, &p.Heading, &p.Normal} {
			for k := range v {
				v[k] = side.Value(9*f.wheel + 3*i + k)
			}
		}
		f.Place(t, p)
	}
}

// close closes the functions that hold resources.
func (b *bindings) close() {
	if b == nil {
		return
	}
	for _, f := range b.opened {
		if c, ok := f.(interface{ Close() }); ok {
			c.Close()
		}
	}
}

// ErrFunction is wrapped by errors of tire functions and laws that this library does not evaluate itself.
var ErrFunction = errors.New("the function failed")

// fault returns why evaluations since the last call of fault failed: the error of the first function that failed. fault
// collects the errors of the other functions, too, so that none of them reports an old error later.
func (b *bindings) fault() (first error) {
	for _, i := range b.fallible {
		if err := b.functions[i].(tire.Fallible).Fault(); err != nil && first == nil {
			first = fmt.Errorf("%s: %w: %w", b.names[i], ErrFunction, err)
		}
	}
	return first
}

// ignoreFaults discards errors of evaluations that are not part of the run.
func (b *bindings) ignoreFaults() {
	for _, i := range b.fallible {
		b.functions[i].(tire.Fallible).Fault()
	}
}

// renew updates the carcass and the evaluation of a tire's functions after their parameters were replaced.
func (b *bindings) renew(tire string) {
	for i, name := range b.names {
		if name != tire {
			continue
		}
		if c := b.callees[i].Carcass; c != nil {
			_ = c.Renew() // no error: the functions are built-in, and their parameters valid
		}
		lanes.Reload(b.bound[i])
	}
}
