package report

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/plots"
)

// read has the texts of a page's plots.
type read struct {
	Places   []string   // where the cursor of each plot is
	Values   [][]string // of its curves
	Pressed  [][]string // whether they are shown
	From, To []float64  // the range of x
	Inked    []int      // pixels that have the colour of the first plot's curves and lines
	Text     string     // of the focused element
	Rest     []bool     // whether all is seen
}

const readPlots = `(() => {
  const all = [...document.querySelectorAll('.plot')], texts = (e, s) => [...e.querySelectorAll(s)].map(e => e.textContent);
  const number = (e, name) => Number(e.querySelector('.u-over').getAttribute('aria-value' + name));
  const ink = (canvas, r, g, b) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const d = copy.getImageData(0, 0, canvas.width, canvas.height).data;
    let n = 0;
    for (let i = 0; i < d.length; i += 4) if (Math.abs(d[i] - r) + Math.abs(d[i + 1] - g) + Math.abs(d[i + 2] - b) < 60
      && d[i + 3] > 150) n++;
    return n;
  };
  const canvas = document.querySelector('.plot canvas');
  return { Places: all.map(e => e.querySelector('.plot-place').textContent), Values: all.map(e => texts(e, '.plot-value')),
    Pressed: all.map(e => [...e.querySelectorAll('.plot-key')].map(b => b.getAttribute('aria-pressed'))),
    From: all.map(e => number(e, 'min')), To: all.map(e => number(e, 'max')),
    Inked: [ink(canvas, 0, 0x72, 0xb2), ink(canvas, 0xd5, 0x5e, 0), ink(canvas, 0x55, 0x5b, 0x63)],
    Text: document.activeElement.getAttribute('aria-valuetext') || document.activeElement.textContent,
    Rest: all.map(e => e.querySelector('.plot-tools button').disabled) };
})()`

// numberIn is the number in "time 1.25 s".
func numberIn(t *testing.T, text string) float64 {
	t.Helper()
	for _, word := range strings.Fields(text) {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			return v
		}
	}
	t.Errorf("no number in %q", text)
	return math.NaN()
}

// at moves the pointer to a share of the width and height of a plot, and presses, holds or releases its button.
func at(plot int, kind input.MouseType, x, y float64, more ...chromedp.MouseOption) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		var box struct{ X, Y, W, H float64 }
		if err := chromedp.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelectorAll('.plot .u-over')[%d];
			e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect();
			return { X: r.x, Y: r.y, W: r.width, H: r.height }; })()`, plot), &box).Do(ctx); err != nil {
			return err
		}
		if err := chromedp.MouseEvent(kind, box.X+x*box.W, box.Y+y*box.H, more...).Do(ctx); err != nil {
			return err
		}
		return drawn(ctx)
	})
}

// drawn waits until the page has been drawn twice.
func drawn(ctx context.Context) error {
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	return chromedp.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`,
		nil, await).Do(ctx)
}

// asked is a page of plots over time, with two panels and of a path.
func asked() *Page {
	circle := Curve{Label: "circle", X: make([]float64, 361), Y: make([]float64, 361)}
	for i := range circle.X {
		circle.Y[i], circle.X[i] = math.Sincos(float64(i) * math.Pi / 180)
	}
	time := Axis{Label: "time, s"}
	return &Page{Title: "Plots", Sections: []Section{{Title: "Figures", Blocks: []Block{&Grid{Plots: []*Plot{
		{Title: "long", X: time, Y: Axis{Label: "yaw rate, deg/s"}, Curves: []Curve{wave("one", 20_001, 0),
			wave("two", 101, 0.5)}, Lines: []Line{{X: []float64{0, 10}, Y: []float64{1.2, 1.2}, Label: "limit"},
			{X: []float64{0, 10}, Y: []float64{-0.7, -0.7}, Label: "limit"}}},
		{Title: "panels", X: time, Y: Axis{Label: "y, m"}, Difference: &Axis{Label: "difference, m"},
			Curves: []Curve{wave("ours", 201, 2), wave("theirs", 201, 2.25)}},
		{Title: "way", X: Axis{Label: "x, m"}, Y: Axis{Label: "y, m"}, EqualScales: true, Curves: []Curve{circle,
			{Label: "chord", X: []float64{-0.5, 0.5}, Y: []float64{0.1, 0.1}}}},
	}}}}}}
}

// A reader hovers, zooms, switches curves, copies and prints, with the pointer and with the keyboard.
func TestPlotsAnswerInChromium(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	path, _ := write(t, asked())
	var complaints []string
	var hovered, left, first, next, switched, back, dragged, reset, near, alone, onPath read
	var stepped, again, nearer, whole, hidden, unlined read
	var table, picked, marked, apart, attributes, onScreen, bare, printed string
	var ticks [][]float64
	ranges := [][2]float64{{0, 10}, {0, 6}, {0.4, 6.8}, {0.1, 8.6},
		{-3e-8, 7e-8}, {19.9994, 20.0011}, {-1234.5, 812}, {1e6, 5e6}}
	var asks []string
	for _, r := range ranges {
		asks = append(asks, fmt.Sprintf("Skidpad.plots.ticks(%g, %g)", r[0], r[1]))
	}
	look := func(into *read) chromedp.Action { return chromedp.Evaluate(readPlots, into) }
	focus := func(script string) chromedp.Action { return chromedp.Evaluate(script+".focus()", nil) }
	err := browser.Visit(path, 1280,
		chromedp.ActionFunc(func(ctx context.Context) error {
			chromedp.ListenTarget(ctx, func(event any) {
				switch e := event.(type) {
				case *runtime.EventExceptionThrown:
					complaints = append(complaints, e.ExceptionDetails.Error())
				case *runtime.EventConsoleAPICalled:
					complaints = append(complaints, string(e.Type))
				case *log.EventEntryAdded:
					complaints = append(complaints, e.Entry.Text)
				}
			})
			return log.Enable().Do(ctx)
		}),
		chromedp.Reload(), chromedp.Poll(`document.querySelectorAll('.u-over').length === 4`, nil),
		chromedp.ActionFunc(drawn),
		at(0, input.MouseMoved, 0.4, 0.5), look(&hovered),
		at(0, input.MouseMoved, 0.4, -2), look(&left),
		focus(`document.querySelector('.plot .u-over')`), chromedp.KeyEvent(kb.Home), look(&first),
		chromedp.KeyEvent(kb.ArrowRight), look(&next),
		focus(`document.querySelectorAll('.u-over')[1]`), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent(kb.ArrowRight), look(&stepped), chromedp.KeyEvent(kb.ArrowLeft), look(&again),
		chromedp.KeyEvent("+"), look(&nearer), chromedp.KeyEvent("0"), look(&whole), chromedp.KeyEvent(kb.Escape),
		look(&hidden), chromedp.Evaluate(seenSVG, &onScreen),
		chromedp.Click(".plot-key:nth-child(3)", chromedp.ByQuery), chromedp.ActionFunc(drawn), look(&unlined),
		focus(`document.querySelectorAll('.plot-key')[1]`), chromedp.KeyEvent(" "), chromedp.ActionFunc(drawn),
		look(&switched), chromedp.KeyEvent(kb.Enter), chromedp.ActionFunc(drawn), look(&back),
		at(1, input.MousePressed, 0.3, 0.5, chromedp.ButtonLeft), at(1, input.MouseMoved, 0.6, 0.6, chromedp.ButtonLeft),
		at(1, input.MouseReleased, 0.6, 0.6, chromedp.ButtonLeft), look(&dragged),
		at(1, input.MousePressed, 0.5, 0.5, chromedp.ButtonLeft), at(1, input.MouseReleased, 0.5, 0.5, chromedp.ButtonLeft),
		at(1, input.MousePressed, 0.5, 0.5, chromedp.ButtonLeft, chromedp.ClickCount(2)),
		at(1, input.MouseReleased, 0.5, 0.5, chromedp.ButtonLeft, chromedp.ClickCount(2)), look(&reset),
		at(3, input.MouseMoved, 0.5, 0.05), look(&near),
		focus(`document.querySelectorAll('.u-over')[3]`), chromedp.KeyEvent(kb.ArrowRight), look(&onPath),
		chromedp.KeyEvent(kb.ArrowDown), look(&alone),
		chromedp.Evaluate(`navigator.clipboard.writeText = async text => { window.copied = text; }`, nil),
		chromedp.Click(".plot-tools button:last-child", chromedp.ByQuery),
		chromedp.Poll(`window.copied`, &table),
		chromedp.Evaluate("["+strings.Join(asks, ", ")+"]", &ticks),
		chromedp.Evaluate(`(() => {
			const host = document.querySelector('main').appendChild(document.createElement('div'));
			window.live = Skidpad.plots.line(host, { title: 'live', x: [0, 1, 2, 3, 4], xLabel: 'time, s', sync: 'other',
				curves: [{ name: 'a', unit: 'm', values: [0, 0, 0, 16, 16], starts: [0, 3] }],
				onPick: x => { window.picked = x; } });
		})()`, nil), chromedp.ActionFunc(drawn),
		at(4, input.MousePressed, 0.74, 0.5, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		at(4, input.MouseReleased, 0.74, 0.5, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.Evaluate(`String(window.picked)`, &picked),
		chromedp.Evaluate(`(() => { const over = document.querySelectorAll('.u-over')[4], m = over.querySelector('.plot-mark');
			const seen = x => { live.mark(x); return m.checkVisibility() ? Math.round(100 * (m.getBoundingClientRect().x -
				over.getBoundingClientRect().x) / over.clientWidth) : 'none'; };
			return [seen(3), seen(5), seen(0), seen(null)].join(); })()`, &marked),
		chromedp.Evaluate(`(() => { // between two pieces there is no value and no ink
			live.show(2.5);
			const gap = document.querySelectorAll('.plot')[4].querySelector('.plot-value').textContent;
			const canvas = document.querySelectorAll('.plot canvas')[4], copy = new OffscreenCanvas(canvas.width, canvas.height)
				.getContext('2d', { willReadFrequently: true });
			copy.drawImage(canvas, 0, 0);
			const d = copy.getImageData(0, 0, canvas.width, canvas.height).data, rows = new Set();
			for (let i = 0; i < d.length; i += 4) if (Math.abs(d[i]) + Math.abs(d[i + 1] - 0x72) + Math.abs(d[i + 2] - 0xb2) < 60
				&& d[i + 3] > 200) rows.add(Math.floor(i / 4 / canvas.width));
			return gap + (rows.size > 0 && rows.size < 20 ? ' apart' : ' joined over ' + rows.size + ' rows'); })()`, &apart),
		chromedp.Evaluate(`live.look([-1.25e-9, 1e5]); ['min', 'max'].map(name =>
			document.querySelectorAll('.u-over')[4].getAttribute('aria-value' + name)).join()`, &attributes),
		chromedp.Evaluate(`live.destroy()`, nil),
		emulation.SetEmulatedMedia().WithMedia("print"),
		chromedp.Evaluate(seenSVG, &printed),
		emulation.SetEmulatedMedia().WithMedia(""),
		emulation.SetScriptExecutionDisabled(true), chromedp.Reload(),
		chromedp.Evaluate(seenSVG, &bare))
	if err != nil {
		t.Fatal(err)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
	// Hover: all plots over time show the values of the data at the shown time.
	x := numberIn(t, hovered.Places[0])
	if math.Abs(x-4) > 0.05 || !strings.HasPrefix(hovered.Places[0], "time ") ||
		!strings.HasSuffix(hovered.Places[0], " s") {
		t.Errorf("the cursor at 40 %% of 10 s is at %q", hovered.Places[0])
	}
	for plot, shifts := range [][]float64{{0, 0.5}, {2, 2.25}, {0.25}} {
		for k, shift := range shifts {
			want, within, unit := math.Sin(x)+shift, 2e-3, " m" // of straight lines between few points
			if plot == 0 {
				unit = " deg/s"
			}
			if plot == 0 && k == 0 {
				within = 2.6e-5 // half of a decimal step
			}
			if plot == 2 {
				want = 0.25
			}
			if text := hovered.Values[plot][k]; math.Abs(numberIn(t, text)-want) > within || !strings.HasSuffix(text, unit) {
				t.Errorf("plot %d, curve %d at %g s: %q, want %g%s", plot, k, x, text, want, unit)
			}
		}
	}
	for plot := range 3 {
		if hovered.Places[plot] != hovered.Places[0] || left.Places[plot] != "" || left.Values[plot][0] != "" {
			t.Errorf("plot %d has its cursor at %q, then at %q", plot, hovered.Places[plot], left.Places[plot])
		}
	}
	if hovered.Places[3] != "" {
		t.Errorf("a path has a cursor at %q", hovered.Places[3])
	}
	// Keyboard: the first sample, and the next one of any curve.
	if first.Places[0] != "time 0 s" || first.Places[1] != first.Places[0] ||
		first.Text != "time 0 s; one 0 deg/s; two 0.5 deg/s" {
		t.Errorf("Home leads to %q, and says %q", first.Places, first.Text)
	}
	if step := numberIn(t, next.Places[0]); step <= 0 || step > 0.0101 || next.Places[2] != next.Places[0] {
		t.Errorf("the arrow leads to %q", next.Places)
	}
	for _, c := range []struct {
		read
		x, to float64
	}{{stepped, 0.1, 10}, {again, 0.05, 10}, {nearer, 0.05, 5.025}, {whole, 0.05, 10}} {
		if x := numberIn(t, c.Places[1]); math.Abs(x-c.x) > 1e-6 || math.Abs(c.To[1]-c.to) > 1e-6 {
			t.Errorf("keys lead to %g s, within %g s; want %g and %g", x, c.To[1], c.x, c.to)
		}
	}
	if hidden.Places[1]+hidden.Places[0] != "" {
		t.Errorf("Escape leaves the cursor at %q", hidden.Places)
	}
	// Legend.
	if switched.Pressed[0][1] != "false" || switched.Inked[1] > 20 || switched.Inked[0] < 200 ||
		switched.Values[0][1] != "" {
		t.Errorf("switched off, curve 2 has %d pixels and the value %q; pressed %q", switched.Inked[1],
			switched.Values[0][1], switched.Pressed[0])
	}
	// two lines without dashes, 480 pixels long
	if hovered.Inked[2] < 900 || unlined.Inked[2] > 20 || unlined.Inked[0] < 200 {
		t.Errorf("the lines have %d pixels, switched off %d", hovered.Inked[2], unlined.Inked[2])
	}
	if back.Pressed[0][1] != "true" || back.Inked[1] < 200 {
		t.Errorf("switched on, curve 2 has %d pixels; pressed %q", back.Inked[1], back.Pressed[0])
	}
	// Zoom, of both panels of the figure and of no other plot.
	for plot, want := range [][2]float64{{0, 10}, {3, 6}, {3, 6}} {
		if math.Abs(dragged.From[plot]-want[0]) > 0.05 || math.Abs(dragged.To[plot]-want[1]) > 0.05 ||
			dragged.Rest[plot] != (plot == 0) {
			t.Errorf("zoomed, plot %d is seen from %g to %g", plot, dragged.From[plot], dragged.To[plot])
		}
		if math.Abs(reset.From[plot]) > 1e-6 || math.Abs(reset.To[plot]-10) > 1e-6 || !reset.Rest[plot] {
			t.Errorf("reset, plot %d is seen from %g to %g", plot, reset.From[plot], reset.To[plot])
		}
	}
	// Paths: the nearest point, and along the path.
	if x := numberIn(t, near.Places[3]); math.Abs(x) > 0.05 || near.Places[0] != "" ||
		near.Places[3] != fmt.Sprintf("x %.5g m, y %.5g m", x, math.Sqrt(1-x*x)) {
		t.Errorf("near the top of the circle: %q", near.Places)
	}
	if moved := numberIn(t, near.Places[3]) - numberIn(t, onPath.Places[3]); math.Abs(moved-math.Pi/180) > 2e-3 {
		t.Errorf("the arrow moves by %g along the circle", moved)
	}
	if alone.Text != "x 0.5 m, y 0.1 m; chord" {
		t.Errorf("the arrow down leads to %q", alone.Text)
	}
	// Data.
	rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if rows[0] != "time [s]\tone [deg/s]\ttwo [deg/s]" || rows[1] != "0\t0\t0.5" || len(rows) < 2001 || len(rows) > 2102 ||
		!strings.HasPrefix(rows[len(rows)-1], "10\t-0.544") {
		t.Errorf("copied are %d rows: %q, %q to %q", len(rows), rows[0], rows[1], rows[len(rows)-1])
	}
	for i, r := range ranges {
		var want []float64
		for _, tick := range plots.Ticks(r[0], r[1]) {
			if tick.Label != "" {
				want = append(want, tick.Value)
			}
		}
		near := len(ticks[i]) == len(want)
		for k := range want {
			near = near && math.Abs(ticks[i][k]-want[k]) < 1e-9*(r[1]-r[0])
		}
		if !near {
			t.Errorf("from %g to %g: ticks %v, in SVG %v", r[0], r[1], ticks[i], want)
		}
	}
	// For other pages.
	if attributes != "-0.00000000125,100000" {
		t.Errorf("attributes have the numbers %s", attributes)
	}
	if apart != "– apart" {
		t.Errorf("two pieces: %s", apart)
	}
	if picked != "3" || marked != "75,none,0,none" {
		t.Errorf("picked is %s; marks are at %s %%", picked, marked)
	}
	// Print, and no scripts.
	if want := "0 SVG, 4 plots, 0 legends"; onScreen != want {
		t.Errorf("the screen has %s; want %s", onScreen, want)
	}
	if want := "3 SVG, 0 plots, 3 legends"; printed != want || bare != want {
		t.Errorf("print has %s, a page without scripts %s; want %s", printed, bare, want)
	}
}

// seenSVG counts what is seen of SVG, plots and printed legends.
const seenSVG = `(() => {
  const seen = s => [...document.querySelectorAll(s)].filter(e => e.getBoundingClientRect().height > 10 &&
    e.checkVisibility({ visibilityProperty: true })).length;
  return seen('figure > svg') + ' SVG, ' + seen('.plot') + ' plots, ' + seen('.legend') + ' legends';
})()`
