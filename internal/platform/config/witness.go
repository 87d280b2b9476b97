package config

import "path/filepath"

// Witness is where is kept what must not go back in time with the database: how far this instance has come, and every
// payment file that was handed to a bank.
type Witness struct {
	Store  string `key:"store" default:"folder" oneof:"folder s3" help:"folder: files on this machine, or on what it has mounted. s3: a bucket, of Amazon or of any server that speaks its protocol. It must not be in the back-up of the database, and never be restored with it."`
	Folder string `key:"folder" help:"Folder for it; all processes of a deployment share it. Empty: witness in data_dir."`
	S3     Bucket `key:"s3"`
}

// WitnessFolder is witness.folder, or its place in data_dir.
func (c *Config) WitnessFolder() string {
	if c.Witness.Folder != "" {
		return c.Witness.Folder
	}

	return filepath.Join(c.DataDir, "witness")
}

// witness checks what a store needs.
func (k *checker) witness(w Witness) {
	if w.Store == "s3" {
		k.bucket("witness.s3", w.S3)
	}
}

// liveWitness finds places where the witness would be lost or seen.
func (k *checker) liveWitness(w Witness) {
	if w.Store == "s3" {
		k.liveBucket("witness.s3", w.S3, "payment files")
		return
	}

	if temporary(w.Folder) {
		k.say("witness.folder %s is emptied by the system at times", w.Folder)
	}

	if w.Folder != "" && !filepath.IsAbs(w.Folder) {
		k.say(
			"witness.folder %s is no full path: started from elsewhere, the service would not know how far it had come",
			w.Folder,
		)
	}
}
