package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Only what stands outside of texts has another name in Python.
func TestABodyIsWrittenForPython(t *testing.T) {
	require.Empty(t, pythonArgument(""))
	require.Equal(
		t,
		`, {"a": True, "b": [None, False], "true": "null \" false"}`,
		pythonArgument(`{"a": true, "b": [null, false], "true": "null \" false"}`),
	)
}
