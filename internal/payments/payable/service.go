package payable

import (
	"context"
	"errors"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Deps is what the use cases need of the rest of the program.
type Deps struct {
	DB           *db.DB
	Transactions *transaction.Service
	// Documents gives those of the keys that are the organisation's own documents; nil: there are none.
	Documents func(ctx context.Context, q db.Querier, organisation string, keys []string) (map[string]Document, error)
}

// Service is the use cases of payables.
type Service struct{ Deps }

// New makes the service.
func New(d Deps) *Service { return &Service{d} }

// Done is called at the end of a write with what the client will see.
type Done = func(tx *db.Tx, v View) error

var errUnbuilt = errors.New("payable: under construction")

// Create makes a DRAFT for the caller's organisation. A second call makes a second one, with a warning.
func (s *Service) Create(ctx context.Context, in Input, done Done) error { return errUnbuilt }

// New makes a DRAFT for the caller's organisation in the caller's transaction. Refusals are of the fields of in, all at once.
func (s *Service) New(ctx context.Context, tx *db.Tx, in Input) (Payable, error) {
	return Payable{}, errUnbuilt
}

// View is how a payable is shown to the caller's organisation, with what stands in other tables.
func (s *Service) View(ctx context.Context, q db.Querier, p Payable) (View, error) {
	return View{}, errUnbuilt
}

// ByID gives a payable of an organisation. An unknown one and another organisation's are refused alike.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Payable, error) {
	return Payable{}, errUnbuilt
}
