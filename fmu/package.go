package fmu

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/cosim"
	"skidpad/fmu/archive"
	"skidpad/model/bounded"
	"skidpad/model/roles"
)

// Package holds the parts of one FMU.
type Package struct {
	Version   int // of FMI: 2 or 3
	Table     *Table
	System    *cosim.System
	Resources *Resources
	Libraries []Library
	Sources   []Source
	About     About
}

// Library is a file of a platform's binaries folder. Name is relative to it.
type Library struct {
	Platform string // as in FMI 3.0, for example x86_64-linux
	Name     string

	content *archive.Compressed
}

// Libraries are the files of all platforms and both versions, compressed once for any number of
// packages.
type Libraries struct {
	folder string
	files  []Library
}

// NewPackage collects an FMU of a model file, with what is chosen of it.
func NewPackage(modelFile string, choice Choice, libraries *Libraries, version int, about About) (*Package, error) {
	if version != 2 && version != 3 {
		return nil, fmt.Errorf("there is no FMI %d; 2 and 3 are possible", version)
	}
	s, table, err := ready(modelFile, choice)
	if err != nil {
		return nil, err
	}
	p := &Package{Version: version, Table: table, System: s, About: about}
	if text := s.Tabulated(); text != nil { // importers make no tables
		p.Resources, err = collectText(text, modelFile)
	} else {
		p.Resources, err = Collect(modelFile)
	}
	if err != nil {
		return nil, err
	}
	choice.Tree = table.Tree
	p.Resources.keep(choice)
	p.settle(modelFile)
	return p, p.addLibraries(libraries)
}

// settle completes the table by what follows from the resources: the token, and the names in the FMU of the files of
// tires and terrains.
func (p *Package) settle(modelFile string) {
	p.Table.Token = p.Resources.Token()
	for i := range p.Table.Variables {
		v := &p.Table.Variables[i]
		if v.Type != String || v.StartText == "" {
			continue
		}
		if name, ok := p.Resources.from[bounded.Beside(modelFile, v.StartText)]; ok {
			v.StartText = name
		}
	}
}

var (
	coreName = regexp.MustCompile(`^skidpad-core-[0-9a-f]+\.(so|dll|dylib)$`)
	shimName = regexp.MustCompile(`^skidpad_fmi[23]\.(so|dll|dylib)$`)
)

// howToGet says where the libraries come from, in the source tree and in the Python package.
const howToGet = "build them with ./build.sh, or add them to the Python package by the file that it makes: " +
	"pip install out/skidpad_fmi-*.whl"

// ReadLibraries reads the libraries below a folder, which has one folder per platform as build.sh
// makes them.
func ReadLibraries(folder string) (*Libraries, error) {
	platforms, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("folder of the FMI libraries: %w; "+howToGet, err)
	}
	l := &Libraries{folder: folder}
	for _, platform := range platforms {
		files, err := os.ReadDir(filepath.Join(folder, platform.Name()))
		if err != nil {
			continue // not a folder
		}
		for _, f := range files {
			if !shimName.MatchString(f.Name()) && !coreName.MatchString(f.Name()) {
				continue
			}
			content, err := bounded.Library.Read(filepath.Join(folder, platform.Name(), f.Name()))
			if err != nil {
				return nil, err
			}
			packed, err := archive.Compress(content)
			if err != nil {
				return nil, err
			}
			l.files = append(l.files, Library{platform.Name(), f.Name(), packed})
		}
	}
	if len(l.files) == 0 {
		return nil, fmt.Errorf("no FMI libraries in %s; "+howToGet, folder)
	}
	return l, nil
}

// addLibraries takes the shim of the version and the core of every platform.
func (p *Package) addLibraries(l *Libraries) error {
	found := map[string]int{}
	for _, f := range l.files {
		found[f.Platform] += 0
		shim, isShim := strings.CutPrefix(f.Name, fmt.Sprintf("skidpad_fmi%d.", p.Version))
		if !isShim && !coreName.MatchString(f.Name) {
			continue
		}
		if isShim {
			f.Name = p.Table.Name + "." + shim
		}
		p.Libraries = append(p.Libraries, f)
		found[f.Platform]++
	}
	for platform, n := range found {
		if n != 2 {
			return fmt.Errorf("%s holds %d of the 2 libraries of FMI %d; "+howToGet,
				filepath.Join(l.folder, platform), n, p.Version)
		}
	}
	return nil
}

// binaries returns the folder of a platform in FMI 2.0 or 3.0.
func (p *Package) binaries(platform string) string {
	if p.Version == 2 {
		switch platform {
		case "x86_64-linux":
			return "linux64"
		case "x86_64-windows":
			return "win64"
		case "x86_64-darwin":
			return "darwin64"
		}
	}
	return platform
}

// Implementations lists the platforms with libraries, as FMI 3.0 calls them, and "sources".
func (p *Package) Implementations() []string {
	var names []string
	for _, l := range p.Libraries {
		names = append(names, l.Platform)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(p.Sources) > 0 {
		names = append(names, "sources")
	}
	return names
}

// Write writes the FMU. Its bytes depend on the content of p only.
func (p *Package) Write(w io.Writer) error {
	if !archive.IsIdentifier(p.Table.Name) {
		return errors.New("the model name " + p.Table.Name + " is not a C identifier")
	}
	icon, err := iconPNG()
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	describe := p.Table.ModelDescription2
	written := map[string]func(io.Writer) error{
		"modelDescription.xml":     func(w io.Writer) error { return describe(w, p.Table.Name, p.About) },
		"documentation/index.html": p.documentation,
	}
	if p.Version == 3 {
		describe = p.Table.ModelDescription3
		files["documentation/diagram.png"] = icon
		files["terminalsAndIcons/icon.png"] = icon
		files["terminalsAndIcons/icon.svg"] = iconSVG()
		written["terminalsAndIcons/terminalsAndIcons.xml"] = p.Table.TerminalsAndIcons
	} else {
		files["model.png"] = icon
	}
	if len(p.Sources) > 0 {
		written["sources/buildDescription.xml"] = func(w io.Writer) error {
			return p.Table.BuildDescription(w, p.Table.Name)
		}
	}
	for _, f := range p.Sources {
		files["sources/"+f.Name] = []byte(f.Text)
	}
	for name, write := range written {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		files[name] = b.Bytes()
	}
	if r := p.System.Model().Roles; r != nil && r.Table != nil {
		files[roles.File] = []byte("# How manoeuvres know this vehicle.\n" + roles.Text("roles", r.Table))
	}
	for name, content := range p.Resources.Files {
		files["resources/"+name] = content
	}
	packed := map[string]*archive.Compressed{}
	for name, content := range files {
		if packed[name], err = archive.Compress(content); err != nil {
			return err
		}
	}
	for _, l := range p.Libraries {
		packed["binaries/"+p.binaries(l.Platform)+"/"+l.Name] = l.content
	}
	return archive.WriteCompressed(w, packed)
}
