// What a node of a YAML document is, on documents as the library makes them.

import { describe, expect, test } from 'vitest';
import { isMap, isPair, parseDocument } from 'yaml';
import {
  delimitedAt,
  hasOtherTag,
  hasUnknownTag,
  isMerge,
  keyOf,
  rangeOf,
  sourceOf,
} from '../../../src/manifest/text/nodes.ts';

/** The node that a text is. */
function nodeOf(text: string): unknown {
  return parseDocument(text, { schema: 'core', logLevel: 'silent' }).contents;
}

function keyNode(text: string): unknown {
  const node = nodeOf(text);
  const [pair] = isMap(node) ? node.items : [];
  return isPair(pair) ? pair.key : undefined;
}

describe('tags', () => {
  test.each([
    { name: 'a tag of somebody is unknown', given: '!ref x', expect: [true, false] },
    { name: 'a value without a tag has none', given: 'x', expect: [false, false] },
    { name: 'the tag of a text is one of JSON', given: '!!str 1', expect: [false, false] },
    { name: 'the tag of a number is one of JSON', given: '!!int 1', expect: [false, false] },
    { name: 'bytes are no value of JSON', given: '!!binary YQ==', expect: [false, true] },
    { name: 'a set is no value of JSON', given: '!!set {a}', expect: [false, true] },
    { name: 'a tag that only begins like one of JSON is another', given: '!!integer 1', expect: [false, true] },
  ])('$name', ({ given, expect: expected }) => {
    const node = nodeOf(given);
    expect([hasUnknownTag(node), hasOtherTag(node)]).toEqual(expected);
  });

  test.each([undefined, null, 'text', {}, { tag: 1 }])('what is no node has no tag: %j', (node) => {
    expect([hasUnknownTag(node), hasOtherTag(node), rangeOf(node), delimitedAt(node)]).toEqual([
      false,
      false,
      undefined,
      [],
    ]);
  });
});

describe('the range of a node is where it starts and ends', () => {
  test.each([
    { name: 'a node has two offsets', given: nodeOf('  abc # why'), expect: [2, 5] },
    { name: 'a range that is not of numbers is none', given: { range: ['a', 'b'] }, expect: undefined },
    { name: 'a range of one offset is none', given: { range: [1] }, expect: undefined },
    { name: 'a number is no range', given: { range: 3 }, expect: undefined },
  ])('$name', ({ given, expect: expected }) => {
    expect(rangeOf(given)).toEqual(expected);
  });
});

describe('quoted texts and brackets', () => {
  test.each([
    { name: 'double quotes', given: '"a"', expect: [{ range: [0, 3], isFlow: false }] },
    { name: 'single quotes', given: "'a'", expect: [{ range: [0, 3], isFlow: false }] },
    { name: 'a list in brackets', given: '[a]', expect: [{ range: [0, 3], isFlow: true }] },
    { name: 'a block in brackets', given: '{a: 1}', expect: [{ range: [0, 6], isFlow: true }] },
    { name: 'a plain text is neither', given: 'a', expect: [] },
    { name: 'an indented block is neither', given: 'a: 1', expect: [] },
    { name: 'a folded text is neither', given: '>\n  a\n', expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    expect(delimitedAt(nodeOf(given))).toEqual(expected);
  });
});

describe('keys', () => {
  test.each([
    { name: 'a text is a key', given: 'a: 1', key: 'a', source: 'a' },
    { name: 'a quoted number is a text', given: '"1": 1', key: '1', source: '1' },
    { name: 'a number is no key, but has a spelling', given: '0x1F: 1', key: undefined, source: '0x1F' },
    { name: 'a switch is no key, but has a spelling', given: 'true: 1', key: undefined, source: 'true' },
    { name: 'nothing is no key, and has no spelling', given: '~: 1', key: undefined, source: undefined },
    { name: 'a letter with its mark is one character', given: 'e\u0301: 1', key: '\u00e9', source: 'e\u0301' },
    { name: 'a list is no key', given: '[a]: 1', key: undefined, source: undefined },
  ])('$name', ({ given, key, source }) => {
    expect([keyOf(keyNode(given)), sourceOf(keyNode(given))]).toEqual([key, source]);
  });

  test.each([
    { given: '<<: x', expect: true },
    { given: '"<<": x', expect: true },
    { given: '<: x', expect: false },
  ])('$given is a merge key: $expect', ({ given, expect: expected }) => {
    expect(isMerge({ key: keyNode(given) })).toBe(expected);
  });
});
