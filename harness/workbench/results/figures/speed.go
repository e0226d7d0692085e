package figures

import "math"

// speedOptions are the options of changes of speed.
type speedOptions struct {
	from, to float64
}

func (o *speedOptions) Numbers() []Option {
	return []Option{
		number(&o.from, "from", "m/s", "speed before the phase up, and wanted in the phase down"),
		number(&o.to, "to", "m/s", "speed that is wanted in the phase up"),
	}
}

// speedChanges is how a vehicle follows jumps of the wanted speed in the phases "up" and "down".
var speedChanges = Kind{
	Plots:  overTime(Speed),
	Name:   "speed-changes",
	Text:   "a wanted speed that jumps up and down",
	New:    func() Options { return new(speedOptions) },
	Answer: []string{"overshoot_up", "overshoot_down", "rise_up", "rise_down"},
	Phases: []string{"up", "down"},
	Run: with(func(r *Record, o *speedOptions) (list []Figure) {
		const share = 0.9
		for _, c := range []struct {
			phase, before, after string
			from, to             float64
		}{{"up", "from", "to", o.from, o.to}, {"down", "to", "from", o.to, o.from}} {
			over, rise := "overshoot_"+c.phase, "rise_"+c.phase
			overText := "largest difference beyond the wanted speed in the phase " + c.phase
			riseText := "time from the beginning of the phase " + c.phase + " to 0.9 of the change of the wanted speed"
			first, last := r.phase(c.phase)
			if first > last {
				list = append(list, figure(over, overText, "m/s", math.NaN()).or(notReached))
				continue
			}
			way := mapped(r.Speed, func(v float64) float64 { return (v - c.from) / (c.to - c.from) })
			most := first
			for i := first; i <= last; i++ {
				if way[i] > way[most] {
					most = i
				}
			}
			list = append(list,
				read(over, overText, "m/s", max(way[most]-1, 0)*math.Abs(c.to-c.from), r.Time[most]).or("from equals to"),
				figure(rise, riseText, "s", rising(r.Time, way, share, first, last)-r.Time[first]).
					or("the vehicle does not reach this speed"),
				figure("deviation_"+c.phase, "difference from the wanted speed at the end of the phase "+c.phase, "m/s",
					r.Speed[last]-c.to))
		}
		return list
	}),
}
