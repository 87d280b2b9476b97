//go:build !nosandbox

package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

const (
	busyClients = 256
	busyFor     = 5 * time.Second
)

// start measures how soon a service is ready, and what memory it takes idle and busy.
func (b *bench) start(ctx context.Context) (err error) {
	say("start")

	address, err := b.fresh(ctx, "sqlite")
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	c, err := b.startChild(ctx, address, "", true) // brings the schema up to date
	if err != nil {
		return err
	}

	t, err := b.signUp(ctx, c.address, 0, false)
	if err = errors.Join(err, c.stop()); err != nil {
		return err
	}

	ready, idle, err := b.production(ctx)
	if err != nil {
		return err
	}

	if c, err = b.startChild(ctx, address, "", true); err != nil {
		return err
	}

	busy, err := b.busy(ctx, c, t)
	if err = errors.Join(err, c.stop()); err != nil {
		return err
	}

	for _, f := range []figure{ready, idle, busy} {
		f.ours = f.ratios
		b.report.add(f)
	}

	return nil
}

// busy is the most memory that the service held while many clients created and read.
func (b *bench) busy(ctx context.Context, c *child, t tenant) (figure, error) {
	f := figure{
		name:     fmt.Sprintf("resident memory at most, %d clients that create and read", busyClients),
		must:     200,
		goal:     120,
		below:    true,
		unit:     "MB",
		yardName: "-",
		load:     loadAverage(),
	}

	one := b.draftBody(t, 1, nil)

	all, err := createMany(ctx, c.address, []tenant{t}, 100, func(int) []byte { return one })
	if err != nil {
		return f, err
	}

	body := b.draftBody(t, 10, nil)

	_, err = drive(ctx, busyClients, busyFor, func(i int) (worker, error) {
		pick := newPick(len(all))
		creating := i%3 == 0

		want := 200
		if creating {
			want = 201
		}

		n := 0

		return httpWorker(c.address, want, func(buffer []byte) ([]byte, error) {
			if n++; creating {
				return request(
					buffer,
					"POST",
					"/transactions",
					t.token,
					"busy-"+strconv.Itoa(i)+"-"+strconv.Itoa(n),
					body,
				), nil
			}

			return request(buffer, "GET", "/transactions/"+all[pick()].id, t.token, "", nil), nil
		})
	})

	f.ratios = []float64{c.memory("VmHWM")}

	return f, err
}
