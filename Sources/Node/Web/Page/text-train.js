// The words of the page for recording and training.
export const trainText = {
  title_train: 'Record and train', operator_only: 'Only the operator records and trains. Sign in with that password.',
  label: 'Label', cancel: 'Cancel', to_learn: 'Answer what the node asks',
  // Recording
  record_title: 'Record a clip', record_seconds: 'Seconds', record_countdown: 'Countdown', record_go: 'Record',
  record_stop: 'Stop', record_hint: 'Choose a label, or write a new one. “Something else” is movement that is no exercise, “No exercise” '
    + 'is standing, walking and resting. A person’s name takes English letters, digits, - and _. Only poses are kept.',
  record_ready: 'Get ready: {label}. {n} s', record_now: 'Recording {label}: {n} s left', record_saving: 'Saving …',
  record_start: 'Go', record_kept: 'Kept {n} s of {label}', record_still: '{n} s of standing still were cut off.',
  record_seen: 'The person is in {n} of the frames.', record_whole: 'The whole body was in view.',
  record_cut: '{n} of the joints were outside the picture or hidden: {joints}.',
  record_cut_some: '{n} of the joints were outside the picture or hidden for a moment.', record_failed: 'No clip',
  // Clips
  needs_title: 'What the labels still want', clips_one: '{n} clip', clips_many: '{n} clips', clips: 'Clips',
  people_count: 'People', wants: 'Still wants', wants_both: '{clips}, and clips of {people}', wants_people: 'clips of {people}',
  more_clips_one: '{n} more clip', more_clips_many: '{n} more clips', more_people_one: '{n} more person',
  more_people_many: '{n} more people', enough: 'enough', needs_empty: 'There are no clips yet. Record the first one above.',
  recorded: 'Recorded', seen: 'Seen', cut_off: 'Cut off', unreadable: 'cannot be read', relabel: 'Relabel',
  delete: 'Delete', of_clip: '{what}: {label}, {person}, {time}', delete_title: 'Delete this clip?',
  change_clip: '{label}, {person}, {time}', delete_yes: 'Delete for good',
  relabel_title: 'Give this clip another label', relabel_yes: 'Relabel',
  // Training
  train_title: 'Train a model', model_name: 'Name of the new model', from_model_in_use: 'Train the model in use further',
  teach: 'Few clips: film each again', teach_hint: 'One clip of a new exercise is enough to begin with. Its motion is '
    + 'filmed again with other bodies, at other tempi, from other sides, and the model in use is trained further.',
  train_go: 'Train', train_stop: 'Stop and keep the best', train_idle: 'Nothing was trained on this node yet.',
  train_reading: '{model}: reading clip {done} of {clips} …', train_running: '{model}: pass {epoch} of {epochs}, {time} left',
  train_share: '{model}: {n} done, {time} left', train_end: 'Stop',
  train_starting: '{model}: preparing …', train_stopping: '{model}: stopping, the best so far is kept …',
  train_done: '{model} is ready: it learned {own} of your clips and {made} synthetic ones; {held} of yours were held out. See how it does below.',
  train_not_ready: '{model}: the model is not ready. It learned {own} of your clips and {made} synthetic ones; {held} of yours were held out.',
  rejected_more: 'And {n} more that cannot be used', record_next: 'What to do next', not_ready: 'not ready',
  train_failed: '{model} was not trained: {message}', curve: 'Loss and accuracy over the passes', pass: 'Pass',
  loss: 'Loss', accuracy: 'Accuracy', held_accuracy: 'Accuracy, held out', held_recall: 'Recall, held out',
  curve_loss: 'Loss, to {n}', curve_training: 'Accuracy, to 100 %', curve_held: 'Recall of the held-out clips, to 100 %',
  // Models and evaluation
  models_title: 'Models', use_hint: 'The node restarts with the model, which takes some seconds. Open sessions end.',
  model_labels: 'Labels', in_use: 'In use', use: 'Use this model', back_to: 'Back to this model',
  use_named: 'Use the model {name}', restarting: 'The node restarts with the model {name} …', configured: 'configured',
  trained_here: 'trained here', created: 'Created', evaluation_title: 'How a model does', precision: 'Precision',
  recall: 'Recall', windows: 'Windows', of_model: '{what}: {model}', figures_title: 'Precision and recall of every label',
  note_same: 'Both models on the same clips, which the new one has not learned from. The one in use may know them.',
  note_own: 'Each model on the clips that were held out of its own training: compare with care.',
  note_none: 'Nothing was held out of this model’s training: record a second person for every label.',
  confusion_title: 'What is taken for what', shown: 'Shown', is_taken: 'is taken for', unsure: 'Not sure',
  worst_title: 'The clips it judges worst', worst_shown: '{n} of {all} clips', answer: 'Answer', right: 'right', wrong: 'wrong', clip: 'Clip',
  all_labels: 'All labels',
};
