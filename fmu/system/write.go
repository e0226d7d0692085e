package system

import (
	"bytes"
	"io"
	"slices"

	"skidpad/fmu"
	"skidpad/fmu/archive"
	"skidpad/fmu/markup"
	"skidpad/model/unit"
)

// Write writes the system as a package of System Structure and Parameterization (SSP 1.0): its
// description and an FMU for each component. Components of the same model have FMUs of their own, too,
// because there are masters that do not initialise a second instance of a file. The bytes depend on
// the models, the libraries, the version of FMI and about only.
func (s *System) Write(w io.Writer, libraries *fmu.Libraries, version int, about fmu.About) error {
	var description bytes.Buffer
	if err := s.description(&description, about); err != nil {
		return err
	}
	ssd, err := archive.Compress(description.Bytes())
	if err != nil {
		return err
	}
	files, packed := map[string]*archive.Compressed{"SystemStructure.ssd": ssd}, map[string]*archive.Compressed{}
	for i := range s.Components {
		c := &s.Components[i]
		if packed[c.Model] == nil {
			p, err := fmu.NewPackage(c.Model, fmu.Choice{}, libraries, version, about)
			if err != nil {
				return err
			}
			var written bytes.Buffer
			if err := p.Write(&written); err != nil {
				return err
			}
			if packed[c.Model], err = archive.Compress(written.Bytes()); err != nil {
				return err
			}
		}
		files[c.source()] = packed[c.Model]
	}
	return archive.WriteCompressed(w, files)
}

// source is where the FMU of a component lies in the package.
func (c *Component) source() string { return "resources/" + c.Name + ".fmu" }

// Names of the standard.
const (
	ssdNamespace = "http://ssp-standard.org/SSP1/SystemStructureDescription"
	sscNamespace = "http://ssp-standard.org/SSP1/SystemStructureCommon"
	ssvNamespace = "http://ssp-standard.org/SSP1/SystemStructureParameterValues"
	ospNamespace = "http://opensimulationplatform.com/SSP/OSPAnnotations"
	omsNamespace = "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd"
)

// description writes SystemStructure.ssd.
func (s *System) description(w io.Writer, about fmu.About) error {
	d := markup.New(w)
	d.Begin("ssd:SystemStructureDescription", "xmlns:ssd", ssdNamespace, "xmlns:ssc", sscNamespace, "xmlns:ssv",
		ssvNamespace, "xmlns:osp", ospNamespace, "xmlns:oms", omsNamespace,
		"version", "1.0", "name", s.Name, "description", s.Source, "generationTool", "Skidpad "+about.Version,
		"generationDateAndTime", about.Date())
	d.Begin("ssd:System", "name", s.Name, "description", s.Title)
	d.Begin("ssd:Elements")
	for i := range s.Components {
		s.component(d, i)
	}
	d.End()
	if len(s.Connections) > 0 {
		d.Begin("ssd:Connections")
		for _, c := range s.Connections {
			d.Leaf("ssd:Connection", "startElement", s.Components[c.From.Component].Name, "startConnector",
				s.variable(c.From).Name,
				"endElement", s.Components[c.To.Component].Name, "endConnector", s.variable(c.To).Name)
		}
		d.End()
	}
	d.Begin("ssd:Annotations") // the standard has no place for the step of a master: OMSimulator looks here
	d.Begin("ssc:Annotation", "type", "org.openmodelica")
	d.Begin("oms:Annotations")
	d.Begin("oms:SimulationInformation")
	d.Leaf("oms:FixedStepMaster", "description", "oms-ma", "stepSize", markup.Number(s.Step),
		"relativeTolerance", "1e-6")
	for range 5 {
		d.End()
	}
	s.units(d)
	d.Begin("ssd:DefaultExperiment", "startTime", "0", "stopTime", markup.Number(s.StopTime))
	d.Begin("ssd:Annotations") // libcosim looks here
	d.Begin("ssc:Annotation", "type", "com.opensimulationplatform")
	d.Begin("osp:Algorithm")
	d.Leaf("osp:FixedStepAlgorithm", "baseStepSize", markup.Number(s.Step))
	for range 5 {
		d.End()
	}
	return d.Flush()
}

// component writes one element: its connectors are what is connected or listed as an output.
func (s *System) component(d *markup.Writer, i int) {
	c := &s.Components[i]
	d.Begin("ssd:Component", "name", c.Name, "description", c.Text, "type", "application/x-fmu-sharedlibrary", "source",
		c.source(), "implementation", "CoSimulation")
	if ports := s.ports(i); len(ports) > 0 {
		d.Begin("ssd:Connectors")
		for _, reference := range ports {
			v := &c.Table.Variables[reference]
			d.Begin("ssd:Connector", "name", v.Name, "kind", v.Causality.String(), "description", v.Description)
			if v.Type == fmu.Boolean {
				d.Leaf("ssc:Boolean")
			} else {
				d.Leaf("ssc:Real", "unit", standardUnit(v.Unit))
			}
			d.End()
		}
		d.End()
	}
	if len(c.Parameters) > 0 {
		d.Begin("ssd:ParameterBindings")
		d.Begin("ssd:ParameterBinding")
		d.Begin("ssd:ParameterValues")
		// masters choose sets of all components by one name
		d.Begin("ssv:ParameterSet", "version", "1.0", "name", s.Name)
		d.Begin("ssv:Parameters")
		for _, p := range c.Parameters {
			v := &c.Table.Variables[p.Reference]
			d.Begin("ssv:Parameter", "name", v.Name)
			if v.Type == fmu.String {
				d.Leaf("ssv:String", "value", p.Text+markup.Explicit)
			} else {
				d.Leaf("ssv:Real", "value", markup.Number(p.Number))
			}
			d.End()
		}
		for range 5 {
			d.End()
		}
	}
	d.End()
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

// standardUnit is a unit that is defined, "" for one without known dimensions or with those of a root.
func standardUnit(name string) string {
	if powers, err := unit.ParseSI(name); err != nil || !powers.Whole() {
		return ""
	}
	return name
}

// units defines the units of all connectors.
func (s *System) units(d *markup.Writer) {
	var names []string
	for i := range s.Components {
		for _, reference := range s.ports(i) {
			if v := &s.Components[i].Table.Variables[reference]; v.Type == fmu.Real {
				names = append(names, standardUnit(v.Unit))
			}
		}
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	if len(names) == 0 {
		return
	}
	d.Begin("ssd:Units")
	for _, name := range names {
		powers, _ := unit.ParseSI(name)
		d.Begin("ssc:Unit", "name", name)
		d.Leaf("ssc:BaseUnit", fmu.BaseUnit(powers)...)
		d.End()
	}
	d.End()
}
