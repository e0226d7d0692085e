package live

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"skidpad/harness/site/browser"
	"skidpad/harness/site/translate"
	"skidpad/harness/tests/testrun"
)

// script is the law in JavaScript, as the site has it.
func script(t *testing.T) string {
	t.Helper()
	var files []translate.Source
	for _, name := range []string{"law.go", "servo.go", "controls.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, translate.Source{Name: name, Text: text})
	}
	law, err := translate.JavaScript(files)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// The law can be translated: it has nothing that the translation does not know.
func TestTheLawIsTranslated(t *testing.T) { script(t) }

// some are a hundred slices with a command at a speed and an engine speed.
type some struct {
	Command       Command
	Speed, Engine float64
}

// randomly makes commands of all devices: at standstill, backward and fast, with limits and dead zones passed.
func randomly(r *rand.Rand, n int) (list []some) {
	for range n {
		c := Command{Device: Device(r.IntN(4)), Keys: Key(r.IntN(256)), Steering: r.Float32()*2 - 1,
			Throttle: r.Float32()*1.4 - 0.2, Brake: r.Float32()*1.4 - 0.2, Clutch: r.Float32()*1.4 - 0.2,
			Gear: int8(r.IntN(3) - 1)}
		if r.IntN(3) == 0 {
			c.Keys &^= KeyBrake | KeyLeft
		}
		if c.Device == Wheel || c.Device == Program {
			c.Steering *= 15
		}
		speed := []float64{0, 0.2, -0.2, -3, 5, 30, 60}[r.IntN(7)] + 0.05*r.Float64()
		list = append(list, some{c, speed, 700 * r.Float64()})
	}
	return list
}

// The translated law moves driver and controls as the law does, on random commands. Powers, of gamepads, differ in
// their last bits, which the servo enlarges.
func TestTheLawIsTheSameInJavaScriptInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	commands := randomly(rand.New(rand.NewPCG(1, 2)), 600)
	isTheSameInJavaScript(t, commands, 1e-10)
	isTheSameInJavaScript(t, slices.DeleteFunc(commands, func(s some) bool { return s.Command.Device == Gamepad }), 1e-12)
}

func isTheSameInJavaScript(t *testing.T, commands []some, within float64) {
	t.Helper()
	d := driver{car: Car{17, 2.7, 0.002}, most: UsualAcceleration}
	c := controls{names: []string{"of no use here"}, values: make([]float64, 20), steering: [][3]int{{0, 1, 2}, {3, 4, 5}},
		turns: 2.5, throttle: []int{6, 7}, closed: 0.1, open: 0.9,
		brakes: []brake{{[]int{8, 9}, 300}, {[]int{10}, 200}}, parking: []int{11}, parkingBy: 300, hands: []int{12},
		clutch: []int{13}, gear: 14, gearbox: gearbox{now: 1, lowest: 1, backward: -1, up: 480, down: 190}}
	const count, h = 100, 1e-3
	text := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	run := fmt.Sprintf(`(() => {
		const law = %s, [driver, controls] = [new law.driver(), new law.controls()], list = []
		const isPart = x => typeof x === 'object' && !Array.isArray(x)
		const take = (o, d) => { for (const k in d) if (isPart(d[k])) take(o[k], d[k]); else o[k] = d[k] }
		take(driver, %s)
		take(controls, %s)
		for (const { Command, Speed, Engine } of %s) {
			for (const of of ['Steering', 'Throttle', 'Brake', 'Clutch']) Command[of] = Math.fround(Command[of])
			for (let i = 0; i < %d; i++) {
				driver.drive(Command, Speed, %g)
				controls.set(driver, Command, Speed, Engine, %[6]g)
				driver.servo.advance(%[6]g)
			}
			list.push(structuredClone([driver, controls]))
		}
		return list
	})()`, script(t), text(fields(reflect.ValueOf(d))), text(fields(reflect.ValueOf(c))), text(commands), count, h)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte("<!doctype html><title>The law</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []any
	if err := browser.Visit(path, 800, chromedp.Evaluate(run, &got)); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(commands) {
		t.Fatalf("%d results of %d commands", len(got), len(commands))
	}
	for k, s := range commands {
		for range count {
			d.drive(&s.Command, s.Speed, h)
			c.set(&d, &s.Command, s.Speed, s.Engine, h)
			d.advance(h)
		}
		var want any
		both := text([]any{fields(reflect.ValueOf(d)), fields(reflect.ValueOf(c))})
		if err := json.Unmarshal([]byte(both), &want); err != nil {
			t.Fatal(err)
		}
		if difference := differs(got[k], want, within, ""); difference != "" {
			t.Fatalf("after command %d, %+v:%s", k, s, difference)
		}
	}
}

// differs tells the first difference of two values, of numbers by more than a share or an amount; "" for none.
func differs(got, want any, within float64, at string) string {
	switch want := want.(type) {
	case map[string]any:
		other, is := got.(map[string]any)
		if !is || len(other) != len(want) {
			return fmt.Sprintf("%s is %v, not %v", at, got, want)
		}
		for name, x := range want {
			if difference := differs(other[name], x, within, at+" "+name); difference != "" {
				return difference
			}
		}
	case []any:
		other, is := got.([]any)
		if !is || len(other) != len(want) {
			return fmt.Sprintf("%s is %v, not %v", at, got, want)
		}
		for i, x := range want {
			if difference := differs(other[i], x, within, fmt.Sprint(at, " ", i)); difference != "" {
				return difference
			}
		}
	case float64:
		if x, is := got.(float64); !is || !(math.Abs(x-want) <= within*max(1, math.Abs(want))) {
			return fmt.Sprintf("%s is %v, not %v", at, got, want)
		}
	default:
		if got != want {
			return fmt.Sprintf("%s is %v, not %v", at, got, want)
		}
	}
	return ""
}
