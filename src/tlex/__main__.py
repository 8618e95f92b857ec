"""``python -m tlex``."""

from tlex.cli import main

if __name__ == "__main__":
    main()
