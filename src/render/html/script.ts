// Optional script of the page: search and filters over existing rows. It creates no markup, stores nothing and sends no
// requests. Contains no `<`, so that nothing in it can end the element.

export const SCRIPT = `
'use strict';
(() => {
  const form = document.querySelector('form');
  if (!form) return;
  const search = form.querySelector('input[type=search]');
  const status = document.querySelector('[role=status]');
  const all = status.textContent;
  const rows = [...document.querySelectorAll('[data-row]')];
  const groups = [...document.querySelectorAll('[data-group]')];
  const isCounted = (row) => row.dataset.row === '';
  let texts;

  const narrow = () => {
    const words = search.value.toLowerCase().split(' ').filter(Boolean);
    if (words.length) texts ??= rows.map((row) => row.textContent.toLowerCase());
    const wanted = {};
    for (const [name, value] of new FormData(form)) if (value && name !== 'search') (wanted[name] ??= []).push(value);
    const facets = Object.entries(wanted);
    let [shown, isWhole] = [0, true];
    rows.forEach((row, index) => {
      const fits =
        words.every((word) => texts[index].includes(word)) &&
        facets.every(([name, values]) => row.dataset[name].split(' ').some((value) => values.includes(value)));
      if (fits && isCounted(row)) shown += 1;
      isWhole &&= fits;
      if (row.hidden === fits) row.hidden = !fits;
    });
    for (const group of groups) {
      const isEmpty = !group.querySelector('[data-row]:not([hidden])');
      if (group.hidden !== isEmpty) group.hidden = isEmpty;
    }
    const said = isWhole ? all : shown + ' of ' + all + ' shown';
    if (status.textContent !== said) status.textContent = said;
    form.classList.toggle('narrowed', words.length + facets.length > 0);
  };

  // Several keys of one frame are one change.
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      narrow();
    });
  };
  const clear = () => {
    form.reset();
    narrow();
  };

  form.addEventListener('input', soon);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(narrow));
  form.addEventListener('click', ({ target }) => {
    const open = target.closest('[data-open]')?.dataset.open;
    if (open === undefined) return;
    for (const row of rows) {
      const fold = row.querySelector('details');
      if (!row.hidden && fold) fold.open = open === 'yes';
    }
  });
  // A link to a row that is filtered away shows all rows again.
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href^="#"]');
    const row = link && document.getElementById(link.getAttribute('href').slice(1))?.closest('[data-row]');
    if (row?.hidden) clear();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && event.target !== search) {
      event.preventDefault();
      search.focus();
      search.select();
    }
    if (event.key !== 'Escape') return;
    if (form.classList.contains('narrowed')) clear();
    else search.blur();
  });
  form.hidden = false;
})();
`;
