"""What happened before? The most probable timeline of a model's output: tutorial 3 as a program.

python examples/builders.py
"""

from pathlib import Path

import tlex


def main() -> None:
    """Print the links that are given up, what happened before something, and a proof."""
    document = tlex.read(Path(__file__).with_name("mill.json"))
    fixed = tlex.fix(document, confidence=True)
    print("given up:", *fixed.removed, "- proven the best:", fixed.optimal)
    result = tlex.extract(fixed.document, calendar=True)
    for event in result.before("arrived").certain:
        print("before it arrived:", event.sentence)
    print(result.why("carried", "midnight"))


if __name__ == "__main__":
    main()
