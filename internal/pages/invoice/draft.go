package invoice

import (
	"encoding/base64"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/payments/invoicelink"
)

// draft is the invoice until it is sent. It lies in a cookie of the person's own browser, so that a page can be
// loaded anew and a person can go back; nothing in it is believed: whatever is sent is checked like anything that
// arrives.
type draft struct {
	Way      string `json:"w,omitempty"` // bank, wallet or known
	Amount   string `json:"a,omitempty"`
	Currency string `json:"c,omitempty"`
	Token    string `json:"t,omitempty"`
	Number   string `json:"n,omitempty"`
	Reason   string `json:"r,omitempty"`
	Due      string `json:"d,omitempty"`
	Document string `json:"k,omitempty"` // key; "-": none, although files were handed in
}

// The ways to be paid.
const (
	wayBank   = "bank"
	wayWallet = "wallet"
	wayKnown  = "known" // as the organisation has paid before
)

// maxCookie is what browsers keep for certain (RFC 6265, 6.1), less the cookie's name and attributes.
const maxCookie = 3800

// readDraft returns what a cookie holds; what cannot be read is an empty draft.
func readDraft(cookie string) draft {
	raw, err := base64.RawURLEncoding.DecodeString(cookie)

	var d draft
	if err != nil || len(cookie) > maxCookie || json.Unmarshal(raw, &d) != nil {
		return draft{}
	}

	return d
}

// text is the cookie; false when it is longer than browsers keep.
func (d draft) text() (string, bool) {
	raw, err := json.Marshal(d)
	s := base64.RawURLEncoding.EncodeToString(raw)
	return s, err == nil && len(s) <= maxCookie
}

// complete reports whether everything that must be is there; if it is right is decided when it is sent.
func (d draft) complete() bool {
	return d.Amount != "" && d.Reason != "" && (d.Currency != "") != (d.Token != "")
}

// invoice is what would be sent.
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

// way is how the person wants to be paid: as the draft has it, where that was handed in, else as was handed in.
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

// keep stores the draft.
func (v *visit) keep() error {
	text, ok := v.draft.text()
	if !ok {
		var l fault.List
		l.Add("/reason", fault.TooLong, "is too long.")
		return l.Err()
	}

	v.setCookie(v.w, cookieDraft, v.link.ID, text)

	return nil
}

// mistaken is a form that was refused. It is kept in a cookie, sealed, until the step is done: the browser is sent
// back to the form's page, so that loading it anew or going back to it never sends a form a second time.
type mistaken struct {
	Page    string       `json:"p"` // path and query of the form's page
	Answers url.Values   `json:"a"`
	Wrong   *fault.Fault `json:"w"`
}

// mind keeps a refused form; false when it is longer than browsers keep.
func (v *visit) mind(answers url.Values, wrong *fault.Fault) bool {
	raw, err := json.Marshal(mistaken{v.r.URL.RequestURI(), answers, &fault.Fault{
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

// minded returns back the form that was refused on this page, or none. One that cannot be opened, of a key that is
// gone, is none.
func (v *visit) minded() filled {
	var m mistaken

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

// forget lets go of a refused form when a step is done.
func (v *visit) forget() {
	if v.cookie(v.r, cookieForm) != "" {
		v.setCookie(v.w, cookieForm, v.link.ID, "")
	}
}

func sealedFor(link string) string { return "invoice-form/" + link }
