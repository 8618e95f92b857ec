"""What do a corpus and two annotators look like in figures? Tutorial 2 as a program.

python examples/researchers.py
"""

from pathlib import Path

import tlex


def main() -> None:
    """Print what is unknown in each document, and score one annotator against the other."""
    here = Path(__file__).parent
    gold = {path.name: tlex.read(path) for path in sorted((here / "ben").glob("*.tml"))}
    system = {name: tlex.read(here / "anna" / name) for name in gold}
    for name, document in gold.items():
        for trunk in tlex.extract(document).trunk:
            orders = trunk.count_scenarios().count
            pairs = trunk.indeterminate_pairs
            print(f"{name}: {trunk.length} steps, {pairs} pairs in unknown order, {orders} orders")
    for name, document in gold.items():
        print(f"{name}: {tlex.score(document, system[name])}")
    ferry = tlex.extract(system["ferry.tml"])
    print(*(conflict.minimal for conflict in ferry.conflicts))


if __name__ == "__main__":
    main()
