// The words of the page for answering questions.
export const learnText = {
  title_learn: 'What was this?', cancel: 'Cancel',
  learn_none: 'Nothing is asked now. With learning.enabled = true a node keeps the joints of a few sets and excerpts of each week, '
    + 'and asks here what they were.',
  learn_done: 'Thank you: all is answered.', learn_place: '{n} of {all}', learn_back: 'Back', learn_slow: 'Half speed',
  learn_where: '{camera} · {time}', learn_what: 'What was it?', learn_other: 'Another label', learn_take: 'Take',
  learn_count: 'How many {label}?', learn_less: 'One less', learn_more: 'One more', learn_save: 'Save',
  learn_cancel: 'Another exercise', learn_saved: 'Saved: {label}',
  answer_none: 'No exercise', answer_nobody: 'Nobody there', answer_two_people: 'Two people', answer_cut_off: 'Cut off',
  answer_skipped: 'Skip', repetitions: 'Repetitions',
  // Accuracy
  accuracy_title: 'How often this node is right', accuracy_by: 'By', by_all: 'all', by_label: 'exercise', by_camera: 'camera',
  by_month: 'month', accuracy_few: 'Too few answers to say. Questions that are drawn by chance tell it.',
  accuracy_trend: 'Month by month',
  accuracy_right: 'Right about {n} of 100 sets ({low} to {high}).',
  accuracy_false: 'Sets that were none: {n} an hour with people in view ({low} to {high}).',
  accuracy_counts: 'Counts within one: {n} of 100 ({low} to {high}).',
  accuracy_found: 'Of 100 seconds of exercise {n} lie in right sets ({low} to {high}).',
  accuracy_from: 'From {answers} answers about {sets} sets.', accuracy_sets: 'Sets', right: 'Right',
  counts_right: 'Counts within one', false_rate: 'None, an hour', found: 'Found',
  accuracy_note: 'Of the last five weeks, by month of all. Estimated from the answers to questions that were drawn by chance. '
    + 'The truth lies in the brackets with 90 %.',
  // Learning
  learning_title: 'What it learned', learn_now: 'Learn now', learning_idle: 'Nothing was learned from answers yet.',
  learning_running: 'Learning from {n} answers since {time}. It takes up to ten minutes.',
  learning_waiting: 'The new model {model} is better. It is used as soon as nobody exercises.',
  learning_accepted: 'The model {model} was better, and was taken into use.',
  learning_refused: 'The model {model} is not better. The model in use stays.', learning_failed: 'There is no new model: {message}',
  learning_held: 'Answers held out: {after} of {clips} right, before {before} ({won} won, {lost} lost).',
  learning_made: 'Generated clips: {after} of {clips} right, before {before}.',
  learning_note: 'By night the node learns from new answers. A model is used only if it wins on answers that it had not learned, by a test at '
    + '90 %, and no exercise loses more than 3 %.', learning_back: 'Go back to another model',
};
