package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFingerprintGoesByMeaning(t *testing.T) {
	const body = `{"amount":"1.50","note":"Größe","list":[1,2],"large":9007199254740993}`

	for name, other := range map[string]struct {
		body string
		same bool
	}{
		"white space":           {"\n{ \"amount\" : \"1.50\",\"note\":\"Größe\",\t\"list\":[1, 2],\"large\":9007199254740993 }\r\n", true},
		"order of members":      {`{"large":9007199254740993,"list":[1,2],"note":"Größe","amount":"1.50"}`, true},
		"escapes":               {`{"\u0061mount":"1\u002e50","note":"Gr\u00f6\u00dfe","list":[1,2],"large":9007199254740993}`, true},
		"another text":          {`{"amount":"1.51","note":"Größe","list":[1,2],"large":9007199254740993}`, false},
		"order of a list":       {`{"amount":"1.50","note":"Größe","list":[2,1],"large":9007199254740993}`, false},
		"a large number and +1": {`{"amount":"1.50","note":"Größe","list":[1,2],"large":9007199254740994}`, false},
		"one member more":       {`{"amount":"1.50","note":"Größe","list":[1,2],"large":9007199254740993,"x":null}`, false},
		"no body":               {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := fingerprint([]byte(body))
			require.NoError(t, err)
			b, err := fingerprint([]byte(other.body))
			require.NoError(t, err)
			require.Equal(t, other.same, a == b)
		})
	}
}

func TestWhatIsNoJSONHasNoFingerprint(t *testing.T) {
	for _, body := range []string{" ", `{"a":1,}`, `{"a":1,"a":1}`, `[1,]`, "\"\xff\"", `{} {}`, `"\ud800"`, "01"} {
		_, err := fingerprint([]byte(body))
		require.Error(t, err, "%q", body)
	}
}
