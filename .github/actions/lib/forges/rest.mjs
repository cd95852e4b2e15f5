// The little of REST that pipelines need, for all forges: pages, patience with servers, and errors that say what to do.

import { nextIn, withoutSlashes } from '../text.mjs';

const ATTEMPTS = 4;
const MAX_PAGES = 200;
/** Seconds that a job waits for an API that limits requests; after that it costs more than it is worth. */
const MAX_WAIT = 120;

/** An answer that is no success. */
export class RestError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** What is asked for, or undefined where there is none. */
export async function orNothing(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.status === 404) return undefined;
    throw error;
  }
}

/**
 * A client for one API. `hints` says for a status what its user has to do; `delay` is how long a second takes, in milliseconds;
 * `refusals` reads the errors of an answer with status 200, for an API that has them there.
 */
export function createClient({ base, headers, hints = {}, delay = 1000, refusals = () => [] }) {
  /** `once` is for requests that must not be sent twice. */
  async function send(method, path, { body, once = false } = {}) {
    const url = new URL(path, `${withoutSlashes(base)}/`);
    // The token goes nowhere else, whatever a page says comes next.
    if (url.origin !== new URL(base).origin)
      throw new RestError(`${method} ${url.origin}: not the address of this API`, 0);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask(method, url, body);
      if (answer.ok) return answer;
      // A request that was one too many was not carried out.
      const mayRetry = isTooMany(answer) || (!once && (answer.status >= 500 || answer.status === 0));
      const seconds = Math.max(secondsOf(answer), 2 ** (attempt - 1));
      if (!mayRetry || attempt === ATTEMPTS || seconds > MAX_WAIT)
        throw new RestError(explain(method, url, answer), answer.status);
      await new Promise((resolve) => setTimeout(resolve, seconds * delay));
    }
  }

  /** GitHub also answers 403 for it. */
  function isTooMany({ status, headers, text }) {
    if (status !== 403) return status === 429;
    return headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0' || isSaid(text);
  }

  function isSaid(text) {
    return /rate.?limit/i.test(text);
  }

  /** How long the answer asks to wait: as HTTP says it, as GitHub and GitLab say it, or a minute, as GitHub's manual says. */
  function secondsOf({ headers, text }) {
    const told = (name) => headers?.get(name) ?? undefined;
    // The clock of this machine may be wrong.
    const now = (Date.parse(told('date')) || Date.now()) / 1000;
    const after = told('retry-after');
    if (after !== undefined) return /^\d+$/.test(after) ? Number(after) : Date.parse(after) / 1000 - now || 0;
    const limit = ['x-ratelimit', 'ratelimit'].find((name) => told(`${name}-remaining`) === '0');
    if (limit !== undefined) return Number(told(`${limit}-reset`)) - now || 0;
    return isSaid(text) ? 60 : 0;
  }

  /** An answer whose text breaks off is none. */
  async function ask(method, url, body) {
    try {
      const answer = await fetch(url, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(30_000),
      });
      const { ok, status, headers: found } = answer;
      // Files keep their byte order mark, which `text` would drop.
      const text = Buffer.from(await answer.arrayBuffer()).toString('utf8');
      if (ok && refusals(text).some(isSaid)) return { ok: false, status: 429, headers: found, text };
      return { ok, status, headers: found, text };
    } catch (error) {
      return { ok: false, status: 0, text: String(error.cause?.message ?? error.message) };
    }
  }

  function explain(method, url, answer) {
    const said = answer.text.slice(0, 300);
    const isLater = answer.status >= 500 || answer.status === 0 || isTooMany(answer);
    const hint = isLater ? `run the job again ${when(secondsOf(answer))}` : hints[answer.status];
    const status = answer.status === 0 ? 'no answer' : answer.status;
    return `${method} ${url.pathname}: ${status}: ${said}${hint === undefined ? '' : ` (${hint})`}`;
  }

  function when(seconds) {
    if (seconds <= MAX_WAIT) return 'later';
    const minutes = Math.ceil(seconds / 60);
    return minutes > 24 * 60 ? 'in a long time' : `in ${minutes} minutes, when requests are accepted again`;
  }

  function parsed(method, path, { status, text }) {
    try {
      return JSON.parse(text.replace(/^\ufeff/, ''));
    } catch {
      const message = `${method} ${new URL(path, `${base}/`).href}: ${status}: not JSON: ${text.slice(0, 100)}`;
      throw new RestError(`${message} (is this the address of the API, without a proxy that asks to log in?)`, status);
    }
  }

  return {
    async request(method, path, body, options) {
      const answer = await send(method, path, { ...options, body });
      return answer.status === 204 ? undefined : parsed(method, path, answer);
    },
    read: async (path) => (await send('GET', path)).text,
    /** Everything of a list; `itemsOf` takes the items from a page. */
    async list(path, itemsOf = (page) => page) {
      const all = [];
      for (let next = path, pages = 0; next !== undefined; pages += 1) {
        if (pages === MAX_PAGES) throw new RestError(`GET ${path}: more than ${MAX_PAGES} pages`, 0);
        const answer = await send('GET', next);
        all.push(...itemsOf(parsed('GET', next, answer)));
        next = nextIn(answer.headers.get('link') ?? '');
      }
      return all;
    },
  };
}
