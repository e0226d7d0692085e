package view

import (
	"strings"
	"testing"

	"skidpad/harness/workbench/results/web"
)

// The page alone refers to no other file. Its policy lets it compile a vehicle, which pages with recorded runs may not.
func TestThePageAlone(t *testing.T) {
	data, err := Alone("Skidpad.connect = 'ours';", `<a href="manual.html">manual</a>`)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	head, body, _ := strings.Cut(text, "<body>")
	if !strings.Contains(head, "'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src") ||
		!strings.Contains(head, "default-src 'none'") || strings.Contains((&web.Page{}).Policy(), "wasm") {
		t.Errorf("the policies are %.500s and %s", head, (&web.Page{}).Policy())
	}
	for _, other := range []string{`src="/`, `href="/`, "<script src", "<link rel=\"stylesheet\""} {
		if strings.Contains(text, other) {
			t.Errorf("the page has %s", other)
		}
	}
	footer := strings.Index(body, `<a href="manual.html">manual</a>`+"\n</footer>")
	ours, page := strings.Index(body, "<script>Skidpad.connect = 'ours';</script>"), strings.Index(body, "Skidpad.live();")
	if !(0 < footer && footer < ours && ours < page) {
		t.Errorf("links at %d, the vehicle at %d, the page's script at %d", footer, ours, page)
	}
}
