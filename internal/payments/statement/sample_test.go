package statement

import (
	"fmt"
	"strings"
	"time"
)

var at = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// names are of many scripts and lengths.
var names = []string{
	"Müller & Söhne AG",
	"Ελληνική Εταιρεία Λιπασμάτων Α.Ε.",
	"ООО «Ромашка и партнёры»",
	"Zażółć gęślą jaźń sp. z o.o.",
	"北京市朝阳区建国路有限公司",
	"شركة النور للتجارة (دبي) 2026",
	"The Very Long Name of an International Holding Company with Subsidiaries in Forty-Two Countries and " +
		"Territories GmbH & Co. KGaA",
	"O'Neill (Import) Ltd",
	"Łukasz Żółkiewski-Brzęczyszczykiewicz",
}

var sampleIssuer = Issuer{
	Name:     "Slipway Sandbox AG",
	Street:   "1 Harbour Street",
	PostCode: "8000",
	Town:     "Zurich",
	Country:  "CH",
	TaxID:    "CHE-123.456.789 MWST",
	Contact:  "finance@slipway.example",
	TaxNote:  "Exempt from value added tax: financial services.",
}

// sample is a statement of so many payments. Its figures add up; every third payment has failed when mixed.
func sample(kind, status string, payments int, mixed bool) Statement {
	st := Statement{
		Issuer: sampleIssuer.party(),
		Customer: Party{
			Name:  "Northwind Traders International Sp. z o.o.",
			Lines: []string{"ul. Świętokrzyska 12/3", "00-916 Warszawa", "PL", "Registration number 0000123456"},
		},
		Transaction:   "txn_01kaj3w8r8q2m5x9v7t4b6c1dn",
		Type:          kind,
		Status:        status,
		Settlement:    "IDLE",
		Token:         "USDC",
		Network:       "Ethereum",
		WalletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
		CreatedAt:     at,
		MadeAt:        at.Add(time.Hour),
	}

	st.Steps = []Step{{At: at, Status: "DRAFT", Settlement: "IDLE"}}
	if status != "DRAFT" {
		st.SubmittedAt = at.Add(time.Minute)
		st.AcceptedAt = at.Add(2 * time.Minute)
		st.Steps = append(st.Steps, Step{
			At:         st.SubmittedAt,
			Status:     "WAITING_ACCEPTANCE",
			Settlement: "QUOTED",
		}, Step{At: st.AcceptedAt, Status: "PROCESSING", Settlement: "FUNDS_PULLING"})
	}

	if status == "COMPLETED" || status == "FAILED" {
		st.EndedAt = at.Add(3 * time.Minute)
		st.Settlement = "SETTLED"

		st.Steps = append(st.Steps, Step{
			At:         st.EndedAt,
			Status:     status,
			Settlement: "SETTLED",
			Info:       map[bool]string{true: fmt.Sprintf("%d of %d payments failed", payments/3, payments)}[mixed],
		})

		st.Sends = []Send{{
			Network: "ethereum",
			Hash:    "0x" + strings.Repeat("5e1f", 16),
			Block:   21_345_678,
			Status:  "FINAL",
		}}
	}

	if status == "FAILED" {
		st.Info = "The wallet's balance was too low when the transaction was to be sent."
	}

	for i := range payments {
		p := Payment{
			ID:          fmt.Sprintf("pay_01kaj3w8r8q2m5x9v7t4b6c1dn_%02d", i),
			Receiver:    names[i%len(names)],
			Reason:      fmt.Sprintf("Invoice 2026-%03d for services", 117+i),
			Status:      status,
			Amount:      Amount{fmt.Sprintf("%d.50", 1234*(i+1)), "USDC"},
			Destination: []string{"0x52908400098527886E0F7030069857D2E4169EE7"},
		}
		if mixed && i%3 == 2 {
			p.Status = "FAILED"
			p.Info = "The receiver's bank has refused the payment: AC04, closed account"
		}

		if kind != "CRYPTO" {
			p.Amount.Asset = "EUR"
			p.Rate = "0.912345678901"
			p.Destination = []string{
				"COMMERZBANK AKTIENGESELLSCHAFT, DE",
				"IBAN DE89 3704 0044 0532 0130 00 · BIC COBADEFFXXX",
			}
			p.Tokens = &Amount{fmt.Sprintf("%d.123456", 1353*(i+1)), "USDC"}
			p.Fees = &Amount{"6.98", "USDC"}

			p.FeesOption = "SHA"
			if i%4 == 3 {
				p.Amount.Asset = "GBP"
				p.Destination = []string{"BARCLAYS BANK UK PLC, GB", "account 66374958 · sort code 089999"}
			}

			if status == "COMPLETED" {
				p.Orders = []Order{{
					Rail:       "SEPA",
					EndToEndID: fmt.Sprintf("SLW01KAJ3W8R8Q2M5X9V7T4B6C1DN%02d", i),
					UETR:       "b1f2c3d4-0000-4000-8000-1234567890ab",
					Reference:  "PAIN-20261121-0007",
					Status:     "BOOKED",
				}}
			}
		}

		st.Payments = append(st.Payments, p)
	}

	switch kind {
	case "CRYPTO":
		sum := subtotalOf("", st.Payments, false).amount
		st.Totals = []Sum{
			{Label: countText(payments) + ", without fees", Amount: sum},
			{Label: "Fees", Amount: Amount{"0.00", "USDC"}},
			{Label: "Debit of the wallet", Amount: sum, Total: true},
		}

	case "FIAT":
		st.Rates = []Rate{
			{
				Token:    "USDC",
				Currency: "EUR",
				Rate:     "0.912345678901",
				AsOf:     at,
				Source:   "central bank",
			},
			{
				Token:    "USDC",
				Currency: "GBP",
				Rate:     "0.789",
				AsOf:     at,
				Source:   "central bank",
			},
		}

		var tokens, debit adder
		for _, p := range st.Payments {
			tokens.add(p.Tokens)
			debit.add(p.Tokens)
			debit.add(&Amount{"6.98", "USDC"})
		}

		fees := &adder{}
		for range st.Payments {
			fees.add(&Amount{"6.98", "USDC"})
		}

		debit.add(&Amount{"1.000101", "USDC"})
		st.Totals = []Sum{
			{Label: countText(payments) + ", without fees", Amount: *tokens.sum()},
			{Label: "Commission (0.5 %)", Amount: *fees.sum()},
			{Label: "Network fee (1.00 USD)", Amount: Amount{"1.000101", "USDC"}},
			{Label: "Debit of the wallet", Amount: *debit.sum(), Total: true},
		}

	case "ONRAMP":
		st.Payments = st.Payments[:1]
		p := &st.Payments[0]
		p.Amount = Amount{"1234.50", "EUR"}
		p.Destination = []string{st.WalletAddress}
		p.Receiver = st.Customer.Name
		p.Orders = nil

		st.Reference = "PX4K-7Q2M"
		if status == "COMPLETED" {
			p.Tokens = &Amount{"1346.123456", "USDC"}

			st.Rates = []Rate{{
				Token:    "USDC",
				Currency: "EUR",
				Rate:     "0.912345678901",
				AsOf:     at,
				Source:   "central bank",
			}}

			st.Deposits = []Order{{Rail: "DEPOSIT", Reference: "2026112100012345", Status: "MATCHED"}}

			st.Totals = []Sum{
				{Label: "Deposit, converted at the rate", Amount: Amount{"1353.123456", "USDC"}},
				{Label: "Commission (0.5 %)", Amount: Amount{"-6.00", "USDC"}},
				{
					Label:  "Network fee (1.00 USD)",
					Amount: Amount{"-1.00", "USDC"},
				},
				{Label: "Delivered to the wallet", Amount: Amount{"1346.123456", "USDC"}, Total: true},
			}
		} else {
			p.Tokens = nil
			p.Fees = nil
		}
	}

	return st
}
