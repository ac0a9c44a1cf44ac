"""Percentiles, and the file in which a gate test leaves what it measured (HYPERSCALE_FIGURES_DIR)."""

import json
import math
import os


def percentile(values, percent):
    """Nearest rank: the smallest value that at least `percent` of all values do not exceed."""
    ordered = sorted(values)
    if not ordered:
        raise AssertionError("nothing was measured")
    return ordered[max(math.ceil(percent / 100 * len(ordered)), 1) - 1]


def record(gate, limit, measured):
    """measured: readable name -> readable value."""
    folder = os.environ.get("HYPERSCALE_FIGURES_DIR")
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    flavour = os.environ.get("HYPERSCALE_FLAVOUR", "multi")
    with open(os.path.join(folder, f"{gate}.{flavour}.json"), "w") as file:
        json.dump({"gate": gate, "flavour": flavour, "limit": limit, "measured": measured}, file, indent=2)
        file.write("\n")
