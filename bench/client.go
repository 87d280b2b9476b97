//go:build !nosandbox

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	slipway "slipway-client"
)

// client compares the Go client with what a program would write by hand: the same reads of a person's own account, over
// the same kind of connections, decoded into the same type.
func (d *bed) client(ctx context.Context) error {
	if d.database != "sqlite" && wanted(d.On, "sqlite") {
		return nil // what is compared runs in this process
	}

	const clients = 4

	of := func(make func(h *http.Client) (func() error, error)) side {
		return func(ctx context.Context, _ int) (outcome, error) {
			h := &http.Client{
				Transport: &http.Transport{MaxIdleConnsPerHost: clients},
				Timeout:   exchangeLimit,
			}
			defer h.CloseIdleConnections()

			return drive(ctx, clients, time.Minute, func(int) (worker, error) {
				read, err := make(h)
				if err != nil {
					return worker{}, err
				}

				left := 500

				return worker{do: func() error {
					if left--; left < 0 {
						return errEnough
					}

					return read()
				}}, nil
			})
		}
	}

	address := "http://" + d.child.address
	token := d.tenants[0].token

	return d.interleaved(ctx, figure{
		name:     "reads through the Go client, 4 clients",
		must:     0.9,
		goal:     0.95,
		yardName: "net/http and encoding/json by hand",
		unit:     "reads/s",
	}, of(func(h *http.Client) (func() error, error) {
		return func() error { return readByHand(ctx, h, address+"/users/me", token) }, nil
	}), of(func(h *http.Client) (func() error, error) {
		c, err := slipway.New(slipway.Config{Address: address, Auth: slipway.Bearer(token), HTTP: h})

		return func() error {
			_, err := c.GetMe(ctx)
			return err
		}, err
	}))
}

func readByHand(ctx context.Context, h *http.Client, address, token string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}

	r.Header.Set("Authorization", "Bearer "+token)

	a, err := h.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close() // it was only read

	raw, err := io.ReadAll(a.Body)
	if err != nil {
		return err
	}

	if a.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", a.StatusCode)
	}

	return json.Unmarshal(raw, &slipway.UserView{})
}
