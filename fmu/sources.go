package fmu

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"skidpad/fmu/markup"
)

// Source is a C file of the folder sources of an FMU: the importer compiles it, or others include it.
type Source struct {
	Name, Text string
	Compiled   bool
}

// AddSources adds C sources, which an importer compiles for its platform. write makes them of the table, with the token
// in it. The token of the FMU covers model and sources: it is made with sources that have the token of the model alone.
//
// The description then declares what libraries and sources can both do.
func (p *Package) AddSources(write func(t *Table) ([]Source, error)) error {
	files, err := write(p.Table)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Compiled {
			p.Table.Sources = append(p.Table.Sources, f.Name)
		}
	}
	p.Resources.keep(Choice{Sources: fingerprint(files)})
	p.Table.Token = p.Resources.Token()
	p.Sources, err = write(p.Table)
	return err
}

// fingerprint is a hash of source files.
func fingerprint(files []Source) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %d\n%s", f.Name, len(f.Text), f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// BuildDescription writes sources/buildDescription.xml of FMI 3.0, 2.4.10, which FMI 2.0.4 takes, too.
func (t *Table) BuildDescription(w io.Writer, identifier string) error {
	d := markup.New(w)
	d.Begin("fmiBuildDescription", "fmiVersion", "3.0")
	d.Begin("BuildConfiguration", "modelIdentifier", identifier)
	d.Begin("SourceFileSet", "language", "C99")
	for _, name := range t.Sources {
		d.Leaf("SourceFile", "name", name)
	}
	d.End()
	d.End()
	d.End()
	return d.Flush()
}

// inLibraries is the value of an attribute for a capability of the libraries only. With sources the attribute is left
// out, because one model description serves libraries and sources.
func (t *Table) inLibraries(value string) string {
	if len(t.Sources) > 0 {
		return ""
	}
	return value
}

// interface2 writes an interface of FMI 2.0 with its source files.
func (t *Table) interface2(d *markup.Writer, name string, attributes []string) {
	if len(t.Sources) == 0 {
		d.Leaf(name, attributes...)
		return
	}
	d.Begin(name, attributes...)
	d.Begin("SourceFiles")
	for _, file := range t.Sources {
		d.Leaf("File", "name", file)
	}
	d.End()
	d.End()
}
