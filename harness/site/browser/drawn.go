package browser

import (
	"fmt"
	"image"
	"os"
	"regexp"
	"strconv"

	"github.com/chromedp/chromedp"
)

// figure is the browser's measurement of one plot: its position on the page, the lengths of its curves on the screen,
// and their required colours.
type figure struct {
	Title      string
	X, Y, W, H float64
	Lengths    []float64
	Colours    []string
}

const (
	width = 1280 // of the window, pixels
	// leastLength is the length of a curve that can be seen, and leastPixels how many pixels
	// must show its colour.
	leastLength = 100
	leastPixels = 40
)

// figuresOfPage lists the figures in the page.
const figuresOfPage = `(() => {
  const drawn = p => p.getBBox().width > 0 && getComputedStyle(p).fill === 'none';
  const curves = svg => [...svg.querySelectorAll('path')].filter(drawn);
  return [...document.querySelectorAll('figure')].map(f => {
    const svg = f.querySelector(':scope > svg'), r = svg.getBoundingClientRect();
    const colours = [...f.querySelectorAll('.legend path')].map(p => getComputedStyle(p).stroke);
    const length = c => Math.max(0, ...curves(svg)
      .filter(p => getComputedStyle(p).stroke === c && p.checkVisibility()).map(p => p.getTotalLength()));
    return { Title: svg.querySelector('title').textContent, X: r.x + scrollX, Y: r.y + scrollY, W: r.width, H: r.height,
      Colours: colours, Lengths: colours.map(length) };
  });
})()`

// CheckDrawn opens the report at path and checks the number of its figures. Every curve must have a length on the
// screen, and the screen must show pixels of the curve's colour.
func CheckDrawn(path string, figures int) (found error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if link := regexp.MustCompile(`(?i)(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//[^"')\s]*`).Find(text); link != nil {
		return fmt.Errorf("%s asks for %s; a report must be self-contained", path, link)
	}
	at, err := address(path, "")
	if err != nil {
		return err
	}
	ctx, end, err := open(width, 1000, "")
	if err != nil {
		return err
	}
	defer func() { found = end(found) }()
	var list []figure
	if err := chromedp.Run(ctx, chromedp.Navigate(at), chromedp.ActionFunc(laidOut),
		chromedp.Evaluate(figuresOfPage, &list)); err != nil {
		return err
	}
	if len(list) != figures {
		return fmt.Errorf("the page shows %d figures, not %d", len(list), figures)
	}
	for i, f := range list {
		if len(f.Colours) == 0 || f.W < 200 || f.H < 100 {
			return fmt.Errorf("figure %d, %s, has %d curves on %g x %g pixels", i+1, f.Title, len(f.Colours), f.W, f.H)
		}
		for k, length := range f.Lengths {
			if length < leastLength {
				return fmt.Errorf("figure %d, %s: curve %d is %g pixels long", i+1, f.Title, k+1, length)
			}
		}
		drawn, err := shot(ctx, f.X, f.Y, f.W, f.H)
		if err != nil {
			return err
		}
		for k, colour := range f.Colours {
			n, err := count(drawn, colour)
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

// count counts the pixels of a picture that are close to a colour, written rgb(r, g, b).
func count(drawn image.Image, colour string) (int, error) {
	parts := regexp.MustCompile(`\d+`).FindAllString(colour, -1)
	if len(parts) < 3 {
		return 0, fmt.Errorf("colour %q is not rgb(r, g, b)", colour)
	}
	var want [3]int
	for i := range want {
		want[i], _ = strconv.Atoi(parts[i]) // digits
	}
	n := 0
	for y := drawn.Bounds().Min.Y; y < drawn.Bounds().Max.Y; y++ {
		for x := drawn.Bounds().Min.X; x < drawn.Bounds().Max.X; x++ {
			r, g, b, _ := drawn.At(x, y).RGBA()
			if d := distance(int(r>>8), want[0]) + distance(int(g>>8), want[1]) + distance(int(b>>8), want[2]); d < 90 {
				n++
			}
		}
	}
	return n, nil
}

func distance(a, b int) int { return max(a-b, b-a) }
