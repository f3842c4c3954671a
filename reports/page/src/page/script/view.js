// The view: what the bar says, the designs that are not checked, and the sorted place in the page. It is kept in
// the fragment of the address, so that it survives a reload and can be sent.
const bar = document.querySelector('form.bar');
const set = (name) => document.getElementById('set-' + name);
// The bar of several sessions selects no baseline and no metric.
const selects = ['baseline', 'metric', 'workload', 'call', 'family'].filter(set);
const boxes = bar ? all('[data-design]', bar) : [];
const name = (box) => box.parentElement.textContent.slice(1).trim();
// A sentence carries the classes of the designs that it names, so that it is hidden with any of them.
const named = boxes
  .flatMap((box) => [name(box), box.value].map((words) => [words, box.dataset.design]))
  .sort(([a], [b]) => b.length - a.length);
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
const nameSentences = (root) => {
  for (const part of all('.lead, .finding, .findings li, ul.note li, p.note', root)) {
    const sentences = part.textContent.split(/\. (?=[A-Z])/);
    const ends = sentences.map((words, place) => words + (place + 1 < sentences.length ? '. ' : ''));
    if (part.children.length > 0) classes(part);
    else part.replaceChildren(...ends.map((words) => classes(make('span', words))));
  }
};
nameSentences(document);
all('.condition').forEach(classes);
// Rules of our own, in the sheet of the page: what they hide stays hidden when a table is sorted or opened.
const sheet = document.styleSheets[0];
const fixed = sheet.cssRules.length;
const hide = (selectors) => {
  while (sheet.cssRules.length > fixed) sheet.deleteRule(fixed);
  for (const selector of selectors) sheet.insertRule(selector + '{display:none!important}', fixed);
};
const apply = () => {
  const [workload, call, family] = ['workload', 'call', 'family'].map((one) => set(one)?.value);
  const search = set('search').value.trim().toLowerCase();
  const unwanted = boxes.filter((box) => {
    const found = (name(box) + ' ' + box.value).toLowerCase().includes(search);
    return !(box.checked && found && (!family || box.value.split('/')[0] === family));
  });
  const hidden = new Set(unwanted.map((box) => box.dataset.design));
  const selectors = [...hidden].map((design) => ':is(main,.first) .' + design);
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
  follow(hidden);
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
  const sorted = [...sorts].map(([table, [column, sign]]) => `${table}.${column}.${sign > 0 ? 'up' : 'down'}`);
  if (sorted.length > 0) view.set('sort', sorted.join(' '));
  return view;
};
const restore = (view) => {
  for (const one of [...selects, 'search']) {
    set(one).value = view.get(one) ?? set(one).dataset.first;
    if (set(one).value === '' && set(one).dataset.first) set(one).value = set(one).dataset.first;
  }
  const hidden = (view.get('hide') ?? '').split(' ');
  boxes.forEach((box) => (box.checked = !hidden.includes(box.value)));
  sorts.clear();
  for (const sorted of (view.get('sort') ?? '').split(' ').filter((one) => one)) {
    const [table, column, direction] = sorted.split('.');
    sorts.set(table, [Number(column), direction === 'up' ? 1 : -1]);
  }
  [...rowsOf.keys()].forEach(arrange);
  apply();
};
// A fragment without `=` is the id of a section; the view is kept beside it as `at`.
const fragment = () => decodeURIComponent(location.hash.slice(1));
const keep = (at) => {
  if (!bar) return;
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
  // On a telephone the bar is one line until it is opened.
  const telephone = matchMedia('(max-width:40rem)');
  const fold = () => (bar.querySelector('.controls').open = !telephone.matches);
  telephone.addEventListener('change', fold);
  fold();
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
