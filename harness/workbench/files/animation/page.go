package animation

import (
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html/template"
	"io"
	"math"
)

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// Write writes the page.
func (s *Scene) Write(to io.Writer) error {
	data := make([]byte, 0, 4*7*len(s.Poses))
	for _, p := range s.Poses {
		for _, x := range p {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		}
	}
	scene, err := json.Marshal(map[string]any{
		"title": s.Title, "shapes": s.Shapes, "times": s.Times, "frames": s.Frames, "ground": s.Ground,
		"poses": base64.StdEncoding.EncodeToString(data),
	})
	if err != nil {
		return err
	}
	// nolint:gosec // our own JSON, in which < is escaped
	return pageTemplate.Execute(to, map[string]any{"Title": s.Title, "Missing": s.Missing, "Scene": template.JS(scene)})
}
