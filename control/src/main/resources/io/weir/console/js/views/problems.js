// Problems: invalid rows, and warnings.
import {get} from '../api.js';
import {add, h, link, name, state, words} from '../dom.js';
import {plural} from '../format.js';
import {table} from '../table.js';
import {addressOf, TABLES} from '../parts.js';

export function show(page) {
  const list = table({
    id: 'problems', isCards: true, caption: 'Rows with problems', key: row => `${row.table} ${row.row} ${row.field} ${row.message}`, empty: 'All rows can be used.', sort: ['Kind', false],
    columns: [
      {title: 'Kind', value: row => row.isWarning ? 1 : 0, cell: row => row.isWarning ? state('Warning', 'warn', 'problems') : state('Not used', 'bad', 'cross')},
      {title: 'Row', value: row => `${row.table} ${row.row}`, cell: row => [h('span.muted', TABLES[row.table] ?? row.table, ' '), row.table === 'rate_limit_rules' && /^\d+$/.test(row.row) ? link(addressOf.rule(row.row), name(row.row)) : name(row.row)]},
      {title: 'Column', low: true, value: 'field', cell: row => row.field && h('code', row.field)},
      {title: 'What is wrong', cell: row => words(row.message)},
    ],
  });
  const panel = page.panel({
    id: 'problem-list', title: 'Rows', every: 30, events: ['problem', 'mended', 'rate_limit_rules', 'user_tiers', 'operation_costs', 'switches', 'access_list'],
    read: signal => get('problems', null, signal),
    content: [list.element],
    draw: rows => {
      list.update(rows);
    },
  });
  page.ticket(() => panel.data ? [plural(panel.data.length, 'row'), ...panel.data.slice(0, 20).map(each => `${each.isWarning ? 'Warning' : 'Not used'}: ${each.table} ${each.row} ${each.field}: ${each.message}`)] : []);
  add(page.root, [page.head('Problems', {sub: 'Only the invalid row is ignored, and its last valid version still applies. Rows of users are named by a digest.'}), panel.element]);
}
