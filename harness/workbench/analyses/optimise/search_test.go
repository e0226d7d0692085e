package optimise

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// bowl has its least cost, 0, at (0.25, -1, 3); the 3 is a bound.
func bowl(x []float64) float64 {
	return 4*math.Abs(x[0]-0.25) + (x[1]+1)*(x[1]+1) + math.Abs(x[2]-3) + 0.1*math.Abs((x[0]-0.25)*(x[1]+1))
}

var bowlSearch = search{low: []float64{0, -2, 1}, high: []float64{1, 4, 3}, evaluations: 600, seed: 7}

// batches are the points that a search evaluates, by generation, with their costs.
func batches(t *testing.T, s search) (points [][][]float64, costs [][]float64) {
	t.Helper()
	err := s.run(func(batch [][]float64) ([]float64, error) {
		var list []float64
		var copies [][]float64
		for _, x := range batch {
			list, copies = append(list, bowl(x)), append(copies, slices.Clone(x))
		}
		points, costs = append(points, copies), append(costs, slices.Clone(list))
		return list, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return points, costs
}

// A search finds the least cost, also at a bound. It makes all allowed evaluations, within the bounds, and the same
// ones each time; another seed gives other evaluations.
func TestSearchFindsTheLeastCost(t *testing.T) {
	points, costs := batches(t, bowlSearch)
	count, least := 0, math.Inf(1)
	for g, batch := range points {
		for i, x := range batch {
			count++
			least = min(least, costs[g][i])
			for k := range x {
				if !(x[k] >= bowlSearch.low[k] && x[k] <= bowlSearch.high[k]) {
					t.Fatalf("%v is out of bounds", x)
				}
			}
		}
	}
	if count != 600 || least > 1e-3 {
		t.Errorf("the least of %d costs is %g", count, least)
	}
	again, _ := batches(t, bowlSearch)
	for g := range points {
		for i := range points[g] {
			if !slices.Equal(points[g][i], again[g][i]) {
				t.Fatal("two searches with the same seed differ")
			}
		}
	}
	other := bowlSearch
	other.seed, other.evaluations = 8, 7 // fewer than members
	if few, _ := batches(t, other); len(few) != 1 || len(few[0]) != 7 || slices.Equal(few[0][0], points[0][0]) {
		t.Errorf("7 evaluations with another seed are %v", few)
	}
}

// Every trial is best + F (one - other), clipped to the bounds, in at least one variable, and equals the member in the
// remaining variables; F is the same for a generation, between 0.5 and 1; one and other are two other members. Trials
// that cost no more replace members. About 0.7 of the variables change, and one more is certain to.
func TestTrialsAreThoseOfBest1Bin(t *testing.T) {
	points, costs := batches(t, bowlSearch)
	const members, variables = 18, 3
	if len(points[0]) != members {
		t.Fatalf("%d members", len(points[0]))
	}
	population, own := slices.Clone(points[0]), slices.Clone(costs[0])
	changed, all, factors := 0, 0, []float64{}
	for g := 1; g < 8; g++ {
		best := slices.Index(own, slices.Min(own))
		// candidates are the possible factors of one trial; one of them must explain all other trials
		var candidates []float64
		for i, trial := range points[g] {
			some := differences(population, i, trial, population[best])
			if len(some) > 0 {
				candidates = some
				break
			}
		}
		factor := math.NaN()
		for _, f := range candidates {
			if f >= 0.5-1e-9 && f <= 1+1e-9 && !slices.ContainsFunc(seq(members), func(i int) bool {
				return !explained(population, i, points[g][i], population[best], f)
			}) {
				factor = f
			}
		}
		if math.IsNaN(factor) {
			t.Fatalf("generation %d: no factor explains all trials", g)
		}
		factors = append(factors, factor)
		for i, trial := range points[g] {
			different := 0
			for k := range variables - 1 { // in the last one many are at the bound
				if trial[k] != population[i][k] {
					different++
				}
			}
			changed, all = changed+different, all+variables-1
		}
		for i, cost := range costs[g] {
			if cost <= own[i] {
				population[i], own[i] = points[g][i], cost
			}
		}
	}
	if part := float64(changed) / float64(all); math.Abs(part-0.8) > 0.07 { // 0.7 + 0.3/3
		t.Errorf("%.3f of the variables change, 0.8 wanted", part)
	}
	if slices.Max(factors)-slices.Min(factors) < 0.1 {
		t.Errorf("factors %v hardly differ", factors)
	}
}

func seq(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// differences returns the factors that explain a trial in a variable off the bounds.
func differences(population [][]float64, i int, trial, best []float64) (factors []float64) {
	for k, x := range trial {
		if x == population[i][k] || x == bowlSearch.low[k] || x == bowlSearch.high[k] {
			continue
		}
		for a := range population {
			for b := range population {
				if a != b && a != i && b != i && population[a][k] != population[b][k] {
					factors = append(factors, (x-best[k])/(population[a][k]-population[b][k]))
				}
			}
		}
		return factors
	}
	return nil
}

// explained reports whether a trial comes of a factor and two other members.
func explained(population [][]float64, i int, trial, best []float64, factor float64) bool {
	for a := range population {
		for b := range population {
			if a == b || a == i || b == i {
				continue
			}
			good := true
			for k, x := range trial {
				want := best[k] + factor*(population[a][k]-population[b][k])
				want = max(bowlSearch.low[k], min(bowlSearch.high[k], want))
				good = good && (x == population[i][k] || math.Abs(x-want) < 1e-9)
			}
			if good {
				return true
			}
		}
	}
	return false
}

// A search ends with the error of its evaluations.
func TestSearchEndsWithErrors(t *testing.T) {
	failure := errors.New("no")
	calls := 0
	err := bowlSearch.run(func(batch [][]float64) ([]float64, error) {
		if calls++; calls == 3 {
			return nil, failure
		}
		return make([]float64, len(batch)), nil
	})
	if !errors.Is(err, failure) || calls != 3 {
		t.Errorf("%v after %d generations", err, calls)
	}
}
