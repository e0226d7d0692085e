package cosim

import "fmt"

// leftTable says which table the state has left that runs must not leave, at time t, nil for none. The inputs are those
// of that time, and the ground that of the latest evaluation.
func (in *Instance) leftTable(t float64) error {
	ranges := in.sys.program.Ranges
	if len(ranges) == 0 {
		return nil
	}
	if in.sides.wheels == nil {
		in.inputsAt(in.since)
	}
	side := in.sides.ends
	side.Evaluate(in.x[:len(in.sys.program.States)], in.continued, nil)
	for i, r := range ranges {
		if beyond := side.Value(len(in.sys.program.Ends) + i); beyond > 0 {
			return fmt.Errorf("%s: its argument is %.3g %s outside of the points, which go from %.6g to %.6g %s, at t = "+
				"%.6g s; the key outside is \"error\": add points, or go on beyond them by \"tangent\" or \"hold\"", r.Key, beyond,
				r.Unit, r.Low, r.High, r.Unit, t)
		}
	}
	return nil
}

// keepTables fails the step under way if it has left such a table by time t.
func (in *Instance) keepTables(t float64) error {
	err := in.leftTable(t)
	if err != nil {
		err = fmt.Errorf("%w; the state at %g s is kept", err, in.pendingStep.start)
		in.rollBack()
	}
	return err
}
