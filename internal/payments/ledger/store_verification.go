package ledger

import "slipway/internal/platform/db"

var verifications = db.NewTable("ledger_verifications", (*Verification).columns)

// columns lists every column once.
func (v *Verification) columns(c *db.Columns) {
	c.Text("id", &v.ID)
	c.Text("state", (*string)(&v.State))
	c.Text("asked_by", &v.AskedBy)
	c.Int("read", &v.Read)
	c.Int("journals", &v.Journals)
	c.Int("postings", &v.Postings)
	c.Int("links", &v.Links)
	c.Int("unlinked", &v.Unlinked)
	c.JSON("found", &v.Found)
	c.Time("head_at", &v.HeadAt)
	c.Int64("version", &v.Version)
	c.Time("created_at", &v.CreatedAt)
	c.Time("ended_at", &v.EndedAt)
}
