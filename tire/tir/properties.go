package tir

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"skidpad/model/document"
)

// Version is a version of the Magic Formula.
type Version uint8

// The versions that are read.
const (
	MF52 Version = iota
	MF61
	MF62
)

func (v Version) String() string { return [...]string{"5.2", "6.1", "6.2"}[v] }

// Side is the side of the vehicle that the data belong to.
type Side uint8

// The sides.
const (
	Left Side = iota
	Right
	Symmetric
)

// Properties is the content of a tire property file.
type Properties struct {
	Version    Version
	Side       Side
	TurnSlip   bool               // asked for by USE_MODE
	Uncombined bool               // the same: each force by its own slip
	Lag        int                // the same: 0 none, 1 relaxation, above: transient models
	Values     map[string]float64 // by key, in SI units; what is absent is not in it
	Places     map[string]Place   // of the values
	Warnings   []string           // each with its place
}

// Place is a place in a file, counted from 1.
type Place struct{ Line, Column int }

// reader turns a file into properties.
type reader struct {
	file      *File
	faults    document.Faults
	warnings  document.Faults
	factors   map[string]float64
	p         *Properties
	versioned bool              // the Magic Formula version is known
	entries   map[string]*Entry // of the values
	within    map[string]string // their sections
}

// Read turns a file into properties. radius [m] is the unloaded radius for files without UNLOADED_RADIUS; with 0 they
// are refused. The error holds all faults found, one per line, each with file, line, column, section and key.
func Read(f *File, radius float64) (*Properties, error) {
	f, empty := withValues(f)
	r := &reader{
		file: f, faults: document.Faults{File: f.Name}, warnings: document.Faults{File: f.Name},
		factors: map[string]float64{},
		p:       &Properties{Values: map[string]float64{}, Places: map[string]Place{}}, entries: map[string]*Entry{},
		within: map[string]string{},
	}
	if len(empty) > 0 {
		r.warnings.Add(empty[0].Line, empty[0].Column, "without a value, which counts as absent: %s", keys(empty))
	}
	r.model()
	r.units()
	r.values()
	r.tables()
	if _, given := r.p.Values[radiusKey]; !given && radius > 0 {
		r.p.Values[radiusKey] = radius
	}
	if r.versioned {
		r.required()
		r.checkValues()
		r.ranges()
		r.warnUnusual()
	}
	if err := r.faults.Err(); err != nil {
		return nil, err
	}
	if err := r.warnings.Err(); err != nil {
		r.p.Warnings = strings.Split(err.Error(), "\n")
	}
	return r.p, nil
}

// withValues returns a file without entries that have no value, and these: tools write them for what they do
// not know.
func withValues(f *File) (*File, []*Entry) {
	var empty []*Entry
	kept := &File{Name: f.Name, Comments: f.Comments}
	for _, s := range f.Sections {
		c := *s
		c.Entries = nil
		for _, e := range s.Entries {
			if e.Key != "" && e.Text == "" {
				empty = append(empty, e)
			} else {
				c.Entries = append(c.Entries, e)
			}
		}
		kept.Sections = append(kept.Sections, &c)
	}
	return kept, empty
}

// keys lists the keys of entries, the first ones of many.
func keys(entries []*Entry) string {
	var list []string
	for _, e := range entries {
		list = append(list, e.Key)
	}
	return several(list)
}

// several joins words, the first ones of many.
func several(list []string) string {
	const most = 20
	if n := len(list); n > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), n-most)
	}
	return strings.Join(list, ", ")
}

func (r *reader) fail(section string, e *Entry, format string, arguments ...any) {
	r.faults.Add(e.Line, e.Column, "[%s] %s is %s; %s", section, e.Key, clipped(e.Text),
		fmt.Sprintf(format, arguments...))
}

func (r *reader) warn(section string, e *Entry, format string, arguments ...any) {
	r.warnings.Add(e.Line, e.Column, "[%s] %s is %s; %s", section, e.Key, clipped(e.Text),
		fmt.Sprintf(format, arguments...))
}

// model finds version, side and what is to be computed.
func (r *reader) model() {
	model := r.file.Section("MODEL")
	if r.file.Section("MDI_HEADER") == nil {
		r.warnings.Add(1, 1, "there is no section [MDI_HEADER]; it counts as that of a tire property file")
	} else if e := r.file.Section("MDI_HEADER").Entry("FILE_TYPE"); e != nil && !strings.EqualFold(e.Text, "tir") {
		r.fail("MDI_HEADER", e, "a tire property file has the type 'tir'")
	}
	if model == nil {
		r.faults.Add(1, 1, "there is no section [MODEL]; it says by PROPERTY_FILE_FORMAT or FITTYP which Magic "+
			"Formula the file is for")
		return
	}
	r.p.Version, r.versioned = r.version(model)
	r.side(model)
	r.useMode(model)
	if e := model.Entry("FE_METHOD"); e != nil && strings.EqualFold(e.Text, "YES") {
		r.warn("MODEL", e, "the friction ellipse is not used; combined slip is weighted by the coefficients R..., or "+
			"by an ellipse where combined = \"ellipse\" of the tire's force asks for it")
	}
	if e := model.Entry("BELT_DYNAMICS"); e != nil && strings.EqualFold(e.Text, "YES") {
		r.warn("MODEL", e, "the belt is rigid here")
	}
}

// side reads the side on which the tire was measured.
func (r *reader) side(model *Section) {
	for _, key := range []string{"TYRESIDE", "TIRESIDE"} {
		e := model.Entry(key)
		if e == nil {
			continue
		}
		switch strings.ToUpper(e.Text) {
		case "LEFT":
		case "RIGHT":
			r.p.Side = Right
		case "SYMMETRIC":
			r.p.Side = Symmetric
		case "UNKNOWN":
			r.warn("MODEL", e, "it counts as LEFT")
		default:
			r.fail("MODEL", e, "it must be LEFT, RIGHT, SYMMETRIC or UNKNOWN")
		}
	}
}

// useMode reads the digits of USE_MODE: which forces, which lag, which contact.
func (r *reader) useMode(model *Section) {
	e := model.Entry("USE_MODE")
	if e == nil {
		return
	}
	x, ok := e.Number()
	if !ok || x != math.Trunc(x) || math.Abs(x) > 999 {
		r.fail("MODEL", e, "it must be a whole number of at most three digits")
		return
	}
	mode := int(math.Abs(x))
	switch forces := mode % 10; {
	case forces == 3:
		r.p.Uncombined = true
		r.warn("MODEL", e, "each force is computed by its own slip, so that braking takes nothing of cornering; with 4 as "+
			"the last digit slips are combined")
	case forces == 4:
	case forces == 5 && r.p.Version != MF52:
		r.p.TurnSlip = true
	case forces == 5:
		r.fail("MODEL", e, "version 5.2 has no turn slip; the nearest that is served is %d", mode-1)
	default:
		served, most := "3 (pure slips) or 4 (combined slip)", 4
		if r.p.Version != MF52 {
			served, most = "3 (pure slips), 4 (combined slip) or 5 (with turn slip)", 5
		}
		asked := map[int]string{0: "it asks for the load alone, and ", 1: "it asks for longitudinal forces alone, and ",
			2: "it asks for lateral forces alone, and "}[forces]
		r.fail("MODEL", e, "%sits last digit must be %s; the nearest that is served is %d", asked, served,
			mode-forces+max(3, min(forces, most)))
	}
	if x < 0 {
		r.warn("MODEL", e, "its sign is not used; state the side of the vehicle where the file is named")
	}
	if r.p.Lag = mode / 10 % 10; r.p.Lag > 1 {
		r.warn("MODEL", e, "its digit %d asks for a lag that is not served; the lag is a setting of the tire's slip",
			r.p.Lag)
	}
}

// units finds the factors to SI.
func (r *reader) units() {
	section := r.file.Section("UNITS")
	if section == nil {
		r.warnings.Add(1, 1, "there is no section [UNITS]; numbers count as SI units")
	}
	for key := range units {
		r.factors[key] = 1
		e := section.Entry(key)
		if e == nil {
			continue
		}
		f, ok := factor(key, e.Text)
		if !ok {
			r.fail("UNITS", e, "this is not a unit of %s; allowed are %s", strings.ToLower(key), allowed(key))
			continue
		}
		r.factors[key] = f
	}
}

// si is the factor of a dimension.
func (r *reader) si(d dimension) float64 {
	f := 1.0
	for _, u := range []struct {
		key   string
		power int
	}{{"LENGTH", d.length}, {"FORCE", d.force}, {"ANGLE", d.angle}, {"MASS", d.mass}, {"TIME", d.time},
		{"PRESSURE", d.pressure}} {
		for range max(u.power, 0) {
			f *= r.factors[u.key]
		}
		for range max(-u.power, 0) {
			f /= r.factors[u.key]
		}
	}
	return f
}

// synonyms are keys of other writers.
var synonyms = map[string]string{"IP": "INFLPRES", "IP_NOM": "NOMPRES"}

// values takes the numbers over. Unknown keys and sections are named together.
func (r *reader) values() {
	var unknown []string
	first := math.MaxInt
	strange := func(what string, line int) {
		unknown = append(unknown, what)
		first = min(first, line)
	}
	for _, s := range r.file.Sections {
		known, there := sections[s.Name]
		if !there {
			strange("["+s.Name+"]", s.Line)
			continue
		}
		for _, e := range s.Entries {
			k, there := known[e.Key]
			switch {
			case e.Key == "":
			case !there:
				strange(fmt.Sprintf("[%s] %s", s.Name, e.Key), e.Line)
			case k.dimension == "text" || !k.used:
			default:
				x, ok := e.Number()
				if !ok {
					r.fail(s.Name, e, "it must be a finite number")
					continue
				}
				name := cmp.Or(synonyms[e.Key], e.Key)
				r.p.Values[name] = x * r.si(dimensions[k.dimension])
				r.entries[name], r.within[name], r.p.Places[name] = e, s.Name, Place{e.Line, e.Column}
			}
		}
	}
	if len(unknown) > 0 {
		r.warnings.Add(first, 1, "unknown and not used: %s", several(unknown))
	}
}

// tables checks those whose form is known.
func (r *reader) tables() {
	lines := map[string][]int{}
	for _, s := range r.file.Sections {
		name := s.Name
		lines[name] = append(lines[name], s.Line)
		if begins := lines[name]; len(begins) == 2 {
			r.warnings.Add(s.Line, 1, "[%s] begins in line %d already; neither is used", name, begins[0])
		}
		if name != "DEFLECTION_LOAD_CURVE" && name != "BOTTOMING_CURVE" {
			continue
		}
		at := slices.IndexFunc(s.Blocks, (*Block).isTable)
		if at < 0 {
			r.faults.Add(s.Line, 1, "[%s] holds no table; write {pen fz} and two rows or more, or leave the section "+
				"out", name)
			continue
		}
		rows := s.Blocks[at].Rows
		if len(rows) < 2 {
			r.faults.Add(s.Line, 1, "[%s] has %d rows; a table has two or more", name, len(rows))
		}
		for i := 1; i < len(rows); i++ {
			if !(rows[i].Values[0] > rows[i-1].Values[0]) {
				r.faults.Add(rows[i].Line, 1, "[%s] %g follows %g; the first column must increase", name,
					rows[i].Values[0], rows[i-1].Values[0])
			}
		}
		r.warnings.Add(s.Line, 1, "[%s] is not used; the tire component has a spring of its own", name)
	}
}

const radiusKey = "UNLOADED_RADIUS"

// required are the keys without which there is no tire, with their sections.
var required = []struct{ section, keys string }{
	{"DIMENSION", radiusKey}, {"VERTICAL", "FNOMIN"},
	{"LONGITUDINAL_COEFFICIENTS", "PCX1 PDX1 PKX1"}, {"LATERAL_COEFFICIENTS", "PCY1 PDY1 PKY1 PKY2"},
}

func (r *reader) required() {
	for _, group := range required {
		for _, key := range strings.Fields(group.keys) {
			if _, given := r.p.Values[key]; given {
				continue
			}
			line := 1
			if s := r.file.Section(group.section); s.Entry(key) != nil {
				continue // its number is at fault
			} else if s != nil {
				line = s.Line
			}
			remedy := "every tire property file must have it"
			if key == radiusKey {
				remedy = "the tire component that uses the file does not give it either; write it here, or the number for " +
					"unloaded_radius there"
			}
			r.faults.Add(line, 1, "[%s] %s is missing; %s", group.section, key, remedy)
		}
	}
}

// requireThat notes a fault at a value.
func (r *reader) requireThat(key string, holds bool, format string, arguments ...any) {
	if e := r.entries[key]; e != nil && !holds {
		r.fail(r.within[key], e, format, arguments...)
	}
}

// or is a value or its default.
func (r *reader) or(key string, absent float64) float64 {
	if x, given := r.p.Values[key]; given {
		return x
	}
	return absent
}

// checkValues checks values that the formulas divide by, or that have no meaning.
func (r *reader) checkValues() {
	v := r.p.Values
	for _, key := range []string{"FNOMIN", "UNLOADED_RADIUS", "VERTICAL_STIFFNESS", "LFZO", "LONGVL", "INFLPRES",
		"NOMPRES", "PCX1", "PCY1", "QCZ1", "LCX", "LCY", "LMUX", "LMUY"} {
		r.requireThat(key, v[key] > 0, "it must be positive")
	}
	for _, key := range []string{"PDX1", "PDY1"} {
		r.requireThat(key, v[key] != 0, "the friction at the nominal load must not be 0; it may be negative, forces "+
			"depend on its magnitude")
	}
	r.requireThat("PKY2", v["PKY2"] != 0,
		"it must not be 0: it is the load of the largest cornering stiffness by the nominal one")
	r.requireThat("PKY2", v["PKY2"] >= 0,
		"it must be positive: it is the load of the largest cornering stiffness by the nominal one")
	r.requireThat("PKY1", v["PKY1"] != 0, "the cornering stiffness must not be 0")
	r.requireThat("PKY1", v["PKY1"] <= 0, "in ISO axes a positive slip angle makes a negative side force, so that it "+
		"is negative; this set is for SAE axes: convert it by 'skidpad tire convert %s --from sae -o NEW.tir', or "+
		"export it in ISO axes", r.file.Name)
	if r.p.Version == MF52 {
		var foreign []string
		line := math.MaxInt
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if Only6[key] && v[key] != 0 {
				foreign = append(foreign, key)
				line = min(line, r.entries[key].Line)
			}
		}
		if foreign != nil {
			r.warnings.Add(line, 1, "version 5.2 does not have %s, which are not used", strings.Join(foreign, ", "))
		}
		return
	}
	var foreign []string
	line := math.MaxInt
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if only52[key] && v[key] != map[bool]float64{true: 1}[key[0] == 'L'] {
			foreign = append(foreign, key)
			line = min(line, r.entries[key].Line)
		}
	}
	if foreign != nil {
		r.warnings.Add(line, 1, "version %s does not have %s, which are not used", r.p.Version,
			strings.Join(foreign, ", "))
	}
	r.requireThat("QSY7", r.or("QSY7", 1) >= 0,
		"it must not be negative: the rolling resistance vanishes with the load")
	if !r.p.TurnSlip {
		return
	}
	e := r.file.Section("MODEL").Entry("USE_MODE")
	var missing []string
	for _, key := range []string{"PHYP1", "PHYP2", "QDRP1"} {
		if r.or(key, 0) == 0 {
			missing = append(missing, key)
		}
	}
	if missing != nil {
		r.fail("MODEL", e, "turn slip needs %s of [TURNSLIP_COEFFICIENTS], 0 or absent here; write them, or 4 as "+
			"the last digit", strings.Join(missing, ", "))
	}
}

// ranges checks the ranges of validity.
func (r *reader) ranges() {
	none := true
	for _, pair := range [][2]string{{"KPUMIN", "KPUMAX"}, {"ALPMIN", "ALPMAX"}, {"CAMMIN", "CAMMAX"},
		{"FZMIN", "FZMAX"}, {"PRESMIN", "PRESMAX"}} {
		low, first := r.p.Values[pair[0]]
		high, second := r.p.Values[pair[1]]
		none = none && !first && !second
		if first && second && !(low < high) {
			r.requireThat(pair[0], false, "it must be below %s, %s in line %d", pair[1], r.entries[pair[1]].Text,
				r.entries[pair[1]].Line)
		}
	}
	r.requireThat("FZMIN", r.or("FZMIN", 0) >= 0, "loads are not negative")
	if none {
		r.warnings.Add(1, 1, "the file has no ranges of validity; formulas are used at any slip and load")
	}
	if p, given := r.p.Values["INFLPRES"]; given && (p < r.or("PRESMIN", 0) || p > r.or("PRESMAX", math.Inf(1))) {
		r.warn(r.within["INFLPRES"], r.entries["INFLPRES"], "it is outside of the range of pressures of the file")
	}
}

// warnUnusual warns of values outside of the usual band.
func (r *reader) warnUnusual() {
	v := r.p.Values
	band := func(key string, x, low, high float64, what string) {
		if e := r.entries[key]; e != nil && !(x >= low && x <= high) {
			r.warn(r.within[key], e, "%s is %.4g, usual is %g to %g", what, x, low, high)
		}
	}
	band("PDX1", math.Abs(v["PDX1"])*r.or("LMUX", 1), 0, 2, "the longitudinal friction")
	band("PDY1", math.Abs(v["PDY1"])*r.or("LMUY", 1), 0, 2, "the lateral friction")
	band("UNLOADED_RADIUS", v["UNLOADED_RADIUS"], 0.1, 1.5, "the radius in m")
	band("PKX1", v["PKX1"]*r.or("LKX", 1), 5, 60, "the slip stiffness by the load")
	fn := v["FNOMIN"] * r.or("LFZO", 1)
	for _, c := range []struct{ key, scale string }{{"PEX", "LEX"}, {"PEY", "LEY"}} {
		for _, fz := range []float64{r.or("FZMIN", fn), fn, min(r.or("FZMAX", fn), 100*fn)} {
			d := fz/fn - 1
			e := (r.or(c.key+"1", 0) +
				d*(r.or(c.key+"2", 0)+map[bool]float64{true: d * r.or("PEX3", 0)}[c.key == "PEX"])) * r.or(c.scale, 1)
			if at := r.entries[c.key+"1"]; at != nil && e > 1 {
				r.warn(r.within[c.key+"1"], at, "it makes the curvature E %.4g at %.4g N; above 1 it counts as 1", e,
					fz)
				break
			}
		}
	}
}

// Mirrored reports whether a tire mounted on a side, "left", "right" or "" for as the file says, is mirrored.
func (p *Properties) Mirrored(side string) bool {
	return side != "" && p.Side != Symmetric && (side == "right") != (p.Side == Right)
}
