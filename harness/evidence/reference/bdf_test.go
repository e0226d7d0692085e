package reference

import (
	"math"
	"strings"
	"testing"
)

// A step that has become no number ends the run: no shorter step would help.
func TestNaNStepEndsTheRun(t *testing.T) {
	b := &bdf{t: 1, h: math.NaN(), tolerance: 1e-6}
	if err := b.advance(2); err == nil || !strings.Contains(err.Error(), "no step is short enough") {
		t.Errorf("error %v", err)
	}
}
