# Reads what `swift test` printed of one process:
#     awk -f Tests/outcome.awk LOG
# It prints three numbers: the tests that were run, those that failed, and the signal that ended the process, or 0. If
# the process died, a line follows for each test that had started and not ended; these count as failed.

# What a test's own output left on the line, and the mark, stand before the name.
function name_of(line) { return substr(line, index(line, " Test ") + 6) }

# Neither a test of its own: the whole run, and each case of a test with arguments.
/◇ Test .* started\.$/ {
    name = name_of($0)
    sub(/ started\.$/, "", name)
    if (name != "run" && name !~ /^case passing /) open[name]++
}

# A dash marks a test whose issues are all known.
/(✔|✘|━) Test .* (passed|failed) after [0-9.]+ seconds/ {
    name = name_of($0)
    if (name ~ /^run with [0-9]+ tests? /) {
        split(name, words, " ")
        total = words[3]
        next
    }
    if (name ~ /^case passing /) next
    if (name ~ / failed after [0-9.]+ seconds[^"]*$/) failed++
    sub(/( with [0-9]+ test cases?)? (passed|failed) after [0-9.]+ seconds[^"]*$/, "", name)
    open[name]--
    ended++
}

match($0, /exited with unexpected signal code [0-9]+/) { code = substr($0, RSTART, RLENGTH); sub(/.* /, "", code) }

END {
    if (total == "") for (name in open) for (i = 0; i < open[name]; i++) unfinished[++count] = name
    print (total == "" ? ended + count : total), failed + count, code + 0
    for (i = 1; i <= count; i++) print unfinished[i]
}
