//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// deliveries measures how many messages a second one endpoint gets of what has waited for it, and kills the service
// under way: nothing may be lost, and what comes twice has the same bytes.
func (d *eventBed) deliveries(ctx context.Context, address string) error {
	f := figure{
		name:     "deliveries to one endpoint, " + d.database,
		must:     1,
		goal:     2,
		unit:     "deliveries/s",
		yardName: "limit",
		load:     loadAverage(),
	}

	path, err := d.endpoint(ctx, d.one, "/one")
	if err != nil {
		return err
	}

	sent := 0

	for range d.Rounds {
		begin, err := d.released(ctx, path)
		if err != nil {
			return err
		}

		sent += sentEvents
		if err := d.taker.until(ctx, "/one", sent); err != nil {
			return err
		}

		perSecond := sentEvents / time.Since(begin).Seconds()

		f.yard = append(f.yard, 1000)
		f.ours = append(f.ours, perSecond)
		f.ratios = append(f.ratios, perSecond/1000)
	}

	twice := d.taker.twice

	if _, err := d.released(ctx, path); err != nil {
		return err
	}

	for part := range kills {
		if err := d.taker.until(ctx, "/one", sent+sentEvents*(part+1)/(kills+1)); err != nil {
			return err
		}

		if err := d.kill(ctx, address); err != nil {
			return err
		}
	}

	sent += sentEvents
	if err := d.taker.until(ctx, "/one", sent); err != nil {
		return err
	}

	f.note = fmt.Sprintf("the service was killed %d times among %d deliveries; all came, %d of them twice",
		kills, sentEvents, d.taker.twice-twice)
	d.report.add(f)

	return nil
}

// released switches the endpoint off, lets deliveries wait for it, and switches it on. It returns when that was.
func (d *eventBed) released(ctx context.Context, path string) (begin time.Time, err error) {
	c := d.api(d.one)

	if err := c.Call(ctx, "PATCH", path, object{"isEnabled": false}, nil); err != nil {
		return begin, err
	}

	body := d.draftBody(d.one, 1, nil)

	_, err = createMany(ctx, d.child.address, []tenant{d.one}, sentEvents, func(int) []byte { return body })
	if err != nil {
		return begin, err
	}

	var waiting struct{ Total int }

	for begin = time.Now(); waiting.Total < sentEvents; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > eventsLimit {
			return begin, fmt.Errorf("%d deliveries of %d are written", waiting.Total, sentEvents)
		}

		if err := c.Call(ctx, "GET", path+"/deliveries?status[]=PENDING&limit=1", nil, &waiting); err != nil {
			return begin, err
		}
	}

	begin = time.Now()

	return begin, c.Call(ctx, "PATCH", path, object{"isEnabled": true}, nil)
}

// kill ends the service as a power cut does, and starts it again.
func (d *eventBed) kill(ctx context.Context, address string) (err error) {
	if err := d.child.cmd.Process.Kill(); err != nil {
		return err
	}

	_ = d.child.cmd.Wait() // it was killed

	if d.child, err = d.startChild(ctx, address, d.Profile, true); err == nil {
		d.child.heir = true
	}

	return err
}

// command measures the command line from the start of its process to its end, for one read.
func (b *bench) command(ctx context.Context) (err error) {
	say("command line")

	f := figure{
		name:     "slipway api receivers list: start of the process to its answer, production build",
		must:     60,
		goal:     30,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

	binary := filepath.Join(b.dir, "slipway")
	if err := buildForProduction(ctx, binary); err != nil {
		return err
	}

	address, err := b.fresh(ctx, "sqlite")
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	c, err := b.startChild(ctx, address, "", true)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, c.stop()) }()

	t, err := b.signUp(ctx, c.address, 0, false)
	if err != nil {
		return err
	}

	for range b.Rounds {
		var took []float64

		for range commandRuns {
			cmd := exec.CommandContext(ctx, binary, "api", "receivers", "list", "--limit", "1", "-o", "id")
			cmd.Env = []string{"SLIPWAY_API_URL=http://" + c.address, "SLIPWAY_API_TOKEN=" + t.token}
			cmd.Stderr = os.Stderr
			begin := time.Now()

			out, err := cmd.Output()
			if err != nil || !bytes.HasPrefix(out, []byte("rcv_")) {
				return errors.Join(err, fmt.Errorf("the command line answers %q", out))
			}

			took = append(took, time.Since(begin).Seconds()*1000)
		}

		f.ratios = append(f.ratios, median(took))
	}

	f.ours = f.ratios
	b.report.add(f)

	return nil
}
