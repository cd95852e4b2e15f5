// CPU by number of resources as an SVG, both axes logarithmic, so that what is linear runs beside the dotted lines. Reads well on
// light and on dark paper.

const WIDTH = 760;
const HEIGHT = 480;
const BOX = { left: 64, right: 190, top: 44, bottom: 48 };
const SIZES = [100, 1000, 10_000, 50_000];
const COLOURS = {
  light: '#0969da #1a7f37 #bc4c00 #8250df #57606a #bf3989',
  dark: '#58a6ff #3fb950 #f0883e #bc8cff #9198a1 #f778ba',
};
const coloursOf = (list) =>
  list
    .split(' ')
    .map((colour, index) => `.c${index} { color: ${colour}; }`)
    .join(' ');
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .grid { stroke: #d0d7de; }
  .guide { stroke: #8c959f; stroke-dasharray: 2 5; }
  .line { fill: none; stroke: currentColor; stroke-width: 2.5; }
  .floor { stroke-dasharray: 6 4; }
  circle, text.label { fill: currentColor; }
  ${coloursOf(COLOURS.light)}
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .grid { stroke: #30363d; }
    ${coloursOf(COLOURS.dark)}
  }`;

/** Name → points (size, CPU seconds), in the order in which the cases come. */
function seriesOf(measured) {
  const series = new Map();
  const add = (name, x, y) => series.set(name, [...(series.get(name) ?? []), [x, y]]);
  for (const { series: name, size, results } of measured) {
    if (name === undefined) continue;
    add(name, size, results.edgeform.cpu);
    if (name === 'apply') add('apply, emulator', size, results.edgeform.serviceCpu);
    if (name === 'plan') add('plan, floor', size, results.floor.cpu);
  }
  return [...series];
}

/** A logarithmic axis: position of a value between two ends. */
function axis([low, high], [from, to]) {
  return (value) => from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (to - from);
}

function rangeOf(series) {
  const values = series.flatMap(([, points]) => points.map(([, y]) => y));
  return [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))];
}

const decades = ([low, high]) =>
  Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, index) => low * 10 ** index);

/** Moves labels apart that would lie on each other; lowest first. */
function spread(labels) {
  const gap = 16;
  let last = Infinity;
  return [...labels]
    .sort((a, b) => b.y - a.y)
    .map((label) => {
      last = Math.min(label.y, last - gap);
      return { ...label, y: last };
    });
}

const fixed = (value) => value.toFixed(1);
const text = (x, y, words, more = '') => `<text x="${fixed(x)}" y="${fixed(y)}"${more}>${words}</text>`;
const segment = (name, [x1, y1], [x2, y2]) =>
  `<line class="${name}" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`;

function gridOf(x, y, range) {
  const [left, right] = [BOX.left, WIDTH - BOX.right];
  const [top, bottom] = [BOX.top, HEIGHT - BOX.bottom];
  return [
    ...decades(range).flatMap((value) => [
      segment('grid', [left, y(value)], [right, y(value)]),
      text(left - 8, y(value) + 4, `${value >= 1 ? value : value.toPrecision(1)} s`, ' text-anchor="end"'),
    ]),
    ...SIZES.flatMap((size) => [
      segment('grid', [x(size), top], [x(size), bottom]),
      text(x(size), bottom + 20, size.toLocaleString('en'), ' text-anchor="middle"'),
    ]),
  ];
}

/** Where one object costs as much as another: rays through the lower corner of each decade. */
function guidesOf(x, y, [low, high]) {
  return decades([low, high]).flatMap((start) => {
    const end = Math.min(high, start * (SIZES.at(-1) / SIZES[0]));
    const size = SIZES[0] * (end / start);
    return end <= start ? [] : [segment('guide', [x(SIZES[0]), y(start)], [x(size), y(end)])];
  });
}

function linesOf(series, x, y) {
  const lines = series.map(([name, points], index) => {
    const at = points.map(([size, cpu]) => `${fixed(x(size))},${fixed(y(cpu))}`).join(' ');
    const dots = points.map(
      ([size, cpu]) => `<circle class="c${index}" cx="${fixed(x(size))}" cy="${fixed(y(cpu))}" r="3.5"/>`,
    );
    return `<polyline class="line c${index}${name.endsWith('floor') ? ' floor' : ''}" points="${at}"/>${dots.join('')}`;
  });
  const labels = spread(series.map(([name, points], index) => ({ name, index, y: y(points.at(-1)[1]) })));
  const labelX = WIDTH - BOX.right + 12;
  return [...lines, ...labels.map((label) => text(labelX, label.y + 4, label.name, ` class="label c${label.index}"`))];
}

/** The whole picture; without cases of several sizes it has no lines. */
export function plot(measured) {
  const series = seriesOf(measured);
  const range = series.length === 0 ? [0.01, 100] : rangeOf(series);
  const x = axis([SIZES[0], SIZES.at(-1)], [BOX.left, WIDTH - BOX.right]);
  const y = axis(range, [HEIGHT - BOX.bottom, BOX.top]);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="CPU seconds by number of resources">`,
    `<style>${STYLE}\n</style>`,
    text(BOX.left, 24, 'CPU seconds by number of resources; dotted lines are linear'),
    ...gridOf(x, y, range),
    ...guidesOf(x, y, range),
    ...linesOf(series, x, y),
    '</svg>',
  ].join('\n')}\n`;
}
