// Runs inside a copy of the page, after its own script. Each check is a line of the verdicts: `ok` or `FAILED`.
'use strict';
(async () => {
  const lines = [];
  const check = (name, is, found = '') => lines.push(`${is ? 'ok' : 'FAILED'} ${name} ${is ? '' : found}`);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  // What a closed <details> hides has boxes of a size all the same.
  const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const count = (selector) => all(selector).filter(isShown).length;
  const set = (name) => document.getElementById('set-' + name);
  const choose = (name, value) => {
    set(name).value = value;
    set(name).dispatchEvent(new Event('input', { bubbles: true }));
  };
  const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  const rows = () => count('#matrix ~ div [data-baseline=planned] tbody tr');
  // The clock of the browser is virtual: a wait alone would end before the thread that unpacks a table. The loop
  // spends real time, some 20 ms a turn.
  const until = async (condition) => {
    for (let turn = 0; turn < 500 && !condition(); turn++) {
      for (let spent = 0; spent < 2e7; spent++);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const button = (root, text) => all('button', root).find((it) => it.textContent === text);

  // Copies, caught before they reach the clipboard.
  let copied = '';
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text) => { copied = text; } },
  });
  const press = async (root, text) => {
    copied = '';
    click(button(root, text));
    await new Promise((done) => setTimeout(done));
    return copied;
  };

  // Tables and figures that need no script, in the colours that were chosen.
  const shown = () => {
    const isDark = document.getElementById('theme-dark').checked;
    const colour = getComputedStyle(document.body).color;
    check('texts have the colour of the theme', isDark === (Number(colour.match(/\d+/)[0]) > 128), colour);
    check('the first figure is shown', count('header figure svg') === 1, count('header figure svg'));
    legible();
    check('every figure outside a fold is drawn once', all('main figure')
      .filter((figure) => isShown(figure))
      .every((figure) => all(':scope > .scroll', figure).filter(isShown).length === 1));
    check('the matrix is shown once', count('[data-columns] table') === 1, count('[data-columns] table'));
    check('the headline table is shown', count('#ranking-tables ~ div table') > 0);
  };
  // The same with the choices of the style sheet. Those of a large page are packed.
  const plain = () => {
    shown();
    const caption = () => all('[data-columns] caption').find(isShown).textContent;
    const planned = caption();
    for (const value of ['fastest', 'branchy', 'branchless', 'planned']) {
      set('baseline').value = value;
      check(`baseline ${value} shows one matrix`, count('[data-columns] table') === 1);
      check(`baseline ${value} is that of the matrix`, (caption() === planned) === (value === 'planned'));
      check(`baseline ${value} shows one forest plot`, count('#ranking ~ [data-baseline] > figure') === 1);
    }
    for (const { value } of [...set('metric').options].reverse()) {
      set('metric').value = value;
      check(`metric ${value} shows one matrix`, count('[data-columns] table') === 1);
    }
  };

  // Targets of at least 24 px in both directions.
  const targets = () => {
    const small = all('button, select, summary, input[type=search], .bar label, .theme label, nav a')
      .filter(isShown)
      .map((it) => [it.getBoundingClientRect(), it])
      .filter(([box]) => box.height < 23.5 || box.width < 23.5)
      .map(([box, it]) => `${it.tagName} ${it.textContent} ${box.width}x${box.height}`);
    check('targets have 24 px', small.length === 0, small.slice(0, 5).join('; '));
  };

  const controls = async () => {
    const end = one('header figure > .scroll').getBoundingClientRect().bottom;
    check('the first figure ends within the first 800 px', end <= 800, end);
    const designs = rows();
    check('all designs are in the matrix', designs > 8, designs);
    const fragment = () => decodeURIComponent(location.hash);
    choose('search', 'iota');
    check('search leaves one row', rows() === 1, rows());
    check('search hides marks of figures', count('figure [data-say] .d0, figure .d0') === 0);
    check('search is in the address', fragment() === '#search=iota', fragment());
    click(set('reset'));
    check('reset shows all rows', rows() === designs && fragment() === '', rows() + fragment());
    const family = set('family').options[1].value;
    choose('family', family);
    check('a family hides the others', rows() >= 1 && rows() < designs, rows());
    choose('family', '');
    const box = all('[data-design]')[0];
    box.checked = false;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    check('an unchecked design is hidden', rows() === designs - 1, rows());
    check('its id is in the address', fragment() === '#hide=' + box.value, fragment());
    click(set('none'));
    check('none hides every row', rows() === 0, rows());
    click(set('all'));
    check('all shows every row', rows() === designs, rows());
    const cells = () => all('[data-columns] thead th').filter(isShown).length;
    const columns = cells();
    const sentence = one('main .finding span[class]');
    const design = all('[data-design]').find((it) => sentence.classList.contains(it.dataset.design));
    const tick = (is) => {
      design.checked = is;
      design.dispatchEvent(new Event('input', { bubbles: true }));
    };
    tick(false);
    check('a sentence is hidden with a design that it names', !isShown(sentence), sentence.textContent);
    check('its neighbours stay', all('main .finding').some(isShown) && count('main .finding span') > 3);
    tick(true);
    check('and is shown again', isShown(sentence));
    choose('workload', 'ab4');
    check('a workload leaves its columns', cells() > 1 && cells() < columns, cells());
    check('a workload hides other panels', all('[data-workload]').filter(isShown)
      .every((part) => part.dataset.workload === 'ab4'));
    choose('call', 'captures');
    check('a call leaves its column', cells() === 2, cells());
    click(set('reset'));
    // The view of an address, as on a reload.
    location.hash = '#baseline=branchy&hide=' + encodeURIComponent(box.value);
    await new Promise((done) => addEventListener('hashchange', () => setTimeout(done), { once: true }));
    check('an address restores the baseline', set('baseline').value === 'branchy');
    check('an address restores what is hidden', !box.checked);
    click(one('nav a'));
    check('a link of the contents keeps the view', fragment().includes('baseline=branchy')
      && fragment().includes('at=' + one('nav a').getAttribute('href').slice(1)), fragment());
    click(set('reset'));
    // Sorting.
    const table = all('[data-columns] table').find(isShown);
    const values = () => [...table.tBodies[0].rows].map((row) =>
      Number(row.cells[1].dataset.v ?? row.cells[1].textContent));
    const sorted = (sign) => values().every((value, n, list) => n === 0 || sign * (value - list[n - 1]) >= 0);
    click(table.tHead.rows[0].cells[1].querySelector('button'));
    check('a column sorts upwards', sorted(1), values());
    click(table.tHead.rows[0].cells[1].querySelector('button'));
    check('a column sorts downwards', sorted(-1), values());
    const after = table.parentElement.nextElementSibling;
    const markdown = await press(after, 'Copy as Markdown');
    check('a table is copied as Markdown', markdown.split('\n').filter((it) => it.startsWith('| ')).length
      === designs + 2, markdown.slice(0, 200));
    const csv = await press(after, 'Copy as CSV');
    const session = table.caption.textContent.match(/Session of .*, seed \d+/)[0];
    check('a table is copied as CSV', csv.trim().split('\n').length === designs + 1
      && csv.trim().split('\n').slice(1).every((line) => line.endsWith(`,"${session}"`)), csv.slice(0, 200));
    const figure = all('main figure').find(isShown);
    const svg = await press(figure, 'Copy as SVG');
    const image = new DOMParser().parseFromString(svg, 'image/svg+xml');
    check('a figure is copied as SVG', image.documentElement.localName === 'svg'
      && image.querySelectorAll('text').length > 5
      && /Session of .*, seed/.test(image.querySelector('metadata').textContent), svg.slice(0, 200));
    const link = await press(one('form.bar'), 'Copy link');
    check('the link is copied', link === location.href, link);
    // Keyboard.
    const frames = all('figure > .scroll').filter(isShown);
    check('a figure has one tab stop', frames.every((frame) => frame.tabIndex === 0
      && all('[tabindex]', frame).length === 0));
    for (const frame of frames) {
      const output = frame.parentElement.querySelector(':scope > .tools output');
      const before = output.textContent;
      frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', cancelable: true }));
      check(`arrow keys tell values: ${frame.ariaLabel}`, output.textContent !== before && output.textContent.length > 9,
        output.textContent);
    }
    const hovered = frames.at(-1).querySelector('[data-say]');
    hovered.firstElementChild.dispatchEvent(new Event('pointerover', { bubbles: true }));
    check('a mark under the pointer tells its values', hovered.classList.contains('here')
      && frames.at(-1).parentElement.querySelector('.tools output').textContent === hovered.dataset.say);
    const frame = one('header figure > .scroll');
    const said = frame.parentElement.querySelector('.tools output');
    const key = (name) => frame.dispatchEvent(new KeyboardEvent('keydown', { key: name, cancelable: true }));
    key('ArrowRight');
    const first = said.textContent;
    key('ArrowRight');
    const second = said.textContent;
    key('ArrowLeft');
    check('arrow keys tell the values of marks', first.length > 20 && second.length > 20 && first !== second
      && said.textContent === first && said.getAttribute('aria-live') === 'polite', first + second);
    targets();
  };

  // Nothing is wider than its window; tables scroll in frames of their own.
  const fits = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = all('body *').filter((it) => isShown(it) && !it.closest('.scroll, pre, svg')
      && it.getBoundingClientRect().right > clientWidth + 1).slice(0, 5);
    check('the page does not scroll sideways', scrollWidth <= clientWidth,
      `${scrollWidth} > ${clientWidth}: ` + wide.map((it) => it.tagName + '.' + it.className).join(' '));
  };
  // Texts of a figure are inside it and apart from each other, as the fonts of this machine draw them.
  const legible = () => {
    for (const frame of all('figure > .scroll').filter(isShown)) {
      const name = frame.getAttribute('aria-label');
      const svg = frame.querySelector('svg').getBoundingClientRect();
      const texts = all('text', frame).filter(isShown).map((it) => [it.getBoundingClientRect(), it.textContent]);
      const outside = texts.filter(([box]) => box.left < svg.left - 1 || box.right > svg.right + 1
        || box.top < svg.top - 1 || box.bottom > svg.bottom + 1).map(([, text]) => text);
      check(`texts stay inside: ${name}`, outside.length === 0, outside.slice(0, 5).join('; '));
      const touch = ([a, one], [b, other]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4 && `${one} / ${other}`;
      const overlaps = texts.flatMap((text, place) => texts.slice(place + 1).map((other) => touch(text, other)))
        .filter(Boolean);
      check(`texts do not overlap: ${name}`, overlaps.length === 0, overlaps.slice(0, 5).join('; '));
    }
  };
  const narrow = () => {
    fits();
    targets();
    const bar = one('form.bar');
    const controls = bar.querySelector('.controls');
    // Without scripts it is open, and has the two choices of the style sheet.
    check('the bar is one line', bar.getBoundingClientRect().height < (button(bar, 'Reset').hidden ? 110 : 60),
      bar.getBoundingClientRect().height);
    controls.open = true;
    const inside = all('select, button, input[type=search]', bar).filter(isShown);
    const cut = inside.filter((it) => it.getBoundingClientRect().left < 0
      || it.getBoundingClientRect().right > document.documentElement.clientWidth);
    check('every control of the bar is within the window', inside.length > 1 && cut.length === 0
      && bar.scrollWidth <= bar.clientWidth, cut.map((it) => it.id).join());
    targets();
    controls.open = false;
    const drawn = all('main figure, header figure').filter(isShown);
    check('every figure is drawn for the width', drawn.length > 12
      && drawn.every((figure) => all(':scope > .wide', figure).filter(isShown).length === 0
        && all(':scope > .narrow', figure).filter(isShown).length === 1), drawn.length);
    const frames = all('figure > .scroll').filter(isShown).filter((it) => it.scrollWidth > it.clientWidth + 1);
    check('no figure scrolls sideways', frames.length === 0, frames.map((it) => it.ariaLabel).join('; '));
    legible();
    const head = all('[data-columns] tbody th').find(isShown);
    const frame = head.closest('.scroll');
    const before = head.getBoundingClientRect().left;
    frame.scrollLeft = 200;
    check('the first column stays', frame.scrollLeft > 0 && Math.abs(head.getBoundingClientRect().left - before) < 9,
      `${before} ${head.getBoundingClientRect().left}`);
  };
  // With the rules of the print sheet, in a window as wide as the paper.
  const paper = () => {
    fits();
    const cut = all('table').filter((table) => isShown(table)
      && table.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
    check('no table is cut', cut.length === 0, cut.map((it) => it.caption.textContent).join('; '));
    const broken = all('td.n').filter((cell) => isShown(cell) && getComputedStyle(cell).whiteSpace !== 'nowrap');
    check('no number is broken', broken.length === 0, broken[0]?.textContent);
    // Chromium leaves the repeated head of a table blank where a button stands in it.
    const blank = all('thead button').filter((it) => getComputedStyle(it).display !== 'contents');
    check('heads can be repeated', blank.length === 0);
  };
  const scale = async () => {
    const elements = all('*').length;
    const part = one('[data-packed] > details');
    check('a table is packed', part !== null && part.querySelector('table') === null);
    part.open = true;
    await until(() => part.querySelector('thead button'));
    check('it is drawn when it is opened', part.querySelectorAll('tbody tr').length >= 80);
    check('and can be sorted and copied', part.querySelector('thead button') && button(part, 'Copy as CSV'));
    check('elements', elements < 40000, elements);
    legible();
    choose('search', 'synthetic-iota');
    const empty = all('figure > .scroll').filter(isShown).filter((it) => it.querySelector('[data-cell]')
      && !all('[data-cell]', it).some(isShown));
    check('no figure of hidden designs alone is left', empty.length === 0, empty.map((it) => it.ariaLabel).join('; '));
    legible();
    click(set('reset'));
    const chosen = one('[data-baseline=branchy] [data-packed] > details');
    const baseline = one('#set-baseline');
    baseline.value = 'branchy';
    baseline.dispatchEvent(new Event('input', { bubbles: true }));
    await until(() => chosen.querySelector('thead button'));
    check('a chosen table opens by itself', chosen.querySelectorAll('tbody tr').length >= 80);
    lines.push(`elements ${elements}, loaded after ${Math.round(performance.now())} ms`);
  };
  // The first screen of 1280 × 800 pixels: finding, sentences, conditions and figure.
  const screen = () => {
    check('heading ' + one('h1').lastChild.textContent.trim(), one('h1').getBoundingClientRect().bottom < 800);
    const sentences = all('header .lead').map((it) => it.textContent);
    check('three sentences at most', sentences.length > 0 && sentences.length <= 3, sentences.length);
    check('one badge', count('header .badge') === 1);
    const end = one('header figure > .scroll').getBoundingClientRect().bottom;
    check('the first figure ends within the first 800 px', end <= 800, end);
    legible();
    lines.push(...sentences.map((it) => 'sentence ' + it));
  };
  const axe = async () => {
    const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const judge = async (name) => {
      // Without it, axe also describes each element that breaks no rule, which takes most of its time.
      const found = await globalThis.axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
      check(`axe finds no violation ${name}`, found.violations.length === 0,
        found.violations.map((it) => `${it.id} (${it.nodes.length}): ${it.nodes[0].target}`).join('; '));
    };
    await judge('in the page');
    choose('search', 'zeta');
    for (const part of all('details:has(> pre[data-boards]), details:has(> details > pre[data-boards])')) part.open = true;
    await until(() => one('svg.board') && !one('pre[data-boards]'));
    await judge('with hidden designs and drawn boards');
  };

  check('nothing was loaded', performance.getEntriesByType('resource').length === 0);
  try {
    const tools = { lines, check, all, one, isShown, count, choose, click, until, button, legible, fits, press };
    await { shown, plain, controls, narrow, paper, scale, screen, axe, ...MODES(tools) }[MODE]();
  } catch (error) {
    check('no error', false, error.stack);
  }
  const told = document.createElement('pre');
  told.id = 'verdicts';
  told.textContent = lines.join('\n') + '\n';
  document.body.append(told);
  parent.postMessage(told.textContent, '*');
})();
