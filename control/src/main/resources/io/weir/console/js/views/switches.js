// Switches: turn a limit off, or let it only measure, for a while.
import {call, get} from '../api.js';
import {add, fill, h, icon, name, notice, slim, state, sub, toast, words} from '../dom.js';
import {count, plural, rate, span, timeText, when} from '../format.js';
import {field, showMistakes} from '../form.js';
import {confirm} from '../dialog.js';
import {confirmed} from '../page.js';
import {table} from '../table.js';
import {live} from '../live.js';
import {policy as policyLink} from '../parts.js';

const PRESETS = [[15, '15 min'], [60, '1 hour'], [240, '4 hours'], [1440, '1 day']];

export function show(page) {
  let names = [];
  let form = null;
  let until = null;
  let loaded = null;

  const list = table({
    id: 'switches', isCards: true, caption: 'Switches that are set', key: 'policy', empty: 'Nothing is switched. All limits do what their rules say.',
    columns: [
      {title: 'Limit', value: 'policy', cell: row => [row.policy === '*' ? h('b', 'All limits') : policyLink(row.policy), row.policy !== '*' && names.length > 0 && !names.includes(row.policy) && sub('There is no limit of this name.'), sub(words(row.reason), ' – ', words(row.setBy ?? ''))]},
      {title: 'State', cell: row => row.state === 'OFF' ? state('Off', 'warn', 'pause') : state('Shadow', 'shade', 'eye')},
      {title: 'Ends', value: 'until', cell: row => [when(row.until), sub(`in ${span((Date.parse(row.until) - Date.now()) / 1000)}`)], sign: row => row.until + span((Date.parse(row.until) - Date.now()) / 1000)},
      page.canChange && {title: '', cell: row => h('span.row', slim('End now', () => end(row), {data: {end: row.policy}}),
        slim('Extend', () => load(row), {data: {extend: row.policy}}))},
    ],
  });

  const panel = page.panel({
    id: 'switch-list', title: 'Set now', every: 30, events: ['switches'],
    read: async signal => {
      const [all, policies] = await Promise.all([get('switches', null, signal), get('policies', null, signal)]);
      return {all, policies};
    },
    content: [list.element],
    draw: ({all, policies}) => {
      names = [...new Set(policies.map(each => each.name))].sort();
      list.update(all.filter(each => Date.parse(each.until) > Date.now()));
      if (form) fill(form.list, ['*', ...names].map(each => h('option', {value: each})));
    },
  });

  if (page.canChange) form = makeForm();

  function makeForm() {
    const policy = field('switch-policy', {label: 'Limit', list: [], required: true, maxlength: 64, value: page.query.get('policy') ?? '', placeholder: 'the name of a policy or rule', hint: '* means all limits.'});
    const wanted = field('switch-state', {label: 'State', choices: [['OFF', 'off: limits nobody'], ['SHADOW', 'shadow: only measures']]});
    until = field('switch-until', {label: 'Until', kind: 'time', required: true, hint: 'It ends by itself, at most 30 days from now.'});
    const preset = minutes => {
      until.value = Math.ceil((Date.now() + minutes * 60e3) / 60e3) * 60e3;
      draw();
    };
    until.element.append(h('div.preset', PRESETS.map(([minutes, text]) => slim(text, () => preset(minutes), {data: {minutes}}))));
    const reason = field('switch-reason', {label: 'Reason', required: true, maxlength: 1000, hint: 'Others see it on every page while the switch is set.'});
    const said = h('div', {role: 'alert'});
    const extent = h('p.muted#switch-extent');
    const submit = h('button.primary#switch-save', {type: 'submit'}, 'Set the switch');
    const fields = {policy, until, reason};
    const element = h('form.panel.stack#switch-form', {novalidate: true, 'aria-labelledby': 'switch-title'},
      h('h2#switch-title', 'Set a switch'),
      h('div.fields', policy.element, wanted.element, until.element, reason.element), extent, said,
      h('div.actions', submit));
    element.addEventListener('input', draw);
    element.addEventListener('submit', async event => {
      event.preventDefault();
      fill(said);
      for (const each of Object.values(fields)) each.error(null);
      const missing = [[policy, 'must be given; * means all'], [until, 'must be given'], [reason, 'must be given, so that others know why']].find(([each]) => each.value === '')
        ?? (isKnown() ? null : [policy, 'must be a limit of the list: there is no limit of this name']);
      if (missing) {
        missing[0].error(missing[1]);
        missing[0].input.focus();
        return;
      }
      const body = {state: wanted.value, until: until.value, reason: reason.value};
      const isAll = policy.value === '*';
      if (!await mayReplace(policy.value)) return;
      if (isAll || body.state === 'OFF') {
        const ok = await confirm(isAll ? `${body.state === 'OFF' ? 'Switch off' : 'Only measure'} all ${plural(names.length, 'limit')}?` : 'Switch this limit off?', [
          h('p', extentText()), h('p', 'It ends ', timeText(body.until), '.')],
        isAll ? `${body.state === 'OFF' ? 'Switch off' : 'Turn to shadow'}: all ${count(names.length)}` : 'Switch off', {danger: true, id: 'confirm-switch'});
        if (!ok) return;
      }
      submit.disabled = true;
      try {
        await call('PUT', `switches/${encodeURIComponent(policy.value)}`, {body});
        toast('The switch is set. Nodes follow within three seconds.');
        policy.value = reason.value = '';
        loaded = null;
        draw();
        panel.refresh();
      } catch (problem) {
        const left = showMistakes(problem, fields);
        fill(said, left.length > 0 && notice('bad', 'The switch wasn’t set.', left.join(' ')));
      } finally {
        submit.disabled = false;
      }
    });

    /** Asks before the switch of somebody else, or of a moment ago, is replaced, unless it was chosen to be extended. */
    async function mayReplace(wantedPolicy) {
      const all = await get('switches', null, page.signal).catch(() => panel.data?.all ?? []);
      const row = all.find(each => each.policy === wantedPolicy && Date.parse(each.until) > Date.now());
      if (!row || JSON.stringify(row) === JSON.stringify(loaded)) return true;
      return confirm('Replace this switch?', [
        h('p', words(row.setBy ?? 'Somebody'), ` has switched ${row.policy === '*' ? 'all limits' : 'it'} ${row.state === 'OFF' ? 'off' : 'to shadow'} until `, timeText(row.until), ': ', words(row.reason))],
      'Replace it', {danger: true, id: 'replace-switch'});
    }

    function extentText() {
      const isAll = policy.value === '*';
      const now = isAll ? live.outcomes?.totals : live.outcomes?.policies.find(each => each.policy === policy.value);
      const refuses = now ? ` Right now ${rate(now.refused)} requests per second are refused by ${isAll ? 'them' : 'it'}.` : live.outcomes ? ' It has refused nothing in the last seconds.' : '';
      return `This is about ${isAll ? `all ${plural(names.length, 'limit')}, for all callers` : `${policy.value}, for all callers and tiers`}, on all nodes. ${wanted.value === 'OFF' ? 'Nothing is refused or counted.' : 'Counting goes on, and nothing is refused.'}${refuses}`;
    }

    /** Without the list nobody can tell. */
    function isKnown() {
      return names.length === 0 || policy.value === '*' || names.includes(policy.value) || policy.value === loaded?.policy;
    }

    function draw() {
      fill(extent, policy.value === '' ? '' : isKnown() ? extentText() : 'There is no limit of this name.');
    }
    preset(60);
    live.on('outcomes', draw, page.signal);
    return {element, list: policy.element.querySelector('datalist'), policy, wanted, reason, draw, preset};
  }

  function load(row) {
    loaded = row;
    form.policy.value = row.policy;
    form.wanted.value = row.state;
    form.reason.value = row.reason;
    form.preset(Math.max(15, Math.ceil((Date.parse(row.until) - Date.now()) / 60e3) + 60));
    form.draw();
    until.input.focus();
  }

  async function end(row) {
    await confirmed('End this switch?', h('p', row.policy === '*' ? 'All limits' : name(row.policy), ' will do again what ', row.policy === '*' ? 'their rules say' : 'its rule says', ', within three seconds on all nodes.'), 'End it', {id: 'end-switch'},
      () => call('DELETE', `switches/${encodeURIComponent(row.policy)}`), 'The switch has ended.');
    panel.refresh();
  }

  page.ticket(() => (panel.data?.all ?? []).map(each => `${each.policy === '*' ? 'All limits' : each.policy}: ${each.state} until ${timeText(each.until)}, by ${each.setBy}: ${each.reason}`));
  add(page.root, [
    page.head('Switches', {sub: 'Turn a limit off for a while, or let it only measure. A switch has a reason and an end, and every page shows it.'}),
    panel.element, form?.element,
    h('p.muted.small', h('span.row', icon('info'), h('span', 'If the rules database is away, set ', h('code', 'weir.enabled=false'), ' instead: nodes read it within ten seconds.'))),
  ]);
  form?.draw();
}
