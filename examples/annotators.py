"""How does an annotator check, decide and publish? Tutorial 1 as a program.

python examples/annotators.py
"""

from pathlib import Path

import tlex


def main() -> None:
    """Print the findings of three documents, decide one contradiction, and print its patch."""
    folder = Path(__file__).with_name("anna")
    for path in sorted(folder.glob("*.tml")):
        for finding in tlex.check(tlex.read(path)):
            print(f"{path.name}:{finding.line}: {finding.code} {finding.message}")
    document = tlex.read(folder / "ferry.tml")
    for number, option in enumerate(tlex.fix(document).decisions[0].options, start=1):
        print(f"  option {number}: {option.action} {', '.join(option.links)}")
    fixed = tlex.fix(document, choose={1: 5})
    print(*fixed.changes)
    print("consistent now:", tlex.extract(fixed.document).consistent)


if __name__ == "__main__":
    main()
