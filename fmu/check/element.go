package check

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"

	"skidpad/fmu/archive"
)

// element is an XML element with its attributes.
type element struct {
	name       string
	attributes []xml.Attr
	children   []*element
}

// schemaInstance is the namespace of attributes that say where a schema lies.
const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

// find returns the index of an attribute without namespace, -1 without it; the last one counts.
func (e *element) find(name string) int {
	for i, a := range slices.Backward(e.attributes) {
		if a.Name.Space == "" && a.Name.Local == name {
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

// attributeNames lists the attributes without namespace in an order that does not change.
func (e *element) attributeNames() []string {
	var names []string
	for _, a := range e.attributes {
		if a.Name.Space == "" {
			names = append(names, a.Name.Local)
		}
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

// parseElement reads a document into elements, and tells its encoding.
func parseElement(data []byte) (root *element, encoding string, err error) {
	d, encoding, err := archive.Decoder(data)
	if err != nil {
		return nil, encoding, err
	}
	document := &element{}
	stack := []*element{document}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, encoding, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local}
			e.attributes = slices.DeleteFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Space == "xmlns" })
			top := stack[len(stack)-1]
			top.children = append(top.children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if len(document.children) != 1 {
		return nil, encoding, errors.New("the document has no single root element")
	}
	return document.children[0], encoding, nil
}
