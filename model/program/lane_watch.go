package program

import "slices"

// LanePlace is the index of a number of the first lane in the memory of an evaluation; other lanes follow. It is
// negative for a number fixed by parameters.
type LanePlace int32

// Argument, Result, Offered and Watched return the positions, after Derivatives, of the numbers of the Machine methods
// with these names.
func (l *Lanes) Argument(i, k int) LanePlace { return l.placeOf(l.machines[0].arguments[i][k]) }

// Result returns the position of a result.
func (l *Lanes) Result(i, k int) LanePlace { return l.placeOf(l.machines[0].p.returned[i][k]) }

// Offered returns the position of a possible argument of a call.
func (l *Lanes) Offered(i int, name string) LanePlace {
	p := l.machines[0].p
	return l.placeOf(p.arguments[i][slices.Index(p.Calls[i].Inputs, name)])
}

// Watched returns the position of a watched number.
func (l *Lanes) Watched(i int) LanePlace { return l.placeOf(l.machines[0].p.watched[i]) }

func (l *Lanes) placeOf(slot int32) LanePlace {
	index := l.plain.code.layout.index[slot]
	if index < 0 {
		return nowhere
	}
	return LanePlace(index * Width)
}

// Evaluated returns the memory of the latest Derivatives; nil if the machines have evaluated one by one.
func (l *Lanes) Evaluated() []float64 {
	if l.single {
		return nil
	}
	return l.plain.v
}
