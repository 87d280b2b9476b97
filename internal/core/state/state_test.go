package state_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/state"
)

type light string

func lights() *state.Table[light] {
	return state.New("light",
		state.Move[light]{From: "", To: "RED", On: "made"},
		state.Move[light]{From: "RED", To: "GREEN", On: "clear"},
		state.Move[light]{From: "RED", To: "AMBER", On: "wait"},
		state.Move[light]{From: "AMBER", To: "GREEN", On: "clear"},
		state.Move[light]{From: "AMBER", To: "GREEN", On: "override"},
		state.Move[light]{From: "GREEN", To: "GREEN", On: "note"},
	)
}

func TestTableAllowsItsMovesAndNoOther(t *testing.T) {
	table := lights()
	allowed := map[[2]light]bool{
		{"", "RED"}:        true,
		{"RED", "GREEN"}:   true,
		{"RED", "AMBER"}:   true,
		{"AMBER", "GREEN"}: true,
		{"GREEN", "GREEN"}: true,
	}

	all := []light{"", "RED", "AMBER", "GREEN", "BLUE"}
	for _, from := range all {
		for _, to := range all {
			require.Equal(t, allowed[[2]light{from, to}], table.Allows(from, to), "%q to %q", from, to)
		}
	}
}

func TestTableListsWhatItKnows(t *testing.T) {
	table := lights()
	require.Equal(t, []light{"RED", "GREEN", "AMBER"}, table.States())
	require.Equal(t, []light{"AMBER", "GREEN"}, table.From("RED"))
	require.Equal(t, []light{"GREEN"}, table.From("AMBER"), "two causes, one move")
	require.Empty(t, table.From("BLUE"))
	require.True(t, table.Final("GREEN"), "a move to itself leads nowhere")
	require.False(t, table.Final("RED"))
}

func TestTableNeverChangesAfterItIsMade(t *testing.T) {
	moves := []state.Move[light]{{From: "", To: "RED", On: "made"}, {From: "RED", To: "GREEN", On: "clear"}}
	table := state.New("light", moves...)
	moves[1].From = "BLUE"
	table.States()[0] = "BLUE"
	require.Equal(t, []light{"RED", "GREEN"}, table.States())
	require.Equal(t, []light{"GREEN"}, table.From("RED"))
}

func TestTableRefusesAMoveTwice(t *testing.T) {
	m := state.Move[light]{From: "RED", To: "GREEN", On: "clear"}
	require.PanicsWithValue(t, `state light: RED to GREEN on "clear" stands twice`, func() { state.New("light", m, m) })
}

func TestDiagramDrawsEveryMove(t *testing.T) {
	require.Equal(
		t,
		"# light\n\nGenerated from the code's transition table; a test keeps it "+
			"fresh.\n\n```mermaid\nstateDiagram-v2\n"+
			"    [*] --> RED: made\n    RED --> GREEN: clear\n    RED --> AMBER: wait\n    AMBER --> GREEN: "+
			"clear\n    AMBER --> GREEN: override\n    GREEN --> GREEN: note\n"+
			"    GREEN --> [*]\n```\n",
		lights().Diagram(),
	)
}
