package standalone

import (
	"os/exec"
	"testing"

	"skidpad/harness/tests/testrun"
)

// Calls in any order, with any numbers, end without a fault. A failed step changes nothing. Bytes that are not a saved
// state are rejected; a restored state equals the saved state.
func TestCallsInAnyOrder(t *testing.T) {
	testrun.Slow(t)
	builds := testrun.Either([]string{"gcc -O1 -march=native"}, []string{
		"gcc -O2 -march=native", "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -ftrapv"})
	for _, model := range testrun.Either([]string{"skidder"}, []string{"skidder", "motorcycle3d"}) {
		folder, _ := withMethods(t, model, "euler", "rk4")
		for _, compiler := range builds {
			program := compiledWith(t, folder, "calls", compiler)
			if out, err := exec.Command(program, testrun.Either("5000", "1000000")).CombinedOutput(); err != nil {
				t.Errorf("%s, %s: %v: %.2000s", model, compiler, err, out)
			}
		}
	}
}
