package animation

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/web"
	"skidpad/model/vehicle"
)

// The script of pages carries out the operations of all shipped models as Go does.
func TestPagesPlaceFramesAsGoDoesInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	files, err := filepath.Glob("../../../../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	type one struct {
		File      string
		Placement *Placement
		Values    []float64
		Want      [][7]float64
	}
	var all []one
	random := rand.New(rand.NewPCG(7, 8))
	for _, file := range append(files, "chain.toml") {
		m, err := vehicle.Parse([]byte(chain), file, nil)
		if file != "chain.toml" {
			m, err = vehicle.Read(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, bodies := range []bool{true, false} {
			values, p := randomlyPlaced(m, bodies, random)
			if p == nil {
				continue // nothing to draw
			}
			all = append(all, one{file, p.Placement, values, p.Poses})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte("<!doctype html><title>Frames</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("(() => {\n%s\nreturn %s.map(x => new Skidpad.Placement(x.Placement).place(x.Values)"+
		".slice(0, x.Want.length).map(p => [...p])) })()", web.Own("namespace", "motion", "placement"), text)
	var got [][][7]float64
	if err := browser.Visit(path, 800, chromedp.Evaluate(script, &got)); err != nil {
		t.Fatal(err)
	}
	for i, x := range all {
		for frame, want := range x.Want {
			for k := range want {
				if math.Abs(got[i][frame][k]-want[k]) > 1e-12 {
					t.Fatalf("%s: %s is at %v in the page, at %v in Go", x.File, x.Placement.Frames[frame], got[i][frame], want)
				}
			}
		}
	}
	if len(all) < 60 {
		t.Errorf("%d vehicles only", len(all))
	}
}
