// Changes of rules at a time: an old row ends as a new one begins.
import {call, Problem} from './api.js';
import {field} from './form.js';
import {fromInput, timeText, toInput, zone} from './format.js';
import {differences, flat, ruleText} from './parts.js';

/** Members of a rule that the server sets. */
export const NOT_SENT = new Set(['id', 'version', 'updatedAt', 'updatedBy', 'origin', 'warnings']);

/** A field for the time at which a change begins: tomorrow. */
export function startField(id) {
  const tomorrow = new Date();
  tomorrow.setHours(24, 0, 0, 0);
  return field(id, {label: 'From', type: 'datetime-local', value: toInput(tomorrow), hint: `${zone}.`});
}

const SAME = ['tier', 'endpointPattern', 'methods', 'countBy', 'name', 'period', 'windowSeconds'];
const TIMES = new Set([...NOT_SENT, 'validFrom', 'validUntil']);

export function sent(rule) {
  return Object.fromEntries(Object.entries(rule).filter(([key]) => !NOT_SENT.has(key)));
}

function replace(rule, change, ifMatch = rule.version) {
  return call('PUT', `rules/${rule.id}`, {body: {...rule, ...change}, ifMatch});
}

function add(rule) {
  return call('POST', 'rules', {body: sent(rule)});
}

/** Does something; if it fails, undoes what was before it, or says that a rule may end with nothing after it. */
async function orUndo(rule, at, action, undo) {
  try {
    await action();
  } catch (problem) {
    await undo().catch(() => {
      throw new Problem(problem.status, {detail: `${problem.message} Look at rule ${rule.id}: it ends at ${timeText(at)}, and maybe nothing follows. ${ruleText(rule)}`});
    });
    throw problem;
  }
}

/** Ends a rule at the time of a field, from which another takes its place. */
export async function schedule(rule, next, start, version) {
  const at = fromInput(start.value);
  if (!at) throw new Problem(400, {field: 'validFrom', rule: 'must be given'});
  const {etag} = await replace(rule, {validUntil: at}, version);
  await orUndo(rule, at, () => add({...next, validFrom: at}), () => replace(rule, {}, etag));
}

/** The rules that end as another begins in their place: [[before, after], …]. */
export function replacements(rules) {
  const left = rules.filter(each => !each.origin);
  return left.filter(each => each.validFrom).flatMap(after => {
    const found = left.findIndex(each => each.validUntil === after.validFrom && SAME.every(member => flat(each[member]) === flat(after[member])));
    return found < 0 ? [] : [[left.splice(found, 1)[0], after]];
  }).filter(pair => differences(...pair, TIMES).length > 0);
}

/** Takes the place of a rule back. What has begun changes in place: between two calls nothing would hold. */
export async function takeBack([before, after]) {
  const {validFrom, validUntil = null} = after;
  if (Date.parse(validFrom) < Date.now() + 60e3) return call('PUT', `rules/${after.id}`, {body: {...sent(before), validFrom, validUntil}, ifMatch: after.version});
  await call('DELETE', `rules/${after.id}`, {ifMatch: after.version});
  return orUndo(before, validFrom, () => replace(before, {validUntil}), () => add(after));
}
