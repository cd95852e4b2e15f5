// The blocks of a Markdown document that a reader would carry out, in order: commands (```sh), and files (a fence with a name in
// brackets after its language).

/** Words that begin a command of these documents. */
const COMMAND = /^(?: {4}|\t)(?:\$ )?(?:cd|curl|docker|edgeform|export|git|npm|npx|rm) /m;
const OPENS = /^```([\w-]*)(?: \[([^\]]+)\])?/;
const CLOSES = '```';

/** The fences of a document in order, and the text outside them; one that is never closed is text. */
export function fencesIn(markdown) {
  const [fences, outside] = [[], []];
  let open;
  for (const line of markdown.split('\n')) {
    if (open !== undefined && line === CLOSES) {
      fences.push({ ...open, text: open.lines.map((one) => `${one}\n`).join('') });
      open = undefined;
      outside.push('');
    } else if (open !== undefined) open.lines.push(line);
    else {
      const [source, language, file] = OPENS.exec(line) ?? [];
      if (source === undefined) outside.push(line);
      else open = { language, file, line, lines: [] };
    }
  }
  return { fences, outside: [...outside, ...(open === undefined ? [] : [open.line, ...open.lines])].join('\n') };
}

/** What to do, one step for each file or command; `text` is a command without its comment. */
export function stepsOf(markdown) {
  return fencesIn(markdown).fences.flatMap(({ language, file, text }) => {
    if (file !== undefined) return [{ file, text }];
    return language === 'sh' ? commandsIn(text) : [];
  });
}

/** Commands that no fence holds, so that a reader would run them and the tests would not. */
export function looseCommands(markdown) {
  return COMMAND.exec(fencesIn(markdown).outside)?.[0];
}

function commandsIn(text) {
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [command = '', ...comments] = line.split(/\s#\s/);
    const comment = comments.join(' # ');
    return { command: command.trim(), code: Number(/exit code (\d+)/.exec(comment)?.[1] ?? 0) };
  });
}
