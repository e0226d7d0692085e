package manoeuvre

import (
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Groups are the headings of lists of manoeuvres, in their order.
var Groups = []string{"handling", "braking", "driving", "ride", "parking", "two-wheelers"}

// Heading is the description in a manoeuvre file, read without a vehicle.
type Heading struct {
	Title  string
	Group  string   // one of Groups; "" without
	Models []string // names of the models that it is for; nil for any that has the roles
}

// ReadHeading reads the heading of a manoeuvre file.
func ReadHeading(path string) (*Heading, error) {
	data, err := bounded.Manoeuvre.Read(path)
	if err != nil {
		return nil, err
	}
	root, err := document.Parse(data, path)
	if err != nil {
		return nil, err
	}
	r := keys.NewReader(path, root, nil)
	f := r.Fields(root, "the manoeuvre", FileKeys)
	h := &Heading{Title: f.Text("title"), Group: f.Text("group")}
	if f.Given("models") {
		h.Models = f.Texts("models")
	}
	return h, r.Err()
}
