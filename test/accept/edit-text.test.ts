// The text of a file with other values: every other byte stays, whatever the file is written like.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { editText } from '../../src/accept/text/edit-text.ts';
import { parseDocuments } from '../../src/manifest/text/parse.ts';

interface Row {
  readonly what: string;
  readonly before: string;
  readonly wanted: JsonObject;
  readonly after: string;
  readonly name?: string;
}

const ROWS: readonly Row[] = [
  {
    what: 'a plain text beside a comment',
    before: 'a:\n  b: one   # why\n  c: 2\n',
    wanted: { a: { b: 'two', c: 2 } },
    after: 'a:\n  b: two   # why\n  c: 2\n',
  },
  {
    what: 'an item behind a comment with a dash',
    before: 'a:\n  - # old - primary\n    one\n  - two\n',
    wanted: { a: ['three', 'two'] },
    after: 'a:\n  - # old - primary\n    three\n  - two\n',
  },
  {
    what: 'an item goes with a comment that has a dash',
    before: 'a:\n  - # old - primary\n    one\n  - two # new - other\n',
    wanted: { a: ['two'] },
    after: 'a:\n  - two # new - other\n',
  },
  {
    what: 'items are added beside comments with dashes',
    before: 'a:\n  - # old - primary\n    one\n',
    wanted: { a: ['zero', 'one', 'two'] },
    after: 'a:\n  - zero\n  - # old - primary\n    one\n  - two\n',
  },
  {
    what: 'maps in a list behind comments with dashes',
    before: 'a:\n  - # first - one\n    b: 1\n    c: 2\n  - # second - two\n    # - third\n    b: 3\n',
    wanted: { a: [{ b: 1, c: 4 }, {}] },
    after: 'a:\n  - # first - one\n    b: 1\n    c: 4\n  - {} # second - two\n    # - third\n',
  },
  {
    what: 'nothing behind a dash with a comment',
    before: 'a:\n  - # none - yet\n  - two\n',
    wanted: { a: ['one', 'two'] },
    after: 'a:\n  - one # none - yet\n  - two\n',
  },
  {
    what: 'a list in a list behind a comment with a dash',
    before: 'a:\n  - # in - side\n    - one\n    - two\n',
    wanted: { a: [['one', 'three']] },
    after: 'a:\n  - # in - side\n    - one\n    - three\n',
  },
  {
    what: 'a key with its mark, and a comment with a colon',
    before: 'a:\n  ? b # as: before\n  : c: 1\n    d: 2\n  e: 3\n',
    wanted: { a: { b: 5, e: 3 } },
    after: 'a:\n  ? b # as: before\n  : 5\n  e: 3\n',
  },
  { what: 'a text that needs quotes', before: 'a: one\n', wanted: { a: 'yes' }, after: 'a: "yes"\n' },
  { what: 'a text with a colon', before: 'a: one\n', wanted: { a: 'b: c # d' }, after: 'a: "b: c # d"\n' },
  { what: 'single quotes stay', before: "a: 'one'\n", wanted: { a: "it's" }, after: "a: 'it''s'\n" },
  {
    what: 'double quotes stay',
    before: 'a: "one"\n',
    wanted: { a: 'say "x" \\ y' },
    after: 'a: "say \\"x\\" \\\\ y"\n',
  },
  { what: 'a line break in single quotes', before: "a: 'one'\n", wanted: { a: 'x\ny' }, after: 'a: "x\\ny"\n' },
  { what: 'a number in place of a text', before: 'a: "1"\n', wanted: { a: 2 }, after: 'a: 2\n' },
  {
    what: 'a text over several lines',
    before: 'a: one\n  two\nb: 1\n',
    wanted: { a: 'x', b: 1 },
    after: 'a: x\nb: 1\n',
  },
  {
    what: 'a literal text',
    before: 'a: |\n  one\n  two\n\n# about b\nb: 1\n',
    wanted: { a: 'x\ny\n', b: 1 },
    after: 'a: |\n  x\n  y\n\n# about b\nb: 1\n',
  },
  {
    what: 'a literal text without a last break',
    before: 'a: |\n  one\nb: 1\n',
    wanted: { a: 'x\ny', b: 1 },
    after: 'a: |-\n  x\n  y\nb: 1\n',
  },
  {
    what: 'a literal text that becomes short',
    before: 'a:\n  b: |\n    one\n    two\n  c: 1\n',
    wanted: { a: { b: 'x', c: 1 } },
    after: 'a:\n  b: x\n  c: 1\n',
  },
  { what: 'a folded text', before: 'a: >-\n  one\n  two\nb: 1\n', wanted: { a: 'x y', b: 1 }, after: 'a: x y\nb: 1\n' },
  {
    what: 'nothing after the colon',
    before: 'a:\n  b:   # why\n  c: 1\n',
    wanted: { a: { b: 3, c: 1 } },
    after: 'a:\n  b: 3   # why\n  c: 1\n',
  },
  {
    what: 'an entry is added behind the one before it',
    before: 'a:\n  b: 1 # one\n  # deeper or not\n  d: 4\n',
    wanted: { a: { b: 1, c: { x: ['p', 'q'] }, d: 4 } },
    after: 'a:\n  b: 1 # one\n  c:\n    x: [p, q]\n  # deeper or not\n  d: 4\n',
  },
  {
    what: 'an entry is added at the end without a last break',
    before: 'a:\n  b: 1',
    wanted: { a: { b: 1, c: 2 } },
    after: 'a:\n  b: 1\n  c: 2',
  },
  {
    what: 'two entries, one inside the other',
    before: 'a:\n  b:\n    x: 1\nz: 1\n',
    wanted: { a: { b: { x: 1, w: 2 }, c: 3 }, z: 1 },
    after: 'a:\n  b:\n    x: 1\n    w: 2\n  c: 3\nz: 1\n',
  },
  {
    what: 'an entry is removed with the comment that ends its line',
    before: 'a:\n  # above\n  b: 1 # beside\n    # inside\n  # next\n  c: 2\n',
    wanted: { a: { c: 2 } },
    after: 'a:\n  # above\n    # inside\n  # next\n  c: 2\n',
  },
  {
    what: 'a block is removed',
    before: 'a:\n  b:\n    x: 1\n    # in b\n\n  # about c\n  c: 2\n',
    wanted: { a: { c: 2 } },
    after: 'a:\n    # in b\n\n  # about c\n  c: 2\n',
  },
  {
    what: 'the last entry without a last break',
    before: 'a:\n  b: 1\n  c: 2\n  d: 3',
    wanted: { a: { b: 1 } },
    after: 'a:\n  b: 1',
  },
  {
    what: 'the only entry',
    before: 'a: # here\n  b: 1\nz: 1\n',
    wanted: { a: {}, z: 1 },
    after: 'a: {} # here\nz: 1\n',
  },
  {
    what: 'the only entry of a list’s map',
    before: 'a:\n  - b: 1\n  - c: 2\n',
    wanted: { a: [{}, { c: 2 }] },
    after: 'a:\n  - {}\n  - c: 2\n',
  },
  {
    what: 'a map in braces',
    before: 'a: { b: 1, c: "x" } # why\n',
    wanted: { a: { b: 2, c: 'y' } },
    after: 'a: { b: 2, c: "y" } # why\n',
  },
  {
    what: 'added in braces',
    before: 'a: { b: 1, d: 2 }\n',
    wanted: { a: { b: 1, c: 3, d: 2, e: 'f g' } },
    after: 'a: { b: 1, c: 3, d: 2, e: f g }\n',
  },
  {
    what: 'added in empty braces',
    before: 'a: {} # none\n',
    wanted: { a: { b: { c: 1 } } },
    after: 'a: { b: { c: 1 } } # none\n',
  },
  {
    what: 'removed in braces',
    before: 'a: { b: 1, c: 2, d: 3, e: 4 }\n',
    wanted: { a: { c: 2 } },
    after: 'a: { c: 2 }\n',
  },
  { what: 'all removed in braces', before: 'a: { b: 1, c: 2 }\n', wanted: { a: {} }, after: 'a: {}\n' },
  { what: 'replaced in braces', before: 'a: { b: 1 }\n', wanted: { a: { c: 1 } }, after: 'a: { c: 1 }\n' },
  {
    what: 'braces over lines',
    before: 'a: {\n  b: 1, # one\n  c: 2\n}\n',
    wanted: { a: { b: 1, c: 2, d: 3 } },
    after: 'a: {\n  b: 1, # one\n  c: 2,\n  d: 3\n}\n',
  },
  {
    what: 'a list in brackets',
    before: 'a: [x, "y", z] # why\n',
    wanted: { a: ['x', 'w', 'z', 'v'] },
    after: 'a: [x, "w", z, v] # why\n',
  },
  {
    what: 'the first of a list in brackets goes',
    before: 'a: [x, y, z]\n',
    wanted: { a: ['y', 'z'] },
    after: 'a: [y, z]\n',
  },
  { what: 'a new first in brackets', before: 'a: [x, y]\n', wanted: { a: ['w', 'x', 'y'] }, after: 'a: [w, x, y]\n' },
  { what: 'an empty list', before: 'a: []\n', wanted: { a: ['x'] }, after: 'a: [x]\n' },
  {
    what: 'a list of lines',
    before: 'a:\n  - x # one\n  - y # two\n  # about z\n  - z\n',
    wanted: { a: ['x', 'w', 'z', 'v'] },
    after: 'a:\n  - x # one\n  - w # two\n  # about z\n  - z\n  - v\n',
  },
  {
    what: 'a list of lines under its key',
    before: 'a:\n- x\n- y # two\nb: 1\n',
    wanted: { a: ['x', 'z', 'v'], b: 1 },
    after: 'a:\n- x\n- z # two\n- v\nb: 1\n',
  },
  { what: 'items go', before: 'a:\n  - x # one\n  - y # two\n  - z\n', wanted: { a: ['z'] }, after: 'a:\n  - z\n' },
  {
    what: 'all items go',
    before: 'a: # none\n  - x # one\n  - y\nb: 1\n',
    wanted: { a: [], b: 1 },
    after: 'a: [] # none\nb: 1\n',
  },
  {
    what: 'maps in a list',
    before: 'a:\n  - b: 1 # one\n    c: 2\n  - b: 3\n',
    wanted: {
      a: [
        { b: 1, c: 5 },
        { b: 3, d: 1 },
      ],
    },
    after: 'a:\n  - b: 1 # one\n    c: 5\n  - b: 3\n    d: 1\n',
  },
  {
    what: 'Windows line breaks',
    before: 'a:\r\n  b: 1 # x\r\n  c: 2\r\n',
    wanted: { a: { b: 2, c: 2, d: ['x'] } },
    after: 'a:\r\n  b: 2 # x\r\n  c: 2\r\n  d: [x]\r\n',
  },
  {
    what: 'a literal text with Windows line breaks',
    before: 'a: |\r\n  x\r\n  y\r\nb: 1\r\n',
    wanted: { a: 'p\nq\n', b: 1 },
    after: 'a: |\r\n  p\r\n  q\r\nb: 1\r\n',
  },
  {
    what: 'JSON',
    name: 'a.json',
    before: '{\n  "a": {\n    "b": "one",\n    "c": [1, 2]\n  }\n}\n',
    wanted: { a: { b: 'é\u0001'.slice(0, 1), c: [1, 3], d: { x: 'y' } } },
    after: '{\n  "a": {\n    "b": "é",\n    "c": [1, 3],\n    "d": {\n      "x": "y"\n    }\n  }\n}\n',
  },
  {
    what: 'JSON on one line',
    name: 'a.json',
    before: '{"a":{"b":1}}',
    wanted: { a: { b: 1, c: 'x' } },
    after: '{"a":{"b":1, "c": "x"}}',
  },
  {
    what: 'quoted keys',
    before: '"a":\n  "b c": 1\n  d: 2\n',
    wanted: { a: { 'b c': 3, d: 2 } },
    after: '"a":\n  "b c": 3\n  d: 2\n',
  },
  {
    what: 'a document that begins with a line',
    before: '# head\n---\na: 1 # x\n',
    wanted: { a: 2 },
    after: '# head\n---\na: 2 # x\n',
  },
];

test.each(ROWS)('$what', ({ name = 'a.yaml', before, wanted, after }) => {
  expect(editText({ name, text: before }, wanted)).toEqual({ text: after });
  // And nothing where the text says it already.
  expect(editText({ name, text: after }, wanted)).toEqual({ text: after });
  expect(parseDocuments(name, after)[0].json).toEqual(wanted);
});

/** A comment goes only with the line that it ends; a comment on lines of its own stays where it is. */
const COMMENTS: readonly Row[] = [
  {
    what: 'two items change places',
    before: 'a:\n  - p # primary\n  - s # spare\n',
    wanted: { a: ['s', 'p'] },
    after: 'a:\n  - s # spare\n  - p # primary\n',
  },
  {
    what: 'an item moves with what is in it, and comments between items stay',
    before: 'a:\n  # first\n  - b: 1 # one\n    # in it\n    c: 2\n  # second\n  - x # two\n  - y # three\n',
    wanted: { a: ['x', 'y', { b: 1, c: 2 }] },
    after: 'a:\n  # first\n  # second\n  - x # two\n  - y # three\n  - b: 1 # one\n    # in it\n    c: 2\n',
  },
  {
    what: 'an item moves behind the last one without a last break',
    before: 'a:\n  - x # one\n  - y',
    wanted: { a: ['y', 'x'] },
    after: 'a:\n  - y\n  - x # one',
  },
  {
    what: 'items move, go, come and are replaced',
    before: 'a:\n  - x # 1\n  - y # 2\n  - z # 3\n  - w # 4\n',
    wanted: { a: ['z', 'x', 'v', 'u'] },
    after: 'a:\n  - z # 3\n  - x # 1\n  - v # 2\n  - u # 4\n',
  },
  {
    what: 'items in brackets over lines change places',
    before: 'a: [\n  "p", # primary\n  s # spare\n]\n',
    wanted: { a: ['s', 'p'] },
    after: 'a: [\n  s, # spare\n  "p" # primary\n]\n',
  },
  {
    what: 'items on one line change places in their quotes',
    before: 'a: [\'x\', "y", z] # all\n',
    wanted: { a: ['z', 'x', 'y'] },
    after: 'a: [z, \'x\', "y"] # all\n',
  },
  {
    what: 'the only block goes, with the comment that ends its last line',
    before: 'a: # kind\n  # above\n  b:\n    # inside\n    x: 1 # last\n  # below\nz: 1\n',
    wanted: { a: {}, z: 1 },
    after: 'a: {} # kind\n  # above\n    # inside\n  # below\nz: 1\n',
  },
  {
    what: 'the last line of the only block is no line of its kind',
    before: 'a:\n  b:\n    x: 1 # last\nz: 1\n',
    wanted: { a: {}, z: 1 },
    after: 'a: {}\nz: 1\n',
  },
  {
    what: 'a list is emptied',
    before: 'a:\n  # one\n  - x # x\n  # two\n  - y # y\n  # three\nb: 1\n',
    wanted: { a: [], b: 1 },
    after: 'a: []\n  # one\n  # two\n  # three\nb: 1\n',
  },
  {
    what: 'a list without a last break is emptied',
    before: 'a:\n  - x\n  # two\n  - y',
    wanted: { a: [] },
    after: 'a: []\n  # two',
  },
  {
    what: 'an item in brackets over lines goes',
    before: 'a: [\n  x, # x\n  # about y\n  y, # y\n  # about z\n  z # z\n]\n',
    wanted: { a: ['x', 'z'] },
    after: 'a: [\n  x, # x\n  # about y\n  # about z\n  z # z\n]\n',
  },
  {
    what: 'the last item in brackets over lines goes',
    before: 'a: [\n  x, # x\n  # about y\n  y # y\n  # end\n]\n',
    wanted: { a: ['x'] },
    after: 'a: [\n  x # x\n  # about y\n  # end\n]\n',
  },
  {
    what: 'the last item with a comma goes',
    before: 'a: [\n  x,\n  y,\n]\n',
    wanted: { a: ['x'] },
    after: 'a: [\n  x,\n]\n',
  },
  {
    what: 'brackets over lines are emptied',
    before: 'a: [\n  # one\n  x, # x\n  # two\n  y\n]\n',
    wanted: { a: [] },
    after: 'a: [\n  # one\n  # two\n]\n',
  },
  {
    what: 'an entry in braces over lines goes, and another comes behind one with a comment',
    before: 'a: {\n  b: 1, # b\n  # about c\n  c: 2 # c\n}\n',
    wanted: { a: { b: 1, d: 3 } },
    after: 'a: {\n  b: 1, # b\n  d: 3\n  # about c\n}\n',
  },
  {
    what: 'an entry comes behind the last one with a comment',
    before: 'a: {\n  b: 1 # b\n}\n',
    wanted: { a: { b: 1, d: 3 } },
    after: 'a: {\n  b: 1, # b\n  d: 3\n}\n',
  },
  {
    what: 'the header of a text keeps its comment',
    before: 'a: |  # why\n  one\nb: 1\n',
    wanted: { a: 'x\ny', b: 1 },
    after: 'a: |-  # why\n  x\n  y\nb: 1\n',
  },
  {
    what: 'a text that becomes short keeps the comment of its header',
    before: 'a: | # why\n  one\nb: 1\n',
    wanted: { a: 'x', b: 1 },
    after: 'a: x # why\nb: 1\n',
  },
  {
    what: 'what looks like a comment in a text',
    before: 'a:\n  b: |\n    # no comment\n  c: "x\n    # none\n    y"\n  d: 1\n',
    wanted: { a: { d: 1 } },
    after: 'a:\n  d: 1\n',
  },
];

test.each(COMMENTS)('comments: $what', ({ name = 'a.yaml', before, wanted, after }) => {
  expect(editText({ name, text: before }, wanted)).toEqual({ text: after });
  expect(parseDocuments(name, after)[0].json).toEqual(wanted);
});

test.each([
  ['a comment in brackets that become a text', 'a: [\n  # why\n  x\n]\n', { a: 'x' }, [['a']]],
  ['a comment of an entry that stays on another line', 'a:\n  - b: 1\n    c: 2 # c\n', { a: [{ c: 2 }] }, [['a', '0']]],
  ['a comment between items on one line', 'a: [x, {\n  # in it\n  b: 1 }, y]\n', { a: ['x', 'y'] }, [['a']]],
])('%s is not lost', (_, text, wanted, paths) => {
  expect(editText({ name: 'a.yaml', text }, wanted as JsonObject)).toEqual({
    refused: paths.map((path) => ({ path, reason: 'form' })),
  });
});

test.each([
  ['the anchor', 'a: &x one\nb: *x\n', { a: 'two', b: 'one' }, [['a']]],
  ['the alias', 'a: &x one\nb: *x\n', { a: 'one', b: 'two' }, [['b']]],
  ['what has an anchor around it', 'a: &x\n  c: 1\nb: *x\n', { a: { c: 2 }, b: { c: 1 } }, [['a']]],
  ['what has one inside it', 'a:\n  c: &x 1\n  d: 1\nb: *x\n', { a: { d: 1 }, b: 1 }, [['a', 'c']]],
  ['a tag', 'a: !!str 1\n', { a: '2' }, [['a']]],
])('%s is not edited', (_, text, wanted, shared) => {
  expect(editText({ name: 'a.yaml', text }, wanted as JsonObject)).toEqual({
    refused: shared.map((path) => ({ path, reason: 'shared' })),
  });
});
