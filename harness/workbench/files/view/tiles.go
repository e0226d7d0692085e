package view

import (
	"encoding/json"
	"errors"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/runs/live/wire"
)

// tile answers a viewer with a piece of the ground.
func (v *View) tile(x *viewer, o *wire.Order) error {
	if v.Poser.Tiles == nil {
		return errors.New("all ground of this vehicle is planes; the scene has them")
	}
	made, err := v.Poser.Tiles.Tile(o.I, o.J, o.Level)
	if err != nil {
		return err
	}
	text, err := json.Marshal(struct {
		Type   string `json:"type"`
		Number int    `json:"number"`
		I      int    `json:"i"`
		J      int    `json:"j"`
		Level  int    `json:"level"`
		animation.Tile
	}{"tile", o.Number, o.I, o.J, o.Level, made})
	if err == nil {
		x.post(text)
	}
	return err
}
