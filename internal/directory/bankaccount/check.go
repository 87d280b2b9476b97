package bankaccount

import (
	"errors"
	"regexp"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/refdata"
	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
)

// Tables are what the operator may give so that more can be checked offline; nil ones check nothing.
type Tables struct {
	UK    *bankcode.ModulusTable // weights of sort codes
	Fed   *bankcode.Directory    // how routing numbers are reached
	Banks *bankcode.Banks        // to which bank an IBAN belongs
}

// wrongAccountDigit is the IBAN Suite's number for an account number whose own check digit is wrong.
const wrongAccountDigit = 201

// Forms of account numbers. Elsewhere: what ISO 20022 takes as an account's other identification (Max34Text) and
// SWIFT can carry.
var (
	formUS    = regexp.MustCompile(`^[0-9]{4,17}$`) // Nacha: 17 places
	formIndia = regexp.MustCompile(`^[0-9]{6,18}$`)
	formOther = regexp.MustCompile(`^[A-Z0-9]([A-Z0-9./-]{0,32}[A-Z0-9])?$`)
	// what was meant as one: the shortest has 15 places
	formIBAN = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,}$`)
)

// formed brings every number into its standard's form and notes those that have another one. The IBAN is only brought
// into electronic form: what is wrong in it is a verdict, which the account carries.
func (a Account) formed(l *fault.List) Account {
	a.IBAN = iban.Normalise(a.IBAN)
	if !text.OneLine(a.IBAN) {
		l.Add("/iban", fault.FormatInvalid, "holds characters that cannot be printed.")
	}

	if a.BIC != "" {
		b, err := bankcode.ParseBIC(a.BIC)
		note(l, "/bicSwift", err)
		a.BIC = string(b)
	}

	if a.SortCode != "" {
		c, err := bankcode.ParseSortCode(a.SortCode)
		note(l, "/sortCode", err)
		a.SortCode = string(c)
	}

	if a.RoutingNumber != "" {
		n, err := bankcode.ParseRoutingNumber(a.RoutingNumber)
		note(l, "/routingNumber", err)
		a.RoutingNumber = string(n)
	}

	if a.IFSC != "" {
		c, err := bankcode.ParseIFSC(a.IFSC)
		note(l, "/ifscCode", err)
		a.IFSC = string(c)
	}

	a = a.numbered(l)
	for field, value := range map[string]string{
		"bankName":                a.Bank.Name,
		"branchName":              a.Bank.Branch,
		"bankAddress":             a.Bank.Address,
		"bankAddress2":            a.Bank.Address2,
		"bankCity":                a.Bank.City,
		"bankState":               a.Bank.State,
		"bankZip":                 a.Bank.Zip,
		"bankCode":                a.Bank.Code,
		"branchCode":              a.Bank.BranchCode,
		"channel":                 a.Bank.Channel,
		"intermediaryRoutingCode": a.Bank.IntermediaryRoutingCode,
		"intermediaryBankName":    a.Bank.IntermediaryBankName,
	} {
		if !text.OneLine(value) {
			l.Add("/"+field, fault.FormatInvalid, "holds characters that cannot be printed.")
		}
	}

	return a
}

// numbered brings the account number into the form of the account's region. Elsewhere than in the four regions, a
// number that is an IBAN is taken as the IBAN too, where accounts have one.
func (a Account) numbered(l *fault.List) Account {
	n := strings.ToUpper(text.Unspaced(a.AccountNumber))
	if n == "" {
		a.AccountNumber = ""
		return a
	}

	form := formOther

	says := "holds up to 34 letters, digits and . / -"
	switch regionOf(a.Country, a.Currency) {
	case sepaArea: // any number may stand beside the IBAN, which is what is paid to
	case unitedKingdom:
		return a.british(n, l)

	case unitedStates:
		n = text.Compact(n)
		form = formUS
		says = "has 4 to 17 digits in the United States"

	case india:
		n = text.Compact(n)
		form = formIndia
		says = "has 6 to 18 digits in India"

	case elsewhere:
		number := iban.Normalise(n)

		switch {
		case !iban.Uses(a.Country) || !likeIBAN(number, a.Country):
		case a.IBAN == "" || a.IBAN == number:
			n = number
			a.IBAN = number
		default: // the IBAN is what is paid to
			l.Add("/accountNumber", fault.FormatInvalid, "is another IBAN than iban: give both, or empty one.")
		}
	}

	if !form.MatchString(n) {
		l.Add("/accountNumber", fault.FormatInvalid, "%s.", says)
	}

	a.AccountNumber = n

	return a
}

// likeIBAN reports whether a number is an IBAN, or was meant as one of the country: then its check digits are checked.
func likeIBAN(number, country string) bool {
	if _, err := iban.Parse(number); err == nil {
		return true
	}

	return formIBAN.MatchString(number) && strings.HasPrefix(number, iban.Prefix(country))
}

func (a Account) british(number string, l *fault.List) Account {
	code := bankcode.SortCode(a.SortCode)
	if code == "" {
		code = "000000" // noted as missing or wrong elsewhere; the number is looked at all the same
	}

	code, number, err := bankcode.UKAccount(code, number)
	if err != nil {
		l.Add("/accountNumber", fault.FormatInvalid, "%s.", err)
	} else if a.SortCode != "" {
		a.SortCode = string(code)
	}

	a.AccountNumber = number

	return a
}

func note(l *fault.List, pointer string, err error) {
	switch {
	case err == nil:
	case errors.Is(err, bankcode.ErrRoutingCheck):
		l.Add(pointer, fault.CheckDigitWrong, "%s.", err)
	default:
		l.Add(pointer, fault.BankCodeInvalid, "%s.", err)
	}
}

// finding is the verdict of the offline checks: 0, or a number of the IBAN Suite with a sentence.
type finding struct {
	code    int64
	message string
}

// examine checks the digits of an account that is formed. An account of which nothing can be checked passes: the bank
// knows best.
func (t Tables) examine(a Account) finding {
	if a.IBAN != "" {
		_, err := iban.Parse(a.IBAN)

		var wrong *iban.Error
		if errors.As(err, &wrong) {
			return finding{int64(wrong.Problem), wrong.Detail}
		}
	}

	if a.SortCode != "" && a.AccountNumber != "" &&
		t.UK.Check(bankcode.SortCode(a.SortCode), a.AccountNumber) == bankcode.Fails {
		return finding{
			wrongAccountDigit,
			"the account number does not fit its sort code: one of their digits is mistyped",
		}
	}

	return finding{}
}

// describe sets what follows from the account's numbers alone: SEPA's reach, the reach of the United States'
// clearings, the bank's codes.
func (t Tables) describe(a Account) Account {
	a.SEPA = sepaOf(a)
	a.Found = Bank{}
	a.ACH = ""

	a.Fed = ""
	if x, err := iban.Parse(a.IBAN); err == nil {
		a.Found.Code = x.Bank()
		a.Found.BranchCode = x.Branch()

		bank, _ := t.Banks.Lookup(x)
		a.Found.BIC = string(bank.BIC)
		a.Found.Name = bank.Name
	}

	if a.RoutingNumber != "" {
		a.ACH, a.Fed = t.clearings(a)
		if reach, known := t.Fed.Lookup(bankcode.RoutingNumber(a.RoutingNumber)); known {
			a.Found.Name = reach.Name
		}
	}

	return a
}

// clearings reports whether ACH and Fedwire reach a routing number: as the client said; when the client spoke of one
// only, the other is its opposite; else as the directory has it; and without a directory ACH does and Fedwire is not
// counted on, since most numbers of the one are no participants of the other.
func (t Tables) clearings(a Account) (ach, fed string) {
	opposite := map[string]string{Yes: No, No: Yes}
	switch {
	case a.ACHSaid != "" && a.FedSaid != "":
		return a.ACHSaid, a.FedSaid
	case a.ACHSaid != "":
		return a.ACHSaid, opposite[a.ACHSaid]
	case a.FedSaid != "":
		return opposite[a.FedSaid], a.FedSaid
	case t.Fed.Size() > 0:
		reach, _ := t.Fed.Lookup(bankcode.RoutingNumber(a.RoutingNumber))
		return yesNo(reach.ACH), yesNo(reach.Fed)
	}

	return Yes, No
}

func yesNo(b bool) string {
	if b {
		return Yes
	}

	return No
}

// sepaOf is which schemes reach the account, as far as its country tells: outside of SEPA none; inside, credit
// transfers do, and instant ones where every bank must take them. The rest only a provider knows.
func sepaOf(a Account) SEPA {
	x, err := iban.Parse(a.IBAN)
	if err != nil {
		return SEPA{
			SCT:     No,
			SDD:     No,
			COR1:    No,
			B2B:     No,
			SCC:     No,
			SCI:     No,
			SCITips: No,
		}
	}

	at := x.Country()
	if iban.Prefix(a.Country) == at {
		at = a.Country // a territory may be outside where its mother country is in
	}

	if !iban.InSEPA(at) || x.QR() {
		return SEPA{
			SCT:     No,
			SDD:     No,
			COR1:    No,
			B2B:     No,
			SCC:     No,
			SCI:     No,
			SCITips: No,
		}
	}

	return SEPA{SCT: Yes, SCI: yesNo(instant(at))}
}

func instant(country string) bool {
	c, _ := refdata.All().Country(country)
	for _, r := range c.Rails {
		if r.Code == "SEPA_INSTANT" {
			return true
		}
	}

	return false
}
