package tir

import "strings"

// dimension is a product of powers of the units that a file declares.
type dimension struct{ length, force, angle, mass, time, pressure int }

var dimensions = map[string]dimension{
	"":      {},
	"L":     {length: 1},
	"F":     {force: 1},
	"A":     {angle: 1},
	"M":     {mass: 1},
	"P":     {pressure: 1},
	"F/L":   {force: 1, length: -1},
	"F/L2":  {force: 1, length: -2},
	"FT/L":  {force: 1, time: 1, length: -1},
	"L/T":   {length: 1, time: -1},
	"L/T2":  {length: 1, time: -2},
	"ML2":   {mass: 1, length: 2},
	"FL/A":  {force: 1, length: 1, angle: -1},
	"1/T":   {time: -1},
	"text":  {},
	"other": {},
}

// key describes an entry.
type key struct {
	dimension string
	used      bool // false: known to tools, of no influence on the forces
}

// sections are the known entries by section: those that are used, then those that are not, each with
// its dimension behind a colon. The coefficients of the Magic Formula have none and are never converted.
var sections = func() map[string]map[string]key {
	all := map[string]map[string]key{}
	for section, lists := range map[string][2]string{
		"MDI_HEADER": {"FILE_TYPE:text FILE_VERSION FILE_FORMAT:text", ""},
		"UNITS":      {"LENGTH:text FORCE:text ANGLE:text MASS:text TIME:text PRESSURE:text", ""},
		"MODEL": {"PROPERTY_FILE_FORMAT:text FITTYP:text TYRESIDE:text TIRESIDE:text USE_MODE:text LONGVL:L/T " +
			"FE_METHOD:text BELT_DYNAMICS:text CONTACT_MODEL:text",
			"VXLOW:L/T TYPE:text MFSAFE1 MFSAFE2 MFSAFE3 FUNCTION_NAME:text USER_SUB_ID N_TIRE_STATES " +
				"ROAD_INCREMENT:L ROAD_DIRECTION HMAX_LOCAL SWITCH_INTEG TIME_SWITCH_INTEG CORNERINGMODE:text"},
		"DIMENSION": {"UNLOADED_RADIUS:L WIDTH:L",
			"ASPECT_RATIO RIM_RADIUS:L RIM_WIDTH:L BOTTOMING_RADIUS:L"},
		"VERTICAL": {"FNOMIN:F VERTICAL_STIFFNESS:F/L VERTICAL_DAMPING:FT/L BREFF DREFF FREFF",
			"MC_CONTOUR_A MC_CONTOUR_B Q_RE0 Q_V1 Q_V2 Q_FZ1 Q_FZ2 Q_FZ3 Q_FCX Q_FCY Q_FCY2 Q_CAM Q_CAM1 Q_CAM2 " +
				"Q_CAM3 Q_FYS1 Q_FYS2 Q_FYS3 PFZ1 BOTTOM_OFFST:L BOTTOM_STIFF:F/L QFZ1 QFZ2 QFZ3 QPFZ1 QV2"},
		"OPERATING_CONDITIONS":     {"INFLPRES:P NOMPRES:P", ""},
		"TIRE_CONDITIONS":          {"INFLPRES:P NOMPRES:P IP:P IP_NOM:P", ""},
		"INERTIA":                  {"", "MASS:M IXX:ML2 IYY:ML2 BELT_MASS:M BELT_IXX:ML2 BELT_IYY:ML2 GRAVITY:L/T2"},
		"LONG_SLIP_RANGE":          {"KPUMIN KPUMAX", ""},
		"SLIP_ANGLE_RANGE":         {"ALPMIN:A ALPMAX:A", ""},
		"INCLINATION_ANGLE_RANGE":  {"CAMMIN:A CAMMAX:A", ""},
		"VERTICAL_FORCE_RANGE":     {"FZMIN:F FZMAX:F", ""},
		"INFLATION_PRESSURE_RANGE": {"PRESMIN:P PRESMAX:P", ""},
		"SCALING_COEFFICIENTS": {"LFZO LCX LMUX LEX LKX LHX LVX LGAX LCY LMUY LEY LKY LHY LVY LGAY LKYC LKZC LTR " +
			"LRES LGAZ LXAL LYKA LVYKA LS LMX LVMX LMY LMP LSGKP LSGAL",
			"LGYR LCZ LIP LMUV LAMU LKC LSGDP"},
		"LONGITUDINAL_COEFFICIENTS": {"PCX1 PDX1 PDX2 PDX3 PEX1 PEX2 PEX3 PEX4 PKX1 PKX2 PKX3 PHX1 PHX2 PVX1 PVX2 " +
			"PPX1 PPX2 PPX3 PPX4 RBX1 RBX2 RBX3 RCX1 REX1 REX2 RHX1 PTX1 PTX2 PTX3", ""},
		"OVERTURNING_COEFFICIENTS": {"QSX1 QSX2 QSX3 QSX4 QSX5 QSX6 QSX7 QSX8 QSX9 QSX10 QSX11 QSX12 QSX13 QSX14 PPMX1",
			""},
		"LATERAL_COEFFICIENTS": {"PCY1 PDY1 PDY2 PDY3 PEY1 PEY2 PEY3 PEY4 PEY5 PKY1 PKY2 PKY3 PKY4 PKY5 PKY6 PKY7 " +
			"PHY1 PHY2 PHY3 PVY1 PVY2 PVY3 PVY4 PPY1 PPY2 PPY3 PPY4 PPY5 RBY1 RBY2 RBY3 RBY4 RCY1 REY1 REY2 RHY1 " +
			"RHY2 RVY1 RVY2 RVY3 RVY4 RVY5 RVY6 PTY1 PTY2", ""},
		"ROLLING_COEFFICIENTS": {"QSY1 QSY2 QSY3 QSY4 QSY5 QSY6 QSY7 QSY8", ""},
		"ALIGNING_COEFFICIENTS": {"QBZ1 QBZ2 QBZ3 QBZ4 QBZ5 QBZ9 QBZ10 QCZ1 QDZ1 QDZ2 QDZ3 QDZ4 QDZ6 QDZ7 QDZ8 QDZ9 " +
			"QDZ10 QDZ11 QEZ1 QEZ2 QEZ3 QEZ4 QEZ5 QHZ1 QHZ2 QHZ3 QHZ4 PPZ1 PPZ2 SSZ1 SSZ2 SSZ3 SSZ4", "QTZ1 MBELT:M"},
		"TURNSLIP_COEFFICIENTS": {"PDXP1 PDXP2 PDXP3 PKYP1 PDYP1 PDYP2 PDYP3 PDYP4 PHYP1 PHYP2 PHYP3 PHYP4 PECP1 " +
			"PECP2 QDTP1 QCRP1 QCRP2 QBRP1 QDRP1 QDRP2", ""},
		"STRUCTURAL": {"LONGITUDINAL_STIFFNESS:F/L LATERAL_STIFFNESS:F/L PCFX1 PCFX2 PCFX3 PCFY1 PCFY2 PCFY3",
			"YAW_STIFFNESS:FL/A FREQ_LONG:1/T FREQ_LAT:1/T FREQ_YAW:1/T FREQ_WINDUP:1/T DAMP_LONG DAMP_LAT DAMP_YAW " +
				"DAMP_WINDUP DAMP_RESIDUAL DAMP_VLOW Q_BVX Q_BVT PCMZ1"},
		"CONTACT_PATCH": {"", "Q_RA1 Q_RA2 Q_RB1 Q_RB2 Q_A1 Q_A2 ELLIPS_SHIFT ELLIPS_LENGTH ELLIPS_HEIGHT " +
			"ELLIPS_ORDER ELLIPS_MAX_STEP:L ELLIPS_NWIDTH ELLIPS_NLENGTH ELLIPS_INC:L ENV_C1 ENV_C2"},
		"SHAPE": {"", ""}, "DEFLECTION_LOAD_CURVE": {"", ""}, "BOTTOMING_CURVE": {"", ""},
	} {
		all[section] = map[string]key{}
		for i, list := range lists {
			for _, word := range strings.Fields(list) {
				name, dimension, _ := strings.Cut(word, ":")
				all[section][name] = key{dimension, i == 0}
			}
		}
	}
	return all
}()

// only52 and Only6 are coefficients that one family of versions has.
var (
	only52 = words("LGAX LGAY LGAZ LSGKP LSGAL PHY3 PTX1 PTX2 PTX3 PTY1 PTY2")
	Only6  = words("LKYC LKZC LMP PPX1 PPX2 PPX3 PPX4 PPY1 PPY2 PPY3 PPY4 PPY5 PPZ1 PPZ2 PPMX1 RBX3 RBY4 PEY5 PKY4 " +
		"PKY5 PKY6 PKY7 QDZ10 QDZ11 QSX4 QSX5 QSX6 QSX7 QSX8 QSX9 QSX10 QSX11 QSX12 QSX13 QSX14 QSY5 QSY6 QSY7 QSY8 " +
		"PDXP1 PDXP2 PDXP3 PKYP1 PDYP1 PDYP2 PDYP3 PDYP4 PHYP1 PHYP2 PHYP3 PHYP4 PECP1 PECP2 QDTP1 QCRP1 QCRP2 " +
		"QBRP1 QDRP1 QDRP2")
)

// Asymmetric are the coefficients whose sign a mirrored tire has changed; those of a symmetric one are zero.
var Asymmetric = words("RHX1 QSX1 PEY3 PHY1 PHY2 PVY1 PVY2 RBY3 RVY1 RVY2 QBZ4 QDZ3 QDZ6 QDZ7 QEZ4 QHZ1 QHZ2 SSZ1")

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// unit is one that [UNITS] may name, by its shortest form.
type unit struct {
	name   string
	factor float64 // to SI
}

// units by the key of [UNITS]. A value is valid that begins with a name; the longest one counts.
// Names in the second list have no longer form.
var units = map[string]struct{ long, short []unit }{
	"LENGTH": {[]unit{{"KM", 1000}, {"METER", 1}, {"METRE", 1}, {"DECI", 0.1}, {"CM", 1e-2}, {"CENTI", 1e-2},
		{"MM", 1e-3}, {"MILLI", 1e-3}, {"MICRO", 1e-6}, {"KILO", 1000}, {"MILE", 1609.344}, {"YARD", 0.9144},
		{"FOOT", 0.3048}, {"FEET", 0.3048}, {"IN", 0.0254}}, []unit{{"M", 1}, {"DM", 0.1}, {"FT", 0.3048}}},
	"FORCE": {[]unit{{"NEWTON", 1}, {"KNEWTON", 1000}, {"KILON", 1000}, {"MEGAN", 1e6}, {"DECAN", 10},
		{"CENTIN", 1e-2}, {"MILLIN", 1e-3}, {"KG_FORCE", kilogramForce}, {"KILOGRAM_FORCE", kilogramForce},
		{"KILOPOND", kilogramForce}, {"POUND_FORCE", poundForce}, {"KPOUND_FORCE", 1000 * poundForce},
		{"OUNCE_FORCE", 0.27801385095378}, {"DYNE", 1e-5}},
		[]unit{{"N", 1}, {"KN", 1000}, {"MN", 1e6}, {"DAN", 10}, {"LBF", poundForce}, {"LB", poundForce},
			{"LBS", poundForce}, {"POUND", poundForce}, {"POUNDS", poundForce}, {"KLBF", 1000 * poundForce},
			{"KIP", 1000 * poundForce}, {"KGF", kilogramForce}, {"KP", kilogramForce}, {"OZF", 0.27801385095378}}},
	"ANGLE": {[]unit{{"DEG", degree}, {"RAD", 1}, {"MILLIRAD", 1e-3}, {"REV", 360 * degree},
		{"ANGULAR_MINUTE", degree / 60}, {"ANGULAR_SECOND", degree / 3600}}, []unit{{"MRAD", 1e-3}}},
	"MASS": {[]unit{{"KG", 1}, {"KILOG", 1}, {"GRAM", 1e-3}, {"MEGAG", 1000}, {"TONNE", 1000}, {"MILLIG", 1e-6},
		{"POUND_MASS", pound}, {"KPOUND_MASS", 1000 * pound}, {"SLUG", 14.593902937206}, {"SLINCH", 175.12683524647},
		{"OUNCE_MASS", 0.028349523125}},
		[]unit{{"G", 1e-3}, {"T", 1000}, {"MG", 1e-6}, {"LBM", pound}, {"LB", pound}, {"LBS", pound}, {"POUND", pound},
			{"POUNDS", pound}, {"OZ", 0.028349523125}}},
	"TIME": {[]unit{{"MILLI", 1e-3}, {"MICRO", 1e-6}, {"NANO", 1e-9}, {"SEC", 1}, {"MIN", 60}, {"HOUR", 3600},
		{"DAY", 86400}}, []unit{{"S", 1}, {"MS", 1e-3}, {"US", 1e-6}, {"H", 3600}}},
	"PRESSURE": {[]unit{{"PASCAL", 1}, {"HECTOP", 100}, {"KPASCAL", 1e3}, {"KILOP", 1e3}, {"MPASCAL", 1e6},
		{"MEGAP", 1e6}, {"BAR", 1e5}, {"MILLIBAR", 100}, {"PSI", 6894.757293168}, {"KSI", 6.894757293168e6},
		{"ATM", 101325}},
		[]unit{{"PA", 1}, {"HPA", 100}, {"KPA", 1e3}, {"MPA", 1e6}, {"MBAR", 100}, {"N/M2", 1}, {"N/MM2", 1e6},
			{"LBF/IN2", 6894.757293168}, {"KGF/CM2", 98066.5}}},
}

// Factors of units that have several names.
const (
	degree        = 3.14159265358979323846 / 180
	pound         = 0.45359237
	kilogramForce = 9.80665
	poundForce    = pound * kilogramForce
)

// unitSpelling makes one of the ways to write a unit: pound force and N/m^2 are POUND_FORCE and N/M2.
var unitSpelling = strings.NewReplacer(" ", "_", "-", "_", "^", "", "**", "")

// factor returns the factor to SI of a unit by its name in a file.
func factor(key, text string) (float64, bool) {
	text = unitSpelling.Replace(strings.ToUpper(text))
	best, found := unit{}, false
	for _, u := range units[key].long {
		if strings.HasPrefix(text, u.name) && len(u.name) > len(best.name) {
			best, found = u, true
		}
	}
	for _, u := range units[key].short {
		if text == u.name {
			return u.factor, true
		}
	}
	return best.factor, found
}

// allowed lists the names of units for messages.
func allowed(key string) string {
	var list []string
	for _, u := range append(units[key].long, units[key].short...) {
		list = append(list, strings.ToLower(u.name))
	}
	return strings.Join(list, ", ")
}
