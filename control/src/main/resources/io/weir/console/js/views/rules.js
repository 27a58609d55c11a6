// Rules: all rows, whether they are in force or not.
import {all as readAll, get, Problem} from '../api.js';
import {add, button, fill, h, icon, link, name, notice, slim, sub, toast, words} from '../dom.js';
import {count, limitText, plural, ruleWindow, timeText, when, windowText} from '../format.js';
import {debounced, field, formDialog} from '../form.js';
import {confirmed} from '../page.js';
import {change, replacements, schedule, startField, takeBack} from '../schedule.js';
import {figure, filters, table} from '../table.js';
import {addressOf, dated, differences, ruleState, ruleText} from '../parts.js';

const WEEK = 7 * 86400e3;

export function show(page) {
  let all = [];
  const scheduled = h('div.stack#scheduled');
  const list = table({
    id: 'rules', isCards: true, caption: 'Rules', key: 'id', empty: 'No rule fits.', sort: ['Pattern', false],
    columns: [
      {title: 'Pattern', value: 'endpointPattern', cell: row => [link(addressOf.rule(row.id), name(row.endpointPattern)), sub(name(row.name)), row.origin && sub('from ', name(row.origin))]},
      {title: 'Tier', value: 'tier', cell: row => row.tier === '*' ? 'all' : name(row.tier)},
      figure('Limit', 'limitCount', {cell: row => [count(row.limitCount), sub(`per ${windowText(ruleWindow(row))}`)]}),
      {title: 'Methods', low: true, value: row => row.methods.join(), cell: row => row.methods.length > 0 ? row.methods.join(', ') : 'all'},
      {title: 'State', value: 'state', cell: ruleState},
      dated('Changed', 'updatedAt'),
    ],
  });
  const search = filters([
    {name: 'text', label: 'Search', placeholder: 'pattern, name, tier'},
    {name: 'tier', label: 'Tier', choices: [['', 'any']]},
    {name: 'state', label: 'State', choices: [['', 'any'], ['ENFORCED', 'enforced'], ['SHADOW', 'shadow'], ['DRAFT', 'draft']]},
  ], () => { list.reset(); draw(); });
  const tiers = search.element.querySelector('#filter-tier');

  function fitting() {
    const {tier, state} = search.values();
    return all.filter(each => (!tier || each.tier === tier) && (!state || each.state === state)
      && search.finds(`${each.endpointPattern} ${each.name} ${each.tier} ${each.methods.join(' ')} ${each.updatedBy ?? ''} ${each.origin ?? ''}`));
  }

  function draw() {
    const rows = fitting();
    search.sayFound(rows, all, 'rule');
    list.update(rows);
  }

  const panel = page.panel({
    id: 'rule-list', title: 'All rules', events: ['rate_limit_rules'],
    read: signal => readAll('rules', null, signal),
    content: [scheduled, search.element, list.element],
    draw: ({items}) => {
      all = items;
      const known = new Set([...tiers.options].map(each => each.value));
      const first = page.query.get('tier');
      for (const tier of [...new Set(items.map(each => each.tier))].sort()) {
        if (!known.has(tier)) tiers.append(h('option', {value: tier, selected: tier === first}, tier === '*' ? '* (all tiers)' : tier));
      }
      draw();
      drawScheduled();
    },
  });

  /** Shows what replaces rules of a tier together, for a week after it has begun. */
  function drawScheduled() {
    const changes = new Map();
    for (const each of replacements(all).filter(([, after]) => Date.parse(after.validFrom) > Date.now() - WEEK)) {
      const key = `${each[1].validFrom} ${each[1].tier}`;
      changes.set(key, [...changes.get(key) ?? [], each]);
    }
    fill(scheduled, [...changes.values()].map(rows => {
      const {tier, validFrom} = rows[0][1];
      return notice('', `${plural(rows.length, 'limit')} of ${tier === '*' ? 'all tiers' : tier}`, Date.parse(validFrom) > Date.now() ? 'will change at ' : 'changed at ', when(validFrom), '.',
        page.canChange && h('div.actions', slim('Take it back', () => undo(rows), {data: {back: tier}})));
    }));
  }

  async function undo(rows) {
    await confirmed('Take this change back?', h('ul.lines', rows.map(([before, after]) => h('li', name(before.endpointPattern), `: ${count(after.limitCount)} → `, h('b', limitText(before.limitCount, ruleWindow(before)))))), 'Take it back', {id: 'take-back'},
      () => change(rows.flatMap(takeBack)), 'It was taken back.');
    panel.refresh();
  }

  /** Multiplies all limits of a tier from a time on. */
  async function changeTier() {
    const tier = field('tier-name', {label: 'Tier', choices: [['', 'choose one'], ...[...tiers.options].slice(1).map(each => [each.value, each.text])]});
    const factor = field('tier-factor', {label: 'Times', min: 0, step: 'any', value: 2});
    const validFrom = startField('tier-validFrom');
    const preview = h('div.stack#tier-preview');
    const chosen = () => all.filter(each => each.tier === tier.value && !each.origin && each.state === 'ENFORCED' && !(Date.parse(each.validFrom) > Date.now()) && !each.validUntil);
    const times = number => number && Math.max(1, Math.round(number * factor.value));
    const changed = rule => ({...rule, limitCount: times(rule.limitCount), burst: times(rule.burst), refill: times(rule.refill)});
    const pairs = () => chosen().map(each => [each, changed(each)]).filter(pair => differences(...pair).length > 0);
    const send = options => change(pairs().flatMap(pair => schedule(...pair, validFrom)), options);
    const tell = debounced(async () => {
      fill(preview);
      if (!(factor.value > 0)) return;
      const wanted = chosen();
      const lines = wanted.map(each => h('li', name(each.endpointPattern), `: ${count(each.limitCount)} → `, h('b', limitText(changed(each).limitCount, ruleWindow(each)))));
      const kept = h('ul.small.muted#tier-kept', h('li', 'Rules that aren’t enforced, or have yet to begin or end, stay.'));
      fill(preview, h('ul.lines', lines), tier.value && kept);
      tellKept(kept, tier.value, wanted);
      const warned = pairs().map(([each]) => lines[wanted.indexOf(each)]);
      if (warned.length === 0 || !validFrom.value) return;
      const {data} = await send({query: {dryRun: true}, quiet: true}).catch(problem => ({data: {rules: [null, {warnings: [problem.message]}]}}));
      warned.forEach((line, i) => add(line, (data.rules[2 * i + 1]?.warnings ?? []).map(text => notice('warn', null, words(text)))));
    }, 250, page.signal);
    for (const each of [tier, factor]) each.input.addEventListener('input', tell);
    const isDone = await formDialog('Change a tier', 'tier', {tier, factor, validFrom}, async () => {
      if (!tier.value) throw new Problem(400, {field: 'tier', rule: 'must be chosen'});
      if (!(factor.value > 0)) throw new Problem(400, {field: 'factor', rule: 'must be more than 0'});
      if (pairs().length > 0) await send();
    }, {action: 'Schedule', below: preview});
    if (isDone) toast(`The limits change at ${timeText(validFrom.value)}.`);
    panel.refresh();
  }

  /** Adds what a tier's rules don't change: limits and quotas of users and the application. */
  async function tellKept(place, tier, rules) {
    const [users, policies] = await Promise.all([get('users', {own: true, limit: 1000, tier: tier === '*' ? null : tier}, page.signal), get('policies', null, page.signal)])
      .catch(() => [{items: []}, []]);
    const sources = rules.map(each => `rule ${each.id}`);
    const annotated = policies.filter(each => each.source === 'application' && !each.limits.some(limit => sources.includes(limit.source)));
    const names = (all, isCut) => [all.slice(0, 10).map((each, i) => [i > 0 && ', ', name(each.userId ?? each.name)]), all.length > 10 && ` and ${isCut ? 'at least ' : ''}${all.length - 10} more`, '.'];
    add(place, [users.items.length > 0 && h('li', 'Users who keep limits or quotas of their own: ', names(users.items, users.next)),
      annotated.length > 0 && h('li', 'Annotations that stay as they are: ', names(annotated))]);
  }

  page.ticket(() => fitting().slice(0, 20).map(each => `Rule ${each.id}, ${each.state}: ${ruleText(each)}`));
  add(page.root, [
    page.head('Rules', {sub: 'Limits in the database. A draft does nothing, a shadow measures what it would refuse, an enforced rule refuses.',
      actions: page.canChange ? [button('Change a tier …', changeTier, {id: 'change-tier'}), h('a.button.primary#new-rule', {href: '#/rules/new'}, icon('plus'), 'New rule')] : []}),
    panel.element,
  ]);
}
