import { keptRun } from './kept-run.js';
import { markSections } from './sections.js';

/** By anchor, the page that has it: links to methods.html from when that was one page lead on. */
const anchors = JSON.parse(document.getElementById('anchors')?.textContent ?? '{}') as Record<
  string,
  string
>;

function follow(): void {
  const anchor = location.hash.slice(1);
  const page = anchors[anchor];
  if (page !== undefined && !document.getElementById(anchor))
    location.replace(`./${page}.html#${anchor}`);
}
addEventListener('hashchange', follow);
follow();

markSections(document.body);

const home = document.querySelector<HTMLAnchorElement>('.home a');
if (home) home.href = `./${keptRun()}`;
