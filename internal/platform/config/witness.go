package config

import (
	"path/filepath"
	"strings"
)

// Witness is a store outside of the database, so that a restored backup is noticed. It holds the instance's newest
// epoch and every payment file that was handed to a bank.
type Witness struct {
	Store  string `key:"store" default:"folder" oneof:"folder s3" help:"folder: files on this machine, or on what it has mounted. s3: a bucket, of Amazon or of any server that speaks its protocol. Do not include it in the backup of the database, and never restore it with one."`
	Folder string `key:"folder" help:"Its folder, which all processes of a deployment share. Empty: witness in data_dir, which is refused with PostgreSQL."`
	S3     Bucket `key:"s3"`
}

// WitnessFolder returns witness.folder, or the default in data_dir.
func (c *Config) WitnessFolder() string {
	if c.Witness.Folder != "" {
		return c.Witness.Folder
	}

	return filepath.Join(c.DataDir, "witness")
}

// WitnessBeside reports whether the witness is kept in the folder of the database. Then both are lost and put back
// together, and nothing but the world outside shows that they are old.
func (c *Config) WitnessBeside() bool {
	path, file := strings.CutPrefix(c.DatabaseURL(), "sqlite:")
	if !file || c.Witness.Store != "folder" {
		return false
	}

	path, _, _ = strings.Cut(path, "?")

	return within(c.WitnessFolder(), filepath.Dir(path))
}

// WitnessOwn reports whether the witness is a folder of this process beside a database that others may share: with
// PostgreSQL nobody has said where all of them find it.
func (c *Config) WitnessOwn() bool {
	return c.Witness.Store == "folder" && c.Witness.Folder == "" && !strings.HasPrefix(c.DatabaseURL(), "sqlite:")
}

// ownWitness refuses a witness of one process.
func (k *checker) ownWitness(c *Config) {
	k.when(c.WitnessOwn(),
		"witness.folder is not set, and several processes may share PostgreSQL: one whose witness is another would "+
			"stop all payments. Name a folder that all of them share, or a bucket (witness.store)")
}

// witness checks the settings of the store.
func (k *checker) witness(w Witness) {
	if w.Store == "s3" {
		k.bucket("witness.s3", w.S3)
	}
}

// liveWitness reports a store that could be lost or read by others.
func (k *checker) liveWitness(w Witness) {
	if w.Store == "s3" {
		k.liveBucket("witness.s3", w.S3, "payment files")
		return
	}

	k.when(temporary(w.Folder), "witness.folder %s is emptied by the system at times", w.Folder)

	if w.Folder != "" && !filepath.IsAbs(w.Folder) {
		k.report("witness.folder %s is no full path: started from elsewhere, the service would not know how far it "+
			"had come", w.Folder)
	}
}
