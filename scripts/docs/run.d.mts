export function runDocument(path: string, root: string): Promise<{ readonly code: number; readonly output: string }>;
