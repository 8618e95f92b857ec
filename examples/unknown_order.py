"""Which order does a text leave unknown? Print the sections whose order no link fixes.

python examples/unknown_order.py
"""

from pathlib import Path

import tlex


def main() -> None:
    """Print each section of unknown order in the example story, with its number of orders."""
    document = tlex.read(Path(__file__).with_name("story.tml"))
    result = tlex.extract(document)
    words = {node.id: node.text for node in result.nodes}
    for timeline in result.timelines:
        for section in timeline.sections:
            orders = timeline.count_scenarios(section=section).count
            names = sorted({words[point[:-1]] for point in section.points})
            print(f"{' and '.join(names)}: {orders} possible orders")


if __name__ == "__main__":
    main()
