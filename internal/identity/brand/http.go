package brand

import (
	"context"
	"encoding/base64"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// View is a brand as the interface shows it.
type View struct {
	Name      string     `json:"name" doc:"what outsiders see; empty: the organisation's name" example:"Northwind"`
	Colour    string     `json:"colour" doc:"#rrggbb; empty: the service's own" example:"#0b5cad"`
	Logo      *string    `json:"logo" doc:"PNG as a data URL; null without one" example:"data:image/png;base64,iVBORw0KGgo="`
	Version   int64      `json:"version" doc:"0 while nothing was set; send it as If-Match to change what you have read"`
	UpdatedAt *time.Time `json:"updatedAt"`
}

// Record returns no identifier, since the organisation's path is the brand's, and the version.
func (v View) Record() (id string, version int64) { return "", v.Version }

func viewOf(b Brand) View {
	v := View{Name: b.Name, Colour: b.Colour, Version: b.Version}

	if len(b.Logo) > 0 {
		url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Logo)
		v.Logo = &url
	}

	if !b.UpdatedAt.IsZero() {
		at := user.Shown(b.UpdatedAt)
		v.UpdatedAt = &at
	}

	return v
}

type byOrganisation struct {
	ID string `path:"id" maxLength:"64"`
}

type setIn struct {
	byOrganisation
	Body struct {
		Name   string `json:"name" required:"false" maxLength:"200" doc:"what outsiders see, at most 60 characters; empty: the organisation's name" example:"Northwind"`
		Colour string `json:"colour" required:"false" maxLength:"20" doc:"#rrggbb; empty: the service's own" example:"#0b5cad"`
	}
}

type logoIn struct {
	byOrganisation
	Body web.Upload
}

// Routes registers the operations of an organisation's brand.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/organisations/{id}/brand" + path,
			ID:          id,
			Tag:         "organisations",
			Access:      web.Bearer,
			Summary:     summary,
			Description: description,
			Codes:       codes,
		}
	}

	web.Register(api, op("GET", "", "getBrand", "How the organisation shows itself to outsiders",
		"On the pages behind its invoice links, on its statements and invoices, and in mails."), s.handleFind)

	web.Register(api, op("PUT", "", "setBrand", "Set the name and colour that outsiders see",
		"For admins. White text is written on the colour: one that is too light is refused, and the refusal names the "+
			"nearest shade that will do.",
		fault.RoleRequired, fault.ColourContrast), s.handleSet)

	logo := op("PUT", "/logo", "setBrandLogo", "Set the logo that outsiders see",
		"For admins. A PNG or JPEG of at most 1 MiB and 1,024 pixels, as multipart/form-data with the part `file`, or "+
			"as JSON with the content in base64. The picture is written anew as PNG; nothing else of the file is kept.",
		fault.RoleRequired, fault.LogoInvalid)
	logo.Upload = &web.UploadRule{MaxBytes: MaxFile}
	web.Register(api, logo, s.handleLogo)

	web.Register(api, op("DELETE", "/logo", "deleteBrandLogo", "Show no logo", "For admins.", fault.RoleRequired),
		s.handleDropLogo)
}

func (s *Service) handleFind(ctx context.Context, in *byOrganisation) (*View, error) {
	b, err := s.find(ctx, in.ID)
	v := viewOf(b)

	return &v, err
}

func (s *Service) handleSet(ctx context.Context, in *setIn) (*View, error) {
	return web.Once(ctx, 200, viewOf, func(done func(*db.Tx, Brand) error) error {
		return s.set(ctx, in.ID, in.Body.Name, in.Body.Colour, done)
	})
}

func (s *Service) handleLogo(ctx context.Context, in *logoIn) (*View, error) {
	return web.Once(ctx, 200, viewOf, func(done func(*db.Tx, Brand) error) error {
		return s.setLogo(ctx, in.ID, in.Body.File, done)
	})
}

func (s *Service) handleDropLogo(ctx context.Context, in *byOrganisation) (*View, error) {
	return web.Once(ctx, 200, viewOf, func(done func(*db.Tx, Brand) error) error {
		return s.dropLogo(ctx, in.ID, done)
	})
}
