// Modes of the driver that hide designs, sort tables and open boards. Given the tools of the driver.
'use strict';
const MODES = ({ lines, check, all, one, isShown, count, choose, click, until, button, legible, fits, press }) => {
  const boxes = () => all('[data-design]');
  const nameOf = (box) => box.parentElement.textContent.slice(1).trim();
  const tick = (box, is) => {
    box.checked = is;
    box.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const reset = () => click(document.getElementById('set-reset'));
  const drawings = () => all('figure > .scroll > svg').filter(isShown);
  const texts = (svg) => all('text', svg).filter(isShown).map((it) => {
    const { left, top } = it.getBoundingClientRect();
    const from = svg.getBoundingClientRect();
    return `${it.textContent} ${Math.round(left - from.left)} ${Math.round(top - from.top)}`;
  });
  const places = () => drawings().map((svg) => `${svg.getAttribute('viewBox')} ${texts(svg).join('; ')}`).join('\n');
  const head = () => one('[data-pairs]');
  const points = () => all('[data-pairs] svg [data-point]').filter((it) => isShown(it.parentElement));
  const says = () => points().flatMap((point) => all('[data-say]', point)).map((it) => it.dataset.say);
  const noted = () => all('.note[role=status]').filter(isShown).map((it) => it.textContent);
  // The text that a reader sees, without the bar and without the captions that name a baseline.
  const visible = () => all('.first, main > section').filter(isShown).map((it) => it.innerText).join('\n');

  // Heights of the rows that a drawing shows, by the names in their cells.
  const rowsOf = (svg) => {
    const cells = new Map();
    for (const cell of all('[data-cell]', svg).filter(isShown)) {
      const label = cell.querySelector(':scope > text');
      if (label) cells.set(cell.dataset.cell, label.getBoundingClientRect().top);
    }
    return [...cells.values()];
  };
  const hide = async () => {
    const before = places();
    const flows = drawings().filter((svg) => svg.dataset.flow?.startsWith('1 ') && svg.querySelector('[data-cell]'));
    check('figures have rows', flows.length > 3, flows.length);
    const baselines = [...document.getElementById('set-baseline').options].map((it) => it.textContent.split(',')[0]);
    const is = (control) => boxes().filter((box) => box.parentElement.querySelector('.f-' + control)
      && flows.some((svg) => svg.querySelector('.' + box.dataset.design)));
    const hidden = is('mixed').concat(is('branchless')).find((box) => !baselines.includes(nameOf(box)));
    for (const svg of flows) {
      const title = svg.parentElement.ariaLabel;
      const state = () => {
        const [, , , height] = svg.getAttribute('viewBox').split(' ').map(Number);
        const last = all('[data-below] text', svg)[0]?.getBoundingClientRect().top;
        return { rows: rowsOf(svg), height, last, stripes: all('[data-stripes] > *', svg).filter(isShown).length };
      };
      const full = state();
      const owner = boxes().find((box) => svg.querySelector('[data-cell].' + box.dataset.design));
      const lost = all(`[data-cell].${owner.dataset.design}`, svg);
      const cells = new Set(lost.map((cell) => cell.dataset.cell)).size;
      tick(owner, false);
      const less = state();
      const row = Number(svg.dataset.flow.split(' ')[2]);
      check(`a figure shrinks by its row: ${title}`, full.height - less.height >= cells * row
        && (full.height - less.height) % row === 0, `${full.height} ${less.height} ${row}`);
      const steps = less.rows.slice(1).map((top, place) => Math.round(top - less.rows[place]));
      const whole = full.rows.slice(1).map((top, place) => Math.round(top - full.rows[place]));
      check(`rows close the gap: ${title}`, less.rows.length < full.rows.length
        && Math.max(...steps) <= Math.max(...whole), steps.join(' '));
      check(`what is below the rows moves up: ${title}`, full.last === undefined
        || Math.abs(less.last - less.rows.at(-1) - (full.last - full.rows.at(-1))) < 2, `${full.last} ${less.last}`);
      const rows = new Set(all('[data-cell]', svg).filter(isShown).map((cell) => cell.dataset.cell)).size;
      check(`stripes end with the rows: ${title}`, full.stripes === 0 || less.stripes === Math.ceil(rows / 2),
        `${less.stripes} ${rows}`);
      tick(owner, true);
    }
    check('shown again, every figure is as before', places() === before);
    tick(hidden, false);
    legible();
    const seen = visible();
    const at = seen.indexOf(nameOf(hidden));
    check('no text names a hidden design', at < 0, seen.slice(Math.max(0, at - 80), at + 80));
    fits();
    // The copy of a figure is what is shown.
    for (const svg of drawings().filter((it) => it.dataset.flow)) {
      const copy = await press(svg.closest('figure'), 'Copy as SVG');
      const frame = document.createElement('div');
      frame.innerHTML = copy;
      svg.parentElement.append(frame);
      const image = frame.firstElementChild;
      image.setAttribute('width', svg.getBoundingClientRect().width);
      image.removeAttribute('height');
      const [shown, copied] = [texts(svg), texts(image)];
      check(`the copy is what is shown: ${svg.parentElement.ariaLabel}`, shown.length > 3
        && image.getAttribute('viewBox') === svg.getAttribute('viewBox') && shown.join() === copied.join()
        && !copy.includes('>' + nameOf(hidden)), copied.filter((it, place) => it !== shown[place]).slice(0, 3).join('; '));
      frame.remove();
    }
    reset();
    check('a reset restores every figure', places() === before);
    // A figure about two designs needs both; one of which no design is left says so.
    const needs = one('figure svg[data-needs]');
    const pair = needs.dataset.needs.split(' ');
    check('a figure of two designs is shown', isShown(needs.closest('figure')) === isShown(needs.closest('section')));
    tick(boxes().find((box) => box.dataset.design === pair[0]), false);
    check('it is left out without one of them', !isShown(needs.closest('figure'))
      && noted().some((words) => words.includes('compares two designs')), noted().join());
    reset();
    choose('search', 'no design has this name');
    check('an empty figure says so', noted().some((words) => words.includes('draws none')) && drawings().every((svg) =>
      svg.closest('[data-pairs]') || !svg.dataset.flow), noted().join());
    reset();
    // The first figure follows later than the others, because its pairs are compressed.
    await until(() => noted().length === 0);
    check('and returns', places() === before && noted().length === 0, noted().join());
  };
  const first = async () => {
    const before = says();
    const lead = one('.lead');
    const named = (words) => words.split(': ')[1].split(' ÷ ');
    check('points tell their pairs', before.length > 5 && before.every((it) => named(it).length === 2), before[0]);
    const [fastest] = named(before[0]);
    const box = boxes().find((it) => nameOf(it) === fastest);
    tick(box, false);
    await until(() => says()[0] !== before[0]);
    const after = says();
    check('the next fastest take the place of a hidden design', after.length === before.length
      && after.every((it) => !it.includes(fastest)), after.find((it) => it.includes(fastest)));
    check('a changed pair has another ratio', after.every((it, place) => it === before[place]
      || it.split(': ')[2] !== before[place].split(': ')[2]), after[0]);
    check('other pairs stay', before.every((it, place) => it.includes(fastest) || it === after[place]));
    check('the sentence about them is hidden', !isShown(lead), lead.textContent);
    check('its label is hidden', getComputedStyle(one('.origins .note')).display === 'none');
    const changed = after.filter((it, place) => it !== before[place]).length;
    check('a note says so', noted().some((words) => words.includes(`${changed} of ${before.length} points of this figure compare`)
      && words.includes('the heading is about all designs')), noted().join());
    one('[data-pairs] details').open = true;
    await until(() => one('[data-pairs] table button'));
    const table = one('[data-pairs] table');
    check('its numbers follow', !table.tBodies[0].innerText.includes(fastest)
      && [...table.tBodies[0].rows].filter(isShown).length === before.length);
    const curve = all('[data-pairs] .scroll [data-joined] polyline').find(isShown);
    const middles = points().map((it) => it.querySelector('circle')).filter((it) => it)
      .map((it) => `${it.getAttribute('cx')},${it.getAttribute('cy')}`);
    check('the line joins the points', !curve || curve.getAttribute('points').split(' ').every((it) => middles.includes(it)),
      curve?.getAttribute('points'));
    legible();
    const lines = () => all('[data-pairs] .scroll [data-joined]').filter((it) => isShown(it.closest('svg'))).map((line) => {
      const isDrawn = (point) => one(`[data-point="${point}"]`, line.closest('svg')).firstElementChild;
      const joined = line.dataset.joined.split(' ').map((point) => (isDrawn(point) ? '*' : ' ')).join('');
      const runs = all('polyline', line).map((it) => it.getAttribute('points').split(' ').length);
      const expected = joined.trim().split(/ +/).map((run) => run.length);
      return { joined, expected: expected.filter((it) => it > 1).join(), runs: runs.filter((it) => it > 1).join() };
    });
    // Without a class nothing can be compared.
    for (const it of boxes().filter((it) => it.parentElement.querySelector('.f-branchless'))) {
      tick(it, false);
      await new Promise((done) => setTimeout(done));
      check('lines join neighbours that are shown', lines().every(({ expected, runs }) => expected === runs), JSON.stringify(lines()));
    }
    await until(() => says().length === 0);
    check('points without a pair disappear', says().length === 0 && points().every((it) => !it.firstElementChild), says()[0]);
    check('a note counts them', noted().some((words) =>
      words.includes(`${before.length} of ${before.length} points are left out`)), noted().join());
    check('their rows of numbers disappear', [...table.tBodies[0].rows].every((row) => !isShown(row)));
    const copy = await press(head(), 'Copy as SVG');
    check('and are not in the copy', !copy.includes('data-say') && copy.includes('branchy wins'));
    reset();
    await until(() => says().length === before.length);
    check('a reset restores them', says().join() === before.join() && isShown(lead) && noted().length === 0, noted().join());
  };
  const sort = async () => {
    const fragment = () => new URLSearchParams(location.hash.slice(1));
    const table = all('[data-columns] table').find(isShown);
    const order = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent).join();
    const before = order();
    const press = (column) => click(table.tHead.rows[0].cells[column].querySelector('button'));
    press(0);
    press(0);
    const downwards = order();
    const sorted = fragment().get('sort');
    check('a sorted table is in the address', /^[0-9a-z]+\.0\.down$/.test(sorted), sorted);
    press(2);
    const second = fragment().get('sort');
    check('the last column counts', second.endsWith('.2.up') && second.split(' ').length === 1, second);
    location.hash = '#sort=' + sorted;
    await until(() => order() === downwards);
    check('an address sorts', order() === downwards && table.tHead.rows[0].cells[0].ariaSort === 'descending');
    reset();
    check('a reset restores the order', order() === before && !fragment().has('sort')
      && !table.querySelector('[aria-sort]'), location.hash);
    // Open everything: no two tables share a name.
    all('details').forEach((part) => (part.open = true));
    await until(() => all('details').every((part) => part.open && all('table', part).every((it) => it.dataset.dressed)));
    const names = [];
    for (const it of all('table').filter((it) => it.querySelector('thead button'))) {
      click(it.querySelector('thead button'));
      names.push(fragment().get('sort').split(' ').length);
    }
    check('every table has a name of its own', names.length > 10 && names.every((number, place) => number === place + 1),
      names.join());
    reset();
    press(0);
    press(0);
    location.replace('#sort=' + sorted);
    check('fragment ' + location.hash, order() === downwards);
  };
  // Loaded with the fragment of a sorted table.
  const sorted = () => {
    const heads = all('[aria-sort=descending]');
    check('a reload keeps the order', heads.length === 1 && isShown(heads[0]), heads.length);
    const names = [...heads[0].closest('table').tBodies[0].rows].map((row) => row.cells[0].textContent.slice(1).toLowerCase());
    check('of the rows as well', names.every((name, place) => place === 0 || name <= names[place - 1]), names.join());
  };
  const boards = async () => {
    const lists = all('pre[data-boards]');
    const known = new Map(one('pre[data-fens]').textContent.trim().split('\n').map((line) => line.split(/ (.*)/)));
    const fenOf = (line) => known.get(line.split(' ')[0]);
    check('positions are lines of text', lists.length > 3 && lists.every((it) =>
      it.textContent.trim().split('\n').every((line) => fenOf(line).split('/').length === 8)), lists.length);
    const elements = all('*').length;
    const list = lists[0];
    const lines = list.textContent.trim().split('\n');
    const part = list.parentElement;
    part.parentElement.closest('details').open = true;
    part.open = true;
    await until(() => part.querySelector('svg.board'));
    const drawn = all('svg.board', part);
    check('they are drawn when they are opened', drawn.length >= lines.length && all('pre', part).length === 0, drawn.length);
    check('only those', all('pre[data-boards]').length === lists.length - 2
      && all('*').length < elements + 40 * drawn.length, all('*').length - elements);
    check('positions and values stay', lines.every((line) => part.textContent.includes(fenOf(line))
      && part.textContent.includes(`${line.split(' ')[1]} per move`)));
    const pieces = (fen) => fen.split(' ')[0].replace(/[^a-z]/gi, '').length;
    const signs = (svg) => svg.textContent.replace(/[^\u2654-\u265f]/g, '').length;
    check('every piece is drawn', drawn.every((svg) => signs(svg) === pieces(svg.ariaLabel) && signs(svg) > 1),
      drawn[0].outerHTML);
    check('every rank has eight places', drawn.every((svg) => all('text', svg).length === 8
      && all('text', svg).every((it) => [...it.textContent].length === 8)));
    const box = drawn[0].getBoundingClientRect();
    const squares = drawn[0].querySelector('use').getBoundingClientRect();
    check('the squares are there', box.width > 100 && squares.width > 100, `${box.width} ${squares.width}`);
    const ready = all('svg.board').filter((svg) => !part.contains(svg));
    const same = drawn.map((svg) => [svg, ready.find((it) => it.getAttribute('aria-label') === svg.getAttribute('aria-label'))])
      .filter(([, it]) => it);
    check('a board is that of the document', ready.length > 0 && same.every(([one, other]) =>
      all('text', one).map((it) => it.outerHTML).join() === all('text', other).map((it) => it.outerHTML).join()), same.length);
    const owner = boxes().find((it) => part.classList.contains(it.dataset.design));
    tick(owner, false);
    check('they are hidden with their design', !isShown(part));
    tick(owner, true);
  };
  const claims = () => {
    all('section:has(> #claims) details').forEach((part) => (part.open = true));
    const told = () => all('tr[data-about]').filter(isShown);
    const rows = told();
    check('claims are told', rows.length > 1, rows.length);
    const box = (id) => boxes().find((it) => it.value === id);
    const [ferret, butterfly] = ['ferret/end-origin', 'butterfly/i16'].map(box);
    const words = () => all('.condition').filter(isShown).map((it) => it.textContent).join(' ');
    const before = words();
    check('conditions name designs', before.includes(ferret.value), before.slice(0, 200));
    tick(ferret, false);
    check('no condition names a hidden design', !words().includes(ferret.value), words().slice(0, 200));
    const both = rows.filter((row) => row.dataset.about === [ferret, butterfly].map((it) => it.dataset.design).join(' '));
    check('a claim about a shown design stays, and says what is hidden', both.length > 0
      && both.every((row) => isShown(row) && row.innerText.includes('Judged by 2 designs, of which 1 is hidden.')),
    both[0]?.innerText);
    tick(butterfly, false);
    check('a claim is hidden with all of its designs', both.every((row) => !isShown(row)), told().length);
    reset();
    check('shown again, claims are as before', words() === before && told().length === rows.length
      && all('.left-out').every((it) => it.textContent === ''));
  };
  // A page of several sessions: everything about designs follows the bar, and folded tables open.
  const several = async () => {
    legible();
    fits();
    const figures = all('header figure').filter(isShown);
    check('a figure compares the sessions', figures.length > 0 && says().every((it) => / in session [12]:/.test(it)), says()[0]);
    check('each session has points', [1, 2].every((number) => says().some((it) => it.includes(` in session ${number}:`))));
    const link = await press(one('form.bar'), 'Copy link');
    check('the link is copied', link === location.href, link);
    all('section details').forEach((part) => (part.open = true));
    await until(() => all('section details table').every((it) => it.dataset.dressed) && !one('[data-packed] > details > summary:only-child'));
    const about = () => all('#side-by-side ~ div tbody tr, #changes ~ details tbody tr, #changes ~ div tbody tr').filter(isShown);
    const before = about().length;
    check('rows are shown', before > (one('#changes') ? 100 : 5), before);
    const names = () => about().map((row) => row.cells[0].textContent.slice(1).trim());
    const chosen = names()[0];
    choose('search', chosen);
    await until(() => noted().length > 0);
    check('rows of other designs are hidden', about().length > 0 && about().length < before
      && names().every((name) => name.includes(chosen)), [...new Set(names())].join());
    check('a note says what the first figure lacks', noted().some((words) => words.startsWith('Designs are hidden')), noted().join());
    check('the search is in the address', new URLSearchParams(location.hash.slice(1)).get('search') === chosen, location.hash);
    reset();
    await until(() => noted().length === 0);
    check('a reset restores them', about().length === before && noted().length === 0, noted().join());
    // The panels that stand side by side follow the workload and the stage.
    const beside = () => all('section div[data-workload]').filter(isShown);
    const workloads = [...new Set(beside().map((it) => it.dataset.workload))];
    if (workloads.length > 1) {
      choose('workload', workloads[1]);
      check('one workload is left', beside().length > 0
        && beside().every((it) => it.dataset.workload === workloads[1]), beside().length);
      reset();
      check('a reset shows all workloads', new Set(beside().map((it) => it.dataset.workload)).size === workloads.length);
    }
    fits();
    lines.push(`elements ${all('*').length}, loaded after ${Math.round(performance.now())} ms`);
  };

  return { claims, hide, first, sort, sorted, boards, several };
};
