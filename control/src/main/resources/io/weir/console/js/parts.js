// Pieces that several pages show.
import {all, call} from './api.js';
import {fill, h, link, name, state, sub, svg, words} from './dom.js';
import {chart} from './chart.js';
import {count, hoursAgo, hourText, limitText, moment, percent, plural, ruleWindow, timeText, when} from './format.js';
import {decisions, OUTCOMES} from './live.js';
import {confirmed} from './page.js';

/** The address of a policy, a rule, or a caller. */
export const addressOf = {
  policy: policy => `#/policies/${encodeURIComponent(policy)}`,
  rule: id => `#/rules/${id}`,
  caller: userId => userId.startsWith('ip:') ? `#/callers/ip/${encodeURIComponent(userId.slice(3))}` : `#/callers/user/${encodeURIComponent(userId)}`,
};

/** A caller as a link; those that are counted together have no page. */
export function caller(userId) {
  return userId === '*' ? h('span.muted', 'all others together') : link(addressOf.caller(userId), name(userId));
}

export function policy(text) {
  return link(addressOf.policy(text), name(text));
}

/** The source of a limit: a rule as a link, or the application. */
export function source(text) {
  const match = /^rule (\d+)$/.exec(text);
  return match ? link(addressOf.rule(match[1]), text) : text;
}

export function ruleState(rule) {
  const now = Date.now();
  const isEarly = rule.validFrom && Date.parse(rule.validFrom) > now;
  const isLate = rule.validUntil && Date.parse(rule.validUntil) <= now;
  return [
    rule.state === 'ENFORCED' ? state('Enforced', 'good', 'check') : rule.state === 'SHADOW' ? state('Shadow', 'shade', 'eye') : state('Draft', '', 'pen'),
    isEarly && [' ', state(`From ${moment(rule.validFrom)}`, '', 'clock')],
    rule.validUntil && [' ', state(isLate ? 'Ended' : `Until ${moment(rule.validUntil)}`, '', 'clock')],
  ];
}

export function policyState(each) {
  return [
    each.switched === 'OFF' ? state('Switched off', 'warn', 'pause')
      : each.switched === 'SHADOW' ? state('Switched to shadow', 'shade', 'eye')
      : each.state === 'SHADOW' ? state('Shadow', 'shade', 'eye') : state('Enforced', 'good', 'check'),
  ];
}

/** The name under which the outcomes of a policy in force are counted. */
export function countedAs(each) {
  return each.window === 'QUOTA' ? 'quota' : each.name;
}

/** The name under which the outcomes of a rule are counted: a rule for a policy counts beside it only as a shadow. */
export function ruleCountedAs(rule) {
  return rule.period === 'QUOTA' ? 'quota' : rule.endpointPattern?.startsWith('policy:') && rule.state !== 'SHADOW' ? rule.endpointPattern.slice(7) : rule.name;
}

/** Names the target of a rule. */
export function ruleText(rule) {
  return `${rule.tier === '*' ? 'All tiers' : `Tier ${rule.tier}`}, ${rule.methods?.length > 0 ? `${rule.methods.join(', ')} ` : ''}${rule.endpointPattern}: ${limitText(rule.limitCount, ruleWindow(rule))}`;
}

/** A column with the time of a member, and who changed the row last. */
export function dated(title, member) {
  return {title, low: true, value: member, cell: row => [when(row[member]), row.updatedBy && sub('by ', words(row.updatedBy))]};
}

/** The picture of a window: how much of it is left, and when there is more. */
export function windowPicture({limit, remaining, resetTime, window, allowed = remaining > 0}) {
  if (remaining == null) return h('p.muted', 'The store can’t be read.');
  const share = limit > 0 ? Math.min(1, Math.max(0, remaining / limit)) : 0;
  const kind = !allowed ? 'none' : share <= 0.2 ? 'few' : '';
  const ticks = limit <= 20 ? Array.from({length: Math.max(0, limit - 1)}, (_, i) => 100 * (i + 1) / limit) : [];
  const picture = svgBar(share, ticks);
  const seconds = resetTime ? resetTime - Date.now() / 1000 : 0;
  return h('div', {class: `window ${kind}`}, picture,
    h('p', h('span', h('b', count(remaining)), ` of ${window ? limitText(limit, window) : count(limit)} left`),
      share < 1 && seconds > 0 && h('span.muted', {title: timeText(resetTime * 1000)}, `more at ${moment(resetTime * 1000)}`)));
}

function svgBar(share, ticks) {
  return svg('svg', {viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    svg('rect', {class: 'rail', width: 100, height: 8}), svg('rect', {class: 'left', width: (100 * share).toFixed(2), height: 8}),
    svg('g', {class: 'ticks'}, ...ticks.map(x => svg('line', {x1: x, x2: x, y1: 0, y2: 8, 'vector-effect': 'non-scaling-stroke'}))));
}

/** A member of a row as text; null if it isn't set. */
export function flat(value) {
  return value == null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const HIDDEN = new Set(['version', 'updated_at', 'updated_by', 'created_at', 'id']);

/** The members in which two rows differ: [[member, before, after], …]. */
export function differences(before, after, hidden = HIDDEN) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const value = (row, each) => flat(row?.[each]) ?? (row && each === 'state' ? 'ENFORCED' : null);
  return names.filter(each => !hidden.has(each)).map(each => [each, value(before, each), value(after, each)])
    .filter(([, was, is]) => was !== is && !(was === null && is === ''));
}

/** Differences as a table: what was, and what is, or more versions, each in an element of its own. */
export function diffTable(changes, titles = ['Before', 'After'], tags = ['del', 'ins']) {
  if (changes.length === 0) return h('p.muted', 'No member differs.');
  return h('table.diff', h('caption.hidden', 'Differences'),
    h('thead', h('tr', ['', ...titles].map((each, i) => h('th', {scope: 'col'}, each || h('span.hidden', i === 0 ? 'Member' : ''))))),
    h('tbody', changes.map(([member, ...values]) => h('tr', h('th', {scope: 'row'}, h('code', member)),
      values.map((each, i) => h('td', each === null ? h('span.muted', 'not set') : h(tags[i], {dir: 'auto'}, each)))))));
}

/** Asks before a row is restored to what it was after a change. Returns whether it was. */
export function restored(change, now) {
  return confirmed('Restore this version?', [h('p', 'It becomes again what it was after the change of ', when(change.at), ' by ', words(change.by || 'SQL'), ', whatever has changed since:'),
    h('div.table-box', diffTable(differences(now ?? {}, change.after), [now ? 'Now' : '', 'Restored']))], 'Restore', {id: 'restore'},
    () => call('POST', `changes/${change.number}/restore`), 'Restored.');
}

/** Adds up hours of outcomes: {admitted, refused, …}. */
export function sum(hours) {
  const total = Object.fromEntries(OUTCOMES.map(each => [each, 0]));
  for (const hour of hours) for (const each of OUTCOMES) total[each] += hour[each] ?? 0;
  return total;
}

/** Reads outcomes by hour, of one policy or of all together. Returns {items, isCut}. */
export function readHours(from, wanted, signal) {
  return all('outcomes/hours', {from: new Date(from).toISOString(), policy: wanted, sum: wanted ? undefined : true}, signal);
}

/** Puts hours into columns for a chart: an entry for each hour of the span. */
export function hourColumns(hours, from, to, lines) {
  const start = Math.floor(from / 3600e3) * 3600;
  const end = Math.ceil(to / 3600e3) * 3600;
  const seconds = [];
  for (let each = start; each < end; each += 3600) seconds.push(each);
  const columns = lines.map(() => seconds.map(() => 0));
  for (const hour of hours) {
    const i = (Date.parse(hour.startsAt) / 1000 - start) / 3600;
    if (Number.isInteger(i) && i >= 0 && i < seconds.length) lines.forEach((line, at) => { columns[at][i] += hour[line] ?? 0; });
  }
  return [seconds, ...columns];
}

function within(hours, from, to) {
  return hours.filter(each => Date.parse(each.startsAt) >= from && Date.parse(each.startsAt) < to);
}

/** Compares the hours since a change with as many before it. */
function comparison(rows, changed) {
  const hour = Math.floor(changed / 3600e3) * 3600e3;
  const refused = (from, to) => {
    const total = sum(within(rows, from, to));
    return decisions(total) > 0 && h('b', percent(total.refused, decisions(total)));
  };
  const [before, after] = [refused(Math.floor((2 * hour - Date.now()) / 3600e3) * 3600e3, hour), refused(hour + 3600e3, Infinity)];
  const isEarly = Date.now() - hour < 2 * 3600e3;
  return (before || isEarly) && ['Since the change of ', when(changed), ' (the dashed line) ', after ? [after, ' were refused'] : isEarly ? 'it is too early to say' : 'nothing was decided',
    '; in as many hours before it ', before ? [before, ' were refused'] : 'nothing was decided', '.'];
}

/** A panel with outcomes by hour, of all policies or of one, and of what a change has done. */
export function hoursPanel(page, {id, title, policy: wanted = null, hours = 24, note = null, changed = null}) {
  const lines = ['admitted', 'refused', 'shadowRefused'];
  const draw = chart({id: `${id}-chart`, title, lines, bars: true, isStacked: true, height: 150, format: count, signal: page.signal, marks: changed ? [changed / 1000] : [],
    time: hourText});
  const says = h('p.muted.small', {role: 'note'});
  const since = h('p', {id: `${id}-since`});
  let known = [];
  return page.panel({
    id, title, note, every: 60,
    read: async signal => {
      const from = hoursAgo(hours - 1);
      const again = known.length > 0 ? Math.max(from, hoursAgo(1)) : from.getTime();
      const {items, isCut} = await readHours(again, wanted, signal);
      known = [...within(known, from, again), ...items];
      return {from, rows: known, isCut};
    },
    content: [since, draw.element, says],
    draw: ({from, rows, isCut}) => {
      draw.set(hourColumns(rows, from.getTime(), Date.now(), lines));
      const total = sum(rows);
      if (changed) fill(since, comparison(rows, changed));
      says.textContent = `In ${plural(hours, 'hour')}: ${count(total.admitted)} admitted, ${count(total.refused)} refused${total.shadowRefused > 0 ? `, ${count(total.shadowRefused)} shadow-refused` : ''}.${isCut ? ' Not all policies could be added up: look at one.' : ''}`;
    },
  });
}

/** Picks the refusals by the algorithm of a limit: only fixed windows of whole hours are known exactly. */
export function wouldRefuse(data, algorithm) {
  const isFixed = algorithm === 'FIXED_WINDOW' || !data.rolling;
  return {...(isFixed ? data : data.rolling), isExact: isFixed && data.exact};
}

/** Says how many of the callers that a limit would have hit are named, by which windows; null if all are. */
export function namedText(data, would, shown) {
  const isOther = !would.isExact && Boolean(data.rolling);
  if (shown === would.affectedCallers && !isOther) return null;
  const of = shown === 0 ? 'Nobody is named' : shown === would.affectedCallers ? `All ${count(shown)} are named` : `${count(shown)} of ${would.isExact ? '' : 'at most '}${count(would.affectedCallers)} are named`;
  return would.affectedCallers === 0 ? null : `${of}${isOther ? ': those that a fixed window would have hit most' : ''}.`;
}

/** Names of tables as people say them. */
export const TABLES = {
  rate_limit_rules: 'Rule', user_tiers: 'User', operation_costs: 'Cost', switches: 'Switch', user_quotas: 'Quota',
  quota_grants: 'Grant', access_list: 'Access entry', anomalies: 'Anomaly', tier_upgrade_requests: 'Upgrade request', buckets: 'Bucket',
};

/** The tables whose rows can be restored. */
export const RESTORABLE = Object.keys(TABLES).slice(0, 7);

export function changeText(change) {
  const table = TABLES[change.table] ?? change.table;
  return `${table} ${change.before === null ? 'added' : change.after === null ? 'deleted' : 'changed'}`;
}

/** Describes a change in a line: free, limit count 20 → 60. */
export function changeDetail(change) {
  const {table, before, after} = change;
  const row = after ?? before ?? {};
  const isRule = table === 'rate_limit_rules';
  const what = before && after ? differences(before, after).map(([member, was, is]) => `${member.replaceAll('_', ' ')} ${was ?? 'not set'} → ${is ?? 'not set'}`).join(', ')
    : isRule ? limitText(row.limit_count, row.period ?? `${row.window_seconds}s`) : table === 'operation_costs' && row.cost != null ? plural(row.cost, 'permit') : row.action ?? row.state ?? row.tier ?? row.status ?? (row.permits == null ? change.rowKey : plural(row.permits, 'permit'));
  return [isRule && (row.tier === '*' ? 'all tiers' : row.tier), what].filter(Boolean).join(', ').slice(0, 150);
}

/** Links to a changed row. */
export function changeTarget(change) {
  const row = change.after ?? change.before ?? {};
  switch (change.table) {
    case 'rate_limit_rules': return [addressOf.rule(change.rowKey), row.name || row.endpoint_pattern || `rule ${change.rowKey}`];
    case 'user_tiers': case 'user_quotas': return [addressOf.caller(change.rowKey), change.rowKey];
    case 'switches': return ['#/switches', change.rowKey === '*' ? 'all limits' : change.rowKey];
    case 'tier_upgrade_requests': return ['#/upgrades', row.user_id ?? change.rowKey];
    case 'operation_costs': return [null, [row.method !== '*' && row.method, row.endpoint].filter(Boolean).join(' ') || `cost ${change.rowKey}`];
    case 'access_list': return ['#/access', row.subject ?? change.rowKey];
    case 'anomalies': return ['#/anomalies', row.user_id ?? change.rowKey];
    case 'quota_grants': return row.user_id ? [addressOf.caller(row.user_id), row.user_id] : [null, change.rowKey];
    default: return [null, change.rowKey];
  }
}
