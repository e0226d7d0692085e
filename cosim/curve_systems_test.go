package cosim

import (
	"runtime"
	"testing"

	"skidpad/model/vehicle"
)

// Instances on different threads that ask for the same files of curves at once share one system: the second waits until
// the first has made it.
func TestASystemOfCurvesIsMadeOnce(t *testing.T) {
	s, err := Load("../resources/models/point_pendulum.toml", Options{})
	if err != nil {
		t.Fatal(err)
	}
	type found struct {
		system *System
		err    error
	}
	content, results := []byte("the files"), make(chan found, 2)
	ask := func(read func() (*vehicle.Model, error)) {
		system, err := s.curves.find(content, read)
		results <- found{system, err}
	}
	inside, started, again, ready := make(chan bool), make(chan bool), make(chan bool), make(chan bool)
	go ask(func() (*vehicle.Model, error) {
		close(inside)
		<-ready
		return s.model, nil
	})
	<-inside
	go func() {
		close(started)
		ask(func() (*vehicle.Model, error) {
			close(again)
			return s.model, nil
		})
	}()
	<-started
	second := false
	for n := 0; n < 10000 && !second; n++ { // as often as the second could begin
		select {
		case <-again:
			second = true
		default:
			runtime.Gosched()
		}
	}
	close(ready)
	a, b := <-results, <-results
	if a.err != nil || b.err != nil {
		t.Fatal(a.err, b.err)
	}
	if second || a.system != b.system || len(s.curves.made) != 1 {
		t.Errorf("the model was read again: %v; the same system: %v; %d are kept", second, a.system == b.system,
			len(s.curves.made))
	}
}
