// What a person has reached: workouts, weeks in a row, and the best of each exercise.
import { dayOf, el, labelName, many, number, say, table } from './common.js';

const kilograms = (value) => say('kilograms', { n: number(value, 0, 1) });
const dated = (best, words) => best && el('span', { title: dayOf(best.day) }, words);
const best = (found) => dated(found, found && kilograms(found.value));

export function recordsOf(records) {
  const { streak } = records;
  const facts = [many('workouts', records.workouts), many('on_days', records.days),
    records.volume_kg ? say('moved', { n: kilograms(records.volume_kg) }) : null,
    say('weeks_in_a_row', { n: number(streak.weeks), most: number(streak.longest_weeks) }),
    say('days_in_a_row', { n: number(streak.days), most: number(streak.longest_days) })];
  const rows = records.exercises.map((row) => [labelName(row.action), number(row.sets), number(row.reps || undefined),
    row.volume_kg ? kilograms(row.volume_kg) : null, best(row.heaviest),
    dated(row.e1rm, row.e1rm && `${number(row.e1rm.value, 0, 1)} ± ${kilograms(row.e1rm.uncertainty)}`),
    dated(row.most_reps, row.most_reps && number(row.most_reps.value)), best(row.largest_volume)]);
  return [el('p', { className: 'record-facts' }, facts.filter(Boolean).join(' · ')),
    rows.length ? el('div', { className: 'scroll' }, table(say('records'), [say('action'), [say('sets')], [say('reps')],
      [say('volume')], [say('heaviest')], [say('e1rm')], [say('most_reps')], [say('best_workout')]], rows)) : null,
    el('p', { className: 'note' }, say('e1rm_words'))].filter(Boolean);
}
