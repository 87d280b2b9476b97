//go:build !nosandbox

package failpoint

const enabled = true
