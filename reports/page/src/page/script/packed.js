// What is folded is dressed when it is opened.
const dress = (root) => {
  const open = (part) => !part.closest('details:not([open])');
  all('table', root).filter(open).forEach(dressTable);
  all('figure', root).filter(open).forEach(dressFigure);
};
// Folded tables of a large page are one compressed text in 91 characters, of which two hold 13 bits.
const digits = [...Array(95).keys()].map((n) => String.fromCharCode(32 + n)).filter((it) => !'"&<>'.includes(it));
const bytes = (text) => {
  const values = new Map(digits.map((digit, value) => [digit, value]));
  const found = [];
  let [held, bits] = [0, 0];
  for (let place = 0; place < text.length; place += 2) {
    const isPair = place + 1 < text.length;
    const value = values.get(text[place]);
    held |= (isPair ? value * 91 + values.get(text[place + 1]) : value) << bits;
    bits += isPair ? 13 : 6;
    for (; bits >= 8; bits -= 8, held >>= 8) found.push(held & 255);
  }
  return Uint8Array.from(found);
};
// Columns, each in parts; the first one is the text without the cells of its tables.
const columnsOf = async (text) => {
  const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).text()).split('\x1d').map((column) => column.split('\x1c'));
};
const texts = new Map();
const unpack = async (part, group) => {
  if (!texts.has(group)) texts.set(group, columnsOf(group.dataset.packed));
  const place = [...group.children].indexOf(part);
  const [frame, ...columns] = (await texts.get(group)).map((column) => column[place]);
  const cells = columns.map((column) => {
    let head = '>';
    return column.split('\x1e').map((cell) => {
      if (cell[0] !== '\x1f') return head + cell;
      head = cell.slice(1, cell.indexOf('>') + 1);
      return cell.slice(1);
    });
  });
  const rows = cells.map(() => 0);
  let column = 0;
  part.insertAdjacentHTML('beforeend', frame.replace(/<tr|\x1f/g, (found) => {
    if (found === '<tr') column = 0;
    return found === '<tr' ? found : `<td${cells[column][rows[column++]++]}</td>`;
  }));
};
const opened = async ({ target: part }) => {
  if (!part.open) return;
  const group = part.closest('[data-packed]');
  if (group && !part.dataset.drawn) {
    part.dataset.drawn = 'yes';
    await unpack(part, group);
    nameSentences(part);
  }
  drawBoards(part);
  dress(part);
};
document.addEventListener('toggle', opened, true);
