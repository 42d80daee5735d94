"""A virtual machine with radios that are played, and the words of its first process: see radios-image."""
import os, subprocess, sys


class Story:
    """The lines that begin with @, by their first word; and what was expected of them."""

    def __init__(self, programs, folder, init):
        self.folder, self.is_wrong = folder, False
        text = play(programs, folder, init)
        self.said = [line[2:].strip().split(" ", 1) for line in text.splitlines() if line.startswith("@ ")]
        self.expect(self.words("end") == [""] and not self.words("failed"),
                    f"the machine plays to its end: {self.words('failed')}")

    def words(self, name):
        return [rest[0] if rest else "" for first, *rest in self.said if first == name]

    def first(self, name):
        return (self.words(name) or [""])[0]

    def expect(self, condition, words):
        print(("* " if condition else "FAILED: ") + words, flush=True)
        self.is_wrong |= not condition

    def end(self):
        sys.exit(f"{self.folder}/said has all that the machine said" if self.is_wrong else 0)


def play(programs, folder, init):
    programs, folder = os.path.realpath(programs), os.path.realpath(folder)
    here = os.path.dirname(os.path.realpath(__file__))
    subprocess.run([f"{here}/radios-image", programs, folder, init], check=True)
    root = f"{folder}/root"
    kernel = [name for name in os.listdir(f"{root}/boot") if name.startswith("vmlinuz")][0]
    libraries = ":".join(f"{root}{place}/x86_64-linux-gnu" for place in ("/usr/lib", "/lib"))
    with open(f"{folder}/said", "w") as file:
        subprocess.run(
            [f"{root}/usr/bin/qemu-system-x86_64", "-L", f"{root}/usr/share/seabios", "-L", f"{root}/usr/share/qemu",
             "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "768", "-kernel", f"{root}/boot/{kernel}",
             "-initrd", f"{folder}/image.gz",
             # On a busy machine the kernel would find that the timer does not tick in time, and panic.
             "-append", "console=ttyS0 quiet panic=1 no_timer_check", "-nographic", "-no-reboot", "-net", "none"],
            env=dict(os.environ, LD_LIBRARY_PATH=libraries), stdin=subprocess.DEVNULL, stdout=file, timeout=900)
    return open(f"{folder}/said", errors="replace").read()
