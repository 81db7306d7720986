/** Schemas of what steers a node besides its work: retries, hooks, locks, caches, metrics. */

import {
  boolean,
  choice,
  emptyObject,
  integerFrom,
  intOrString,
  list,
  listBy,
  number,
  object,
  required,
  text,
} from "../codec/schema.js";
import { keySelectorSchema } from "../kube/container-schema.js";
import { argumentsSchema } from "./arguments-schema.js";
import type {
  Backoff,
  ContinueOn,
  ExecutorConfig,
  LifecycleHook,
  Memoize,
  Metrics,
  Mutex,
  Prometheus,
  RetryStrategy,
  SemaphoreRef,
  Sequence,
  Synchronization,
  TemplateRef,
} from "./template.js";

export const executorConfigSchema = object<ExecutorConfig>()({ serviceAccountName: text });

export const templateRefSchema = object<TemplateRef>()({ name: text, template: text, clusterScope: boolean });

export const lifecycleHookSchema = object<LifecycleHook>()({
  template: text,
  templateRef: templateRefSchema,
  arguments: argumentsSchema,
  expression: text,
});

export const continueOnSchema = object<ContinueOn>()({ error: boolean, failed: boolean });

export const sequenceSchema = object<Sequence>()({
  count: intOrString,
  start: intOrString,
  end: intOrString,
  format: text,
});

export const retryStrategySchema = object<RetryStrategy>()({
  limit: intOrString,
  retryPolicy: choice("Always", "OnFailure", "OnError", "OnTransientError"),
  backoff: object<Backoff>()({ duration: text, factor: intOrString, maxDuration: text, cap: text }),
  affinity: object<NonNullable<RetryStrategy["affinity"]>>()({ nodeAntiAffinity: emptyObject }),
  expression: text,
});

export const synchronizationSchema = object<Synchronization>()({
  semaphores: list(
    object<SemaphoreRef>()({
      configMapKeyRef: keySelectorSchema,
      namespace: text,
      database: object<NonNullable<SemaphoreRef["database"]>>()({ key: required(text) }),
    }),
  ),
  mutexes: list(object<Mutex>()({ name: text, namespace: text, database: boolean })),
});

type MemoizeCache = NonNullable<Memoize["cache"]>;

export const memoizeSchema = object<Memoize>()({
  key: required(text),
  cache: object<MemoizeCache>()({
    configMap: object<NonNullable<MemoizeCache["configMap"]>>()({ name: text }),
  }),
  maxAge: text,
});

const prometheus = object<Prometheus>()({
  name: required(text),
  labels: list(
    object<{ readonly key: string; readonly value: string }>()({ key: required(text), value: required(text) }),
  ),
  help: required(text),
  when: text,
  gauge: object<NonNullable<Prometheus["gauge"]>>()({
    value: required(text),
    realtime: boolean,
    operation: choice("Set", "Add", "Sub"),
  }),
  histogram: object<NonNullable<Prometheus["histogram"]>>()({
    value: required(text),
    buckets: required(list(number)),
  }),
  counter: object<NonNullable<Prometheus["counter"]>>()({ value: required(text) }),
});

export const metricsSchema = object<Metrics>()({ prometheus: required(listBy("name", prometheus)) });

/** A limit on things at work at once: none is zero or less. */
export const parallelismSchema = integerFrom(1);
