// The words of records, of codes and of a member's page.
export const recordsText = {
  title_member: 'My workouts', member_hint: 'See your own workouts. The desk gives you a code.', member_nickname: 'Nickname',
  member_code: 'Code of six digits', member_of: 'Workouts of {name}', member_out: 'Sign out',
  member_empty: 'No workout has your name yet. Say your name when the next one starts.',
  workouts_one: '{n} workout', workouts_many: '{n} workouts', on_days: 'on {n} days', moved: '{n} moved',
  weeks_in_a_row: 'weeks in a row: {n} (most: {most})', days_in_a_row: 'days in a row: {n} (most: {most})',
  records: 'Records', records_of: 'Records of {name}', volume: 'Volume', heaviest: 'Heaviest', e1rm: 'For one rep',
  most_reps: 'Most reps', best_workout: 'Best workout', e1rm_words: 'Volume is repetitions times load. The weight for one '
    + 'repetition is an estimate by Epley’s formula from sets of 1 to 12 repetitions; after ± stands how far it may be off. '
    + 'Without an RPE it is rather too low.',
  fit_file: 'FIT file', file_for_phone: 'File for a phone', file_hint: 'Point the phone’s camera at the code. It gives the '
    + 'FIT file of this workout once, within {n} minutes.', file_here: 'This address only works on this machine. Open the '
    + 'page under the node’s own name or address, so that a phone reaches it.',
  no_library: 'The code cannot be drawn: install Debian’s package node-qrcode-generator on the node. The address works.',
  make_code: 'Make a code for {name}', code_is: 'The code of {nickname} is {code}. It is not shown again. They type both at '
    + '{address}.', newest_of: 'The newest {n} of {all} workouts', enter_effort: 'Enter', effort_of: 'Step {n}: {action}',
};
