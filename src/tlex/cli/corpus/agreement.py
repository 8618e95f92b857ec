"""``tlex corpus agreement``: how far two judges agree."""

from __future__ import annotations

import msgspec

from tlex.cli.command import argument, command, option
from tlex.cli.options import PATH, confidence_option
from tlex.corpus import agreement
from tlex.corpus.samples.judge_agreement import Accuracy, Agreement
from tlex.wording import count

__all__ = ["agreement_command"]


@command(example="corpus agreement mine.csv yours.csv")
@argument("first", type=PATH, metavar="A.csv", explanation="The sheet of one judge.")
@argument("second", type=PATH, metavar="B.csv", explanation="The sheet of the other judge.")
@confidence_option
@option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def agreement_command(*, first: str, second: str, confidence: float, as_json: bool) -> int:
    """Compare the answers of two judges to one sample.

    Accuracy is the share of items answered with yes, with its Wilson confidence interval.
    Agreement is Cohen's kappa.
    """
    found = agreement(first, second, confidence=confidence)
    if as_json:
        print(msgspec.json.encode(found).decode())
    else:
        for line in _describe(found, (first, second)):
            print(line)
    return 0


def _describe(found: Agreement, names: tuple[str, str]) -> list[str]:
    judged = found.first.judged
    lines = [f"sample {found.sample}: {count(judged, 'item')}"]
    width = max(map(len, names))
    for name, accuracy in zip(names, (found.first, found.second), strict=True):
        lines.append(f"{name:<{width}}  {_show(accuracy, found.confidence)}")
    agreed = f"agreed on {found.agreed:,} of {judged:,}, {100 * found.observed:.1f} %"
    lines.append(f"{agreed}; by chance {100 * found.expected:.1f} %")
    if found.kappa is None:
        lines.append("Cohen's kappa: undefined, because all answers of both are the same")
    else:
        lines.append(f"Cohen's kappa: {found.kappa:.3f}")
    return lines


def _show(accuracy: Accuracy, confidence: float) -> str:
    share = f"{accuracy.right:,} of {accuracy.judged:,} right, {100 * accuracy.accuracy:.1f} %"
    ends = f"{100 * accuracy.low:.1f} to {100 * accuracy.high:.1f} %"
    return f"{share} ({ends} with {100 * confidence:g} % confidence)"
