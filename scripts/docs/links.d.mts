export function documents(root: string): readonly string[];
export function brokenLinks(path: string, root: string): readonly string[];
