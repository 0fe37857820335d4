// How full the floor is at each hour of each weekday: a table of numbers, shaded.
import { el, many, number, say } from './common.js';
import { text } from './text.js';

// Less is nobody: somebody who passes by for two minutes of an hour.
const nobody = 0.05;

// 2026-11-23 is a Monday.
const dayName = (weekday, style) => new Intl.DateTimeFormat(text.locale, { weekday: style, timeZone: 'UTC' })
  .format(Date.UTC(2026, 10, 22 + weekday));
const hourName = (hour) => String(hour).padStart(2, '0') + ':00';

// The hours are lines, so that a week fits on a phone. Hours at both ends of the day in which nobody came are left out.
export function heatMap(rows) {
  const at = (weekday, hour) => rows.find((row) => row.weekday === weekday && row.hour === hour) ?? {};
  const busy = rows.filter((row) => row.people >= nobody).map((row) => row.hour);
  const most = Math.max(...rows.map((row) => row.people ?? 0));
  const [first, last] = [Math.min(...busy), Math.max(...busy)];
  const hours = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  const days = [1, 2, 3, 4, 5, 6, 7];
  return el('table', { className: 'heat' }, el('caption', { className: 'hidden' }, say('how_full')),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, say('hour')),
      days.map((day) => el('th', { scope: 'col', className: 'number', abbr: dayName(day, 'long') }, dayName(day, 'short'))))),
    el('tbody', {}, hours.map((hour) => el('tr', {}, el('th', { scope: 'row' }, hourName(hour)),
      days.map((day) => cell(at(day, hour), most))))));
}

function cell({ people, most: atOnce, sessions }, most) {
  const box = el('td', { className: 'number' }, people == null ? text.none : number(people, people < 9.95 ? 1 : 0));
  if (people == null) return box;
  box.style.setProperty('--share', most ? people / most : 0);
  box.title = say('hour_more', { most: number(atOnce), sessions: many('sessions', sessions) });
  return box;
}

// Whether anybody was seen.
export const isKnown = (rows) => rows.some((row) => row.people >= nobody);
