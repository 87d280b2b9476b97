package pain

import "slipway/internal/standards/iso20022"

// rules are the requirements of a service for its payments.
type rules struct {
	level      string // SvcLvl/Cd, external code
	instrument string // LclInstrm/Cd, external code
	currency   string // the only one; empty: any
	largest    string // amount
	slev       bool   // charges are those of the scheme, ChrgBr SLEV
	iban       bool   // accounts have only an IBAN
	accountTp  bool   // the creditor's account needs a type
	address    bool   // the creditor's town and country are needed
	swiss      bool   // by the Swiss Payment Standards
	name       int    // characters of a party's name
	ascii      bool   // printable ASCII instead of the SEPA set
	clearing   clearing
}

// clearing is the number by which the service finds the creditor's bank.
type clearing string

const (
	byBIC      clearing = "BIC"
	bySortCode clearing = "GBDSC"
	byABA      clearing = "USABA"
	byIFSC     clearing = "INFSC"
	byNothing  clearing = "" // the IBAN alone is enough
)

// services: SEPA by the EPC's customer-to-PSP guidelines (SvcLvl SEPA, ChrgBr SLEV, name 70, 0.01 to 999999999.99;
// INST as local instrument). The others by the Common Global Implementation (CGI-MP): URNS is an urgent payment with
// net settlement, Faster Payments and IMPS; URGP one with gross settlement, CHAPS and wires; NURG a clearing of the
// day, ACH and NEFT. One ACH entry has ten digits of cents.
//
// SIC by the Swiss Payment Standards (SIX, Implementation Guidelines pain.001, version 2.2 of 24 February 2025): banks
// tell a payment in francs within Switzerland by its currency and IBAN (3.15). There a service level would order what
// costs more, such as an urgent execution.
var services = map[Service]rules{
	SEPA: {
		level:    "SEPA",
		currency: "EUR",
		largest:  "999999999.99",
		slev:     true,
		iban:     true,
		name:     70,
		clearing: byNothing,
	},
	SEPAInstant: {
		level:      "SEPA",
		instrument: "INST",
		currency:   "EUR",
		largest:    "999999999.99",
		slev:       true,
		iban:       true,
		name:       70,
		clearing:   byNothing,
	},
	UK: {
		level:    "URNS",
		currency: "GBP",
		largest:  "999999999.99",
		name:     70,
		clearing: bySortCode,
	},
	CHAPS: {
		level:    "URGP",
		currency: "GBP",
		largest:  "9999999999.99",
		name:     70,
		clearing: bySortCode,
	},
	ACH: {
		level:      "NURG",
		instrument: "CCD",
		currency:   "USD",
		largest:    "99999999.99",
		accountTp:  true,
		name:       70,
		ascii:      true,
		clearing:   byABA,
	},
	Wire: {
		level:    "URGP",
		currency: "USD",
		largest:  "9999999999.99",
		name:     140,
		clearing: byABA,
	},
	India: {
		level:    "NURG",
		currency: "INR",
		largest:  "9999999999.99",
		name:     140,
		clearing: byIFSC,
	},
	IMPS: {
		level:    "URNS",
		currency: "INR",
		largest:  "9999999999.99",
		name:     140,
		clearing: byIFSC,
	},
	SIC: {
		currency: "CHF",
		largest:  "9999999999.99",
		iban:     true,
		name:     140,
		clearing: byNothing,
	},
	SWIFT: {level: "URGP", address: true, name: 140, clearing: byBIC},
}

// rulesOf returns the rules of a service by a guideline, and false for a service that there is not.
func rulesOf(s Service, g Guideline) (rules, bool) {
	r, ok := services[s]
	if g == SPS {
		r.swiss = true

		if !r.slev { // only SEPA has a service level there
			r.level = ""
		}
	}

	return r, ok
}

// bearer returns the code for who pays the banks.
var bearer = map[Charges]string{OUR: "DEBT", SHA: "SHAR", BEN: "CRED"}

// exceeds reports whether an amount is more than a limit.
func exceeds(amount, limit string) bool {
	var a, l iso20022.Sum
	a.Add(amount)
	l.Add(limit)

	return a.Cmp(&l) > 0
}
