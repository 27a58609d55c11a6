// Changes of rules at a time: an old row ends as a new one begins.
import {call, Problem} from './api.js';
import {field} from './form.js';
import {fromInput, toInput, zone} from './format.js';

/** Members of a rule that the server sets. */
export const NOT_SENT = new Set(['id', 'version', 'updatedAt', 'updatedBy', 'origin', 'warnings']);

/** A field for the time at which a change begins: tomorrow. */
export function startField(id) {
  const tomorrow = new Date();
  tomorrow.setHours(24, 0, 0, 0);
  return field(id, {label: 'From', type: 'datetime-local', value: toInput(tomorrow), hint: `${zone}.`});
}

export function sent(rule) {
  return Object.fromEntries(Object.entries(rule).filter(([key]) => !NOT_SENT.has(key)));
}

function replace(rule, change, ifMatch = rule.version) {
  return call('PUT', `rules/${rule.id}`, {body: {...rule, ...change}, ifMatch});
}

function add(rule) {
  return call('POST', 'rules', {body: sent(rule)});
}

/** Ends a rule at the time of a field, from which another takes its place. */
export async function schedule(rule, next, start, version) {
  const at = fromInput(start.value);
  if (!at) throw new Problem(400, {field: 'validFrom', rule: 'must be given'});
  const {etag} = await replace(rule, {validUntil: at}, version);
  try {
    await add({...next, validFrom: at});
  } catch (problem) {
    await replace(rule, {}, etag);
    throw problem;
  }
}

/** The rules that end as another one of the same tier and pattern begins: [[before, after], …]. */
export function replacements(rules) {
  return rules.filter(each => each.validFrom && !each.origin).map(after => [rules.find(each => !each.origin
    && ['tier', 'endpointPattern', 'period', 'windowSeconds'].every(member => each[member] === after[member]) && each.validUntil === after.validFrom), after])
    .filter(([before]) => before);
}

/** Takes the place of a rule back from the one that has replaced it, or is to. */
export async function takeBack([before, after]) {
  await call('DELETE', `rules/${after.id}`, {ifMatch: after.version});
  try {
    await replace(before, {validUntil: null});
  } catch (problem) {
    await add(after);
    throw problem;
  }
}
