// The blocks of a Markdown document that a reader would carry out, in order: commands (```sh), and files (a fence with a name in
// brackets after its language).

/** Words that begin a command of these documents. */
const COMMAND = /^(?: {4}|\t)(?:\$ )?(?:cd|curl|docker|edgeform|export|git|npm|npx|rm) /m;
const FENCE = /^```([\w-]*)(?: \[([^\]]+)\])?[^\n]*\n([\s\S]*?)^```$/gm;

/** What to do, one step for each file or command; `text` is a command without its comment. */
export function stepsOf(markdown) {
  return [...markdown.matchAll(FENCE)].flatMap(([, language, file, text]) => {
    if (file !== undefined) return [{ file, text }];
    return language === 'sh' ? commandsIn(text) : [];
  });
}

/** Commands that no fence holds, so that a reader would run them and the tests would not. */
export function looseCommands(markdown) {
  return COMMAND.exec(markdown.replaceAll(FENCE, ''))?.[0];
}

function commandsIn(text) {
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, command = '', comment = ''] = /^(.*?)(?:\s+#\s(.*))?$/.exec(line) ?? [];
    return { command: command.trim(), code: Number(/exit code (\d+)/.exec(comment)?.[1] ?? 0) };
  });
}
