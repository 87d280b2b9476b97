package camt

import (
	"bytes"
	"encoding/xml"
	"io"
	"runtime"
	"testing"
	"time"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

// yardEntry has the fields of the made statement, as a program with encoding/xml would take them.
type yardEntry struct {
	Ref string `xml:"NtryRef"`
	Amt struct {
		Value string `xml:",chardata"`
		Ccy   string `xml:"Ccy,attr"`
	} `xml:"Amt"`
	Sign    string `xml:"CdtDbtInd"`
	Status  string `xml:"Sts>Cd"`
	Booked  string `xml:"BookgDt>Dt"`
	Value   string `xml:"ValDt>Dt"`
	BankRef string `xml:"AcctSvcrRef"`
	Code    string `xml:"BkTxCd>Domn>Fmly>SubFmlyCd"`
	Details []struct {
		EndToEnd string `xml:"Refs>EndToEndId"`
		Amt      struct {
			Value string `xml:",chardata"`
			Ccy   string `xml:"Ccy,attr"`
		} `xml:"Amt"`
		Debtor  string   `xml:"RltdPties>Dbtr>Pty>Nm"`
		Account string   `xml:"RltdPties>DbtrAcct>Id>IBAN"`
		Text    []string `xml:"RmtInf>Ustrd"`
		Ref     []string `xml:"RmtInf>Strd>CdtrRefInf>Ref"`
	} `xml:"NtryDtls>TxDtls"`
}

func yardstick(r io.Reader) (entries int, err error) {
	d := xml.NewDecoder(r)
	for {
		t, err := d.Token()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return 0, err
		}
		if s, ok := t.(xml.StartElement); ok && s.Name.Local == "Ntry" {
			var e yardEntry
			if err := d.DecodeElement(&e, &s); err != nil {
				return 0, err
			}
			entries++
		}
	}
}

type counter struct{ entries, refs int }

func (c *counter) Statement(Header) error { return nil }
func (c *counter) Entry(e Entry) error {
	c.entries++
	c.refs += len(e.Details[0].StructuredRefs)
	return nil
}
func (c *counter) End(Totals) error { return nil }

// BenchmarkStatement reads 100,000 entries (96 MB) with the package and with encoding/xml, turn and turn about, and reports how many times
// faster the package is.
func BenchmarkStatement(b *testing.B) {
	for _, form := range []struct {
		name   string
		pretty bool
	}{{"compact", false}, {"indented", true}} {
		b.Run(form.name, func(b *testing.B) {
			file, err := io.ReadAll(isotest.Statement(100_000, form.pretty))
			if err != nil {
				b.Fatal(err)
			}
			var ours, theirs time.Duration
			for b.Loop() {
				var c counter
				begin := time.Now()
				if err := Read(bytes.NewReader(file), iso20022.Limits{}, &c); err != nil || c.entries != 100_000 || c.refs != 100_000 {
					b.Fatal(err, c)
				}
				ours += time.Since(begin)
				runtime.GC()
				begin = time.Now()
				if n, err := yardstick(bytes.NewReader(file)); err != nil || n != 100_000 {
					b.Fatal(err, n)
				}
				theirs += time.Since(begin)
				runtime.GC()
			}
			b.ReportMetric(float64(theirs)/float64(ours), "times-encoding/xml")
			b.ReportMetric(float64(len(file))*float64(b.N)/ours.Seconds()/1e6, "MB/s")
			b.ReportMetric(ours.Seconds()/float64(b.N), "s/file")
		})
	}
}
