package browsertest

import (
	"context"
	"fmt"
	"time"
)

// object is one of JSON.
type object = map[string]any

// control is the key of that name (W3C WebDriver, 17.4.2).
const (
	control = "\uE009"
	shift   = "\uE008"
)

// driver is what Firefox and WebKit are driven by: WebDriver BiDi and WebDriver. Both share the input actions.
type driver interface {
	navigate(ctx context.Context, url string) error
	act(ctx context.Context, actions ...object) error
	evaluate(ctx context.Context, expression string) (any, error)
	// choose sets the file of the focused field.
	choose(ctx context.Context, file string) error
	resize(ctx context.Context, width, height int64) error
	picture(ctx context.Context) ([]byte, error)
	print(ctx context.Context) ([]byte, error)
	another(ctx context.Context, complain func(string)) (driver, error)
	close(ctx context.Context)
}

// driven is a tab behind a driver.
type driven struct{ driver driver }

// unlike returns an error if a driven engine cannot look like that.
func unlike(l Look) error {
	for what, wanted := range map[string]bool{
		"a dark screen":         l.Dark,
		"a switch for scripts":  l.NoScript,
		"a choice of languages": l.Language != "",
		"a choice of zones":     l.Zone != "",
	} {
		if wanted {
			return errCannot("only Chromium has " + what + " here")
		}
	}

	return nil
}

// limited calls a function for at most waitLimit.
func limited[T any](call func(ctx context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()

	return call(ctx)
}

// within is limited without a result.
func within(call func(ctx context.Context) error) error {
	_, err := limited(func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

func (d *driven) navigate(url string) error {
	return within(func(ctx context.Context) error { return d.driver.navigate(ctx, url) })
}

func (d *driven) press(key, held string) error {
	steps := []object{{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}}
	if held != "" {
		steps = []object{
			{"type": "keyDown", "value": held},
			steps[0],
			steps[1],
			{"type": "keyUp", "value": held},
		}
	}

	return within(func(ctx context.Context) error {
		return d.driver.act(ctx, object{"type": "key", "id": "keyboard", "actions": steps})
	})
}

func (d *driven) insert(text string) error {
	_, err := d.evaluate(fmt.Sprintf("document.execCommand('insertText', false, %q)", text))
	return err
}

func (d *driven) click(x, y float64) error {
	return within(func(ctx context.Context) error {
		return d.driver.act(ctx, object{
			"type":       "pointer",
			"id":         "mouse",
			"parameters": object{"pointerType": "mouse"},
			"actions": []object{
				{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0},
				{"type": "pointerDown", "button": 0},
				{"type": "pointerUp", "button": 0},
			},
		})
	})
}

// submit marks the page, and waits for one without the mark.
func (d *driven) submit() error {
	if _, err := d.evaluate("window.browsertestLeft = true"); err != nil {
		return err
	}

	if err := d.press(Enter, ""); err != nil {
		return err
	}

	return until(d, "!window.browsertestLeft && document.readyState === 'complete'")
}

func (d *driven) choose(file string) error {
	return within(func(ctx context.Context) error { return d.driver.choose(ctx, file) })
}

func (d *driven) evaluate(expression string) (any, error) {
	return limited(func(ctx context.Context) (any, error) { return d.driver.evaluate(ctx, expression) })
}

func (d *driven) resize(width, height int64) error {
	return within(func(ctx context.Context) error { return d.driver.resize(ctx, width, height) })
}

func (d *driven) picture() ([]byte, error) { return limited(d.driver.picture) }

func (d *driven) print() ([]byte, error) { return limited(d.driver.print) }

func (d *driven) another(complain func(string)) (tab, error) {
	other, err := limited(func(ctx context.Context) (driver, error) { return d.driver.another(ctx, complain) })
	return &driven{other}, err
}

// closeLimit limits how long a tab may take to close.
const closeLimit = 10 * time.Second

func (d *driven) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	d.driver.close(ctx)
}
