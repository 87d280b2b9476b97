//go:build !nosandbox

package apptest

import "github.com/stretchr/testify/require"

// Operators are two people of the platform who may change what moves money: one asks, the other one decides.
type Operators struct {
	*Client         // who asks
	Second  *Client // who decides

	h *Harness
}

// Approval is an approval as tests look at it.
type Approval struct {
	ID          string `json:"_id"`
	Status      string `json:"status"`
	Summary     string `json:"summary"`
	Outcome     string `json:"outcome"`
	OutcomeInfo string `json:"outcomeInfo"`
}

// Operators makes two of them.
func (h *Harness) Operators() Operators {
	h.T.Helper()

	two := Operators{Client: h.Person("Olga"), Second: h.Person("Otto"), h: h}
	for _, person := range []*Client{two.Client, two.Second} {
		person.Staff("operator")
		person.StaySignedIn()
	}

	return two
}

// Decide is the second operator's word about what was asked for.
func (o Operators) Decide(asked Answer, decision string) Answer {
	o.h.T.Helper()

	return o.Second.Do("POST", "/operations/approvals/"+asked.OK(202).ID()+"/decision", Object{
		"decision": decision,
		"comment":  "Looked at.",
	})
}

// Approve has the second operator approve what was asked for, runs the job that may carry it out, and returns the
// approval as it is then.
func (o Operators) Approve(asked Answer) Approval {
	o.h.T.Helper()
	o.Decide(asked, "APPROVED").OK(200)
	o.h.RunJobs()

	return o.Approval(asked.ID())
}

// Carried is Approve, and requires that it was carried out.
func (o Operators) Carried(asked Answer) {
	o.h.T.Helper()

	a := o.Approve(asked)
	require.Equal(o.h.T, "CARRIED_OUT", a.Outcome, a.OutcomeInfo)
}

// Approval reads an approval as operators see it.
func (o Operators) Approval(id string) Approval {
	o.h.T.Helper()

	var list struct {
		Results []Approval `json:"results"`
	}

	o.Do("GET", "/operations/approvals?limit=250", nil).OK(200).Into(&list)

	for _, a := range list.Results {
		if a.ID == id {
			return a
		}
	}

	o.h.T.Fatalf("there is no approval %s of the platform", id)

	return Approval{}
}
