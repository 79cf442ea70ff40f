"""What runs for `python -m muniment`?  The command line."""

from muniment.surfaces.cli.main import main

if __name__ == "__main__":
    main()
