package optimise

import (
	"math"
	"math/rand/v2"
)

// Numbers of differential evolution.
const (
	membersPerVariable = 6
	leastMembers       = 4 // best, two others, and the one that they try to improve
	crossover          = 0.7
	leastFactor        = 0.5 // of differences; the largest is 1
)

// search is differential evolution, best/1/bin (Storn and Price 1997). The trial for a member of a population is best +
// factor (one - other), with the member's value in some variables. The trial replaces the member if it costs no more.
// All trials of a generation are made of the generation before it, so that they can be evaluated side by side with the
// same results.
type search struct {
	low, high   []float64 // bounds by variable
	evaluations int
	seed        uint64
}

// evaluator returns the costs of points; of fewer points with an error that ends the search.
type evaluator func(points [][]float64) (costs []float64, err error)

// run evaluates generations until the number of evaluations is reached.
func (s *search) run(evaluate evaluator) error {
	draw := rand.New(rand.NewPCG(s.seed, 0))
	members := s.first(draw)
	costs, err := evaluate(members[:min(len(members), s.evaluations)])
	if err != nil {
		return err
	}
	for left := s.evaluations - len(members); left > 0; left -= len(members) {
		trials := s.trials(draw, members, costs)
		trials = trials[:min(len(trials), left)]
		tried, err := evaluate(trials)
		if err != nil {
			return err
		}
		for i, cost := range tried {
			if cost <= costs[i] {
				members[i], costs[i] = trials[i], cost
			}
		}
	}
	return nil
}

// first draws the first generation, evenly between the bounds.
func (s *search) first(draw *rand.Rand) [][]float64 {
	members := make([][]float64, max(leastMembers, membersPerVariable*len(s.low)))
	for i := range members {
		members[i] = make([]float64, len(s.low))
		for k := range members[i] {
			members[i][k] = s.low[k] + draw.Float64()*(s.high[k]-s.low[k])
		}
	}
	return members
}

// trials makes one point for each member.
func (s *search) trials(draw *rand.Rand, members [][]float64, costs []float64) [][]float64 {
	best := 0
	for i, cost := range costs {
		if cost < costs[best] {
			best = i
		}
	}
	factor := leastFactor + (1-leastFactor)*draw.Float64()
	trials := make([][]float64, len(members))
	for i, member := range members {
		one, other := twoOthers(draw, len(members), i)
		certain := draw.IntN(len(member)) // this variable changes at least
		trial := make([]float64, len(member))
		for k := range trial {
			trial[k] = member[k]
			if draw.Float64() < crossover || k == certain {
				trial[k] = members[best][k] + factor*(members[one][k]-members[other][k])
				trial[k] = math.Min(math.Max(trial[k], s.low[k]), s.high[k])
			}
		}
		trials[i] = trial
	}
	return trials
}

// twoOthers draws two different numbers below count that are not i.
func twoOthers(draw *rand.Rand, count, i int) (one, other int) {
	one = (i + 1 + draw.IntN(count-1)) % count
	for other = i; other == i || other == one; {
		other = draw.IntN(count)
	}
	return one, other
}
