//go:build !nosandbox

package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"slipway/internal/payments/statement"
)

const statementPayments = 30

// statements measures how a statement of the most payments is drawn, and beside it what the PDF library takes for as
// many texts in a font that every viewer has: no font is embedded, no text is measured, nothing is laid out.
func (b *bench) statements() error {
	st := statementOf(statementPayments)

	var pages int
	ours := func() error {
		pdf, err := statement.Render(st, nil)
		if err == nil {
			pages = bytes.Count(pdf, []byte("/Type /Page\n"))
		}

		return err
	}
	bare := func() error { return barePDF(st) }

	if err := ours(); err != nil { // fonts unpacked
		return err
	}

	absolute := figure{
		name:     fmt.Sprintf("PDF of a statement of %d payments", statementPayments),
		must:     15,
		goal:     10,
		below:    true,
		unit:     "ms",
		yardName: "-",
	}

	beside := figure{
		name:     absolute.name + ", beside the library alone",
		below:    true,
		unit:     "ms",
		yardName: "as many texts in a core font, ms",
		note: fmt.Sprintf(
			"%d pages with names in Greek, Cyrillic, Polish, Chinese and Arabic, whose fonts are embedded in part.",
			pages,
		),
	}
	for range b.Rounds {
		load := loadAverage()

		theirs, err := b.milliseconds(bare)
		if err != nil {
			return err
		}

		own, err := b.milliseconds(ours)
		if err != nil {
			return err
		}

		absolute.load = max(absolute.load, load)
		beside.load = max(beside.load, load)

		absolute.ours = append(absolute.ours, own)
		absolute.ratios = append(absolute.ratios, own)
		beside.yard = append(beside.yard, theirs)
		beside.ours = append(beside.ours, own)
		beside.ratios = append(beside.ratios, own/theirs)
	}

	b.report.add(absolute)
	b.report.add(beside)

	return nil
}

// statementOf returns the statement of a FIAT transaction that was completed.
func statementOf(payments int) statement.Statement {
	at := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

	st := statement.Statement{
		Issuer:        statement.Party{Name: "Slipway Bench AG", Lines: []string{"1 Harbour Street", "8000 Zurich"}},
		Customer:      statement.Party{Name: "Ada Muster AG", Lines: []string{"Seestrasse 1", "8002 Zürich"}},
		Transaction:   "txn_01kaj3w8r8q2m5x9v7t4b6c1dn",
		Type:          "FIAT",
		Status:        "COMPLETED",
		Settlement:    "SETTLED",
		Token:         "USDC",
		Network:       "Ethereum",
		WalletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
		CreatedAt:     at,
		SubmittedAt:   at,
		AcceptedAt:    at,
		EndedAt:       at,
		MadeAt:        at.Add(time.Hour),
		Rates: []statement.Rate{{
			Token:    "USDC",
			Currency: "EUR",
			Rate:     "0.912345678901",
			AsOf:     at,
			Source:   "central bank",
		}},
		Sends: []statement.Send{{
			Network: "ethereum",
			Hash:    "0x" + strings.Repeat("5e1f", 16),
			Block:   21_345_678,
			Status:  "FINAL",
		}},
		Steps: []statement.Step{
			{At: at, Status: "DRAFT", Settlement: "IDLE"},
			{At: at, Status: "PROCESSING", Settlement: "FUNDS_PULLING"},
			{At: at, Status: "COMPLETED", Settlement: "SETTLED"},
		},
		Totals: []statement.Sum{
			{Label: "Payments, without fees", Amount: inTokens("40590.00")},
			{Label: "Fees", Amount: inTokens("209.40")},
			{Label: "Debit of the wallet", Amount: inTokens("40799.40"), Total: true},
		},
	}

	for i := range payments {
		st.Payments = append(st.Payments, paymentOf(i))
	}

	return st
}

// paymentOf returns the i-th payment of a statement. Its payees' names need several fonts.
func paymentOf(i int) statement.Payment {
	names := []string{
		"Müller & Söhne AG",
		"Ελληνική Ναυτιλία Α.Ε.",
		"ООО Верфь и сыновья",
		"Stocznia Żółć sp. z o.o.",
		"北京船舶有限公司",
		"شركة البحر للتجارة",
		"A Company with a Name That Takes a Second Line Ltd",
	}
	cost := inTokens("1353.00")
	fees := inTokens("6.98")

	return statement.Payment{
		ID:       fmt.Sprintf("pay_01kaj3w8r8q2m5x9v7t4b6c1dn_%02d", i),
		Receiver: names[i%len(names)],
		Reason:   fmt.Sprintf("Invoice 2026-%03d", 117+i),
		Status:   "COMPLETED",
		Amount:   statement.Amount{Value: "1234.50", Asset: "EUR"},
		Rate:     "0.912345678901",
		Destination: []string{
			"COMMERZBANK AKTIENGESELLSCHAFT, DE",
			"IBAN DE89 3704 0044 0532 0130 00 · BIC COBADEFFXXX",
		},
		Tokens:     &cost,
		Fees:       &fees,
		FeesOption: "SHA",
		Orders: []statement.Order{{
			Rail:       "SEPA",
			EndToEndID: fmt.Sprintf("SLW01KAJ3W8R8Q2M5X9V7T4B6C1DN%02d", i),
			UETR:       "b1f2c3d4-0000-4000-8000-1234567890ab",
			Status:     "BOOKED",
		}},
	}
}

func inTokens(value string) statement.Amount { return statement.Amount{Value: value, Asset: "USDC"} }

// barePDF writes the texts of a statement's payments one below the other.
func barePDF(st statement.Statement) error {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetFont("Helvetica", "", 8)
	pdf.AddPage()

	for _, p := range st.Payments {
		texts := []string{
			p.ID,
			p.Receiver,
			p.Reason,
			p.Status,
			p.Amount.Value,
			p.Amount.Asset,
			p.Rate,
			p.Tokens.Value,
			p.Fees.Value,
			p.FeesOption,
			p.Orders[0].EndToEndID,
			p.Orders[0].UETR,
		}
		for _, text := range append(texts, p.Destination...) {
			pdf.CellFormat(90, 4, text, "", 1, "L", false, 0, "")
		}
	}

	return pdf.Output(&bytes.Buffer{})
}
