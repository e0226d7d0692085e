package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type road struct{ *model.Road }

// Paves reports whether a frame is that of the road.
func (c road) Paves(frame string) bool { return c.Frame == frame }

// Friction is the input by which the road scales friction.
func (c road) Friction(b Builder, text string) *expr.Expr { return frictionScale(b, text) }

func frictionScale(b Builder, text string) *expr.Expr { return b.NonnegativeInput("mu", "1", text, 1) }
