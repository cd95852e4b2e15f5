// Logs of forges without their folds and annotations: what is left is the text.

const SECTION_ENDS = /\u001b\[0Ksection_end[^\n]*\n?/g;
const SECTION_BEGINS = /\u001b\[0Ksection_start[^\r]*\r\u001b\[0K/g;
const GROUP_ENDS = /^::(?:endgroup::|error|warning)[^\n]*$/gm;

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
