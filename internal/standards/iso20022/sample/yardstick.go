package sample

import (
	"encoding/xml"
	"errors"
	"io"
)

// yardEntry has the fields of a generated statement, as a program with encoding/xml would read them.
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

// Yardstick reads a generated statement with encoding/xml, an entry at a time, and counts its entries.
func Yardstick(r io.Reader) (entries int, err error) {
	d := xml.NewDecoder(r)

	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
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
