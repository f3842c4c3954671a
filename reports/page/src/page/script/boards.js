// Boards: the positions of a design are lines of text, which are drawn when a reader opens them.
const squares = document.querySelector('[data-pieces]');
const draw = (tag, attributes, ...content) => {
  const element = document.createElementNS(squares.namespaceURI, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...content);
  return element;
};
const boardOf = (fen) => {
  const size = Number(squares.dataset.square);
  const letters = [...squares.dataset.pieces];
  const signs = letters.splice(letters.length / 2);
  const x = [...Array(8).keys()].map((file) => file * size + 1).join(' ');
  // What is no piece is an empty square.
  const sign = (letter) =>
    Number(letter) > 0 ? '\u2003'.repeat(letter) : (signs[letters.indexOf(letter)] ?? '\u2003');
  const ranks = fen.split(' ')[0].split('/').slice(0, 8).map((rank, number) => draw(
    'text',
    { x, y: (number + 1) * size - 2, 'font-size': size },
    [...rank].map(sign).join('').slice(0, 8),
  ));
  const use = draw('use', { href: '#' + squares.querySelector('symbol').id });
  const frame = { class: 'board', viewBox: `0 0 ${8 * size} ${8 * size}`, role: 'img', 'aria-label': fen };
  return draw('svg', frame, use, ...ranks);
};
const drawBoards = (part) => {
  const fens = part.parentElement.querySelector(':scope > [data-fens]')?.textContent.trim().split('\n');
  for (const lines of all(':scope > [data-boards]', part)) {
    const list = make('ul', '');
    list.className = 'boards';
    for (const line of lines.textContent.trim().split('\n')) {
      const [number, instructions, moves] = line.split(' ');
      const fen = fens[number - 1].slice(number.length + 1);
      const item = make('li', '');
      const values = `${instructions} per move, ${count(Number(moves), 'move', 'moves')}`;
      item.append(boardOf(fen), make('p', values), make('code', fen));
      list.append(item);
    }
    lines.replaceWith(list);
  }
};
