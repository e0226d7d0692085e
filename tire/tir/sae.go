package tir

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SAE axes are ISO axes after half a turn about x: y to the right, z down. Fx, Mx, the inclination, the
// longitudinal slip and the turn slip are the same in both; Fy and Mz have the other sign. Coefficient sets for SAE
// axes come with two signs of the slip angle:
//
//	adapted SAE, PKY1 > 0    tan alpha = -Vy/|Vx|, so that alpha is the same:  Fy_ISO(alpha) = -Fy_SAE(alpha)
//	SAE J670, PKY1 < 0       tan alpha =  Vy/|Vx|, of the other sign:          Fy_ISO(alpha) = -Fy_SAE(-alpha)
//
// The signs of the following coefficients turn.
var (
	// turnedForces change the signs of Fy and Mz. These are the coefficients of cornering and camber stiffness, vertical
	// shifts, side force by longitudinal slip, residual torque and arm of Fx. QSX... and QBZ10 keep Mx and Br.
	turnedForces = words("PKY1 PKY6 PKY7 PVY1 PVY2 PVY3 PVY4 RVY1 RVY2 RVY3 QSX3 QSX8 QSX13 QSX14 QBZ10 QDZ6 QDZ7 QDZ8 " +
		"QDZ9 QDZ10 QDZ11 SSZ1 SSZ3 SSZ4")
	// turnedSlip turn the slip angle: the forces at alpha are then those that were at -alpha.
	turnedSlip = words("PKY1 RHX1 PHY1 PHY2 PHY3 PEY3 PEY4 RBY3 QHZ1 QHZ2 QHZ3 QHZ4 QEZ4 QEZ5 QBZ10")
)

// FromSAE turns the text of a property file for SAE axes into one for ISO axes. Comments, order, spelling and line ends
// stay. A comment at the beginning names the coefficients with another sign. adapted tells adapted SAE axes from SAE
// J670.
func FromSAE(data []byte, name string) (text []byte, adapted bool, err error) {
	file, err := Parse(data, name)
	if err != nil {
		return nil, false, err
	}
	stiffness, ok := 0.0, false
	if e := file.Section("LATERAL_COEFFICIENTS").Entry("PKY1"); e != nil {
		stiffness, ok = e.Number()
	}
	if !ok || stiffness == 0 {
		return nil, false, fmt.Errorf("%s:1:1: [LATERAL_COEFFICIENTS] PKY1, whose sign tells the kind of SAE axes, is "+
			"missing or 0", name)
	}
	adapted = stiffness > 0
	e := &editor{replaced: map[int][]edit{}}
	for _, s := range file.Sections {
		for _, entry := range slices.Concat(s.Entries, s.repeated) {
			if turnedForces[entry.Key] != (!adapted && turnedSlip[entry.Key]) && sections[s.Name][entry.Key].used {
				e.turn(entry, entry.Text)
			}
		}
	}
	if low, high := file.slipAngles(); !adapted && low != nil && high != nil {
		e.turn(low, high.Text)
		e.turn(high, low.Text)
	} else if !adapted && (low != nil || high != nil) {
		return nil, false, fmt.Errorf("%s:1:1: [SLIP_ANGLE_RANGE] has one of ALPMIN and ALPMAX, which change places with "+
			"SAE axes; write both", name)
	}
	return e.apply(data), adapted, nil
}

// slipAngles are the ends of the range of slip angles, nil where there is none.
func (f *File) slipAngles() (low, high *Entry) {
	s := f.Section("SLIP_ANGLE_RANGE")
	return s.Entry("ALPMIN"), s.Entry("ALPMAX")
}

// edit puts a number in place of another one in a line, from a byte on.
type edit struct {
	from     int
	old, new string
}

// editor changes numbers of a text.
type editor struct {
	replaced map[int][]edit // by line
	keys     []string
}

// turn gives an entry a number with the other sign.
func (e *editor) turn(entry *Entry, number string) {
	if x, ok := entry.Number(); !ok || x == 0 && number == entry.Text {
		return
	}
	turned := strings.TrimPrefix(number, "-")
	if turned == number {
		turned = "-" + strings.TrimPrefix(number, "+")
	}
	e.replaced[entry.Line] = append(e.replaced[entry.Line], edit{entry.Column - 1, entry.Text, turned})
	if !slices.Contains(e.keys, entry.Key) {
		e.keys = append(e.keys, entry.Key)
	}
}

// apply returns the text with the changes, and with a comment that names them.
func (e *editor) apply(data []byte) []byte {
	var b bytes.Buffer
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(data, mark) {
		b.Write(mark)
		data = data[len(mark):]
	}
	for line := 1; len(data) > 0; line++ {
		text, rest := firstLine(data)
		end := data[len(text) : len(data)-len(rest)]
		if line == 1 {
			fmt.Fprintf(&b, "$ Turned from SAE to ISO axes, with other signs of %s%s", strings.Join(e.keys, ", "),
				cmp.Or(string(end), "\n"))
		}
		for _, c := range e.replaced[line] {
			at := c.from + bytes.Index(text[c.from:], []byte(c.old))
			text = slices.Concat(text[:at], []byte(c.new), text[at+len(c.old):])
		}
		b.Write(text)
		b.Write(end)
		data = rest
	}
	return b.Bytes()
}
