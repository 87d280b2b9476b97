package web

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"
)

// The empty text with which a client leaves a choice out is none of the choices.
func TestChoicesAreListedWithoutTheEmptyOne(t *testing.T) {
	s := &huma.Schema{Type: huma.TypeString, Enum: []any{"OUR", "SHA", ""}, Description: "who pays"}
	require.Equal(t, "OUR | SHA: who pays", kindText(s))
}
