// Rules: all rows, whether they are in force or not.
import {ADMIN, all as readAll} from '../api.js';
import {add, h, icon, link, name, sub, words} from '../dom.js';
import {count, plural, ruleWindow, when, windowText} from '../format.js';
import {filters, table} from '../table.js';
import {addressOf, ruleState, ruleText} from '../parts.js';

export function show(page) {
  let all = [];
  const list = table({
    id: 'rules', caption: 'Rules', key: row => row.id, empty: 'No rule fits.', sort: ['Pattern', false],
    columns: [
      {title: 'Pattern', value: row => row.endpointPattern, cell: row => [link(addressOf.rule(row.id), name(row.endpointPattern)), sub(name(row.name))]},
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
    const {text, tier, state} = search.values();
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter(each => (!tier || each.tier === tier) && (!state || each.state === state)
      && wanted.every(word => `${each.endpointPattern} ${each.name} ${each.tier} ${each.methods.join(' ')} ${each.updatedBy ?? ''}`.toLowerCase().includes(word)));
  }

  function draw() {
    const rows = fitting();
    search.say(rows.length === all.length ? plural(all.length, 'rule') : `${count(rows.length)} of ${plural(all.length, 'rule')}`);
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
  page.ticket(() => fitting().slice(0, 20).map(each => `Rule ${each.id}, ${each.state}: ${ruleText(each)}`));
  add(page.root, [
    page.head('Rules', {sub: 'Limits in the database. A draft does nothing, a shadow measures what it would refuse, an enforced rule refuses.',
      actions: page.canChange ? [h('a', {class: 'button primary', href: '#/rules/new', id: 'new-rule'}, icon('plus'), 'New rule')] : []}),
    panel.element,
  ]);
}
