// What the page offers beyond reading: sort, choose, search, copy, and a view that can be sent. It computes
// nothing: every number is in the document. The page is complete without it.
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, text, action) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (action) {
      element.type = 'button';
      element.addEventListener('click', action);
    }
    return element;
  };
  const isShown = (element) => element.getClientRects().length > 0;

  // Text into the clipboard. Old browsers and pages from files may refuse the first way.
  const copy = async (text, said) => {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      const area = make('textarea', text);
      document.body.append(area);
      area.select();
      done = document.execCommand('copy');
      area.remove();
    }
    said.textContent = done ? 'Copied' : 'The browser does not allow copying';
  };

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
  const sortable = (table, heads) => {
    const body = table.tBodies[0];
    if (!body || body.rows.length < 2) return;
    heads.forEach((head, column) => {
      const button = make('button', '', () => {
        const up = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach((other) => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', up ? 'descending' : 'ascending');
        const rows = [...body.rows].map((row) => [key(row, column), row]);
        rows.sort((a, b) => order(a[0], b[0], up ? -1 : 1));
        body.append(...rows.map((row) => row[1]));
      });
      button.append(...head.childNodes);
      head.append(button);
    });
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
    return grid(table).map((row) => row.map(field).join(',') + '\n').join('');
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

  // Figures: copy as SVG; one tab stop, arrow keys go from mark to mark and tell its values.
  const image = (svg) => {
    const clone = svg.cloneNode(true);
    const [, , width, height] = svg.getAttribute('viewBox').split(' ');
    const attributes = { xmlns: 'http://www.w3.org/2000/svg', width, height, 'font-family': 'sans-serif' };
    Object.entries(attributes).forEach(([name, value]) => clone.setAttribute(name, value));
    const shown = all('*', svg).map((part) => getComputedStyle(part).display !== 'none');
    all('*', clone).forEach((part, place) => shown[place] || part.remove());
    all('[data-say]', clone).forEach((part) => part.classList.remove('here'));
    return new XMLSerializer().serializeToString(clone);
  };
  const dressFigure = (figure) => {
    const stops = all(':scope > .scroll', figure);
    if (figure.dataset.dressed || stops.length === 0) return;
    figure.dataset.dressed = 'yes';
    const [bar, said] = tools(stops.at(-1));
    said.setAttribute('aria-live', 'polite');
    const drawn = () => stops.find(isShown)?.querySelector('svg');
    bar.prepend(make('button', 'Copy as SVG', () => copy(image(drawn()), said)));
    let here = null;
    const say = (mark) => {
      here?.classList.remove('here');
      here = mark;
      here?.classList.add('here');
      if (here) said.textContent = here.dataset.say;
    };
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    for (const stop of stops) {
      if (!stop.querySelector('[data-say]')) continue;
      stop.setAttribute('aria-description', 'Arrow keys move between the marks');
      stop.addEventListener('keydown', (event) => {
        if (!(event.key in step)) return;
        const marks = all('[data-say]', stop).filter((mark) => isShown(mark.firstElementChild));
        if (marks.length === 0) return;
        event.preventDefault();
        const place = marks.indexOf(here) + step[event.key];
        say(marks.at(place < 0 && here === null ? 0 : place % marks.length));
      });
      stop.addEventListener('pointerover', (event) => {
        const mark = event.target.closest('[data-say]');
        if (mark) say(mark);
      });
    }
  };

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
    }
    dress(part);
  };
  document.addEventListener('toggle', opened, true);

  // The view: what the bar says, the designs that are not checked, and the sorted place in the page. It is kept in
  // the fragment of the address, so that it survives a reload and can be sent.
  const bar = document.querySelector('form.bar');
  const selects = ['baseline', 'metric', 'workload', 'call', 'family'];
  const set = (name) => document.getElementById('set-' + name);
  const boxes = bar ? all('[data-design]', bar) : [];
  const name = (box) => box.parentElement.textContent.slice(1).trim();
  // A sentence carries the classes of the designs that it names, so that it is hidden with any of them.
  const named = boxes.map((box) => [name(box), box.dataset.design]).sort(([a], [b]) => b.length - a.length);
  const classes = (element) => {
    let rest = element.textContent;
    for (const [words, design] of named) {
      if (!rest.includes(words)) continue;
      element.classList.add(design);
      // A shorter name may be part of this one.
      rest = rest.replaceAll(words, '');
    }
    return element;
  };
  for (const part of all('.lead, .finding, .findings li, main ul.note li')) {
    const sentences = part.textContent.split(/\. (?=[A-Z])/);
    const ends = sentences.map((words, place) => words + (place + 1 < sentences.length ? '. ' : ''));
    if (part.children.length > 0) classes(part);
    else part.replaceChildren(...ends.map((words) => classes(make('span', words))));
  }
  // Rules of our own, in the sheet of the page: what they hide stays hidden when a table is sorted or opened.
  const sheet = document.styleSheets[0];
  const fixed = sheet.cssRules.length;
  const hide = (selectors) => {
    while (sheet.cssRules.length > fixed) sheet.deleteRule(fixed);
    for (const selector of selectors) sheet.insertRule(selector + '{display:none!important}', fixed);
  };
  const apply = () => {
    const [workload, call, family] = ['workload', 'call', 'family'].map((one) => set(one).value);
    const search = set('search').value.trim().toLowerCase();
    const selectors = boxes
      .filter((box) => {
        const found = (name(box) + ' ' + box.value).toLowerCase().includes(search);
        return !(box.checked && found && (!family || box.value.split('/')[0] === family));
      })
      .map((box) => ':is(main,.lead) .' + box.dataset.design);
    const quoted = (value) => '"' + CSS.escape(value) + '"';
    if (workload) selectors.push(`[data-workload]:not([data-workload=${quoted(workload)}])`);
    if (call) selectors.push(`[data-call]:not([data-call=${quoted(call)}])`);
    for (const matrix of all('[data-columns]')) {
      matrix.id ||= 'columns-' + all('[data-columns]').indexOf(matrix);
      matrix.dataset.columns.split(';').forEach((column, place) => {
        const [of, what] = column.split('|');
        if ((workload && of !== workload) || (call && what !== call)) {
          selectors.push(`#${matrix.id} :is(th,td):nth-child(${place + 2})`);
        }
      });
    }
    hide(selectors);
    // A chosen table that is folded because it is large opens by itself.
    all('details[data-wanted]:not([open])').filter(isShown).forEach((part) => (part.open = true));
  };
  const state = () => {
    const view = new URLSearchParams();
    for (const one of [...selects, 'search']) {
      if (set(one).value !== set(one).dataset.first) view.set(one, set(one).value);
    }
    const unchecked = boxes.filter((box) => !box.checked).map((box) => box.value);
    if (unchecked.length > 0) view.set('hide', unchecked.join(' '));
    return view;
  };
  const restore = (view) => {
    for (const one of [...selects, 'search']) {
      set(one).value = view.get(one) ?? set(one).dataset.first;
      if (set(one).value === '' && set(one).dataset.first) set(one).value = set(one).dataset.first;
    }
    const hidden = (view.get('hide') ?? '').split(' ');
    boxes.forEach((box) => (box.checked = !hidden.includes(box.value)));
    apply();
  };
  // A fragment without `=` is the id of a section; the view is kept beside it as `at`.
  const fragment = () => decodeURIComponent(location.hash.slice(1));
  const keep = (at) => {
    const view = state();
    if (at && `${view}` !== '') view.set('at', at);
    history.replaceState(null, '', '#' + (`${view}` === '' ? (at ?? '') : view));
  };
  const read = () => {
    if (!fragment().includes('=')) return;
    const view = new URLSearchParams(location.hash.slice(1));
    restore(view);
    document.getElementById(view.get('at'))?.scrollIntoView();
  };
  if (bar) {
    all('[data-script]', bar).forEach((part) => (part.hidden = false));
    for (const one of [...selects, 'search']) {
      set(one).dataset.first = one === 'search' ? '' : set(one).options[0].value;
    }
    const changed = () => {
      apply();
      keep();
    };
    bar.addEventListener('input', changed);
    bar.addEventListener('submit', (event) => event.preventDefault());
    const check = (is) => () => {
      boxes.forEach((box) => (box.checked = is));
      changed();
    };
    set('all').addEventListener('click', check(true));
    set('none').addEventListener('click', check(false));
    set('reset').addEventListener('click', () => {
      restore(new URLSearchParams());
      keep();
      set('status').textContent = 'Everything is shown';
    });
    set('copy').addEventListener('click', () => copy(location.href, set('status')));
    document.addEventListener('click', (event) => {
      const link = event.target.closest?.('a[href^="#"]');
      if (!link || `${state()}` === '') return;
      event.preventDefault();
      const at = link.getAttribute('href').slice(1);
      keep(at);
      const target = document.getElementById(at);
      target?.scrollIntoView();
      target?.focus();
    });
    addEventListener('hashchange', read);
    restore(new URLSearchParams());
    read();
  }
  dress(document);
})();
