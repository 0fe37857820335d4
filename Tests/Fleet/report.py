"""The report of a run: a table for people, and the same figures as JSON."""
import json
import time


class Report:
    """`result` is what the comparison found."""

    def __init__(self, fleet, truth, result, is_settled):
        self.fleet, self.truth, self.result, self.is_settled = fleet, truth, result, is_settled
        self.seconds = time.monotonic() - fleet.begun
        watch, acks = fleet.watch, fleet.acks
        median, late = (watch.delay(share) for share in (0.5, 0.99))
        self.of_the_gym = sum(1 for node, _, _ in truth.items if node == fleet.gym.node_id)
        self.figures = {
            "seed": fleet.options.seed, "nodes": fleet.options.nodes, "seconds": round(self.seconds),
            "records_made": truth.made, "items_made": len(truth.items), "items_stored": result.stored,
            "items_of_the_real_gym": self.of_the_gym,
            "missing": len(result.missing), "wrong": len(result.wrong), "twice": result.twice,
            "foreign": len(result.foreign), "undeleted": len(result.undeleted), "wrong_sums": len(result.sums),
            "lost_by_restoring": result.unpromised, "acknowledged": is_settled,
            "acks_seen": acks.seen, "records_checked_at_ack": acks.records, "acks_too_early": len(acks.violations),
            "acks_older_than_before": len(acks.backwards), "slowest_check_seconds": round(acks.slowest, 2),
            "delay_median_seconds": rounded(median), "delay_99th_seconds": rounded(late),
            "delay_99th_with_faults_seconds": rounded(watch.delay(0.99, quiet=False)),
            "longest_stall_seconds": round(watch.stall, 1), "longest_stall_began": round(watch.stalled_at, 1),
            "memory_mb": {name: round(amount) for name, amount in sorted(watch.memory.items())},
            "sink_memory_mb_by_minute": watch.sink_memory,
            "sink": {name: watch.value(name) for name in watch.NAMES},
            "faults": fleet.faults.done, "failed_faults": fleet.faults.failures,
        }
        self.details = {
            "missing": result.missing, "wrong": result.wrong, "foreign": result.foreign, "sums": result.sums,
            "undeleted": result.undeleted, "acks_too_early": acks.violations}

    @property
    def is_good(self):
        return (self.result.is_good and self.is_settled and not self.fleet.acks.violations
                and self.fleet.acks.records > 0 and self.of_the_gym > 0 and not self.fleet.faults.failures)

    def show(self):
        figures = self.figures
        rows = [
            ("records made", f"{figures['records_made']} ({figures['items_made']} sessions, rollups and gaps, "
             f"{self.of_the_gym} of the real gym)"),
            ("stored", figures["items_stored"]), ("missing", figures["missing"]), ("wrong", figures["wrong"]),
            ("twice", figures["twice"]), ("made by nobody", figures["foreign"]),
            ("deleted, but there", figures["undeleted"]), ("wrong sums", figures["wrong_sums"]),
            ("lost with a replaced history", figures["lost_by_restoring"]),
            ("acknowledged too early",
             f"{figures['acks_too_early']} ({figures['acks_seen']} acknowledgements; "
             f"{figures['records_checked_at_ack']} records looked up, {figures['slowest_check_seconds']} s later)"),
            ("made to stored, quiet",
             f"median {figures['delay_median_seconds']} s, 99th {figures['delay_99th_seconds']} s"),
            ("made to stored, faults", f"99th {figures['delay_99th_with_faults_seconds']} s"),
            ("longest stall", f"{figures['longest_stall_seconds']} s"),
            ("asked for again", f"{figures['sink']['syncs']} times; {figures['sink']['known']} records came again"),
        ]
        rows += [(f"memory, {name}", f"{amount} MB") for name, amount in figures["memory_mb"].items()]
        print("\n" + "\n".join(f"{name:<30} {value}" for name, value in rows))
        print("\n" + "\n".join(
            f"{fault['at']:7.1f} s  {fault['fault']}: {fault['what']}" for fault in figures["faults"]))
        for name, found in self.details.items():
            for one in found[:8]:
                print(f"{name}: {one}")
        for failure in figures["failed_faults"]:
            print(f"failed: {failure}")
        if not self.is_settled:
            print("not everything was acknowledged in time")
        print(f"\n{'good' if self.is_good else 'NOT GOOD'}, after {self.seconds:.0f} s", flush=True)

    def write(self, file):
        file.write_text(json.dumps(self.figures | {"good": self.is_good, "details": self.details}, indent=1))


def rounded(seconds):
    return None if seconds is None else round(seconds, 2)
