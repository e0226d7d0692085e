// Package browser looks at a report as a reader does: it opens the file in headless
// Chromium, without network, and checks that every plot is really drawn.
package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// figure is what the browser says about one plot: where it stands on the page, how long its
// curves are on the screen, and the colours that its curves must show.
type figure struct {
	Title      string
	X, Y, W, H float64
	Lengths    []float64
	Colours    []string
}

const (
	width  = 1280 // of the window, pixels
	height = 8000 // of one picture of the page
	// leastLength is the length of a curve that can be seen, and leastPixels how many pixels
	// must show its colour.
	leastLength = 100
	leastPixels = 40
)

// script notes the figures in the page, after it was laid out.
const script = `<script>
addEventListener('load', () => {
  const curves = svg => [...svg.querySelectorAll('path')].filter(p => p.getBBox().width > 0 && getComputedStyle(p).fill === 'none');
  const drawn = [...document.querySelectorAll('figure')].map(f => {
    const svg = f.querySelector('svg'), r = svg.getBoundingClientRect();
    const colours = [...f.querySelectorAll('.legend i')].map(i => i.style.backgroundColor);
    return { Title: svg.querySelector('title').textContent, X: r.x + scrollX, Y: r.y + scrollY, W: r.width, H: r.height,
      Colours: colours, Lengths: colours.map(c => Math.max(0, ...curves(svg).filter(p => getComputedStyle(p).stroke === c && p.checkVisibility()).map(p => p.getTotalLength()))) };
  });
  const pre = document.createElement('pre');
  pre.id = 'drawn';
  pre.textContent = JSON.stringify(drawn);
  document.body.append(pre);
});
</script>`

// CheckDrawn opens the report at path and checks that it shows that many figures, that every
// curve has a length on the screen, and that pixels of its colour are there.
func CheckDrawn(path string, figures int) error {
	program, err := find()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "report")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if link := regexp.MustCompile(`(?i)(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//[^"')\s]*`).Find(page); link != nil {
		return fmt.Errorf("%s asks for %s; a report must be self-contained", path, link)
	}
	// look runs the browser with the page, changed by an addition, and returns its output.
	look := func(addition string, arguments ...string) ([]byte, error) {
		copied := filepath.Join(folder, "page.html")
		if err := os.WriteFile(copied, append(bytes.Clone(page), addition...), 0o644); err != nil {
			return nil, err
		}
		arguments = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND",
			"--user-data-dir=" + filepath.Join(folder, "profile"), fmt.Sprintf("--window-size=%d,%d", width, height), "--virtual-time-budget=10000"}, arguments...)
		var messages bytes.Buffer
		command := exec.Command(program, append(arguments, "file://"+copied)...)
		command.Stderr = &messages
		out, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", program, err, messages.String())
		}
		return out, nil
	}
	dom, err := look(script, "--dump-dom")
	if err != nil {
		return err
	}
	found := regexp.MustCompile(`(?s)<pre id="drawn">(.*?)</pre>`).FindSubmatch(dom)
	if found == nil {
		return errors.New("the browser did not finish the page")
	}
	var list []figure
	if err := json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &list); err != nil {
		return err
	}
	if len(list) != figures {
		return fmt.Errorf("the page shows %d figures, not %d", len(list), figures)
	}
	shots := map[int]image.Image{}
	for i, f := range list {
		if len(f.Colours) == 0 || f.W < 200 || f.H < 100 {
			return fmt.Errorf("figure %d, %s, has %d curves on %g x %g pixels", i+1, f.Title, len(f.Colours), f.W, f.H)
		}
		for k, length := range f.Lengths {
			if length < leastLength {
				return fmt.Errorf("figure %d, %s: curve %d is %g pixels long", i+1, f.Title, k+1, length)
			}
		}
		top := int(f.Y) / (height / 2) * (height / 2) // so that the figure is on one picture
		if shots[top] == nil {
			file := filepath.Join(folder, "page.png")
			shift := fmt.Sprintf("<style>body { position: relative; top: -%dpx }</style>", top)
			if _, err := look(shift, "--screenshot="+file); err != nil {
				return err
			}
			if shots[top], err = readPNG(file); err != nil {
				return err
			}
		}
		for k, colour := range f.Colours {
			n, err := count(shots[top], f, top, colour)
			if err != nil {
				return err
			}
			if n < leastPixels {
				return fmt.Errorf("figure %d, %s: %d pixels show curve %d", i+1, f.Title, n, k+1)
			}
		}
	}
	return nil
}

// find names the browser.
func find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium; install it, for example: apt-get install chromium")
}

func readPNG(path string) (image.Image, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return png.Decode(file)
}

// count counts the pixels of a figure that are close to a colour, written rgb(r, g, b).
func count(shot image.Image, f figure, top int, colour string) (int, error) {
	parts := regexp.MustCompile(`\d+`).FindAllString(colour, -1)
	if len(parts) < 3 {
		return 0, fmt.Errorf("colour %q is not rgb(r, g, b)", colour)
	}
	var want [3]int
	for i := range want {
		want[i], _ = strconv.Atoi(parts[i]) // digits
	}
	n := 0
	for y := int(f.Y) - top; y < int(f.Y+f.H)-top; y++ {
		for x := int(f.X); x < int(f.X+f.W); x++ {
			r, g, b, _ := shot.At(x, y).RGBA()
			if d := distance(int(r>>8), want[0]) + distance(int(g>>8), want[1]) + distance(int(b>>8), want[2]); d < 90 {
				n++
			}
		}
	}
	return n, nil
}

func distance(a, b int) int { return max(a-b, b-a) }
