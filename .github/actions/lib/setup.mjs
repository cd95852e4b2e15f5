// First step of each action: refuses what cannot work, and says what the run may do. Knows no secret.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { keyOf, serviceOf } from './edgeform.mjs';
import { journalsAt } from './fleet.mjs';
import { checkStart, main, readEvent, setOutput } from './github.mjs';

const {
  STACK = '',
  VERSION = '',
  BASE_URL = '',
  VALIDATE_ONLY = '',
  JOURNAL,
  GITHUB_REPOSITORY,
  GITHUB_ACTOR,
} = process.env;

await main(() => {
  checkStart(STACK);
  if (!/^(?:\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)?$/.test(VERSION))
    throw new Error('version: a version such as 1.2.3, or nothing for the edgeform on the PATH');
  const { pull_request: pull } = readEvent();
  // Runs for Dependabot get no secrets and may not comment, either.
  const isForeign =
    pull !== undefined && (pull.head.repo?.full_name !== GITHUB_REPOSITORY || GITHUB_ACTOR === 'dependabot[bot]');
  const key = keyOf({ stack: STACK, service: serviceOf(BASE_URL) });
  const mode = VALIDATE_ONLY === 'true' || isForeign ? 'validate' : 'full';
  setOutput('mode', mode);
  // What an action before this one left there may be of the same stack at another service.
  if (mode === 'full') for (const path of journalsAt(JOURNAL)) rmSync(path, { force: true });
  // No stack has a slash in its name, so the key of one is never the beginning of another's.
  setOutput('journal', `edgeform-journal/${key}/`);
  // A cache is never written again, and a run may have several actions for one stack.
  setOutput('once', randomBytes(4).toString('hex'));
});
