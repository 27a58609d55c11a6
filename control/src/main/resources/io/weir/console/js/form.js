// Fields with a label, a hint and a mistake that is tied to them.
import {pieces} from './characters.js';
import {add, button, fill, h, icon, notice} from './dom.js';
import {openDialog} from './dialog.js';
import {fromInput, toInput} from './format.js';

/**
 * Makes a field. options: {label, type, value, hint, choices: [[value, text]], list: [texts], required, …attributes}; what has a
 * `min` is a number; the value of a `kind: 'time'` is an instant, or empty, and
 * stays as it was given, with its seconds, until it is changed.
 * Returns {element, input, value (trimmed), error(text or null)}.
 */
export function field(id, options) {
  const {label, hint, choices, list, kind = 'input', className = '', ...attributes} = options;
  const isTime = kind === 'time';
  let given = attributes.value;
  if (isTime) Object.assign(attributes, {type: 'datetime-local', value: toInput(given)});
  const about = [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' ');
  const props = {id, 'aria-describedby': about, autocomplete: 'off', ...attributes};
  let input;
  if (choices) {
    input = select(props, choices);
    if (attributes.value !== undefined) input.value = attributes.value;
  } else if (kind === 'textarea') {
    input = h('textarea', {dir: 'auto', ...props});
  } else {
    const {min, type = min === undefined ? 'text' : 'number'} = attributes;
    input = h('input', {type, dir: type === 'text' ? 'auto' : null, spellcheck: 'false', list: list ? `${id}-list` : null, ...props});
  }
  const error = h('p.error', {id: `${id}-error`, hidden: true});
  const unseen = h('p.hint', {hidden: true, role: 'status'});
  const look = () => {
    const found = input.type === 'password' || choices ? [] : pieces(input.value).filter(each => each.code);
    unseen.hidden = found.length === 0;
    const said = found.length > 0 ? `It has ${[...new Set(found.map(each => `${each.code} (${each.title})`))].join(', ')}.` : '';
    if (unseen.textContent !== said) unseen.textContent = said;
  };
  input.addEventListener('input', look);
  look();
  const element = h('div', {class: `field ${className}`}, h('label', {for: id}, label), input, error,
    hint && h('p.hint', {id: `${id}-hint`}, hint), unseen,
    list && h('datalist', {id: `${id}-list`}, list.map(each => h('option', {value: each}))));
  return {
    element,
    input,
    get value() {
      const text = input.value.trim();
      return !isTime ? text : typeof given === 'string' && text === toInput(given) ? given : fromInput(text);
    },
    set value(next) {
      given = next;
      input.value = isTime ? toInput(next) : next;
      look();
    },
    error(text) {
      tie(input, error, text);
    },
  };
}

function select(props, choices) {
  return add(h('select', props), choices.map(([value, text]) => h('option', {value}, text)));
}

const UNITS = [['1', 'seconds'], ['60', 'minutes'], ['3600', 'hours'], ['86400', 'days of 24 hours'], ['DAY', 'calendar days'], ['WEEK', 'calendar weeks'],
  ['MONTH', 'calendar months'], ['YEAR', 'calendar years'], ['QUOTA', 'billing period (quota)']];

/** Makes a field of a window, with a select of its first units as `unit`. */
export function windowField(id, unitId, units) {
  const window = field(id, {label: 'Window', min: 1, required: true, inputmode: 'numeric'});
  const unit = select({id: unitId, 'aria-label': 'Unit of the window'}, UNITS.slice(0, units));
  const pair = h('div.pair');
  window.input.replaceWith(pair);
  pair.append(window.input, unit);
  return Object.assign(window, {unit, showSeconds(seconds) {
    unit.value = [86400, 3600, 60, 1].find(each => seconds % each === 0);
    window.value = seconds / unit.value;
  }});
}

/** Ties a mistake to its input, or takes it away. */
function tie(input, error, text) {
  if (text) input.setAttribute('aria-invalid', 'true'); else input.removeAttribute('aria-invalid');
  const said = text ? sentence(text) : '';
  if (error.textContent !== said) fill(error, text && icon('problems'), said);
  error.hidden = !text;
}

export function check(id, label) {
  const input = h('input', {id, type: 'checkbox'});
  const element = h('div.field', h('div.check', input, h('label', {for: id}, label)));
  return {element, input, get value() { return input.checked; }, set value(on) { input.checked = on; }, error() {}};
}

/** "must be 1 to 10" → "Must be 1 to 10." */
export function sentence(text) {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** Shows mistakes at their fields and returns the others. Throws what isn't a problem. */
export function showMistakes(problem, fields) {
  if (!problem.mistakes) throw problem;
  const left = [];
  let isFirst = true;
  for (const each of Object.values(fields)) each.error(null);
  for (const {field: name, rule} of problem.mistakes) {
    const target = fields[name];
    if (!target) {
      left.push(name ? `${name} ${rule}` : rule);
      continue;
    }
    target.error(rule);
    if (isFirst) target.input.focus();
    isFirst = false;
  }
  return problem.mistakes.length === 0 ? [problem.message] : left;
}

/**
 * Asks by a form in a dialog, which stays while `save` throws a problem. Resolves with true once it is saved.
 * options: {note, below: above and below the fields, action: text of the button, more: attempt → further buttons, failed: problem → nodes}.
 */
export function formDialog(title, id, fields, save, {note = null, below = null, action = 'Save', more = () => [], failed = async () => null} = {}) {
  const said = h('div', {role: 'alert'});
  const attempt = (close, run) => async event => {
    const target = event.currentTarget;
    target.disabled = true;
    try {
      await run();
      close(true);
    } catch (problem) {
      const left = showMistakes(problem, fields);
      fill(said, await failed(problem) ?? (left.length > 0 && notice('bad', 'That didn’t work.', left.join(' '))));
    } finally {
      target.disabled = false;
    }
  };
  return openDialog(title, {id,
    content: h('form.stack', {id: `${id}-form`, novalidate: true, on: {submit: event => { event.preventDefault(); document.getElementById(`${id}-save`).click(); }}},
      note, h('div.fields', Object.values(fields).map(each => each.element)), below, said),
    actions: close => [button('Cancel', () => close(), {id: `${id}-cancel`}), ...more(run => attempt(close, run)), button(action, attempt(close, save), {kind: 'primary', id: `${id}-save`})]});
}

/** Runs a function once nobody has called for a while. */
export function debounced(action, milliseconds, signal) {
  let timer;
  signal?.addEventListener('abort', () => clearTimeout(timer));
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}
