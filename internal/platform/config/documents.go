package config

import (
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"slipway/internal/platform/secret"
)

// Documents is where uploaded invoices are kept, and how much of them.
type Documents struct {
	Store          string        `key:"store" default:"folder" oneof:"folder s3" help:"folder: files on this machine, or on what it has mounted. s3: a bucket, of Amazon or of any server that speaks its protocol."`
	Folder         string        `key:"folder" help:"Folder for documents; with s3, for those on their way into the bucket. Empty: documents in data_dir. All processes of a deployment share it, unless the store is s3."`
	Encrypt        bool          `key:"encrypt" default:"true" help:"Whether documents are encrypted (AES-256-GCM), each with a key of its own that security.keyring seals. What was stored before stays as it is."`
	Room           int           `key:"room" default:"10240" min:"0" max:"100000000" help:"MiB that the documents of one organisation may take. 0: no limit."`
	UploadsPerHour int           `key:"uploads_per_hour" default:"600" min:"0" max:"10000000" help:"Uploads of one organisation in an hour, those that are refused too. 0: no limit."`
	UploadsAtOnce  int           `key:"uploads_at_once" default:"256" min:"1" max:"100000" help:"Uploads that this process takes at the same time; more are answered 503 at once. One organisation has at most a quarter of them; more are answered 429."`
	KeepDeleted    time.Duration `key:"keep_deleted" default:"24h" min:"0s" max:"8760h" help:"How long the bytes of a deleted document stay, for a mistake to be mended by hand."`
	Scanner        string        `key:"scanner" help:"Virus scanner that every upload is shown to: clamd, at host:port or at the path of its socket. While it does not answer, nothing is stored. Empty: none."`
	S3             DocumentsS3   `key:"s3"`
}

// DocumentsS3 is the bucket.
type DocumentsS3 struct {
	Endpoint  string      `key:"endpoint" help:"Address of the server, such as https://s3.eu-central-1.amazonaws.com."`
	Region    string      `key:"region" default:"us-east-1" help:"Region of the bucket. Servers that have no regions take any."`
	Bucket    string      `key:"bucket" help:"Name of the bucket. It must exist, and should let nobody else read."`
	Prefix    string      `key:"prefix" default:"documents/" help:"What the name of every object begins with."`
	AccessKey string      `key:"access_key" help:"Name of the access key. It needs to put, get and delete objects, and nothing else."`
	Secret    secret.Text `key:"secret" help:"The access key's secret."`
	PathStyle bool        `key:"path_style" default:"false" help:"Whether the bucket's name stands in the path instead of in the host: so with most servers that are not Amazon's."`
}

// DocumentFolder is documents.folder, or its place in data_dir.
func (c *Config) DocumentFolder() string {
	if c.Documents.Folder != "" {
		return c.Documents.Folder
	}
	return filepath.Join(c.DataDir, "documents")
}

// documents checks what a store needs.
func (k *checker) documents(d Documents) {
	if d.Scanner != "" && !strings.HasPrefix(d.Scanner, "/") {
		k.listen("documents.scanner", d.Scanner, false)
	}
	if d.Store != "s3" {
		return
	}
	u, err := url.Parse(d.S3.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") != "" || u.User != nil {
		k.say("documents.s3.endpoint: %q is not an address such as https://s3.eu-central-1.amazonaws.com", d.S3.Endpoint)
	}
	for key, given := range map[string]bool{"bucket": d.S3.Bucket != "", "region": d.S3.Region != "", "access_key": d.S3.AccessKey != "", "secret": d.S3.Secret != ""} {
		if !given {
			k.say("documents.s3.%s is needed with documents.store s3", key)
		}
	}
}

// liveDocuments finds places where documents would be lost or seen.
func (k *checker) liveDocuments(d Documents) {
	if temporary(d.Folder) && d.Store == "folder" {
		k.say("documents.folder %s is emptied by the system at times", d.Folder)
	}
	if d.Folder != "" && !filepath.IsAbs(d.Folder) {
		k.say("documents.folder %s is no full path: started from elsewhere, the service would find no documents", d.Folder)
	}
	if u, err := url.Parse(d.S3.Endpoint); d.Store == "s3" && err == nil && u.Scheme != "https" && !local(u.Hostname()) {
		k.say("documents.s3.endpoint %s is not https: invoices would travel in clear text", d.S3.Endpoint)
	}
}
