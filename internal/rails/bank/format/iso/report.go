package iso

import (
	"bytes"
	"io"
	"strings"

	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pacs"
	"slipway/internal/standards/iso20022/pain"
)

// Statuses reads pain.002.
type Statuses struct{}

// Kind returns pain.002.
func (Statuses) Kind() string { return "pain.002" }

// Looks reports whether a file is a pain.002.
func (Statuses) Looks(head []byte) bool { return bytes.Contains(head, []byte("CstmrPmtStsRpt")) }

// Read reads a pain.002 to its end.
func (Statuses) Read(in io.Reader, limits iso20022.Limits) (out format.Report, err error) {
	err = pain.Read002(in, limits, func(s pain.Status) error {
		x := format.Status{
			Number:   s.Number,
			Level:    s.Level,
			Message:  s.OriginalMsgID,
			Block:    s.OriginalPmtInfID,
			Identity: s.OriginalEndToEnd,
			UETR:     s.OriginalUETR,
			InstrID:  s.OriginalInstrID,
			Status:   s.Status,
			Meaning:  s.Meaning,
		}
		for _, text := range []*string{&x.Message, &x.Block, &x.Identity, &x.UETR, &x.InstrID, &x.Status} {
			*text = strings.Clone(*text) // a substring would keep the complete file in memory
		}

		x.ReasonCode, x.Text, x.Duplicate = reasonOf(s.Reasons)
		out.Statuses = append(out.Statuses, x)

		return nil
	})

	return out, err
}

// duplicates are the codes with which banks refuse what they believe to have already (ISO 20022 external status reason
// codes). The first one may have been executed, so such a refusal proves nothing (F-07).
const duplicates = " AM05 DUPL DU01 DU02 DU03 DU04 DU05 "

// reasonOf joins the reasons of a status: the first code counts, all texts are kept.
func reasonOf(given []iso20022.ReasonGiven) (code, text string, duplicate bool) {
	var texts []string
	for _, g := range given {
		if code == "" {
			code = g.Code
		}

		duplicate = duplicate || g.Reason == iso20022.ReasonDuplicate || strings.Contains(duplicates, " "+g.Code+" ")
		if g.Info != "" {
			texts = append(texts, strings.Clone(g.Info))
		}
	}

	return strings.Clone(code), strings.Join(texts, "; "), duplicate
}

// Returns reads pacs.004.
type Returns struct{}

// Kind returns pacs.004.
func (Returns) Kind() string { return "pacs.004" }

// Looks reports whether a file is a pacs.004.
func (Returns) Looks(head []byte) bool { return bytes.Contains(head, []byte("PmtRtr")) }

// Read reads a pacs.004 to its end.
func (Returns) Read(in io.Reader, limits iso20022.Limits) (out format.Report, err error) {
	limits = limits.WithDefaults()

	err = pacs.Read004(in, limits, func(x pacs.Return) error {
		if len(out.Returns) >= limits.Statuses {
			return &iso20022.Error{Code: iso20022.CodeTooMany, Detail: "more returns than a report has"}
		}

		code, text, _ := reasonOf(x.Reasons)
		out.Returns = append(out.Returns, format.Return{
			Number:     x.Number,
			Identity:   strings.Clone(x.OriginalEndToEndID),
			UETR:       strings.Clone(x.OriginalUETR),
			InstrID:    strings.Clone(x.OriginalInstrID),
			ReasonCode: code,
			Text:       text,
			Amount: iso20022.Amount{
				Value:    strings.Clone(x.Returned.Value),
				Currency: strings.Clone(x.Returned.Currency),
			},
		})

		return nil
	})

	return out, err
}
