"""Reads the Prometheus text format: metrics["queue_depth", "work"], or metrics["config_coalesced_total"]."""

import re

SAMPLE = re.compile(r"^(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)$")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    """Counters that were never touched are not exported; asking for one gives 0."""

    def __init__(self, samples):
        self.samples = samples

    def __getitem__(self, key):
        name, *values = (key,) if isinstance(key, str) else key
        return sum(value for (n, labels), value in self.samples.items() if n == name and set(values) <= set(labels))

    def names(self):
        return {name for name, _ in self.samples}


def parse(text):
    samples = {}
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        match = SAMPLE.match(line)
        if not match:
            raise AssertionError(f"not a metrics line: {line!r}")
        labels = tuple(value for _, value in LABEL.findall(match["labels"] or ""))
        samples[match["name"], labels] = float(match["value"])
    return Metrics(samples)
