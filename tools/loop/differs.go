package main

import (
	"fmt"
	"maps"
	"slices"
)

// printDiffering prints the packages that are built otherwise with a tag than without, or whose tests are.
//
//	loop differs TAG
func printDiffering(arguments []string) error {
	if len(arguments) != 1 {
		return exitCode(64)
	}

	usual, err := readTree("")
	if err != nil {
		return err
	}

	tagged, err := readTree(arguments[0])
	if err != nil {
		return err
	}

	for _, name := range tagged.differing(usual) {
		fmt.Println(name)
	}

	return nil
}

// differing returns the packages of a build that differ from those of another one: in their own files, or in what they
// or their tests import.
func (t tree) differing(usual tree) []string {
	sources := map[string]bool{}
	changed := map[string]bool{}

	for name, p := range t.all {
		u, there := usual.all[name]

		if !there || !slices.Equal(p.GoFiles, u.GoFiles) || !slices.Equal(p.EmbedFiles, u.EmbedFiles) {
			sources[name] = true
			changed[name] = true
		}

		if !slices.Equal(p.TestGoFiles, u.TestGoFiles) || !slices.Equal(p.XTestGoFiles, u.XTestGoFiles) {
			changed[name] = true
		}
	}

	return slices.Sorted(maps.Keys(t.reached(sources, changed)))
}
