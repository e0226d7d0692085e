package formulate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// ladder is a chain of n links after a source, with a capacity at its end where wanted. Link k has the text with the
// nodes before and behind it.
func ladder(n int, link string, end bool) string {
	var b strings.Builder
	b.WriteString("name = \"ladder\"\n[component]\nu = { type = \"voltage-source\", to = \"n0\", voltage = \"input\" }\n")
	for k := 1; k <= n; k++ {
		b.WriteString(strings.NewReplacer("#", fmt.Sprint(k), "<", fmt.Sprintf("\"n%d\"", k-1), ">",
			fmt.Sprintf("\"n%d\"", k)).Replace(link))
	}
	if end {
		fmt.Fprintf(&b, "end = { type = \"capacitor\", from = \"n%d\", capacitance = 3 }\n", n)
	}
	return b.String()
}

// The operations of a step grow linearly with the length of a chain: from one length to the next by as much per link.
func TestChainsCostLinearly(t *testing.T) {
	for name, link := range map[string]string{
		"capacities in series": `d# = { type = "capacitor", from = <, to = >, capacitance = 2 }
`,
		"capacities": `r# = { type = "resistor", from = <, to = >, resistance = 1 }
c# = { type = "capacitor", from = >, capacitance = 1 }
`,
		"inductances": `l# = { type = "inductor", from = <, to = >, inductance = 1 }
g# = { type = "resistor", from = >, resistance = 2 }
`,
		"resistances": `r# = { type = "resistor", from = <, to = >, resistance = 1 }
g# = { type = "resistor", from = >, resistance = 2 }
`,
		"capacities between": `r# = { type = "resistor", from = <, to = >, resistance = 1 }
c# = { type = "capacitor", from = <, to = >, capacitance = 1 }
`,
		"loops of capacities": `d# = { type = "capacitor", from = <, to = >, capacitance = 2 }
c# = { type = "capacitor", from = >, capacitance = 1 }
r# = { type = "resistor", from = >, resistance = 1 }
`,
		"converters": `m# = { type = "converter", supply = [<, "ground"], load = ["m#", "ground"], ratio = 0.5 }
r# = { type = "resistor", from = "m#", to = >, resistance = 1 }
c# = { type = "capacitor", from = >, capacitance = 1 }
`,
	} {
		end := name == "capacities in series" || !strings.Contains(link, "capacitor")
		t.Run(name, func(t *testing.T) {
			var costs []int
			lengths := testrun.Either([]int{10, 20, 40}, []int{25, 50, 100, 200})
			for _, n := range lengths {
				m, err := vehicle.Parse([]byte(ladder(n, link, end)), "network.toml", bounded.Kind.Read)
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				p, err := formulate.Program(m, formulate.Options{})
				if err != nil {
					t.Fatal(err)
				}
				costs = append(costs, p.RateCost.Total())
				t.Logf("%d links: %d operations of the rates, formulated in %v", n, costs[len(costs)-1], time.Since(begin))
			}
			for k := 2; k < len(costs); k++ {
				before := float64(costs[k-1]-costs[k-2]) / float64(lengths[k-1]-lengths[k-2])
				if own := float64(costs[k]-costs[k-1]) / float64(lengths[k]-lengths[k-1]); own > 1.01*before {
					t.Errorf("%d to %d links cost %g operations each, %g before", lengths[k-1], lengths[k], own, before)
				}
			}
		})
	}
}
