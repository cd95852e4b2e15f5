// A manifest as a person would write it: short lists and small objects on one line, quotes only where they are needed, and here
// and there a comment.

const SMALL = 90;
const COMMENT_EVERY = 10;

export function toYaml(manifest) {
  const lines = ['# yaml-language-server: $schema=./schemas/manifest.schema.json'];
  for (const [key, value] of Object.entries(manifest)) {
    if (typeof value !== 'object') lines.push(`${key}: ${scalar(value)}`);
    else lines.push('', `${key}:`, ...resources(value));
  }
  return `${lines.join('\n')}\n`;
}

function resources(blocks) {
  return Object.entries(blocks).flatMap(([name, block], index) => [
    ...(index % COMMENT_EVERY === 0 ? [`  # ${name} and what follows: see the runbook of the team.`] : []),
    `  ${name}:`,
    ...fields(block, '    '),
  ]);
}

function fields(block, indent) {
  return Object.entries(block).flatMap(([name, value]) => {
    const line = `${indent}${name}: ${flow(value)}`;
    if (name !== 'routes' && (typeof value !== 'object' || line.length < SMALL)) return [line];
    if (!Array.isArray(value)) return [`${indent}${name}:`, ...fields(value, `${indent}  `)];
    return [`${indent}${name}:`, ...value.map((item) => `${indent}  - ${flow(item)}`)];
  });
}

function flow(value) {
  if (Array.isArray(value)) return `[${value.map((item) => flow(item)).join(', ')}]`;
  if (typeof value !== 'object') return scalar(value);
  const inner = Object.entries(value).map(([name, item]) => `${name}: ${flow(item)}`);
  return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
}

function scalar(value) {
  if (typeof value !== 'string') return String(value);
  const isPlain = /^[A-Za-z/][\w ./:-]*$/.test(value) && !/: |:$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
