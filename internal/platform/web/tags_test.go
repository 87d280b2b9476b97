package web

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// A misspelt check would never run, so the service does not start with one.
func TestFieldsWithUnknownTagsAreRefused(t *testing.T) {
	type nested struct {
		Name string `json:"name" maxLenght:"3"`
	}

	type parameter struct {
		Limit int `query:"limit" max:"3" doc:"results"`
	}

	type body struct {
		Body struct {
			Names []nested `json:"names" maxItems:"3"`
		}
	}

	for name, test := range map[string]struct {
		in   reflect.Type
		says string
	}{
		"of a parameter":         {reflect.TypeFor[parameter](), "field Limit of web.parameter has the unknown tag max"},
		"of an object in a body": {reflect.TypeFor[body](), "field Name of web.nested has the unknown tag maxLenght"},
	} {
		t.Run(name, func(t *testing.T) {
			require.PanicsWithValue(t, "web: "+test.says, func() { newInput(test.in, Operation{}) })
		})
	}
}
