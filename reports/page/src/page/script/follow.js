// Figures follow the designs that are shown: cells close the gaps of hidden ones, a figure without a shown design gives
// way to a sentence, and the first figure chooses among its pairs. Everything that is chosen or moved is in the document.
const owners = (element) => [...element.classList].filter((name) => /^d\d+$/.test(name));

// Moves cells into the places of hidden ones, shortens what stands behind them and moves up what stands below.
const flow = (svg, isHidden) => {
  const [columns, right, down, top] = svg.dataset.flow.split(' ').map(Number);
  const cells = [];
  for (const part of all('[data-cell]', svg)) (cells[part.dataset.cell] ??= []).push(part);
  if (cells.length === 0) return;
  const gone = cells.map(([part]) => isHidden(owners(part)));
  cells.forEach(([part], place) => {
    const heads = Number(part.dataset.heads ?? 0);
    if (heads > 0) gone[place] = gone.slice(place + 1, place + 1 + heads).every((is) => is);
  });
  const move = (part, x, y) => part.setAttribute('transform', `translate(${x} ${y})`);
  const line = (place) => Math.floor(place / columns);
  let shown = 0;
  cells.forEach((parts, place) => {
    parts.forEach((part) => {
      part.classList.toggle('off', gone[place]);
      move(part, (shown % columns - place % columns) * right, (line(shown) - line(place)) * down);
    });
    if (!gone[place]) shown++;
  });
  const [before, after] = [cells.length, shown].map((number) => Math.ceil(number / columns) * down);
  const share = after / before;
  for (const part of all('[data-tall]', svg)) {
    part.setAttribute('transform', `matrix(1 0 0 ${share} 0 ${top * (1 - share)})`);
  }
  all('[data-below]', svg).forEach((part) => move(part, 0, after - before));
  all('[data-stripes] > *', svg).forEach((stripe, place) => stripe.classList.toggle('off', 2 * place >= shown));
  const [left, upper, width, height] = svg.getAttribute('viewBox').split(' ');
  svg.dataset.height ??= height;
  svg.setAttribute('viewBox', [left, upper, width, Number(svg.dataset.height) + after - before].join(' '));
};

// A sentence that stands where something is hidden.
const notes = new Map();
const note = (before, words) => {
  if (!notes.has(before)) {
    const element = make('p', '');
    element.className = 'note';
    element.setAttribute('role', 'status');
    before.before(element);
    notes.set(before, element);
  }
  notes.get(before).textContent = words;
  notes.get(before).classList.toggle('off', words === '');
};

const ownersOf = new Map();
const followFigure = (figure, hidden, isHidden) => {
  const frames = all(':scope > .scroll', figure);
  const drawings = frames.map((frame) => frame.firstElementChild);
  if (!ownersOf.has(figure)) {
    ownersOf.set(figure, new Set(drawings.flatMap((svg) => all('[class]', svg).flatMap(owners))));
  }
  drawings.filter((svg) => svg.dataset.flow).forEach((svg) => flow(svg, isHidden));
  const finding = figure.querySelector(':scope > .finding');
  const sentences = finding ? all('span', finding).filter((part) => !isHidden(owners(part))) : [];
  drawings.forEach((svg) => {
    svg.querySelector('desc').textContent = sentences.map((part) => part.textContent).join('');
  });
  const lacks = drawings.some((svg) => isHidden((svg.dataset.needs ?? '').split(' ')));
  figure.classList.toggle('off', lacks);
  note(figure, lacks ? 'A figure that compares two designs is left out, because one of them is hidden.' : '');
  const drawn = [...ownersOf.get(figure)];
  const isEmpty = drawn.length > 0 && drawn.every((owner) => hidden.has(owner));
  [...frames, ...all(':scope > .tools', figure)].forEach((part) => part.classList.toggle('off', isEmpty));
  note(frames[0], isEmpty ? 'This figure draws none of the designs that are shown.' : '');
};

// The first figure: for each point the designs of both classes, from the fastest on, and the pairs that were judged. It
// shows the pair of the fastest shown designs, or nothing if that pair is not among them.
const pairs = new Map();
const pairsOf = async (holder) => {
  const [points] = await columnsOf(holder.dataset.pairs);
  return points.map((point) => {
    const [classes, ...judged] = point.split('\x1e').filter((part) => part).map((part) => part.split('\x1f'));
    return { classes: classes.map((names) => names.split(' ')), judged };
  });
};
let latest = null;
const followPairs = async (holder, hidden, isHidden) => {
  if (!pairs.has(holder)) pairs.set(holder, pairsOf(holder));
  const points = await pairs.get(holder);
  if (latest !== hidden) return;
  const chosen = points.map(({ classes, judged }) => {
    const fastest = classes.map((names) => names.find((name) => !hidden.has(name))).join(' ');
    return judged.find(([designs]) => designs === fastest);
  });
  all('figure > .scroll > svg', holder).forEach((svg, which) => {
    for (const part of all('[data-point]', svg)) part.innerHTML = chosen[part.dataset.point]?.[2 + which] ?? '';
    for (const part of all('[data-joined]', svg)) {
      // A point that is left out interrupts the line.
      const runs = [[]];
      for (const point of part.dataset.joined.split(' ')) {
        if (chosen[point]) runs.at(-1).push(chosen[point][1]);
        else runs.push([]);
      }
      const line = part.firstElementChild;
      const drawn = runs.filter((places) => places.length > 1);
      // One line stays, without points if need be, for the next time.
      part.replaceChildren(...(drawn.length > 0 ? drawn : [[]]).map((places) => {
        const one = line.cloneNode();
        one.setAttribute('points', places.join(' '));
        return one;
      }));
    }
  });
  for (const row of all('tr[data-point]', holder)) {
    const pair = chosen[row.dataset.point];
    row.classList.toggle('off', !pair);
    if (pair) row.innerHTML = pair[4];
  }
  all('table', holder).filter((table) => rowsOf.has(table)).forEach(arrange);
  const lost = chosen.filter((pair) => !pair).length;
  const others = chosen.filter((pair, point) => pair && pair !== points[point].judged[0]).length;
  // Sentences are told once, above the first of several figures.
  const isFirst = holder === document.querySelector('[data-pairs]');
  const leads = all(':scope > .lead', isFirst ? holder.parentElement : holder).filter((lead) => isHidden(owners(lead)));
  const total = points.length;
  const parts = [
    others > 0 && `${others} of ${count(total, 'point', 'points')} of this figure compare the fastest designs that are shown`,
    lost > 0 && `${lost} of ${count(total, 'point', 'points')} are left out, because only pairs with hidden designs were judged there`,
    leads.length > 0 && `${count(leads.length, 'sentence about hidden designs is', 'sentences about hidden designs are')} left out`,
    others + lost > 0 && 'the heading is about all designs',
  ].filter((part) => part);
  note(holder, parts.length > 0 ? `Designs are hidden: ${parts.join('; ')}.` : '');
};
// Rows of numbers are numbered before a reader sorts them.
for (const holder of all('[data-pairs]')) {
  all('tbody tr', holder).forEach((row, point) => (row.dataset.point = point));
}

// Claims: a condition that names a hidden design is hidden by its class. A claim is hidden with all of its designs.
const followClaim = (row, hidden) => {
  const designs = row.dataset.about.split(' ');
  const gone = designs.filter((name) => hidden.has(name)).length;
  row.classList.toggle('off', gone === designs.length);
  let said = row.querySelector('.left-out');
  if (!said) {
    said = make('em', '');
    said.className = 'left-out';
    row.cells[3].append(said);
  }
  said.textContent = gone > 0
    ? `Judged by ${count(designs.length, 'design', 'designs')}, of which ${gone} ${gone === 1 ? 'is' : 'are'} hidden.` : '';
};

const follow = (hidden) => {
  if (hidden.size === 0 && latest === null) return;
  latest = hidden;
  const isHidden = (classes) => classes.some((name) => hidden.has(name));
  for (const figure of all('figure')) followFigure(figure, hidden, isHidden);
  for (const row of all('tr[data-about]')) followClaim(row, hidden);
  for (const holder of all('[data-pairs]')) followPairs(holder, hidden, isHidden);
};
