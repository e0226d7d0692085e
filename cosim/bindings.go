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

// dynamic is a tire function with internal states, which follow the program's
// states in the state vector.
type dynamic struct {
	tire.Stateful
	at   int    // index of its first state
	name string // of the component
}

// bindings are the tire functions of an instance.
type bindings struct {
	functions []tire.Function
	callees   []program.Callee // the functions as the program calls them, with carcasses around them
	bound     []tire.Function  // the functions as they are evaluated, those of one kind together
	kinds     []*tire.Kind
	sources   []string // names of the functions in the texts
	names     []string // of the components, for messages
	dynamics  []dynamic
	fallible  []int // functions that can fail
	placed    []placed
	stepped   []tire.StepObserver
	watched   *watched
	warnings  []string // of parameter files
	states    int      // number of internal states of the functions
	digest    [sha256.Size]byte
	surfaces  []*road.Surface // by terrain
	texts     []string        // the texts that chose the functions
	plain     bool            // only functions of the model file's own parameters: no library, no files
}

// startStates puts the states that functions begin with behind those of the program.
func (b *bindings) startStates(x []float64) {
	for _, d := range b.dynamics {
		own, _ := d.Memory()
		copy(x[d.at:], own)
	}
}

// setStates gives the functions their states.
func (b *bindings) setStates(x []float64) {
	for _, d := range b.dynamics {
		own, _ := d.Memory()
		copy(own, x[d.at:])
	}
}

// rates puts the rates of these states behind those of the program.
func (b *bindings) rates(dx []float64) {
	for _, d := range b.dynamics {
		_, own := d.Memory()
		copy(dx[d.at:], own)
	}
}

// placed is a force function that receives the pose of its wheel.
type placed struct {
	tire.PoseReceiver
	number int // of the force function
}

// join lets functions of the same source know each other.
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

// sendPoses passes the time and the poses of the wheels to force functions.
func (in *Instance) sendPoses(t float64, x []float64) {
	side := in.sides.poses
	if side == nil {
		return
	}
	side.Evaluate(x[:len(in.sys.program.States)], in.continued, nil)
	for _, f := range in.tires.placed {
		p := &in.pose
		for i, v := range [...]*[3]float64{&p.Centre, &p.Heading, &p.Normal} {
			for k := range v {
				v[k] = side.Value(9*f.number + 3*i + k)
			}
		}
		f.Place(t, p)
	}
}

// close releases functions that hold something.
func (b *bindings) close() {
	if b == nil {
		return
	}
	for _, f := range b.functions {
		if c, ok := f.(interface{ Close() }); ok {
			c.Close()
		}
	}
}

// ErrFunction is wrapped by errors of functions of tires and laws outside of this library.
var ErrFunction = errors.New("the function failed")

// fault returns why an evaluation since the last call failed: the error of the first function that failed. The other
// functions are asked, too, so that none of them reports an old error later.
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

// renew notifies the evaluation of a tire's functions that their parameters were replaced.
func (b *bindings) renew(tire string) {
	for i, name := range b.names {
		if name != tire {
			continue
		}
		if c := b.callees[i].Carcass; c != nil {
			_ = c.Renew() // of built-in functions, whose parameters are in order
		}
		lanes.Reload(b.bound[i])
	}
}
