package config

import (
	"net/url"
	"strings"

	"slipway/internal/platform/secret"
)

// Bucket is a bucket of Amazon's S3, or of a server that speaks its protocol.
type Bucket struct {
	Endpoint  string      `key:"endpoint" help:"Address of the server, such as https://s3.eu-central-1.amazonaws.com."`
	Region    string      `key:"region" default:"us-east-1" help:"Region of the bucket. Servers that have no regions take any."`
	Bucket    string      `key:"bucket" help:"Name of the bucket. It must exist, and should not be readable by others."`
	Prefix    string      `key:"prefix" default:"slipway/" help:"Prefix of every object's name."`
	AccessKey string      `key:"access_key" help:"Name of the access key. It must be allowed to put, get and delete objects, and with witness.store s3 to list them."`
	Secret    secret.Text `key:"secret" help:"The access key's secret."`
	PathStyle bool        `key:"path_style" default:"false" help:"Whether the bucket's name is part of the path instead of the host name. Most servers that are not Amazon's need it."`
}

// bucket checks the settings of a bucket in a section such as documents.s3.
func (k *checker) bucket(section string, b Bucket) {
	u, err := url.Parse(b.Endpoint)
	k.when(err != nil || site(b.Endpoint) != nil || strings.Trim(u.Path, "/") != "" || u.User != nil,
		"%s.endpoint: %q is not an address such as https://s3.eu-central-1.amazonaws.com", section, b.Endpoint)

	for key, given := range map[string]bool{
		"bucket":     b.Bucket != "",
		"region":     b.Region != "",
		"access_key": b.AccessKey != "",
		"secret":     b.Secret != "",
	} {
		k.when(!given, "%s.%s is needed with %s.store s3", section, key, strings.TrimSuffix(section, ".s3"))
	}
}

// liveBucket reports a bucket that is reached without encryption.
func (k *checker) liveBucket(section string, b Bucket, what string) {
	if u, err := url.Parse(b.Endpoint); err == nil && u.Scheme != "https" && !local(u.Hostname()) {
		k.report("%s.endpoint %s is not https: %s would travel in clear text", section, b.Endpoint, what)
	}
}
