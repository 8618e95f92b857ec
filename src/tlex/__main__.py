"""``python -m tlex``."""

from tlex.cli import start

if __name__ == "__main__":
    start()
