// Package verify serves the hosted form of a verification by hand. A person or a company answers questions, hands in
// documents and sends everything; two of the platform's people decide.
//
// It promises:
//   - The pages work with the keyboard alone, on a telephone, and without scripts.
//   - They load nothing from elsewhere and cannot be framed.
//   - The token reaches no log and no other site: it stands behind the # of the address, works once, and is exchanged
//     for a cookie that scripts cannot read and other sites' requests do not carry.
//   - They speak the browser's language.
//   - Every form is answered with a redirect, so that reloading and going back do no harm.
//
// Package review decides what is right and wrong.
package verify

import (
	"embed"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/document"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/review"
	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
	provider "slipway/internal/rails/idv"
)

//go:embed pages.html open.js
var files embed.FS

// The Content-Security-Policies, as on the pages of invoice links: only the page that opens a token runs a script.
const (
	policy     = look.Policy
	openPolicy = policy + "; script-src 'self'"
)

const (
	cookieVisit = "verification"
	maxForm     = 64 << 10 // also of an answer beside files
	maxAnswers  = 64
	maxUpload   = 8 * document.MaxSize // one that is too large is read to its end, so that the browser shows our page
)

// Deps is what the pages need from elsewhere.
type Deps struct {
	Reviews *review.Service
	Log     *slog.Logger
	Secure  bool // browsers reach the service over https; cookies are then sent over https only
}

type pages struct {
	deps  Deps
	own   *http.CrossOriginProtection
	pages *look.Pages
}

// Routes mounts the pages with their script and style sheet.
func Routes(api *web.API, d Deps) {
	p := &pages{
		deps:  d,
		own:   http.NewCrossOriginProtection(),
		pages: look.Parse(files, "pages.html", nil),
	}

	p.own.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.stop(
			w,
			r,
			http.StatusForbidden,
			"This came from another page",
			"Nothing was changed. Open your link once more.",
		)
	}))

	mount := func(method, path string, h http.HandlerFunc) { api.Mount(method, path, web.Public, p.own.Handler(h)) }
	mount("GET", "/verify", p.showOpen)
	mount("POST", "/verify/open", p.open)
	mount("GET", "/verify/assets/{file}", p.asset)
	mount("GET", "/verify/form", p.showForm)
	mount("POST", "/verify/form", p.saveForm)
	mount("POST", "/verify/documents", p.handIn)
	mount("POST", "/verify/send", p.send)
}

func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	switch chi.URLParam(r, "file") {
	case "look.css":
		look.Send(w, http.StatusOK, look.Styles, policy, look.CSS)
	case "open.js":
		script, _ := files.ReadFile("open.js") // it is embedded above
		look.Send(w, http.StatusOK, look.Script, policy, script)
	default:
		p.stop(w, r, http.StatusNotFound, "There is nothing here", "Open your link once more.")
	}
}

// show answers with a page.
func (p *pages) show(w http.ResponseWriter, r *http.Request, status int, name, policy string, v any) {
	p.pages.Show(w, p.pages.Words(r), p.deps.Log, status, name, policy, v)
}

// stopped is a page without a next step.
type stopped struct{ Title, Text string }

func (p *pages) stop(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	p.show(w, r, status, "stop", policy, stopped{title, text})
}

// opening is the page that asks for a token.
type opening struct{ Wrong string }

// showOpen shows the page that links lead to. Opening it changes nothing.
func (p *pages) showOpen(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, http.StatusOK, "open", openPolicy, opening{})
}

// open exchanges the token for a visit, in a cookie.
func (p *pages) open(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)

	pasted := r.PostFormValue("code")
	token := text.Unspaced(pasted[strings.LastIndexByte(pasted, '#')+1:])

	visit, err := p.deps.Reviews.Begin(r.Context(), token)
	if fault.Is(err, fault.LinkInvalid) {
		p.show(w, r, http.StatusGone, "open", openPolicy, opening{
			Wrong: "This link does not work any more: each works once, and for a few minutes. Ask for a new one.",
		})

		return
	}

	if err != nil {
		p.refused(w, r, err)
		return
	}

	//nolint:gosec // Secure is false only where the base URL is http: a sandbox on this machine
	http.SetCookie(w, &http.Cookie{
		Name:     p.cookieName(),
		Value:    visit,
		Path:     "/verify",
		Secure:   p.deps.Secure,
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, "/verify/form", http.StatusSeeOther)
}

// cookieName returns the cookie's name. With https it has the prefix that lets browsers accept it over https only.
func (p *pages) cookieName() string {
	if p.deps.Secure {
		return "__Secure-" + cookieVisit
	}

	return cookieVisit
}

func (p *pages) visit(r *http.Request) string {
	c, err := r.Cookie(p.cookieName())
	if err != nil {
		return ""
	}

	return c.Value
}

// field is a question with its answer and what is wrong with it.
type field struct {
	review.Question

	Value, Wrong string
	Fixed        bool // known from the registration: it is shown and not asked
	Countries    []refdata.Country
}

// proof is a document that is asked for, and how many files of it are there.
type proof struct {
	review.Proof

	Files int
	Wrong string
}

// form is the page with everything.
type form struct {
	Company  bool
	Editable bool
	Status   review.Status
	Comment  string
	Problem  string
	Fields   []field
	Proofs   []proof
}

func (p *pages) showForm(w http.ResponseWriter, r *http.Request) { p.render(w, r, nil, nil) }

// render shows the form: as it is stored, or as it was sent and what is wrong with it.
func (p *pages) render(w http.ResponseWriter, r *http.Request, answers map[string]string, wrong *fault.Fault) {
	v, err := p.deps.Reviews.Find(r.Context(), p.visit(r))
	if err != nil {
		p.refused(w, r, err)
		return
	}

	f := form{
		Company:  v.Case.Kind == provider.Organisation,
		Editable: v.Editable(),
		Status:   v.Case.Status,
		Comment:  v.Comment(),
	}

	status := http.StatusOK
	faults := map[string]string{}
	in := p.pages.Words(r)

	if wrong != nil {
		status = web.StatusOf(wrong)
		f.Problem, faults = refusal(in, wrong)
	}

	for _, q := range review.Questions(v.Case.Kind) {
		x := field{Question: q, Value: v.Answers()[q.Name], Wrong: faults[q.Name], Fixed: v.Fixed(q.Name)}
		if answer, sent := answers[q.Name]; sent && !x.Fixed {
			x.Value = answer
		}

		if q.Kind == "country" {
			x.Countries = countries(in)
		}

		f.Fields = append(f.Fields, x)
	}

	for _, d := range review.Proofs(v.Case.Kind) {
		x := proof{Proof: d, Wrong: faults[d.Kind]}

		for _, there := range v.Documents {
			if there.Kind == d.Kind {
				x.Files++
			}
		}

		f.Proofs = append(f.Proofs, x)
	}

	p.show(w, r, status, "form", policy, f)
}

// refusal says what is wrong with the whole, and with each field by its name.
func refusal(in *words.Words, wrong *fault.Fault) (problem string, faults map[string]string) {
	faults = map[string]string{}

	for _, x := range wrong.Fields {
		says := in.Refusal(string(x.Code), "This "+x.Message)
		if x.Code == fault.Required {
			says = in.Say("Fill this in.")
		}

		faults[strings.TrimPrefix(x.Pointer, "/")] = says
	}

	switch {
	case len(wrong.Fields) > 0:
		return in.Say("Some answers need another look."), faults
	case in.Knows(wrong.Detail):
		return in.Say(wrong.Detail), faults
	}

	return in.Refusal(string(wrong.Code), wrong.Detail), faults
}

// countries returns the countries by name. Their values are alpha-3 codes, as identity providers have them.
func countries(in *words.Words) []refdata.Country {
	all := slices.Clone(refdata.All().Countries)
	for i := range all {
		all[i].Name = in.Country(all[i].Alpha2, all[i].Name)
	}

	order := in.Order()
	slices.SortFunc(all, func(a, b refdata.Country) int { return order(a.Name, b.Name) })

	return all
}

// answersOf reads a form's answers.
func (p *pages) answersOf(w http.ResponseWriter, r *http.Request) (map[string]string, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return nil, incomplete()
	}

	out := map[string]string{}
	for name := range r.PostForm {
		out[name] = text.Trim(r.PostForm.Get(name))
	}

	return out, nil
}

func incomplete() error {
	return fault.New(fault.Malformed, fault.BodyMalformed, "The form did not arrive completely. Send it once more.")
}

func (p *pages) saveForm(w http.ResponseWriter, r *http.Request) {
	answers, err := p.answersOf(w, r)
	if err == nil {
		err = p.deps.Reviews.Save(r.Context(), p.visit(r), answers)
	}

	p.answer(w, r, answers, err)
}

// handIn saves the answers and stores the files that were chosen: one form has all of them, so that no button loses
// what stands in a field. Files are read as they arrive and never held in memory.
func (p *pages) handIn(w http.ResponseWriter, r *http.Request) {
	body, cancel := web.ReceiveUpload(w, r, maxUpload)
	defer cancel()

	parts, err := body.MultipartReader()
	if err != nil {
		p.answer(w, r, nil, incomplete())
		return
	}

	answers := map[string]string{}
	files := 0

	var problems []error

	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}

		switch {
		case err != nil:
			p.answer(w, r, answers, incomplete())
			return

		case part.FileName() != "":
			files++

			problems = append(
				problems,
				p.deps.Reviews.HandIn(body.Context(), p.visit(r), part.FormName(), review.NewFile{
					Name:         part.FileName(),
					DeclaredType: part.Header.Get("Content-Type"),
					Body:         part,
				}),
			)

		case len(answers) == maxAnswers:
			p.answer(w, r, answers, incomplete())
			return

		default:
			answer, err := io.ReadAll(io.LimitReader(part, maxForm))
			if err != nil {
				p.answer(w, r, answers, incomplete())
				return
			}

			answers[part.FormName()] = text.Trim(string(answer))
		}
	}

	_, _ = io.Copy(io.Discard, body.Body)

	if len(answers) > 0 {
		problems = append(problems, p.deps.Reviews.Save(r.Context(), p.visit(r), answers))
	}

	if files == 0 {
		problems = append(problems, fault.New(fault.Invalid, fault.Required, "Choose a file first."))
	}

	i := slices.IndexFunc(problems, func(err error) bool { return err != nil })
	if i < 0 {
		p.answer(w, r, nil, nil)
		return
	}

	p.answer(w, r, answers, problems[i])
}

// send saves the answers that the form has and sends everything.
func (p *pages) send(w http.ResponseWriter, r *http.Request) {
	answers, err := p.answersOf(w, r)
	if err == nil && len(answers) > 0 {
		err = p.deps.Reviews.Save(r.Context(), p.visit(r), answers)
	}

	if err == nil {
		err = p.deps.Reviews.Send(r.Context(), p.visit(r))
	}

	p.answer(w, r, answers, err)
}

// answer redirects to the form, or shows it with what is wrong.
func (p *pages) answer(w http.ResponseWriter, r *http.Request, answers map[string]string, err error) {
	if err == nil {
		http.Redirect(w, r, "/verify/form", http.StatusSeeOther)
		return
	}

	if f, ok := fault.As(err); ok && f.Code != fault.LinkInvalid {
		p.render(w, r, answers, f)
		return
	}

	p.refused(w, r, err)
}

// refused shows a refusal that ends the visit.
func (p *pages) refused(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := fault.As(err)

	switch {
	case ok && f.Code == fault.LinkInvalid:
		p.stop(w, r, http.StatusGone, "Open the form once more",
			"Your visit is over. What you have saved is kept. Ask for a new link where you started, and go on.")

	case ok:
		problem, _ := refusal(p.pages.Words(r), f)
		p.stop(w, r, web.StatusOf(f), "Not now", problem)

	default:
		p.deps.Log.Error("request failed",
			"requestId", caller.RequestOf(r.Context()).ID, "path", r.URL.Path, "error", err.Error())
		p.stop(w, r, http.StatusInternalServerError, "Something failed on our side",
			"It was noted. Load the page once more in a moment.")
	}
}
