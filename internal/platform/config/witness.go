package config

import "path/filepath"

// Witness is a store outside of the database, so that a restored backup is noticed. It holds the instance's newest
// epoch and every payment file that was handed to a bank.
type Witness struct {
	Store  string `key:"store" default:"folder" oneof:"folder s3" help:"folder: files on this machine, or on what it has mounted. s3: a bucket, of Amazon or of any server that speaks its protocol. Do not include it in the backup of the database, and never restore it with one."`
	Folder string `key:"folder" help:"Its folder, which all processes of a deployment share. Empty: witness in data_dir."`
	S3     Bucket `key:"s3"`
}

// WitnessFolder returns witness.folder, or the default in data_dir.
func (c *Config) WitnessFolder() string {
	if c.Witness.Folder != "" {
		return c.Witness.Folder
	}

	return filepath.Join(c.DataDir, "witness")
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

	if temporary(w.Folder) {
		k.report("witness.folder %s is emptied by the system at times", w.Folder)
	}

	if w.Folder != "" && !filepath.IsAbs(w.Folder) {
		k.report("witness.folder %s is no full path: started from elsewhere, the service would not know how far it "+
			"had come", w.Folder)
	}
}
