// What the program says of mistakes that people make, beside what it said when they were first tried. The golden is the table.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { allMistakes, saidIn, type Mistake } from './mistakes/mistakes.ts';

/** What the program said on the day of the test, by mistake. */
const BEFORE = JSON.parse(readFileSync(new URL('mistakes/before.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;

async function said({ files, args }: Mistake): Promise<string> {
  const cwd = folder(files);
  const { stdout, stderr } = await run(args, { cwd, env: {} });
  return saidIn(`${stderr}\n${stdout}`).replaceAll(cwd, 'FOLDER');
}

const cell = (text: string) => text.replaceAll('|', '\\|') || '(nothing)';

test('every mistake is met with a message, as the table has it', async () => {
  const lines: string[] = ['# Mistakes, and what is said of them'];
  let section = '';
  for (const mistake of allMistakes()) {
    if (mistake.section !== section)
      lines.push('', `## ${mistake.section}`, '', '| mistake | before | now |', '|---|---|---|');
    section = mistake.section;
    const before = BEFORE[mistake.mistake] ?? '';
    const now = await said(mistake);
    lines.push(`| ${[mistake.mistake, before, now === before ? 'the same' : now].map(cell).join(' | ')} |`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/mistakes.md');
});
