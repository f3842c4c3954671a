// What the page offers beyond reading: sort, choose, search, copy, and a view that can be sent. It computes
// nothing: every number is in the document. The page is complete without it.
//
// The files of this folder are one script, in this order: base, tables, figures, packed, boards, follow, view.

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
const count = (number, one, more) => `${number} ${number === 1 ? one : more}`;
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
