// Reads the Retry-After header. Pure.

const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait in a Retry-After header in milliseconds: whole seconds, or an HTTP date relative to the service's own clock.
 * Undefined if missing or invalid.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Our clock may be wrong by years, so a date is only compared with that of the answer.
  const wait = httpDate(text) - httpDate(headers['date'] ?? '');
  return wait > 0 ? wait : undefined;
}

function httpDate(text: string): number {
  return DATE.test(text) ? Date.parse(text) : NaN;
}
