package transaction

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each column of the table of payments can be asked for by its name, and no other.
func TestColumnsOfTheTableAreThoseThatCanBeAskedFor(t *testing.T) {
	f, _ := reflect.TypeFor[exportIn]().FieldByName("Columns")
	require.Equal(t, f.Tag.Get("enum"), strings.Join(namesOf(tableColumns), ","))
}
