// How long a service asks to be left alone: strictly whole seconds, or an HTTP date against its own clock. Pure.

const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds to wait, or undefined when nothing is said, or nothing that can be understood. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const until = httpDate(text);
  const now = httpDate(headers['date'] ?? '');
  // Our own clock may be wrong by years, so a date means something only beside the date of the answer.
  return until !== undefined && now !== undefined && until > now ? until - now : undefined;
}

function httpDate(text: string): number | undefined {
  if (!DATE.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
