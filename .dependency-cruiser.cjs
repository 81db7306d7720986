/** Which floor may import which (ARCHITECTURE.md); each rule says why. Run by `npm run arch`. */

/** A folder may import itself and what is listed; anything else under src/ breaks the rule. */
function floorRule(name, from, allowed, comment) {
  return {
    name,
    severity: "error",
    comment,
    from: { path: `^src/${from}/`, pathNot: "\\.test\\.ts$|/testing/" },
    to: { path: "^src/", pathNot: [`^src/${from}/`, ...allowed.map((folder) => `^src/${folder}`)] },
  };
}

const engineFloors = ["core/std", "core/model", "core/expr"];
// The rooms `archive` and `server` are not built yet: their floors are laid, so that what is built there cannot begin wrong.
const pureRooms = ["core/template", "core/validate", "core/podspec", "core/podlife"];

module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      severity: "error",
      comment: "A cycle means that neither part can be read, tested or replaced by itself.",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "core-is-pure",
      severity: "error",
      comment: "The core runs in the browser and in the simulator: no Node module, no I/O.",
      from: { path: "^src/core/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "core-dependencies",
      severity: "error",
      comment: "Only pure libraries may be used in the core.",
      from: { path: "^src/core/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["npm"], pathNot: "node_modules/(js-yaml|yaml|re2js|@types/js-yaml)/" },
    },
    floorRule("std-floor", "core/std", [], "The lowest floor knows nothing but the language."),
    floorRule("model-floor", "core/model", ["core/std"], "Resources are values; they know no rules about running."),
    floorRule("expr-floor", "core/expr", ["core/std", "core/model"], "Expressions know values, not workflows."),
    floorRule(
      "template-room",
      "core/template",
      engineFloors,
      "Template resolution does not know how pods are made or live.",
    ),
    floorRule(
      "validate-room",
      "core/validate",
      [...engineFloors, "core/template"],
      "Validation reads; it does not run.",
    ),
    floorRule(
      "podspec-room",
      "core/podspec",
      [...engineFloors, "core/template"],
      "Building a pod does not know what becomes of it.",
    ),
    floorRule("podlife-room", "core/podlife", engineFloors, "The rules of a pod's life do not know the engine."),
    floorRule(
      "engine-floor",
      "core/engine",
      [...engineFloors, ...pureRooms],
      "The engine does not know what users do to workflows.",
    ),
    floorRule(
      "operations-floor",
      "core/operations",
      [...engineFloors, ...pureRooms, "core/engine"],
      "Operations are functions of values.",
    ),
    floorRule(
      "kube-floor",
      "kube",
      ["core/std", "core/model/kube", "core/model/resources"],
      "The API machinery works for any resource and has never heard of a workflow.",
    ),
    floorRule(
      "cluster-floor",
      "cluster",
      ["core/std", "core/model/kube", "core/model/resources", "kube"],
      "The embedded cluster is a Kubernetes: it knows nothing of workflows.",
    ),
    floorRule(
      "artifacts-floor",
      "artifacts",
      ["core/std", "core/model", "kube"],
      "Stores do not know why they are asked.",
    ),
    floorRule(
      "archive-floor",
      "archive",
      ["core/std", "core/model", "kube"],
      "The archive does not know why it is asked.",
    ),
    floorRule(
      "controller-floor",
      "controller",
      ["core", "kube", "cluster", "artifacts", "archive"],
      "The controller reaches the world through ports only; it knows no server, executor or terminal.",
    ),
    floorRule(
      "executor-floor",
      "executor",
      ["core", "kube", "cluster", "artifacts", "archive"],
      "The executor knows one pod; it does not know the controller.",
    ),
    floorRule(
      "server-floor",
      "server",
      ["core", "kube", "cluster", "artifacts", "archive"],
      "The server answers requests; it does not reconcile.",
    ),
    floorRule(
      "cli-room",
      "cli",
      ["core", "kube", "cluster", "artifacts", "archive", "controller", "executor", "server"],
      "The command line is given its machinery; only the composition roots in src/app put it together.",
    ),
    {
      name: "no-test-code",
      severity: "error",
      comment: "What ships must not lean on tests.",
      from: { path: "^src/", pathNot: "\\.test\\.ts$" },
      to: { path: "\\.test\\.ts$|^test/" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".js"],
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node"],
    },
  },
};
