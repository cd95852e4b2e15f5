// Scripts of a page that find what its layout breaks or cuts.

/**
 * Words of tables that stand on two lines although there is room for them on one. Only names are whole at hyphens, too; a text
 * without blanks that is longer than a line may be broken anywhere.
 */
export const BROKEN_WORDS = `(() => {
  const boxesOf = (text, index, word) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const widthOf = (boxes) => boxes.reduce((sum, box) => sum + box.width, 0);
  const broken = [];
  for (const cell of document.querySelectorAll('th, td')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { index: start, 0: run } of text.data.matchAll(/\\S+/g)) {
        if (widthOf(boxesOf(text, start, run)) >= cell.clientWidth) continue;
        const words = text.parentElement.matches('th, .name, .status, .short') ? /[\\w.-]+/g : /[\\w.]+/g;
        for (const { index, 0: word } of run.matchAll(words))
          if (new Set(boxesOf(text, start + index, word).map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
  }
  return broken;
})()`;

/** What extends beyond the window, or beyond a box that shows no more of it. */
export const CUT = `(() => {
  const shown = [...document.querySelectorAll('body *')].filter((one) => one.getClientRects().length > 0);
  const wide = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
  const clipped = shown.filter((one) => {
    const { overflowX, display } = getComputedStyle(one);
    return overflowX !== 'visible' && display !== 'inline' && one.scrollWidth > one.clientWidth + 1;
  });
  return [...wide, ...clipped].map((one) => one.outerHTML.slice(0, 120));
})()`;

/** Tables that show only a part of their width. */
export const CUT_TABLES = `[...document.querySelectorAll('table')].flatMap((one) =>
  one.scrollWidth > one.clientWidth + 1 ? [one.outerHTML.slice(0, 120)] : [])`;
