// The triangle of mechanisms: `npm run test:pairs [-- options]`.
//   --pair ONE,OTHER    pairs whose names hold both texts (default: all); with one text, all pairs of that mechanism
//   --worlds N          worlds for each pair (default 6)
//   --seed N            number of the first of them (default 1)
//   --show              what each run of a violated world sent and printed
//   --no-shrink         violated worlds as they were found
//   --page FILE         the page that gets the numbers; only a run of all pairs writes it (default: none)

import '../support/quick-digests.ts';
import { MECHANISMS } from './mechanisms/index.ts';
import { describeFailure, sumsOf, textOf, writeInto } from './table.ts';
import { allPairs, tryPair, type PairResult } from './triangle.ts';

const has = (name: string) => process.argv.includes(`--${name}`);

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

const words = option('pair', '').split(',');
/** A text that is a name means that mechanism alone. */
const isMeant = (name: string, word: string) =>
  MECHANISMS.some((one) => one.name === word) ? name === word : name.includes(word);
const pairs = allPairs().filter(({ one, other }) => {
  const [first = '', second = ''] = words;
  return (
    (isMeant(one.name, first) && isMeant(other.name, second)) ||
    (isMeant(other.name, first) && isMeant(one.name, second))
  );
});

const results: PairResult[] = [];
let row = '';
for (const pair of pairs) {
  if (pair.one.name !== row) console.error(`${(row = pair.one.name)} …`);
  const result = await tryPair(pair, Number(option('worlds', '6')), Number(option('seed', '1')), !has('no-shrink'));
  results.push(result);
  for (const failure of result.failures) console.log(`\n${await describeFailure(failure, has('show'))}`);
}
console.log(`\n${textOf(results)}`);
if (option('pair', '') === '' && has('page')) writeInto(option('page', ''), results);
process.exitCode = sumsOf(results).violated === 0 && results.length > 0 ? 0 : 1;
