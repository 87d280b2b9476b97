package secret

import (
	"regexp"
	"strings"
)

// What stands in paths and is no secret: words of ours, identifiers, files that pages load, and what is too short to be
// one.
var (
	pathID   = regexp.MustCompile(`^([a-z]{2,8}_){1,2}[0-9a-z]{26}$`)
	pathFile = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}\.(css|html|ico|js|json|map|png|svg|woff2)$`)
)

// maxPlain is the length of the longest part of a path that is shown whatever it is. Secrets of ours are longer.
const maxPlain = 31

// inPath is written in place of a part of a path that may be a secret.
const inPath = "[redacted]"

// Path returns the path of a request without what may be a secret: a part that is long and neither an identifier nor
// the name of a file. Links that open something by themselves are such parts, of operations there are today and of
// those to come.
func Path(path string) string {
	if len(path) <= maxPlain {
		return path
	}

	parts := strings.Split(path, "/")
	for i, p := range parts {
		if len(p) > maxPlain && !pathID.MatchString(p) && !pathFile.MatchString(p) {
			parts[i] = inPath
		}
	}

	return strings.Join(parts, "/")
}
