package signin

import (
	"net/url"
	"path"
	"strings"
)

// localPage returns where a browser goes after a sign-in: the page of the console that it wanted to see, or the first
// one for anything else. The answer begins with the site's own path and never with another site.
func localPage(prefix, next string) string {
	home := prefix + "/console"

	root, err := url.PathUnescape(home)
	if err != nil {
		return home
	}

	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.Contains(u.Path, `\`) {
		return home
	}

	wanted := path.Clean("/" + u.Path)
	signsIn := strings.HasPrefix(wanted, root+"/session")

	if !strings.HasPrefix(wanted, root+"/") || signsIn && wanted != root+strings.TrimPrefix(back, "/console") {
		return home
	}

	out := url.URL{Path: wanted, RawQuery: u.RawQuery}

	return out.String()
}
