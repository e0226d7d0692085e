package sti

// Job is the task of a routine in a call (JOBFLG).
type Job int32

// The jobs that all tools agree about.
const (
	Evaluate   Job = 0  // FORCES, TORQUE, DEQDER, VARINF
	Inquire    Job = 1  // the sizes of arrays
	Initialise Job = 2  // reads the tire file; TYPARR, DEQINI
	Again      Job = 3  // the same during a run, sizes as they are
	Accept     Job = 4  // the step to the point of the latest evaluation was accepted
	Difference Job = 5  // as Evaluate, for a derivative: of Adams, and not asked for here
	End        Job = 99 // gives everything back
)

// What a routine says of a job (IERR); other values are fatal, too.
const (
	Fine    = 0
	Warning = 1 // results may be used
	Failure = 2 // results must not be used, a shorter step may help
	Fatal   = 3
)

// Arguments are the arguments of a routine with a fixed size. Vectors are in axes C unless stated otherwise; units are
// SI. The layout equals the layout of sti_arguments in C.
type Arguments struct {
	Device, Switch, Job, Tire int32 // NDEV, ISWTCH, JOBFLG, IDTYRE
	Error, Surface            int32 // IERR, IDROAD

	Time     float64    // TIME [s]
	Centre   [3]float64 // DIS: of the wheel, in earth axes [m]
	Axes     [9]float64 // TRAMAT: x, y, z of C in earth axes
	Angle    float64    // ANGTWC: of the rim in C [rad]
	Velocity [3]float64 // VEL: of the wheel's centre [m/s]
	Rate     [3]float64 // OMEGA: angular velocity of C [rad/s]
	Spin     float64    // OMEGAR: of the rim in C, about y [rad/s]

	Force  [3]float64 // FORCES: of the tire on the rim [N]
	Torque [3]float64 // TORQUE: of the tire on the rim about the wheel's centre [N m]

	Sizes Sizes
	Plane Plane
	Model [256]byte // TYRMOD: name of the tire model or what went wrong, padded with blanks
}

// Sizes are the lengths of the arrays that a routine asks for.
type Sizes struct {
	States     int32 // NDEQVR: of DEQVAR, DEQINI, DEQDER
	Parameters int32 // NTYPAR: of TYPARR
	Road       int32 // NROPAR: of ROPAR
	Outputs    int32 // NVARS: of VARINF
	Work       int32 // NWORK: of WRKARR
	Integers   int32 // NIWORK: of IWRKAR
}

// Arrays are the arguments whose sizes the routine decides.
type Arrays struct {
	States, Initial, Rates, Parameters, Road, Outputs, Work []float64
	Integers                                                []int32
}

// Plane is the road under a wheel, in earth axes: what the road routine describes.
type Plane struct {
	Point    [3]float64 // in it [m]
	Normal   [3]float64 // of length 1, up
	Friction float64    // relative to the friction of the surface of the tire measurement
	Ground   int32      // 1 where there is a road, else 0

	// What the other form of road routine asks for: free radius and width of the tire [m].
	Radius, Width float64
}

// text is a Fortran string without its trailing blanks.
func text(b []byte) string {
	n := 0
	for i, c := range b {
		if c == 0 {
			break
		}
		if c > ' ' {
			n = i + 1
		}
	}
	return string(b[:n])
}

// put writes a text of Fortran, cut or padded with blanks.
func put(to []byte, text string) {
	for i := copy(to, text); i < len(to); i++ {
		to[i] = ' '
	}
}
