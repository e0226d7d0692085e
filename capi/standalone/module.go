package standalone

import (
	"encoding/json"
	"strings"

	"skidpad/capi/standalone/text"
	"skidpad/model/program"
)

// moduleHeaders is the folder of the headers that a WebAssembly module is compiled with.
const moduleHeaders = "wasm"

// module returns the files for a WebAssembly module of the C file: its exports, its headers, and a JavaScript module
// with the names of the variables.
func (w *writer) module() ([]File, error) {
	tables, err := w.moduleTables()
	if err != nil {
		return nil, err
	}
	return []File{
		{w.Name + "_wasm.c", w.named(strings.ReplaceAll(text.Wasm, "vehicle.c", w.Name+".c"))},
		{w.Name + ".mjs", strings.Replace(w.named(text.Module), w.upper()+"_TABLES", tables, 1)},
		{moduleHeaders + "/string.h", text.WasmString},
		{moduleHeaders + "/math.h", text.WasmMath},
	}, nil
}

// ModuleCommand returns the arguments of clang, with lld, that compile a WebAssembly module in its folder.
func ModuleCommand(name string) []string {
	return []string{"--target=wasm32", "-O2", "-ffreestanding", "-nostdlib", "-mbulk-memory", "-isystem", moduleHeaders,
		"-Wl,--no-entry", "-o", name + ".wasm", name + "_wasm.c"}
}

// moduleVariable is a variable in JavaScript.
type moduleVariable struct {
	Name        string  `json:"name"`
	Unit        string  `json:"unit"`
	Description string  `json:"description"`
	Start       float64 `json:"start"`
}

// moduleTables returns the tables of the C file as JSON.
func (w *writer) moduleTables() (string, error) {
	p := w.in.System().Program()
	list := func(of []program.Variable, start func(i int) float64) []moduleVariable {
		variables := make([]moduleVariable, len(of))
		for i, v := range of {
			variables[i] = moduleVariable{v.Name, v.Unit, v.Text, start(i)}
		}
		return variables
	}
	parameters := w.plan.Memory[w.plan.Rates.Memory][w.plan.Memories[w.plan.Rates.Memory].Parameters:]
	ends, warnings := make([]string, len(p.Ends)), []string{}
	for i, e := range p.Ends {
		ends[i] = e.Component + ": " + e.Name
	}
	for _, v := range w.warnings() {
		warnings = append(warnings, v.text())
	}
	data, err := json.MarshalIndent(map[string]any{
		"states":     list(p.States, func(i int) float64 { return w.plan.X[i] }),
		"inputs":     list(p.Inputs[:len(p.Inputs)-p.Controls], func(i int) float64 { return w.plan.U[i] }),
		"parameters": list(w.parameters(), func(i int) float64 { return parameters[i] }),
		"outputs":    list(w.computed(), func(int) float64 { return 0 }),
		"methods":    w.method,
		"warnings":   warnings,
		"ends":       ends,
	}, "", " ")
	return string(data), err
}

// computed lists the outputs of the file.
func (w *writer) computed() (list []program.Variable) {
	s := w.in.System()
	for _, y := range w.shown() {
		v := s.Variables()[y.Variable]
		list = append(list, program.Variable{Name: v.Name, Unit: v.Unit, Text: v.Text})
	}
	return list
}
