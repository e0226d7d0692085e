package view

import (
	"sync"
	"time"
)

// seat is the driver's seat. One viewer at a time has it.
type seat struct {
	mutex sync.Mutex
	by    string    // identity of the driver, "" for nobody
	there bool      // the driver is connected
	left  time.Time // when not
	asked string    // who asks for it
	since time.Time // when it was asked for
}

const (
	returns = 30 * time.Second // within which a driver who has left gets the seat back
	answers = 5 * time.Second  // for a driver to refuse another one
)

func (s *seat) taken() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.by != "" && s.there
}

// has reports whether a viewer has the seat, which takes it if nobody has.
func (s *seat) has(identity string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.pass()
	if s.by == "" || !s.there && (s.by == identity || time.Since(s.left) > returns) {
		s.by, s.there, s.asked = identity, true, ""
	}
	return s.by == identity && s.there
}

// holds reports whether a viewer has the seat, which it does not take.
func (s *seat) holds(identity string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.by == identity && s.there
}

// pass gives the seat to who asked for it, if the driver has not answered.
func (s *seat) pass() {
	if s.asked != "" && time.Since(s.since) > answers {
		s.by, s.there, s.asked = s.asked, true, ""
	}
}

// ask asks for the seat. It reports whether the viewer has it now, or the driver is to be asked.
func (s *seat) ask(identity string) (has bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.pass()
	switch {
	case s.by == identity || s.by == "" || !s.there:
		s.by, s.there, s.asked = identity, true, ""
	case s.asked != identity:
		s.asked, s.since = identity, time.Now()
	}
	return s.by == identity
}

// keep refuses the seat to who asks for it.
func (s *seat) keep(identity string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.by == identity {
		s.asked = ""
	}
}

// leave says that a viewer has gone.
func (s *seat) leave(identity string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.by == identity {
		s.there, s.left = false, time.Now()
	}
	if s.asked == identity {
		s.asked = ""
	}
}
