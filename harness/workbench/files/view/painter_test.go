package view

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"skidpad/harness/workbench/runs/live"
)

// scripted evaluates a script in the page of a vehicle, whose value has the shape of found.
func scripted(t *testing.T, script string, found any) {
	t.Helper()
	inChromium(t)
	s := serve(t, "generic4w", 10, live.Options{Pace: 1}, nil)
	var data []byte
	complaints := visited(t, s, chromedp.Evaluate(`(() => {`+script+`})()`, &data))
	if err := json.Unmarshal(data, found); err != nil {
		t.Fatal(err)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// The painter draws what is near after what is far, layer by layer, leaves out what faces away or reaches behind the
// camera, cuts lines at the camera, and lets them fade. Open wheels are before or behind the body, others behind it.
func TestThePainterInChromium(t *testing.T) {
	var found struct {
		Near, Far, Layer, On, Away, Behind, Cut, Wrong, Through []int
		Fades                                                   [2]int
		Piece                                                   []int
		Sides                                                   [4]int
	}
	scripted(t, `
		const canvas = document.createElement('canvas');
		canvas.getContext('2d', { willReadFrequently: true });
		const painter = new Skidpad.Painter(canvas), camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
		painter.size(200, 200, 1);
		camera.position.set(0, -10, 0);
		camera.up.set(0, 0, 1);
		camera.lookAt(0, 0, 0);
		const layers = Skidpad.Layers, red = [1, 0, 0], green = [0, 1, 0];
		// a square towards the camera, at y
		const square = (y, half, colour, layer = layers.inner, turned = false, opacity = 1) => Skidpad.part(
			[[-half, y, -half], [half, y, -half], [half, y, half], [-half, y, half]], [[turned ? [3, 2, 1, 0] : [0, 1, 2, 3], colour]], layer, opacity);
		const pixel = (x, z, y = 0) => { // of a place
			const f = 100 / Math.tan(Math.PI / 6) / (y + 10);
			return [...painter.g.getImageData(Math.round(100 + f * x), Math.round(100 - f * z), 1, 1).data];
		};
		const draw = (parts, ground = []) => {
			const root = new THREE.Group();
			if (parts.length) root.add(...parts);
			root.updateMatrixWorld(true);
			painter.draw([{ root, shell: null, description: {} }], ground, camera);
		};
		const out = {};
		draw([square(0, 1, red), square(5, 4, green)]);
		out.near = pixel(0, 0); out.far = pixel(2, 2, 5);
		draw([square(0, 1, red), square(5, 4, green, layers.shell)]);
		out.layer = pixel(0, 0);
		const both = Skidpad.part([[-2, 0, -2], [2, 0, -2], [2, 0, 2], [-2, 0, 2], [-1, 0.5, -1], [1, 0.5, -1], [1, 0.5, 1], [-1, 0.5, 1]],
			[[[0, 1, 2, 3], red], [[4, 5, 6, 7], green, false, [0, 1, 2, 3]]], layers.inner);
		draw([both]);
		out.on = pixel(0, 0);
		draw([square(0, 1, red, layers.inner, true)]);
		out.away = pixel(0, 0);
		draw([Skidpad.part([[-1, -20, 0], [1, -20, 0], [1, 5, 0], [-1, 5, 0]].map(([x, y, z]) => [x, y, z - 1]), [[[0, 1, 2, 3], red]], layers.inner)]);
		out.behind = pixel(0, 0.5);
		const line = (a, b) => ({ list: [[a, b]], colour: '#ff0000', width: 8 });
		draw([], [line([1, 5, -1], [1, -30, -1])]);
		out.cut = pixel(1, -1, -5);
		draw([], [line([1, -30, -1], [1, 5, -1])]);
		out.wrong = pixel(1, -1, -5);
		draw([], [line([1, -30, -1], [1, -12, -1])]);
		out.through = pixel(-1, 1, -5);
		draw([], [line([-20, 40, 0], [20, 40, 0])]);
		out.fades = [pixel(0, 0)[3]];
		draw([], [line([-20, 0, 0], [20, 0, 0])]);
		out.fades.push(pixel(0, 0)[3]);
		draw([], [{ colour: '#0000ff', pieces: [{ alpha: 0.5, p: [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]] }, { alpha: 1, p: [[1, -20, 1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]] }] }]);
		out.piece = pixel(0.5, 0.5);
		const shell = new THREE.Object3D(), mesh = (y, layer = layers.near) => {
			const m = new THREE.Object3D();
			m.position.y = y;
			m.updateMatrixWorld(true);
			m.userData.layer = layer;
			return m;
		};
		shell.updateMatrixWorld(true);
		const side = (kind, m) => painter.sides({ shell, description: { shell: { kind } } }, camera.position)(m);
		out.sides = [side('formula', mesh(-1)), side('formula', mesh(1)), side('sedan', mesh(-1)), side('sedan', mesh(-1, layers.arrow))];
		return out;`, &found)
	red := func(p []int) bool { return p[0] > 90 && p[1] < 20 && p[3] == 255 }
	green := func(p []int) bool { return p[1] > 90 && p[0] < 20 && p[3] == 255 }
	for name, holds := range map[string]bool{
		"near face": red(found.Near), "far face": green(found.Far), "upper layer": green(found.Layer),
		"face on another one": green(found.On), "face that looks away": found.Away[3] == 0,
		"face behind the camera":      found.Behind[3] == 0,
		"line to behind the camera":   found.Cut[0] == 255 && found.Cut[3] > 200,
		"line from behind the camera": found.Wrong[0] == 255 && found.Wrong[3] > 200,
		"line behind the camera":      found.Through[3] == 0,
		"lines fade":                  math.Abs(float64(found.Fades[0])-127) < 4 && math.Abs(float64(found.Fades[1])-229) < 4,
		"piece":                       found.Piece[2] == 255 && math.Abs(float64(found.Piece[3])-127) < 3,
		"sides":                       found.Sides == [4]int{5, 2, 2, 6},
	} {
		if !holds {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// Heights between the points of patches and tiles are theirs. Planes reach everywhere. The grid is bold each 10 m.
// Eight tiles are asked for at once, and those far away go. Coarse tiles stand for finer ones that have not come.
func TestTheGroundInChromium(t *testing.T) {
	var found struct {
		Between, Upper, Tiled float64
		Outside               *float64
		Hole                  bool
		Plane, Bold, Fine     []float64
		Meshed                int
		First, Then           int
		Kept, Gone            bool
		Coarse, Covered, Far  int
	}
	scripted(t, `
		const out = {}, X = [0, 4], Y = [0, 2];
		const hill = new Skidpad.Ground([{ X, Y, Nx: 3, Ny: 2, Z: [0, 1, 4, 2, 3, 6.5] }]);
		out.between = hill.height(1, 0.5); out.upper = hill.height(4, 2); out.outside = hill.height(4.1, 1) ?? hill.height(1, 2.5);
		out.meshed = hill.lines([2, 1, 0], {})[0].list.length;
		const plane = new Skidpad.Ground([{ X, Y, Nx: 3, Ny: 2, Z: [0, 2, 4, -1, 1, 3] }]);
		out.plane = [plane.height(1, 0.5), plane.height(-100, 50)];
		const [fine, bold] = plane.lines([3.2, -7.7, 0], {});
		const lasting = (list, origin) => [...new Set(list.filter(([a, b]) => Math.abs(a[0] - b[0]) < 1e-9).map(([a]) => Math.round(1e6 * (a[0] + origin)) / 1e6))].sort((a, b) => a - b);
		out.bold = lasting(bold.list, 3.2); out.fine = lasting(fine.list, 3.2);
		// tiles of level 0 to 2 about a place
		let asked = [];
		const tiled = new Skidpad.Ground([{ X, Y, Nx: 2, Ny: 2, Z: [0, 0, 0, 0], Tiled: true }], (i, j, level) => asked.push([i, j, level]));
		tiled.want(10, 10);
		out.first = asked.length;
		const text = values => btoa(String.fromCharCode(...new Uint8Array(new Float32Array(values).buffer)));
		const answer = ([i, j, level], z = 1) => {
			const { size } = Skidpad.Ground.levels[level];
			tiled.take({ i, j, level, x0: i * size, y0: j * size, size, n: 9, z: text(Array.from({ length: 81 }, (_, k) => z === null ? (k % 9 > 4 ? NaN : k % 9) : z)), mu: '' });
		};
		answer(asked[0]);
		tiled.want(10, 10);
		out.then = asked.length;
		const slope = new Skidpad.Ground([], () => {});
		slope.take({ i: 0, j: 0, level: 0, x0: 0, y0: 0, size: 8, n: 9, z: text(Array.from({ length: 81 }, (_, k) => k % 9 > 4 ? NaN : k % 9 + 10 * Math.floor(k / 9))), mu: '' });
		out.tiled = slope.height(1.5, 2.5); out.hole = slope.height(6, 2) === null;
		for (let i = 0; i < 66; i++) answer([100 + i, 0, 0]);
		answer([1, 1, 0]);
		answer([3, 1, 0]);
		answer([1, 1, 2]);
		tiled.want(10, 10);
		out.kept = ['0 1 1', '0 3 1', '2 1 1'].every(key => tiled.tiles.has(key)); out.gone = tiled.tiles.has('0 120 0');
		// a coarse tile alone, then with the finer one
		const net = (...list) => {
			const g = new Skidpad.Ground([], () => {});
			for (const [i, j, level, n] of list) {
				const { size } = Skidpad.Ground.levels[level];
				g.take({ i, j, level, x0: i * size, y0: j * size, size, n, z: text(Array(n * n).fill(1)), mu: '' });
			}
			return origin => g.lines(origin, {}).flatMap(l => l.list).length;
		};
		out.coarse = net([0, 0, 1, 33])([4, 4, 0]);
		out.covered = net([0, 0, 1, 33], [0, 0, 0, 5])([4, 4, 0]);
		out.far = net([0, 0, 1, 33])([60, 60, 0]);
		return out;`, &found)
	if found.Between != 1.0 || found.Upper != 6.5 || found.Outside != nil || found.Meshed != 7 {
		t.Errorf("patch: %+v", found)
	}
	if !slices.Equal(found.Plane, []float64{0.75, -125}) {
		t.Errorf("plane: %g", found.Plane)
	}
	tens := func(x float64) bool { return math.Mod(x, 10) == 0 }
	if len(found.Bold) != 18 || len(found.Fine) != 44 || slices.ContainsFunc(found.Fine, tens) ||
		slices.ContainsFunc(found.Bold, func(x float64) bool { return !tens(x) }) {
		t.Errorf("grid: %g, %g", found.Bold, found.Fine)
	}
	if found.First != 8 || found.Then != 9 || !found.Kept || found.Gone {
		t.Errorf("tiles: %+v", found)
	}
	if found.Tiled != 26.5 || !found.Hole {
		t.Errorf("heights of tiles: %+v", found)
	}
	if found.Coarse == 0 || found.Covered >= found.Coarse || found.Far != 0 {
		t.Errorf("nets: %+v", found)
	}
}
