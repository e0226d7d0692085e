package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// results is the annotation of flags that name a file to write, or a folder; of a folder it has the patterns of what is
// written there.
const results = "results"

// writesTo marks flags that name files to write.
func writesTo(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flags.SetAnnotation(name, results, []string{})
	}
}

// writesInto marks a flag that names a folder for files with these names.
func writesInto(flags *pflag.FlagSet, name string, patterns ...string) {
	flags.SetAnnotation(name, results, patterns)
}

// source is a file that a command reads, and what it is called.
type source struct{ called, path string }

// checkOverwrites refuses a command line whose results would replace a file that the command reads. The command line
// names such files, and so do model files and manoeuvres.
func checkOverwrites(c *cobra.Command, args []string) error {
	var err error
	var read []source
	c.Flags().VisitAll(func(f *pflag.Flag) {
		patterns, writes := f.Annotations[results]
		file := f.Value.String()
		if err != nil || !writes || file == "" || file == "-" {
			return
		}
		if read == nil {
			read = sources(c, args)
		}
		for _, s := range read {
			if replaced(file, patterns, s.path) {
				err = usageError{fmt.Errorf("%s and --%s are both %s; give each a file of its own", s.called, f.Name, s.path)}
				return
			}
		}
	})
	return err
}

// replaced reports whether a file of results, or one of some patterns in a folder of results, is a file that is read.
func replaced(results string, patterns []string, read string) bool {
	if output.SameFile(results, read) {
		return true
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		is, _ := filepath.Match(pattern, filepath.Base(read))
		return is && output.SameFile(filepath.Join(results, filepath.Base(read)), read)
	})
}

// sources are the files named by arguments and flags, by path or by the name of a resource, and the files named in
// these files.
func sources(c *cobra.Command, args []string) (list []source) {
	add := func(called string, paths ...string) {
		for _, path := range paths {
			if isFile(path) {
				list = append(list, source{called, path})
			}
		}
	}
	for i, arg := range args {
		called := arg
		if strings.Contains(c.Use, " MODEL") && i == 0 {
			called = "the model"
		}
		add(called, append(shipped(arg), arg)...)
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		called, word := "--"+f.Name, f.Value.String()
		if _, writes := f.Annotations[results]; writes || f.Value.Type() != "string" || word == "" {
			return
		}
		add(called, word)
		if f.Name == "manoeuvre" || f.Name == "model" {
			add(called, shipped(word)...)
		}
	})
	if set, is := setting(c); is {
		for _, s := range *set {
			for _, arg := range args {
				add("--set "+s.Name, from(filepath.Dir(arg), s.Value))
			}
		}
	}
	for i := 0; i < len(list); i++ { // the list grows
		for _, path := range namedIn(list[i].path) {
			if !slices.ContainsFunc(list, func(s source) bool { return s.path == path }) {
				list = append(list, source{"a file that " + list[i].path + " names", path})
			}
		}
	}
	return list
}

// shipped are the files of the resources of a name.
func shipped(name string) (paths []string) {
	for _, kind := range resources.Kinds {
		if path, err := kind.Find(name); err == nil && path != name {
			paths = append(paths, path)
		}
	}
	return paths
}

// setting returns the settings of --set.
func setting(c *cobra.Command) (set *settings, is bool) {
	if f := c.Flags().Lookup("set"); f != nil {
		set, is = f.Value.(*settings)
	}
	return set, is
}

// from is a path as it counts from a folder.
func from(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// namedIn are the files that the texts of a TOML file name, from its folder.
func namedIn(path string) (list []string) {
	if !strings.EqualFold(filepath.Ext(path), ".toml") {
		return nil
	}
	data, err := bounded.Model.Read(path)
	if err != nil {
		return nil // the command says so
	}
	root, err := document.Parse(data, path)
	if err != nil {
		return nil
	}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		if n.Kind == document.Text && filepath.Ext(n.Text) != "" {
			if named := from(filepath.Dir(path), n.Text); isFile(named) {
				list = append(list, named)
			}
		}
		for _, key := range n.Keys {
			walk(n.Fields[key])
		}
		for _, of := range n.Items {
			walk(of)
		}
	}
	walk(root)
	return list
}
