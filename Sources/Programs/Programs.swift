// A target without code: its dependencies are the programs, so that one command builds all of them in parallel.
