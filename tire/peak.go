package tire

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/tire/elementary"
)

// Peak is the largest force of a tire on a curve of pure slip. The curve is the longitudinal force over the slip S
// without slip angle, or the lateral force over the slip angle alpha without longitudinal slip.
type Peak struct {
	Slip  float64 // S, or alpha [rad], with the sign of its side
	Force float64 // [N], positive against the slip
	Found bool    // false: the force is largest at an end of the curve, and Slip is there
}

// Axis says which curve of pure slip is meant.
type Axis uint8

// The axes.
const (
	Longitudinal Axis = iota // Fx over S
	Lateral                  // Fy over alpha
)

// Curves without a range of their own end here.
const (
	mostSlip  = 1.0 // at a locked wheel, or one that turns twice as fast as in free rolling
	mostAngle = 1.5 // rad; the tangent of a right angle is infinite
)

// PeakVariables describes the variables of a tire's peaks, in their order.
var PeakVariables = [...]ParameterInfo{
	{"mu_x_peak", "1", "largest longitudinal force of pure slip by the normal force, on the side of the present slip"},
	{"mu_y_peak", "1", "largest lateral force of pure slip by the normal force, on the side of the present slip angle"},
	{"kappa_peak", "1", "longitudinal slip of the largest force; the end of the range where kappa_peak_found is 0"},
	{"alpha_peak", "rad", "slip angle of the largest force; the end of the range where alpha_peak_found is 0"},
	{"kappa_peak_found", "1", "1: the force falls beyond kappa_peak or stays; 0: it rises up to the end of the range"},
	{"alpha_peak_found", "1", "1: the force falls beyond alpha_peak or stays; 0: it rises up to the end of the range"},
	{"utilisation", "1", "present horizontal force by the largest forces, sqrt((Fx/Fx_peak)^2 + (Fy/Fy_peak)^2)"},
}

// PeakSearch finds peaks of one function. It does not change the function, and remembers nothing of earlier searches:
// the same arguments give the same result.
type PeakSearch struct {
	function Function
	kind     *Kind
	exact    Differentiable // nil: differences are taken

	axis    Axis
	side    float64 // 1 or -1: sign of the slip
	base    []float64
	by      []float64 // how much of the slip, or of its tangent, an argument has beside its base
	tangent []bool
	in, out []float64
	jac     []float64
}

// NewPeakSearch makes a search. The error says why a function has no peaks: its forces do not follow from slip, or they
// follow from more than slip.
func NewPeakSearch(f Function, k *Kind) (*PeakSearch, error) {
	if combined, is := f.(*ellipse); is { // without combined slip it is its function
		f = combined.of
	}
	if of, is := f.(Stateful); is {
		if x, _ := of.Memory(); len(x) > 0 {
			return nil, fmt.Errorf("the force function %s has internal states, so that slip alone does not tell its forces",
				k.Name)
		}
	}
	_, bears := f.(NormalForceSource)
	_, placed := f.(PoseReceiver)
	if bears || placed {
		return nil, fmt.Errorf("the force function %s follows from where the wheel is, not from slip alone", k.Name)
	}
	if err := k.FollowsSlip(); err != nil {
		return nil, err
	}
	n, m := len(k.Inputs), len(k.Outputs)
	s := &PeakSearch{function: f, kind: k, base: make([]float64, n), by: make([]float64, n), tangent: make([]bool, n),
		in: make([]float64, n), out: make([]float64, m), jac: make([]float64, n*m)}
	s.exact, _ = f.(Differentiable)
	return s, nil
}

// FollowsSlip says why the forces of a function do not follow from slip, nil if they can.
func (k *Kind) FollowsSlip() error {
	for _, names := range [...][]string{{"S", "q1", "VEx", "VPx", "Omega"}, {"alpha", "q2", "VPy", "VCy"}} {
		if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(k.Inputs, name) }) {
			return fmt.Errorf("the force function %s asks for none of %s, so that its forces do not follow from slip",
				k.Name, strings.Join(names, ", "))
		}
	}
	return nil
}

// CanHavePeaks reports whether the function that a text names can have peaks, as far as can be told without opening a
// library.
func CanHavePeaks(name string) bool {
	if k, err := Lookup(name); err == nil {
		return k.FollowsSlip() == nil
	}
	scheme, _, foreign := schemeOf(name)
	return foreign && scheme == Plugin
}

// Arrange chooses a curve: its axis, the sign of its slip, and by present the arguments that a function can ask for.
// They stay constant along the curve, except for those that the slip determines:
//
//	S = q1 = kappa,  alpha,  q2 = tan alpha,  VEx = -kappa |VExs|,  VPx = -kappa |VPxs|,  VPy = VCy = |VPxs| tan alpha,
//
// and Omega = (VExs + kappa |VExs|)/Reff if the function asks for neither S nor q1.
func (s *PeakSearch) Arrange(axis Axis, side float64, present func(name string) float64) {
	s.axis, s.side = axis, side
	slips := slices.Contains(s.kind.Inputs, "S") || slices.Contains(s.kind.Inputs, "q1")
	for i, name := range s.kind.Inputs {
		base, along, across := 0.0, 0.0, 0.0
		s.tangent[i] = name != "alpha"
		switch name {
		case "S", "q1":
			along = 1
		case "alpha", "q2":
			across = 1
		case "VEx":
			along = -math.Abs(present("VExs"))
		case "VPx":
			along = -math.Abs(present("VPxs"))
		case "VPy", "VCy":
			across = math.Abs(present("VPxs"))
		default:
			base = present(name)
			if radius := present("Reff"); name == "Omega" && !slips && radius > 0 {
				ahead := present("VExs")
				base, along = ahead/radius, math.Abs(ahead)/radius
			}
		}
		s.base[i], s.by[i] = base, along
		if axis == Lateral {
			s.by[i] = across
		} else {
			s.tangent[i] = false
		}
	}
}

// Key appends what the chosen curve follows from beside the function: equal keys have equal peaks.
func (s *PeakSearch) Key(to []float64) []float64 {
	return append(append(append(to, s.side), s.base...), s.by...)
}

// at puts the arguments at a distance [1 or rad] along the curve into place.
func (s *PeakSearch) at(distance float64) (tangent float64) {
	slip := s.side * distance
	if s.axis == Lateral {
		tangent = elementary.Tan(slip)
	}
	for i, by := range s.by {
		switch {
		case by == 0:
			s.in[i] = s.base[i]
		case s.tangent[i]:
			s.in[i] = s.base[i] + by*tangent
		default:
			s.in[i] = s.base[i] + by*slip
		}
	}
	return tangent
}

// sign tells the direction of a force against the slip. The road drives a spinning wheel forward, and pushes a wheel
// that slides to the left to the right.
func (s *PeakSearch) sign() float64 {
	if s.axis == Lateral {
		return -s.side
	}
	return s.side
}

// force returns the force against the slip at a distance [N].
func (s *PeakSearch) force(distance float64) float64 {
	s.at(distance)
	s.function.Eval(s.in, s.out)
	return s.sign() * s.out[s.axis]
}

// slope returns the slope of the force over the distance [N or N/rad].
func (s *PeakSearch) slope(distance float64) float64 {
	if s.exact == nil {
		h := max(differenceShare*distance, differenceShare*differenceShare)
		return (s.force(distance+h) - s.force(distance-h)) / (2 * h)
	}
	tan := s.at(distance)
	s.exact.Jacobian(s.in, s.jac)
	row := s.jac[int(s.axis)*len(s.in):]
	sum := 0.0
	for i, by := range s.by {
		if by == 0 {
			continue
		}
		if s.tangent[i] {
			by *= 1 + tan*tan
		}
		sum += row[i] * by
	}
	return s.sign() * s.side * sum
}

// differenceShare is the step of differences by the distance.
const differenceShare = 1e-5

// end returns the length of the curve [1 or rad], up to the end of the function's range.
func (s *PeakSearch) end() float64 {
	end, name := mostSlip, "S"
	if s.axis == Lateral {
		end, name = mostAngle, "alpha"
	}
	i := slices.Index(s.kind.Inputs, name)
	ranged, is := s.function.(Ranged)
	if i < 0 || !is || !ranged.Limited() {
		return end
	}
	low, high := ranged.Range(i)
	if s.side < 0 {
		high = -low
	}
	if math.IsInf(high, 0) {
		return end
	}
	return max(0, high)
}

// fault says why evaluations of the function failed.
func (s *PeakSearch) fault() error {
	if f, is := s.function.(Fallible); is {
		return f.Fault()
	}
	return nil
}
