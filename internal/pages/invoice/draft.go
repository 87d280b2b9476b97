package invoice

import (
	"encoding/base64"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/payments/invoicelink"
)

// draft is the invoice until it is sent. It is stored in a cookie in the person's browser, so that pages can be
// reloaded and a person can go back. It is not trusted: the invoice is checked when it is sent.
type draft struct {
	Way      string `json:"w,omitempty"` // bank, wallet or known
	Amount   string `json:"a,omitempty"`
	Currency string `json:"c,omitempty"`
	Token    string `json:"t,omitempty"`
	Number   string `json:"n,omitempty"`
	Reason   string `json:"r,omitempty"`
	Due      string `json:"d,omitempty"`
	Document string `json:"k,omitempty"` // key; "-": none, although files were uploaded
	Account  string `json:"i,omitempty"` // its number: whoever enters it sees all of it again, to check
	Wallet   string `json:"p,omitempty"` // its address: whoever enters it may see the text that proves it
}

// The ways to be paid.
const (
	wayBank   = "bank"
	wayWallet = "wallet"
	wayKnown  = "known" // where the organisation has paid before
)

// maxCookie is how long a cookie every browser stores (RFC 6265, 6.1), less the cookie's name and attributes.
const maxCookie = 3800

// readDraft parses a cookie. It returns an empty draft if the cookie cannot be parsed.
func readDraft(cookie string) draft {
	raw, err := base64.RawURLEncoding.DecodeString(cookie)

	var d draft
	if err != nil || len(cookie) > maxCookie || json.Unmarshal(raw, &d) != nil {
		return draft{}
	}

	return d
}

// text returns the cookie, and false if it is longer than browsers store.
func (d draft) text() (string, bool) {
	raw, err := json.Marshal(d)
	s := base64.RawURLEncoding.EncodeToString(raw)
	return s, err == nil && len(s) <= maxCookie
}

// complete reports whether every required field is filled. The fields are checked when the invoice is sent.
func (d draft) complete() bool {
	return d.Amount != "" && d.Reason != "" && (d.Currency != "") != (d.Token != "")
}

// invoice returns what is sent.
func (d draft) invoice() invoicelink.Invoice {
	in := invoicelink.Invoice{
		Amount:   d.Amount,
		Currency: d.Currency,
		Token:    d.Token,
		Number:   d.Number,
		Reason:   d.Reason,
	}
	if d.Document != noDocument {
		in.DocumentKey = d.Document
	}

	in.DueDate, _ = time.Parse(dateForm, d.Due)

	return in
}

const noDocument = "-"

// way returns how the person wants to be paid: by the draft, if the account or wallet was stored, else by what was
// stored.
func (v *visit) way() string {
	has := map[string]bool{
		wayBank:   v.link.Steps.BankAccount,
		wayWallet: v.link.Steps.Wallet,
		wayKnown:  v.link.Info.Existing && v.draft.Way == wayKnown,
	}
	switch {
	case has[v.draft.Way]:
		return v.draft.Way
	case has[wayBank]:
		return wayBank
	case has[wayWallet]:
		return wayWallet
	}

	return ""
}

// storeDraft stores the draft in its cookie.
func (v *visit) storeDraft() error {
	text, ok := v.draft.text()
	if !ok {
		var l fault.List
		l.Add("/reason", fault.TooLong, "is too long.")
		return l.Err()
	}

	v.setCookie(v.w, cookieDraft, v.link.ID, text)

	return nil
}

// refusedForm is a form that was refused. It is stored sealed in a cookie until the step is completed. The browser is
// redirected to the form's page, so that reloading it or going back never sends a form a second time.
type refusedForm struct {
	Page    string       `json:"p"` // path and query of the form's page
	Answers url.Values   `json:"a"`
	Wrong   *fault.Fault `json:"w"`
}

// storeRefused stores a refused form. It returns false if the form is longer than browsers store.
func (v *visit) storeRefused(answers url.Values, wrong *fault.Fault) bool {
	raw, err := json.Marshal(refusedForm{v.r.URL.RequestURI(), answers, &fault.Fault{
		Kind:   wrong.Kind,
		Code:   wrong.Code,
		Detail: wrong.Detail,
		Fields: wrong.Fields,
	}})
	if err != nil {
		return false
	}

	sealed := v.deps.Keyring.Seal(raw, sealedFor(v.link.ID))
	if len(sealed) > maxCookie {
		return false
	}

	v.setCookie(v.w, cookieForm, v.link.ID, sealed)

	return true
}

// loadRefused returns the form that was refused on this page, or an empty one if there is none or its key is gone.
func (v *visit) loadRefused() filled {
	var m refusedForm

	sealed := v.cookie(v.r, cookieForm)
	if sealed == "" {
		return filled{}
	}

	raw, err := v.deps.Keyring.Open(sealed, sealedFor(v.link.ID))
	if err != nil || json.Unmarshal(raw, &m) != nil || m.Page != v.r.URL.RequestURI() {
		return filled{}
	}

	return filled{m.Answers, m.Wrong}
}

// dropRefused deletes the refused form once a step is completed.
func (v *visit) dropRefused() {
	if v.cookie(v.r, cookieForm) != "" {
		v.setCookie(v.w, cookieForm, v.link.ID, "")
	}
}

func sealedFor(link string) string { return "invoice-form/" + link }
