package library

import (
	"math"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/tests/built"
)

// goTire is skidpad_tire of skidpad_tire.h; what this function does without is blank.
type goTire struct {
	abi, size      uint32
	name           *byte
	_              *byte // text
	inputs         **byte
	inputCount     uint32
	_              uint32 // number of states
	init, evaluate uintptr
	_              [3]uintptr // jacobian, error, free
}

// What the library keeps pointers to has to stay.
var (
	goInputs = [2]*byte{cText("Fz"), cText("alpha")}
	goLinear = goTire{
		abi: 1, size: uint32(unsafe.Sizeof(goTire{})), name: cText("GoLinear"), inputs: &goInputs[0],
		inputCount: uint32(len(goInputs)),
		init: purego.NewCallback(func(_, _ *byte, _ *float64, _ *uintptr, _ *byte,
			_ uintptr) uintptr {
			return 0
		}),
		evaluate: purego.NewCallback(func(n uintptr, _ *uintptr, in, _, out, _ *float64) uintptr {
			inputs, outputs := unsafe.Slice(in, 2*n), unsafe.Slice(out, 5*n)
			for k := range int(n) {
				clear(outputs[5*k : 5*k+5])
				outputs[5*k+1] = -12 * inputs[2*k] * inputs[2*k+1]
			}
			return 0
		}),
	}
)

func cText(s string) *byte { return &append([]byte(s), 0)[0] }

// A tire function that this program has and registers with the library.
func TestAGoProgramGivesItsOwnTireFunction(t *testing.T) {
	library, err := Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	handle, err := openLibrary(library.Path)
	if err != nil {
		t.Fatal(err)
	}
	address, err := symbol(handle, "skidpad_register_tire")
	if err != nil {
		t.Fatal(err)
	}
	var register func(tire *goTire, reason *byte, capacity int64) int32
	purego.RegisterFunc(&register, address)
	reason := make([]byte, 256)
	if s := register(&goLinear, &reason[0], int64(len(reason))); s != 0 {
		t.Fatalf("status %d: %s", s, reason)
	}
	if register(&goLinear, &reason[0], int64(len(reason))) == 0 {
		t.Error("a name is registered twice")
	}
	v, err := library.Load(built.Model("skidder"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for _, s := range statements.FitFourTires("GoLinear", "") {
		if err := v.SetText(s.Name, s.Value); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.SetNamed("articulation.angle", 0.02); err != nil {
		t.Fatal(err)
	}
	if err := v.Initialise(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if err := v.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	names, err := v.References("tire_FL.Fz", "tire_FL.alpha", "tire_FL.Fy", "tire_FL.Fx")
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 4)
	if err := v.Get(names, got); err != nil {
		t.Fatal(err)
	}
	if want := -12 * got[0] * got[1]; !(math.Abs(got[2]-want) <= 1e-9*math.Abs(want)) || got[3] != 0 ||
		!(math.Abs(want) >= 1) {
		t.Errorf("Fy = %g N, want %g; Fx = %g", got[2], want, got[3])
	}
}
