package fmu

import (
	"bytes"
	"io"
	"slices"

	"skidpad/model/unit"
)

// Write writes the system as a package of System Structure and Parameterization (SSP 1.0): its
// description and an FMU for each component. Components of the same model have FMUs of their own, too,
// because there are masters that do not initialise a second instance of a file. The bytes depend on
// the models, the libraries, the version of FMI and about only.
func (s *System) Write(w io.Writer, libraries *Libraries, version int, about About) error {
	var description bytes.Buffer
	if err := s.description(&description, about); err != nil {
		return err
	}
	ssd, err := deflate(description.Bytes())
	if err != nil {
		return err
	}
	files, packed := map[string]*deflated{"SystemStructure.ssd": ssd}, map[string]*deflated{}
	for i := range s.Components {
		c := &s.Components[i]
		if packed[c.Model] == nil {
			p, err := NewPackage(c.Model, libraries, version, about)
			if err != nil {
				return err
			}
			var archive bytes.Buffer
			if err := p.Write(&archive); err != nil {
				return err
			}
			if packed[c.Model], err = deflate(archive.Bytes()); err != nil {
				return err
			}
		}
		files[c.source()] = packed[c.Model]
	}
	return writeDeflated(w, files)
}

// source is where the FMU of a component lies in the package.
func (c *SystemComponent) source() string { return "resources/" + c.Name + ".fmu" }

// Names of the standard.
const (
	ssdNamespace = "http://ssp-standard.org/SSP1/SystemStructureDescription"
	sscNamespace = "http://ssp-standard.org/SSP1/SystemStructureCommon"
	ssvNamespace = "http://ssp-standard.org/SSP1/SystemStructureParameterValues"
	ospNamespace = "http://opensimulationplatform.com/SSP/OSPAnnotations"
	omsNamespace = "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd"
)

// description writes SystemStructure.ssd.
func (s *System) description(w io.Writer, about About) error {
	d := newMarkup(w)
	d.begin("ssd:SystemStructureDescription", "xmlns:ssd", ssdNamespace, "xmlns:ssc", sscNamespace, "xmlns:ssv", ssvNamespace, "xmlns:osp", ospNamespace, "xmlns:oms", omsNamespace,
		"version", "1.0", "name", s.Name, "description", s.Source, "generationTool", "Skidpad "+about.Version, "generationDateAndTime", about.date())
	d.begin("ssd:System", "name", s.Name, "description", s.Title)
	d.begin("ssd:Elements")
	for i := range s.Components {
		s.component(d, i)
	}
	d.end()
	if len(s.Connections) > 0 {
		d.begin("ssd:Connections")
		for _, c := range s.Connections {
			d.leaf("ssd:Connection", "startElement", s.Components[c.From.Component].Name, "startConnector", s.variable(c.From).Name,
				"endElement", s.Components[c.To.Component].Name, "endConnector", s.variable(c.To).Name)
		}
		d.end()
	}
	d.begin("ssd:Annotations") // the standard has no place for the step of a master: OMSimulator looks here
	d.begin("ssc:Annotation", "type", "org.openmodelica")
	d.begin("oms:Annotations")
	d.begin("oms:SimulationInformation")
	d.leaf("oms:FixedStepMaster", "description", "oms-ma", "stepSize", number(s.Step), "relativeTolerance", "1e-6")
	for range 5 {
		d.end()
	}
	s.units(d)
	d.begin("ssd:DefaultExperiment", "startTime", "0", "stopTime", number(s.StopTime))
	d.begin("ssd:Annotations") // libcosim looks here
	d.begin("ssc:Annotation", "type", "com.opensimulationplatform")
	d.begin("osp:Algorithm")
	d.leaf("osp:FixedStepAlgorithm", "baseStepSize", number(s.Step))
	for range 5 {
		d.end()
	}
	return d.to.Flush()
}

// component writes one element: its connectors are what is connected or listed as an output.
func (s *System) component(d *markup, i int) {
	c := &s.Components[i]
	d.begin("ssd:Component", "name", c.Name, "description", c.Text, "type", "application/x-fmu-sharedlibrary", "source", c.source(), "implementation", "CoSimulation")
	if ports := s.ports(i); len(ports) > 0 {
		d.begin("ssd:Connectors")
		for _, reference := range ports {
			v := &c.Table.Variables[reference]
			d.begin("ssd:Connector", "name", v.Name, "kind", v.Causality.String(), "description", v.Description)
			if v.Type == Boolean {
				d.leaf("ssc:Boolean")
			} else {
				d.leaf("ssc:Real", "unit", standardUnit(v.Unit))
			}
			d.end()
		}
		d.end()
	}
	if len(c.Parameters) > 0 {
		d.begin("ssd:ParameterBindings")
		d.begin("ssd:ParameterBinding")
		d.begin("ssd:ParameterValues")
		d.begin("ssv:ParameterSet", "version", "1.0", "name", s.Name) // masters choose sets of all components by one name
		d.begin("ssv:Parameters")
		for _, p := range c.Parameters {
			v := &c.Table.Variables[p.Reference]
			d.begin("ssv:Parameter", "name", v.Name)
			if v.Type == String {
				d.leaf("ssv:String", "value", p.Text+explicit)
			} else {
				d.leaf("ssv:Real", "value", number(p.Number))
			}
			d.end()
		}
		for range 5 {
			d.end()
		}
	}
	d.end()
}

// ports lists the variables of a component that are connected or listed, in the order of the table.
func (s *System) ports(component int) []uint32 {
	list := slices.Clone(s.Components[component].Outputs)
	for _, c := range s.Connections {
		for _, p := range []Port{c.From, c.To} {
			if p.Component == component {
				list = append(list, p.Reference)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// standardUnit is a unit that is defined, "" for one without known dimensions.
func standardUnit(name string) string {
	if _, err := unit.ParseSI(name); err != nil {
		return ""
	}
	return name
}

// units defines the units of all connectors.
func (s *System) units(d *markup) {
	var names []string
	for i := range s.Components {
		for _, reference := range s.ports(i) {
			if v := &s.Components[i].Table.Variables[reference]; v.Type == Real {
				names = append(names, standardUnit(v.Unit))
			}
		}
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	if len(names) == 0 {
		return
	}
	d.begin("ssd:Units")
	for _, name := range names {
		powers, _ := unit.ParseSI(name)
		d.begin("ssc:Unit", "name", name)
		d.leaf("ssc:BaseUnit", baseUnit(powers)...)
		d.end()
	}
	d.end()
}
