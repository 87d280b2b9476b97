package config

import (
	"path/filepath"
	"strings"
	"time"

	"slipway/internal/platform/secret"
)

// Backup is where the service keeps copies of its database, documents and bank files, and how often it proves that they
// can be put back.
type Backup struct {
	Folder     string        `key:"folder" help:"Place of the back-ups: a folder, best on the disk of another machine. Every process of a deployment has the same. The keyring and the witness are not in it, and belong elsewhere. Empty: the service takes none."`
	Every      time.Duration `key:"every" default:"1h" min:"5m" max:"168h" help:"How often a back-up is taken. Documents and bank files are copied once, so each takes little more than the compressed database."`
	Keep       time.Duration `key:"keep" default:"840h" min:"48h" max:"87600h" help:"How long back-ups are kept: each for two days, then the first of each day."`
	DrillEvery time.Duration `key:"drill_every" default:"24h" min:"0s" max:"720h" help:"How often the newest back-up is put back aside and its book verified. 0s: only by slipway backup drill."`
	DrillURL   secret.Text   `key:"drill_url" help:"postgres://user:password@host/name on whose server a drill makes the database NAME_drill, and removes it. The role must be allowed to make databases. Empty: database.url. With SQLite: unused."`
}

// Backed returns the folders that belong to a back-up beside the database, by their names in it.
func (c *Config) Backed() map[string]string {
	out := map[string]string{"bank-archive": c.BankArchive()}
	if c.Documents.Store == "folder" {
		out["documents"] = c.DocumentFolder()
	}

	return out
}

// BackupBeside reports whether the back-ups lie in the folder of the deployment: both are lost together.
func (c *Config) BackupBeside() bool {
	return c.Backup.Folder != "" && within(c.Backup.Folder, c.DataDir)
}

// within reports whether a folder is another one or lies in it.
func within(folder, other string) bool {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}

	if other, err = filepath.Abs(other); err != nil {
		return false
	}

	rest, err := filepath.Rel(other, folder)

	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

// backup checks the settings of back-ups.
func (k *checker) backup(c *Config) {
	if c.Backup.Folder == "" {
		return
	}

	for name, folder := range c.Backed() {
		k.when(within(c.Backup.Folder, folder) || within(folder, c.Backup.Folder),
			"backup.folder %s and the folder of the %s hold each other: back-ups would be backed up",
			c.Backup.Folder, strings.ReplaceAll(name, "-", " "))
	}

	k.when(
		c.Witness.Store == "folder" && within(c.WitnessFolder(), c.Backup.Folder),
		"witness.folder %s lies in backup.folder: the witness must not be put back with the database",
		c.WitnessFolder(),
	)
}

// liveBackup reports a place that could be lost.
func (k *checker) liveBackup(b Backup) {
	k.when(temporary(b.Folder), "backup.folder %s is emptied by the system at times", b.Folder)
	k.when(b.Folder != "" && !filepath.IsAbs(b.Folder),
		"backup.folder %s is no full path: started from elsewhere, the service would begin another place", b.Folder)
}
