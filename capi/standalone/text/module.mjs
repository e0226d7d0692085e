// vehicle.wasm for JavaScript: names of the variables, and an instance with arrays of their values.
//
//     import { load, inputs } from './vehicle.mjs'
//     const car = await load()
//     car.reset()
//     car.initialise()
//     car.input[inputs.findIndex(v => v.name === '...')] = 0.05
//     if (car.step(0.001) !== ERROR) console.log(car.state[0], car.output()[0])
//
// Units are in the tables; angles are in rad.

export const { states, inputs, parameters, outputs, methods, warnings, ends } = VEHICLE_TABLES

/** What initialise, setMethod, step and restore return. */
export const OK = 0, WARNING = 1, ENDED = 2, ERROR = 3

/** Makes an instance. source: bytes or a compiled module; default: vehicle.wasm beside this file. */
export async function load(source) {
  if (source === undefined) {
    const file = new URL('./vehicle.wasm', import.meta.url)
    source = file.protocol === 'file:'
      ? await (await import('node:fs/promises')).readFile(file)
      : await (await fetch(file)).arrayBuffer()
  }
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source)
  const e = (await WebAssembly.instantiate(module, {})).exports
  const numbers = (at, n) => new Float64Array(e.memory.buffer, at, n)
  const rateInputs = numbers(e.rates_of() + 8 * states.length, inputs.length)
  return {
    state: numbers(e.state(), states.length),
    input: numbers(e.input(), inputs.length),
    inputRate: numbers(e.input_rate(), inputs.length),
    parameter: numbers(e.parameter(), parameters.length),
    reset: e.reset,
    initialise: e.initialise,
    /** Takes one of methods for the following steps: OK, or ERROR where there is none of this name. */
    setMethod: name => e.set_method(methods.indexOf(name)),
    /** Steps by h [s]: OK, WARNING, ENDED, or ERROR, which changes nothing. */
    step: e.step,
    time: e.time,
    /** Outputs at the present point, null where they cannot be computed. */
    output() {
      const at = e.output()
      return at === 0 ? null : numbers(at, outputs.length)
    },
    /** Rates of states x with inputs u, null where there are none. The run is left alone. */
    rates(x, u) {
      numbers(e.rates_of(), states.length).set(x)
      rateInputs.set(u)
      const at = e.rates()
      return at === 0 ? null : numbers(at, states.length).slice()
    },
    /** Texts of what left its range since the last call. */
    warnings() {
      const bits = BigInt.asUintN(64, e.warnings())
      return warnings.filter((_, i) => (bits >> BigInt(i)) & 1n)
    },
    /** The condition that ended the run, null for none. */
    ended() {
      const i = e.ended()
      return i < 0 ? null : ends[i]
    },
    save: () => new Uint8Array(e.memory.buffer, e.saved(), e.save()).slice(),
    /** OK, or ERROR for bytes that are not of this vehicle. */
    restore(bytes) {
      if (bytes.length > e.room()) return ERROR
      new Uint8Array(e.memory.buffer, e.saved(), e.room()).set(bytes)
      return e.restore(bytes.length)
    },
  }
}
