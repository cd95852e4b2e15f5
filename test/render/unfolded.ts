// Logs of forges without their folds and annotations: what is left is the text. And the annotations alone, without their sentences.

const SECTION_ENDS = /\u001b\[0Ksection_end[^\n]*\n?/g;
const SECTION_BEGINS = /\u001b\[0Ksection_start[^\r]*\r\u001b\[0K/g;
const GROUP_ENDS = /^::(?:endgroup::|error|warning)[^\n]*$/gm;
const ANNOTATION = /^::(error|warning|notice) (?:file=([^,]*),line=(\d+),col=(\d+),)?title=(.*?)::(.*)$/gm;

export function unfolded(log: string): string {
  return log
    .replaceAll(SECTION_ENDS, '')
    .replaceAll(SECTION_BEGINS, '')
    .replaceAll(GROUP_ENDS, '')
    .replaceAll('::group::', '');
}

/** Empty lines are between folds in one of them only. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** A text without blanks, and without the marks that only form it. */
export function lettersOf(text: string): string {
  return text.replaceAll(/[\s{},:→+-]/g, '');
}

interface Annotation {
  /** `error edgeform.yaml:8:3 irreplaceable`: the level, the place where there is one, and the title. */
  readonly head: string;
  /** What it says, line by line. */
  readonly lines: readonly string[];
}

/** What the runner of GitHub shows beside the files, in order. */
export function annotationsIn(log: string): Annotation[] {
  return [...log.matchAll(ANNOTATION)].map(([, level, file, line, column, title = '', message = '']) => ({
    head: [level, ...(file === undefined ? [] : [`${file}:${line}:${column}`]), decoded(title)].join(' '),
    lines: decoded(message).split('\n'),
  }));
}

function decoded(text: string): string {
  return text.replaceAll('%0A', '\n').replaceAll('%3A', ':').replaceAll('%25', '%');
}
