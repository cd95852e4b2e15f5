// RFC 3339 timestamps with any offset, with or without a fraction of a second of any length.

import { compareText } from './json.ts';

const FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

interface Instant {
  readonly seconds: number;
  /** Digits after the decimal point, without trailing zeros. */
  readonly fraction: string;
}

/** Compares two instants, for `sort`; anything that is not an instant is compared as text. */
export function compareInstants(a: string, b: string): number {
  const [first, second] = [instantOf(a), instantOf(b)];
  if (first === undefined || second === undefined) return compareText(a, b);
  return first.seconds - second.seconds || compareText(first.fraction, second.fraction);
}

function instantOf(text: string): Instant | undefined {
  const found = FORM.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const [, , , , , , , digits = '', sign, hours = '0', minutes = '0'] = found;
  const offset = (sign === '-' ? -60 : 60) * (60 * Number(hours) + Number(minutes));
  const seconds = ((daysUntil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset;
  return { seconds, fraction: digits.replace(/0+$/, '') };
}

/** Days since a fixed day of the Gregorian calendar, counting years from March. */
function daysUntil(year: number, month: number, day: number): number {
  const years = month < 3 ? year - 1 : year;
  const months = (month + 9) % 12;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((months * 153 + 2) / 5) + day;
}
