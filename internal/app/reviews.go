package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"slipway/internal/directory/analysis"
	"slipway/internal/directory/document"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/review"
	"slipway/internal/pages/verify"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	provider "slipway/internal/rails/idv"
)

// buildReviews builds the verification by hand. Documents and screening are built later: it reaches them when it is
// used.
func (a *App) buildReviews() {
	a.Reviews = review.New(review.Deps{
		DB:       a.DB,
		Log:      a.Log,
		Jobs:     a.Jobs,
		BaseURL:  a.Config.HTTP.BaseURL,
		Sandbox:  !a.Config.Mode.RealMoney(),
		Store:    a.storeReviewFile,
		File:     a.reviewFile,
		Screen:   a.screenNames,
		Reviewed: func(tx *db.Tx, subject string) error { return a.Verification.Reviewed(tx, subject) },
	})

	a.Jobs.Every("review-visits", time.Hour, func(ctx context.Context) error {
		_, err := a.Reviews.Forget(ctx)
		return err
	})
}

// storeReviewFile keeps a file of a case. Documents belong to organisations; those of a case belong to the case, which
// nobody can act for.
func (a *App) storeReviewFile(
	ctx context.Context,
	f review.NewFile,
	then func(tx *db.Tx, key string) error,
) error {
	n := document.New{Organisation: f.Case, Name: f.Name, DeclaredType: f.DeclaredType, Body: f.Body}

	return a.Documents.StoreThen(ctx, n, func(tx *db.Tx, d document.Stored) error { return then(tx, d.Key) })
}

// reviewFile opens a file of a case.
func (a *App) reviewFile(ctx context.Context, caseID, key string) (review.File, error) {
	content, d, err := a.Documents.Open(ctx, caseID, key)

	return review.File{Name: d.Name, ContentType: d.ContentType, Size: d.Size, Body: content}, err
}

// mayUpload refuses files of an organisation that is not APPROVED. A case may have files: its own rules say when.
func mayUpload(ctx context.Context, q db.Querier, owner string) error {
	if strings.HasPrefix(owner, review.Prefix+"_") {
		return nil
	}

	return organisationApproved(ctx, q, owner)
}

// screenNames asks whether names are like listed ones. People decide about those as about any other name.
func (a *App) screenNames(ctx context.Context, caseID string, names []string) (clean bool, err error) {
	o, err := a.Screenings.Ask(ctx, analysis.Inquiry{
		Object:  caseID,
		Purpose: analysis.ForSubmit,
		Parties: func() ([]analysis.Party, error) {
			parties := make([]analysis.Party, len(names))
			for i, name := range names {
				parties[i] = analysis.Party{Name: name}
			}

			return parties, nil
		},
	})
	if err != nil {
		return false, err
	}

	if slices.ContainsFunc(o.Findings, func(f analysis.Finding) bool { return f.Down }) {
		return false, errors.New("screening could not be asked: " + o.Why())
	}

	return o.Clear(), nil
}

// verificationPages registers the hosted form.
func (a *App) verificationPages(api *web.API) {
	verify.Routes(api, verify.Deps{
		Reviews: a.Reviews,
		Log:     a.Log,
		Secure:  strings.HasPrefix(a.Config.HTTP.BaseURL, "https://"),
	})
}

// verifiers sends each level to whoever verifies it. An applicant stays with the one that has it.
type verifiers struct {
	manual  *review.Service
	outside idv.Provider // nil: there is none
	byHand  []string     // levels
}

// Create implements idv.Provider.
func (v verifiers) Create(ctx context.Context, n provider.New) (provider.Review, error) {
	if slices.Contains(v.byHand, n.LevelName) {
		return v.manual.Create(ctx, n)
	}

	if v.outside == nil {
		return provider.Review{}, provider.ErrUnknown
	}

	return v.outside.Create(ctx, n)
}

// Applicant implements idv.Provider.
func (v verifiers) Applicant(ctx context.Context, applicantID string) (provider.Review, error) {
	p := v.of(applicantID)
	if p == nil {
		return provider.Review{}, provider.ErrUnknown
	}

	return p.Applicant(ctx, applicantID)
}

// UpdateInfo implements idv.Provider.
func (v verifiers) UpdateInfo(
	ctx context.Context,
	kind provider.Kind,
	applicantID string,
	info map[string]any,
) error {
	p := v.of(applicantID)
	if p == nil {
		return provider.ErrUnknown
	}

	return p.UpdateInfo(ctx, kind, applicantID, info)
}

// Token implements idv.Provider.
func (v verifiers) Token(
	ctx context.Context,
	externalUserID, levelName string,
	ttl time.Duration,
) (provider.Token, error) {
	t, err := v.manual.Token(ctx, externalUserID, levelName, ttl)
	if !errors.Is(err, provider.ErrNotFound) || v.outside == nil {
		return t, err
	}

	return v.outside.Token(ctx, externalUserID, levelName, ttl)
}

// of returns who has an applicant, or nil if nobody is configured who could.
func (v verifiers) of(applicantID string) idv.Provider {
	if strings.HasPrefix(applicantID, review.Prefix+"_") {
		return v.manual
	}

	return v.outside
}
