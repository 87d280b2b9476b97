package overview

import (
	"context"

	"slipway/internal/platform/web"
)

type overviewIn struct {
	Weeks int `query:"weeks" default:"12" minimum:"1" maximum:"53" doc:"weeks of paid and settled, with the present one"`
}

// Routes registers the operation.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/overview",
		ID:      "readOverview",
		Tag:     "organisations",
		Access:  web.Tenant,
		Summary: "Read what waits for you, what falls due, what was paid, and what is to be set up",
		Description: "Sums are texts, one for each currency: nothing is added up over currencies. The answer costs " +
			"about the same however many transactions there are.",
	}, func(ctx context.Context, in *overviewIn) (*View, error) {
		v, err := s.Read(ctx, in.Weeks)
		return &v, err
	})
}
