package invoice

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
)

// The steps, by the last part of their paths.
const (
	stepYou     = "you"
	stepWay     = "way"
	stepBank    = "bank"
	stepWallet  = "wallet"
	stepProve   = "prove"
	stepInvoice = "invoice"
	stepCheck   = "check"
	stepDone    = "done"
)

// visit is one request for one step of a link that works.
type visit struct {
	*pages
	words *words.Words
	w     http.ResponseWriter
	r     *http.Request
	token string
	link  invoicelink.Opened
	draft draft
}

// step is a page of a link. show returns the page with the answers and what is wrong with them. take processes the form
// and returns the next step.
type step struct {
	show func(v *visit, f filled) (page, error)
	take func(v *visit, answers url.Values) (next string, err error)
	file bool // the form carries a file
}

// filled is a form as it was sent: the answers, and what is wrong with them. Without answers the page shows what is
// known.
type filled struct {
	answers url.Values
	wrong   *fault.Fault
}

func steps() map[string]step {
	return map[string]step{
		stepYou:     {show: showYou, take: takeYou},
		stepWay:     {show: showWay, take: takeWay},
		stepBank:    {show: showBank, take: takeBank},
		stepWallet:  {show: showWallet, take: takeWallet},
		stepProve:   {show: showProve, take: takeProve},
		stepInvoice: {show: showInvoice, take: takeInvoice, file: true},
		stepCheck:   {show: showCheck, take: takeCheck},
		stepDone:    {show: showDone},
	}
}

// step serves every step of every link.
func (p *pages) step(w http.ResponseWriter, r *http.Request) {
	link := chi.URLParam(r, "link")
	name := chi.URLParam(r, "step")

	s, known := steps()[name]
	if name != "" && !known || r.Method == http.MethodPost && s.take == nil {
		p.stop(w, r, http.StatusNotFound, "There is nothing here", "Open the link in your mail once more.")
		return
	}

	token := p.cookie(r, cookieToken)
	if token == "" {
		p.stop(w, r, http.StatusGone, "Open the link once more",
			"This page was closed in the meantime. What you have entered is kept: open the link in your mail and "+
				"go on.")

		return
	}

	o, err := p.deps.Links.Open(r.Context(), token)
	if err != nil || o.ID != link {
		p.refused(w, r, err)
		return
	}

	v := &visit{
		pages: p,
		words: p.wordsOf(r),
		w:     w,
		r:     r,
		token: token,
		link:  o,
		draft: readDraft(p.cookie(r, cookieDraft)),
	}
	if to := v.allowed(name); to != name {
		v.goTo(to)
		return
	}

	if r.Method == http.MethodPost {
		v.take(s) //nolint:contextcheck // web.ReceiveUpload makes the upload's context out of the request's
		return
	}

	v.render(s, v.loadRefused()) //nolint:contextcheck // the visit has the request's
}

// allowed returns the named step if all steps before it are complete, else the first that is not.
func (v *visit) allowed(name string) string {
	order := []string{stepYou, stepWay, stepInvoice, stepCheck}

	need := v.needed()
	if name == stepProve && v.unproven() { // also after the invoice was sent, and always to be left out
		return name
	}

	if need == stepDone || name == stepDone || name == "" || name == stepProve {
		return need
	}

	if name == stepYou && v.link.Info.Existing {
		return need
	}

	place := name
	if name == stepBank || name == stepWallet {
		place = stepWay
	}

	if slices.Index(order, place) > slices.Index(order, need) {
		return need
	}

	return name
}

// needed returns the first step that is not complete.
func (v *visit) needed() string {
	switch {
	case v.link.Status != invoicelink.Open:
		return stepDone
	case !v.link.Info.Existing && !v.link.Steps.Receiver:
		return stepYou
	case v.way() == "":
		return stepWay
	case !v.draft.complete():
		return stepInvoice
	}

	return stepCheck
}

// goTo sends the browser to another step of the link.
func (v *visit) goTo(to string) {
	//nolint:gosec // always a path of ours
	http.Redirect(v.w, v.r, at(v.link.ID, to), http.StatusSeeOther)
}

// take processes the form of a step.
func (v *visit) take(s step) {
	answers, err := v.read(s.file)

	next := ""
	if err == nil {
		next, err = s.take(v, answers)
	}

	if err == nil {
		v.dropRefused()
		v.goTo(next)
		return
	}

	f, refused := fault.As(err)
	switch {
	case !refused, f.Code == fault.LinkInvalid:
		v.refused(v.w, v.r, err)
	case missing(f) != "":
		v.goTo(missing(f))
	case v.storeRefused(answers, f):
		http.Redirect(v.w, v.r, v.r.URL.RequestURI(), http.StatusSeeOther)
	default:
		v.render(s, filled{answers, f})
	}
}

// missing returns the step whose absence is the reason of a refusal, or "".
func missing(f *fault.Fault) string {
	for _, x := range f.Fields {
		switch {
		case x.Code != fault.InvoiceLinkIncomplete:
		case x.Pointer == "/receiver":
			return stepYou
		default:
			return stepWay
		}
	}

	return ""
}

// read returns the answers of a form. If the form may carry a file, it stores the file.
func (v *visit) read(file bool) (url.Values, error) {
	if file && strings.HasPrefix(v.r.Header.Get("Content-Type"), "multipart/") {
		return v.readParts()
	}

	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		return url.Values{}, incompleteForm()
	}

	for _, texts := range v.r.PostForm {
		for i := range texts {
			texts[i] = text.Trim(texts[i])
		}
	}

	return v.r.PostForm, nil
}

// render answers with a step's page.
func (v *visit) render(s step, f filled) {
	pg, err := s.show(v, f)
	if err != nil {
		v.refused(v.w, v.r, err)
		return
	}

	status := http.StatusOK
	if f.wrong != nil {
		pg.showFault(v.words, f.wrong)

		if v.r.Method == http.MethodPost {
			status = web.StatusOf(f.wrong)
		}
	}

	b, err := v.deps.Brands.Of(v.r.Context(), v.link.Info.Asker)
	if err != nil {
		v.refused(v.w, v.r, err)
		return
	}

	pg.Link = v.link
	pg.Brand = dressOf(b, v.link.Info.Organisation)
	pg.Path = at(v.link.ID, "")
	pg.Steps = v.progress(pg.Name)

	rules := policy
	if pg.Template == stepProve || pg.Dated() {
		rules = scriptPolicy
	}

	v.show(v.w, v.words, status, pg.Template, pg.Brand.allow(rules), pg)
}

// progress returns the steps as the top of each page shows them.
func (v *visit) progress(now string) []stage {
	stages := []stage{
		{Name: "You", Path: stepYou},
		{Name: "Where to pay", Path: stepWay},
		{Name: "Invoice", Path: stepInvoice},
		{Name: "Check and send", Path: stepCheck},
	}
	if v.link.Info.Existing {
		stages = stages[1:]
	}

	if now == stepBank || now == stepWallet || now == stepProve {
		now = stepWay
	}

	past := true
	for i := range stages {
		stages[i].Now = stages[i].Path == now
		past = past && !stages[i].Now
		stages[i].Past = past
		stages[i].Path = at(v.link.ID, stages[i].Path)
	}

	return stages
}

// refused shows a refusal that ends the visit. The cookie of a link that does not work any more stays: it does no harm.
func (p *pages) refused(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := fault.As(err)

	switch {
	case err == nil, ok && f.Code == fault.LinkInvalid:
		p.stop(w, r, http.StatusGone, "This link does not work any more",
			"It was used or withdrawn, or is too old. If you still want to hand in an invoice, ask whoever has sent "+
				"it for a new one.")

	case ok:
		p.stop(w, r, web.StatusOf(f), "Not now", p.wordsOf(r).Refusal(string(f.Code), f.Detail))

	case r.Context().Err() == context.DeadlineExceeded:
		p.stop(w, r, http.StatusServiceUnavailable, "That took too long",
			"Load the page once more in a moment. Nothing is handed in twice.")

	default:
		p.deps.Log.Error("request failed",
			"requestId", caller.RequestOf(r.Context()).ID, "path", r.URL.Path, "error", err.Error())

		p.stop(w, r, http.StatusInternalServerError, "Something failed on our side",
			"It was noted. Load the page once more in a moment. Nothing is handed in twice.")
	}
}

// stopped is a page without a next step.
type stopped struct{ Title, Text string }

func (p *pages) stop(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	p.show(w, p.wordsOf(r), status, "stop", policy, stopped{title, text})
}
