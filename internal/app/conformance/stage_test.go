//go:build !nosandbox

package conformance

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
)

// stage is one organisation that has everything the interface speaks of, and what the service has shown of it.
type stage struct {
	t *testing.T
	h *apptest.Harness
	c *apptest.Client // an admin of the organisation

	operators apptest.Operators
	rows      map[string][]row    // of fields, by the interface's name of their kind
	records   map[string][]object // as they were answered, by the same
	alone     map[string]object   // those that were read by themselves, by identifier
	requests  map[string][]request
	account   string // a bank account in EUR
	payee     string // the receiver's proven wallet
	crypto    string // a CRYPTO transaction that has completed
	fiat      string // a FIAT transaction that has completed
	onramp    string // an ONRAMP transaction whose deposit has come
	upload    string // the key of a document
	people    int    // that were made
}

// play makes the organisation, lets money move, and reads all records.
func play(t *testing.T, h *apptest.Harness) *stage {
	t.Helper()

	s := &stage{
		t:         t,
		h:         h,
		c:         h.Client("Ada"),
		operators: h.Operators(),
		rows:      map[string][]row{},
		records:   map[string][]object{},
		alone:     map[string]object{},
	}
	s.c.StaySignedIn()

	for _, r := range readRows(t) {
		if r.part(0) == "field" {
			s.rows[r.part(1)] = append(s.rows[r.part(1)], r)
		}
	}

	s.organisation()
	s.payees()
	s.payments()
	s.readAll()
	s.requests = s.allRequests()

	return s
}

// parse reads an answer's object.
func (s *stage) parse(a apptest.Answer) object {
	s.t.Helper()

	var out object
	a.Into(&out)

	return out
}

// get reads a record by itself.
func (s *stage) get(path string) object {
	s.t.Helper()

	out := s.parse(s.c.Do("GET", path, nil).OK(200))
	s.alone[out["_id"].(string)] = out

	return out
}

// list reads the records of a list.
func (s *stage) list(path string) []object {
	s.t.Helper()

	var out struct {
		Results []object `json:"results"`
	}

	s.c.Do("GET", path, nil).OK(200).Into(&out)

	return out.Results
}

// keep notes records of a kind.
func (s *stage) keep(kind string, records ...object) {
	s.records[kind] = append(s.records[kind], records...)
}

// organisation fills in what an organisation can say of itself, and what the platform agrees with it.
func (s *stage) organisation() {
	s.c.Do("PATCH", "/users/me", apptest.Object{
		"phoneNumber":     "+41441234567",
		"messagingHandle": "@ada",
		"address":         "Seestrasse 1, 8002 Zürich",
		"country":         "CH",
		"citizenship":     []string{"CH"},
		"dateOfBirth":     "1980-05-17",
	}).OK(200)

	s.operators.Approve(s.operators.Do("PATCH", "/operations/organisations/"+s.c.Org+"/terms", apptest.Object{
		"transactionValueLimit": "1000000.00",
		"customCommissions":     []apptest.Object{{"tradingPair": "pair_usdc_eur", "value": 0.4}},
	}))

	s.c.Do("POST", "/idv/companies", nil).OK(200)
	s.c.Do("POST", "/idv/users", nil).OK(200)

	s.c.Do("PATCH", "/organisations/"+s.c.Org, apptest.Object{
		"payablesEmail": "invoices@example.org",
		"defaultWallet": s.c.Wallet,
		"defaultToken":  "USDC",
	}).OK(200)

	upload := s.c.Do("POST", "/payables/upload", apptest.Object{
		"fileBase64": picture(s.t),
		"fileName":   "invoice.png",
	}).OK(201)
	s.upload = s.parse(upload)["documentStorageKey"].(string)
}

// picture is a small PNG in base64.
func picture(t *testing.T) string {
	t.Helper()

	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))))

	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// payees makes receivers of both kinds, and bank accounts of every region.
func (s *stage) payees() {
	s.c.Do("PATCH", "/receivers/"+s.c.Receiver, apptest.Object{
		"middleName":  "Maria",
		"taxId":       "756.1234.5678.97",
		"phoneNumber": "+41441234567",
		"dateOfBirth": "1980-05-17T00:00:00+02:00",
	}).OK(200)
	s.c.Do("POST", "/receivers", apptest.Object{
		"type":           "COMPANY",
		"email":          "office@example.org",
		"legalName":      "Keller Consulting AG",
		"address":        apptest.Object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	}).OK(201)

	s.account = s.c.NewBankAccount("EUR", "000")
	for _, currency := range []string{"GBP", "USD", "INR"} {
		s.c.NewBankAccount(currency, "000")
	}

	s.c.Do("POST", "/bank-accounts", s.otherAccount("AE070331234567890123456")).OK(201)
	s.c.Do("POST", "/bank-accounts", apptest.Object{
		"bankCountry": "DE",
		"currency":    "EUR",
		"receiver":    s.c.Self,
		"iban":        "DE02100100100006820101",
		"bicSwift":    "PBNKDEFFXXX",
	}).OK(201)
	s.h.RunJobs()
	s.payee = s.c.ProveWallet(s.c.Receiver, s.h.Account("Alice's wallet"))
}

// otherAccount is an account of no region with rules of its own, with every optional field.
func (s *stage) otherAccount(number string) apptest.Object {
	return apptest.Object{
		"bankCountry":             "AE",
		"currency":                "AED",
		"receiver":                s.c.Receiver,
		"accountNumber":           number,
		"bicSwift":                "EBILAEADXXX",
		"bankName":                "Emirates",
		"bankCode":                "033",
		"channel":                 "branch",
		"branchName":              "Deira",
		"branchCode":              "001",
		"bankCity":                "Dubai",
		"bankAddress":             "Baniyas Road",
		"bankAddress2":            "Building B",
		"bankZip":                 "777",
		"bankState":               "Dubai",
		"intermediaryRoutingCode": "COBADEFFXXX",
		"intermediaryBankName":    "Example Correspondent",
	}
}

// payments lets one transaction of each type go through, and makes payables.
func (s *stage) payments() {
	s.crypto = s.c.Accepted("USDC", "5.00")
	s.h.Settle()

	s.fiat = s.c.FiatAccepted("USDC", s.c.FiatPayment(s.account, "100.00"))

	var reference string

	s.onramp, reference = s.c.OnrampSubmitted("USDC", "EUR", "2000.00")
	s.deposit(reference, "2000.00")
	s.h.SettleAll()

	draft := s.c.Do("POST", "/transactions", apptest.Object{
		"type":          "CRYPTO",
		"token":         "USDC",
		"walletAddress": s.c.Payer.Address.Hex(),
		"payments": []apptest.Object{{
			"type":               "CRYPTO",
			"receiver":           s.c.Receiver,
			"wallet":             s.payee,
			"amount":             "1.25",
			"reason":             "Rent",
			"instructions":       "Before noon",
			"documentStorageKey": s.upload,
		}},
	}).OK(201).ID()

	refused := s.c.Submitted("USDC", "1.00")
	s.operators.Do("POST", "/transactions/"+refused+"/reject", apptest.Object{"reason": "Not plausible"}).OK(200)
	s.comments(draft)
	require.NoError(s.t, fails(s))
}

// comments has people write about records.
func (s *stage) comments(draft string) {
	said := apptest.Object{"comment": "As agreed", "documents": []string{s.upload}}
	s.c.Do("POST", "/transactions/"+draft+"/comments", said).OK(201)
	s.c.Do("POST", "/organisations/"+s.c.Org+"/comments", said).OK(201)

	s.operators.Do("POST", "/operations/records/"+s.c.User+"/comments", apptest.Object{
		"comment":  "Called back",
		"internal": false,
	}).OK(201)
}

// readAll reads a record of each kind in every way in which clients see it.
func (s *stage) readAll() {
	s.keep("PaymentRail", s.list("/payment-rails?limit=250")...)
	s.keep("Country", s.list("/countries?limit=250")...)
	s.keep("Currency", s.list("/currencies?limit=250")...)
	s.keep("Token", s.list("/tokens?limit=250")...)
	s.keep("TradingPair", s.list("/trading-pairs?limit=250")...)

	var providers struct {
		Results []any `json:"results"`
	}

	s.operators.Do("GET", "/operations/liquidity-providers", nil).OK(200).Into(&providers)
	s.keepInner("LiquidityProvider", providers.Results)

	s.keep("Network", s.network(), s.get("/networks/"+world.NetworkID))
	s.keep("Wallet", s.list("/wallets/me")...)
	s.keep("Wallet", s.get("/wallets/"+s.payee), s.get("/wallets/"+s.c.Wallet))
	s.keep("BankAccount", s.list("/bank-accounts/me")...)
	s.keep("BankAccount", s.get("/bank-accounts/"+s.account))
	s.keep("Receiver", s.list("/receivers/me")...)
	s.keep("Receiver", s.get("/receivers/self"), s.get("/receivers/"+s.c.Receiver))
	s.keep("User", s.get("/users/me"))
	s.keep("Organisation", s.list("/organisations/me")...)
	s.keep("Organisation", s.get("/organisations/"+s.c.Org), s.person())
	s.keep("Transaction", s.list("/transactions?columnId=all")...)
	s.keep("Transaction", s.get("/transactions/"+s.crypto), s.get("/transactions/"+s.onramp))

	for _, o := range s.records["Organisation"] {
		s.keepInner("Member", o["members"])
		s.keepInner("CustomCommission", o["customCommissions"])
	}

	for _, r := range s.records["Receiver"] {
		s.keepInner("Address", []any{r["address"]})
	}

	for _, t := range s.records["Transaction"] {
		s.keepInner("Payment", t["payments"])
	}

	for _, kind := range []string{"Organisation", "User", "Transaction"} {
		for _, r := range s.records[kind] {
			s.keepInner("Comment", r["comments"])
		}
	}
}

// keepInner notes the objects of a list.
func (s *stage) keepInner(kind string, v any) {
	all, _ := v.([]any)
	for _, x := range all {
		if o, ok := x.(object); ok {
			s.keep(kind, o)
		}
	}
}

// networkBody is a network with every field, as an operator writes it.
func (s *stage) networkBody() apptest.Object {
	s.people++

	return apptest.Object{
		"name":                      fmt.Sprint("Example ", s.people),
		"type":                      "evm",
		"chainId":                   424242 + s.people,
		"rpcUrl":                    "https://rpc.example.org",
		"internalRpcUrl":            "https://node.example.org/key",
		"wsRpcUrl":                  "wss://rpc.example.org",
		"blockExplorerUrl":          "https://explorer.example.org",
		"isClientVisible":           true,
		"isTestnet":                 true,
		"contracts":                 apptest.Object{"router": "0x52908400098527886E0F7030069857D2E4169EE7"},
		"nativeCurrency":            "ETH",
		"features":                  []string{"LOANS"},
		"minTransactionFee":         0.5,
		"amlProviderName":           "lists",
		"screenOnScreeningProvider": true,
		"multisigChainPrefix":       "exm",
		"walletAddress":             "0x52908400098527886E0F7030069857D2E4169EE7",
	}
}

func (s *stage) network() object {
	return s.parse(s.operators.Do("POST", "/networks", s.networkBody()).OK(http.StatusCreated))
}

// person is the organisation of a wealthy person, which has a name and a date of birth.
func (s *stage) person() object {
	return s.parse(s.h.Person("Hal").Do("POST", "/organisations/create", apptest.Object{
		"organisationType":   "HNWI",
		"firstName":          "Hal",
		"lastName":           "Muster",
		"dateOfBirth":        "1980-05-17T23:30:00-08:00",
		"registrationNumber": "CHE-123.456.789",
		"payablesEmail":      "invoices@example.org",
		"country":            "CH",
		"address":            apptest.Object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
	}).OK(201))
}

// allRequests are valid bodies of everything that rows say of requests.
func (s *stage) allRequests() map[string][]request {
	payment := func(answer object) object { return answer["payments"].([]any)[0].(object) }
	whole := func(answer object) object { return answer }

	transaction := func(kind string, more apptest.Object, p apptest.Object) request {
		body := apptest.Object{
			"type":          kind,
			"token":         "USDC",
			"walletAddress": s.c.Payer.Address.Hex(),
			"payments":      []apptest.Object{p},
		}
		for k, v := range more {
			body[k] = v
		}

		return request{path: "/transactions", body: body, at: "/payments/0/", record: payment}
	}

	fiat := s.c.FiatPayment(s.account, "100.00")
	fiat["currencyIsoCode"] = "EUR"
	fiat["instructions"] = "Before noon"
	fiat["documentStorageKey"] = s.upload
	fiat["estimatedRate"] = "0.90"
	fiat["bankingFeesOption"] = "OUR"

	stored := apptest.Object{
		"type":         "CRYPTO",
		"receiver":     s.c.Receiver,
		"wallet":       s.payee,
		"amount":       "1.25",
		"reason":       "Rent",
		"tokenIsoCode": "USDC",
		"instructions": "Before noon",
	}
	inline := s.c.Payment(s.c.Payee, "1.25")

	ramp := transaction("ONRAMP", apptest.Object{"amountCurrency": "EUR"}, apptest.Object{
		"type":                 "ONRAMP",
		"receiver":             s.c.Self,
		"amount":               "2000.00",
		"expectedTransferDate": s.h.DB().Now().UTC().AddDate(0, 0, 2).Format("2006-01-02"),
	})

	number := strings.Repeat("7", 12)
	other := request{
		path:    "/bank-accounts",
		body:    s.otherAccount(number),
		at:      "/",
		record:  whole,
		renamed: map[string]string{"branchName": "bankBranch"},
	}

	us := func(support string) request {
		body := apptest.Object{
			"bankCountry":   "US",
			"currency":      "USD",
			"receiver":      s.c.Receiver,
			"accountNumber": number,
			"routingNumber": "021000021",
			"accountType":   "SAVINGS",
			support:         true,
		}

		return request{path: "/bank-accounts", body: body, at: "/", record: whole, unread: []string{support}}
	}

	return map[string][]request{
		"FiatPayment":      {transaction("FIAT", nil, fiat)},
		"CryptoPayment":    {transaction("CRYPTO", nil, stored), transaction("CRYPTO", nil, inline)},
		"OnrampPayment":    {ramp},
		"BankAccountInput": {other, us("achSupport"), us("fedSupport")},
		"Payable": {
			{path: "/payables", body: s.payable("FIAT"), at: "/", record: whole},
			{path: "/payables", body: s.payable("CRYPTO"), at: "/", record: whole},
		},
	}
}

// payable is the body of a payable with every field of its type.
func (s *stage) payable(kind string) apptest.Object {
	out := apptest.Object{
		"name":                "Hosting",
		"amount":              "1.25",
		"reason":              "Rent",
		"receiver":            s.c.Receiver,
		"type":                kind,
		"status":              "DRAFT",
		"documentStorageKey":  s.upload,
		"instructions":        "Before noon",
		"expectedPaymentDate": s.h.DB().Now().UTC().AddDate(0, 0, 9).Format("2006-01-02"),
	}
	if kind == "FIAT" {
		out["bankAccount"] = s.account
		out["currencyIsoCode"] = "EUR"
	} else {
		out["wallet"] = s.payee
		out["tokenIsoCode"] = "USDC"
	}

	return out
}
