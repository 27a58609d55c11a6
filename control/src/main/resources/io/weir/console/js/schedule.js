// Changes of rules at a time: an old row ends as a new one begins.
import {call, Problem} from './api.js';
import {field} from './form.js';
import {zone} from './format.js';
import {differences, flat} from './parts.js';

/** Members of a rule that the server sets. */
export const NOT_SENT = new Set(['id', 'version', 'updatedAt', 'updatedBy', 'origin', 'warnings']);

/** A field for the time at which a change begins: tomorrow. */
export function startField(id) {
  const tomorrow = new Date();
  tomorrow.setHours(24, 0, 0, 0);
  return field(id, {label: 'From', kind: 'time', value: tomorrow, hint: `${zone}.`});
}

const SAME = ['tier', 'endpointPattern', 'methods', 'countBy', 'name', 'period', 'windowSeconds'];
const TIMES = new Set([...NOT_SENT, 'validFrom', 'validUntil']);

export function sent(rule) {
  return Object.fromEntries(Object.entries(rule).filter(([key]) => !NOT_SENT.has(key)));
}

/** Changes several rules: all of them, or none. */
export function change(changes, options) {
  return call('POST', 'rulebook', {body: {changes}, ...options});
}

/** The changes by which a rule ends at the time of a field, from which another takes its place. */
export function schedule(rule, next, start, version = rule.version) {
  const at = start.value;
  if (!at) throw new Problem(400, {field: 'validFrom', rule: 'must be given'});
  return [{id: rule.id, version: Number(version), rule: {...rule, validUntil: at}}, {rule: {...sent(next), validFrom: at}}];
}

/** The rules that end as another begins in their place: [[before, after], …]. */
export function replacements(rules) {
  const left = rules.filter(each => !each.origin);
  return left.filter(each => each.validFrom).flatMap(after => {
    const found = left.findIndex(each => each.validUntil === after.validFrom && SAME.every(member => flat(each[member]) === flat(after[member])));
    return found < 0 ? [] : [[left.splice(found, 1)[0], after]];
  }).filter(pair => differences(...pair, TIMES).length > 0);
}

/** The changes that take the place of a rule back; what has begun changes in place. */
export function takeBack([before, after]) {
  const {id, version, validFrom, validUntil = null} = after;
  if (Date.parse(validFrom) < Date.now() + 60e3) return [{id, version, rule: {...sent(before), validFrom, validUntil}}];
  return [{id, version}, {id: before.id, version: before.version, rule: {...before, validUntil}}];
}
