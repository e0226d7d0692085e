package main

import (
	"encoding/json"
	"slices"
)

// index is the statement that gives the search what it looks through: titles and headings with
// their addresses from the folder of the site.
func (s *site) index() ([]byte, error) {
	var list [][3]string // title of the page, heading, address
	for _, c := range s.chapters {
		for _, name := range c.pages {
			p := s.pages[name]
			list = append(list, [3]string{p.title, "", address(name)})
			for _, h := range p.headings {
				list = append(list, [3]string{p.title, h.text, address(name) + "#" + h.id})
			}
		}
	}
	data, err := json.Marshal(list)
	return slices.Concat([]byte("const index = "), data, []byte(";\n")), err
}
