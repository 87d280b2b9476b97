package web

import "slipway/internal/core/fault"

// StatusOf returns the HTTP status of a refusal, for handlers that show it as a page.
func StatusOf(f *fault.Fault) int {
	if status := statusOf[f.Kind]; status != 0 {
		return status
	}

	return 500
}
