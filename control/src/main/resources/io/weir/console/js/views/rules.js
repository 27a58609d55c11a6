// Rules: all rows, whether they are in force or not.
import {ADMIN, all as readAll, call} from '../api.js';
import {add, button, fill, h, icon, link, name, notice, sub, toast, words} from '../dom.js';
import {count, fromInput, limitText, moment, ruleWindow, when, windowText} from '../format.js';
import {debounced, field, formDialog} from '../form.js';
import {filters, table} from '../table.js';
import {addressOf, ruleState, ruleText} from '../parts.js';
import {schedule, startField} from './rule.js';

export function show(page) {
  let all = [];
  const list = table({
    id: 'rules', isCards: true, caption: 'Rules', key: row => row.id, empty: 'No rule fits.', sort: ['Pattern', false],
    columns: [
      {title: 'Pattern', value: row => row.endpointPattern, cell: row => [link(addressOf.rule(row.id), name(row.endpointPattern)), sub(name(row.name)), row.origin && sub('from ', name(row.origin))]},
      {title: 'Tier', value: row => row.tier, cell: row => row.tier === '*' ? 'all' : name(row.tier)},
      {title: 'Limit', number: true, value: row => row.limitCount, cell: row => [count(row.limitCount), sub(`per ${windowText(ruleWindow(row))}`)]},
      {title: 'Methods', low: true, value: row => row.methods.join(), cell: row => row.methods.length > 0 ? row.methods.join(', ') : 'all'},
      {title: 'State', value: row => row.state, cell: ruleState},
      {title: 'Changed', low: true, value: row => row.updatedAt ?? '', cell: row => [when(row.updatedAt), row.updatedBy && sub('by ', words(row.updatedBy))]},
    ],
  });
  const search = filters([
    {name: 'text', label: 'Search', placeholder: 'pattern, name, tier', value: page.query.get('text') ?? ''},
    {name: 'tier', label: 'Tier', value: page.query.get('tier') ?? '', choices: [['', 'any']]},
    {name: 'state', label: 'State', value: page.query.get('state') ?? '', choices: [['', 'any'], ['ENFORCED', 'enforced'], ['SHADOW', 'shadow'], ['DRAFT', 'draft']]},
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
    read: signal => readAll(`${ADMIN}/rules`, null, signal),
    content: [search.element, list.element],
    draw: ({items}) => {
      all = items;
      const known = new Set([...tiers.options].map(each => each.value));
      const first = page.query.get('tier');
      for (const tier of [...new Set(items.map(each => each.tier))].sort()) {
        if (!known.has(tier)) tiers.append(h('option', {value: tier, selected: tier === first}, tier === '*' ? '* (all tiers)' : tier));
      }
      draw();
    },
  });

  /** Multiplies all limits of a tier from a time on. */
  async function changeTier() {
    const tier = field('tier-name', {label: 'Tier', choices: [...tiers.options].slice(1).map(each => [each.value, each.text])});
    if (search.values().tier) tier.value = search.values().tier;
    const factor = field('tier-factor', {label: 'Times', type: 'number', min: 0, step: 'any', value: 2});
    const validFrom = startField('tier-validFrom');
    const preview = h('div', {class: 'stack', id: 'tier-preview'});
    const chosen = () => all.filter(each => each.tier === tier.value && !each.origin && each.state === 'ENFORCED' && !each.validFrom && !each.validUntil);
    const changed = rule => ({...rule, limitCount: Math.max(1, Math.round(rule.limitCount * Number(factor.value)))});
    const tell = debounced(async () => {
      const wanted = chosen();
      const lines = wanted.map(each => h('li', null, name(each.endpointPattern), `: ${count(each.limitCount)} → `, h('b', null, limitText(changed(each).limitCount, ruleWindow(each)))));
      fill(preview, h('ul', {class: 'lines'}, lines), h('p', {class: 'small muted'}, 'Rules of the tier that aren’t enforced, or that begin or end at a time of their own, stay as they are.'));
      for (const [i, each] of wanted.slice(0, 20).entries()) {
        const {data} = await call('PUT', `${ADMIN}/rules/${each.id}`, {query: {dryRun: true}, body: changed(each), ifMatch: each.version, quiet: true}).catch(problem => ({data: {warnings: [problem.message]}}));
        add(lines[i], (data.warnings ?? []).map(text => notice('warn', null, words(text))));
      }
    }, 250, page.signal);
    for (const each of [tier, factor]) each.input.addEventListener('input', tell);
    tell();
    const isDone = await formDialog('Change a tier', 'tier', {tier, factor, validFrom}, async () => {
      for (const each of chosen()) {
        const next = changed(each);
        if (next.limitCount !== each.limitCount) await schedule(each, next, validFrom);
        all.splice(all.indexOf(each), 1);
      }
    }, {action: 'Schedule', below: preview});
    if (isDone) toast(`The limits change at ${moment(fromInput(validFrom.value))}.`);
    panel.refresh();
  }

  page.ticket(() => fitting().slice(0, 20).map(each => `Rule ${each.id}, ${each.state}: ${ruleText(each)}`));
  add(page.root, [
    page.head('Rules', {sub: 'Limits in the database. A draft does nothing, a shadow measures what it would refuse, an enforced rule refuses.',
      actions: page.canChange ? [button('Change a tier …', changeTier, {id: 'change-tier'}), h('a', {class: 'button primary', href: '#/rules/new', id: 'new-rule'}, icon('plus'), 'New rule')] : []}),
    panel.element,
  ]);
}
