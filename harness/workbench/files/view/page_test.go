package view

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// key is a key of the page.
type key struct {
	code   string
	number int64
}

var (
	up, left, right = key{"ArrowUp", 38}, key{"ArrowLeft", 37}, key{"ArrowRight", 39}
	hold, space     = key{"KeyC", 67}, key{"Space", 32}
)

func (k key) does(kind input.KeyType) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		name := strings.ToLower(strings.TrimPrefix(k.code, "Key"))
		if k == space {
			name = " "
		} else if strings.HasPrefix(k.code, "Arrow") {
			name = k.code
		}
		return input.DispatchKeyEvent(kind).WithCode(k.code).WithKey(name).WithWindowsVirtualKeyCode(k.number).Do(ctx)
	})
}

func (k key) press() chromedp.Action   { return k.does(input.KeyDown) }
func (k key) release() chromedp.Action { return k.does(input.KeyUp) }

// until waits until the vehicle is at a time, or later.
func until(seconds float64) chromedp.Action {
	return chromedp.Poll(fmt.Sprintf("Number(document.documentElement.dataset.time) >= %g", seconds), nil,
		chromedp.WithPollingInterval(10*time.Millisecond), chromedp.WithPollingTimeout(2*time.Minute))
}

// visited drives a served vehicle in the browser, and returns what the browser complains about.
func visited(t *testing.T, s *served, actions ...chromedp.Action) (complaints []string) {
	t.Helper()
	return visitedAs(t, s, "", actions...)
}

// visitedAs is visited with a query in the address.
func visitedAs(t *testing.T, s *served, query string, actions ...chromedp.Action) (complaints []string) {
	t.Helper()
	complaints, err := visit(s, query, actions...)
	if err != nil {
		t.Fatal(err)
	}
	return complaints
}

// visit is visitedAs, but returns what fails.
func visit(s *served, query string, actions ...chromedp.Action) (complaints []string, err error) {
	hear := chromedp.ActionFunc(func(ctx context.Context) error {
		chromedp.ListenTarget(ctx, func(event any) {
			switch e := event.(type) {
			case *runtime.EventExceptionThrown:
				complaints = append(complaints, e.ExceptionDetails.Error())
			case *runtime.EventConsoleAPICalled:
				complaints = append(complaints, string(e.Type))
			case *log.EventEntryAdded:
				if !strings.Contains(e.Entry.Text, "GL Driver Message (OpenGL, Performance") { // of WebGL without a GPU
					complaints = append(complaints, e.Entry.Text)
				}
			}
		})
		return log.Enable().Do(ctx)
	})
	all := append([]chromedp.Action{hear, chromedp.Reload(), chromedp.WaitReady("html[data-ready]")}, actions...)
	err = browser.VisitServer("http://"+s.host+"/"+query+"#"+token, 1280, all...)
	return complaints, err
}

// A driver starts with one key, steers, pauses and resets. The page shows the speed and takes the token out of its
// address. A page that is gone leaves the vehicle paused, and the drive is repeated bit by bit.
func TestADriverDrivesInChromium(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	s := serve(t, "passenger_car", 12, live.Options{Pace: 1}, nil)
	var address, speed, paused, later, reset string
	now := func(to *string) chromedp.Action {
		return chromedp.Evaluate(`document.documentElement.dataset.time`, to)
	}
	complaints := visited(t, s, up.press(), until(0.5), left.press(), until(1.5), left.release(), up.release(),
		chromedp.Evaluate(`location.href`, &address), chromedp.Text(".hud-speed", &speed),
		space.press(), space.release(), chromedp.WaitVisible(`#pause[aria-pressed=false]`), now(&paused),
		chromedp.Sleep(200*time.Millisecond), now(&later),
		chromedp.Click("#reset"), chromedp.Poll(`Number(document.documentElement.dataset.time) === 0`, nil), now(&reset))
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
	if strings.Contains(address, token) || !strings.HasSuffix(speed, " km/h") || paused != later || reset != "0.000" {
		t.Errorf("%s, %q, paused at %s and %s s, reset to %s s", address, speed, paused, later, reset)
	}
	if result := s.repeats(t); result.Equal != result.Compared || result.Compared < 1 {
		t.Errorf("%+v", result)
	}
}

// inRealTime makes a check with bounds of real time again if it finds something wrong: the machine may have been busy.
func inRealTime(t *testing.T, check func() (faults []string)) {
	t.Helper()
	faults := check()
	if len(faults) > 0 {
		t.Logf("once more, since the machine may be busy: %q", faults)
		faults = check()
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

// With the speed held, two circles, to the left and to the right, are a figure of eight as wide as the steering limit
// says. The drive is repeated bit by bit.
func TestAFigureOfEightInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	inRealTime(t, func() []string { return figureOfEight(t) })
}

func figureOfEight(t *testing.T) (faults []string) {
	const speed, most, circle = 40 / 3.6, 5.0, 14.1
	s := serve(t, "passenger_car", speed, live.Options{Pace: 1, Most: most}, nil)
	defer s.end()
	complaints, err := visit(s, "", hold.press(), left.press(), hold.release(), until(circle), left.release(),
		right.press(), until(2*circle), right.release())
	if err != nil { // a browser that is starved loses the seat, and the vehicle pauses
		return []string{err.Error()}
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	var end [2]float64
	result := s.repeated(t, []string{"body.x", "body.y"}, func(_, slice int, at []float64) error {
		if float64(slice)*1e-3 < 2*circle {
			for k := range end {
				end[k] = at[k]
				low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
			}
		}
		return nil
	})
	along, across := high[0]-low[0], high[1]-low[1]
	if math.Abs(across-103) > 10 || math.Abs(along-62) > 10 || math.Hypot(end[0], end[1]) > 15 {
		faults = append(faults, fmt.Sprintf("%.1f m across, %.1f m along, end at %.1f m", across, along, end))
	}
	if result.Equal != result.Compared || result.Compared < 28 {
		t.Errorf("%+v", result)
	}
	return faults
}

// A page that a program feeds draws its values, shows only instruments with values, and has no keys of a driver.
func TestAFedPageInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	s := serve(t, "generic4w", 10, live.Options{}, func(o *Options) {
		o.Feed, o.Loop, o.Recorder, o.Sockets = NewFeed(o.Outputs), nil, nil, true
	})
	var title, waiting, status, clock string
	var shown []string
	var x float64
	feed := chromedp.ActionFunc(func(context.Context) error {
		program := join(t, s, "program", "loop")
		program.order(wire.Order{Type: "feed", Names: []string{"body.x", "body.vx", "steering"}})
		for i := range 3 {
			row := wire.Row{Time: 7 + float64(i), Values: []float64{50, 10, 0.5}}
			if err := program.conn.Write(t.Context(), websocket.MessageBinary, row.Append(nil)); err != nil {
				return err
			}
		}
		return nil
	})
	complaints := visited(t, s, chromedp.Title(&title), chromedp.Text("#status", &waiting), feed, until(9),
		space.press(), space.release(), chromedp.Sleep(200*time.Millisecond),
		chromedp.Text("#status", &status), chromedp.Text("#clock", &clock),
		chromedp.Evaluate(`Skidpad.driven.shown()[Skidpad.driven.stage.look.chassis][0]`, &x),
		chromedp.Evaluate(`[...document.querySelectorAll('#hud > *, footer > *')].filter(e => e.checkVisibility())
			.map(e => e.id || e.className || e.textContent.trim().split(' ')[0])`, &shown))
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
	if !strings.HasSuffix(title, ", fed by a program") {
		t.Errorf("the title is %q", title)
	}
	if waiting != "Waiting for a program that feeds this view." || status != "" || clock != "9.0 s" || x != 50 ||
		fmt.Sprint(shown) != "[hud-speed hud-wheel clock camera inside forces video plots-toggle help late]" {
		t.Errorf("%q, then %q, %s, x %g, shown %q", waiting, status, clock, x, shown)
	}
}
