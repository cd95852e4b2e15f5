// How many retries one run can afford: spent by retries, earned back by successes, so that a sick service is left alone.

const TOKENS = 500;
const COST = 5;
const COST_OF_TIMEOUT = 10;

export interface RetryQuota {
  /** Pays for one retry, or says that it cannot be paid for. */
  readonly spend: (afterTimeout: boolean) => boolean;
  readonly earn: () => void;
}

export function createRetryQuota(): RetryQuota {
  let tokens = TOKENS;
  return {
    spend: (afterTimeout) => {
      const cost = afterTimeout ? COST_OF_TIMEOUT : COST;
      if (tokens < cost) return false;
      tokens -= cost;
      return true;
    },
    earn: () => {
      tokens = Math.min(TOKENS, tokens + 1);
    },
  };
}
