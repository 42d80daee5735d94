"""Figures of the benches beside this, a line of JSON each, for the page that Tests/Benchmarks/run makes of them."""
import json
import os
import statistics
import sys

# With BENCH_QUICK=1 a bench takes fewer rounds: for trying, not for quoting.
quick = os.environ.get("BENCH_QUICK") == "1"
missed = []


def at(share, values):
    """The value that so much of them is not above."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def say(name, value, unit, most=None, least=None, peer=None, beside=None, ratio=None, mostOfPeer=None):
    """`beside`: the peer's value. `most` and `least` bound the value, `mostOfPeer` its ratio to the peer's."""
    if ratio is None and beside:
        ratio = value / beside
    bars = {"most": most, "least": least, "mostOfPeer": mostOfPeer}
    figure = {"figure": name, "value": short(value), "unit": unit}
    figure |= {"peer": peer, "beside": short(beside), "ratio": short(ratio)} | bars
    if any(bar is not None for bar in bars.values()):
        figure["passed"] = (
            (most is None or value <= most)
            and (least is None or value >= least)
            and (mostOfPeer is None or ratio is not None and ratio <= mostOfPeer)
        )
        if not figure["passed"]:
            missed.append(name)
    print(json.dumps({key: value for key, value in figure.items() if value is not None}, ensure_ascii=False), flush=True)


def say_pairs(name, ours, theirs, unit, peer, **bars):
    """Rounds in turn: medians, and the median of the pairs' ratios."""
    ratios = [a / b for a, b in zip(ours, theirs) if b]
    ratio = statistics.median(ratios) if ratios else None
    say(name, statistics.median(ours), unit, peer=peer, beside=statistics.median(theirs), ratio=ratio, **bars)


def short(value):
    """Four digits are enough."""
    return None if value is None else float(f"{value:.4g}")


def private(pid):
    """Kilobytes that would be free if the process ended."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Private_Dirty"))


def end():
    """Ends with 3 where a bar is missed: an error of a bench ends it with 1."""
    sys.exit(3 if missed else 0)
