package main

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// notebookSuffix is the suffix of notebooks, as nbformat 4 defines them.
const notebookSuffix = ".ipynb"

// lines are a text that a notebook keeps as a list of its lines, or as one.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// notebook is the displayed part of a notebook.
type notebook struct {
	Cells []cell `json:"cells"`
}

type cell struct {
	Kind    string `json:"cell_type"`
	Source  lines  `json:"source"`
	Outputs []struct {
		Kind string           `json:"output_type"`
		Text lines            `json:"text"`
		Data map[string]lines `json:"data"`
	} `json:"outputs"`
}

// parseNotebook makes a page of a notebook: its text, its code, and the code's printed output and figures.
func parseNotebook(name string, source []byte) (*page, error) {
	var n notebook
	if err := json.Unmarshal(source, &n); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	figures := map[string][]byte{}
	var b strings.Builder
	for i, c := range n.Cells {
		switch c.Kind {
		case "markdown":
			b.WriteString(string(c.Source) + "\n\n")
		case "code":
			fence(&b, "python", string(c.Source))
		default:
			return nil, fmt.Errorf("%s: cell %d is of the kind %q; allowed are markdown and code", name, i+1, c.Kind)
		}
		for _, o := range c.Outputs {
			text := o.Text
			switch drawn, is := o.Data["image/svg+xml"]; {
			case is:
				figure := fmt.Sprintf("%s-%d.svg", strings.TrimSuffix(path.Base(name), notebookSuffix), len(figures)+1)
				figures[figure] = []byte(drawn)
				fmt.Fprintf(&b, "![Figure %d, drawn by the code above](%s)\n\n", len(figures), figure)
				continue
			case o.Kind == "execute_result" || o.Kind == "display_data":
				text = o.Data["text/plain"]
			case o.Kind != "stream":
				return nil, fmt.Errorf("%s: an output of cell %d is of the kind %q; allowed are stream, execute_result "+
					"and display_data", name, i+1, o.Kind)
			}
			fence(&b, "text", string(text))
		}
	}
	p, err := parsePage(name, []byte(b.String()))
	if p != nil {
		p.figures = figures
	}
	return p, err
}

// fence writes a block of code.
func fence(b *strings.Builder, label, text string) {
	if text = strings.TrimRight(text, "\n"); text != "" {
		fmt.Fprintf(b, "```%s\n%s\n```\n\n", label, text)
	}
}
