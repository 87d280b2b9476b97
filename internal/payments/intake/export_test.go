package intake

// MakePayees makes the payees of a table that was checked before, and MakeDraft one transaction of some of its
// payments.
var (
	MakePayees = (*Service).payees
	MakeDraft  = (*Service).draft
)

// ErrMeanwhile says that another request was first.
var ErrMeanwhile = errMeanwhile
