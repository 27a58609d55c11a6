// Tables that can be sorted, and that grow by a click. Rows keep their elements when figures change.
import {add, button, fill, h} from './dom.js';
import {count, plural} from './format.js';

const PAGE = 50;
const inOrder = new Intl.Collator('en', {numeric: true});

/**
 * Makes a table.
 *
 * columns: [{title, cell: row → nodes, value?: row → to sort by, number?: true, low?: true (hidden on phones), sign?: row → text}],
 * or false for a column that isn't there;
 * options: {id, caption, columns, key: row → text, empty: nodes, sort: [title, isDescending], isLive, page: rows at first,
 * isCards: true (on phones each row is a card)}; key, value and sign may be names of members.
 * Returns {element, update(rows)}.
 */
export function table(options) {
  const {id, caption, empty = 'Nothing here.', page = PAGE} = options;
  const reader = of => typeof of === 'string' ? row => row[of] : of;
  const key = reader(options.key);
  const columns = options.columns.filter(Boolean).map(each => ({...each, value: reader(each.value), sign: reader(each.sign) ?? JSON.stringify}));
  let [sortedBy, isDescending] = options.sort ?? [null, false];
  let rows = [];
  let shown = page;
  const known = new Map();
  const heads = columns.map(head);
  // a table that is shown as cards is no table any more to browsers, unless it says so
  const role = part => options.isCards ? part : null;
  const body = h('tbody', {role: role('rowgroup')});
  const grid = h('table', {id, class: options.isCards ? 'cards' : null, role: role('table')}, h('caption.hidden', caption),
    h('thead', {role: role('rowgroup')}, h('tr', {role: role('row')}, heads)), body);
  const box = h('div.table-box', grid);
  const nothing = h('p.empty', {hidden: true}, empty);
  const more = button('', () => { shown += PAGE * 4; draw(); }, {kind: 'slim more'});
  const element = h('div.table', box, nothing, more);

  function head(column) {
    const props = {scope: 'col', class: classes(column), role: options.isCards ? 'columnheader' : null};
    if (!column.value) return h('th', props, column.title || h('span.hidden', 'Actions'));
    const cell = h('th', props, h('button', {type: 'button', on: {click: () => {
      isDescending = sortedBy === column.title ? !isDescending : Boolean(column.number);
      sortedBy = column.title;
      draw();
    }}}, column.title));
    return cell;
  }

  function classes(column) {
    return [column.number && 'number', column.low && 'low'].filter(Boolean).join(' ') || null;
  }

  function sorted() {
    const column = columns.find(each => each.title === sortedBy && each.value);
    if (!column) return rows;
    const order = isDescending ? -1 : 1;
    const value = column.value;
    return rows.map(row => [value(row), row]).sort(([a], [b]) => {
      if (a === b) return 0;
      if (a == null) return 1;
      if (b == null) return -1;
      return order * (typeof a === 'string' ? inOrder.compare(a, b) : a < b ? -1 : 1);
    }).map(each => each[1]);
  }

  /** Live rows keep their order while somebody points at them. */
  function isHeld() {
    return options.isLive && body.childElementCount > 0 && (body.matches(':hover') || body.contains(document.activeElement));
  }

  function draw() {
    heads.forEach((cell, i) => {
      if (columns[i].title === sortedBy) cell.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    });
    let visible = sorted().slice(0, shown);
    if (isHeld()) {
      const places = new Map([...body.children].map((tr, i) => [tr.dataset.key, i]));
      visible = visible.map(row => [places.get(String(key(row))) ?? PAGE * 100, row]).sort((a, b) => a[0] - b[0]).map(each => each[1]);
    }
    const used = new Set();
    let before = null;
    for (const row of visible) {
      const rowKey = String(key(row));
      if (used.has(rowKey)) console.error(`${id}: two rows are ${rowKey}`);
      used.add(rowKey);
      const tr = drawn(rowKey, row);
      const place = before ? before.nextElementSibling : body.firstElementChild;
      if (place !== tr) body.insertBefore(tr, place);
      before = tr;
    }
    for (const [rowKey, each] of known) {
      if (!used.has(rowKey)) {
        each.tr.remove();
        known.delete(rowKey);
      }
    }
    box.hidden = rows.length === 0;
    nothing.hidden = rows.length > 0;
    more.hidden = rows.length <= shown;
    more.querySelector('span').textContent = `Show more (${count(Math.max(0, rows.length - shown))} left)`;
    scrollable(box, caption);
  }

  function drawn(rowKey, row) {
    const old = known.get(rowKey);
    if (!old) {
      const cells = columns.map(column => h('td', {class: classes(column), role: role('cell'), data: options.isCards && column.title ? {title: column.title} : null}, column.cell(row)));
      const tr = h('tr', {role: role('row'), data: {key: rowKey}}, cells);
      known.set(rowKey, {tr, cells, signs: columns.map(column => column.sign(row))});
      return tr;
    }
    columns.forEach((column, i) => {
      const now = column.sign(row);
      if (old.signs[i] !== now) {
        old.signs[i] = now;
        const hadFocus = old.cells[i].contains(document.activeElement);
        fill(old.cells[i], column.cell(row));
        if (hadFocus) old.cells[i].querySelector('a, button')?.focus();
      }
    });
    return old.tr;
  }

  return {
    element,
    update(next) {
      rows = next;
      draw();
    },
    /** Forgets how many rows were shown, after a search. */
    reset() {
      shown = page;
    },
  };
}

export function figure(title, member, more) {
  return {title, number: true, value: member, cell: row => count(row[member]), ...more};
}

/** Lets a box that is wider than its place be scrolled by keys. */
function scrollable(box, caption) {
  const isWide = box.scrollWidth > box.clientWidth + 1;
  for (const [name, value] of [['tabindex', '0'], ['role', 'region'], ['aria-label', `${caption}: table`]]) {
    if (isWide) box.setAttribute(name, value); else box.removeAttribute(name);
  }
}

/** A small table of figures, for those who don't see a chart. */
export function figures(caption, titles, rows) {
  return h('div.table-box', {role: 'region', 'aria-label': `${caption}: figures`, tabindex: '0'},
    h('table', h('caption.hidden', caption),
      h('thead', h('tr', titles.map((title, i) => h('th', {scope: 'col', class: i > 0 ? 'number' : null}, title)))),
      h('tbody', rows.map(row => h('tr', row.map((value, i) => h('td', {class: i > 0 ? 'number' : null}, value)))))));
}

/** Search and other filters above a table, which the address names as well. Returns {element, values(), say(text), …}. */
export function filters(fields, changed) {
  const inputs = {};
  const found = h('p.found', {role: 'status'});
  const element = h('form.filters', {role: 'search', on: {submit: event => event.preventDefault()}},
    fields.map(field => {
      const {name, label, choices} = field;
      const value = new URLSearchParams(location.hash.split('?')[1]).get(name) ?? field.value ?? '';
      const id = `filter-${name}`;
      const input = choices
        ? add(h('select', {id}), choices.map(([choice, text]) => h('option', {value: choice, selected: choice === value}, text)))
        : h('input', {id, type: 'search', value, placeholder: field.placeholder, autocomplete: 'off', spellcheck: 'false', list: field.list, data: {search: ''}});
      input.addEventListener('input', () => {
        const [path, query] = location.hash.split('?');
        const asked = new URLSearchParams(query);
        if (input.value.trim()) asked.set(name, input.value.trim()); else asked.delete(name);
        history.replaceState(null, '', asked.size > 0 ? `${path}?${asked}` : path);
        changed(values());
      });
      inputs[name] = input;
      return h('div', {class: choices ? 'field' : 'field search'}, h('label', {for: id}, label), input);
    }), found);

  function values() {
    return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
  }

  const say = text => { if (found.textContent !== text) found.textContent = text; };
  return {
    element, values, say,
    /** Returns whether a text has all searched words. */
    finds: text => values().text.toLowerCase().split(/\s+/).every(word => text.toLowerCase().includes(word)),
    sayFound: (some, all, ...words) => say(some.length === all.length ? plural(all.length, ...words) : `${count(some.length)} of ${plural(all.length, ...words)}`),
  };
}
