// All words that people read on the pages, in one place for translation.
export const text = {
  locale: 'en-GB', none: '–',
  labels: { other: 'Something else', no_person: 'Nobody in view', low_confidence: 'Not sure', starting: 'Starting' },

  // Pages and what they share
  title_live: 'Live', title_tv: 'Wall', title_history: 'History', title_session: 'Session', title_node: 'Node',
  title_aim: 'Aim a camera', title_login: 'Sign in',
  nav_live: 'Live', nav_tv: 'Wall', nav_history: 'History', nav_aim: 'Aim', nav_node: 'Node',
  pages: 'Pages', skip: 'Skip to the content', sign_in: 'Sign in', sign_out: 'Sign out',
  unreachable: 'The node cannot be reached. Check the network, then load the page again.',
  strange_answer: 'The node answered with status {status}. Load the page again.',
  wait_seconds: 'Wait {n} seconds.', lost_connection: 'Connection lost, trying again', loading: 'Loading …',
  seconds: '{n} s', minutes: '{n} min', hours: '{n} h', days: '{n} d', ago: '{time} ago', just_now: 'just now',
  camera: 'Camera', action: 'Action', actions: 'Actions', person: 'Person', time: 'Time', reps: 'Reps', start: 'Start',
  end: 'End', length: 'Length', sets: 'Sets', set: 'Set', confidence: 'Confidence', all_cameras: 'All cameras',
  reps_one: '{n} repetition', reps_many: '{n} repetitions', yes: 'Yes', no: 'No', now: 'now', rest: 'Rest',
  no_cameras: 'No camera is configured. Add one to the configuration and restart the node.',
  state_starting: 'Starting', state_online: 'Online', state_offline: 'Offline', state_off: 'Off', state_ended: 'Ended',
  left_side: 'Left side', right_side: 'Right side', fps: '{n} frames/s', no_data: 'No data for {time}',
  person_n: 'Person {n}', set_n: 'Set {n}', window_hint: 'Point at the strip or use the arrow keys to see more.',

  // Live
  view: 'View', show_skeleton: 'Skeletons', show_labels: 'Labels', waiting: 'Connecting to the node …',
  privacy: 'Skeletons on black: no picture leaves the node.',
  frames_left_out: '{n} frames were left out because this browser or its network is slow.',
  repetitions: 'Repetitions', set_time: 'Set', last_set_reps: 'Last set', sets_so_far: 'Sets so far', persons: 'People in view',
  skeletons_of: 'Skeletons of the people seen by {name}', skeletons: 'Skeletons of the people in view',
  last_minute: 'Last minute', minute_ago: '60 s ago', today: 'Today', nothing_today: 'Nothing has been counted today.',
  switching: 'Switching …', switch_on: 'Switch on', switch_off: 'Switch off',
  switch_on_camera: 'Switch on {name}', switch_off_camera: 'Switch off {name}',
  person_main: 'Person {n}, in front', people_one: '{n} person', people_many: '{n} people', people_none: '– people',
  every_frame: 'every frame', every_nth: 'every {n} frame', dropped: '{n} dropped', hint: 'hint {n}',
  ordinal_one: '{n}st', ordinal_two: '{n}nd', ordinal_few: '{n}rd', ordinal_other: '{n}th',
  window_only: '{time}: {first}', window_with: '{time}: {first}, then {others}',
  now_doing: '{camera}: {label}.', set_ended: '{camera}: {label}, set finished with {reps}.',

  // Wall
  today_board: 'Today', board_empty: 'The first set of the day stands here.', back_live: 'Live page',
  sound_on: 'Sound on (S)', sound_off: 'Sound off (S)', last_set: 'Last set: {label}, {n}',

  // History
  filters: 'Filters', span: 'Time span', span_1d: '1 day', span_7d: '7 days', span_4w: '4 weeks', span_1y: '1 year',
  span_all: 'All', all_actions: 'All actions', times_in: 'Times in {zone}', browser_zone: 'the time zone of this browser',
  minutes_a_day: 'Minutes a day', reps_a_day: 'Repetitions a day', as_table: 'As a table', day: 'Day',
  totals: 'Totals of every action', days_seen: 'Days', sessions: 'Sessions', more: 'More sessions', open: '(open)',
  sessions_one: '{n} session', sessions_many: '{n} sessions', sessions_newest: 'The newest {n} sessions',
  history_empty: 'Nothing is stored yet. Do two sets in front of a camera. They appear here when the session ends.',
  history_empty_filter: 'Nothing fits these filters. Choose a longer time span, all cameras or all actions.',
  deleted: 'The session is deleted.',

  // Session
  back_history: 'Back to the history', session_of: 'Session of {time}', ended_by: 'Why it ended', model: 'Model',
  frame_rate: 'Frame rate', still_open: 'it goes on', ended_idle: 'no exercise for a while',
  ended_left: 'the person left the picture', ended_source_ended: 'the recording ended',
  ended_camera_lost: 'the camera was lost', ended_stopped: 'the program or an operator stopped it',
  ended_crash: 'the program crashed', course: 'Course', rest_before: 'Rest before', coaching_hint: 'Hint',
  hint_note: 'The hint, 0 to 100, compares the movement with a clean one. It is no assessment of safety or health.',
  no_sets: 'No set was counted.', only_sets: 'The predictions are no longer stored. The strip shows the sets.',
  delete_session: 'Delete this session', sure_title: 'Delete this session?', sure_yes: 'Delete for good',
  keep: 'Keep it', sure_final: 'Every receiver is told to delete it as well. It does not come back.',
  loss: '{camera}, {time}: {length} of {actions}, {sets} sets and {reps} repetitions, with all predictions.',
  session_gone: 'This session does not exist, or it was deleted. Go back to the history and choose another.',

  // Node
  updated: 'As of {time}', problems: 'Problems', all_well: 'All is well', no_problems: 'The node knows of no problem.',
  since: 'Since {time}', cameras: 'Cameras', broker: 'MQTT broker and outbox', versions: 'Versions', log: 'Log',
  doctor: 'Doctor', check_now: 'Check now', checking: 'Checking. This takes some seconds …',
  doctor_hint: 'Checks the cameras, models, database, disk, clock, broker and machine.',
  doctor_good: 'All {all} checks done, nothing is bad.', doctor_bad: '{n} of {all} checks are bad.',
  uptime: 'Running for', processor: 'Processor', memory: 'Memory', load: 'Load',
  temperature: 'Temperature', celsius: '{n} °C', throttled: 'Throttled', disk_free: 'Free disk', database: 'Database',
  wal: 'Write-ahead log', written: 'Written since start', clock: 'Clock', clock_synced: 'synchronised',
  clock_unsynced: 'not synchronised', viewers: 'Open pages', state: 'State', fps_in: 'Camera fps', fps_seen: 'Seen fps',
  stride: 'Looks at', one_in: '1 in {n}', drops: 'Dropped', inference: 'Inference, 95 %', ms: '{n} ms',
  last_frame: 'Last frame', connection: 'Connection', reconnects: 'Reconnects', dropped_messages: 'Dropped messages',
  pending: 'Records waiting', oldest: 'Oldest waits for', acked_by: '{name} has up to', no_broker: 'none',
  program: 'Program', node: 'Node', site: 'Site', contract: 'MQTT contract', started: 'Started', machine: 'Machine',
  system: 'System', time_zone: 'Time zone', pictures: 'Pictures', pictures_never: 'never leave the node',
  configuration: 'Configuration', mb: '{n} MB', gb: '{n} GB', log_empty: 'The log is empty.',
  doctor_state_good: 'good', doctor_state_bad: 'bad', doctor_state_unknown: 'unknown',

  // Aim
  advice: 'Advice', joints: 'Joints in view', joint: 'Joint', left: 'Left', right: 'Right', joint_seen: 'seen',
  joint_unsure: 'unsure', joint_outside: 'outside', from_here: 'Exercises from here',
  joint_ear: 'Ear', joint_eye: 'Eye', joint_shoulder: 'Shoulder', joint_elbow: 'Elbow', joint_wrist: 'Wrist',
  joint_hip: 'Hip', joint_knee: 'Knee', joint_ankle: 'Ankle', joint_heel: 'Heel', joint_foot: 'Foot',
  aim_good: 'Good: leave the camera as it is', aim_nobody: 'Stand in front of the camera', nobody_seen: 'Nobody is seen.',
  people_in_view: 'People', view_from: 'Seen from', view_front: 'the front', view_side: 'the side',
  view_turned: 'an angle', view_unknown: 'not clear', body_size: 'Body', of_height: '{n} of the height',
  brightness: 'Brightness', told_judged: 'recognised and judged', told: 'recognised',
  not_told: 'not recognised',

  // Login
  login_hint: 'This page shows who does what on the gym floor. Ask the operator for the password.',
  password: 'Password', signing_in: 'Signing in …',
};
