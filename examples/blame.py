"""Which links contradict each other? They are shown in the words of the text.

python examples/blame.py
"""

from pathlib import Path

import tlex


def main() -> None:
    """Print each contradiction of an example, link by link, with line numbers."""
    document = tlex.read(Path(__file__).with_name("contradiction.tml"))
    result = tlex.extract(document)
    words = {node.id: node.text for node in result.nodes}
    links = {link.id: link for link in document.links}
    for conflict in result.conflicts:
        for name in conflict.minimal:
            link = links[name]
            source, target = words[link.source or ""], words[link.target or ""]
            print(f"line {link.line}: {source} {link.type} {target}")
        print(f"cannot all hold: {conflict}")


if __name__ == "__main__":
    main()
