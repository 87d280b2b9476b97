// Package manifests holds what is handed out for containers against the types and schemas of those who read it. It is a
// module of its own: none of what it needs enters the product.
package manifests

import (
	"bytes"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	compose "github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const packages = "../../packages"

// started are the commands that a container may run. TestPackagesCallWhatThereIs of the program knows them too.
var started = [][]string{
	{"serve", "--config", "/etc/slipway/slipway.toml"},
	{"migrate", "--config", "/etc/slipway/slipway.toml"},
	{"doctor", "--config", "/etc/slipway/slipway.toml"},
}

// objects decodes the documents of a manifest as strictly as an API server can be asked to (fieldValidation=Strict): a
// field that there is not, or one that stands twice, is an error.
func objects(raw []byte) ([]runtime.Object, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{core.AddToScheme, apps.AddToScheme, batch.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}

	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme,
		json.SerializerOptions{Yaml: true, Strict: true})

	var out []runtime.Object

	for _, document := range bytes.Split(raw, []byte("\n---\n")) {
		o, _, err := strict.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}

		out = append(out, o)
	}

	return out, nil
}

func kubernetes(t *testing.T) string {
	t.Helper()

	raw, err := os.ReadFile(path.Join(packages, "kubernetes", "slipway.yaml"))
	require.NoError(t, err)

	return string(raw)
}

// Every field of the manifests is one of Kubernetes' own types, and what names another part of them names one that is
// there.
func TestKubernetesManifestsFitTheirTypes(t *testing.T) {
	found, err := objects([]byte(kubernetes(t)))
	require.NoError(t, err)

	kinds := map[string]int{}
	ports := map[string]core.PodTemplateSpec{}

	for _, o := range found {
		kinds[o.GetObjectKind().GroupVersionKind().Kind]++

		switch o := o.(type) {
		case *batch.Job:
			require.Equal(t, core.RestartPolicyOnFailure, o.Spec.Template.Spec.RestartPolicy)
			pod(t, o.Spec.Template)

		case *apps.Deployment:
			selector := labels.SelectorFromSet(o.Spec.Selector.MatchLabels)
			require.False(t, selector.Empty())
			require.True(t, selector.Matches(labels.Set(o.Spec.Template.Labels)), "the replicas would never be found")
			pod(t, o.Spec.Template)
			probes(t, o.Spec.Template.Spec.Containers[0])
			shared(t, o.Spec.Template.Spec.Containers[0])
			ports[labels.FormatLabels(o.Spec.Template.Labels)] = o.Spec.Template

		case *core.Service:
			served, ok := ports[labels.FormatLabels(o.Spec.Selector)]
			require.True(t, ok, "the service leads nowhere")
			require.True(t, hasPort(served.Spec.Containers[0], o.Spec.Ports[0].TargetPort.StrVal))
		}
	}

	require.Equal(t, map[string]int{"Job": 1, "Deployment": 1, "Service": 1}, kinds)
}

// pod requires what every pod keeps: no root, nothing to write but its mounts, and mounts of volumes that it has.
func pod(t *testing.T, p core.PodTemplateSpec) {
	t.Helper()

	require.Empty(t, validation.ValidateLabels(p.Labels, field.NewPath("labels")))
	require.True(t, *p.Spec.SecurityContext.RunAsNonRoot)
	require.EqualValues(t, 65532, *p.Spec.SecurityContext.RunAsUser)
	require.Equal(t, core.SeccompProfileTypeRuntimeDefault, p.Spec.SecurityContext.SeccompProfile.Type)
	require.False(t, *p.Spec.AutomountServiceAccountToken)

	for _, v := range p.Spec.Volumes {
		if v.Secret != nil {
			require.Zero(t, *v.Secret.DefaultMode&0o007, "serve refuses keys that everybody may read")
		}
	}

	for _, c := range p.Spec.Containers {
		require.Contains(t, started, c.Args)
		require.True(t, *c.SecurityContext.ReadOnlyRootFilesystem)
		require.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
		require.Equal(t, []core.Capability{"ALL"}, c.SecurityContext.Capabilities.Drop)

		for _, m := range c.VolumeMounts {
			require.True(
				t,
				slices.ContainsFunc(p.Spec.Volumes, func(v core.Volume) bool { return v.Name == m.Name }),
				m.Name,
			)
		}
	}
}

// shared requires that replicas keep nothing on their own disks that another one, or the next, has to find.
func shared(t *testing.T, c core.Container) {
	t.Helper()

	for _, name := range []string{"SLIPWAY_WITNESS__STORE", "SLIPWAY_DOCUMENTS__STORE"} {
		require.Contains(t, c.Env, core.EnvVar{Name: name, Value: "s3"})
	}
}

// probes requires that the three probes ask for what the service answers, at a port that it has.
func probes(t *testing.T, c core.Container) {
	t.Helper()

	for where, probe := range map[string]*core.Probe{
		"/healthz":  c.LivenessProbe,
		"/healthz ": c.StartupProbe,
		"/readyz":   c.ReadinessProbe,
	} {
		require.Equal(t, strings.TrimSpace(where), probe.HTTPGet.Path)
		require.True(t, hasPort(c, probe.HTTPGet.Port.StrVal))
	}
}

func hasPort(c core.Container, name string) bool {
	return slices.ContainsFunc(c.Ports, func(p core.ContainerPort) bool { return p.Name == name })
}

// A field that is misspelt, of another type, or given twice is refused; a test that takes anything would show nothing.
func TestKubernetesManifestsAreReadStrictly(t *testing.T) {
	for what, change := range map[string][2]string{
		"misspelt":      {"readinessProbe:", "readynessProbe:"},
		"other case":    {"enableServiceLinks", "enableservicelinks"},
		"a word":        {"replicas: 2", "replicas: two"},
		"twice":         {"  replicas: 2", "  replicas: 2\n  replicas: 3"},
		"no such kind":  {"kind: Deployment", "kind: Deploymint"},
		"other version": {"apiVersion: apps/v1", "apiVersion: apps/v9"},
	} {
		text := kubernetes(t)
		changed := strings.Replace(text, change[0], change[1], 1)
		require.NotEqual(t, text, changed, what)

		_, err := objects([]byte(changed))
		require.Error(t, err, what)
	}
}

// project loads the compose file as docker compose does: against the schema of the Compose Specification, and with
// what it names of its own parts.
func project(t *testing.T, text string) (*compose.Project, error) {
	t.Helper()

	return loader.LoadWithContext(t.Context(), compose.ConfigDetails{
		WorkingDir:  t.TempDir(),
		ConfigFiles: []compose.ConfigFile{{Filename: "compose.yaml", Content: []byte(text)}},
	}, func(o *loader.Options) { o.SetProjectName("slipway", true) }, loader.WithProfiles([]string{"*"}))
}

func composeFile(t *testing.T) string {
	t.Helper()

	raw, err := os.ReadFile(path.Join(packages, "compose", "compose.yaml"))
	require.NoError(t, err)

	return string(raw)
}

// The compose file fits the schema. Only who sets up may write settings and keys, and nothing runs as root.
func TestComposeFileFitsItsSchema(t *testing.T) {
	p, err := project(t, composeFile(t))
	require.NoError(t, err)

	ours := 0

	for name, s := range p.Services {
		if s.Image != "slipway:local" {
			continue
		}

		ours++

		require.Contains(t, started, []string(s.Command), name)
		require.Contains(t, s.DependsOn, map[bool]string{true: "migrate", false: "postgres"}[name == "slipway"])

		settings := slices.IndexFunc(
			s.Volumes,
			func(v compose.ServiceVolumeConfig) bool { return v.Target == "/etc/slipway" },
		)
		require.GreaterOrEqual(t, settings, 0, name)
		require.Equal(t, name != "setup", s.Volumes[settings].ReadOnly, name)
	}

	require.Equal(t, 3, ours)
	require.Equal(t, "65532:65532", p.Services["slipway"].User)
	require.Equal(t, []string{"setup"}, p.Services["setup"].Profiles, "it is started by name alone")
}

// A compose file that is misspelt, or names a part that there is not, is refused.
func TestComposeFileIsReadStrictly(t *testing.T) {
	for what, change := range map[string]*regexp.Regexp{
		"misspelt":       regexp.MustCompile(`read_only: true`),
		"no such volume": regexp.MustCompile(`(?m)^  data:$`),
		"no such secret": regexp.MustCompile(`secrets: \[postgres\]`),
	} {
		text := composeFile(t)
		wrong := map[string]string{
			"misspelt":       "readonly: true",
			"no such volume": "  dat:",
			"no such secret": "secrets: [postgre]",
		}[what]
		changed := change.ReplaceAllString(text, wrong)
		require.NotEqual(t, text, changed, what)

		_, err := project(t, changed)
		require.Error(t, err, what)
	}
}
