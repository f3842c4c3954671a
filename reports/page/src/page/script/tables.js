// Tables: sort by a column, copy as Markdown or CSV.

const key = (row, column) => {
  const cell = row.cells[column];
  const value = cell.dataset.v ?? text(cell);
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
// The columns by which tables are sorted, by the name of the table: its place in the row, and 1 for upwards.
const sorts = new Map();
// Rows in the order of the document, of every table that can be sorted.
const rowsOf = new Map();
// The same for the same table after a reload, also if it is drawn later: a hash (FNV-1a) of its section, its caption and
// its place in its fold, which is drawn as a whole.
const nameOf = (table) => {
  const section = table.closest('[aria-labelledby]')?.getAttribute('aria-labelledby');
  const fold = table.closest('details');
  const place = fold ? all('table', fold).filter((it) => it.closest('details') === fold).indexOf(table) : '';
  let hash = 0x811c9dc5;
  for (const letter of `${section} ${place} ${table.caption?.textContent}`) {
    hash = Math.imul(hash ^ letter.codePointAt(0), 0x1000193);
  }
  return (hash >>> 0).toString(36);
};
const arrange = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  const [column, sign] = sorts.get(nameOf(table)) ?? [];
  heads.forEach((head) => head.removeAttribute('aria-sort'));
  heads[column]?.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
  const rows = rowsOf.get(table).map((row) => [heads[column] && key(row, column), row]);
  // The sort is stable, so that equal rows stay in the order of the document.
  if (heads[column]) rows.sort(([one], [other]) => order(one, other, sign));
  table.tBodies[0].append(...rows.map(([, row]) => row));
};
const sortable = (table, heads) => {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) return;
  rowsOf.set(table, [...body.rows]);
  heads.forEach((head, column) => {
    const button = make('button', '', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      sorts.set(nameOf(table), [column, up ? 1 : -1]);
      arrange(table);
      keep();
    });
    button.append(...head.childNodes);
    head.append(button);
  });
  if (sorts.has(nameOf(table))) arrange(table);
};
const text = (cell) => {
  const clone = cell.cloneNode(true);
  all('[aria-hidden]', clone).forEach((part) => part.remove());
  return clone.textContent.trim().replace(/\s+/g, ' ');
};
const grid = (table) =>
  [...table.rows].filter(isShown).map((row) => [...row.cells].filter(isShown).map(text));
const markdown = (table) => {
  const [head, ...rows] = grid(table);
  const line = (cells) => '| ' + cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ') + ' |';
  const caption = text(table.caption);
  return [caption, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
};
const csv = (table) => {
  const field = (cell) => (/[",\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell);
  const { session } = table.closest('[data-session]').dataset;
  return grid(table).map((row, place) => [...row, place === 0 ? 'Session' : session].map(field).join(',') + '\n').join('');
};
const tools = (after) => {
  const bar = make('div', '');
  bar.className = 'tools';
  const said = make('output', '');
  bar.append(said);
  after.after(bar);
  return [bar, said];
};
const dressTable = (table) => {
  if (table.dataset.dressed || !table.tHead) return;
  table.dataset.dressed = 'yes';
  sortable(table, [...table.tHead.rows[0].cells]);
  const [bar, said] = tools(table.parentElement);
  bar.prepend(
    make('button', 'Copy as Markdown', () => copy(markdown(table), said)),
    make('button', 'Copy as CSV', () => copy(csv(table), said)),
  );
};
