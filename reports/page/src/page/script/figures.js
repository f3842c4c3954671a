// Figures: copy as SVG; one tab stop, arrow keys go from mark to mark and tell its values.
const image = (svg) => {
  const clone = svg.cloneNode(true);
  const [, , width, height] = svg.getAttribute('viewBox').split(' ');
  const fonts = getComputedStyle(svg).fontFamily;
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', width, height, 'font-family': fonts };
  Object.entries(attributes).forEach(([name, value]) => clone.setAttribute(name, value));
  // What the style sheet hides is not there in the copy.
  const shown = all('*', svg).map((part) => getComputedStyle(part).display !== 'none');
  all('*', clone).forEach((part, place) => shown[place] || part.remove());
  all('[data-say]', clone).forEach((part) => part.classList.remove('here'));
  const origin = document.createElementNS('http://www.w3.org/2000/svg', 'metadata');
  origin.textContent = svg.closest('figure').querySelector(':scope > .origin').textContent;
  clone.querySelector('desc').after(origin);
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
