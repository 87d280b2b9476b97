package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// shuffleVariable holds the seed of the order in which tests run. It is not an argument of go test, which would then
// take no result from its cache.
const shuffleVariable = "SLIPWAY_TEST_SHUFFLE"

// costMark begins the line in which a test binary's run says what it has cost. go test keeps the line in its cache with
// the rest of the output.
const costMark = "loop: cost "

// cost is what one run of a test binary took, with the processes that it has started and waited for.
type cost struct{ wall, processor float64 } // seconds

// runBinary runs a test binary for go test -exec and ends with its status. Signals are passed on.
func runBinary(arguments []string) error {
	if len(arguments) == 0 {
		return errors.New("which test binary?")
	}

	cmd := exec.Command(arguments[0], withFlags(arguments[1:], arguments[0])...)
	cmd.Stdin = os.Stdin
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr
	began := time.Now()

	if err := cmd.Start(); err != nil {
		return err
	}

	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)

	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()

	err := cmd.Wait()
	state := cmd.ProcessState
	spent := cost{time.Since(began).Seconds(), (state.UserTime() + state.SystemTime()).Seconds()}
	fmt.Println(spent)

	if state.Exited() && state.ExitCode() != 0 {
		return exitCode(state.ExitCode())
	}

	return err
}

// withFlags adds what go test does not pass on when it is called with -exec: the file in which the test notes what it
// has read, beside the binary. Without that file go test keeps no result. The order of tests is added here too, see
// shuffleVariable.
func withFlags(flags []string, binary string) []string {
	if folder := filepath.Dir(binary); strings.HasPrefix(filepath.Base(filepath.Dir(folder)), "go-build") {
		flags = append(flags, "-test.testlogfile="+filepath.Join(folder, "testlog.txt"))
	}

	if seed := os.Getenv(shuffleVariable); seed != "" {
		flags = append(flags, "-test.shuffle="+seed)
	}

	return flags
}

// String returns the line that parseCost reads.
func (c cost) String() string {
	return fmt.Sprintf("%swall %.3f processor %.3f", costMark, c.wall, c.processor)
}

// parseCost reads the line of a run, which may stand behind what a test has left unfinished.
func parseCost(line string) (c cost, before string, ok bool) {
	before, text, ok := strings.Cut(line, costMark)
	if !ok {
		return c, line, false
	}

	words := strings.Fields(text)
	if len(words) != 4 {
		return c, line, false
	}

	var errs [2]error
	c.wall, errs[0] = strconv.ParseFloat(words[1], 64)
	c.processor, errs[1] = strconv.ParseFloat(words[3], 64)

	return c, before, errors.Join(errs[:]...) == nil
}
