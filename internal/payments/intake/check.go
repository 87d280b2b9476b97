package intake

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/mailbox"
)

// Entry is a row with what it would make.
type Entry struct {
	Line     int
	Cells    []string
	Receiver receiver.Receiver   // known if it has an identifier
	Account  bankaccount.Account // known if it has an identifier
	// Like is the earlier entry that makes the account, and Person the one that makes the receiver; -1: none does.
	Like, Person int
	// OtherName is what the row calls the payee, where whoever has the account is called otherwise.
	OtherName string
	Payment   *Payment // nil: the row is about a payee alone
	Faults    []fault.Field
	Out       bool // it is to be left out
}

// Payment is what a row says of a payment.
type Payment struct {
	Amount, Reason, Reference string
	Key                       string // the row's own; empty: its content is its key
	Nth                       int    // how many entries before it have the same content
	Made                      string // the transaction that an earlier run has made of it; empty: none
}

// NewAccount reports whether the entry makes an account.
func (e Entry) NewAccount() bool { return e.Account.ID == "" && e.Like < 0 }

// NewReceiver reports whether the entry makes a receiver.
func (e Entry) NewReceiver() bool { return e.NewAccount() && e.Receiver.ID == "" && e.Person < 0 }

// checker looks at the rows of one table, from top to bottom.
type checker struct {
	service      *Service
	q            db.Querier
	organisation string
	now          time.Time
	columns      []Column

	accounts map[string]int // entries that make an account, by its spot
	people   map[string]int // entries that make a receiver, by name and address
	contents map[string]int // how many entries have this content
	keys     map[string]int // lines by their own key
}

// Check says what each row would make, and what is wrong with it. It changes nothing.
func (s *Service) Check(ctx context.Context, q db.Querier, organisation string, t Table, without map[int]bool) (
	[]Entry, error,
) {
	c := &checker{
		service:      s,
		q:            q,
		organisation: organisation,
		now:          s.DB.Now(),
		columns:      t.Columns,
		accounts:     map[string]int{},
		people:       map[string]int{},
		contents:     map[string]int{},
		keys:         map[string]int{},
	}

	var out []Entry
	for i, r := range t.Rows {
		e := Entry{
			Line:   r.Line,
			Cells:  r.Cells,
			Like:   -1,
			Person: -1,
			Out:    without[r.Line],
		}
		if !e.Out {
			if err := c.entry(ctx, &e, i, out); err != nil {
				return nil, err
			}
		}

		out = append(out, e)
	}

	return out, s.noteMade(ctx, q, organisation, out)
}

// says returns what a row says in a column.
func (c *checker) says(r Entry, column Column) string {
	for i, have := range c.columns {
		if have == column && i < len(r.Cells) {
			return r.Cells[i]
		}
	}

	return ""
}

// places are the columns at which a problem of a record stands, where they have another name.
var places = map[string]Column{
	"/legalName": Name,
	"/address":   Street,
	"/receiver":  Name,
}

// entry fills in what a row would make. Problems of a row are its faults; an error ends the check.
func (c *checker) entry(ctx context.Context, e *Entry, at int, before []Entry) error {
	var l fault.List

	c.forms(*e, &l)

	account := c.account(*e)
	person := c.person(*e, account)

	known, err := c.known(ctx, e, account, person, &l)
	if err != nil {
		return err
	}

	pays := c.says(*e, Amount) != ""
	if !known && l.Empty() {
		if err := c.fresh(ctx, e, at, account, person, pays, &l); err != nil {
			return err
		}

		if e.Like >= 0 {
			e.Account = before[e.Like].Account
			e.Receiver = before[e.Like].Receiver
		}
	}

	if said := person.Name(); said != "" && !text.SameName(said, e.Receiver.Name()) {
		e.OtherName = said
	}

	if pays {
		c.payment(e, account.Currency, &l)
	}

	for _, f := range l.Fields() {
		column, ok := places[f.Pointer]
		if !ok {
			column = Column(f.Pointer[strings.LastIndexByte(f.Pointer, '/')+1:])
		}

		f.Pointer = string(column)
		e.Faults = append(e.Faults, f)
	}

	return nil
}

// forms notes cells that are too long, or that have a word which their column does not know.
func (c *checker) forms(r Entry, l *fault.List) {
	for i, column := range c.columns {
		if column == Ignored || i >= len(r.Cells) || r.Cells[i] == "" {
			continue
		}

		if most := cmp.Or(longest[column], mostOthers); utf8.RuneCountInString(r.Cells[i]) > most {
			l.Add("/"+string(column), fault.TooLong, "may have at most %d characters.", most)
		}

		if known := only[column]; known != nil && !slices.Contains(known, strings.ToUpper(r.Cells[i])) {
			l.Add("/"+string(column), fault.NotInEnum, "must be one of %s.", strings.Join(known, ", "))
		}
	}
}

// account returns the account that a row describes. What its IBAN or its payee tells need not be said.
func (c *checker) account(r Entry) bankaccount.Account {
	a := bankaccount.Account{
		Organisation:  c.organisation,
		Country:       country(c.says(r, BankCountry)),
		Currency:      strings.ToUpper(c.says(r, Currency)),
		IBAN:          iban.Normalise(c.says(r, IBAN)),
		BIC:           c.says(r, BIC),
		AccountNumber: c.says(r, AccountNumber),
		SortCode:      c.says(r, SortCode),
		RoutingNumber: c.says(r, RoutingNumber),
		IFSC:          c.says(r, IFSC),
		AccountType:   strings.ToUpper(c.says(r, AccountType)),
	}
	if a.Country == "" && len(a.IBAN) > 1 {
		a.Country = a.IBAN[:2]
	}

	a.Country = cmp.Or(a.Country, country(c.says(r, Country)))

	return a
}

// person returns the receiver that a row describes: a company, unless it has the names of a person.
func (c *checker) person(r Entry, account bankaccount.Account) receiver.Receiver {
	p := receiver.Receiver{
		Organisation: c.organisation,
		Type:         receiver.Type(strings.ToUpper(c.says(r, Type))),
		FirstName:    c.says(r, FirstName),
		LastName:     c.says(r, LastName),
		LegalName:    c.says(r, Name),
		Email:        mailbox.Normal(c.says(r, Email)),
		Country:      cmp.Or(country(c.says(r, Country)), account.Country),
		Address: receiver.Address{
			AddressLine1: c.says(r, Street),
			PostCode:     c.says(r, PostCode),
			City:         c.says(r, City),
		},
	}
	if p.Type == "" {
		p.Type = receiver.Company
		if p.FirstName+p.LastName != "" {
			p.Type = receiver.Individual
		}
	}

	if p.Type == receiver.Individual && p.FirstName+p.LastName != "" {
		p.LegalName = "" // the whole name beside its parts
	}

	return p
}

// country returns the code of a country that is named by a code or in English. Another text is returned in capitals.
func country(s string) string {
	s = strings.ToUpper(s)
	if _, ok := refdata.All().Country(s); ok || s == "" {
		return s
	}

	for _, x := range refdata.All().Countries {
		if x.Alpha3 == s || len(s) > 3 && text.SameName(x.Name, s) {
			return x.Alpha2
		}
	}

	return s
}

// spot is where money goes that is paid to an account, whosesoever it is: its IBAN, or its number at its bank.
func spot(a bankaccount.Account) string {
	if a.IBAN != "" {
		return a.Currency + "|" + a.IBAN
	}

	return strings.Join([]string{a.Currency, a.Country, a.SortCode, a.RoutingNumber, a.IFSC, a.AccountNumber}, "|")
}

// known looks for the account of a row among those of the organisation: by its number, or without one by the payee's
// name. It notes what leaves a doubt.
func (c *checker) known(ctx context.Context, e *Entry, a bankaccount.Account, p receiver.Receiver, l *fault.List) (
	bool, error,
) {
	var (
		all   []bankaccount.Account
		err   error
		at    = IBAN
		named = a.IBAN == "" && a.AccountNumber == ""
	)

	if a.IBAN == "" {
		at = AccountNumber
	}

	switch {
	case !named:
		all, err = numbered(ctx, c.q, a)
	case p.Name() != "":
		at = Name
		all, err = ofName(ctx, c.q, c.organisation, p.Name())
	default:
		l.Add("/"+string(Name), fault.Required, "is required, or the account.")
	}

	if err != nil || len(all) == 0 {
		return false, err
	}

	all, people, err := c.payable(ctx, all, a)
	if err != nil {
		return false, err
	}

	switch {
	case len(all) == 0:
	case len(people) > 1:
		l.Add(
			"/"+string(at),
			fault.ReceiverAmbiguous,
			"is that of %d payees: leave the row out, and choose by hand.",
			len(people),
		)
	case named && len(all) > 1:
		l.Add("/"+string(at), fault.ReceiverAmbiguous, "has several accounts: give the number of one of them.")
	default:
		e.Account = all[0]
		e.Receiver = people[all[0].Receiver]
	}

	return e.Account.ID != "", nil
}

// numbered returns the organisation's accounts that have the number of an account.
func numbered(ctx context.Context, q db.Querier, a bankaccount.Account) ([]bankaccount.Account, error) {
	if a.IBAN != "" {
		return bankaccount.ByIBAN(ctx, q, a.Organisation, a.IBAN)
	}

	return bankaccount.ByNumber(ctx, q, a.Organisation, a.AccountNumber)
}

// called returns the receivers of a name. Names that only look alike are not the same.
func called(ctx context.Context, q db.Querier, organisation, name string) (out []receiver.Receiver, err error) {
	ids, err := receiver.WithName(ctx, q, organisation, name)
	if err != nil {
		return nil, err
	}

	people, err := receiver.ByIDs(ctx, q, organisation, ids)

	for _, id := range ids {
		if r := people[id]; text.SameName(r.Name(), name) {
			out = append(out, r)
		}
	}

	return out, err
}

// ofName returns the accounts of the receivers of a name.
func ofName(ctx context.Context, q db.Querier, organisation, name string) (out []bankaccount.Account, err error) {
	people, err := called(ctx, q, organisation, name)
	for _, r := range people {
		own, err := bankaccount.OfReceiver(ctx, q, organisation, r.ID)
		if err != nil {
			return nil, err
		}

		out = append(out, own...)
	}

	return out, err
}

// payable returns those of some accounts that a row may mean, and their receivers: the currency is the row's, if it
// says one, and so are the bank's numbers. The organisation's own accounts are none.
func (c *checker) payable(ctx context.Context, all []bankaccount.Account, a bankaccount.Account) (
	out []bankaccount.Account, people map[string]receiver.Receiver, err error,
) {
	var ids []string
	for _, x := range all {
		ids = append(ids, x.Receiver)
	}

	people, err = receiver.ByIDs(ctx, c.q, c.organisation, ids)
	used := map[string]receiver.Receiver{}

	for _, x := range all {
		r, there := people[x.Receiver]
		other := a.Currency != "" && a.Currency != x.Currency ||
			a.SortCode != "" && text.Compact(a.SortCode) != x.SortCode ||
			a.RoutingNumber != "" && text.Compact(a.RoutingNumber) != x.RoutingNumber ||
			a.IFSC != "" && text.Compact(a.IFSC) != x.IFSC

		if there && !r.Self && !other {
			used[r.ID] = r

			out = append(out, x)
		}
	}

	return out, used, err
}

// fresh notes what is wrong with a payee that is not known, or with a new account of one that is. Who has the same name
// and the same e-mail address is the same payee.
func (c *checker) fresh(
	ctx context.Context,
	e *Entry,
	at int,
	a bankaccount.Account,
	p receiver.Receiver,
	pays bool,
	l *fault.List,
) error {
	if a.IBAN == "" && a.AccountNumber == "" {
		message := "is required for a new payee, or accountNumber."
		if pays {
			message = "is required: nobody is known by this name in this currency."
		}

		l.Add("/"+string(IBAN), fault.Required, "%s", message)

		return nil
	}

	a = c.service.Accounts.CheckPayable(a, l)
	e.Account = a
	e.Receiver = p

	if i, made := c.accounts[spot(a)]; made {
		e.Like = i
		return nil
	}

	c.accounts[spot(a)] = at

	people, err := called(ctx, c.q, c.organisation, p.Name())
	if err != nil {
		return err
	}

	for _, r := range people {
		if mailbox.Key(r.Email) == mailbox.Key(p.Email) || p.Email == "" && len(people) == 1 {
			e.Receiver = r
			return nil
		}
	}

	if len(people) > 0 {
		l.Add("/"+string(Email), fault.ReceiverAmbiguous,
			"is not that of the payee who is known by this name: correct it, or give the new payee another name.")
	}

	receiver.Check(p, c.now, "", l)

	who := strings.ReplaceAll(text.Fold(p.Name()), " ", "") + "/" + mailbox.Key(p.Email)
	if i, made := c.people[who]; made {
		e.Person = i
	} else {
		c.people[who] = at
	}

	return nil
}

// payment notes what is wrong with the payment of a row.
func (c *checker) payment(e *Entry, currency string, l *fault.List) {
	p := &Payment{
		Amount:    plain(c.says(*e, Amount)),
		Reason:    c.says(*e, Reason),
		Reference: c.says(*e, Reference),
		Key:       c.says(*e, Key),
	}
	e.Payment = p

	if known, ok := refdata.All().Currency(cmp.Or(e.Account.Currency, currency)); ok {
		transaction.ParseFiat(l, "/"+string(Amount), known, p.Amount)
	}

	if p.Reason == "" {
		l.Add("/"+string(Reason), fault.Required, "is required.")
	}

	if structured, ok := creditorref.Structured(p.Reference); ok || p.Reference == "" {
		p.Reference = structured
	} else {
		l.Add("/"+string(Reference), fault.CreditorReference,
			"must be a QR reference of 27 digits or an ISO 11649 reference (RF), with right check digits.")
	}

	if l.Empty() {
		_ = l.Note("/"+string(Reference), e.Account.Takes(p.Reference)) // it is about nothing else
	}

	if before, twice := c.keys[p.Key]; p.Key != "" && twice {
		l.Add("/"+string(Key), fault.NotAllowed, "is that of line %d too.", before)
	}

	c.keys[p.Key] = e.Line
	content := spot(e.Account) + "|" + p.content()
	p.Nth = c.contents[content]
	c.contents[content]++
}

// content is what a payment says besides its account.
func (p Payment) content() string {
	return strings.Join([]string{p.Amount, p.Reason, p.Reference}, "|")
}
