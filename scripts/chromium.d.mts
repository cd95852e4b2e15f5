export function chromium(): { executablePath: string; args: string[] } | undefined;
