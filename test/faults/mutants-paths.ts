// Seeded mistakes in what ids and paths may be, what is read and written, and whom a journal belongs to (ADR 0020).

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const IDS: readonly Mutant[] = [
  {
    name: 'an id is known by its prefix alone',
    file: 'catalog/id.ts',
    in: 'isId',
    find: { operand: ['isSegment'] },
    tests: ['catalog/path.test.ts'],
  },
  {
    name: 'dots are an id',
    file: 'core/text/segment.ts',
    in: 'isSegment',
    find: { body: true },
    to: '{ return WHOLE.test(text); }',
    tests: ['catalog/path.test.ts'],
  },
];

const FILES: readonly Mutant[] = [
  {
    name: 'whatever a path leads to is read',
    file: 'platform/read.ts',
    in: 'readRegularFile',
    find: { body: true },
    to: "{\n      return withFileError(path, 'read', () => {\n        const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);\n        try {\n          return readWhole(descriptor, limit);\n        } finally {\n          closeSync(descriptor);\n        }\n      });\n    }",
    tests: ['cli/reading.test.ts', 'platform/files.test.ts'],
  },
  ...mistakes('platform/write.ts', { tests: ['platform/files.test.ts'] }, [
    ['what we write is for everybody', '', { value: 'OWNER_ONLY' }, '0o644'],
  ]),
  {
    name: 'a link is followed to add to a file of our own',
    file: 'platform/write.ts',
    in: 'openOwn',
    find: { call: 'openSync' },
    to: 'openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, OWNER_ONLY)',
    tests: ['platform/files.test.ts'],
  },
  {
    name: 'lost output is no reason for another exit code',
    file: 'commands/plan.ts',
    in: 'plan',
    find: { call: 'worstOf' },
    to: '$0',
    tests: ['cli/writing.test.ts'],
  },
  {
    name: 'two outputs may be one file',
    file: 'commands/files/check-outputs.ts',
    in: 'checkOutputs',
    find: { call: 'get', with: ['written'] },
    to: 'undefined',
    tests: ['cli/check-outputs.test.ts'],
  },
  {
    name: 'files are known by their paths alone',
    file: 'platform/paths.ts',
    in: 'identityOf',
    find: { body: true },
    to: '{ return path; }',
    tests: ['cli/check-outputs.test.ts'],
  },
];

const JOURNALS: readonly Mutant[] = [
  ...mistakes('journal/binding.ts', { tests: ['cli/binding.test.ts'] }, [
    ['a run that wrote nothing binds the journal', 'bindingRuns', { condition: ['begin'] }, '$ && found.add(entry)'],
    ['a journal may belong to another service', 'boundElsewhere', { operand: ['isSameService'] }],
  ]),
  {
    name: 'a slash at the end makes another service',
    file: 'core/service-address.ts',
    in: 'isSameService',
    find: { operand: ['withoutSlash'] },
    tests: ['cli/binding.test.ts'],
  },
];

export const PATHS: readonly Mutant[] = [...IDS, ...FILES, ...JOURNALS];
