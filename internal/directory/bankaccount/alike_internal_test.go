package bankaccount

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// an account that is easily taken for another one is found among all of them, however old the other one is.
func TestAccountsThatLookAlikeAreFoundAmongThousands(t *testing.T) {
	const (
		known   = "DE89370400440532013000"
		many    = 5_000
		sameEnd = "DE89500105170648493000" // the same ends
		typo    = "DE88370400440532013001" // two other characters
		far     = "DE87370400441532113001" // four other characters
		longer  = "DE893704004405320130000"
	)

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dice := rand.New(rand.NewPCG(1, 2))
		ids := map[string]string{} // by IBAN, in the order in which they are stored

		store := func(organisation string, ibans ...string) {
			for _, iban := range ibans {
				ids[iban] = fmt.Sprintf("bka_%06d", len(ids))
			}

			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				for _, iban := range ibans {
					a := Account{ID: ids[iban], Organisation: organisation, IBAN: iban}
					if _, err := insert(tx, a); err != nil {
						return err
					}
				}

				return nil
			}))
		}

		store("org_a", known)

		others := make([]string, many) // all at one bank, as most are
		for i := range others {
			others[i] = fmt.Sprintf("DE%02d37040044%010d", dice.IntN(89)+10, dice.Int64N(1e10))
		}

		store("org_a", others...)
		store("org_a", sameEnd, typo, far, longer)
		store("org_b", "DE89370400440532013009")

		found := func(iban string) (out []string) {
			all, err := Alike(t.Context(), d, "org_a", ids[iban])
			require.NoError(t, err)

			for _, a := range all {
				out = append(out, a.IBAN)
			}

			return out
		}

		require.Equal(t, []string{typo, sameEnd}, found(known), "the most similar first")
		require.Contains(t, found(typo), known)
		require.Equal(t, []string{known}, found(sameEnd))
		require.NotContains(t, found(far), known)
		require.Empty(t, found(longer))
		require.Empty(t, found("DE89370400440532013009"), "another organisation's") // Z-02

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE bank_accounts SET soft_deleted = TRUE WHERE id = ?", ids[known])
			return err
		}))
		require.Empty(t, found(sameEnd), "it is gone")
	})
}

// Numbers of which any three characters differ share at least one piece, so that they are found by it.
func TestNumbersThatDifferInThreeCharactersShareAnOutline(t *testing.T) {
	number := []byte("CH4431999123000889012")
	whole := outlines(string(number))

	for a := range number {
		for b := range number {
			for c := range number {
				other := append([]byte(nil), number...)
				other[a] = 'x'
				other[b] = 'x'
				other[c] = 'x'

				shared := false
				for i, o := range outlines(string(other)) {
					shared = shared || o == whole[i]
				}

				require.True(t, shared, "%s", other)
			}
		}
	}

	require.Equal(t, [pieces + 1]string{}, outlines("1234567"), "nothing is said of numbers as short as that")
	require.False(t, alike("1234567", "1234568"))
}
