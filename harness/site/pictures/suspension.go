package main

import "math"

// drawSuspension pictures the definitions of the figures of kinematics and compliance on the left wheel. All angles and
// lengths in the picture are positive.
func drawSuspension(*workshop) ([]byte, error) {
	p := &drawing{width: 660, height: 510,
		title: "Toe, camber, steering axis, roll centre and supports on the left wheel, all positive"}
	p.topView([2]float64{90, 140})
	p.frontView([2]float64{300, 140})
	p.sideView([2]float64{540, 140})
	p.rollView([2]float64{175, 400})
	p.supportView([2]float64{510, 400})
	return p.svg(), nil
}

type place = [2]float64

// turnedBox draws a rectangle about its middle.
func (d *drawing) turnedBox(class string, middle place, width, height, angle float64) {
	sine, cosine := math.Sincos(angle)
	var corners []place
	for _, s := range []place{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		x, y := s[0]*width/2, s[1]*height/2
		corners = append(corners, place{middle[0] + cosine*x - sine*y, middle[1] + sine*x + cosine*y})
	}
	d.path(class, true, corners...)
}

// angle draws an arc about a point between directions, in degrees from upward to the right, with a name.
func (d *drawing) angle(about place, radius, from, to float64, name string) {
	at := func(degrees, radius float64) place {
		sine, cosine := math.Sincos(degrees * math.Pi / 180)
		return place{about[0] + radius*sine, about[1] - radius*cosine}
	}
	var arc []place
	const parts = 12
	for k := range parts + 1 {
		arc = append(arc, at(from+(to-from)*float64(k)/parts, radius))
	}
	d.path("way", false, arc...)
	anchor := "start"
	if from+to < 0 {
		anchor = "end"
	}
	d.write("name", anchor, at((from+to)/2, radius+8), name)
}

// length draws a distance with ends and a name below.
func (d *drawing) length(from, to place, name string) {
	d.path("way", false, from, to)
	for _, end := range []place{from, to} {
		d.path("way", false, place{end[0], end[1] - 4}, place{end[0], end[1] + 4})
	}
	d.write("name", "middle", place{(from[0] + to[0]) / 2, max(from[1], to[1]) + 15}, name)
}

// arrow draws an arrow with a name beyond its tip.
func (d *drawing) arrow(class string, from, to place, name string) {
	d.path(class, false, from, to)
	angle := math.Atan2(to[1]-from[1], to[0]-from[0])
	for _, turn := range []float64{2.7, -2.7} {
		sine, cosine := math.Sincos(angle + turn)
		d.path(class, false, to, place{to[0] + 8*cosine, to[1] + 8*sine})
	}
	const beyond = 12
	sine, cosine := math.Sincos(angle)
	anchor := "middle"
	if math.Abs(cosine) > 0.5 {
		anchor = map[bool]string{true: "start", false: "end"}[cosine > 0]
	}
	d.write("name", anchor, place{to[0] + beyond*cosine/2, to[1] + beyond*sine + 4}, name)
}

// topView shows toe: the wheel points inward in front.
func (d *drawing) topView(at place) {
	d.write("title", "middle", place{at[0], 18}, "from above")
	d.turnedBox("box", at, 30, 110, 12*math.Pi/180)
	d.path("line", false, at, place{at[0], at[1] - 90})
	d.path("line", false, at, place{at[0] + 19, at[1] - 90})
	d.angle(at, 78, 0, 12, "toe")
	d.arrow("line", place{at[0] - 60, at[1] + 70}, place{at[0] - 60, at[1] + 20}, "x")
	d.arrow("line", place{at[0] + 60, at[1] + 70}, place{at[0] + 10, at[1] + 70}, "y")
}

// frontView shows camber and the steering axis from ahead: outward is to the right.
func (d *drawing) frontView(at place) {
	const radius, camber, inclination = 75.0, 8.0, 14.0
	d.write("title", "middle", place{at[0], 18}, "from ahead")
	ground := at[1] + radius
	d.path("ground", false, place{at[0] - 95, ground}, place{at[0] + 80, ground})
	sine, cosine := math.Sincos(camber * math.Pi / 180)
	d.turnedBox("box", at, 30, 2*radius/cosine, camber*math.Pi/180)
	d.path("line", false, place{at[0] - 110*sine, at[1] + 110*cosine}, place{at[0] + 110*sine, at[1] - 110*cosine})
	d.path("line", false, at, place{at[0], at[1] - 100})
	d.angle(at, 92, 0, camber, "camber")
	contact := place{at[0] - radius*sine, ground}
	slope := math.Tan(inclination * math.Pi / 180)
	foot := place{contact[0] - 40, ground}
	top := place{foot[0] - 165*slope, ground - 165}
	d.path("rod", false, foot, top)
	d.path("line", false, foot, place{foot[0], ground - 120})
	d.angle(foot, 105, -inclination, 0, "inclination")
	hub := place{foot[0] - radius*slope, at[1]}
	d.length(foot, contact, "scrub")
	d.length(hub, at, "hub offset")
	d.circle("ball", contact, 3.5)
	d.write("name", "start", place{contact[0] + 6, ground + 16}, "contact")
}

// sideView shows castor and trail from the right: forward is to the right.
func (d *drawing) sideView(at place) {
	const radius, castor = 75.0, 16.0
	d.write("title", "middle", place{at[0], 18}, "from the right")
	ground := at[1] + radius
	d.path("ground", false, place{at[0] - 95, ground}, place{at[0] + 100, ground})
	d.circle("box", at, radius)
	contact := place{at[0], ground}
	slope := math.Tan(castor * math.Pi / 180)
	foot := place{contact[0] + 38, ground}
	d.path("rod", false, foot, place{foot[0] - 165*slope, ground - 165})
	d.path("line", false, foot, place{foot[0], ground - 120})
	d.angle(foot, 100, -castor, 0, "castor")
	d.length(contact, foot, "trail")
	hub := place{foot[0] - radius*slope, at[1]}
	d.length(at, hub, "hub trail")
	d.circle("ball", contact, 3.5)
}

// rollView shows the roll centre from ahead: the right side of the chassis is down.
func (d *drawing) rollView(at place) {
	const half, ground = 120.0, 70.0
	d.write("title", "middle", place{at[0], at[1] - 110}, "roll, from ahead")
	d.path("ground", false, place{at[0] - 160, at[1] + ground}, place{at[0] + 160, at[1] + ground})
	d.turnedBox("box", place{at[0], at[1] - 25}, 150, 60, -7*math.Pi/180)
	for _, side := range []float64{-1, 1} {
		d.turnedBox("box", place{at[0] + side*half, at[1] + 30}, 22, 80, 0)
		contact := place{at[0] + side*half, at[1] + ground}
		d.path("line", false, contact, place{at[0], at[1] + 35})
		d.arrow("way", contact, place{contact[0] + 34, contact[1]}, "F")
		d.arrow("spring", place{contact[0], contact[1] + 24}, place{contact[0], contact[1] + 3}, "")
	}
	d.write("name", "end", place{at[0] + half - 6, at[1] + ground + 20}, "force of the pad")
	d.circle("ball", place{at[0], at[1] + 35}, 4)
	d.write("name", "middle", place{at[0], at[1] + 27}, "roll centre")
	d.path("way", false, place{at[0], at[1] + 39}, place{at[0], at[1] + ground})
	d.path("line", false, place{at[0] - 75, at[1] - 25}, place{at[0] + 75, at[1] - 25})
	d.angle(place{at[0] - 75, at[1] - 25}, 140, 83, 90, "roll")
}

// supportView shows braking at the contact and driving at the wheel centre, from the right.
func (d *drawing) supportView(at place) {
	const radius = 55.0
	d.write("title", "middle", place{at[0], at[1] - 110}, "supports, from the right")
	for i, of := range []float64{-75, 75} {
		middle := place{at[0] + of, at[1] + 10}
		contact := place{middle[0], middle[1] + radius}
		d.path("ground", false, place{middle[0] - 65, contact[1]}, place{middle[0] + 65, contact[1]})
		d.circle("box", middle, radius)
		if i == 0 {
			d.arrow("way", contact, place{contact[0] - 40, contact[1]}, "")
			d.write("name", "middle", place{middle[0], middle[1] - radius - 8}, "braking, 1 kN")
		} else {
			d.arrow("way", middle, place{middle[0] + 40, middle[1]}, "")
			d.write("name", "middle", place{middle[0], middle[1] - radius - 8}, "driving, 1 kN")
		}
		d.arrow("spring", place{contact[0], contact[1] + 24}, place{contact[0], contact[1] + 3}, "")
	}
	d.write("name", "middle", place{at[0], at[1] + 92}, "change of the pad's force per force")
}
