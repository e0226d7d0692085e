package view

import (
	"bytes"
	"errors"
	"html/template"

	"skidpad/harness/workbench/results/web"
)

// Alone is the page as one file without a server. The vehicle runs in the page: a script gives the function that
// connects to it as Skidpad.connect. The links stand in the last line of the page.
func Alone(vehicle web.Script, links template.HTML) ([]byte, error) {
	all := &web.Page{Styles: []web.Script{web.Script(files()["/view.css"].content)}, Compiles: true,
		Scripts: []web.Script{vehicle, web.Script(files()["/view.js"].content)}}
	text := bytes.Clone(page)
	for _, part := range [][2]string{
		{`<link rel="stylesheet" href="/view.css">` + "\n", string(all.Head())},
		{`<script src="/view.js"></script>` + "\n", string(all.Body())},
		{"</footer>\n", string(links) + "\n</footer>\n"},
	} {
		if bytes.Count(text, []byte(part[0])) != 1 {
			return nil, errors.New("the page of the live view has not one line " + part[0])
		}
		text = bytes.Replace(text, []byte(part[0]), []byte(part[1]), 1)
	}
	return text, nil
}
