package program

import "slices"

// LanePlace is where a number stands in the memory that lanes evaluate in, side by side for all lanes; negative where
// parameters fix it.
type LanePlace int32

// Argument, Result, Offered and Watched tell where the numbers that Machine has by these names stand after Derivatives.
func (l *Lanes) Argument(i, k int) LanePlace { return l.placeOf(l.machines[0].arguments[i][k]) }

// Result is that of a result.
func (l *Lanes) Result(i, k int) LanePlace { return l.placeOf(l.machines[0].p.returned[i][k]) }

// Offered is that of an argument that a call offers.
func (l *Lanes) Offered(i int, name string) LanePlace {
	p := l.machines[0].p
	return l.placeOf(p.arguments[i][slices.Index(p.Calls[i].Inputs, name)])
}

// Watched is that of a number that is watched.
func (l *Lanes) Watched(i int) LanePlace { return l.placeOf(l.machines[0].p.watched[i]) }

func (l *Lanes) placeOf(slot int32) LanePlace {
	place := l.plain.code.layout.place[slot]
	if place < 0 {
		return nowhere
	}
	return LanePlace(place * Width)
}

// Evaluated is the memory of the latest Derivatives; nil where the machines have evaluated one by one.
func (l *Lanes) Evaluated() []float64 {
	if l.single {
		return nil
	}
	return l.plain.v
}
