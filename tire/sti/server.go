package sti

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// served is a tire of ours that a host drives.
type served struct {
	described
	variables variables
	given     []int // places among the variables of what ROPAR holds
}

// Server makes the jobs of a routine whose tires are tire functions of ours. The host keeps
// the number of its tire in IWRKAR(1); WRKARR(1) and WRKARR(2) are its free radius and width.
// Tires may be used from different threads at the same time.
type Server struct {
	mutex sync.Mutex // of those that change the list
	tires atomic.Pointer[[]*served]
}

// outputs of VARINF: the wrench in axes W, then these.
var outputs = []int{vS, vAlpha, vGamma, vRl, vReff}

// lengths are the sizes that a tire asks for.
func (t *served) lengths() Sizes {
	s := Sizes{Road: int32(len(t.ropar)), Outputs: int32(len(components) + len(outputs)), Work: 2, Integers: 1}
	if t.relaxation.function != nil {
		s.States = 2
	}
	return s
}

// Serve makes the job that the arguments ask for. file reads CHTDST. TYRMOD then holds the error message.
func (s *Server) Serve(a *Arguments, r *Arrays, file func() string) {
	a.Error = Fine
	if err := s.serve(a, r, file); err != nil {
		Refuse(a, err)
	}
}

// Refuse says that a job has failed, and why.
func Refuse(a *Arguments, err error) {
	a.Error = Fatal
	put(a.Model[:], err.Error())
}

func (s *Server) serve(a *Arguments, r *Arrays, file func() string) error {
	switch job := Job(a.Job); job {
	case Inquire:
		t, err := read(file())
		if err != nil {
			return err
		}
		a.Sizes = t.lengths()
		return nil
	case Initialise, Again:
		t, err := read(file())
		if err != nil {
			return err
		}
		if err := t.fits(r); err != nil {
			return err
		}
		if job == Again {
			if err := s.end(r); err != nil {
				return err
			}
		}
		clear(r.Initial)
		r.Work[0], r.Work[1] = t.radius, t.width
		r.Integers[0] = s.add(t)
		put(a.Model[:], t.title)
		if t.warning != "" {
			a.Error = Warning
			put(a.Model[:], t.warning)
		}
		return nil
	case End:
		return s.end(r)
	case Evaluate, Difference:
		t, err := s.find(r)
		if err != nil {
			return err
		}
		return t.evaluate(a, r)
	}
	return nil // there is no history, and other jobs are not needed
}

func read(file string) (*served, error) {
	if file == "" {
		return nil, errNoFile
	}
	d, err := readFile(file)
	if err != nil {
		return nil, err
	}
	t := &served{described: *d}
	for _, name := range d.ropar {
		t.given = append(t.given, slices.Index(names, name))
	}
	return t, nil
}

// fits says which array of the host is too short.
func (t *served) fits(r *Arrays) error {
	l := t.lengths()
	for _, x := range [...]struct {
		name       string
		have, need int
	}{
		{"NDEQVR", len(r.States), int(l.States)}, {"NROPAR", len(r.Road), int(l.Road)},
		{"NVARS", len(r.Outputs), int(l.Outputs)},
		{"NWORK", len(r.Work), int(l.Work)}, {"NIWORK", len(r.Integers), int(l.Integers)},
	} {
		if x.have < x.need {
			return fmt.Errorf("%s is %d; this tire needs %d, as it said at JOBFLG 1", x.name, x.have, x.need)
		}
	}
	return nil
}

// add keeps a tire and returns its number.
func (s *Server) add(t *served) int32 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := slices.Clone(s.list())
	at := slices.Index(list, nil)
	if at < 0 {
		at, list = len(list), append(list, nil)
	}
	list[at] = t
	s.tires.Store(&list)
	return int32(at + 1)
}

// list returns the tires by their numbers less one, nil for those that have ended.
func (s *Server) list() []*served {
	if list := s.tires.Load(); list != nil {
		return *list
	}
	return nil
}

// find returns the tire whose number the host keeps.
func (s *Server) find(r *Arrays) (*served, error) {
	list := s.list()
	if len(r.Integers) < 1 || r.Integers[0] < 1 || int(r.Integers[0]) > len(list) || list[r.Integers[0]-1] == nil {
		return nil, errEnded
	}
	return list[r.Integers[0]-1], nil
}

// end forgets a tire.
func (s *Server) end(r *Arrays) error {
	if _, err := s.find(r); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := slices.Clone(s.list())
	list[r.Integers[0]-1] = nil
	s.tires.Store(&list)
	r.Integers[0] = 0
	return nil
}

// evaluate writes FORCES, TORQUE, DEQDER and VARINF.
func (t *served) evaluate(a *Arguments, r *Arrays) error {
	if err := t.fits(r); err != nil {
		return err
	}
	v := &t.variables
	delayed := t.relaxation.function != nil
	if delayed {
		v[vQ1], v[vQ2] = r.States[0], r.States[1]
	}
	f := t.contactOf(a, v, delayed)
	for i, at := range t.given {
		v[at] = r.Road[i]
	}
	v[vDirection] = smoothSign(v[vVCx] / creeping)
	t.force.evaluate(v)
	out := t.force.out
	out[3] = withoutJump(out[3], v[vOmega])
	f.give(a, Wrench{[3]float64{out[0], out[1], v[vFz]}, [3]float64(out[2:5])})
	copy(r.Outputs, out)
	r.Outputs[5] = v[vFz]
	for i, at := range outputs {
		r.Outputs[6+i] = v[at]
	}
	clear(r.Rates)
	if delayed {
		t.relaxation.evaluate(v)
		copy(r.Rates, t.relaxation.out)
	}
	for _, list := range [...][]float64{a.Force[:], a.Torque[:], r.Rates} {
		if slices.ContainsFunc(list, unusable) {
			return errNotFinite
		}
	}
	return nil
}

var errNotFinite = errors.New("the results are not finite; check DIS, TRAMAT, VEL, OMEGA, OMEGAR, DEQVAR and the " +
	"road, whose normal must not be parallel to the wheel's axle")
