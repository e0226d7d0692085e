package identify

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/model/rig"
)

// texts are the words of columns.
var texts = map[string]string{"toe": "toe-in", "camber": "camber", "x": "wheel centre forward",
	"y": "wheel centre outward", "Fz": "force of the pad"}

// units are the SI units of columns.
var units = map[string]string{"toe": "rad", "camber": "rad", "x": "m", "y": "m", "Fz": "N"}

// nothing is a difference of curves that is not printed if the slopes are below it over the whole test, in shares of
// what differs tells.
const nothing = 1e-3

// Print writes the slopes and the largest differences of all curves, and the use of the file.
func (c *Corner) Print(to io.Writer, use, file string) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "test\tslope of\tmeasured\tcorner\tunit\tlargest difference\n")
	for _, line := range c.Compared {
		of := c.tests[line.Test]
		limit, unit, si := differs(line.Key)
		reach := max(-of.at[0], of.at[len(of.at)-1])
		if max(math.Abs(line.Measured), math.Abs(line.Found))*reach < nothing*limit && line.Worst < nothing*limit {
			continue
		}
		per, perSI := slopeUnit(units[line.Key], of.unit)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%.2g %s\n", line.Test, texts[line.Key], suspension.Number(line.Measured/perSI),
			suspension.Number(line.Found/perSI), per, line.Worst/si, unit)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if bar := c.Bar(use); bar != "" {
		fmt.Fprintf(to, "\n[component]\n%s\n", bar)
	}
	steer := ""
	if c.Steered() != "" {
		steer = `, steer = "steering"`
	}
	_, err := fmt.Fprintf(to, "\n[use.%s]\nfile = %q\nat = [\"L\", \"R\"]\nframes = { chassis = \"body\", road = "+
		"\"road\"%s }\n"+
		"parameters = { centre = \"...\" } # wheel centre in the design position, above the chassis frame\n", use, file,
		steer)
	return err
}

// slopeUnit is the unit of engineers of a slope, with its value in SI units.
func slopeUnit(of, over string) (unit string, si float64) {
	per := of + "/" + over
	if of == over {
		per = "1"
	}
	return suspension.Shown(&rig.Figure{Unit: per})
}
