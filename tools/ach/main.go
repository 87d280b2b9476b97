// Command ach reads Nacha files with the library of others and prints what it finds in them, one line for each file,
// batch and entry. Tests hold it against our own reader and writer. It is a module of its own, so that the product does
// not have the library.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/moov-io/ach"
)

// main reads the files that the arguments name.
func main() {
	out := bufio.NewWriter(os.Stdout)

	for _, path := range os.Args[1:] {
		fmt.Fprintf(out, "FILE %s\n", path)

		if err := read(out, path); err != nil {
			fmt.Fprintf(out, "REFUSED %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}

	if err := out.Flush(); err != nil {
		os.Exit(1)
	}
}

// read prints one file, or returns why the library refuses it.
func read(out io.Writer, path string) error {
	f, err := ach.ReadFile(path)
	if err != nil {
		return err
	}

	if err := f.Validate(); err != nil {
		return err
	}

	for _, b := range f.Batches {
		h := b.GetHeader()

		for _, e := range b.GetEntries() {
			var text, change, back string

			if len(e.Addenda05) > 0 {
				text = strings.TrimSpace(e.Addenda05[0].PaymentRelatedInformation)
			}

			if e.Addenda98 != nil {
				change = e.Addenda98.ChangeCode + " " + strings.TrimSpace(e.Addenda98.CorrectedData)
			}

			switch {
			case e.Addenda99 != nil:
				back = e.Addenda99.ReturnCode + " " + strings.TrimSpace(e.Addenda99.OriginalTrace)
			case e.Addenda99Dishonored != nil:
				back = e.Addenda99Dishonored.DishonoredReturnReasonCode + " " +
					strings.TrimSpace(e.Addenda99Dishonored.OriginalEntryTraceNumber)
			case e.Addenda99Contested != nil:
				back = e.Addenda99Contested.ContestedReturnCode + " " +
					strings.TrimSpace(e.Addenda99Contested.OriginalEntryTraceNumber)
			}

			fmt.Fprintln(out, strings.Join([]string{
				"ENTRY",
				h.StandardEntryClassCode,
				strings.TrimSpace(h.CompanyIdentification),
				fmt.Sprint(e.TransactionCode),
				strings.TrimSpace(e.RDFIIdentification) + e.CheckDigit,
				strings.TrimSpace(e.DFIAccountNumber),
				fmt.Sprint(e.Amount),
				strings.TrimSpace(e.IdentificationNumber),
				strings.TrimSpace(e.IndividualName),
				strings.TrimSpace(e.TraceNumber),
				text,
				change,
				back,
			}, "|"))
		}
	}

	return nil
}
