package animation

import (
	"math"

	"skidpad/model/roles"
)

// trailer is a semitrailer on a high hitch, or a caravan, a box or a low trailer behind a drawbar. Its length follows
// from axles and hitch, its height from the height of its centre of mass.
func (b *shellMaker) trailer(u *unit) {
	b.Kind = "trailer"
	_, half := u.sides()
	middle := (b.front + b.rear) / 2 // of the axles
	centre := -b.road                // above the road
	hitch := vector{middle + 6*b.radius, 0, 1.2 * b.radius}
	if u.hitched {
		hitch = u.hitch
		hitch[2] -= b.road
	}
	reach := hitch[0] - middle
	switch large := b.radius > largeWheel; {
	case large && hitch[2] > 1.7*b.radius:
		deck := max(2.15*b.radius, hitch[2]+0.1)
		b.cargo(half, hitch[0]+1.2, b.rear-3.6*b.radius, deck, centre)
		for _, y := range []float64{-0.75, 0.6} { // legs
			b.box("metal", vector{hitch[0] - 2.3, y, 0.3}, vector{hitch[0] - 2.15, y + 0.15, deck - 0.3})
		}
	case large:
		front := middle + 0.75*reach
		b.cargo(half, front, min(b.rear-2*b.radius, 2*middle-front), 2.15*b.radius, centre)
		b.drawbar(front, hitch)
	case 3*(centre-0.8*b.radius) > 0.95:
		b.caravan(half, middle, reach, centre)
		b.drawbar(b.outline.Front, hitch)
	default:
		b.low(middle, reach, centre)
		b.drawbar(b.outline.Front, hitch)
	}
}

// loadHeight is the height of a load or a body above its floor, by the height of the centre of mass: the floor and what
// is below are heavier than the roof.
func loadHeight(centre, floor, least, most float64) float64 {
	return min(most, max(least, 3*(centre-floor)))
}

// cargo is a box on a deck, with rails below it.
func (b *shellMaker) cargo(half, front, rear, deck, centre float64) {
	b.outline = &roles.Outline{Width: 2 * half, Front: front, Rear: -rear}
	top := deck + loadHeight(centre, deck, 0.4*half, 2.3*half)
	b.box("metal", vector{rear, -half, deck}, vector{front, half, top})
	b.box("dark", vector{rear + 0.1, -0.45, deck - 0.3}, vector{front - 0.3, 0.45, deck})
	b.over(func() {
		b.tails(rear, half, deck+0.05, deck+0.2)
		const out = 0.006
		b.both("dark", vector{front, half + out, deck}, vector{rear, half + out, deck},
			vector{rear, half + out, deck + 0.08}, vector{front, half + out, deck + 0.08})
	})
}

// caravan is a body with a sloping front, windows, and arches over its wheels.
func (b *shellMaker) caravan(half, middle, reach, centre float64) {
	half += 0.05
	ahead := min(0.7*reach, 2.8)
	front, rear := middle+ahead, min(b.rear-1.5*b.radius, middle-0.95*ahead)
	b.outline = &roles.Outline{Width: 2 * half, Front: front, Rear: -rear}
	floor := 0.8 * b.radius
	top := floor + loadHeight(centre, floor, 1.2, 2.1)
	b.skin("metal", floor, line{{front, floor + 0.55*(top-floor)}, {front - 0.45, 0.97 * top}, {front - 0.9, top},
		{rear + 0.2, top}, {rear, 0.96 * top}}, line{{front, 0.94 * half}, {front - 0.5, half}, {rear, half}}, 0.97)
	b.over(func() {
		const out = 0.01
		low, high := floor+0.5*(top-floor), floor+0.8*(top-floor)
		length := front - rear
		for _, share := range []float64{0.18, 0.58} {
			from := front - share*length
			b.both("glass", vector{from, half + out, low}, vector{from - 0.22*length, half + out, low},
				vector{from - 0.22*length, half + out, high}, vector{from, half + out, high})
		}
		b.face("glass", vector{rear - out, 0.6 * half, low}, vector{rear - out, -0.6 * half, low},
			vector{rear - out, -0.6 * half, high}, vector{rear - out, 0.6 * half, high})
		b.tails(rear, half, floor+0.1, floor+0.25)
	})
}

// low is an open box between its wheels, with fenders.
func (b *shellMaker) low(middle, reach, centre float64) {
	inner := math.Inf(1)
	for _, w := range b.wheels {
		inner = min(inner, math.Abs(w.at[1])-w.width/2)
		b.box("dark", vector{w.at[0] - w.radius, w.at[1] - w.width/2, 2*w.radius + 0.02},
			vector{w.at[0] + w.radius, w.at[1] + w.width/2, 2*w.radius + 0.06})
	}
	half := max(0.2, inner-0.05)
	ahead := min(0.6*reach, 2.2)
	front, rear := middle+ahead, min(b.rear-1.2*b.radius, middle-0.95*ahead)
	b.outline = &roles.Outline{Width: 2 * half, Front: front, Rear: -rear}
	floor := 0.9 * b.radius
	top := floor + loadHeight(centre, floor, 0.4, 0.95)
	b.box("metal", vector{rear, -half, floor}, vector{front, half, top})
	b.over(func() {
		const out, wall = 0.006, 0.06
		b.face("dark", vector{rear + wall, wall - half, top + out}, vector{front - wall, wall - half, top + out},
			vector{front - wall, half - wall, top + out}, vector{rear + wall, half - wall, top + out})
		b.tails(rear, half, floor+0.05, floor+0.15)
	})
}

// drawbar leads from the front of a trailer to its hitch.
func (b *shellMaker) drawbar(front float64, hitch vector) {
	if hitch[0] > front {
		b.box("dark", vector{front, -0.06, hitch[2] - 0.06}, vector{hitch[0], 0.06, hitch[2] + 0.06})
	}
}

// tails are the lamps of a rear.
func (b *shellMaker) tails(rear, half, low, high float64) {
	x := rear - 0.008
	b.both("tail", vector{x, 0.95 * half, low}, vector{x, 0.75 * half, low}, vector{x, 0.75 * half, high},
		vector{x, 0.95 * half, high})
}
