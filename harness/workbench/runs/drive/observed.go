package drive

import (
	"fmt"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/signal"
)

// observed is a law with the variables of a vehicle that it reads. The name time is the time.
type observed struct {
	law        *signal.Law
	references []uint32
	read, all  []float64
}

// observe finds what a law reads.
func observe(s Subject, l *signal.Law) (o observed, err error) {
	o = observed{law: l, all: make([]float64, len(l.Reads))}
	var names []string
	for _, name := range l.Reads {
		if name != "time" {
			names = append(names, name)
		}
	}
	o.read = make([]float64, len(names))
	for _, name := range names {
		v, err := s.Find(name)
		if err != nil {
			return o, err
		}
		if v.Kind != library.Number {
			return o, fmt.Errorf("%s is not a number, which a formula could read", name)
		}
		o.references = append(o.references, v.Reference)
	}
	return o, nil
}

// at evaluates the law; t is what it takes for the time [s].
func (o *observed) at(s Subject, t float64) (float64, error) {
	if err := s.Get(o.references, o.read); err != nil {
		return 0, err
	}
	k := 0
	for i, name := range o.law.Reads {
		if o.all[i] = t; name != "time" {
			o.all[i] = o.read[k]
			k++
		}
	}
	return o.law.Value(o.all), nil
}
