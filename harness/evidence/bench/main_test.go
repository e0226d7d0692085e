package bench

import (
	"testing"

	"skidpad/harness/tests/built"
)

func TestMain(m *testing.M) { built.Main(m) }
