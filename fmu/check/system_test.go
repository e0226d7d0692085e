package check_test

import (
	"archive/zip"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/harness/tests/fuzzinputs"
)

// structure is a system with two components of FMUs a and b, which have the input u and the output y.
func structure(attributes, connectors, elements, connections string) string {
	return declaration + `<ssd:SystemStructureDescription name="s" version="1.0" xmlns:ssd="urn:ssd" ` +
		`xmlns:ssc="urn:ssc"><ssd:System name="s">` + connectors + `<ssd:Elements>` + component("a", attributes) +
		component("b", "") + elements + `</ssd:Elements><ssd:Connections>` + connections + `</ssd:Connections></ssd:System>` +
		`</ssd:SystemStructureDescription>`
}

// component is a component called by a letter, with what its connectors are beside u and y.
func component(name, more string) string {
	return fmt.Sprintf(`<ssd:Component name="%[1]s" source="resources/%[1]s.fmu"><ssd:Connectors>%s%s%s</ssd:Connectors>`+
		`</ssd:Component>`, name, connector("u", "input"), connector("y", "output"), more)
}

func connector(name, kind string) string {
	return fmt.Sprintf(`<ssd:Connector name="%s" kind="%s"><ssc:Real/></ssd:Connector>`, name, kind)
}

func connection(from, to string) string {
	end := func(which, name string) string {
		element, of, inside := strings.Cut(name, ".")
		if !inside {
			return fmt.Sprintf(` %sConnector="%s"`, which, element)
		}
		return fmt.Sprintf(` %sElement="%s" %sConnector="%s"`, which, element, which, of)
	}
	return `<ssd:Connection` + end("start", from) + end("end", to) + `/>`
}

// checkSystem writes a package and checks it.
func checkSystem(t *testing.T, files map[string][]byte) ([]check.Finding, []check.Part) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.ssp")
	saveAs(t, path, zip.Deflate, files)
	if is, err := check.IsSystem(path); err != nil || !is {
		t.Errorf("it is no system, error %v", err)
	}
	findings, parts, err := check.System(path, t.TempDir())
	if err != nil {
		t.Errorf("error %v", err)
	}
	return findings, parts
}

// Packages that the standard allows have no errors; those that break a rule are found.
func TestSystems(t *testing.T) {
	fmus := func(ssd string) map[string][]byte {
		return map[string][]byte{"SystemStructure.ssd": []byte(ssd), "resources/a.fmu": tiny{}.archive(t, 2),
			"resources/b.fmu": tiny{variables: time3 + input3 + `<Float64 name="y" valueReference="2" causality="output">` +
				`<Alias name="z"/></Float64>`}.archive(t, 3), "resources/p q.ssv": nil, "Variant.ssd": []byte(strings.Replace(
				structure("", "", "", ""), `name="s"`, `name="v"`, 1)),
			"extra/com.example/x": nil}
	}
	inner := `<ssd:System name="in">` + `<ssd:Connectors>` + connector("u", "input") + connector("y", "output") +
		`</ssd:Connectors><ssd:Elements><ssd:Component name="b" source="resources/b.fmu"><ssd:Connectors>` +
		connector("u", "input") + connector("z", "output") + `</ssd:Connectors></ssd:Component></ssd:Elements>` +
		`<ssd:Connections>` + connection("u", "b.u") + connection("b.z", "y") + `</ssd:Connections></ssd:System>`
	sources := func(list ...string) string {
		var b strings.Builder
		for i, source := range list {
			fmt.Fprintf(&b, `<ssd:Component name="c%d" source="%s"/>`, i, source)
		}
		return b.String()
	}
	for _, c := range []struct{ what, ssd, rules string }{
		{"components alone", structure("", "", "", ""), ""},
		{"a ring", structure("", "", "", connection("a.y", "b.u")+connection("b.y", "a.u")), ""},
		{"from the end to the start", structure("", "", "", connection("b.u", "a.y")), ""},
		{"connectors of the system", structure("", `<ssd:Connectors>`+connector("in", "input")+connector("out", "output")+
			`</ssd:Connectors>`, "", connection("in", "a.u")+connection("a.y", "out")), ""},
		{"a system within a system", structure("", "", inner, connection("a.y", "in.u")+connection("in.y", "b.u")), ""},
		{"kinds that are left open", structure("", `<ssd:Connectors>`+connector("x", "unspecified")+`</ssd:Connectors>`, "",
			connection("x", "a.u")+connection("a.y", "x")), ""},
		{"no source", structure("", "", `<ssd:Component name="c"/>`, ""), ""},
		{"a file with a blank in its name", structure("", "", `<ssd:Component name="c" source=""><ssd:ParameterBindings>`+
			`<ssd:ParameterBinding source="resources/p%20q.ssv"/></ssd:ParameterBindings></ssd:Component>`, ""), ""},
		{"sources elsewhere", structure("", "", sources("https://example.com/x.fmu", "file:///x.fmu"), ""), "S-7"},
		{"parts that are no FMUs", structure("", "", `<ssd:Component name="c" source="Variant.ssd" `+
			`type="application/x-ssp-definition"/>`, ""), "S-7"},

		{"no structure", strings.ReplaceAll(structure("", "", "", ""), "SystemStructureDescription", "Structure"), "S-1"},
		{"an FMU that is missing", structure("", "", sources("resources/c.fmu"), ""), "S-2"},
		{"an FMU outside", structure("", "", sources("../a.fmu"), ""), "S-2"},
		{"parameters that are missing", structure("", "", `<ssd:Component name="c"><ssd:ParameterBindings>`+
			`<ssd:ParameterBinding source="resources/c.ssv"/></ssd:ParameterBindings></ssd:Component>`, ""), "S-2"},
		{"a mapping that is missing", structure("", "", `<ssd:Component name="c"><ssd:ParameterBindings>`+
			`<ssd:ParameterBinding><ssd:ParameterMapping source="m.ssm"/></ssd:ParameterBinding></ssd:ParameterBindings>`+
			`</ssd:Component>`, ""), "S-2"},
		{"no FMU", structure("", "", `<ssd:Component name="c" source="resources/p%20q.ssv" type="application/`+
			`x-fmu-sharedlibrary"/>`, ""), "S-2"},
		{"an element twice", structure("", "", component("a", ""), ""), "S-3"},
		{"a connector twice", structure(connector("u", "input"), "", "", ""), "S-3"},
		{"to no element", structure("", "", "", connection("a.y", "c.u")), "S-4"},
		{"to no connector", structure("", "", "", connection("a.y", "b.v")), "S-4"},
		{"to no connector of the system", structure("", "", "", connection("a.y", "out")), "S-4"},
		{"into an inner system", structure("", "", inner, connection("a.y", "in.z")), "S-4"},
		{"two outputs", structure("", "", "", connection("a.y", "b.y")), "S-4"},
		{"two inputs", structure("", "", "", connection("a.u", "b.u")), "S-4"},
		{"no variable", structure(connector("v", "input"), "", "", ""), "S-5"},
		{"another causality", strings.Replace(structure("", "", "", ""), `name="y" kind="output"`,
			`name="y" kind="input"`, 1), "S-5"},
		{"an input that is fed twice", structure("", "", "", connection("a.y", "b.u")+connection("b.u", "b.y")), "S-6"},
	} {
		var rules []string
		findings, parts := checkSystem(t, fmus(c.ssd))
		for _, f := range findings {
			rules = append(rules, f.Rule)
			if (f.Grade == check.Error) != (c.rules != "S-7") || !strings.HasPrefix(f.Clause, "SSP 2.0, ") ||
				f.Place == "" {
				t.Errorf("%s: %v", c.what, f)
			}
		}
		slices.Sort(rules)
		if got := strings.Join(slices.Compact(rules), " "); got != c.rules || c.rules == "" && len(parts) != 2 {
			t.Errorf("%s: found %q in %v, want %q", c.what, got, findings, c.rules)
		}
	}
}

// Variants of the structure are checked like the default; a name that comes twice, and one that is no structure, are
// faults.
func TestVariantsAreChecked(t *testing.T) {
	fmu := tiny{}.archive(t, 2)
	variant := strings.Replace(structure("", "", "", connection("a.y", "b.v")), `name="s"`, `name="v"`, 1)
	findings, parts := checkSystem(t, map[string][]byte{"SystemStructure.ssd": []byte(structure("", "", "", "")),
		"A.ssd": []byte(variant), "B.ssd": []byte(variant), "C.ssd": []byte("<a"), "resources/a.fmu": fmu,
		"resources/b.fmu": fmu, "resources/x.ssd": nil})
	var got []string
	for _, f := range findings {
		if f.Grade == check.Error {
			got = append(got, f.Rule+" "+f.Place)
		}
	}
	if want := "S-4 A.ssd, s|S-3 B.ssd|S-4 B.ssd, s|S-1 C.ssd"; strings.Join(got, "|") != want || len(parts) != 2 {
		t.Errorf("found %s, want %s; %d parts", strings.Join(got, "|"), want, len(parts))
	}
}

// Faults of the FMUs of a package are reported once, with the name of the FMU, and those of the archive.
func TestPartsOfSystemsAreChecked(t *testing.T) {
	broken := tiny{structure: "none"}.archive(t, 2)
	findings, parts := checkSystem(t, map[string][]byte{"SystemStructure.ssd": []byte(structure("", "", "", "")),
		"resources/a.fmu": broken, "resources/b.fmu": []byte("PK"), `documentation\x`: nil})
	var all strings.Builder
	for _, f := range findings {
		fmt.Fprintln(&all, f)
	}
	for _, want := range []string{
		"error: resources/a.fmu, y: it is missing in Outputs (F-MST-1, FMI 2.0, 2.2.8)\n",
		"error: resources/b.fmu: it cannot be read: not a zip archive",
		"has a backslash; a zip archive separates folders by / (F-ZIP-4, SSP 2.0, 3)\n",
	} {
		if strings.Count(all.String(), want) != 1 {
			t.Errorf("%s is not there once in\n%s", want, all.String())
		}
	}
	if len(parts) != 1 || parts[0].Name != "resources/a.fmu" || len(parts[0].Findings) == 0 {
		t.Errorf("%+v", parts)
	}
	findings, _ = checkSystem(t, map[string][]byte{"other.ssd": nil})
	if len(findings) != 1 || findings[0].Rule != "S-1" {
		t.Errorf("%v", findings)
	}
}

// Whatever a structure holds, it is checked or refused.
func FuzzSystem(f *testing.F) {
	fuzzinputs.Add(f, []byte(structure(connector("v", "parameter"), "", "", connection("a.y", "b.u"))))
	file := filepath.Join(f.TempDir(), "s.ssp") // each process of the fuzzer has its own
	f.Fuzz(func(t *testing.T, ssd []byte) {
		folder := t.TempDir()
		saveAs(t, file, zip.Store, map[string][]byte{"SystemStructure.ssd": ssd, "resources/b.fmu": []byte("PK")})
		findings, _, err := check.System(file, folder)
		for _, finding := range findings {
			if err != nil || finding.Rule == "" || finding.Grade == "" || finding.Text == "" || finding.Clause == "" {
				t.Errorf("%+v, error %v", finding, err)
			}
		}
	})
}
