package signin

import (
	"net/url"
	"path"
	"strings"
)

// localPage returns where a browser goes after a sign-in: the page of the console that it wanted to see, or the first
// one for anything else. It is never on another site.
func localPage(next string) string {
	const home = "/console"

	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.Contains(u.Path, `\`) {
		return home
	}

	wanted := path.Clean("/" + u.Path)
	signsIn := strings.HasPrefix(wanted, home+"/session")

	if !strings.HasPrefix(wanted, home+"/") || signsIn && wanted != back {
		return home
	}

	out := url.URL{Path: wanted, RawQuery: u.RawQuery}

	return out.String()
}
