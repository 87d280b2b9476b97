package ibansuite

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/platform/remote"
	"slipway/internal/platform/secret"
	"slipway/internal/standards/iban"
)

// Limits of one request.
const (
	defaultTimeout = 10 * time.Second
	maxAnswer      = 64 << 10 // bytes; real answers have 1,500
)

// Config configures the connection to the provider.
type Config struct {
	URL       string // of the API
	Key       secret.Text
	Timeout   time.Duration     // of one request; 0: 10 s
	Transport http.RoundTripper // nil: the network
}

// Client asks the provider over HTTP. It is safe for concurrent use.
type Client struct {
	url   string
	key   secret.Text
	party *remote.Party
}

// NewClient returns a client. It does not call the provider.
func NewClient(c Config) (*Client, error) {
	if !remote.IsAddress(c.URL) {
		return nil, errors.New("IBAN Suite: its address is not an http or https address")
	}

	if c.Key == "" {
		return nil, errors.New("IBAN Suite: there is no API key")
	}

	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}

	return &Client{
		url:   strings.TrimSuffix(c.URL, "/") + "/",
		key:   c.Key,
		party: remote.New(c.Timeout, maxAnswer, c.Transport),
	}, nil
}

// Check asks about one IBAN. The key is sent in the body: URLs end up in logs.
func (c *Client) Check(ctx context.Context, number string) (Answer, error) {
	form := url.Values{"api_key": {c.key.Reveal()}, "format": {"json"}, "iban": {number}}

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(form.Encode()))
	if err != nil {
		return Answer{}, fmt.Errorf("ask the IBAN Suite: %w", err)
	}

	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")

	status, raw, err := c.party.Exchange(r)
	switch {
	case err != nil:
		return Answer{}, fmt.Errorf("ask the IBAN Suite: %w", err)
	case status != http.StatusOK:
		return Answer{}, fmt.Errorf("the IBAN Suite answered with status %d", status)
	}

	return read(raw, number)
}

// word is a value that may be a text, a number or null.
type word string

// UnmarshalJSONFrom accepts any of these; an object or list becomes "".
func (w *word) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"', '0', 'n', 't', 'f':
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}

		if *w = ""; tok.Kind() != 'n' {
			*w = word(strings.TrimSpace(tok.String()))
		}

		return nil
	}

	return errors.New("a value is neither a text nor a number")
}

// verdict is one check, or one error.
type verdict struct {
	Code    word `json:"code"`
	Message word `json:"message"`
}

// answer is the provider's JSON. Objects without content come as empty lists, so they are decoded later.
type answer struct {
	BankData    jsontext.Value `json:"bank_data"`
	SEPAData    jsontext.Value `json:"sepa_data"`
	Validations jsontext.Value `json:"validations"`
	Errors      jsontext.Value `json:"errors"`
}

type bankData struct {
	BIC        word `json:"bic"`
	Branch     word `json:"branch"`
	Bank       word `json:"bank"`
	Address    word `json:"address"`
	City       word `json:"city"`
	State      word `json:"state"`
	Zip        word `json:"zip"`
	Phone      word `json:"phone"`
	Fax        word `json:"fax"`
	WWW        word `json:"www"`
	Email      word `json:"email"`
	BankCode   word `json:"bank_code"`
	BranchCode word `json:"branch_code"`
}

// read converts the provider's JSON into an Answer.
func read(raw []byte, number string) (Answer, error) {
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		// without the text: it may contain the IBAN
		return Answer{}, errors.New("the answer of the IBAN Suite is not its JSON")
	}

	failures, err := verdicts(a.Errors)
	if err != nil {
		return Answer{}, err
	}

	if err := failure(failures); err != nil {
		return Answer{}, err
	}

	checks, err := verdicts(a.Validations)
	if err != nil {
		return Answer{}, err
	}

	var out Answer
	if err := out.judge(checks); err != nil {
		return Answer{}, err
	}

	out.Bank = readBank(a.BankData)
	out.SEPA = readSEPA(a.SEPAData, number, out.Bank.BIC)

	return out, nil
}

// failure returns the provider's errors as one: a *Trouble if our account is among them.
func failure(list []verdict) error {
	var other error

	for _, f := range list {
		if n, err := strconv.Atoi(string(f.Code)); err == nil && n >= firstTrouble && n <= lastTrouble {
			return &Trouble{n, string(f.Message)}
		}

		other = fmt.Errorf("the IBAN Suite answered with error %q", f.Code)
	}

	return other
}

// verdicts reads a list of checks, or an object of them by name.
func verdicts(raw jsontext.Value) ([]verdict, error) {
	var out []verdict
	switch raw.Kind() {
	case '[':
		if err := json.Unmarshal(raw, &out); err != nil {
			return nil, errors.New("the IBAN Suite's list of checks cannot be read")
		}

	case '{':
		var named map[string]verdict
		if err := json.Unmarshal(raw, &named); err != nil {
			return nil, errors.New("the IBAN Suite's checks cannot be read")
		}

		for _, v := range named {
			out = append(out, v)
		}
	}

	return out, nil
}

// gravity is the order in which failed checks are reported: if a character is wrong, the other checks mean little.
func gravity() []int {
	return []int{WrongCharacter, WrongCountry, WrongLength, WrongStructure, WrongCheckDigits}
}

// judge combines the checks into one finding. An unknown code, or an answer without the IBAN's own check digits, is no
// approval.
func (a *Answer) judge(checks []verdict) error {
	found := map[int]string{}
	for _, c := range checks {
		n, err := strconv.Atoi(string(c.Code))
		if err != nil || (n < 1 || n > 7) && (n < WrongAccountDigit || n > WrongCountry || n == 204) {
			return fmt.Errorf("the IBAN Suite answered with a check %q that is not known", c.Code)
		}

		found[n] = string(c.Message)
	}

	for _, n := range gravity() {
		if message, failed := found[n]; failed {
			a.Code = n
			a.Message = message
			return nil
		}
	}

	if _, passed := found[1]; !passed {
		return errors.New("the IBAN Suite's answer lacks the result of the check digits")
	}

	a.Doubt = found[WrongAccountDigit]

	return nil
}

func readBank(raw jsontext.Value) Bank {
	var b bankData
	if raw.Kind() != '{' || json.Unmarshal(raw, &b) != nil {
		return Bank{} // optional
	}

	return Bank{
		string(b.BIC),
		string(b.Bank),
		string(b.Branch),
		string(b.Address),
		string(b.City),
		string(b.State),
		string(b.Zip),
		string(b.Phone),
		string(b.Fax),
		string(b.WWW),
		string(b.Email),
		string(b.BankCode),
		string(b.BranchCode),
	}
}

// readSEPA reads which schemes reach the bank. If all are NO for a bank without BIC in a SEPA country, the provider
// does not know the bank.
func readSEPA(raw jsontext.Value, number, bic string) SEPA {
	var schemes map[string]word
	if raw.Kind() != '{' || json.Unmarshal(raw, &schemes) != nil {
		return SEPA{}
	}

	s := SEPA{
		SCT:     yesNo(schemes["SCT"]),
		SCI:     yesNo(schemes["SCI"]),
		SDD:     yesNo(schemes["SDD"]),
		COR1:    yesNo(schemes["COR1"]),
		B2B:     yesNo(schemes["B2B"]),
		SCC:     yesNo(schemes["SCC"]),
		SCITips: yesNo(schemes["SCI_TIPS"]),
	}

	reached := false
	for _, v := range schemes {
		reached = reached || v == Yes
	}

	if len(number) >= 2 && !reached && bic == "" && iban.InSEPA(number[:2]) {
		return SEPA{}
	}

	return s
}

func yesNo(w word) string {
	switch strings.ToUpper(string(w)) {
	case Yes:
		return Yes
	case No:
		return No
	}

	return ""
}
