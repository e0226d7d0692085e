package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// programmed is a program that drives a served vehicle in lockstep.
type programmed struct {
	*testing.T
	conn    *websocket.Conn
	ctx     context.Context
	scene   []byte
	orders  int
	refused string // the latest error
	state   []byte
}

// begun starts the command and connects a program that has the seat.
func begun(t *testing.T, c *exec.Cmd) *programmed {
	t.Helper()
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Signal(os.Interrupt); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		c.Wait()
		t.Fatal(errs.String())
	}
	_, address, _ := strings.Cut(line, "http://")
	host, rest, _ := strings.Cut(address, "/#")
	token, _, _ := strings.Cut(rest, " ")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, "ws://"+host+"/socket", &websocket.DialOptions{
		Subprotocols: []string{wire.Protocol}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	conn.SetReadLimit(1 << 24)
	p := &programmed{T: t, conn: conn, ctx: ctx}
	p.send(wire.Order{Type: "hello", Token: token, Kind: "program", Identity: "test", Rate: 60})
	if _, p.scene, err = conn.Read(ctx); err != nil {
		t.Fatal(err)
	}
	p.order(wire.Order{Type: "seat"})
	return p
}

func (p *programmed) send(o wire.Order) {
	p.Helper()
	data, err := json.Marshal(o)
	if err == nil {
		err = p.conn.Write(p.ctx, websocket.MessageText, data)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// order gives an order and waits for its answer.
func (p *programmed) order(o wire.Order) {
	p.Helper()
	p.orders++
	o.Number = p.orders
	p.send(o)
	for {
		kind, data, err := p.conn.Read(p.ctx)
		if err != nil {
			p.Fatal(err)
		}
		var n wire.Note
		if kind == websocket.MessageBinary {
			p.state = data
		} else if err := json.Unmarshal(data, &n); err != nil {
			p.Fatal(err)
		}
		if n.Number != o.Number {
			continue
		}
		if n.Type == "error" {
			p.refused = n.Text
		}
		return
	}
}

// now are the time [s] and the place of the chassis [m].
func (p *programmed) now() (list [4]float64) {
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(p.state[8+8*i:]))
	}
	return list
}

// drive gives the throttle and steers for 2 s, from a state at 1 s that it keeps.
func (p *programmed) drive() [4]float64 {
	p.Helper()
	input := wire.AppendInput(nil, live.Command{Keys: live.KeyThrottle | live.KeyLeft})
	if err := p.conn.Write(p.ctx, websocket.MessageBinary, input); err != nil {
		p.Fatal(err)
	}
	p.order(wire.Order{Type: "advance", Slices: 1000})
	p.order(wire.Order{Type: "keep", Slot: 1})
	p.order(wire.Order{Type: "advance", Slices: 1000})
	return p.now()
}

// foreignFMU packs a generic vehicle as an FMU that carries no model file and no roles: its library has been compiled
// from C. description changes its description.
func foreignFMU(w *workshop, name string, description func(string) string) string {
	w.Helper()
	testrun.Requires(w.T, "gcc")
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		w.Skip("the name of the folder is that of Linux on x86-64")
	}
	status, _, stderr := try("pack", built.Model("generic4w"), "-o", w.path("packed.fmu"), "--sources=only")
	if status != 0 {
		w.Fatal(stderr)
	}
	headers, err := filepath.Abs("../../../fmu/check/headers")
	if err != nil {
		w.Fatal(err)
	}
	files, arguments := map[string]string{}, []string{"-shared", "-fPIC", "-I" + headers, "-o", w.path("library.so")}
	for entry, content := range w.unpacked("packed.fmu") {
		switch {
		case strings.HasPrefix(entry, "sources/"):
			w.file(entry, string(content))
			if strings.HasSuffix(entry, ".c") {
				arguments = append(arguments, w.path(entry))
			}
		case entry == "modelDescription.xml":
			files[entry] = description(string(content))
		case entry == "resources/sources.txt":
			files[entry] = string(content)
		}
	}
	if said, err := exec.Command("gcc", append(arguments, "-lm")...).CombinedOutput(); err != nil {
		w.Fatalf("%v: %s", err, said)
	}
	library, err := os.ReadFile(w.path("library.so"))
	if err != nil {
		w.Fatal(err)
	}
	files["binaries/x86_64-linux/GenericVehicle.so"] = string(library)
	return writeArchive(w.T, w.path(name), files)
}

// carOf writes the roles of a generic vehicle as a car file.
func carOf(w *workshop) string {
	w.Helper()
	text, err := os.ReadFile(built.Model("generic4w"))
	if err != nil {
		w.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\n[roles]\n")
	table, _, found := strings.Cut(after, "\n[component.")
	if !found {
		w.Fatal("the model file has no roles")
	}
	return w.file("car.toml", "[roles]\n"+table)
}

// An FMU of another tool is driven with a car file, as a box on wheels. In lockstep it moves as the vehicle of the
// library does, also after a return to an earlier state and after a reset.
func TestAForeignFMUInView(t *testing.T) {
	testrun.OnlyAll(t)
	w := &workshop{T: t, folder: t.TempDir()}
	file, car := foreignFMU(w, "foreign.fmu", strings.Clone), carOf(w)
	of := func(arguments ...string) *programmed {
		return begun(t, exec.CommandContext(t.Context(), built.Command(t), append([]string{"view", "--speed", "15",
			"--driver", "socket", "--pace", "lockstep"}, arguments...)...))
	}
	p := of(file, "--car", car)
	var scene struct {
		Look struct {
			Absent string
			Shapes []struct{ Kind, Name string }
			Shell  *struct{ Kind string }
		}
	}
	if err := json.Unmarshal(p.scene, &scene); err != nil || scene.Look.Absent != "" || len(scene.Look.Shapes) != 4 ||
		scene.Look.Shapes[3].Name != "tire_RR" || scene.Look.Shell == nil {
		t.Fatalf("%v: %+v", err, scene)
	}
	place := p.drive()
	if place[0] != 2 || place[1] < 25 || place[2] < 1 {
		t.Fatalf("time and place %v", place)
	}
	p.order(wire.Order{Type: "return", Slot: 1})
	if now := p.now(); now[0] != 1 {
		t.Errorf("it returns to %v", now)
	}
	p.order(wire.Order{Type: "advance", Slices: 1000})
	if now := p.now(); now != place {
		t.Errorf("%v after a return, %v before", now, place)
	}
	p.order(wire.Order{Type: "reset"})
	if now := p.now(); now[0] != 0 || now[1] != 0 {
		t.Errorf("the reset leads to %v", now)
	}
	if again := p.drive(); again != place || p.refused != "" {
		t.Errorf("%v after a reset, %v before; %q", again, place, p.refused)
	}
	own := of(built.Model("generic4w"), "--library", built.Library(t)).drive()
	for k, want := range own {
		if math.Abs(place[k]-want) > 1e-9 {
			t.Errorf("the FMU is at %v, the vehicle of the library at %v", place, own)
			break
		}
	}
}

// Without a position the page has no picture, and says why. What an FMU cannot do is refused with the remedy.
func TestForeignFMUsOfLessUse(t *testing.T) {
	testrun.OnlyAll(t)
	w := &workshop{T: t, folder: t.TempDir()}
	file, car := foreignFMU(w, "foreign.fmu", strings.Clone), carOf(w)
	hidden := foreignFMU(w, "hidden.fmu", func(text string) string {
		return strings.Replace(text, `name="body.x"`, `name="body.hidden"`, 1)
	})
	p := begun(t, exec.CommandContext(t.Context(), built.Command(t), "view", hidden, "--car", car, "--driver", "socket",
		"--pace", "lockstep"))
	p.order(wire.Order{Type: "advance", Slices: 100})
	if !strings.Contains(string(p.scene), `"absent":"No picture: `) || !strings.Contains(string(p.scene), "body.vx") ||
		p.now()[0] != 0.1 || p.refused != "" {
		t.Errorf("%v, %q, %.500s", p.now(), p.refused, p.scene)
	}
	stateless := foreignFMU(w, "stateless.fmu", func(text string) string {
		return strings.ReplaceAll(text, `canSerializeFMUState="true"`, `canSerializeFMUState="false"`)
	})
	exchanged := foreignFMU(w, "exchanged.fmu", func(text string) string {
		return regexp.MustCompile(`<CoSimulation[^>]*/>`).ReplaceAllString(text, "")
	})
	for _, c := range []struct {
		status    int
		says      string
		arguments []string
	}{
		{1, "no model file of Skidpad and no roles: name its chassis, axles, outline and inputs in a car file, --car FILE",
			[]string{file}},
		{1, "canSerializeFMUState is false", []string{stateless, "--car", car}},
		{1, "GenericVehicle is for model exchange: ", []string{exchanged, "--car", car}},
		{2, "--record: ", []string{file, "--car", car, "--record", w.folder}},
		{2, "--tree is for model files", []string{file, "--car", car, "--tree", "a"}},
		{2, "--library: ", []string{file, "--car", car, "--library", built.Library(t)}},
		{2, "--param: ", []string{file, "--car", car, "--param", "body.mass"}},
		{2, "--feed: ", []string{file, "--car", car, "--feed"}},
		{2, "--ghost: ", []string{file, "--car", car, "--ghost", "run.csv"}},
		{2, "--road: ", []string{file, "--car", car, "--road", "moguls"}},
		{2, "--method: ", []string{file, "--car", car, "--method", "rk4"}},
	} {
		if status, _, stderr := try(append([]string{"view"}, c.arguments...)...); status != c.status ||
			!strings.Contains(stderr, c.says) {
			t.Errorf("%q: status %d, %s", c.arguments, status, stderr)
		}
	}
}
