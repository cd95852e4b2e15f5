// Every scenario in every format that draws it, and a page that shows them. Nothing is named here but by the registries.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Format } from '../../src/render/formats.ts';
import {
  FORMATS,
  formatsFor,
  renderDiagnosticsAs,
  renderDriftAs,
  renderPlanAs,
  renderReportAs,
} from '../../src/render/formats.ts';
import { renderFleetAs } from '../../src/render/fleet.ts';
import { startPlace } from './place.ts';
import type { Example } from './scenarios.ts';
import { SCENARIOS } from './scenarios.ts';
import { plain } from '../render/sample.ts';

function draw(format: Format, example: Example): string {
  switch (example.is) {
    case 'plan':
      return renderPlanAs(format, example.plan, plain);
    case 'report':
      return renderReportAs(format, example.report, plain);
    case 'drift':
      return renderDriftAs(format, example.drift, plain);
    case 'fleet':
      return renderFleetAs(format, example.fleet, plain);
    case 'problems':
      return renderDiagnosticsAs(format, example.found, plain);
  }
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`).replace(/[^\P{Cc}\n\t]/gu, '␛');
}

/** More than this of a text is only in its file. */
const MOST_SHOWN = 20_000;

function figure(file: string, format: string, text: string): string {
  const link = `<a href="${file}">${format}</a>`;
  if (file.endsWith('.html')) return `<h3>${link}</h3><iframe src="${file}" sandbox="" title="${file}"></iframe>`;
  const rest = text.length > MOST_SHOWN ? '\n…' : '';
  return `<details><summary>${link}, ${text.length} characters</summary><pre>${escape(text.slice(0, MOST_SHOWN))}${rest}</pre></details>`;
}

/** Writes the gallery into a folder; the names of the files, with that of the page first. */
export async function writeGallery(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = ['index.html'];
  const sections: string[] = [];
  for (const { name, title, service, play } of SCENARIOS) {
    const place = await startPlace(service);
    try {
      const example = await play(place);
      const drawn = formatsFor(example.is).map((format) => {
        const text = `${draw(format, example).replaceAll(place.emulator.url.replace(/\/$/, ''), 'https://api.example.com')}\n`;
        const file = `${name}.${format === 'html' ? 'html' : `${format}.txt`}`;
        writeFileSync(join(folder, file), text);
        files.push(file);
        return figure(file, format, text);
      });
      sections.push(`<section id="${name}"><h2>${title}</h2>${drawn.join('\n')}</section>`);
    } finally {
      await place.close();
    }
  }
  const links = SCENARIOS.map(({ name, title }) => `<li><a href="#${name}">${title}</a></li>`);
  writeFileSync(join(folder, 'index.html'), page(links.join(''), sections.join('\n')));
  return files;
}

function page(links: string, sections: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>edgeform gallery</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'">
<style>body { font: 15px system-ui; margin: 2em auto; max-width: 80em; padding: 0 1em }
pre { overflow: auto; max-height: 40em; border: 1px solid #8888; padding: 1em } iframe { width: 100%; height: 40em; border: 1px solid #8888 }</style>
<h1>edgeform gallery</h1><p>${SCENARIOS.length} scenarios in ${FORMATS.join(', ')}.</p><ul>${links}</ul>
${sections}
</html>
`;
}

/** For `npm run gallery`. */
export async function main(folder: string): Promise<void> {
  const files = await writeGallery(folder);
  process.stdout.write(`${styleText('bold', `${files.length} files`)}: ${join(folder, 'index.html')}\n`);
}
