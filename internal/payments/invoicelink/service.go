package invoicelink

import "slipway/internal/platform/db"

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB *db.DB
}

// Service holds the use cases of invoice links.
type Service struct{ deps Deps }

// New makes the service.
func New(d Deps) *Service { return &Service{d} }
