// Sorting and choosing designs. The page is complete without this.
'use strict';
(() => {
  const key = (row, column) => {
    const cell = row.cells[column];
    const value = cell.dataset.v ?? cell.textContent.trim();
    const number = Number(value);
    return value === '' || Number.isNaN(number) ? value.toLowerCase() : number;
  };
  // Numbers before words, a dash last in either direction.
  const order = (one, other, sign) => {
    const dash = (value) => value === '\u2013';
    if (dash(one) || dash(other)) return dash(one) - dash(other);
    if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
    return sign * (typeof one === 'number' ? one - other : one.localeCompare(other));
  };
  for (const table of document.querySelectorAll('table')) {
    const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    const body = table.tBodies[0];
    if (!body || body.rows.length < 2) continue;
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const up = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach((other) => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', up ? 'descending' : 'ascending');
        const rows = [...body.rows].map((row) => [key(row, column), row]);
        rows.sort((a, b) => order(a[0], b[0], up ? -1 : 1));
        body.append(...rows.map((row) => row[1]));
      });
    });
  }
  for (const panel of document.querySelectorAll('[data-switch]')) {
    panel.hidden = false;
    panel.addEventListener('change', (event) => {
      const design = event.target.dataset.design;
      for (const part of document.querySelectorAll('main .' + design)) {
        part.classList.toggle('off', !event.target.checked);
      }
    });
  }
  // On paper everything is open.
  addEventListener('beforeprint', () => {
    for (const part of document.querySelectorAll('main details:not(.raw)')) part.open = true;
  });
})();
