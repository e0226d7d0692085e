package cosim

import "skidpad/model/program"

// openActs makes the quick looks, by act.
func (t *laneGroup) openActs() error {
	t.looks = make([]laneLook, len(t.instances[0].acts))
	for k := range t.looks {
		for _, in := range t.instances {
			look, err := in.acts[k].quickLook(t.lanes)
			if err != nil {
				return err
			}
			if look != nil {
				t.looks[k] = look
				break
			}
		}
	}
	return nil
}

// act is queue.do for all lanes. since is the time from the beginning of the communication step [s].
func (t *laneGroup) act(changes bool, since, h float64, failed *[program.Width]error) {
	for k := range t.looks {
		if t.instances[0].acts[k].changes != changes {
			continue
		}
		looked := false
		for lane, in := range t.instances {
			a, reached := &in.acts[k], in.pendingStep.start+since
			if !t.steps[lane] || failed[lane] != nil || !a.isDue(reached, h) {
				continue
			}
			if look := t.looks[k]; look != nil {
				if !looked {
					if len(in.sys.program.Uneven) == 0 { // else planes under tires are those of the latest evaluation
						t.inputs(since, t.x)
					}
					look.look(t.x, t.u)
					looked = true
				}
				if !look.finds(in, lane) {
					continue
				}
			}
			t.unload(lane)
			in.since = since
			if err := a.do(reached, h); err != nil {
				failed[lane] = in.kept(err)
				in.rollBack()
			} else if changes {
				t.load(lane)
				t.takeInputs()
			}
		}
	}
}
