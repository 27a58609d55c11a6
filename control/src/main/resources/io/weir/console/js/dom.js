// Makes elements. Text is always set as text, so names can have any characters; hidden ones are named.
import {named, pieces} from './characters.js';

/** Attributes that people read. */
const READ = new Set(['aria-label', 'title', 'placeholder']);

/** Makes an element by its tag, classes and id, as in p.small#note; maybe attributes, listeners (`on`), data (`data`) and children. */
export function h(selector, ...children) {
  const [tag, ...marks] = selector.split(/(?=[.#])/);
  const element = document.createElement(tag);
  for (const each of marks) {
    if (each[0] === '#') element.id = each.slice(1); else element.classList.add(each.slice(1));
  }
  const props = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(props)) {
    if (value == null || value === false) continue;
    if (name === 'on') {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (name === 'data') {
      Object.assign(element.dataset, value);
    } else if (name === 'value' || name === 'checked') {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? '' : READ.has(name) ? named(String(value)) : value);
    }
  }
  add(element, children);
  return element;
}

/** Appends nodes and texts; leaves out null, undefined and false. */
export function add(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child == null || child === false) continue;
    if (child instanceof Node) element.append(child);
    else if (element instanceof HTMLTextAreaElement) element.append(String(child));
    else if (element instanceof HTMLOptionElement) element.append(named(String(child)));
    else element.append(...marked(String(child)));
  }
  return element;
}

/** A text as nodes, in which hidden characters are named. */
function marked(text, isName = false) {
  return pieces(text, isName).map(each => {
    if (typeof each === 'string') return each;
    const mark = document.createElement('span');
    mark.className = 'character';
    mark.title = each.title;
    mark.textContent = each.code;
    return mark;
  });
}

export function fill(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A second line below a value, small. */
export function sub(...content) {
  return h('span.sub', content);
}

/** Makes an icon of icons.svg, which screen readers skip. */
export function icon(name) {
  return svg('svg', {class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true'}, svg('use', {href: `icons.svg#${name}`}));
}

/** Shows a name that people or programs have chosen, in whatever script it is written. */
export function name(text) {
  return h('bdi.name', text == null ? text : marked(String(text), true));
}

/** Shows a text of a person, such as a reason. */
export function words(text) {
  return h('span', {dir: 'auto'}, text);
}

export function link(address, ...children) {
  return h('a', {href: address}, ...children);
}

export function button(label, action, {kind = '', image = null, id = null, data = null} = {}) {
  return h('button', {type: 'button', class: kind, id, data, on: {click: action}, 'aria-label': image && kind.includes('plain') ? label : null},
    image && icon(image), h('span', label));
}

/** A button beside a text. */
export function slim(label, action, options) {
  return button(label, action, {kind: 'slim', ...options});
}

export function state(text, kind, image) {
  return h('span', {class: `state ${kind}`}, icon(image), text);
}

/** Shows a notice: what it is about, and what to do. */
export function notice(kind, title, ...content) {
  const images = {bad: 'problems', warn: 'problems', good: 'check'};
  return h('div', {class: `notice ${kind}`}, icon(images[kind] ?? 'info'),
    h('div', title && h('strong', title), title && content.length > 0 && ' ', ...content));
}

/** A number at a glance. */
export function tile(label, value, of) {
  return h('div', h('span.label', label), h('span.value', value), h('span.of', of));
}

/** A panel with a title, and a note or a button beside it. */
export function section(id, title, note, ...content) {
  return h('section.panel', {id, 'aria-labelledby': `${id}-title`}, h('header', h('h2', {id: `${id}-title`}, title), Array.isArray(note) ? h('div.notes', note) : note), content);
}

/** Announces to screen readers. */
export function announce(text) {
  const place = document.getElementById('announce');
  if (place.textContent !== named(text)) place.textContent = named(text);
}

/** Shows a text at the bottom for a few seconds. */
export function toast(text) {
  document.querySelector('.toast')?.remove();
  const element = h('p.toast#toast', text);
  (document.querySelector('dialog[open]') ?? document.querySelector('main')).append(element);
  announce(text);
  setTimeout(() => element.remove(), 4000);
}
