package drivable

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"skidpad/harness/site/browser"
	"skidpad/harness/workbench/results/web"
)

// orders are orders to a vehicle in a page whose clock and pictures the script makes. The result is what is wrong.
const orders = `new Promise((done, failed) => {
	let clock = 5000, next = null
	performance.now = () => clock
	window.requestAnimationFrame = f => { next = f }
	const v = Skidpad.connect(), said = [], states = [], faults = []
	v.onclose = e => failed(e.reason)
	v.onmessage = ({ data }) => typeof data === 'string' ? said.push(JSON.parse(data)) : states.push(data)
	const order = (type, more) => v.send(JSON.stringify({ type, number: 7, ...more }))
	const keys = held => {
		const view = new DataView(new ArrayBuffer(25))
		view.setUint8(0, 2)
		view.setUint16(2, held, true)
		v.send(view)
	}
	const frame = ms => { clock += ms; next() }
	const frames = (n, ms, held = null) => {
		for (let i = 0; i < n; i++) {
			if (held !== null) keys(held)
			frame(ms)
		}
	}
	const expect = (is, what) => { if (!is) faults.push(what + ': ' + JSON.stringify([v.slice, v.exports.time(), v.paused, said.at(-1)])) }
	const near = (x, y, what, within = 2.5e-3) => expect(Math.abs(x - y) < within, what + ' ' + x)
	const row = name => states.at(-1).signals[v.of.signals.findIndex(s => s.name === name)]
	const THROTTLE = 4, LEFT = 1
	const all = () => {
		order('hello')
		expect(said[0].type === 'scene' && said[0].driver === 'page' && said[1].type === 'ok' && said[1].number === 7, 'hello')
		expect(states.at(-1).flags === 1 && states.at(-1).time === 0, 'paused at the start')
		frames(20, 10, THROTTLE)
		near(v.exports.time(), 0, 'paused vehicles do not move')

		order('run')
		frames(100, 10, THROTTLE)
		near(v.exports.time(), 1, 'a second')
		expect(states.at(-1).flags === 0 && row('throttle') === 1 && row('gear') === 1 && row('clutch') === 1, 'it drives')
		keys(THROTTLE)
		frame(300)
		near(v.exports.time(), 1.05, 'at most 50 ms are caught up')
		near(row('dropped'), 0.25, 'dropped time')
		order('pace', { pace: 0.5 })
		frames(20, 10, THROTTLE)
		near(v.exports.time(), 1.15, 'half the pace')
		order('pace', { pace: 1 })
		frames(100, 10, THROTTLE | LEFT)
		near(v.exports.time(), 2.15, 'two seconds')
		expect(row('steering') > 0.5, 'it steers to the left')
		order('step', { slices: 3 })
		expect(said.at(-1).type === 'error' && said.at(-1).text.includes('pause it first'), 'no steps while it runs')

		frames(24, 10)
		expect(row('throttle') === 1, 'the last command holds')
		frames(30, 10)
		expect(row('throttle') === 0 && !v.paused, 'a command that is too old releases the pedals')
		frames(60, 10)
		expect(!v.paused, 'it goes on for a second')
		frames(20, 10)
		expect(v.paused && said.findLast(m => m.type === 'event').text === 'nobody drives', 'it pauses without a driver')
		frame(10)
		const still = v.exports.time()
		frame(10)
		expect(v.exports.time() === still, 'it stands')

		order('keep', { slot: 3 })
		keys(THROTTLE)
		order('step', { slices: 700 })
		near(v.exports.time(), still + 0.7, 'steps')
		const after = [...v.outputs, v.driver.servo.rate, v.driver.pedals.throttle, v.controls.gearbox.now], segment = states.at(-1).segment
		order('return', { slot: 3 })
		expect(v.exports.time() === still && states.at(-1).time === still, 'return')
		expect(said.at(-2).kind === 'begin' && states.at(-1).segment === segment + 1, 'another segment')
		order('step', { slices: 700 })
		const again = [...v.outputs, v.driver.servo.rate, v.driver.pedals.throttle, v.controls.gearbox.now]
		expect(after.every((x, i) => x === again[i]), 'equal commands, equal bits')
		order('return', { slot: 4 })
		expect(said.at(-1).type === 'error' && said.at(-1).text === 'slot 4 is empty', 'an empty slot')
		order('tire', { name: 'x' })
		expect(said.at(-1).type === 'error' && said.at(-1).order === 'tire', 'an unknown order')

		order('signals', { names: ['body.wz', 'body.vx'] })
		expect(said.at(-2).type === 'signals' && said.at(-2).names.length === 2 && states.at(-1).chosen[1] === v.outputs[v.of.speed],
			'chosen signals')
		order('signals', { names: ['body.vx', 'body.none'] })
		expect(said.at(-1).type === 'error' && said.at(-1).text.startsWith('body.none') && states.at(-1).chosen.length === 2, 'no signal')

		order('rewind', { seconds: 1 })
		const [before, kept] = [still + 0.7, v.exports.time()]
		expect(kept <= before - 1 && kept > before - 2.1, 'a second back')
		near(kept, v.kept.at(-1).time, 'a kept state')
		order('rewind', { seconds: 50 })
		near(v.exports.time(), 0, 'back to the first kept state')
		expect(v.kept.length === 1, 'later states are gone')

		order('step', { slices: 1500 })
		order('reset')
		expect(v.exports.time() === 0 && v.driver.pedals.throttle === 0 && v.controls.gearbox.now === 1 && v.paused, 'reset')
		for (let i = 0; i < 130; i++) v.keep()
		expect(v.kept.length === 120, 'two minutes are kept')

		const { exports } = v
		order('run')
		frame(10)
		const good = v.exports.time()
		v.exports = { ...exports, step: () => 2, ended: () => 1 }
		frame(10)
		expect(v.paused && said.findLast(m => m.kind === 'paused').text === v.of.ends[1], 'a condition ends the run')
		v.exports = { ...exports, step: () => 3 }
		order('run')
		frame(10)
		expect(v.paused && said.findLast(m => m.kind === 'paused').text.includes('failed'), 'a step that fails')
		v.exports = exports
		near(v.exports.time(), good, 'the last good state', 1e-9)
		done(faults)
	}
	v.onopen = () => setTimeout(() => { try { all() } catch (e) { done([...faults, e.stack]) } })
})`

// A vehicle in a page takes the orders of the live page as the command does.
func TestVehiclesInPagesTakeOrders(t *testing.T) {
	compilers(t)
	folder := t.TempDir()
	script, err := scriptOf(root, Models[0].Name, filepath.Join(folder, "module"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "page.html")
	if err := os.WriteFile(path, []byte("<!doctype html><title>A vehicle</title><script>"+string(script+web.Own("motion"))+
		"</script>"), 0o600); err != nil {
		t.Fatal(err)
	}
	var faults []string
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	if err := browser.Visit(path, 800, chromedp.Evaluate(orders, &faults, await)); err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}
