package config

import (
	"path/filepath"
	"strings"
	"time"
)

// Documents is where uploaded invoices are stored, and how many.
type Documents struct {
	Store          string        `key:"store" default:"folder" oneof:"folder s3" help:"folder: files on this machine, or on what it has mounted. s3: a bucket, of Amazon or of any server that speaks its protocol."`
	Folder         string        `key:"folder" help:"Folder for documents; with s3, for uploads in progress. All processes of a deployment share it, unless the store is s3. Empty: documents in data_dir."`
	Encrypt        bool          `key:"encrypt" default:"true" help:"Whether documents are encrypted (AES-256-GCM), each with its own key, which security.keyring encrypts. Documents stored earlier do not change."`
	Room           int           `key:"room" default:"10240" min:"0" max:"100000000" help:"MiB that the documents of one organisation may take. 0: no limit."`
	UploadsPerHour int           `key:"uploads_per_hour" default:"600" min:"0" max:"10000000" help:"Uploads of one organisation in an hour, including refused ones. 0: no limit."`
	UploadsAtOnce  int           `key:"uploads_at_once" default:"256" min:"1" max:"100000" help:"Concurrent uploads in this process; further ones are answered 503. One organisation has at most a quarter of them; further ones are answered 429."`
	KeepDeleted    time.Duration `key:"keep_deleted" default:"24h" min:"0s" max:"8760h" help:"How long a deleted document can be recovered by hand."`
	Scanner        string        `key:"scanner" help:"Virus scanner for every upload: clamd, at host:port or the path of its socket. While it does not answer, uploads are refused. Empty: none."`
	S3             Bucket        `key:"s3"`
}

// DocumentFolder returns documents.folder, or the default in data_dir.
func (c *Config) DocumentFolder() string {
	if c.Documents.Folder != "" {
		return c.Documents.Folder
	}

	return filepath.Join(c.DataDir, "documents")
}

// documents checks the settings of the store.
func (k *checker) documents(d Documents) {
	if d.Scanner != "" && !strings.HasPrefix(d.Scanner, "/") {
		k.entry("documents.scanner", listen(d.Scanner))
	}

	if d.Store != "s3" {
		return
	}

	k.bucket("documents.s3", d.S3)
}

// liveDocuments reports a store that could be lost or read by others.
func (k *checker) liveDocuments(d Documents) {
	k.when(temporary(d.Folder) && d.Store == "folder",
		"documents.folder %s is emptied by the system at times", d.Folder)

	k.when(d.Folder != "" && !filepath.IsAbs(d.Folder),
		"documents.folder %s is no full path: started from elsewhere, the service would find no documents", d.Folder)

	if d.Store == "s3" {
		k.liveBucket("documents.s3", d.S3, "invoices")
	}
}
