package kms

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The signatures of two requests are those of AWS's published test suite for Signature Version 4 (get-vanilla,
// post-vanilla).
func TestRequestsAreSignedAsPublished(t *testing.T) {
	c := Credentials{KeyID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}
	now := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)

	for method, signature := range map[string]string{
		http.MethodGet:  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		http.MethodPost: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
	} {
		r, err := http.NewRequest(method, "https://example.amazonaws.com/", nil)
		require.NoError(t, err)

		scope{region: "us-east-1", service: "service"}.sign(r, nil, c, now)
		require.Equal(t, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "+
			"SignedHeaders=host;x-amz-date, Signature="+signature, r.Header.Get("Authorization"))
	}
}
