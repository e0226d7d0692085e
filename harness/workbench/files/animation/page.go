package animation

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"

	"skidpad/harness/workbench/results/web"
)

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// Look is how a scene looks, without motion, for the scripts of a page.
type Look struct {
	Title    string   `json:"title"`
	Frames   int      `json:"frames"`
	Chassis  int      `json:"chassis"`
	Shapes   []Shape  `json:"shapes"`
	Shell    *Shell   `json:"shell"`
	Trailers []*Shell `json:"trailers"`
	Ground   []Patch  `json:"ground"`
	Forces   []shown  `json:"forces"`
	Absent   string   `json:"absent,omitempty"` // why there is no picture
}

// description is the scene for the scripts of the page. Data has the numbers: times, tracks, forces, curves and ghosts.
type description struct {
	Look
	Curves []Curve `json:"curves"`
	course
	Ghosts []course `json:"ghosts"`
	Data   string   `json:"data"` // deflated, in base64
}

// Look is how the scene looks.
func (s *Scene) Look() Look {
	l := Look{s.Title, s.Frames, s.Chassis, s.Shapes, s.Shell, append([]*Shell{}, s.Trailers...),
		append([]Patch{}, s.Ground...), []shown{}, s.Absent}
	for _, f := range s.Forces {
		l.Forces = append(l.Forces, shown{f.Shape})
	}
	return l
}

// shown is the force on a wheel.
type shown struct {
	Shape int `json:"shape"`
}

// course is the motion of a vehicle.
type course struct {
	Moments int     `json:"moments"`
	Order   []int   `json:"order"` // of the frames, carriers first
	Tracks  []track `json:"tracks"`
}

// Run is a recorded run for the scripts of a live page: its look and its motion.
type Run struct {
	Name string `json:"name"`
	Look
	course
	Data string `json:"data"` // times and tracks, deflated, in base64
}

// Run is the scene without forces and curves, with a name.
func (s *Scene) Run(name string) (Run, error) {
	numbers := &web.Numbers{}
	r := Run{Name: name, Look: s.Look(), course: s.course(numbers)}
	r.Ground, r.Forces = []Patch{}, []shown{}
	var err error
	r.Data, err = numbers.Packed()
	return r, err
}

// Write writes the page.
func (s *Scene) Write(to io.Writer) error {
	numbers := &web.Numbers{}
	d := description{Look: s.Look(), Curves: append([]Curve{}, s.Curves...), Ghosts: []course{}}
	d.course = s.course(numbers)
	for _, f := range s.Forces {
		for _, values := range f.Values {
			numbers.Singles(values)
		}
	}
	for _, c := range s.Curves {
		numbers.Singles(c.values)
	}
	for _, g := range s.Ghosts {
		d.Ghosts = append(d.Ghosts, g.course(numbers))
	}
	var err error
	if d.Data, err = numbers.Packed(); err != nil {
		return err
	}
	scene, err := json.Marshal(d) // JSON escapes the sign <
	if err != nil {
		return err
	}
	scripts, styles := []web.Script{web.Three()}, []web.Script{web.Own("player.css")}
	own := []string{"namespace", "numbers", "motion", "scene", "painter", "webgl", "camera", "ground", "marks",
		"relief", "labels", "stage", "player"}
	if len(s.Curves) > 0 {
		script, style := web.Plotting()
		scripts, styles, own = append(scripts, script), append(styles, style, web.Own("plots.css")), append(own, "plots")
	}
	scripts = append(scripts, web.Own(own...), web.Script("Skidpad.play("+string(scene)+");"))
	return pageTemplate.Execute(to, map[string]any{"Title": s.Title, "Missing": s.Missing,
		"Page": &web.Page{Scripts: scripts, Styles: styles}})
}
