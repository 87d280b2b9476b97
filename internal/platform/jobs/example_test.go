package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/schema"
)

// A job is written in the transaction of the decision that it follows from: both are there, or neither. A handler that
// fails is called again after a pause.
func ExampleRunner_Enqueue() {
	ctx := context.Background()

	dir, err := os.MkdirTemp("", "slipway-example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	d, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "slipway.db")})
	if err != nil {
		panic(err)
	}
	defer d.Close()

	if _, err := d.Migrate(ctx, schema.Files()); err != nil {
		panic(err)
	}

	runner := jobs.New(d, slog.New(slog.DiscardHandler), jobs.Config{})
	runner.Handle("greet", func(_ context.Context, j jobs.Job) (jobs.Result, error) {
		if j.Attempts == 0 {
			return jobs.Done(), errors.New("nobody answers")
		}

		fmt.Println("hello,", j.Payload)

		return jobs.Done(), nil
	})

	_ = d.Write(ctx, func(tx *db.Tx) error {
		runner.Enqueue(tx, "greet", "greet/ada", "Ada")
		runner.Enqueue(tx, "greet", "greet/ada", "Ada") // there is one live job for a key

		return nil
	})

	for range 3 { // the service calls Run; this steps through what is due
		n, err := runner.RunDue(ctx, 10)
		fmt.Println(n, err)
		d.Clock().Advance(time.Hour)
	}

	// Output:
	// 1 <nil>
	// hello, Ada
	// 1 <nil>
	// 0 <nil>
}
