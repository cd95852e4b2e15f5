export const WITHOUT_QUEUE: readonly string[];
export function withoutQueue(workflow: string): string;
