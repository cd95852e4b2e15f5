// Public keys in texts: one key has one normal form, its type and its base64 text (ADR-0043). Does not decode the key.

const BLOCK_LABEL = /^-{4,5} ?BEGIN ([A-Z0-9 ]+?) ?-{4,5}$/;
const BLOCK_END = /^-{4,5} ?END /;

/** The key without what makes no difference: a comment, the width of its lines, blanks around it. */
export function publicKeyForm(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const begin = lines.findIndex((line) => BLOCK_LABEL.test(line));
  return begin < 0 ? lineForm(text) : blockForm(lines.slice(begin));
}

/** The OpenSSH format is one line: type, base64 text, and a comment. */
function lineForm(text: string): string {
  const words = text.split(/\s/).filter((word) => word !== '');
  const [type = '', key = ''] = words;
  return key.startsWith('AAAA') ? `${type} ${key}` : text.trim();
}

/** A block has a label, perhaps headers, and base64 text in lines of any width. */
function blockForm([first = '', ...others]: readonly string[]): string {
  const label = BLOCK_LABEL.exec(first)?.[1] ?? '';
  const end = others.findIndex((line) => BLOCK_END.test(line));
  const inside = end < 0 ? others : others.slice(0, end);
  return `${label} ${withoutHeaders(inside).join('')}`;
}

/** A header has a colon; a backslash continues it on the next line (RFC 4716). */
function withoutHeaders(lines: readonly string[]): string[] {
  const isContinued = (index: number) => lines[index]?.endsWith('\\') === true;
  return lines.filter((line, index) => !line.includes(':') && !line.endsWith('\\') && !isContinued(index - 1));
}

/** How the label of a private key ends in the forms of OpenSSL, OpenSSH and SSH2, and how PuTTY's begins. */
const PRIVATE_KEY = /PRIVATE KEY ?-{4}|PuTTY-User-Key-File-/;

/** Where a private key stands in a text, from its label on; undefined where none does. It is a secret, wherever it stands. */
export function privateKeyIn(text: string): number | undefined {
  const start = text.search(PRIVATE_KEY);
  return start < 0 ? undefined : start;
}
