package linearise

import (
	"io"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/workbench/results/output"
)

// Wanted says what is to be known of linear equations, beside the steady motions.
type Wanted struct {
	Eigenvalues, Modes, Plots bool
	Transfer, Handling, Bode  bool
}

// Drawn are the endings of the files of a plot.
var Drawn = []string{".png", ".svg"}

// Print prints what is wanted; a Bode plot as CSV.
func (l *Result) Print(to io.Writer, wanted Wanted) error {
	if wanted.Eigenvalues || wanted.Modes {
		l.PrintSteady(to)
	}
	if wanted.Eigenvalues {
		l.PrintEigenvalues(to)
	}
	l.PrintForces(to)
	if wanted.Modes {
		l.PrintModes(to)
	}
	if wanted.Transfer {
		l.PrintTransfer(to)
	}
	l.PrintHandling(to)
	if wanted.Bode {
		return l.BodeTable().WriteCSV(to)
	}
	return nil
}

// Files returns the wanted tables and plots as files.
func (l *Result) Files(wanted Wanted) ([]output.File, error) {
	files := []output.File{{Name: "steady.csv", Write: l.SteadyTable().WriteCSV}}
	add := func(wanted bool, name string, write func(io.Writer) error) {
		if wanted {
			files = append(files, output.File{Name: name, Write: write})
		}
	}
	if l.Forces {
		add(true, "forces.csv", l.ForcesTable().WriteCSV)
	}
	add(wanted.Eigenvalues, "eigenvalues.csv", l.EigenTable().WriteCSV)
	add(wanted.Modes, "modes.csv", l.WriteModes)
	add(wanted.Modes, "shapes.csv", l.WriteShapes)
	draw := func(wanted bool, name string, plot func(to io.Writer, name string) error) {
		for _, ending := range Drawn {
			add(wanted, name+ending, func(to io.Writer) error { return plot(to, ending) })
		}
	}
	draw(wanted.Plots && (wanted.Eigenvalues || wanted.Modes), "eigenvalues", l.PlotEigenvalues)
	add(wanted.Transfer, "transfer.csv", l.WriteTransfer)
	add(wanted.Handling, "handling.csv", l.HandlingTable().WriteCSV)
	add(wanted.Bode, "bode.csv", l.BodeTable().WriteCSV)
	draw(wanted.Bode && wanted.Plots, "bode", l.PlotBode)
	add(true, "linear.mat", l.WriteMAT)
	add(true, "linear.json", l.WriteJSON)
	if len(l.Systems) != 1 {
		return files, nil
	}
	minimal, err := l.Minimal()
	if err != nil {
		return nil, err
	}
	s := minimal[0]
	for _, m := range []struct {
		name          string
		matrix        *mat.Dense
		rows, columns []string
	}{
		{"A", s.A, s.States, s.States}, {"B", s.B, s.States, s.Inputs},
		{"C", s.C, s.Outputs, s.States}, {"D", s.D, s.Outputs, s.Inputs},
	} {
		add(true, m.name+".csv", func(to io.Writer) error { return WriteMatrix(to, m.matrix, m.rows, m.columns) })
	}
	return files, nil
}
