package standalone

import (
	"fmt"
	"strings"
)

// contacts writes the wheel contacts: their states and inputs, their numbers and their law.
func (w *writer) contacts() error {
	list := w.plan.Contacts
	w.line("#define STEP_CONTACTS %d\nenum { VEHICLE_WHEEL_CONTACTS = %d };", min(1, len(list)), len(list))
	w.line("static const step_contact vehicle_contacts[VEHICLE_WHEEL_CONTACTS + 1] = {")
	var memories []string
	law := ""
	for _, c := range list {
		w.line("    {%s, %s, %s, %s, %d, %d, %d, %s, %d, %s},", axes(c.Contact), axes(c.ContactSpeed), axes(c.Rim),
			axes(c.RimSpeed), c.Terrain, c.Height, c.Mode, axes(c.Normal), flag(c.Impulsive), axes(c.Impulse))
		memories = append(memories, fmt.Sprintf("VEHICLE_MEMORY_%d, ", c.Law.Memory))
		call, err := w.run(&c.Law)
		if err != nil {
			return err
		}
		law, _, _ = strings.Cut(call, "(") // one law for all: their memories are alike
	}
	w.line("    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, {0, 0, 0}, 0, {0, 0, 0}}\n};\n")
	if len(list) == 0 {
		return nil
	}
	w.line("static double *vehicle_numbers_of_contact(vehicle *c, size_t i)\n{\n"+
		"    static const int32_t memories[VEHICLE_WHEEL_CONTACTS] = {%s};\n    return c->memory + memories[i];\n}\n",
		strings.TrimSuffix(strings.Join(memories, ""), ", "))
	w.line("static int vehicle_touch(vehicle *c, size_t i)\n{\n"+
		"    return !%s(vehicle_numbers_of_contact(c, i), NULL);\n}\n", law)
	return nil
}

// axes returns the C initialiser of an index per axis of the ground.
func axes(of [3]int) string { return fmt.Sprintf("{%d, %d, %d}", of[0], of[1], of[2]) }

// contactNumbers writes the numbers of contacts that depend on parameters.
func (w *writer) contactNumbers() {
	for _, c := range w.plan.Contacts {
		for _, m := range c.Constants {
			w.line("    %s = %s;", w.at(m.To), w.at(m.From))
		}
	}
}

// contactModes writes the check of modes at the start.
func (w *writer) contactModes() {
	w.line("/* Whether wheel contacts start in modes that there are. */")
	w.line("static int vehicle_holds_modes(vehicle *c)\n{\n    (void)c;")
	for i, c := range w.plan.Contacts {
		mode := w.at(c.InitialModeAt())
		w.line("    if (!(%s == -1 || %[1]s == 0 || %[1]s == 1))\n        return %s;", mode,
			w.fault(1+3*len(w.plan.Bounds)+i, mode, "0"))
	}
	w.line("    return 1;\n}\n")
}
