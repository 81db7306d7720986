import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "one kind of work",
    `
entrypoint: a
templates:
  - {name: a, suspend: {}}
`,
    `
entrypoint: a
templates:
  - {name: a, suspend: {}}
  - {name: b}
  - {name: c, container: {image: i}, script: {image: i, source: x}}
`,
    [
      'error missing-field spec.templates[1]: template "b" says nothing of what it does | hint: add one of container, script, steps, dag, suspend, … | argo: templates.b templates.b template type unspecified. choose one of: container, containerSet, steps, script, resource, dag, suspend, template, template ref',
      "error conflict spec.templates[2].script: container and script: a template does one thing | hint: make a template of each, and call them as steps or tasks | argo: templates.c templates.c multiple template types specified. choose one of: container, containerSet, steps, script, resource, dag, suspend, template, template ref",
    ],
  ],
  [
    "retry policy",
    `
entrypoint: a
templates:
  - {name: a, retryStrategy: {retryPolicy: OnTransientError}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, retryStrategy: {retryPolicy: "{{workflow.name}}"}, container: {image: i}}
`,
    [
      'error bad-value spec.templates[0].retryStrategy.retryPolicy: "{{workflow.name}}" is none of Always, OnError, OnFailure, OnTransientError | argo: {{workflow.name}} is not a valid RetryPolicy',
    ],
  ],
  [
    "retries and their backoff",
    `
entrypoint: a
retryStrategy: {limit: 3, backoff: {duration: 5, factor: 2, cap: 1m}}
templates:
  - {name: a, retryStrategy: {limit: "{{workflow.parameters.count}}", expression: "asInt(lastRetry.exitCode) > 1 && retries != '2'", backoff: {duration: 1m, maxDuration: 1h}}, container: {image: i}}
arguments: {parameters: [{name: count, value: 3}]}
`,
    `
entrypoint: a
retryStrategy: {limit: many, backoff: {factor: 1.5}}
templates:
  - {name: a, retryStrategy: {limit: x, expression: "lastRetry.exitCode >", backoff: {duration: soon, maxDuration: 1 hour}}, container: {image: i}}
`,
    [
      'error bad-value spec.templates[0].retryStrategy.limit: "x" is no whole number',
      'error bad-value spec.templates[0].retryStrategy.backoff.duration: "soon" is no duration | hint: write such as 30s, 5m, 1h30m',
      'error bad-value spec.templates[0].retryStrategy.backoff.maxDuration: "1 hour" is no duration | hint: write such as 30s, 5m, 1h30m',
      "error bad-expression spec.templates[0].retryStrategy.expression: the expression cannot be read: unexpected token EOF (1:20) | hint: lastRetry.exitCode >\n...................^",
      'error bad-value spec.retryStrategy.limit: "many" is no whole number',
      "error missing-field spec.retryStrategy.backoff: backoff.duration is missing | hint: add duration: 10s, the first wait",
    ],
  ],
  [
    "init containers",
    `
entrypoint: a
templates:
  - {name: a, initContainers: [{name: b, image: i}], container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, initContainers: [{name: "", image: i}], container: {image: i}}
`,
    [
      "error bad-name spec.templates[0].initContainers[0]: an init container without a name | argo: initContainers must all have container name",
    ],
  ],
  [
    "timeouts",
    `
entrypoint: a
templates:
  - {name: a, timeout: 1m30s, pendingTimeout: 30s, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, timeout: 1m, pendingTimeout: 1m, steps: [[{name: s, template: b}]]}
  - {name: b, timeout: 60, container: {image: i}}
  - {name: c, timeout: soon, pendingTimeout: later, container: {image: i}}
`,
    [
      "error conflict spec.templates[0].timeout: only a template that makes a pod has a timeout | hint: set it in the templates that are called | argo: Steps template doesn't support timeout field",
      "error conflict spec.templates[0].pendingTimeout: only a template that makes a pod has a pendingTimeout | hint: set it in the templates that are called | argo: Steps template doesn't support pendingTimeout field",
      'error bad-value spec.templates[1].timeout: timeout "60" has no unit | hint: write 60s | argo: templates.a.steps[0].s b has invalid duration format in timeout',
      'error bad-value spec.templates[2].timeout: "soon" is no duration | hint: write such as 30s, 5m, 1h30m',
      'error bad-value spec.templates[2].pendingTimeout: "later" is no duration | hint: write such as 30s, 5m, 1h30m',
    ],
  ],
  [
    "deadlines",
    `
entrypoint: a
templates:
  - {name: a, activeDeadlineSeconds: 5, container: {image: i}}
  - {name: b, inputs: {parameters: [{name: count, value: 5}]}, activeDeadlineSeconds: "{{inputs.parameters.count}}", container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, activeDeadlineSeconds: -5, container: {image: i}}
  - {name: b, activeDeadlineSeconds: 5m, container: {image: i}}
  - {name: c, activeDeadlineSeconds: 5, dag: {tasks: [{name: s, template: b}]}}
`,
    [
      "error invalid spec.templates[0].activeDeadlineSeconds: -5 is no number of seconds | hint: write whole seconds, 1 or more | argo: templates.a.activeDeadlineSeconds must be a positive integer > 0 or an argo variable",
      "error invalid spec.templates[1].activeDeadlineSeconds: 5m is no number of seconds | hint: write whole seconds, 1 or more | argo: templates.b templates.b.activeDeadlineSeconds must be a positive integer > 0 or an argo variable",
      "error conflict spec.templates[2].activeDeadlineSeconds: only a template that makes a pod has activeDeadlineSeconds | hint: set it in the templates that are called, or for the whole workflow in spec.activeDeadlineSeconds | argo: templates.c templates.c.activeDeadlineSeconds is only valid for leaf templates",
    ],
  ],
  [
    "parallelism",
    `
entrypoint: a
templates:
  - {name: a, parallelism: 2, steps: [[{name: s, template: b}]]}
  - {name: b, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, steps: [[{name: s, template: b}]]}
  - {name: b, parallelism: 2, container: {image: i}}
`,
    [
      "error conflict spec.templates[1].parallelism: parallelism is for steps and dag templates | argo: templates.a.steps[0].s templates.b.parallelism is only valid for steps and dag templates",
    ],
  ],
  [
    "images",
    `
entrypoint: a
templateDefaults: {container: {image: i}, script: {image: i}}
templates:
  - {name: a, container: {command: [x]}}
  - {name: b, script: {source: x}}
`,
    `
entrypoint: a
templateDefaults: {script: {image: i}}
templates:
  - {name: a, container: {command: [x]}}
  - {name: b, script: {source: x}}
`,
    [
      "error missing-field spec.templates[0].container: image is missing | hint: add image: … | argo: templates.a.container.image may not be empty",
    ],
  ],
  [
    "the image of a script",
    `
entrypoint: a
templates:
  - {name: a, script: {image: i, source: x}}
`,
    `
entrypoint: a
templates:
  - {name: a, script: {source: x}}
`,
    [
      "error missing-field spec.templates[0].script: image is missing | hint: add image: … | argo: templates.a.script.image may not be empty",
    ],
  ],
  [
    "mounts of volumes that there are",
    `
entrypoint: a
volumes: [{name: w, emptyDir: {}}]
volumeClaimTemplates: [{metadata: {name: claim}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
templateDefaults: {volumes: [{name: usual, emptyDir: {}}]}
templates:
  - {name: a, volumes: [{name: own, emptyDir: {}}], container: {image: i, volumeMounts: [{name: w, mountPath: /w}, {name: claim, mountPath: /c}, {name: own, mountPath: /o}, {name: usual, mountPath: /u}, {name: "{{workflow.name}}", mountPath: /n}]}}
`,
    `
entrypoint: a
volumes: [{name: cache, emptyDir: {}}]
templates:
  - {name: a, volumes: [{name: own, emptyDir: {}}], container: {image: i, volumeMounts: [{name: cash, mountPath: /c}]}, initContainers: [{name: b, image: i, volumeMounts: [{name: own, mountPath: /o}, {name: gone, mountPath: /n}]}]}
  - {name: s, script: {image: i, source: x, volumeMounts: [{name: own, mountPath: /o}]}}
`,
    [
      'warning unresolved spec.templates[0].container.volumeMounts[0].name: no volume is called "cash": the template fails when it runs | hint: did you mean "cache"?',
      'warning unresolved spec.templates[0].initContainers[0].volumeMounts[1].name: no volume is called "gone": the template fails when it runs | hint: there are cache, own',
      'warning unresolved spec.templates[1].script.volumeMounts[0].name: no volume is called "own": the template fails when it runs | hint: there are cache',
    ],
  ],
  [
    "mounts",
    `
entrypoint: a
volumes: [{name: v, emptyDir: {}}]
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /f, raw: {data: x}}]}, container: {image: i, volumeMounts: [{name: v, mountPath: /v}]}}
`,
    `
entrypoint: a
volumes: [{name: v, emptyDir: {}}]
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /v, raw: {data: x}}]}, container: {image: i, volumeMounts: [{name: v, mountPath: /v}, {name: v, mountPath: /v}]}}
`,
    [
      "error conflict spec.templates[0].container.volumeMounts[1].mountPath: /v is taken by container.volumeMounts.v already | argo: templates.a.container.volumeMounts[1].mountPath '/v' already mounted in container.volumeMounts.v",
      "error conflict spec.templates[0].inputs.artifacts[0].path: /v is taken by container.volumeMounts.v already | argo: templates.a.inputs.artifacts[0].path '/v' already mounted in container.volumeMounts.v",
    ],
  ],
  [
    "sidecars",
    `
entrypoint: a
templates:
  - {name: a, sidecars: [{name: s, image: i}], container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, sidecars: [{name: wait, image: i}], container: {image: i}}
`,
    [
      'error bad-name spec.templates[0].sidecars[0].name: "wait" is the name of a container that is added to each pod | argo: templates.a.sidecars: "wait" is a reserved Argo container name',
    ],
  ],
  [
    "suspend",
    `
entrypoint: a
templates:
  - {name: a, suspend: {duration: 20}}
  - {name: b, suspend: {duration: "{{inputs.parameters.d}}"}, inputs: {parameters: [{name: d, value: 1m}]}}
`,
    `
entrypoint: a
templates:
  - {name: a, suspend: {duration: later}}
`,
    ['error bad-value spec.templates[0].suspend.duration: "later" is no duration | hint: write such as 30s, 5m, 1h30m'],
  ],
  [
    "container sets",
    `
entrypoint: a
templates:
  - {name: a, outputs: {parameters: [{name: p, valueFrom: {path: /p}}]}, containerSet: {containers: [{name: b, image: i}, {name: main, image: i, dependencies: [b]}]}}
`,
    `
entrypoint: a
templates:
  - {name: a, outputs: {parameters: [{name: p, valueFrom: {path: /p}}]}, containerSet: {containers: [{name: b, image: i, dependencies: [c, d]}, {name: d, image: i, dependencies: [b]}, {name: wait, image: i}]}}
  - {name: b, containerSet: {containers: []}}
`,
    [
      "error no-template spec.templates[0].containerSet.containers[0].dependencies[0]: there is no container \"c\" | argo: templates.a.containerSet.containers.b dependency 'c' not defined",
      'error bad-name spec.templates[0].containerSet.containers[2].name: "wait" is the name of a container that is added to each pod | argo: templates.a.containerSet.containers: "wait" is a reserved Argo container name',
      "error cycle spec.templates[0].containerSet.containers: containers wait for one another: b -> d -> b | argo: templates.a.containerSet.containers dependency cycle detected: b->d->b",
      'error invalid spec.templates[0].containerSet.containers: inputs and outputs need a container named "main" | argo: templates.a.containerSet.containers must have a container named "main" for input or output',
      "error missing-field spec.templates[1].containerSet.containers: there is no container | argo: templates.b templates.b.containerSet.containers must have at least one container",
    ],
  ],
  [
    "resource templates",
    `
entrypoint: a
templates:
  - {name: a, resource: {action: create, manifest: "{kind: Pod, n: {{=1+1}} }"}}
  - {name: b, resource: {action: get}}
  - {name: c, inputs: {artifacts: [{name: m, path: /m, raw: {data: x}}]}, resource: {action: apply, manifestFrom: {artifact: {name: m}}}}
`,
    `
entrypoint: a
templates:
  - {name: a, resource: {action: destroy, manifest: "[{"}}
  - {name: b, resource: {action: create}}
  - {name: c, resource: {action: apply, manifest: x, manifestFrom: {artifact: {name: m}}}}
`,
    [
      'error invalid spec.templates[0].resource.action: "destroy" is no action | hint: actions are get, create, apply, delete, replace, patch | argo: templates.a.resource.action must be one of: get, create, apply, delete, replace, patch',
      "error yaml-syntax spec.templates[0].resource.manifest: the manifest is not YAML | argo: templates.a.resource.manifest must be a valid yaml",
      "error missing-field spec.templates[1].resource: manifest is missing | argo: templates.b either templates.b.resource.manifest or templates.b.resource.manifestFrom must be specified",
      "error conflict spec.templates[2].resource.manifestFrom: manifest and manifestFrom: one of them is enough | argo: templates.c shouldn't have both `manifest` and `manifestFrom` specified in `Manifest` for resource template",
      'error unresolved spec.templates[2].resource.manifestFrom: there is no input artifact "m" | argo: templates.c artifact m in `manifestFrom` refer to a non-exist artifact',
    ],
  ],
  [
    "metrics",
    `
entrypoint: a
templates:
  - {name: a, metrics: {prometheus: [{name: a_1, help: x, labels: [{key: k, value: "{{status}}"}], gauge: {value: "{{duration}}", realtime: true}}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, metrics: {prometheus: [{name: a.1, help: "", labels: [{key: k.1, value: x}], gauge: {value: "{{resourcesDuration.cpu}}", realtime: true}}]}, container: {image: i}}
  - {name: b, metrics: {prometheus: [{name: a, help: x, counter: {value: ""}}, {name: b, help: x, gauge: {value: ""}}, {name: c, help: x, histogram: {value: "", buckets: [1]}}]}, container: {image: i}}
`,
    [
      "error bad-name spec.templates[0].metrics.prometheus[0].name: \"a.1\" cannot be the name of a metric | hint: use letters, digits and \"_\" | argo: templates.a metric name 'a.1' is invalid. Metric names must contain alphanumeric characters or '_'",
      "error bad-name spec.templates[0].metrics.prometheus[0].labels[0].key: \"k.1\" cannot be a label | argo: metric label 'k.1' is invalid: keys may only contain alphanumeric characters or '_'",
      "error missing-field spec.templates[0].metrics.prometheus[0]: metric \"a.1\" has no help | hint: add help: what it counts | argo: templates.a metric 'a.1' must contain a help string under 'help: ' field",
      "error invalid spec.templates[0].metrics.prometheus[0]: 'resourcesDuration.*' metrics cannot be used in real-time | argo: templates.a metric 'a.1' error: 'resourcesDuration.*' metrics cannot be used in real-time",
      "error invalid spec.templates[1].metrics.prometheus[0]: missing counter.value | argo: templates.b templates.b metric 'a' error: missing counter.value",
      "error invalid spec.templates[1].metrics.prometheus[1]: missing gauge.value | argo: templates.b templates.b metric 'b' error: missing gauge.value",
      "error invalid spec.templates[1].metrics.prometheus[2]: missing histogram.value | argo: templates.b templates.b metric 'c' error: missing histogram.value",
    ],
  ],
  [
    "resources of a pod",
    `
entrypoint: a
podResources: {limits: {cpu: 1}}
templates:
  - {name: a, podResources: {requests: {memory: 1Gi, hugepages-2Mi: 1}}, container: {image: i}}
`,
    `
entrypoint: a
podResources: {limits: {nvidia.com/gpu: 1}}
templates:
  - {name: a, podResources: {requests: {gpu: 1}, claims: [{name: c}]}, container: {image: i}}
`,
    [
      "error conflict spec.templates[0].podResources.claims: a pod as a whole takes no claims | argo: templates.a.podResources.claims is not supported for pod-level resources",
      'error conflict spec.templates[0].podResources.requests.gpu: gpu is not for a pod as a whole: set it in the container\'s resources | argo: templates.a.podResources: "gpu" is not a valid pod-level resource, only cpu, memory and hugepages-* are supported',
      'error conflict spec.podResources.limits["nvidia.com/gpu"]: nvidia.com/gpu is not for a pod as a whole: set it in the container\'s resources | argo: spec.podResources: "nvidia.com/gpu" is not a valid pod-level resource, only cpu, memory and hugepages-* are supported',
    ],
  ],
  [
    "what only pods have",
    `
entrypoint: a
templates:
  - {name: a, podResources: {limits: {cpu: 1}}, resourceClaims: [{name: c}], container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, podResources: {limits: {cpu: 1}}, resourceClaims: [{name: c}], http: {url: x}}
  - {name: b, resourceClaims: [{name: c}], steps: []}
`,
    [
      "error conflict spec.templates[0].podResources: only a template that makes a pod has podResources | argo: templates.a.podResources is not supported for HTTP templates",
      "error conflict spec.templates[0].resourceClaims: only a template that makes a pod has resourceClaims | argo: templates.a.resourceClaims is not supported for HTTP templates, which do not create a pod",
      "error conflict spec.templates[1].resourceClaims: only a template that makes a pod has resourceClaims | argo: templates.b templates.b.resourceClaims is not supported for Steps templates, which do not create a pod",
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
