package invoice

import (
	"context"
	"net/url"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/payments/invoicelink"
)

// showWay asks how the outside party wants to be paid and, for a bank account, in which country and currency: they
// decide which numbers it has.
func showWay(v *visit, f filled) (page, error) {
	country := ""
	currency := v.link.Info.Requested.Currency

	if r := v.link.Given.Receiver; r != nil {
		country = r.Country
	}

	if a := v.link.Given.Account; a != nil {
		country = a.Country
		currency = a.Currency
	}

	way := v.way()
	if way == "" {
		way = wayBank
	}

	name := v.link.Info.Organisation
	ways := []option{{Value: wayBank, Label: "To a bank account", Hint: "money in the currency of the account"}}

	networks, err := v.networks()
	if err != nil {
		return page{}, err
	}

	if len(networks) > 0 {
		ways = append(ways, option{Value: wayWallet, Label: "To a crypto wallet", Hint: "tokens on a blockchain"})
	}

	if v.link.Info.Existing {
		ways = append(ways, option{
			Value: wayKnown,
			Label: v.words.Say("Where %s has paid me before", name),
			Hint:  "there is nothing to fill in",
		})
	}

	return page{
		Name:     stepWay,
		Template: "form",
		Title:    v.words.Say("Where should %s pay you?", name),
		Button:   "Continue",
		Back:     v.before(stepWay),
		Note:     v.storedNote(),
		Fields: []field{
			ask(field{Name: "way", Label: "Pay me", Kind: "radio", Options: ways}, f, way),
			ask(field{
				Name:    "bankCountry",
				Label:   "Country of the bank",
				Kind:    "select",
				Options: countries(v.words),
				Only:    wayBank,
			}, f, country),
			ask(field{
				Name:    "currency",
				Label:   "Currency of the account",
				Kind:    "select",
				Options: currencies(v.words, currency),
				Only:    wayBank,
			}, f, currency),
		},
	}, nil
}

// storedNote returns in words which account or wallet is stored, with the end of its number only.
func (v *visit) storedNote() string {
	switch g := v.link.Given; v.way() {
	case wayBank:
		return v.words.Say("So far: the %[1]s account that ends in %[2]s. What you enter now replaces it.",
			g.Account.Currency, g.Account.Ending)

	case wayWallet:
		return v.words.Say("So far: the wallet %s. What you enter now replaces it.", g.Wallet.Ending)
	}

	return ""
}

// before returns the step before, or "".
func (v *visit) before(name string) string {
	switch {
	case name == stepWay && v.link.Info.Existing:
		return ""
	case name == stepWay:
		return stepYou
	case name == stepInvoice, name == stepBank, name == stepWallet:
		return stepWay
	}

	return stepInvoice
}

// takeWay stores a known way, or leads to the questions about an account or a wallet.
func takeWay(v *visit, a url.Values) (string, error) {
	var l fault.List

	switch way := a.Get("way"); {
	case way == wayWallet:
		return stepWallet, nil

	case way == wayKnown && v.link.Info.Existing:
		v.draft.Way = wayKnown
		v.draft.Currency = ""
		v.draft.Token = ""

		return stepInvoice, v.storeDraft()

	case way == wayBank:
		if _, ok := refdata.All().Country(a.Get("bankCountry")); !ok {
			l.Add("/bankCountry", fault.Required, "is required.")
		}

		if _, ok := refdata.All().Currency(a.Get("currency")); !ok {
			l.Add("/currency", fault.Required, "is required.")
		}

	default:
		l.Add("/way", fault.Required, "is required.")
	}

	return stepBank + "?" + place(a).Encode(), l.Err()
}

// place returns what decides which numbers a bank account has.
func place(a url.Values) url.Values {
	return url.Values{"bankCountry": {a.Get("bankCountry")}, "currency": {a.Get("currency")}}
}

// numbers returns the questions about a bank account by the names that the API gives them.
func numbers() map[string]field {
	number := func(name, label, hint, keys string, maxLength int) field {
		return field{
			Name:  name,
			Label: label,
			Hint:  hint,
			Kind:  "text",
			Keys:  keys,
			Max:   maxLength,
			Code:  true,
		}
	}

	return map[string]field{
		"iban": number("iban", "IBAN", "Spaces do not matter.", "", 64),
		"bicSwift": number("bicSwift", "BIC",
			"Also called SWIFT code: 8 or 11 letters and digits. It stands beside the IBAN or account number on your "+
				"bank's papers.", "", 20),
		"accountNumber": number("accountNumber", "Account number", "", "", 64),
		"sortCode":      number("sortCode", "Sort code", "Six digits, such as 20-00-00.", "numeric", 20),
		"routingNumber": number("routingNumber", "Routing number",
			"Nine digits, also called ABA number. It stands at the bottom left of a check.", "numeric", 20),
		"ifscCode": number("ifscCode", "IFSC code", "Eleven letters and digits, such as SBIN0001234.", "", 20),
		"accountType": {
			Name:  "accountType",
			Label: "Type of account",
			Kind:  "radio",
			Options: []option{
				{Value: bankaccount.Checking, Label: "Checking"},
				{Value: bankaccount.Savings, Label: "Savings"},
			},
		},
	}
}

// showBank asks for the numbers that an account in this country and currency has, and for no others.
func showBank(v *visit, f filled) (page, error) {
	at := v.r.URL.Query()
	country, known := refdata.All().Country(at.Get("bankCountry"))
	currency, offered := refdata.All().Currency(at.Get("currency"))

	if !known || !offered { // the address was written by hand
		return showWay(v, f)
	}

	p := page{
		Name:     stepBank,
		Template: "form",
		Title:    "Your bank account",
		Lead:     v.words.Say("In %[1]s, for payments in %[2]s.", countryName(v.words, country.Alpha2), currency.Code),
		Button:   "Continue",
		Back:     stepWay,
		Note:     v.nextNote(wayBank),
		Query:    "?" + place(at).Encode(),
	}

	for _, name := range v.deps.Links.AsksFor(country.Alpha2, currency.Code) {
		p.Fields = append(p.Fields, ask(numbers()[name], f, ""))
	}

	return p, nil
}

// nextNote returns in words what happens before anything is paid to a new account or wallet. A known receiver is asked,
// since somebody else may hold the link; the owner of a wallet must sign a text with it.
func (v *visit) nextNote(way string) string {
	name := v.link.Info.Organisation

	var notes []string
	if v.link.Info.Existing {
		note := v.words.Say(
			"Before it pays to a new account, %s checks it with you, by mail or telephone as it knows you "+
				"already.",
			name,
		)
		if way == wayWallet {
			note = v.words.Say(
				"Before it pays to a new wallet, %s checks it with you, by mail or telephone as it knows "+
					"you already.",
				name,
			)
		}

		notes = append(notes, note)
	}

	if way == wayWallet && (v.link.Given.Wallet == nil || v.unproven()) {
		notes = append(
			notes,
			v.words.Say("%s pays once you have signed a short text with the wallet, which shows that it "+
				"is yours. Signing costs nothing and moves nothing.", name),
		)
	}

	return strings.Join(notes, " ")
}

// takeBank stores a bank account.
func takeBank(v *visit, a url.Values) (string, error) {
	at := v.r.URL.Query()
	account := bankaccount.Account{
		Country:       at.Get("bankCountry"),
		Currency:      at.Get("currency"),
		IBAN:          a.Get("iban"),
		BIC:           a.Get("bicSwift"),
		AccountNumber: a.Get("accountNumber"),
		SortCode:      a.Get("sortCode"),
		RoutingNumber: a.Get("routingNumber"),
		IFSC:          a.Get("ifscCode"),
		AccountType:   a.Get("accountType"),
	}

	if bank, known := v.deps.Links.BankOf(account.IBAN); known && account.BIC == "" {
		account.BIC = string(bank.BIC) // the directory of banks fills in what people do not know by heart
	}

	o, err := v.deps.Links.GiveBankAccount(v.r.Context(), v.token, account)
	if err != nil {
		return "", err
	}

	v.draft.Account = account.IBAN
	if account.IBAN == "" {
		v.draft.Account = account.AccountNumber
	}

	return v.payTo(o, wayBank)
}

// payTo stores the way in the draft and leads to the invoice. The unit of the amount is asked for again: the new
// account may have another currency.
func (v *visit) payTo(o invoicelink.Opened, way string) (string, error) {
	v.link = o
	v.draft.Way = way
	v.draft.Currency = ""
	v.draft.Token = ""

	return stepInvoice, v.storeDraft()
}

// networks returns the blockchains that are offered.
func (v *visit) networks() ([]network.Network, error) {
	all, err := network.All(v.r.Context(), v.deps.DB)

	var out []network.Network
	for _, n := range all {
		if n.Ready() {
			out = append(out, n)
		}
	}

	return out, err
}

// showWallet asks for a wallet.
func showWallet(v *visit, f filled) (page, error) {
	all, err := v.networks()
	if err != nil {
		return page{}, err
	}

	choices := []option{{Label: "Choose a network"}}
	for _, n := range all {
		choices = append(choices, option{Value: n.ID, Label: n.Name})
	}

	known := ""
	if w := v.link.Given.Wallet; w != nil {
		known = w.Network
	}

	if len(all) == 1 && known == "" {
		known = all[0].ID
	}

	return page{
		Name:     stepWallet,
		Template: "form",
		Title:    "Your wallet",
		Button:   "Continue",
		Back:     stepWay,
		Note:     v.nextNote(wayWallet),
		Lead: "Use a wallet whose keys are yours. Whatever is sent to a wrong address or on a wrong network is " +
			"lost.",
		Fields: []field{
			ask(field{Name: "network", Label: "Network", Kind: "select", Options: choices}, f, known),
			ask(addressField(), f, ""),
			ask(field{
				Name:  "type",
				Label: "Who signs for it?",
				Kind:  "radio",
				Options: []option{
					{Value: string(wallet.EOA), Label: "One key"},
					{
						Value: string(wallet.Multisig),
						Label: "Several people together",
						Hint:  "a contract such as Safe",
					},
				},
			}, f, string(wallet.EOA)),
		},
	}, nil
}

func addressField() field {
	return field{
		Name:  "address",
		Label: "Address",
		Hint:  "It begins with 0x. Copy it from your wallet; do not type it.",
		Kind:  "text",
		Max:   64,
		Code:  true,
	}
}

// takeWallet stores a wallet.
func takeWallet(v *visit, a url.Values) (string, error) {
	w := invoicelink.Wallet{
		Network: a.Get("network"),
		Address: a.Get("address"),
		Type:    wallet.Type(a.Get("type")),
	}

	o, err := v.deps.Links.GiveWallet(v.r.Context(), v.token, w)
	if err != nil {
		return "", err
	}

	v.draft.Wallet = w.Address

	next, err := v.payTo(o, wayWallet)
	if v.unproven() {
		next = stepProve
	}

	return next, err
}

// units returns the possible currencies and tokens of the amount: the currency of the account, the tokens on the
// wallet's network, or both if the organisation knows where to pay.
func (v *visit) units(ctx context.Context) ([]option, error) {
	switch v.way() {
	case wayBank:
		c := v.link.Given.Account.Currency
		return []option{{Value: c, Label: c}}, nil
	case wayWallet:
		return v.tokens(ctx, v.link.Given.Wallet.Network)
	}

	out := currencies(v.words, v.link.Info.Requested.Currency)
	for i := range out {
		if out[i].Value != "" {
			out[i].Group = "Currencies"
		}
	}

	for _, t := range refdata.All().Tokens {
		if !t.Hidden {
			out = append(out, option{Value: tokenMark + t.Code, Label: t.Code + ", " + t.Name, Group: "Tokens"})
		}
	}

	return out, nil
}

// tokenMark begins the values of tokens in a list that has currencies, too.
const tokenMark = "token:"

func (v *visit) tokens(ctx context.Context, networkID string) ([]option, error) {
	all, err := network.Tokens(ctx, v.deps.DB, networkID)

	out := []option{{Label: "Choose a token"}}
	for _, t := range all {
		if of, ok := refdata.All().Token(t.Code); ok && !of.Hidden {
			out = append(out, option{Value: tokenMark + t.Code, Label: t.Code + ", " + of.Name})
		}
	}

	return out, err
}
