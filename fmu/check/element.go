package check

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"skidpad/fmu/archive"
)

// element is an XML element with its attributes.
type element struct {
	name       string
	attributes []xml.Attr
	children   []*element
}

// find returns the index of an attribute, -1 without it; the last one counts.
func (e *element) find(name string) int {
	for i, a := range slices.Backward(e.attributes) {
		if a.Name.Local == name {
			return i
		}
	}
	return -1
}

func (e *element) attribute(name string) string {
	if i := e.find(name); i >= 0 {
		return e.attributes[i].Value
	}
	return ""
}

// attributeNames lists the attributes in an order that does not change.
func (e *element) attributeNames() []string {
	var names []string
	for _, a := range e.attributes {
		names = append(names, a.Name.Local)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (e *element) has(name string) bool { return e.find(name) >= 0 }

// all returns the elements at a path of names below e.
func (e *element) all(names ...string) []*element {
	list := []*element{e}
	for _, name := range names {
		var next []*element
		for _, parent := range list {
			for _, child := range parent.children {
				if child.name == name {
					next = append(next, child)
				}
			}
		}
		list = next
	}
	return list
}

// parseElement reads a document into elements.
func parseElement(data []byte) (*element, error) {
	if err := archive.CheckXML(data); err != nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	document := &element{}
	stack := []*element{document}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local}
			e.attributes = slices.DeleteFunc(t.Attr, func(a xml.Attr) bool {
				return a.Name.Space != "" && !strings.HasSuffix(a.Name.Local, "chemaLocation")
			})
			top := stack[len(stack)-1]
			top.children = append(top.children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if len(document.children) != 1 {
		return nil, errors.New("the document has no single root element")
	}
	return document.children[0], nil
}
