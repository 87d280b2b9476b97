package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// yardstick is what every machine that has Go can compile, whatever becomes of this project.
const yardstick = "encoding/json"

// action is what the go command says of one step of a build (go build -debug-actiongraph).
type action struct {
	Mode, Package string
	Cmd           []string
	CmdUser       time.Duration
	CmdSys        time.Duration
}

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Module     *struct{ Path string }
}

// spent is what compiling the packages of one module took.
type spent struct {
	module    string
	packages  int
	processor time.Duration
}

// timeBuild compiles packages, by default the program, into an empty cache and prints what each module takes of the
// processor.
func timeBuild(arguments []string) error {
	packages := arguments
	if len(packages) == 0 {
		packages = []string{"./cmd/slipway"}
	}

	folder, err := os.MkdirTemp("", "slipway-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	graph := filepath.Join(folder, "graph.json")
	build := append([]string{"build", "-o", os.DevNull, "-debug-actiongraph=" + graph}, packages...)
	began := time.Now()

	used, err := compileCold(filepath.Join(folder, "cache"), build...)
	if err != nil {
		return err
	}

	wall := time.Since(began)

	actions, err := readJSON[[]action](graph)
	if err != nil {
		return err
	}

	of, err := modulesOf(packages)
	if err != nil {
		return err
	}

	printBuild(os.Stdout, sumByModule(actions, of))
	fmt.Printf(
		"\n%.0f s of the processor in all, with the go command; %.0f s by the clock\n",
		used.Seconds(),
		wall.Seconds(),
	)

	return printYardstick(nil)
}

// compileCold runs the go command with a cache of its own and returns what it and its children took of the processor.
func compileCold(cache string, arguments ...string) (time.Duration, error) {
	cmd := exec.Command("go", arguments...)

	cmd.Env = append(os.Environ(), "GOCACHE="+cache)
	cmd.Stderr = os.Stderr

	if err := cmd.Run(); err != nil {
		return 0, err
	}

	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// takeYardstick compiles the yardstick into an empty cache and returns what that took of the processor.
func takeYardstick() (time.Duration, error) {
	cache, err := os.MkdirTemp("", "slipway-yardstick-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(cache)

	return compileCold(cache, "build", yardstick)
}

// printYardstick prints what the yardstick takes of the processor.
func printYardstick([]string) error {
	took, err := takeYardstick()
	if err != nil {
		return err
	}

	fmt.Printf("yardstick of this machine, now: %.1f s of the processor to compile %s into an empty cache\n",
		took.Seconds(), yardstick)

	return nil
}

func readJSON[T any](file string) (out T, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return out, err
	}

	return out, json.Unmarshal(text, &out)
}

// modulesOf returns the module of each package that the build needs; our own are one, and so is the standard library.
func modulesOf(packages []string) (map[string]string, error) {
	out, err := goList(append([]string{"-deps", "-json=ImportPath,Standard,Module"}, packages...)...)
	if err != nil {
		return nil, err
	}

	of := map[string]string{}
	decoder := json.NewDecoder(bytes.NewReader(out))

	for {
		var p listed

		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return of, nil
		}

		if err != nil {
			return nil, err
		}

		switch {
		case p.Standard:
			of[p.ImportPath] = "the standard library"
		case p.Module == nil || strings.HasPrefix(p.Module.Path, "slipway"):
			of[p.ImportPath] = "Slipway itself"
		default:
			of[p.ImportPath] = p.Module.Path
		}
	}
}

// goList runs go list.
func goList(arguments ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"list"}, arguments...)...)
	cmd.Stderr = os.Stderr

	return cmd.Output()
}

// sumByModule adds the actions up, dearest first. Linking is a row of its own.
func sumByModule(actions []action, of map[string]string) []spent {
	sums := map[string]*spent{}

	for _, a := range actions {
		if len(a.Cmd) == 0 {
			continue
		}

		name := cmp.Or(of[a.Package], "else")
		if a.Mode == "link" {
			name = "linking"
		}

		if sums[name] == nil {
			sums[name] = &spent{module: name}
		}

		sums[name].packages++
		sums[name].processor += a.CmdUser + a.CmdSys
	}

	out := make([]spent, 0, len(sums))
	for s := range maps.Values(sums) {
		out = append(out, *s)
	}

	slices.SortFunc(out, func(a, b spent) int {
		return cmp.Or(cmp.Compare(b.processor, a.processor), strings.Compare(a.module, b.module))
	})

	return out
}

func printBuild(to io.Writer, all []spent) {
	var whole time.Duration
	for _, s := range all {
		whole += s.processor
	}

	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "processor\tof all\tpackages\t module\n")

	for _, s := range all {
		fmt.Fprintf(out, "%.1f s\t%.1f %%\t%d\t %s\n",
			s.processor.Seconds(),
			100*s.processor.Seconds()/whole.Seconds(),
			s.packages,
			s.module,
		)
	}

	fmt.Fprintf(out, "%.1f s\t100 %%\t\t all\n", whole.Seconds())
	out.Flush()
}
