package manoeuvre

import (
	"math"
	"reflect"
	"testing"

	"skidpad/harness/tests/built"
)

// Manoeuvres of a file are independent: a manoeuvre with other constants leaves earlier and later ones unchanged, and
// the car's file applies once in each.
func TestManoeuvresOfAFileAreIndependent(t *testing.T) {
	file, err := Open(shipped(t, "passenger_car"), built.Manoeuvre("rough_road"))
	if err != nil {
		t.Fatal(err)
	}
	with := func(others ...ConstantValue) *Manoeuvre {
		m, err := file.With(others...)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	speed := func(m *Manoeuvre) float64 {
		for _, c := range m.Constants {
			if c.Name == "speed" {
				return c.Value
			}
		}
		t.Fatalf("there is no speed among %v", m.Constants)
		return 0
	}
	first := with()
	if n := len(first.KeyFigures.Corners); n != 4 {
		t.Errorf("%d corners of the suspension", n)
	}
	if other := with(ConstantValue{Name: "speed", Value: 13}); speed(other) != 13 || speed(first) == 13 {
		t.Errorf("speeds %g and %g", speed(other), speed(first))
	}
	again := with()
	if !reflect.DeepEqual(first.Constants, again.Constants) || !reflect.DeepEqual(first.Start, again.Start) ||
		!reflect.DeepEqual(first.Steering, again.Steering) || !reflect.DeepEqual(first.KeyFigures, again.KeyFigures) ||
		len(first.Phases) != len(again.Phases) || math.Abs(first.Duration-again.Duration) > 0 {
		t.Errorf("first %+v, then %+v", first, again)
	}
}
