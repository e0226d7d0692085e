package component

import "skidpad/model/expr"

// publishVector publishes the components of a vector.
func publishVector(b Builder, keys [3]string, unit, text string, v expr.Vector) {
	for i, key := range keys {
		b.Publish(key, unit, text+", "+"xyz"[i:i+1]+" component", v.X[i])
	}
}

func publishPosition(b Builder, from, to string, in expr.Frame, text string) {
	publishVector(b, [3]string{"x", "y", "z"}, "m", "position "+text, b.Position(from, to, in))
}

// publishAngles publishes the 3-2-1 Euler angles of one frame against another.
func publishAngles(b Builder, from, to string) {
	p := b.Pool()
	m := b.Orientation(to, from).M
	b.Publish("yaw", "rad", "first of the 3-2-1 Euler angles", p.Call(expr.Atan2, m[1][0], m[0][0]))
	pitch := p.Neg(p.Call(expr.Asin, p.Call(expr.Clamp, m[2][0])))
	b.Publish("pitch", "rad", "second of the 3-2-1 Euler angles", pitch)
	b.Publish("roll", "rad", "third of the 3-2-1 Euler angles", p.Call(expr.Atan2, m[2][1], m[2][2]))
}
