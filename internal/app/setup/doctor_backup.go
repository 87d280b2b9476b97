package setup

import (
	"fmt"
	"strings"
	"time"

	"slipway/internal/app/backups"
	"slipway/internal/platform/backup"
)

// lateBackup is how far beyond its interval a back-up or a drill may be.
const lateBackup = 2 * time.Hour

// backups says whether back-ups are taken, and whether the last one that was tried could be put back.
func (d *doctor) backups() {
	const part = "back-ups"

	c := d.config.Backup
	if c.Folder == "" {
		d.say(part, Watch, "the service takes none", "set backup.folder, or see to it that others take them")
		return
	}

	if d.config.BackupBeside() {
		d.say(part, Watch, "they lie with the database, in "+c.Folder+": both are lost together",
			"set backup.folder to the disk of another machine")
	}

	var newest time.Time

	place, err := backup.Open(c.Folder)
	if err == nil {
		newest, err = place.Newest(d.clock.Now())
	}

	switch age := d.clock.Now().Sub(newest); {
	case err != nil:
		d.say(part, Wrong, err.Error(), "let the service's user read and write backup.folder")
		return
	case newest.IsZero():
		d.say(part, Watch, "there is none yet in "+c.Folder,
			"the service takes one when it runs; or: slipway backup take")
	case age > c.Every+lateBackup:
		d.say(
			part,
			Wrong,
			fmt.Sprintf("the newest is %s old", age.Round(time.Minute)),
			"the log of the service says why",
		)
	default:
		d.say(part, Fine, fmt.Sprintf("the newest is %s old", age.Round(time.Minute)), "")
	}

	d.drill(place)
}

// drill says what the last drill has found.
func (d *doctor) drill(place *backup.Place) {
	const (
		part = "back-ups, drill"
		try  = "slipway backup drill"
	)

	var last backups.Drill

	err := place.Reported(&last)
	age := d.clock.Now().Sub(last.Begun)
	every := d.config.Backup.DrillEvery

	switch {
	case err != nil:
		d.say(part, Wrong, err.Error(), try)
	case last.Begun.IsZero():
		d.say(part, Watch, "no back-up was ever tried", try)
	case len(last.Faults) > 0:
		d.say(part, Wrong, last.Name+" is not sound: "+strings.Join(last.Faults, "; "),
			"docs/how-to/back-up.md#when-a-drill-finds-a-fault")
	case every > 0 && age > every+lateBackup:
		d.say(part, Watch, fmt.Sprintf("the last was %s ago", age.Round(time.Minute)), try)
	default:
		d.say(part, Fine, fmt.Sprintf("%s was put back aside and is sound", last.Name), "")
	}
}
