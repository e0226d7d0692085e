package fmu_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"testing"

	"skidpad/fmu/fmutest"
)

// The picture shows the car on its course; outside it is transparent, and the drawing of
// lines has the same size.
func TestTheIconShowsACarOnItsCourse(t *testing.T) {
	two, _ := fmutest.Pack(t, skidder, 2)
	files, _ := fmutest.Pack(t, skidder, 3)
	if !bytes.Equal(two["model.png"], files["terminalsAndIcons/icon.png"]) {
		t.Error("FMI 2.0 and 3.0 have different icons")
	}
	icon, err := png.Decode(bytes.NewReader(two["model.png"]))
	if err != nil {
		t.Fatal(err)
	}
	if size := icon.Bounds().Size(); size.X < 100 || size.X != size.Y {
		t.Errorf("the icon has %v points", size)
	}
	for _, c := range []struct {
		what string
		x, y int
		want color.NRGBA
	}{
		{"the corner", 1, 1, color.NRGBA{}}, {"the way", 72, 72, color.NRGBA{0xe8, 0x59, 0x0c, 0xff}},
		{"the car's bonnet", 128, 100, color.NRGBA{0x1f, 0x2a, 0x37, 0xff}},
	} {
		if got := color.NRGBAModel.Convert(icon.At(c.x, c.y)); got != c.want {
			t.Errorf("%s is %v, want %v", c.what, got, c.want)
		}
	}
	var box string
	for d := xml.NewDecoder(bytes.NewReader(files["terminalsAndIcons/icon.svg"])); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "svg" {
			for _, a := range e.Attr {
				if a.Name.Local == "viewBox" {
					box = a.Value
				}
			}
		}
	}
	if box != "0 0 256 256" {
		t.Errorf("the drawing shows %q", box)
	}
}
