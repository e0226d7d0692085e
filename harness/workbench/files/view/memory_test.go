package view

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// memoryVariable is the time that the test of the memory takes [s].
const memoryVariable = "SKIDPAD_LIVE_SECONDS"

// A viewer that stops reading is given up, and connects again and again. The other viewer keeps getting states, the
// vehicle keeps its time, slices are not later than before, and the memory stays flat.
func TestMemoryStaysFlat(t *testing.T) {
	testrun.OnlyAll(t)
	seconds := 20.0
	if text := os.Getenv(memoryVariable); text != "" {
		var err error
		if seconds, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	inRealTime(t, func() []string { return besideIdleViewers(t, seconds) })
}

// besideIdleViewers drives for some seconds, most of them beside viewers that read nothing, and returns what is wrong.
func besideIdleViewers(t *testing.T, seconds float64) (faults []string) {
	s := serve(t, "passenger_car", 10, live.Options{Pace: 1}, func(o *Options) { o.Recorder = nil })
	defer s.end()
	wrong := func(format string, values ...any) { faults = append(faults, fmt.Sprintf(format, values...)) }
	driver := join(t, s, "page", "driver")
	command := live.Command{Keys: live.KeyHold | live.KeyLeft}
	driver.input(command)
	if n := driver.order(wire.Order{Type: "run"}); n.Type != "ok" {
		t.Fatal(n.Text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // the driver goes on
		for each := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				each.Stop()
				return
			case <-each.C:
				if driver.conn.Write(ctx, websocket.MessageBinary, wire.AppendInput(nil, command)) != nil {
					return
				}
			}
		}
	}()
	signal := func(data []byte, name string) float64 {
		fromEnd := len(s.Signals) - slices.IndexFunc(s.Signals, func(x Signal) bool { return x.Name == name })
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[len(data)-4*fromEnd:])))
	}
	begin, states := time.Now(), 0
	var late [2][]float64 // of slices before the other viewers came, and the last ones beside them [s]
	var from, now, dropped, droppedAtFirst float64
	var heap, all [2]float64
	var idle []*client
	defer func() {
		for _, c := range idle {
			c.conn.CloseNow()
		}
	}()
	const mostLate = 1000
	measured, came := false, 0
	next := begin.Add(time.Duration(seconds / 8 * float64(time.Second)))
	for time.Since(begin).Seconds() < seconds {
		if time.Now().After(next) { // another one that reads nothing
			if c, err := connect(t, s, nil); err == nil {
				c.send(wire.Order{Type: "hello", Token: token, Kind: "page", Identity: "idle " + strconv.Itoa(came), Rate: 240})
				came++
				if idle = append(idle, c); len(idle) > mostViewers { // given up long ago
					idle[0].conn.CloseNow()
					idle = slices.Delete(idle, 0, 1)
				}
			}
			next = next.Add(4 * time.Second)
		}
		if !measured && time.Since(begin).Seconds() > seconds/4 {
			heap[0], all[0] = memory(t)
			measured = true
		}
		kind, data, err := driver.conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if kind != websocket.MessageBinary {
			continue
		}
		now = math.Float64frombits(le64(data[8:]))
		dropped = signal(data, "dropped")
		if of := &late[min(came, 1)]; len(*of) < mostLate {
			*of = append(*of, signal(data, "late"))
		} else {
			(*of)[states%mostLate] = signal(data, "late")
		}
		if states == 0 {
			from, droppedAtFirst = now, dropped
		}
		states++
	}
	heap[1], all[1] = memory(t)
	passed := time.Since(begin).Seconds()
	var median [2]float64 // ms
	for i, list := range late {
		slices.Sort(list)
		median[i] = 1e3 * list[len(list)/2]
	}
	t.Logf("%d states in %.0f s, %.2f s of the vehicle, %d other viewers; heap %.1f to %.1f MB, process %.1f to %.1f MB; "+
		"slices late by %.3f ms, then %.3f ms", states, passed, now-from, came, heap[0], heap[1], all[0], all[1],
		median[0], median[1])
	if float64(states) < 50*passed {
		wrong("%.0f states a second", float64(states)/passed)
	}
	dropped -= droppedAtFirst
	if math.Abs(now-from+dropped-passed) > 0.3 {
		wrong("the vehicle drove %.2f s in %.2f s, and shows %.2f s as dropped", now-from, passed, dropped)
	}
	const most = 5
	if heap[1]-heap[0] > most || all[1]-all[0] > most {
		wrong("the heap grows from %.1f to %.1f MB, the process from %.1f to %.1f MB", heap[0], heap[1], all[0], all[1])
	}
	if median[1] > 2*median[0]+1 {
		wrong("slices are late by %.3f ms, and by %.3f ms beside viewers that read nothing", median[0], median[1])
	}
	return faults
}

// memory is the memory in use: of the heap, and of the process where the system tells it, else 0 [MB].
func memory(t *testing.T) (heap, all float64) {
	t.Helper()
	debug.FreeOSMemory()
	var of runtime.MemStats
	runtime.ReadMemStats(&of)
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return float64(of.HeapAlloc) / 1e6, 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return float64(of.HeapAlloc) / 1e6, kilobytes * 1024 / 1e6
}
