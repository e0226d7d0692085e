package figures

import "math"

// Battery has the signals of a battery; discharge is positive.
type Battery struct {
	Name                   string
	Charge                 []float64 // state of charge, 0 to 1
	Open, Voltage, Current []float64 // V without and with the current, A
}

// batteryChannels lists the variables of the batteries.
func (r *Record) batteryChannels() (list []Channel) {
	for i := range r.Batteries {
		b := &r.Batteries[i]
		list = append(list, channelsOf(b.Name, []quantity{{"soc", &b.Charge}, {"open_circuit_voltage", &b.Open},
			{"voltage", &b.Voltage}, {"current", &b.Current}})...)
	}
	return list
}

// cycleOptions are the options of a driving cycle.
type cycleOptions struct {
	tolerance float64
}

func (o *cycleOptions) Numbers() []Option {
	return []Option{above0(&o.tolerance, "tolerance", "m/s", "difference from the wanted speed within which a "+
		"cycle counts as followed")}
}

// drivingCycle is how a vehicle follows the wanted speed of the phase "cycle", and what its batteries give for it.
var drivingCycle = Kind{
	Plots:     plotsOfCycle,
	Name:      "driving-cycle",
	Text:      "a wanted speed over time, with the consumption of electric cars",
	New:       func() Options { return new(cycleOptions) },
	Answer:    []string{"consumption", "followed", "distance", "soc_change"},
	Phases:    []string{"cycle"},
	Batteries: true,
	Run: with(func(r *Record, o *cycleOptions) []Figure {
		first, last := r.phase("cycle")
		if first > last {
			return []Figure{figure("consumption", consumptionText, "W.h/km", math.NaN()).or(notReached)}
		}
		over := func(x func(i int) float64) (sum float64) {
			for i := first; i < last; i++ {
				sum += (x(i) + x(i+1)) / 2 * (r.Time[i+1] - r.Time[i])
			}
			return sum
		}
		way := over(func(i int) float64 { return math.Abs(r.Speed[i]) })
		list := r.followed(o.tolerance, first, last)
		list = append(list, figure("distance", "integral of the magnitude of the forward speed", "m", way))
		if len(r.Batteries) == 0 {
			return append(list, figure("consumption", consumptionText, "W.h/km", math.NaN()).or("the vehicle has no battery"))
		}
		var chemical, given, returned, lost float64
		for _, b := range r.Batteries {
			power := func(i int) float64 { return b.Voltage[i] * b.Current[i] }
			chemical += over(func(i int) float64 { return b.Open[i] * b.Current[i] })
			given += over(func(i int) float64 { return max(power(i), 0) })
			returned += over(func(i int) float64 { return max(-power(i), 0) })
			lost += over(func(i int) float64 { return (b.Open[i] - b.Voltage[i]) * b.Current[i] })
		}
		consumption := math.NaN()
		if way > 0 {
			consumption = chemical / way / 3.6
		}
		list = append(list, figure("consumption", consumptionText, "W.h/km", consumption).or("the vehicle stands"),
			figure("energy", "energy that the batteries lose: the integral of the voltage without current times the current",
				"J", chemical),
			figure("energy_given", "energy at the terminals of the batteries while they discharge", "J", given),
			figure("energy_returned", "energy at the terminals of the batteries while they charge", "J", returned),
			figure("energy_lost", "loss within the batteries", "J", lost))
		return append(list, r.charges(first, last)...)
	}),
}

// plotsOfCycle draws the speed with the wanted speed, and the power and the state of charge of each battery.
func plotsOfCycle(runs []*Record, _ Options) []Plot {
	speed := Overlaid(Speed.Title, runs, Time, Speed)
	if len(runs) > 0 {
		speed.Curves = append(speed.Curves, Curve{Label: "wanted", X: runs[0].Time, Y: runs[0].Wanted})
	}
	power := Plot{Title: "Power of the battery", X: speed.X, Y: "at the terminals, kW"}
	charge := Plot{Title: "State of charge", X: speed.X, Y: "state of charge, 1"}
	for run, r := range runs {
		for _, b := range r.Batteries {
			label := ""
			if len(r.Batteries) > 1 {
				label = b.Name
			}
			given := make([]float64, len(b.Current))
			for k := range given {
				given[k] = b.Voltage[k] * b.Current[k] / 1000
			}
			power.Curves = append(power.Curves, Curve{Label: label, Run: run, X: r.Time, Y: given})
			charge.Curves = append(charge.Curves, Curve{Label: label, Run: run, X: r.Time, Y: b.Charge})
		}
	}
	return []Plot{speed, power, charge}
}

const consumptionText = "energy that the batteries lose, by the distance"

// followed are the figures of the difference from the wanted speed.
func (r *Record) followed(tolerance float64, first, last int) []Figure {
	const text = "1 where the difference from the wanted speed stays within the tolerance, otherwise 0 at the first " +
		"time beyond it"
	most, within, left, square := first, 1.0, math.NaN(), 0.0
	for i := first; i <= last; i++ {
		difference := r.Speed[i] - r.Wanted[i]
		square += difference * difference
		if math.Abs(difference) > math.Abs(r.Speed[most]-r.Wanted[most]) {
			most = i
		}
		if math.Abs(difference) > tolerance && within == 1 {
			within, left = 0, r.Time[i]
		}
	}
	return []Figure{
		read("followed", text, "1", within, left),
		read("deviation_max", "largest difference from the wanted speed; negative: too slow", "m/s",
			r.Speed[most]-r.Wanted[most], r.Time[most]),
		figure("deviation_rms", "root mean square of the difference from the wanted speed", "m/s",
			math.Sqrt(square/float64(last+1-first))),
	}
}

// charges are the states of charge of the batteries; several have their names in the figures.
func (r *Record) charges(first, last int) (list []Figure) {
	for _, b := range r.Batteries {
		suffix := ""
		if len(r.Batteries) > 1 {
			suffix = "_" + b.Name
		}
		list = append(list, figure("soc_change"+suffix, "change of the state of charge of "+b.Name, "1",
			b.Charge[last]-b.Charge[first]),
			figure("soc_end"+suffix, "state of charge of "+b.Name+" at the end", "1", b.Charge[last]))
	}
	return list
}
