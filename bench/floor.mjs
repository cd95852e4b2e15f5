// The least that a plan can do, without planning: `node floor.mjs URL KEY FILE…` lists every page of every kind with `fetch`, the
// kinds at once, and parses the manifest as JSON.
import { readFileSync } from 'node:fs';

const PATHS = [
  '/api_keys',
  '/ssh_credentials',
  '/agent_ingresses',
  '/edges/tls',
  '/edges/https',
  '/reserved_addrs',
  '/backends/failover',
  '/event_destinations',
  '/event_subscriptions',
];

const [url, key, ...files] = process.argv.slice(2);
const headers = { authorization: `Bearer ${key}`, 'service-version': '2' };

async function pagesOf(path) {
  const pages = [];
  for (let uri = url + path; uri; uri = pages.at(-1).next_page_uri) {
    const answer = await fetch(uri, { headers });
    if (!answer.ok) throw new Error(`${uri}: ${answer.status}`);
    pages.push(await answer.json());
  }
  return pages;
}

const lists = Promise.all(PATHS.map(pagesOf));
const manifests = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
console.log(`${manifests.length} files, ${(await lists).flat().length} pages`);
