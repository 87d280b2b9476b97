package bankaccount

import (
	"context"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// flag is a yes or no, given as a truth value or in the words in which wireSupport is answered.
type flag string

// JSONKind describes the JSON values that are accepted.
func (flag) JSONKind() string { return "true or false, or YES or NO" }

// Schema describes both forms in the OpenAPI document.
func (flag) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeBoolean}, {Type: huma.TypeString, Enum: []any{Yes, No}}}}
}

// UnmarshalJSONFrom reads either form; null is not given.
func (f *flag) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}

	switch string(raw) {
	case "true", `"YES"`:
		*f = Yes
	case "false", `"NO"`:
		*f = No
	case "null":
		*f = ""

	default:
		var l fault.List
		l.Add("", fault.TypeMismatch, "must be %s.", f.JSONKind())
		return l.Err()
	}

	return nil
}

// Fields are the numbers of an account and what is known of its bank, in every body. A field that is left out stays
// as it is; an empty text clears it.
type Fields struct {
	Numbers

	BankName                *string `json:"bankName,omitempty" maxLength:"140" doc:"for people; the bank is found by its code"`
	BankCode                *string `json:"bankCode,omitempty" maxLength:"35" doc:"national code of the bank, where payments need one"`
	Channel                 *string `json:"channel,omitempty" maxLength:"35" doc:"kept as it is given"`
	BranchName              *string `json:"branchName,omitempty" maxLength:"140" doc:"comes back as bankBranch"`
	BranchCode              *string `json:"branchCode,omitempty" maxLength:"35" doc:"national code of the branch"`
	BankCity                *string `json:"bankCity,omitempty" maxLength:"70" doc:"where the bank is"`
	BankAddress             *string `json:"bankAddress,omitempty" maxLength:"140" doc:"where the bank is"`
	BankAddress2            *string `json:"bankAddress2,omitempty" maxLength:"140" doc:"second line of its address"`
	BankZip                 *string `json:"bankZip,omitempty" maxLength:"16" doc:"post code of the bank"`
	BankState               *string `json:"bankState,omitempty" maxLength:"70" doc:"state or province of the bank"`
	IntermediaryRoutingCode *string `json:"intermediaryRoutingCode,omitempty" maxLength:"35" doc:"code of the bank through which the bank is reached"`
	IntermediaryBankName    *string `json:"intermediaryBankName,omitempty" maxLength:"140" doc:"name of the bank through which the bank is reached"`
}

// Numbers are by what an account is found.
type Numbers struct {
	AccountNumber *string `json:"accountNumber,omitempty" maxLength:"64" doc:"GBP in the United Kingdom, USD in the United States, INR in India, and elsewhere"`
	IBAN          *string `json:"iban,omitempty" maxLength:"64" doc:"EUR in SEPA; elsewhere it may stand in place of accountNumber where accounts have one"`
	BIC           *string `json:"bicSwift,omitempty" maxLength:"32" doc:"ISO 9362, 8 or 11 characters. Needed beside the IBAN for EUR in SEPA, and elsewhere unless the deployment knows the bank of the IBAN"`
	SortCode      *string `json:"sortCode,omitempty" maxLength:"32" doc:"GBP in the United Kingdom: six digits"`
	RoutingNumber *string `json:"routingNumber,omitempty" maxLength:"32" doc:"USD in the United States: nine digits (ABA)"`
	IFSC          *string `json:"ifscCode,omitempty" maxLength:"32" doc:"INR in India: four letters, a zero, six letters or digits"`
	AccountType   *string `json:"accountType,omitempty" enum:"CHECKING,SAVINGS" doc:"USD in the United States"`
	ACHSupport    *flag   `json:"achSupport,omitempty" doc:"whether ACH reaches the routing number; true, false, YES or NO"`
	FedSupport    *flag   `json:"fedSupport,omitempty" doc:"whether Fedwire reaches the routing number; true, false, YES or NO"`
}

// Apply writes what was given into the account.
func (f Fields) Apply(a *Account) {
	f.Numbers.Apply(a)
	b := &a.Bank

	put([]answer{
		{&b.Name, f.BankName},
		{&b.Code, f.BankCode},
		{&b.Channel, f.Channel},
		{&b.Branch, f.BranchName},
		{&b.BranchCode, f.BranchCode},
		{&b.City, f.BankCity},
		{&b.Address, f.BankAddress},
		{&b.Address2, f.BankAddress2},
		{&b.Zip, f.BankZip},
		{&b.State, f.BankState},
		{&b.IntermediaryRoutingCode, f.IntermediaryRoutingCode},
		{&b.IntermediaryBankName, f.IntermediaryBankName},
	})
}

// Apply writes what was given into the account.
func (n Numbers) Apply(a *Account) {
	put([]answer{
		{&a.AccountNumber, n.AccountNumber},
		{&a.IBAN, n.IBAN},
		{&a.BIC, n.BIC},
		{&a.SortCode, n.SortCode},
		{&a.RoutingNumber, n.RoutingNumber},
		{&a.IFSC, n.IFSC},
		{&a.AccountType, n.AccountType},
		{&a.ACHSaid, (*string)(n.ACHSupport)},
		{&a.FedSaid, (*string)(n.FedSupport)},
	})
}

// answer is a field of a body and where it belongs.
type answer struct{ into, from *string }

func put(answers []answer) {
	for _, x := range answers {
		if x.from != nil {
			*x.into = strings.TrimSpace(*x.from)
		}
	}
}

type createIn struct {
	Body struct {
		BankCountry caller.Ref `json:"bankCountry" record:"country" doc:"identifier or code of the country the bank is in"`
		Currency    caller.Ref `json:"currency" record:"currency" doc:"identifier or code of the currency the account is held in"`
		Receiver    caller.Ref `json:"receiver" record:"receiver" doc:"whose account it is"`
		Fields
	}
}

type createBothIn struct {
	Body struct {
		receiver.CreateBody
		BankCountry caller.Ref `json:"bankCountry" record:"country" doc:"identifier or code of the country the bank is in"`
		Currency    caller.Ref `json:"currency" record:"currency" doc:"identifier or code of the currency the account is held in"`
		Fields
	}
}

type findBankIn struct {
	Body struct {
		IBAN     string     `json:"iban" maxLength:"64"`
		Currency caller.Ref `json:"currency,omitempty" record:"currency" doc:"identifier or code of the currency the account is held in; it decides bicNeeded"`
	}
}

// BankView is the bank of an IBAN.
type BankView struct {
	BIC       string `json:"bicSwift,omitempty" doc:"null: the deployment does not know the bank of this IBAN"`
	BankName  string `json:"bankName,omitempty"`
	BICNeeded bool   `json:"bicNeeded" doc:"an account with this IBAN in this currency is refused without a bicSwift"`
}

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type changeIn struct {
	byID
	Body struct {
		BankCountry caller.Ref `json:"bankCountry,omitempty" record:"country" doc:"identifier or code of the country the bank is in"`
		Currency    caller.Ref `json:"currency,omitempty" record:"currency" doc:"identifier or code of the currency the account is held in"`
		Receiver    caller.Ref `json:"receiver,omitempty" record:"receiver" doc:"whose account it is"`
		Fields
	}
}

type listIn struct {
	web.Paging
	Receiver    string `query:"receiver" maxLength:"64" doc:"identifier of the receiver they belong to"`
	Currency    string `query:"currency" maxLength:"64" doc:"identifier or code of the currency they are held in"`
	BankCountry string `query:"bankCountry" maxLength:"64" doc:"identifier or code of the country the bank is in"`
	Alike       string `query:"alike" maxLength:"64" doc:"identifier of an account: only others whose numbers are easily taken for its number" example:"bka_06f2k8s0m4x3v7q9"`
	Direction   int    `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

// Routes registers the operations of bank accounts.
func (s *Service) Routes(api *web.API) {
	wrong := []fault.Code{
		fault.ReceiverUnknown,
		fault.CountryUnknown,
		fault.CurrencyUnknown,
		fault.BankCodeInvalid,
		fault.BankDetailsMismatch,
		fault.CheckDigitWrong,
		fault.BankAccountUnreachable,
	}

	create := operation("POST", "/bank-accounts", "createBankAccount", "Add a bank account")
	create.Status = 201
	create.Location = "/bank-accounts/{id}"
	create.Stages = true
	create.Codes = slices.Concat([]fault.Code{fault.OrgNotApproved}, wrong)
	web.Register(api, create, s.create)

	const withAccount = "Add a receiver and its bank account"
	both := operation("POST", "/bank-accounts/receiver", "createReceiverWithBankAccount", withAccount)
	both.Status = 201
	both.Location = create.Location
	both.Stages = true
	both.Codes = create.Codes
	web.Register(api, both, s.createBoth)

	list := operation("GET", "/bank-accounts/me", "listBankAccounts", "List the organisation's bank accounts")
	web.Register(api, list, s.list)

	find := operation("POST", "/bank-accounts/find-bank", "findBank", "Find the bank of an IBAN")
	find.Description = "What the deployment's directory of banks has. It is sent in a body, since addresses are logged."
	find.NoIdempotency = true // it changes nothing
	web.Register(api, find, s.findBank)

	read := operation("GET", "/bank-accounts/{id}", "readBankAccount", "Read a bank account")
	web.Register(api, read, s.read)
	api.Shows("bankAccount", func(ctx context.Context, id string) (any, error) { return s.read(ctx, &byID{ID: id}) })

	change := operation("PATCH", "/bank-accounts/{id}", "changeBankAccount", "Change a bank account")
	change.Codes = wrong
	change.Stages = true
	change.StepUp = true // who has taken over a session must not send other people's money elsewhere
	web.Register(api, change, s.edit)

	remove := operation("DELETE", "/bank-accounts/{id}", "deleteBankAccount", "Take a bank account out of use")
	web.Register(api, remove, s.remove)
}

// operation describes an operation of a tenant. What it writes is for the roles that write.
func operation(method, path, id, summary string) web.Operation {
	o := web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "bank-accounts",
		Access:  web.Tenant,
	}
	if method != "GET" {
		o.Roles = organisation.Writers()
	}

	return o
}

func same(v View) View { return v }

func (s *Service) create(ctx context.Context, in *createIn) (*View, error) {
	b := in.Body
	a := Account{
		Organisation: caller.Of(ctx).Organisation,
		Receiver:     string(b.Receiver),
		Country:      string(b.BankCountry),
		Currency:     string(b.Currency),
	}
	b.Apply(&a)

	return web.Once(ctx, 201, same, func(done func(*db.Tx, View) error) error { return s.Create(ctx, a, done) })
}

func (s *Service) createBoth(ctx context.Context, in *createBothIn) (*View, error) {
	p := caller.Of(ctx)
	b := in.Body
	a := Account{Organisation: p.Organisation, Country: string(b.BankCountry), Currency: string(b.Currency)}
	b.Fields.Apply(&a)

	return web.Once(ctx, 201, same, func(done func(*db.Tx, View) error) error {
		return s.CreateWithReceiver(ctx, b.CreateBody.Receiver(p.Organisation, p.User), a, done)
	})
}

func (s *Service) findBank(_ context.Context, in *findBankIn) (*BankView, error) {
	bank, _ := s.BankOf(in.Body.IBAN)

	return &BankView{
		BIC:       string(bank.BIC),
		BankName:  bank.Name,
		BICNeeded: s.NeedsBIC(in.Body.IBAN, string(in.Body.Currency)),
	}, nil
}

func (s *Service) edit(ctx context.Context, in *changeIn) (*View, error) {
	apply := func(a *Account) {
		for _, x := range []struct {
			into *string
			from caller.Ref
		}{{&a.Country, in.Body.BankCountry}, {&a.Currency, in.Body.Currency}, {&a.Receiver, in.Body.Receiver}} {
			if x.from != "" {
				*x.into = string(x.from)
			}
		}

		in.Body.Apply(a)
	}

	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.Change(ctx, caller.Of(ctx).Organisation, in.ID, apply, done)
	})
}

func (s *Service) remove(ctx context.Context, in *byID) (*View, error) {
	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.Delete(ctx, caller.Of(ctx).Organisation, in.ID, done)
	})
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	org := caller.Of(ctx).Organisation

	a, err := ByID(ctx, s.deps.DB, org, in.ID)
	if err != nil {
		return nil, err
	}

	return web.Only(Views(ctx, s.deps.DB, org, []Account{a}, s.deps.DB.Now()))
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	org := caller.Of(ctx).Organisation

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Account, int64, error) {
		w := in.where(org)

		if in.Alike != "" {
			others, err := Alike(ctx, q, org, in.Alike)
			if err != nil || len(others) == 0 {
				return nil, 0, err
			}

			db.In(&w, "id", identifiers(others))
		}

		return list(ctx, q, w, page, in.Direction > 0)
	}, identifier, func(q db.Querier, rows []Account) ([]View, error) {
		return Views(ctx, q, org, rows, s.deps.DB.Now())
	})
}

func (in *listIn) where(organisation string) db.Where {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")

	if in.Receiver != "" {
		w.And("receiver = ?", in.Receiver)
	}

	if c, ok := refdata.All().Country(in.BankCountry); ok || in.BankCountry != "" {
		w.And("country = ?", c.Alpha2) // nobody's bank is in a country that there is not
	}

	if c, ok := refdata.All().Currency(in.Currency); ok || in.Currency != "" {
		w.And("currency = ?", c.Code)
	}

	return w
}
