package schema_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/analyses/schema"
)

// asksForCompletion runs taplo's language server like an editor that opens car.toml of a folder. It prints the names
// offered at the position behind the last line. Requests of the server get empty answers.
const asksForCompletion = `
import fs from "fs"; import path from "path"; import url from "url"; import taplo from "@taplo/lsp";
const folder = process.argv[2], uri = url.pathToFileURL(folder).href, file = uri + "/car.toml";
const local = (u) => { try { return url.fileURLToPath(u); } catch { return ""; } };
const text = fs.readFileSync(path.join(folder, "car.toml"), "utf8");
const answers = {};
let lsp, count = 0;
const send = (message) => lsp.send({ jsonrpc: "2.0", ...message });
const ask = (method, params) => new Promise((done) => {
  answers[++count] = done;
  send({ id: count, method, params });
});
lsp = await taplo.TaploLsp.initialize({
  now: () => new Date(), envVar: (name) => process.env[name], envVars: () => Object.entries(process.env),
  stdErrAtty: () => false, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, glob: () => [],
  readFile: (name) => fs.promises.readFile(name), writeFile: async () => {}, urlToFilePath: local,
  isAbsolute: path.isAbsolute, cwd: () => folder, findConfigFile: () => undefined,
  fetch: { fetch, Headers, Request, Response },
}, {
  onMessage(m) {
    if (m.id !== undefined && m.method) {
      send({ id: m.id, result: m.method === "workspace/configuration" ? m.params.items.map(() => ({})) : null });
    } else if (answers[m.id]) {
      answers[m.id](m);
    }
  },
});
await ask("initialize", { processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: "cars" }],
  capabilities: { workspace: { configuration: true }, textDocument: { completion: {} } } });
send({ method: "initialized", params: {} });
send({ method: "textDocument/didOpen",
  params: { textDocument: { uri: file, languageId: "toml", version: 1, text } } });
let items = [];
for (let tries = 0; tries < 40 && items.length === 0; tries++) {
  await new Promise((done) => setTimeout(done, 500));
  const answer = await ask("textDocument/completion",
    { textDocument: { uri: file }, position: { line: text.split("\n").length - 1, character: 0 } });
  items = Array.isArray(answer.result) ? answer.result : answer.result?.items ?? [];
}
console.log(JSON.stringify(items.map((item) => item.label)));
process.exit(0);
`

// The language server taplo completes the keys of a spring and damper, of a phase and of its signal by the schemas.
// SKIDPAD_TAPLO is a folder with its package; the stage "editors" of build.sh makes it.
func TestTaploCompletesKeys(t *testing.T) {
	packages := os.Getenv("SKIDPAD_TAPLO")
	if packages == "" {
		t.Skip("SKIDPAD_TAPLO is not set; the stage editors of build.sh sets it")
	}
	for _, test := range []struct {
		kind, text string
		keys       []string
	}{
		{"model", `name = "Car"
[component.spring]
type = "spring-damper"
joint = "susp"
`,
			[]string{"stiffness", "damping", "quadratic_damping", "free_length", "spring_force"}},
		{"manoeuvre", `name = "turn"
cars = "cars"
[[phase]]
name = "step"
`,
			[]string{"duration", "until", "steering", "speed", "path"}},
		{"manoeuvre", `name = "turn"
cars = "cars"
[path_follower]
`, []string{"preview", "lag", "rate"}},
		{"car", `[roles]
chassis = "body"
[roles.outline]
`, []string{"width", "front", "rear"}},
	} {
		offered := completed(t, packages, test.kind, test.text)
		for _, key := range test.keys {
			if !slices.Contains(offered, key) {
				t.Errorf("%s of a %s file is not offered among %q", key, test.kind, offered)
			}
		}
	}
}

// completed are the names that taplo offers behind a text of a kind of files.
func completed(t *testing.T, packages, kind, text string) (offered []string) {
	t.Helper()
	s, err := schema.Of(kind)
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"asks.mjs": asksForCompletion, kind + ".schema.json": string(written),
		"car.toml": "#:schema ./" + kind + ".schema.json\n" + text} {
		if err := os.WriteFile(filepath.Join(packages, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("node", filepath.Join(packages, "asks.mjs"), packages).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &offered); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return offered
}
