"""Scores a program on a folder of Parquet files with Ray: `python ray_eval.py PROGRAM FOLDER`.

The files have the columns `prompt` and `gold`. Prints a JSON object for each, with the counts of `psl eval --format json`.
"""

import argparse
import json
from collections import Counter

import ray

import psl


class Scorer:
    """A worker, which has a core and its own program."""

    def __init__(self, program):
        self.program = psl.load(program)

    def is_correct(self, prompt, gold):
        try:
            return self.program.run(prompt).tokens == gold.split()
        except psl.RunError:
            return False

    def __call__(self, batch):
        lines = zip(batch["prompt"], batch["gold"], strict=True)
        return {"path": batch["path"], "correct": [self.is_correct(prompt, gold) for prompt, gold in lines]}


def score(program, folder, workers, scorer=Scorer):
    """Returns the total and the number of correct lines of each file."""
    data = ray.data.read_parquet(folder, include_paths=True).select_columns(["path", "prompt", "gold"])
    # A block goes to one worker, which hands it back whole.
    blocks = data.repartition(target_num_rows_per_block=1_000)
    workers = ray.data.ActorPoolStrategy(size=workers)
    scored = blocks.map_batches(scorer, fn_constructor_args=[program], batch_size=None, compute=workers)
    total, correct = Counter(), Counter()
    for batch in scored.iter_batches():
        total.update(batch["path"])
        correct.update(batch["path"][batch["correct"]])
    return {path: {"total": total[path], "correct": correct[path]} for path in sorted(total)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    # The tasks that read need a core, too: workers on all cores would wait for them forever.
    ray.init(num_cpus=arguments.workers + 1)
    for path, counts in score(arguments.program, arguments.folder, arguments.workers).items():
        print(json.dumps({"data": path, **counts}))
