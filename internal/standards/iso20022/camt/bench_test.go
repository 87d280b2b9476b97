package camt

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/sample"
)

type counter struct{ entries, refs int }

func (c *counter) Statement(Header) error { return nil }
func (c *counter) Entry(e Entry) error {
	c.entries++
	c.refs += len(e.Details[0].StructuredRefs)
	return nil
}
func (c *counter) End(Totals) error { return nil }

// BenchmarkStatement reads 100,000 entries (96 MB) with the package and with encoding/xml, turn and turn about, and
// reports how many times faster the package is, by the median of the rounds.
func BenchmarkStatement(b *testing.B) {
	for _, form := range []struct {
		name   string
		pretty bool
	}{{"compact", false}, {"indented", true}} {
		b.Run(form.name, func(b *testing.B) {
			file, err := io.ReadAll(sample.Statement(100_000, form.pretty))
			if err != nil {
				b.Fatal(err)
			}

			var ours time.Duration

			var ratios []int // in thousandths, a round each
			for b.Loop() {
				var c counter
				begin := time.Now()

				if err := Read(bytes.NewReader(file), iso20022.Limits{}, &c); err != nil || c.entries != 100_000 ||
					c.refs != 100_000 {
					b.Fatal(err, c)
				}

				took := time.Since(begin)
				ours += took
				runtime.GC()
				begin = time.Now()

				if n, err := sample.Yardstick(bytes.NewReader(file)); err != nil || n != 100_000 {
					b.Fatal(err, n)
				}

				ratios = append(ratios, int(1000*time.Since(begin)/took))
				runtime.GC()
			}

			slices.Sort(ratios)
			b.ReportMetric(float64(ratios[len(ratios)/2])/1000, "times-encoding/xml")
			b.ReportMetric(float64(len(file))*float64(b.N)/ours.Seconds()/1e6, "MB/s")
			b.ReportMetric(ours.Seconds()/float64(b.N), "s/file")
		})
	}
}
