package cosim

import (
	"fmt"
	"math"
	"math/cmplx"
	"sort"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
)

// eigenvalues linearises the motion about the present state on the tangent space of the constraints, without cyclic
// coordinates.
func (r *ride) eigenvalues() []complex128 {
	values, _ := r.modes()
	sort.Slice(values, func(i, k int) bool { return real(values[i]) > real(values[k]) })
	return values
}

// modes are eigenvalues with their modes, by state, in the order of the former.
func (r *ride) modes() ([]complex128, []map[string]complex128) {
	r.t.Helper()
	p := r.sys.program
	n := len(p.States)
	a := make([]float64, n*n)
	r.inputsAt(0)
	r.machine.Jacobian(program.StateQuantity, program.StateQuantity).Evaluate(r.x[:n], r.continued, a)
	var kept []int
	for k := range n {
		matters := k < p.Speeds
		for i := range n {
			matters = matters || a[i*n+k] != 0
		}
		if matters {
			kept = append(kept, k)
		}
	}
	m := mat.NewDense(len(kept), len(kept), nil)
	for i, row := range kept {
		for k, column := range kept {
			m.Set(i, k, a[row*n+column])
		}
	}
	var reduced, tangent mat.Matrix = m, nil
	if c := p.Constraints; c > 0 {
		h := mat.NewDense(2*c, len(kept), nil)
		for k, at := range kept {
			x := append([]float64(nil), r.x...)
			const step = 1e-3 // differences of fourth order: only rounding is left
			var d [4][]float64
			for i, s := range []float64{-2, -1, 1, 2} {
				x[at] = r.x[at] + s*step
				d[i] = append([]float64(nil), (problem{r.Instance}).Residuals(0, x)...)
			}
			for i := range 2 * c {
				h.Set(i, k, (d[0][i]-8*d[1][i]+8*d[2][i]-d[3][i])/(12*step))
			}
		}
		var svd mat.SVD
		if !svd.Factorize(h, mat.SVDFullV) {
			r.t.Fatal("no singular values")
		}
		rank := 0
		for _, s := range svd.Values(nil) {
			if s > 1e-6 {
				rank++
			}
		}
		var v mat.Dense
		svd.VTo(&v)
		tangent = v.Slice(0, len(kept), rank, len(kept))
		var product, small mat.Dense
		product.Mul(m, tangent)
		small.Mul(tangent.T(), &product)
		reduced = &small
	}
	var e mat.Eigen
	if !e.Factorize(reduced, mat.EigenRight) {
		r.t.Fatal("no eigenvalues")
	}
	values := e.Values(nil)
	var vectors mat.CDense
	e.VectorsTo(&vectors)
	var modes []map[string]complex128
	for j := range values {
		mode := map[string]complex128{}
		for i, at := range kept {
			name := p.States[at].Name
			if tangent == nil {
				mode[name] = vectors.At(i, j)
				continue
			}
			for k := range values {
				mode[name] += complex(tangent.At(i, k), 0) * vectors.At(k, j)
			}
		}
		modes = append(modes, mode)
	}
	return values, modes
}

// nearest is how far the nearest of some values is from one, relatively.
func nearest(values []complex128, want complex128) float64 {
	least := math.Inf(1)
	for _, v := range values {
		d := v - want
		least = min(least, math.Hypot(real(d), imag(d))/max(1, math.Hypot(real(want), imag(want))))
	}
	return least
}

// The benchmark bicycle that rolls without slip has the published eigenvalues (Meijaard et al.
// 2007; two-wheeler specification, section 6, linearised-eom, 6.2).
func TestBenchmarkBicycle(t *testing.T) {
	r := loaded(t, "bicycle_rolling", "", nil, nil)
	for v, want := range map[float64][]complex128{
		0:  {5.53094371765393, 3.13164324790656, -3.13164324790656, -5.53094371765393},
		1:  {3.52696170990070 + 0.80774027519930i, -3.13423125066578, -7.11008014637442},
		2:  {2.68234517512745 + 1.68066296590675i, -3.07158645641514, -8.67387984831735},
		3:  {1.70675605663975 + 2.31582447384325i, -2.63366137253667, -10.35101467245920},
		4:  {0.41325331521125 + 3.07910818603206i, -1.42944427361326, -12.15861426576447},
		5:  {-0.77534188219585 + 4.46486771378823i, -0.32286642900409, -14.07838969279822},
		6:  {-1.52644486584142 + 5.87673060598709i, -0.00406690076970, -16.08537123098026},
		7:  {-2.13875644258362 + 7.19525913329805i, 0.10268170574766, -18.15788466125262},
		8:  {-2.69348683581097 + 8.46037971396931i, 0.14327879765713, -20.27940894394569},
		9:  {-3.21675402252485 + 9.69377351531791i, 0.15790184030917, -22.43788559040858},
		10: {-3.72016840437287 + 10.90681139476287i, 0.16105338653172, -24.62459635017404},
	} {
		values := r.rolling(v).eigenvalues()
		for _, w := range want {
			if d := nearest(values, w); !(d <= 1e-9) {
				t.Errorf("%g m/s: %v is missing by %.2g among %v", v, w, d, values)
			}
		}
	}
}

// rolling restarts a bicycle at a speed, without stabilisation of its constraints.
func (r *ride) rolling(speed float64) *ride {
	r.t.Helper()
	r.Reset()
	if err := r.SetText(MethodVariable, "clmm"); err != nil {
		r.t.Fatal(err)
	}
	return r.start(map[string]float64{"speed": speed})
}

// growthOf returns the growth rates of the slow oscillation and of the slow real mode at a speed.
type growthOf func(speed float64) (weave, capsize float64)

// slow picks the slow oscillatory pair and the slowest real mode; zeros that belong to the speed
// are left out.
func slow(values []complex128) (weave, capsize float64) {
	weave, capsize = math.Inf(-1), math.Inf(-1)
	for _, v := range values {
		switch {
		case math.Abs(imag(v)) > 1e-6 && math.Abs(imag(v)) < 12:
			weave = max(weave, real(v))
		case math.Abs(imag(v)) <= 1e-6 && math.Abs(real(v)) > 1e-11:
			capsize = max(capsize, real(v))
		}
	}
	return weave, capsize
}

// crossing finds where a growth rate changes its sign, between two speeds.
func crossing(rate func(float64) float64, low, high float64) float64 {
	sign := rate(low) > 0
	for high-low > 1e-9 {
		middle := (low + high) / 2
		if (rate(middle) > 0) == sign {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// limits finds the lower and upper speed of stability of a bicycle. The upper speed is infinite if the bicycle is
// stable up to 22 m/s.
func limits(grow growthOf, low, high float64) (weave, capsize float64) {
	weave = crossing(func(v float64) float64 { w, _ := grow(v); return w }, low, high)
	real := func(v float64) float64 { _, c := grow(v); return c }
	if real(22) < 0 {
		return weave, math.Inf(1)
	}
	return weave, crossing(real, weave, 22)
}

func TestStableSpeedsOfRollingBicycle(t *testing.T) {
	r := loaded(t, "bicycle_rolling", "", nil, nil)
	weave, capsize := limits(func(v float64) (float64, float64) { return slow(r.rolling(v).eigenvalues()) }, 3.5, 5)
	if !(math.Abs(weave-4.292382536341) <= 1e-8 && math.Abs(capsize-6.024262015388) <= 1e-7) {
		t.Errorf("stable from %.10f to %.10f m/s", weave, capsize)
	}
}

// At the weave speed the steer lags the lean by 20.18 degrees and is 1.2076 times as large, at 3.435 rad/s (section
// 6). The published experiments (chapter 6) found a lag between 0 and 90 degrees, and a weave that dies out from
// about 4 m/s.
func TestWeaveMode(t *testing.T) {
	r := loaded(t, "bicycle_rolling", "", nil, nil).rolling(4.292382536341)
	values, modes := r.modes()
	for i, v := range values {
		if imag(v) < 1 {
			continue
		}
		ratio := -modes[i]["steer.phi"] / modes[i]["rear_frame.angle2"] // both to the right
		size, phase := cmplx.Polar(ratio)
		r.near("frequency", imag(v), 3.435033848661, 1e-8)
		r.near("growth", real(v), 0, 1e-8)
		r.near("steer by lean", size, 1.207594179, 1e-8)
		r.near("lag", -phase*180/math.Pi, 20.1832, 5e-5)
		return
	}
	t.Error("there is no oscillation")
}

// bike is a bicycle on tires, for statics.
type bike struct {
	wheelbase, front, rear float64 // m
	parts                  [][3]float64
}

var bikes = map[string]bike{
	"bicycle":  {1.02, 0.35, 0.3, [][3]float64{{2, 0, 0.3}, {3, 1.02, 0.35}, {85, 0.3, 0.9}, {4, 0.9, 0.7}}},
	"bluebike": {1.034, 0.32, 0.32, [][3]float64{{2, 0, 0.32}, {2, 1.034, 0.32}, {20, 0.35, 0.7}, {10, 0.95, 0.7}}},
	"redbike":  {1.25, 0.193, 0.193, [][3]float64{{1, 0, 0.193}, {1, 1.25, 0.193}, {15, 0.3, 0.28}, {5, 1.19, 0.5}}},
}

// statics is the upright bicycle at rest on springs: height of the rear centre and pitch.
func (b *bike) statics(stiffness float64) (height, pitch float64) {
	for range 100 {
		s, c := math.Sincos(pitch)
		weight, moment := 0.0, 0.0
		for _, p := range b.parts {
			weight += 9.81 * p[0]
			moment += 9.81 * p[0] * (c*p[1] + s*(p[2]-b.rear))
		}
		front := moment / (c*b.wheelbase + s*(b.front-b.rear))
		height = b.rear - (weight-front)/stiffness
		rise := b.front - front/stiffness - height
		pitch += (-s*b.wheelbase + c*(b.front-b.rear) - rise) / (c*b.wheelbase + s*(b.front-b.rear))
	}
	return height, pitch
}

// The shipped bicycles start at rest on their tires (section 5.3).
func TestStaticsOfBicycles(t *testing.T) {
	for name, want := range map[string][4]float64{
		"bicycle": {0.29385684, -0.00300504, 614.3, 307.8}, "bluebike": {0.31842642, 0.00018206, 0, 0},
		"redbike": {0.19287600, -2.5742e-5, 0, 0},
	} {
		r := loaded(t, name, "", nil, nil)
		b := bikes[name]
		height, pitch := b.statics(map[string]float64{"bicycle": 1e5, "bluebike": 1e5, "redbike": 1e6}[name])
		r.near(name+": height", r.get("hub_height"), height, 1e-12)
		r.near(name+": pitch", r.get("pitch"), pitch, 1e-12)
		r.near(name+": height, printed", height, want[0], 1e-8)
		r.near(name+": pitch, printed", pitch, want[1], 1e-8)
		if want[2] > 0 {
			r.near("rear load", r.get("tire_R.Fz"), want[2], 0.05)
			r.near("front load", r.get("tire_F.Fz"), want[3], 0.05)
		}
		for i := range r.sys.program.Speeds {
			r.near(name+": rate of "+r.sys.program.States[i].Name, r.dx[i], 0, 1e-8)
		}
	}
}

// The speeds of weave and capsize with tires (section 9.1).
func TestStableSpeedsWithTires(t *testing.T) {
	testrun.Slow(t)
	infinite := math.Inf(1)
	for _, c := range []struct {
		model, tires          string
		stiffness, kz, cm     float64
		camber                float64
		weave, capsize        float64
		weaveLow, weaveHigher float64
	}{
		{"bicycle", "brush_bicycle", 1e4, 1e5, 0, 1, 4.298068, 6.020967, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 1e4, 1e5, 0, 0, 4.349799, 5.736439, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 2e4, 5e4, 0, 1, 4.326550, 6.060246, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 1e4, 1e5, 0.3, 1, 4.448301, 8.218874, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 2e4, 5e4, 0.3, 1, 4.476761, 8.247381, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 1e4, 1e5, 0.35, 1, 4.473027, 8.890952, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 2e4, 5e4, 0.35, 1, 4.501468, 8.911336, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 2e3, 1e5, 0, 1, 4.241072, 5.910903, 3.5, 5.5},
		{"bicycle", "brush_bicycle", 2e3, 1e5, 0.3, 1, 4.393759, 8.046058, 3.5, 5.5},
		{"bluebike", "brush_bicycle_turn", 2e3, 1e5, 0, 1, 5.160493, 10.843780, 4.5, 6.5},
		{"bluebike", "brush_bicycle_turn", 2e3, 1e5, 0.3, 1, 5.404473, infinite, 4.5, 6.5},
		{"bluebike", "brush_bicycle_turn", 1e4, 1e5, 0, 1, 5.208687, 10.976246, 4.5, 6.5},
		{"bluebike", "brush_bicycle_turn", 1e4, 1e5, 0.3, 1, 5.454926, infinite, 4.5, 6.5},
		{"redbike", "brush_red_turn", 2e4, 1e6, 0, 1, 6.632809, 16.373891, 6, 8.5},
		{"redbike", "brush_red_turn", 2e4, 1e6, 0.3, 1, 7.510013, infinite, 6, 8.5},
	} {
		b := bikes[c.model]
		height, pitch := b.statics(c.kz)
		was := "vertical_stiffness = 100000"
		if c.model == "redbike" {
			was = "vertical_stiffness = 1e+06"
		}
		r := inlined(t, c.model, c.tires, c.stiffness, c.cm, c.camber, was, fmt.Sprintf("vertical_stiffness = %g",
			c.kz)).start(nil)
		grow := func(v float64) (float64, float64) {
			r.Reset()
			r.start(map[string]float64{"speed": v, "hub_height": height, "pitch": pitch})
			return slow(r.eigenvalues())
		}
		weave, capsize := limits(grow, c.weaveLow, c.weaveHigher)
		if !(math.Abs(weave-c.weave) <= 2e-6 && (capsize == c.capsize || math.Abs(capsize-c.capsize) <= 2e-6)) {
			t.Errorf("%s, C = %g, kz = %g, CM = %g, camber %g: stable from %.6f to %.6f m/s, not from %.6f to %.6f",
				c.model, c.stiffness, c.kz, c.cm, c.camber, weave, capsize, c.weave, c.capsize)
		}
	}
}

// A stiff tire without camber thrust is a rigid wheel: the slow eigenvalues agree with those of
// rolling without slip to 4e-4.
func TestStiffTiresRollWithoutSlip(t *testing.T) {
	b := bikes["bicycle"]
	height, pitch := b.statics(1e8)
	r := inlined(t, "bicycle", "brush_bicycle", 1e8, 0, 0, "vertical_stiffness = 100000", "vertical_stiffness = 1e8",
		`file = "../tires/brush_relaxation.toml"`, "parameters = { sigma = 1e-3 }").
		start(map[string]float64{"speed": 5, "hub_height": height, "pitch": pitch, StepVariable: 1e-6})
	values := r.eigenvalues()
	for _, want := range []complex128{-0.77534188219585 + 4.46486771378823i, -0.32286642900409, -14.07838969279822} {
		if d := nearest(values, want); !(d <= 4e-4) {
			t.Errorf("%v is missing by %.2g", want, d)
		}
	}
}

// A bicycle that is kicked at 4.6 m/s swings, rights itself and is faster afterwards: the energy of the lean rate has
// become energy of the speed. Energy stays to 1e-9.
func TestSelfStableBicycleKeepsItsEnergy(t *testing.T) {
	const rate = 0.5 // rad/s, about the line through the contacts
	r := variantOf(t, "bicycle_rolling", "", `velocity = ["speed", 0, 0] }`,
		fmt.Sprintf(`velocity = ["speed", %g, 0], angular_velocity = [%g, 0, 0] }`, -rate*0.9, rate))
	r.start(map[string]float64{"speed": 4.6})
	before := r.bicycleEnergy()
	lean, worst := newSpan(), 0.0
	r.to(20, func() {
		lean.add(r.get("rear_frame.angle2"), r.Time())
		worst = max(worst, math.Abs(r.bicycleEnergy()/before-1))
	})
	r.within("energy", worst, 0, 1e-9)
	r.near("lean at the end", r.get("rear_frame.angle2"), 0, 1e-3)
	r.within("largest lean", lean.high, 0.05, 0.3)
	// v^2 = 4.6^2 + M11 rate^2/(m + IR/rR^2 + IF/rF^2), M11 of the canonical form
	want := math.Sqrt(4.6*4.6 + 80.81722*rate*rate/(94+0.12/0.09+0.28/0.1225))
	r.near("speed at the end", r.get("wheel_R.omega")*0.3, want, 2e-4)
}

// bicycleEnergy sums over the bodies.
func (r *ride) bicycleEnergy() float64 {
	e := 0.0
	for _, b := range []struct {
		name           string
		mass           float64
		xx, yy, zz, xz float64
	}{
		{"rear_frame", 85, 9.2, 11, 2.8, -2.4}, {"front_frame", 4, 0.05892, 0.06, 0.00708, 0.00756},
		{"rear_wheel", 2, 0.0603, 0.12, 0.0603, 0}, {"front_wheel", 3, 0.1405, 0.28, 0.1405, 0},
	} {
		v := vector{r.get(b.name + ".vx"), r.get(b.name + ".vy"), r.get(b.name + ".vz")}
		w := vector{r.get(b.name + ".wx"), r.get(b.name + ".wy"), r.get(b.name + ".wz")}
		e += b.mass*(v.dot(v)/2+9.81*r.get(b.name+".z")) + (b.xx*w[0]*w[0]+b.yy*w[1]*w[1]+b.zz*w[2]*w[2])/2 +
			b.xz*w[0]*w[2]
	}
	return e
}

// rearWheel is where the rear wheel's centre is, to the left, of the benchmark bicycle: from the
// centre of mass of the rear frame, turned by heading, lean and pitch.
func (r *ride) rearWheel() float64 {
	heading, lean, pitch := r.get("rear_frame.angle1"), r.get("rear_frame.angle2"), r.get("rear_frame.angle3")
	s, c := math.Sincos(pitch)
	x, z := -c*0.3-s*0.6, s*0.3-c*0.6 // (-0.3, 0, -0.6) turned by the pitch
	return r.get("rear_frame.y") + math.Sin(heading)*x - math.Cos(heading)*math.Sin(lean)*z
}

// sampled calls each at multiples of 0.05 s only: the printed peaks are of such samples.
func (r *ride) sampled(each func()) func() {
	return func() {
		if n := r.Time() / 0.05; math.Abs(n-math.Round(n)) < 1e-6 {
			each()
		}
	}
}

// Rides of section 9.3, from a third-party engine.
func TestBicycleRides(t *testing.T) {
	testrun.Slow(t)
	push := func(r *ride, variable string, torque, end float64, each func()) {
		r.to(4, each)
		r.set(variable, torque)
		r.to(4.1, each)
		r.set(variable, 0)
		r.to(end, each)
	}
	ride := func(model, tires string, speed, cm float64) (*ride, *span, *span) {
		r := inlined(t, model, tires, 1e4, cm, 1).start(map[string]float64{"speed": speed})
		lean, steer := newSpan(), newSpan()
		return r, &lean, &steer
	}
	t.Run("inv1 5 m/s", func(t *testing.T) {
		r, lean, steer := ride("bicycle", "brush_bicycle", 5, 0)
		push(r, "lean_push.torque", 10, 20, r.sampled(func() {
			lean.add(r.get("rear_frame.angle2"), r.Time())
			steer.add(-r.get("steer.phi"), r.Time())
		}))
		r.near("lean peak", lean.high, 0.015669, 2e-6)
		r.near("steer peak", steer.high, 0.012059, 2e-6)
		r.near("heading", r.get("rear_frame.angle1"), -0.0690, 5e-4)
		r.near("speed", r.get("rear_frame.vx"), 5.00002, 3e-5)
	})
	t.Run("counter steer", func(t *testing.T) {
		r, lean, steer := ride("bicycle", "brush_bicycle", 5, 0)
		heading, side := newSpan(), newSpan()
		push(r, "steer.torque", 1, 20, func() {
			now := r.Time()
			lean.add(r.get("rear_frame.angle2"), now)
			steer.add(r.get("steer.phi"), now)
			heading.add(r.get("rear_frame.angle1"), now)
			side.add(r.rearWheel(), now)
		})
		r.near("steer to the left", steer.high, 0.01844, 2e-5)
		r.near("when", steer.highAt, 4.17, 0.01)
		r.near("heading to the left", heading.high, 0.01818, 2e-5)
		r.near("when", heading.highAt, 4.34, 0.01)
		r.near("path to the left", side.high, 0.01514, 2e-4)
		r.near("lean to the right", lean.high, 0.04933, 2e-5)
		r.near("when", lean.highAt, 4.70, 0.01)
		r.near("steer to the right", steer.low, -0.03770, 2e-5)
		r.near("heading at the end", r.get("rear_frame.angle1"), -0.21224, 2e-5)
		r.near("path at the end", r.rearWheel(), -13.517, 5e-3)
	})
	t.Run("inv1 7.5 m/s falls", func(t *testing.T) {
		r, _, _ := ride("bicycle", "brush_bicycle", 7.5, 0)
		push(r, "lean_push.torque", 10, 40, nil)
		r.near("lean", r.get("rear_frame.angle2"), 0.7008, 2e-3)
		v := vector{r.get("rear_frame.vx"), r.get("rear_frame.vy"), r.get("rear_frame.vz")}
		w := vector{r.get("rear_frame.wx"), r.get("rear_frame.wy"), r.get("rear_frame.wz")}
		hub := vector{-0.3, 0, -0.6} // from the centre of mass of the rear frame
		v = v.plus(1, vector{w[1]*hub[2] - w[2]*hub[1], w[2]*hub[0] - w[0]*hub[2], w[0]*hub[1] - w[1]*hub[0]})
		r.near("speed of the rear wheel's centre", math.Sqrt(v.dot(v)), 8.0006, 1e-3)
	})
	t.Run("inv2 5 m/s", func(t *testing.T) {
		r, lean, steer := ride("bicycle", "brush_bicycle", 5, 0.3)
		push(r, "lean_push.torque", 10, 12, r.sampled(func() {
			lean.add(r.get("rear_frame.angle2"), r.Time())
			steer.add(-r.get("steer.phi"), r.Time())
		}))
		r.near("lean peak", lean.high, 0.015038, 2e-6)
		r.near("steer peak", steer.high, 0.012230, 2e-6)
	})
	for speed, peak := range map[float64]float64{5.9: 0.05412, 20: 0.01367} {
		t.Run(fmt.Sprintf("blue %g m/s", speed), func(t *testing.T) {
			r, lean, _ := ride("bluebike", "brush_bicycle_turn", speed, 0.3)
			push(r, "lean_push.torque", 10, 12, r.sampled(func() { lean.add(r.get("rear_frame.angle2"), r.Time()) }))
			r.near("lean peak", lean.high, peak, 1e-5)
			r.within("lean at the end", math.Abs(r.get("rear_frame.angle2")), 0, peak/2)
		})
	}
}

// In the source's manner: wheels start without spin, C = 2e3. The blue bike settles at 0.944 of
// the speed; it falls at 5.4 m/s and is stable at 5.9; the benchmark with CM = 0.3 oscillates up
// at 4.4 and is stable at 4.6 (section 9.2). With rolling wheels 5.4 and 4.4 are the same, 5.9
// and 4.6 lie well above the limits: that is the offset.
func TestPublishedLimitsWithoutWheelSpin(t *testing.T) {
	testrun.Slow(t) // 0.7 s, and 20 s under the race detector, in one thread
	for _, c := range []struct {
		model, tires string
		speed        float64
		stable       bool
		settled      float64
	}{
		{"bluebike", "brush_bicycle_turn", 5.4, false, 0}, {"bluebike", "brush_bicycle_turn", 5.9, true, 5.572},
		{"bluebike", "brush_bicycle_turn", 20, true, 20 * 0.94444},
		{"bicycle", "brush_bicycle", 4.4, false, 0}, {"bicycle", "brush_bicycle", 4.6, true, 4.6 * 0.96293},
	} {
		r := inlined(t, c.model, c.tires, 2e3, 0.3, 1).start(map[string]float64{"speed": c.speed, "rolling": 0})
		early, late := newSpan(), newSpan()
		r.to(4, nil)
		if c.settled > 0 {
			r.near(c.model+": speed", r.get("rear_frame.vx"), c.settled, 2e-3*c.settled)
		}
		r.set("lean_push.torque", 10)
		r.to(4.1, nil)
		r.set("lean_push.torque", 0)
		for r.Time() < 30 && math.Abs(r.get("rear_frame.angle2")) < 0.5 {
			s := &early
			if r.Time() > 10 {
				s = &late
			}
			r.to(r.Time()+0.01, func() { s.add(math.Abs(r.get("rear_frame.angle2")), r.Time()) })
		}
		grown := r.Time() < 29.9 || late.high > early.high
		if grown == c.stable {
			t.Errorf("%s at %g m/s: stable is %v, lean up to %g rad early, %g late", c.model, c.speed, !grown,
				early.high, late.high)
		}
	}
}
