-- Once for each connection of the sink: where COPY puts a batch. `line` is the order of arrival, from 1. A record's
-- body is JSON, and batch_unpack takes it apart into incoming_record, _action, _set, _workout and _step.
CREATE TEMP TABLE incoming_message (
    line int, site text, node text, epoch uuid, seq bigint, type text, id uuid, rev int, final bool,
    made timestamptz, synced bool, deleted bool, body jsonb
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_record (
    line int, site text, node text, epoch uuid, seq bigint, type text, id uuid, rev int, final bool,
    made timestamptz, synced bool, deleted bool,
    camera text, started timestamptz, ended timestamptz, end_reason text, model text, fps real, zone text, excluded int,
    gap_epoch uuid, from_seq bigint, to_seq bigint, gap_reason text, gap_records bigint, absence_reason text
) ON COMMIT DELETE ROWS;
-- The columns of these four have the names of the contract's keys, by which bodies.sql fills them.
CREATE TEMP TABLE incoming_action (
    line int, label text, frames int, seconds real, reps int, conf_mean real
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_set (
    line int, number int, label text, start timestamptz, "end" timestamptz, reps int, rest_s real,
    score int, zone text, corrected jsonb, load_kg float8, confidence float8, reps_margin int, rpe float8,
    left_reps int, right_reps int
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_workout (
    line int, plan text, plan_name text, name text, challenge_s real
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_step (
    line int, number int, round int, action text, side text, planned_reps int, planned_s real, planned_rest_s real,
    start timestamptz, "end" timestamptz, reps int, seconds real, rest_before_s real, score int,
    skipped bool, complete bool, measured jsonb, cues jsonb, pain int
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_node (
    line int, site text, node text, kind text, received timestamptz, body jsonb
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_rejected (
    received timestamptz, topic text, reason text, payload text
) ON COMMIT DELETE ROWS;

-- What store_batch finds out about the batch: one row for each record, each word, and each epoch of a node. COPY puts
-- nothing here. Of the records of one id in the batch only one is to be stored. Each kind has a column of its own, true
-- for the record to be stored. One column with the kind's name would mislead the planner, which knows nothing of these
-- tables: it expects half of the rows to be true, but one row in 200 to equal a word.
CREATE TEMP TABLE batch_record (
    line int, node_id int, site_id int, epoch uuid, id uuid, rev int, day date,
    session bool, tombstone bool, rollup bool, gap bool, workout bool, absence bool,
    written bool
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE batch_word (
    site_id int, text text, word_id int
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE batch_stream (
    node_id int, epoch uuid, site text, first_line int, is_new bool
) ON COMMIT DELETE ROWS;
