export function runDocument(
  path: string,
  root: string,
  program?: string,
): Promise<{ readonly code: number; readonly output: string }>;
