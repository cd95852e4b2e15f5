// `queue: max` of `concurrency`, which GitHub has since May 2026 and the schemas know. Actionlint and act take it for a mistake; both have
// a change for it that is not merged. This is the only place that knows so: remove it with the version that has the key.

/** Words for actionlint: of everything that it finds, this one sentence is left out. */
export const WITHOUT_QUEUE = ['-ignore', '^unexpected key "queue" for "concurrency" section'];

/** The workflow for act, which queues nothing in any case. */
export function withoutQueue(workflow) {
  return workflow.replaceAll(/^ +queue: max\n/gm, '');
}
