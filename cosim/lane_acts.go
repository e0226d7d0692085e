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
	for k, look := range t.looks {
		if t.instances[0].acts[k].changes == changes && (look == nil || t.looksBy(look, since)) {
			t.actLaneByLane(k, since, h, failed)
		}
	}
}

// looksBy looks with the inputs of a time. On terrain, the planes under the tires stay those of the latest evaluation.
func (t *laneGroup) looksBy(look laneLook, since float64) bool {
	if len(t.instances[0].sys.program.Uneven) == 0 {
		t.inputs(since, t.x)
	}
	return look.look(t.x, t.u)
}

// actLaneByLane executes act k in each lane where the act is due and has something to do.
func (t *laneGroup) actLaneByLane(k int, since, h float64, failed *[program.Width]error) {
	for lane, in := range t.instances {
		a, reached := &in.acts[k], in.pendingStep.reached()
		if !t.steps[lane] || failed[lane] != nil || !a.isDue(reached, h) ||
			t.looks[k] != nil && !t.looks[k].finds(in, lane) {
			continue
		}
		t.unload(lane)
		in.since = since
		if err := a.do(reached, h); err != nil {
			failed[lane] = in.kept(err)
			in.rollBack()
		} else if a.changes {
			t.load(lane)
			t.takeInputs()
		}
	}
}
