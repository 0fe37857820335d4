"""Records of a fleet of nodes, as they arrive at the sink, for the benchmark."""
import datetime
import random

from batch import Batch, uuid7

LABELS = ("squat", "lunge", "push_up", "burpee", "sit_up", "jumping_jack")


class Fleet:
    """Records of many nodes, as they arrive: one in three a rollup, the others sessions in three revisions."""

    def __init__(self, nodes, seed=1):
        self.random, self.nodes = random.Random(seed), nodes
        self.epochs, self.seqs, self.open = [uuid7() for _ in range(nodes)], [0] * nodes, []

    def session(self, batch, node, id, rev, started):
        chosen = self.random.sample(LABELS, self.random.choice((1, 2)))
        count = self.random.choice((1, 2, 3)) if rev == 3 else rev - 1
        sets = [{"label": self.random.choice(chosen), "started": started + datetime.timedelta(seconds=90 * n),
                 "ended": started + datetime.timedelta(seconds=90 * n + 40.5), "reps": 12,
                 "rest_s": 49.5 if n else None, "score": 93, "zone": "rack-1"} for n in range(count)]
        self.seqs[node] += 1
        batch.session(f"gym-{node:04}", f"node-{node}", self.epochs[node], self.seqs[node], id, rev, started=started,
                      final=rev == 3, seconds=300 * rev, sets=sets, zone="rack-1",
                      end_reason="idle" if rev == 3 else None,
                      actions=[(label, self.random.random() * 60, 12) for label in chosen])

    def batch(self, size, moment, rollups=1 / 3):
        batch = Batch()
        for _ in range(size):
            node = self.random.randrange(self.nodes)
            if self.random.random() < rollups:
                self.seqs[node] += 1
                batch.rollup(f"gym-{node:04}", f"node-{node}", self.epochs[node], self.seqs[node], uuid7(moment),
                             started=moment, actions=[(label, 20.5) for label in self.random.sample(LABELS, 2)])
            elif self.open and self.random.random() < 2 / 3:
                at = self.random.randrange(len(self.open))
                node, id, rev, started = self.open[at]
                self.session(batch, node, id, rev + 1, started)
                self.open[at] = (node, id, rev + 1, started)
                if rev == 2:
                    self.open[at] = self.open[-1]
                    self.open.pop()
            else:
                self.open.append((node, uuid7(moment), 1, moment))
                self.session(batch, *self.open[-1])
        return batch
