// The words of the page for workouts.
export const workoutText = {
  start_title: 'Start a workout', plan: 'Plan', name: 'Name (optional)', nickname: 'Nickname (optional)', start_go: 'Start',
  name_hint: 'Only the operator sees the name. The wall and the board show the nickname. Nobody is recognised. You can '
    + 'delete both from everywhere later.',
  started: '{plan} waits for the first exercise in front of {camera}.', no_plans: 'There are no plans in the folder of '
    + 'the setting workouts.plans.', rounds_of: '{n} rounds: {steps}', rest_of: 'rest {time}',
  challenge_of: 'as many {action} as possible in {time}',
  step_of: 'Step {n} of {all}', round_n: 'round {n}', waits_for: 'Waiting for: {action}',
  waits_for_somebody: 'Waiting for somebody who does: {action}', goes_on: 'Counting', paused: 'Paused: {action} is not seen',
  ignored: '{label} is not part of this step and does not count.', rest_then: 'Rest. Next: {action}',
  side_left: 'left', side_right: 'right', skip_step: 'Skip this step', stop_workout: 'Stop', seconds_short: 's',
  board_title: 'Board of the day', board_none: 'The first challenge of the day with a name stands here.',
  past_title: 'Past workouts', more_workouts: 'More workouts', workouts_one: '{n} workout',
  workouts_many: '{n} workouts', workouts_newest: 'The newest {n} of {all} workouts', past_none: 'No workout was done yet.', workout: 'Workout', steps: 'Steps',
  unjudged_one: '{n} repetition could not be judged in full from this side, and counts.',
  unjudged_many: '{n} repetitions could not be judged in full from this side, and count.',
  step: 'Step', planned: 'Planned', done: 'Done', last_time: 'Last time', why_ended: 'Ended',
  ended_completed: 'completed', ended_stopped: 'stopped', ended_abandoned: 'nobody went on',
  ended_source_ended: 'the recording ended', ended_pain: 'it hurt too much',
  pain_question: 'How much does it hurt? 0 is not at all, 10 is the worst.', pain_noted: 'Noted: {n} of 10.',
  pain_too_much: 'This is above the limit, so the workout has ended. Ask whoever prescribed it before you go on.',
  last_step_done: 'The last step is done.', range: 'Range', tempo: 'Tempo', pain: 'Pain',
  score_words: 'The score is that of range and repetitions / that of trunk, symmetry and tempo. The number after ± is the '
    + 'standard error.', goes_on_now: 'goes on', skipped: 'skipped',
  workout_facts: '{done} of {all} steps, {reps} in {time}. {end}.', before_facts: 'Last time: {reps} in {time}.',
  forget_name: 'Delete the name {name} everywhere', forgotten: 'The name is deleted from {workouts}, and {clips} with it.',
  not_reached: 'It may still be here:', clips_one: '{n} training clip', clips_many: '{n} training clips',
};
