package standalone

import (
	"fmt"
	"strings"

	"skidpad/capi/standalone/text"
	"skidpad/cosim"
	"skidpad/model/program"
	"skidpad/tire/machinecode"
)

// writer writes the files of one vehicle.
type writer struct {
	Options
	in     *cosim.Instance
	plan   *cosim.Plan
	method []string                  // names, the default first
	euler  map[placed]*program.Block // blocks of the method euler that replace blocks of plan
	text   *machinecode.Text
	body   strings.Builder // code that calls functions of text; vehicle_ and VEHICLE_ are replaced by the prefix
	size   []int           // by memory: size of the listing, and scratch numbers of functions behind it
	called map[placed]string
	made   map[shaped]made
	frozen frozen // parameters and numbers computed from them
	limbs  []limb
	forFMU bool           // the file is one of the sources of an FMU
	only   map[int32]bool // slots to write in blocks; nil: all
}

// placed is a block on a memory, shaped is a block on memories of a size, made is the function of a block.
type (
	placed struct {
		*program.Block
		memory int
	}
	shaped struct {
		*program.Block
		size int
	}
	made struct {
		name       string
		needs      int
		operations int // of all lanes
	}
)

// limb is a statement that updates copies of fixed numbers of a memory.
type limb struct {
	memory int
	copy   string
}

// line writes a line of C.
func (w *writer) line(format string, arguments ...any) {
	fmt.Fprintf(&w.body, format+"\n", arguments...)
}

// source returns the C file without its first lines.
func (w *writer) source() (string, error) {
	w.libraryTires()
	for _, part := range []func() error{w.rates, w.samples, w.start, w.carcasses, w.checks, w.outputs, w.ends, w.linear,
		w.ground, w.derivatives, w.prepare} {
		if err := part(); err != nil {
			return "", err
		}
	}
	w.motions()
	w.rows()
	ground := strings.Replace(text.StepGround, "#include \"step_line.h\"\n", text.StepLine, 1)
	contacts := ""
	if len(w.plan.Contacts) > 0 {
		contacts = text.StepContacts
	}
	samples := ""
	if len(w.plan.Samplers) > 0 {
		samples = text.StepSamples
	}
	steps := strings.NewReplacer("/* @step_ground@ */", ground, "/* @step_contacts@ */\n\n", contacts,
		"/* @step_methods@ */", text.StepMethods, "/* @step_samples@ */\n\n", samples).Replace(text.VehicleRun)
	if w.plan.Derivatives != nil {
		steps += text.DerivativesRun
	}
	if w.forFMU {
		steps += text.Model
	}
	fixed := w.constants() + w.tables() + w.body.String() + steps
	return w.text.Operations() + "\n" + w.text.Functions() + "#define STEP_PLACE int32_t\n" + text.StepTables +
		w.named(fixed), nil
}

// run returns the call of a block on a memory, which is 0 unless a guard gives up.
func (w *writer) run(r *program.Run) (call string, err error) {
	name, known := w.called[placed{r.Block, r.Memory}]
	if !known {
		if name, err = w.make(r); err != nil {
			return "", err
		}
		w.called[placed{r.Block, r.Memory}] = name
	}
	fixed := "NULL"
	if r.Fixed >= 0 {
		fixed = memory(r.Fixed)
	}
	return fmt.Sprintf("%s(%s, %s)", name, memory(r.Memory), fixed), nil
}

// make prints the function of a block. Memories of the same size share the function.
func (w *writer) make(r *program.Run) (name string, err error) {
	key := shaped{r.Block, w.size[r.Memory]}
	of, known := w.made[key]
	if !known {
		b, err := r.Operations()
		if err != nil {
			return "", err
		}
		of.name = fmt.Sprintf("%s_block_%d", w.Name, len(w.made)+1)
		b.Freeze(func(slot int32) (float64, bool) {
			return w.frozen.number(program.Place{Memory: r.Memory, At: int(slot)})
		})
		if w.only != nil {
			b.KeepStores(func(slot int32) bool { return w.only[slot] })
		}
		of.operations = r.Lanes * b.Arithmetic()
		slots := key.size / r.Lanes
		if r.Block.Fixed != nil {
			of.needs = w.text.AddLimbs(of.name, b, r.Block.Fixed, slots)
		} else {
			of.needs = r.Lanes * w.text.Add(of.name, b, slots, r.Lanes)
		}
		w.made[key] = of
	}
	if r.Block.Fixed != nil {
		w.limbs = append(w.limbs, limb{r.Memory, fmt.Sprintf("%s_copy(%s);", of.name, memory(r.Memory))})
	}
	w.size[r.Memory] = of.needs
	return of.name, nil
}

// memory returns the C expression of the beginning of a memory.
func memory(k int) string { return fmt.Sprintf("c->memory + VEHICLE_MEMORY_%d", k) }

// at returns the C expression of a number in a memory.
func (w *writer) at(p program.Place) string {
	if x, is := w.frozen.number(p); is {
		return machinecode.Number(x)
	}
	return fmt.Sprintf("c->memory[VEHICLE_MEMORY_%d + %d]", p.Memory, p.At)
}
