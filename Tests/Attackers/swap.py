"""A user who wants root to write where it should not: names that an import uses become links to a file or a folder
of root's, again and again.

Usage: swap.py FOLDER NAME FILE PLACE

It says "swapping" first, and goes on until it is killed.
"""

import os
import sys

folder, name, file, place = sys.argv[1:5]
names = [name + end for end in
         (".places", ".places.unfinished", ".roads", ".roads.unfinished", ".places.unfinished-journal")]
print("swapping", flush=True)
turn = 0
while True:
    turn += 1
    for number, one in enumerate(names):
        path = os.path.join(folder, one)
        target = place if "roads" in one else file
        try:
            # Renamed away, whatever it is, then a link in its place.
            if os.path.lexists(path) and not os.path.islink(path):
                os.rename(path, os.path.join(folder, f".gone{number}-{turn % 4}"))
        except OSError:
            pass
        link = os.path.join(folder, f".link{number}")
        try:
            os.symlink(target, link)
            os.rename(link, path)
        except OSError:
            pass
        # The files in a folder that it made become links, too.
        gone = os.path.join(folder, f".gone{number}-{turn % 4}")
        if os.path.isdir(gone) and not os.path.islink(gone):
            for entry in os.listdir(gone):
                try:
                    os.unlink(os.path.join(gone, entry))
                    os.symlink(file, os.path.join(gone, entry))
                except OSError:
                    pass
        # Mostly it is let through.
        if turn % 3 and os.path.islink(path):
            try:
                os.unlink(path)
            except OSError:
                pass
