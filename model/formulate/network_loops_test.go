package formulate_test

import (
	"fmt"
	"strings"
	"testing"
)

// Capacities in series under a voltage that grows by 3 V/s have one current, 3 V/s times the capacity of the series.
// Inductances that meet in a node with a current that grows by 3 A/s have one voltage, and share the current by 1/L.
// Both have five storages with states, and one without.
func TestLongLoopsAndCutsets(t *testing.T) {
	const n = 6
	inverse, capacities, inductances := 0.0, new(strings.Builder), new(strings.Builder)
	capacities.WriteString("u = { type = \"voltage-source\", to = \"n0\", voltage = \"3*time\" }\n")
	inductances.WriteString("i = { type = \"current-source\", to = \"hub\", current = \"3*time\" }\n")
	for k := 1; k <= n; k++ {
		inverse += 1 / float64(k)
		end := fmt.Sprintf("n%d", k)
		if k == n {
			end = "ground"
		}
		fmt.Fprintf(capacities, "c%d = { type = \"capacitor\", from = \"n%d\", to = %q, capacitance = %d }\n", k, k-1, end, k)
		fmt.Fprintf(inductances, "l%d = { type = \"inductor\", from = \"hub\", inductance = %d }\n", k, k)
	}
	const head = "name = \"loop\"\n[component]\n"
	charged := runOf(t, head+capacities.String(), 0.01, 2)[0]
	shared := runOf(t, head+inductances.String(), 0.01, 2)[0]
	for k := 1; k <= n; k++ {
		c, l := fmt.Sprintf("c%d", k), fmt.Sprintf("l%d", k)
		expectAt(t, charged[c+".current"], 3/inverse, 1e-12, "current of "+c)
		expectAt(t, charged[c+".voltage"], 6/inverse/float64(k), 1e-12, "voltage of "+c)
		expectAt(t, shared[l+".voltage"], 3/inverse, 1e-12, "voltage of "+l)
		expectAt(t, shared[l+".current"], 6/inverse/float64(k), 1e-12, "current of "+l)
	}
}
