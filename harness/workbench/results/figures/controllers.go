package figures

import "skidpad/model/keys"

// Controller has the signals of a controller that says when it intervenes.
type Controller struct {
	Name  string
	Count []float64 // how often it began to intervene
	Acts  []float64 // 1 while it intervenes
}

// Figures are the names of the figures of a controller.
func (c *Controller) Figures() [2]string {
	return [2]string{keys.Interventions + "_" + c.Name, keys.Intervening + "_" + c.Name}
}

// controllerChannels lists the variables of the controllers.
func (r *Record) controllerChannels() (list []Channel) {
	for i := range r.Controllers {
		c := &r.Controllers[i]
		list = append(list, channelsOf(c.Name, []quantity{{keys.Interventions, &c.Count}, {keys.Intervening, &c.Acts}})...)
	}
	return list
}

// Interventions are for each controller how often it intervened in the run, with the time of the first row after the
// first intervention began, and for how long. A row holds what the controller did up to its time.
func (r *Record) Interventions() (list []Figure) {
	for _, c := range r.Controllers {
		id := c.Figures()
		count := figure(id[0], "how often "+c.Name+" began to intervene", "1", c.Count[len(c.Count)-1]-c.Count[0])
		long := 0.0
		for i := 1; i < len(r.Time); i++ {
			if long += c.Acts[i] * (r.Time[i] - r.Time[i-1]); count.Time != count.Time && c.Count[i] > c.Count[0] {
				count.Time = r.Time[i]
			}
		}
		list = append(list, count, figure(id[1], "how long "+c.Name+" intervened", "s", long))
	}
	return list
}
